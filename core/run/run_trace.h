// The trace of one run: asks the workers for their clocks, collects what they took down, writes the file.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <map>
#include <memory>
#include <vector>

#include "core/protocol/deployment.h"
#include "core/protocol/round_trace.h"
#include "core/run/clock_offset.h"
#include "core/run/run_event.h"
#include "core/run/run_timeline.h"
#include "core/run/trace_file.h"
#include "core/run/worker_session.h"

namespace hearth {

/// Lives in the coordinator's thread. What cannot be written ends the trace and never the run.
class RunTrace : public QObject {
    Q_OBJECT
  public:
    /// Questions to each worker before the first round; of many, some meet nobody else on the way.
    static constexpr int firstQuestions = 16;
    /// Between later ones: at ClockOffset::drift a bound grows by 0.1 ms meanwhile.
    static constexpr std::chrono::milliseconds questionInterval{1000};

    /// `runSeconds` have passed since what is to be zero in the file. Errors: "trace.unwritable".
    static Result<std::unique_ptr<RunTrace>> create(const QString &path, double runSeconds,
                                                    qint64 limit = TraceFile::mostEvents);

    /// Before every deployment: the first question then reaches every worker before it, so all clocks are known when
    /// the first round begins. Devices stand in the order of their stages; `schedule` is what the plan predicts.
    void begin(const Deployment &deployment, std::vector<WorkerSession *> workers, std::vector<ScheduledTask> schedule);
    /// The coordinator handed a tensor of a round to this worker's channel.
    void served(const WorkerSession &worker, const TensorHeader &header, qint64 bytes);
    void take(const WorkerSession &worker, RoundTrace trace);
    /// Every member has reported the round: its traces came before.
    void roundDone(const event::Round &round);

    /// Completes the file; nothing is written afterwards.
    void close();

  Q_SIGNALS:
    /// Once, where the trace ends before the run: it is full, or cannot be written.
    void ended(const hearth::Error &why);

  private:
    RunTrace(std::unique_ptr<TraceFile> file, qint64 origin);
    struct Member {
        QPointer<WorkerSession> session;
        ClockOffset clock;
        int questions = 0;
        bool waiting = false;
    };
    void ask(const QString &worker);
    void stop(const Error &why);

    std::unique_ptr<TraceFile> m_file;
    qint64 m_origin;
    std::unique_ptr<RunTimeline> m_timeline;
    std::vector<ScheduledTask> m_schedule;  // until it is written
    std::map<QString, Member> m_members;    // by worker
    std::map<qint64, TracedRound> m_rounds;
    qint64 m_lastEnd = 0;  // of the last round
    QTimer m_questions;
    bool m_ended = false;
};

}  // namespace hearth
