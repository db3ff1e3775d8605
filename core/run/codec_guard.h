// Watches over what compression does to a run, and takes it back where it does too much.
#pragma once

#include <QObject>
#include <map>
#include <optional>

#include "core/run/codec_raises.h"
#include "core/run/operation.h"
#include "core/run/plan_in_force.h"
#include "core/run/replanner.h"
#include "core/run/run_context.h"

namespace hearth {

/// Tells workers which round they write by which codecs; until all of them know, that round does not begin. What it
/// decides is on the disk before. The coordinator's thread; what it is given outlives it.
class CodecGuard : public QObject {
    Q_OBJECT
  public:
    CodecGuard(const RunContext &run, PlanInForce &current, Replanner &replanner, QObject *parent = nullptr);

    const CodecRaises &raises() const { return m_raises; }
    /// Of the coordinator that this one follows.
    void setRaises(CodecRaises raises) { m_raises = std::move(raises); }
    /// Gives a deployment of the plan in force its codecs, from its first round on.
    void fill(Deployment &deployment) const;
    /// Seconds that a round takes from each of these rounds on, under the plan in force (Replanner::asPlanned());
    /// `first` is one of them.
    std::map<qint64, double> predicted(qint64 first) const;

    /// A checked round was done; no round after `begun` has begun.
    void take(event::CodecCheck check, qint64 begun);
    /// Rounds that may begin, where so many could.
    qint64 limited(qint64 rounds) const { return m_isTelling ? std::min(rounds, m_begun) : rounds; }
    /// This round is done, and the next one may be written by other codecs.
    void roundDone(qint64 round);
    /// The workers are halted; the next deployment tells them.
    void drop() { m_isTelling.reset(); }

  Q_SIGNALS:
    /// All workers know.
    void told();
    /// Rounds take other times from now on.
    void changed();
    void failed(const hearth::Error &error);

  private:
    void tellWorkers();
    void tellReplanner(qint64 round);

    RunContext m_run;
    PlanInForce &m_current;
    Replanner &m_replanner;
    CodecRaises m_raises;
    Operation<QObject> m_isTelling;  // while workers are
    qint64 m_begun = 0;              // when a cut was raised last
};

}  // namespace hearth
