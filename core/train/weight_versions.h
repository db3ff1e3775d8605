// Which weights the passes of a micro-batch see. Internal to core/train.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "core/model/asynchrony.h"
#include "core/train/compute_device.h"
#include "core/train/torch_api.h"

namespace hearth {

class StageModule;

/// A version is the number of updates that weights have seen. The module's are the newest; what passes of asynchronous
/// training still have to see is kept beside them, predicted where Asynchrony says so, each in a flat buffer that
/// nobody writes to before all its passes are over: autograd keeps views of weights, and the optimizer writes past its
/// counters, so nothing else would notice. Without a delay there is one version, which a micro-batch holds from its
/// forward pass to the end of its backward pass, and nothing is copied. Buffers are used again. The compute thread;
/// what it is given outlives it.
class WeightVersions {
  public:
    /// `first`: of the weights at hand. `delay`: Asynchrony's, of this stage.
    WeightVersions(StageModule &module, ComputeDevice &device, quint64 first, int delay,
                   const std::optional<Asynchrony> &asynchronous);

    quint64 current() const { return m_current; }
    /// Of the passes of a micro-batch that belongs to update `update`.
    quint64 versionFor(quint64 update) const {
        const quint64 delay = std::min(m_delay, update);
        return std::max(m_first, update - delay);
    }
    /// Else it is still to come.
    bool has(quint64 version) const { return version <= m_current; }
    /// Whether the newest weights may change where they are.
    bool isFree() const { return m_delay > 0 || m_holders == 0; }
    /// For one more micro-batch.
    void hold() { ++m_holders; }
    void release() { --m_holders; }
    void releaseAll() { m_holders = 0; }
    /// Before an optimizer step, where isFree(), and after it. No pass of the update's own micro-batches comes later.
    void beginUpdate();
    void endUpdate();

    /// While it lives the module computes with this version.
    class Use {
      public:
        Use(WeightVersions &versions, quint64 version);
        ~Use();
        Q_DISABLE_COPY_MOVE(Use)

      private:
        StageModule *m_module = nullptr;  // that has to be turned back
    };

  private:
    struct Version {
        quint64 version;
        at::Tensor weights;
    };
    void drop(quint64 before);
    at::Tensor copyOf(const at::Tensor &weights);

    StageModule &m_module;
    ComputeDevice &m_device;
    const quint64 m_first;
    const quint64 m_delay;
    const quint64 m_averageEvery;
    const double m_ahead;  // how many of the last step passes see weights ahead
    quint64 m_current;
    int m_holders = 0;
    std::deque<Version> m_kept;  // ascending; of the newest only where it is predicted
    at::Tensor m_before;         // the newest weights before the update, where it is to be predicted what follows
    std::vector<at::Tensor> m_spare;
};

/// What a stage had when a round began, where several updates make a round: what is left when it is thrown away.
class RoundBeginning {
  public:
    void keep(const at::Tensor &parameters, const at::Tensor &optimizer);
    /// Nothing where nothing was kept since the last forget().
    void restore(at::Tensor &parameters, at::Tensor &optimizer);
    void forget() { m_isKept = false; }
    bool isKept() const { return m_isKept; }

  private:
    at::Tensor m_parameters, m_optimizer;
    bool m_isKept = false;
};

}  // namespace hearth
