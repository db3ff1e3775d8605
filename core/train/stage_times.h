// Where the time of a stage goes. Internal to core/train.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/protocol/round_report.h"
#include "core/train/compute_device.h"
#include "core/train/round_recorder.h"

namespace hearth {

/// Takes down what the device was asked to do and what the compute thread waited for; a round's report and its trace
/// get it once it is done. A device that goes on computing while its thread waits for frames does not wait. On the
/// compute thread; the device outlives it.
class StageTimes {
  public:
    using TimePoint = Mark::TimePoint;

    explicit StageTimes(ComputeDevice &device) : m_device(device) {}

    /// What comes from now on is of this round.
    void setRound(quint32 round) { m_round = round; }
    void beginWait(Activity what);
    void endWait();
    /// A part of the group's sum is here, whose first byte came at `began`: what has passed since was no waiting.
    void sumArrives(TimePoint began);

    /// Accounts for what is asked of the device until its end.
    class Timed {
      public:
        explicit Timed(StageTimes &times, Activity what, int microBatch = -1)
            : m_times(times), m_what(what), m_microBatch(microBatch) {}
        /// A device that fails says so again to whoever waits for it.
        ~Timed() {
            try {
                m_times.m_pieces.push_back(
                    {m_what, m_microBatch, m_start, m_times.m_device.mark(), {}, {}, m_times.m_round});
            } catch (...) {
            }
        }
        Q_DISABLE_COPY_MOVE(Timed)

      private:
        StageTimes &m_times;
        Activity m_what;
        int m_microBatch;
        std::shared_ptr<const Mark> m_start = m_times.m_device.mark();
    };

    /// All since the last call, but for what is of a later round than setRound() said. Waits until the device has done
    /// it.
    void settle(RoundReport &report, RoundRecorder &recorder);
    /// None of it counts: the round was thrown away.
    void drop() { m_pieces.clear(); }

  private:
    struct Piece {
        Activity what;
        int microBatch;
        std::shared_ptr<const Mark> start, end;  // null: the thread waited, ...
        TimePoint since, until;                  // ... from then until then
        quint32 round;
    };
    void waited(Activity what, TimePoint since, TimePoint until);

    ComputeDevice &m_device;
    quint32 m_round = 0;
    std::vector<Piece> m_pieces;
    std::optional<Activity> m_waiting;
    TimePoint m_since;
};

}  // namespace hearth
