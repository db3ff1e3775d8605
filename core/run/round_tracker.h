// Puts the reports of all members of a round together.
#pragma once

#include <QMap>
#include <QString>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/protocol/deployment.h"
#include "core/protocol/round_report.h"
#include "core/run/run_event.h"
#include "core/run/worker_session.h"

namespace hearth {

/// Rounds complete in order: a round is complete when every member has reported it. Times come from the caller's clock,
/// in seconds. One per term; the coordinator's thread.
class RoundTracker {
  public:
    /// `completed` rounds are applied already. `dataDevice` serves the samples.
    RoundTracker(const Deployment &deployment, const std::vector<WorkerSession *> &workers, qint64 completed,
                 QString dataDevice);

    /// A round's time begins when the one before is complete, or with its first sample, whichever is later: pauses and
    /// evaluations are no part of it.
    void begun(qint64 round, double now);
    /// What was sent since the last round was complete was of none: an evaluation's samples.
    void passOver();
    /// The event of the round that this report completes, if it does; nothing is predicted in it. Errors: a report that
    /// nobody waits for.
    Result<std::optional<event::Round>> take(const WorkerSession &worker, const RoundReport &report, double now);

    /// What was checked in the round that take() completed, once; codecs are not named.
    std::optional<event::CodecCheck> takeCheck() { return std::exchange(m_check, std::nullopt); }
    /// What all devices packed in the last round that is complete.
    const std::vector<CutPacking> &packing() const { return m_packing; }

    qint64 completed() const { return m_completed; }
    /// Those that have not reported the next round.
    std::vector<const WorkerSession *> missing() const;

  private:
    struct Round {
        double begun = 0;
        std::map<QString, RoundReport> reports;  // by device id
    };
    event::Round complete(const Round &round, double now);
    std::optional<event::CodecCheck> checkOf(const Round &round) const;
    void addServed(event::Round &event);

    std::vector<WorkerSession *> m_workers;
    QMap<QString, QString> m_deviceOf;  // by the worker's fingerprint
    quint32 m_term;
    int m_batch;
    qint64 m_completed;
    qint64 m_firstRound;
    quint64 m_firstVersion;  // of the weights that it begins with
    int m_cuts;
    TrainingSpec m_training;
    int m_microBatch;
    std::optional<event::CodecCheck> m_check;
    std::vector<CutPacking> m_packing;
    QString m_dataDevice;
    QMap<QString, quint64> m_served;  // bytes sent to each device when the last round was complete
    std::map<qint64, Round> m_rounds;
    double m_lastEnd = 0;
};

}  // namespace hearth
