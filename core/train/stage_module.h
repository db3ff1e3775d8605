// The layers of one stage as LibTorch tensors. Internal to core/train.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/slot.h"
#include "core/model/layer_state.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/train/compute_device.h"
#include "core/train/ops/op_run.h"
#include "core/train/torch_api.h"
#include "core/train/weighted_ops.h"

namespace hearth {

/// Of a cut, by slot.
using Tensors = std::vector<at::Tensor>;

/// Trainable tensors live in one flat buffer, their gradients in another of the same layout, so that AllReduce and
/// optimizer run over plain memory and see no others; frozen ones in a third, statistics in a fourth. Each tensor is a
/// view; tied ones are one, whose gradient all that have it add to. Those that layers of other stages have, too, come
/// last. Gradients accumulate in place. One thread.
class StageModule {
  public:
    struct Pass {
        bool training = true;
        bool updateStatistics = true;  // false in a pass that is repeated later (recompute)
        std::uint64_t dropoutSeed = 0;
    };

    /// Layers [firstLayer, lastLayer) of `model`, which is copied in parts. Memory of the device is taken, values are
    /// not set.
    StageModule(const Model &model, int firstLayer, int lastLayer, Precision precision, ComputeDevice &device);

    void initialise(const Model &model, quint64 seed);
    /// Raw values of one tensor, contiguous in the spec's shape. `layer` is the model's index.
    Result<void> load(int layer, int index, std::span<const std::byte> values);
    /// A copy of the values.
    NamedTensor read(int layer, int index) const;
    int tensorCount(int layer) const;
    /// The bytes of one layer's state (LayerStateLayout), of the layout's size. `optimizer` holds the optimizer's
    /// copies, each laid out as parameters() are, then, where second moments are factored, moments() of them. Without
    /// an allocation.
    void readState(int layer, const LayerStateLayout &layout, const at::Tensor &optimizer, std::byte *to) const;
    void loadState(int layer, const LayerStateLayout &layout, at::Tensor &optimizer, const std::byte *from);

    /// From the tensors of inputs() to those of outputs().
    Tensors forward(const Tensors &inputs, const Pass &pass) const;
    /// Backward pass of those of forward() that need a gradient. `Later` leaves most of the work on weights to
    /// finishBackward(), so that the gradient of the input is there earlier. Other passes may come before it: each call
    /// finishes the oldest.
    enum class WeightGradients { Now, Later };
    void backward(const Tensors &y, const Tensors &gradients, WeightGradients when);
    void finishBackward();
    /// Gives up what finishBackward() would do, and watching.
    void dropBackward() { m_progress->late.clear(), m_progress->watch = {}; }
    void zeroGradients() { m_gradients.zero_(); }
    /// Told each range of gradients() to which this pass and those before it have added all they add, once; together
    /// they cover everything. Gaps between tensors belong to the tensor before. Called on the thread that the pass runs
    /// on, which may be a device's own, while the caller of backward() waits; of tensors that nothing flows back to, by
    /// endWatch().
    using Watch = std::function<void(qint64 firstElement, qint64 endElement)>;
    void watchGradients(Watch watch);
    /// The pass is over. Nothing where nobody watches.
    void endWatch();

    int firstLayer() const { return m_firstLayer; }
    int lastLayer() const { return m_firstLayer + static_cast<int>(m_layers.size()); }
    DType dtype() const { return m_dtype; }
    /// What crosses the cut before the first layer and the one behind the last.
    const std::vector<Slot> &inputs() const { return m_inputs; }
    const std::vector<Slot> &outputs() const { return m_outputs; }
    /// Of the trainable tensors, flat; gaps between tensors are zero in both and stay so.
    at::Tensor &parameters() { return m_parameters; }
    /// In place of them, of their size: the tensors lie there from now on.
    void setParameters(at::Tensor flat);
    /// Passes see these, of the same layout, in place of parameters(), until that is said again.
    void computeWith(const at::Tensor &flat) const;
    at::Tensor &gradients() { return m_gradients; }
    /// Where the tensors of parameters() lie in it, in ascending order.
    std::vector<FlatTensor> trained() const;
    /// Elements of their factored second moments.
    qint64 moments() const { return m_moments; }
    /// Tied tensors that layers of other stages have, too: their parts of gradients(), which follow ...
    struct Shared {
        int tie = 0;  // of tiesOf(model)
        qint64 first = 0, end = 0;
        bool isFirst = false;  // no stage before this one has it
    };
    const std::vector<Shared> &shared() const { return m_shared; }
    /// ... so many elements that are of this stage alone.
    qint64 ownElements() const { return m_ownElements; }
    bool hasFrozen() const { return m_frozen.numel() > 0; }
    /// Of normalizations, flat.
    at::Tensor &statistics() { return m_statistics; }
    /// View of one tensor's gradient, in the spec's shape; undefined where it is not trainable.
    at::Tensor gradientOf(int layer, int index) const;

  private:
    struct StageOp {
        struct Input {
            int value = 0;      // as in Op::from
            bool last = false;  // nobody takes it after this, nor does the layer give it
        };
        RunOp run;
        std::vector<Input> inputs;
        bool mayOverwrite = false, takesRounded = false;
        int firstTensor = 0, tensors = 0;  // in m_tensors
    };
    struct StageLayer {
        std::vector<StageOp> ops;
        std::vector<int> outputs;  // as in Layer
        LayerShape shape;
        int firstTensor = 0;  // in m_tensors
    };
    struct Progress {
        Watch watch;
        WeightGradientQueue late;
        std::map<const at::TensorImpl *, FlatTensor> tensors;  // of parameters, in the flat buffers
        std::set<const at::TensorImpl *> awaited;              // of them, while somebody watches
        void accumulated(const at::TensorImpl *parameter);
        void complete(const at::TensorImpl *parameter);
    };
    void layOut(const Model &model, int lastLayer);
    void addTensor(const TensorSpec &spec, const TensorRef &place);
    at::Tensor &flat(TensorRole role);
    at::Tensor partOf(int layer, const LayerStateLayout &layout, const LayerStateLayout::Part &part,
                      const at::Tensor &optimizer) const;
    at::Tensor unrounded(const at::Tensor &x) const;
    static std::vector<StageOp> bindOps(const Layer &layer, int firstTensor);
    /// `values`: its inputs.
    Tensors runLayer(const StageLayer &layer, Tensors values, const Pass &pass, std::uint64_t salt) const;

    int m_firstLayer;
    DType m_dtype;
    Products m_products;
    ComputeDevice &m_device;
    std::vector<Slot> m_inputs, m_outputs;
    std::vector<StageLayer> m_layers;
    std::vector<at::Tensor> m_tensors;         // the trainable ones are leaves that require gradients
    std::map<TensorRef, qint64> m_offsets;     // of each tensor in the flat buffer of its role
    std::map<TensorRef, at::Tensor> m_unique;  // of m_tensors, in which a tied one is several times
    std::vector<Shared> m_shared;
    qint64 m_ownElements = 0;
    qint64 m_moments = 0;
    at::Tensor m_parameters, m_gradients, m_frozen, m_statistics;
    std::shared_ptr<Progress> m_progress = std::make_shared<Progress>();  // autograd's hooks refer to it
    std::vector<std::shared_ptr<torch::autograd::Node>> m_accumulators;   // keep the hooks alive
};

}  // namespace hearth
