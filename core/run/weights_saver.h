// The weights of one run on their way to its files, in between and at the end.
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>

#include "core/run/best_weights.h"
#include "core/run/halt_workers.h"
#include "core/run/operation.h"
#include "core/run/plan_in_force.h"
#include "core/run/replica_keeper.h"
#include "core/run/round_loop.h"
#include "core/run/run_context.h"
#include "core/run/weights_collector.h"
#include "core/run/weights_task.h"

namespace hearth {

/// Collects them at a boundary, for a person or as the best so far, then writes one file after the other beside
/// everything else. At the end it waits for space on the disk, and a run that is stopped gets a checkpoint from which
/// it can go on. The coordinator's thread; what it is given outlives it.
class WeightsSaver : public QObject {
    Q_OBJECT
  public:
    WeightsSaver(const RunContext &run, PlanInForce &current, RoundLoop &rounds, ReplicaKeeper &replicas,
                 CheckpointFolder &folder, BestWeights &best, QObject *parent = nullptr);

    /// A person wants them saved at the next boundary, also to this file; empty: to the run's folder alone. Every file
    /// that is asked for gets them.
    void want(const QString &file);
    bool isWanted() const { return m_isWanted; }
    bool isStoring() const { return m_storing != nullptr; }
    /// Something is to be collected at this boundary; not while anything is being written. What is the best so far is
    /// saved with the last ones.
    bool isDue(bool isLast) const {
        return !isStoring() && (m_isWanted || (!isLast && m_best.isDue(m_rounds.completed())));
    }
    /// The end does not wait for space any more.
    void stopWaiting() { m_waitsForSpace = false; }
    /// All that the run is for is here: no worker is needed any more.
    bool hasAll() const;

    /// At a boundary. `isEnd`: the last ones.
    void collect(bool isEnd);
    /// Collecting fails again and again: it is due no more.
    void giveUp();
    /// What is collected from workers ends; what is written goes on, and is no end of the run any more.
    void drop();
    /// Everything ends. Blocks until the file that is being written is whole.
    void stop();

  Q_SIGNALS:
    void notCollected(const hearth::Error &error, bool isEnd);
    /// Rounds may go on.
    void collected();
    /// Nothing is written any more, and the run goes on.
    void stored();
    /// The last ones are on the disk.
    void ended(const QByteArray &sha256);
    void failed(const hearth::Error &error);

  private:
    void take(const std::vector<NamedTensor> &tensors, bool isEnd);
    void store(const WeightsOrder &order, const std::function<void(const WeightsWritten &)> &then);
    void storeLast(const WeightsOrder &order);
    bool tell(const WeightsOrder &order, WeightsWritten written);
    void waitForSpace(const WeightsOrder &order, const Error &error);
    void endStored(const WeightsOrder &order, const QByteArray &sha256);
    void saveStates(const std::function<void()> &then);

    RunContext m_run;
    PlanInForce &m_current;
    RoundLoop &m_rounds;
    ReplicaKeeper &m_replicas;
    CheckpointFolder &m_folder;
    BestWeights &m_best;
    Operation<WeightsCollector> m_collecting;
    Operation<WeightsTask> m_storing;
    Operation<HaltWorkers> m_halting;       // for the checkpoint of a run that is stopped
    Operation<StateCollector> m_gathering;  // likewise
    bool m_isWanted = false;
    QStringList m_files;  // where else the next ones go
    bool m_isEnd = false;
    bool m_waitsForSpace = true;
    bool m_toldOfSpace = false;
    bool m_isOver = false;
};

}  // namespace hearth
