// NVIDIA's management library, where the driver has brought it.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/card_load.h"
#include "core/base/error.h"

namespace hearth {

/// What the library says of one card at one moment. What it does not say is empty. Plain value.
struct CardReading {
    struct Program {
        qint64 pid = 0;
        qint64 memoryBytes = 0;  // of the card's
        bool computes = true;    // else it only draws
        /// Of the card's time, lately; nullopt: the card does not tell programs apart.
        std::optional<double> busyPercent = {};
    };
    QString name, uuid;
    QString driver;          // its version
    qint64 memoryBytes = 0;  // all that it has
    CardLoad load;
    std::optional<double> wattsLimit;  // more it does not take
    std::vector<Program> programs;     // that compute or draw on it
};

/// Found at run time, so that nothing needs it to be built or installed: libnvidia-ml.so.1, or the file that
/// $HEARTH_NVML names. Calls block, some for longer than an event loop may (a card that sleeps wakes up). Any thread,
/// one at a time. Source: NVIDIA's "NVML API Reference Guide".
class Nvml {
  public:
    /// Null where there is none, or no driver that answers it.
    static std::unique_ptr<Nvml> open();
    ~Nvml();
    Nvml(const Nvml &) = delete;
    Nvml &operator=(const Nvml &) = delete;

    /// The card with this uuid; empty: the one with the most memory. nullopt: it is not there.
    std::optional<CardReading> read(const QString &uuid) const;
    /// The card takes no more than this from now on, until it is told otherwise or its driver begins anew. Errors:
    /// "card.power-refused".
    Result<void> limitWatts(const QString &uuid, double watts) const;

  private:
    struct Library;
    explicit Nvml(std::unique_ptr<Library> library);
    std::unique_ptr<Library> m_library;
};

}  // namespace hearth
