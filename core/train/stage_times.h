// Where the time of a stage's compute thread goes. Internal to core/train.
#pragma once

#include <optional>

#include "core/protocol/round_report.h"
#include "core/train/round_recorder.h"

namespace hearth {

/// Counts seconds in the round's report, and takes them down for a trace. On the compute thread; both outlive it.
class StageTimes {
  public:
    using TimePoint = RoundRecorder::Clock::time_point;

    StageTimes(RoundReport &report, RoundRecorder &recorder) : m_report(report), m_recorder(recorder) {}

    void beginWait(Activity what);
    void endWait();
    /// A part of the group's sum is here, whose first byte came at `began`: what has passed since was no waiting.
    void sumArrives(TimePoint began);
    void account(Activity what, int microBatch, TimePoint since, TimePoint until);

    /// Accounts for the time until its end.
    class Timed {
      public:
        explicit Timed(StageTimes &times, Activity what, int microBatch = -1)
            : m_times(times), m_what(what), m_microBatch(microBatch) {}
        ~Timed() { m_times.account(m_what, m_microBatch, m_start, RoundRecorder::Clock::now()); }
        Q_DISABLE_COPY_MOVE(Timed)

      private:
        StageTimes &m_times;
        Activity m_what;
        int m_microBatch;
        TimePoint m_start = RoundRecorder::Clock::now();
    };

  private:
    RoundReport &m_report;
    RoundRecorder &m_recorder;
    std::optional<Activity> m_waiting;
    TimePoint m_since;
};

}  // namespace hearth
