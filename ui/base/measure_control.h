// Measuring devices and links without training: what the window asks for, and how it goes.
#pragma once

#include <QDateTime>
#include <QMap>
#include <QObject>
#include <QStringList>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/run/job.h"

namespace hearth {

struct MeasureOrder {
    Job job;              // whose model is measured, at its batch
    QStringList devices;  // ids; empty: all that are ready
    bool again = false;   // also what was measured before
};

/// What is being measured now, whoever asked for it.
struct MeasureStatus {
    bool isOn = false;
    bool isEnding = false;                        // it was told to end, and has not yet
    QMap<QString, std::pair<int, int>> progress;  // by device: steps done, and all; the links follow when all are done
    std::optional<QDateTime> end{};               // of the steps, as things look

    bool operator==(const MeasureStatus &) const = default;
};

/// One measurement at a time, in the same home as the devices; it outlives the window. GUI thread.
class MeasureControl : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    virtual MeasureStatus status() const = 0;
    /// `changed` follows, and `ended` when it is over; or `failed`, with nothing begun or something left undone.
    virtual void start(const MeasureOrder &order) = 0;
    /// What was measured by then stays; a device in the midst of it keeps what it had.
    virtual void cancel() = 0;

  Q_SIGNALS:
    void changed();
    /// Whatever the outcome: what is stored may be new.
    void ended();
    void failed(const hearth::Error &error);
};

}  // namespace hearth
