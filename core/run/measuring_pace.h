// How long the measuring of a model still takes.
#pragma once

#include <QDateTime>
#include <QMap>
#include <optional>
#include <vector>

#include "core/run/job.h"
#include "core/run/run_event.h"

namespace hearth {

/// The batch sizes worth measuring: powers of two up to the largest share that a plan could give, and that one.
std::vector<int> profiledBatches(const Job &job);

/// What a run told while its devices measured. Batch sizes ascend, and large ones take most of the time: how the time
/// grew from one size to the next says what those that follow take. Plain value.
class MeasuringPace {
  public:
    void begin(const event::Run &run);
    /// `t` of the event.
    void take(double t, const event::Profile &profile);
    /// When the last device is done, as things look; nothing before each has measured two sizes.
    std::optional<QDateTime> end() const;

  private:
    struct Device {
        std::vector<double> ends{};  // seconds of the run: the beginning, and the end of each size that is measured
        bool isDone = false;
    };
    std::optional<double> endOf(const Device &device) const;

    QDateTime m_started;
    std::vector<int> m_batches;
    QMap<QString, Device> m_devices;
};

}  // namespace hearth
