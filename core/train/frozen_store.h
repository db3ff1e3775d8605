// Frozen tensors of layers that came with the run's initial weights: what of them is here, by hash, and what arrives.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/protocol/deployment.h"
#include "core/train/worker_stages.h"
#include "core/wire/state_chunks.h"

namespace hearth {

/// Lives on the compute thread, next to the stages, which it outlives. What they have is not kept a second
/// time: a halt takes it out of there, load() puts it back. So what is here while a round is trained is nothing: layers
/// that others may ask for rest here from a halt to release(), which is when the first round under the next deployment
/// begins and everybody has what they need.
class FrozenStore {
  public:
    enum class Arrival {
        Part,  // more is to come; or nobody asked for it, or it came before
        Whole,
        Wrong  // other bytes than those of the hash
    };

    /// Before anything of the deployment is built. What is listed stays. Error "worker.bad-deployment": what it lists
    /// are not the layers of the model that have frozen tensors.
    Result<void> prepare(const Deployment &deployment, const Model &model);
    /// Takes what the stages, which must not go on, have of the deployment that was prepared; without memory for it,
    /// it is fetched again.
    void keep(const WorkerStages &stages);
    /// Layers, for the answer to `halt`.
    std::vector<int> held() const;
    /// Loads what is here of what it awaits. Errors of StageExecutor::loadFrozen().
    Result<void> load(WorkerStages &stages);
    /// The stages' layers that are not here: once load() has been called.
    static std::vector<int> lacking(const WorkerStages &stages);
    /// From now on chunks of the layer count that come from there (empty: the coordinator), from the first one on.
    void expect(int layer, const QString &from);
    /// Errors: "wire.bad-state"; "worker.out-of-memory".
    Result<Arrival> receive(const QString &from, const TensorFrame &frame);
    /// A layer for another device; null where it is not here. `stages` may be null. Error "worker.out-of-memory".
    Result<std::shared_ptr<const Buffer>> find(int layer, const WorkerStages *stages) const;
    /// Everybody has what the deployment gives them.
    void release();

  private:
    struct Listed {
        QString sha256;
        qint64 bytes = 0;
    };
    struct Expected {
        QString from;
        std::unique_ptr<StateAssembly> parts;  // from the first chunk on
    };

    quint32 m_term = 0;
    std::map<int, Listed> m_listed;                           // by layer
    std::map<QString, std::shared_ptr<const Buffer>> m_held;  // by hash
    std::map<int, Expected> m_expected;                       // by layer
};

}  // namespace hearth
