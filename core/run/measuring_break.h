// A rest between rounds in which devices measure what a run has only guessed.
#pragma once

#include <QObject>
#include <QSet>

#include "core/run/plan_in_force.h"
#include "core/run/profile_workers.h"
#include "core/run/replanner.h"
#include "core/run/round_loop.h"
#include "core/run/run_context.h"

namespace hearth {

/// A run that began on guesses (ProfileScope::guesses) rests once its rounds have told how long they take, and only
/// where what is left of it is worth that: these devices measure the network in brief, all at once, and a better plan
/// is looked for while training goes on. A device measures beside the layers that it holds, so it keeps its guess where
/// its memory has no room for both, or where only a long measurement would do. Whatever else is due comes first and
/// ends the rest, which is taken again after it. The coordinator's thread; what it is given outlives it.
class MeasuringBreak : public QObject {
    Q_OBJECT
  public:
    MeasuringBreak(const RunContext &run, const PlanInForce &current, const RoundLoop &rounds, Replanner &replanner,
                   QObject *parent = nullptr);

    bool isUnderWay() const { return m_measuring != nullptr; }
    /// One is to come, unless the run changes.
    bool isWanted() const;
    /// At the next boundary; also while it is under way.
    bool isDue() const { return isUnderWay() || (isWanted() && m_replanner.isSettled()); }
    /// At a boundary. False: no device has the room, and the rounds that follow tell what is to be known.
    bool begin();
    /// Something that is wanted comes first. False: nothing was under way.
    bool drop();
    /// A change does, as after a loss, which may be one by measuring.
    void dropForChange();
    /// Somebody who takes part in it may be gone: ended() follows, unless the run has another use for its time.
    void memberLeft();

  Q_SIGNALS:
    /// Rounds may go on; what was measured is known.
    void ended();

  private:
    bool isGuessed(const WorkerSession &worker) const;
    ModelProfile toldOf(const WorkerSession &worker, const std::vector<LayerFacts> &estimated) const;
    void take();
    void fail(const Error &error);
    void end();

    RunContext m_run;
    const PlanInForce &m_current;
    const RoundLoop &m_rounds;
    Replanner &m_replanner;
    Measuring m_measuring;
    QSet<QString> m_keep;  // devices that measure no more: they have, or keep their guess
    int m_left = 2;        // so often a device or a link may be lost meanwhile, perhaps by measuring
};

}  // namespace hearth
