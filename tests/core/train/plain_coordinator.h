// A coordinator of a few lines that trains on a LoopbackHome, halts it, and goes on from the states that are left.
#pragma once

#include <set>

#include "tests/core/train/loopback_home.h"

namespace hearth {

/// Every helper returns an empty text, or what went wrong.
class PlainCoordinator {
  public:
    struct Backup {
        int firstLayer, lastLayer, from, to;
    };
    /// Rounds that are under way at once.
    static constexpr quint64 ahead = 2;
    /// Where the states come from that a layer's new owner does not hold.
    enum class Source { Peers, Coordinator, CoordinatorBeforeDeploy };

    PlainCoordinator(LoopbackHome &home, Model model, TrainingSpec training, InputTransform input,
                     const std::vector<SampleBatch> &batches)
        : m_home(home),
          m_model(std::move(model)),
          m_training(std::move(training)),
          m_input(std::move(input)),
          m_batches(batches) {}

    int snapshotEvery = 1;
    /// From one version that all are asked to keep, and to copy, to the next; 0: none. One at a time: at least `ahead`.
    int keepEvery = 0;
    std::vector<Backup> backups;
    Source source = Source::Peers;
    std::vector<DType> sampleTypes = {};
    std::vector<NamedTensor> weights;  // to begin with; empty: those of the seed
    QString fabric = Deployment::builtinFabric();
    const Codec *gradientCodec = &noCodec();
    bool spares = true;  // devices without layers get the plan, too
    quint32 term = 1;
    quint64 version = 0;               // rounds that are done and count
    int moved = 0;                     // layers, by recoveries so far
    quint64 rolledBack = 0;            // rounds that some device had applied and that were thrown away
    std::map<quint64, double> losses;  // of rounds that all members reported

    QString start(const TestPlan &plan);
    /// Trains until all have done `round`.
    QString runTo(quint64 round);
    /// Feeds rounds until then, which may be in the middle of one; stops at `last`.
    QString runUntil(const std::function<bool()> &condition, quint64 last);
    /// Halts whoever is there and goes on with another plan from the newest version that is whole.
    QString recover(const TestPlan &plan);
    QString halt();
    QString goOn(const TestPlan &plan);
    /// What the devices said when they were halted last.
    const std::map<int, LoopbackHome::Halted> &halted() const { return m_halted; }
    /// The newest version of which every layer is held; -1: none.
    qint64 newestWhole() const;
    Deployment deployment(const TestPlan &plan) const;

  private:
    bool holds(int device, int layer, quint64 atVersion) const;
    int holderOf(int layer, quint64 atVersion) const;
    void addPeer(Deployment &deployment, int device) const;
    QString fetch(quint64 atVersion);
    void listFrozen(Deployment &deployment) const;
    void feed(quint64 round);
    bool isDone(quint64 round) const;
    void collect(quint64 round);

    LoopbackHome &m_home;
    Model m_model;
    TrainingSpec m_training;
    InputTransform m_input;
    const std::vector<SampleBatch> &m_batches;
    std::map<int, LoopbackHome::Halted> m_halted;
    std::map<int, std::shared_ptr<const Buffer>> m_fetched;  // by layer
    quint64 m_fed = 0;
};

}  // namespace hearth
