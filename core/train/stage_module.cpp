#include "core/train/stage_module.h"

#include <cstring>

#include "core/base/generator.h"
#include "core/model/init.h"
#include "core/train/tensors.h"
#include "core/train/weighted_ops.h"

namespace hearth {
namespace {

/// Tensors start on cache lines of their own (16 floats), which oneDNN's loads like.
constexpr std::int64_t tensorAlignment = 16;

std::int64_t alignedCount(const TensorSpec &spec) {
    return (spec.elements() + tensorAlignment - 1) / tensorAlignment * tensorAlignment;
}

int parameterTensors(const Op &op) {
    switch (op.kind) {
        case OpKind::Convolution:
        case OpKind::Linear:
            return op.bias ? 2 : 1;
        case OpKind::BatchNorm:
            return 4;
        default:
            return 0;
    }
}

/// Autograd keeps the input of these, not their output: the next op may overwrite it.
bool outputIsFree(OpKind kind) {
    return kind == OpKind::Convolution || kind == OpKind::BatchNorm || kind == OpKind::Linear;
}

/// Called by autograd when a parameter's gradient has got its part of a backward pass.
class AccumulatedHook final : public torch::autograd::FunctionPostHook {
  public:
    explicit AccumulatedHook(std::function<void()> call) : m_call(std::move(call)) {}
    torch::autograd::variable_list operator()(const torch::autograd::variable_list &outputs,
                                              const torch::autograd::variable_list &) override {
        m_call();
        return outputs;
    }

  private:
    std::function<void()> m_call;
};

at::Tensor viewInto(const at::Tensor &flat, std::int64_t offset, const TensorSpec &spec, at::MemoryFormat format) {
    const std::vector<std::int64_t> sizes(spec.shape.begin(), spec.shape.end());
    // A tensor of its own over the shared storage: no autograd view, so it can be a leaf.
    at::Tensor view = at::empty({0}, flat.options());
    view.set_(flat.storage(), offset, sizes, stridesFor(sizes, format));
    return view;
}

}  // namespace

StageModule::StageModule(const Model &model, int firstLayer, int lastLayer, DType dtype)
    : m_firstLayer(firstLayer), m_dtype(dtype) {
    const auto options = at::TensorOptions().dtype(scalarType(dtype));
    std::map<TensorRole, std::int64_t> sizes, next;
    for (int l = firstLayer; l < lastLayer; ++l) {
        for (const TensorSpec &spec : model.layers[static_cast<std::size_t>(l)].shape.tensors)
            sizes[spec.role] += alignedCount(spec);
    }
    m_parameters = at::zeros({sizes[TensorRole::Trainable]}, options);
    m_gradients = at::zeros({sizes[TensorRole::Trainable]}, options);
    m_frozen = at::zeros({sizes[TensorRole::Frozen]}, options);
    m_statistics = at::zeros({sizes[TensorRole::Statistics]}, options);
    for (int l = firstLayer; l < lastLayer; ++l) {
        const Layer &layer = model.layers[static_cast<std::size_t>(l)];
        int nextTensor = static_cast<int>(m_tensors.size());
        StageLayer own;
        own.firstTensor = nextTensor;
        own.shape = layer.shape;
        own.residual = layer.residual;
        own.main = makeBranch(layer.main, nextTensor);
        own.shortcut = makeBranch(layer.shortcut, nextTensor);
        own.after = makeBranch(layer.after, nextTensor);
        for (const TensorSpec &spec : layer.shape.tensors) {
            std::int64_t &at = next[spec.role];
            at::Tensor view = viewInto(flat(spec.role), at, spec, computeFormat(dtype));
            if (spec.isTrainable()) {
                view.set_requires_grad(true);
                view.mutable_grad() = viewInto(m_gradients, at, spec, computeFormat(dtype));
                m_progress->ranges[view.unsafeGetTensorImpl()] = {at, at + alignedCount(spec)};
                m_accumulators.push_back(torch::autograd::impl::grad_accumulator(view));
                m_accumulators.back()->add_post_hook(std::make_unique<AccumulatedHook>(
                    [progress = m_progress.get(), parameter = view.unsafeGetTensorImpl()] {
                        progress->accumulated(parameter);
                    }));
            }
            m_tensors.push_back(view);
            at += alignedCount(spec);
        }
        m_layers.push_back(std::move(own));
    }
}

at::Tensor &StageModule::flat(TensorRole role) {
    if (role == TensorRole::Trainable)
        return m_parameters;
    return role == TensorRole::Frozen ? m_frozen : m_statistics;
}

StageModule::Branch StageModule::makeBranch(const std::vector<Op> &ops, int &nextTensor) const {
    Branch branch{ops, {}};
    for (const Op &op : ops) {
        branch.firstTensor.push_back(nextTensor);
        nextTensor += parameterTensors(op);
    }
    return branch;
}

void StageModule::initialise(const Model &model, quint64 seed) {
    for (int l = firstLayer(); l < lastLayer(); ++l) {
        const std::vector<NamedTensor> tensors = hearth::initialise(model, l, seed, m_dtype);
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (const auto loaded = load(l, static_cast<int>(i), tensors[i].data->bytes()); !loaded)
                qFatal("%s",
                       qPrintable(loaded.error().toString()));  // init and shapes disagree: a programmer's mistake
        }
    }
}

Result<void> StageModule::load(int layer, int index, std::span<const std::byte> values) {
    const QString what = QStringLiteral("The weights that arrived do not fit the model.");
    if (layer < firstLayer() || layer >= lastLayer() || index < 0 || index >= tensorCount(layer))
        return fail(QStringLiteral("worker.bad-weights"), what,
                    QStringLiteral("There is no tensor %1 of layer %2 here.").arg(index).arg(layer));
    const StageLayer &own = m_layers[static_cast<std::size_t>(layer - m_firstLayer)];
    const TensorSpec &spec = own.shape.tensors[static_cast<std::size_t>(index)];
    if (static_cast<qint64>(values.size()) != spec.bytes(m_dtype))
        return fail(QStringLiteral("worker.bad-weights"), what,
                    QStringLiteral("\"%1\" takes %2 bytes, not %3.")
                        .arg(spec.name)
                        .arg(spec.bytes(m_dtype))
                        .arg(values.size()));
    const at::NoGradGuard guard;
    const std::vector<std::int64_t> sizes(spec.shape.begin(), spec.shape.end());
    const at::Tensor source =
        at::from_blob(const_cast<std::byte *>(values.data()), sizes, at::TensorOptions().dtype(scalarType(m_dtype)));
    m_tensors[static_cast<std::size_t>(own.firstTensor + index)].copy_(source);
    return {};
}

NamedTensor StageModule::read(int layer, int index) const {
    const StageLayer &own = m_layers[static_cast<std::size_t>(layer - m_firstLayer)];
    NamedTensor result;
    result.spec = own.shape.tensors[static_cast<std::size_t>(index)];
    result.dtype = m_dtype;
    result.data = Buffer::allocate(result.spec.bytes(m_dtype));
    const at::Tensor plain = m_tensors[static_cast<std::size_t>(own.firstTensor + index)].detach().contiguous();
    std::memcpy(result.data->data(), plain.data_ptr(), static_cast<std::size_t>(result.data->size()));
    return result;
}

int StageModule::tensorCount(int layer) const {
    return static_cast<int>(m_layers[static_cast<std::size_t>(layer - m_firstLayer)].shape.tensors.size());
}

/// A view: of the tensor itself, or of what one buffer of the optimizer has in its place.
at::Tensor StageModule::partOf(int layer, const LayerStateLayout::Part &part, const at::Tensor &optimizer) const {
    const StageLayer &own = m_layers[static_cast<std::size_t>(layer - m_firstLayer)];
    const at::Tensor &tensor = m_tensors[static_cast<std::size_t>(own.firstTensor + part.tensor)];
    if (part.optimizer < 0)
        return tensor.detach();
    at::Tensor view = at::empty({0}, optimizer.options());
    view.set_(optimizer.storage(), part.optimizer * m_parameters.numel() + tensor.storage_offset(), tensor.sizes(),
              tensor.strides());
    return view;
}

void StageModule::readState(int layer, const LayerStateLayout &layout, const at::Tensor &optimizer,
                            std::byte *to) const {
    const at::NoGradGuard guard;
    for (const LayerStateLayout::Part &part : layout.parts) {
        const at::Tensor source = partOf(layer, part, optimizer);
        at::from_blob(to + part.offset, source.sizes(), source.options()).copy_(source);
    }
}

void StageModule::loadState(int layer, const LayerStateLayout &layout, at::Tensor &optimizer, const std::byte *from) {
    const at::NoGradGuard guard;
    for (const LayerStateLayout::Part &part : layout.parts) {
        at::Tensor target = partOf(layer, part, optimizer);
        target.copy_(at::from_blob(const_cast<std::byte *>(from + part.offset), target.sizes(), target.options()));
    }
}

at::Tensor StageModule::gradientOf(int layer, int index) const {
    const StageLayer &own = m_layers[static_cast<std::size_t>(layer - m_firstLayer)];
    return m_tensors[static_cast<std::size_t>(own.firstTensor + index)].grad();
}

at::Tensor StageModule::forward(at::Tensor x, const Pass &pass) const {
    for (std::size_t l = 0; l < m_layers.size(); ++l) {
        const StageLayer &layer = m_layers[l];
        const Generator salts = Generator(pass.dropoutSeed).child(static_cast<quint64>(m_firstLayer) + l);
        at::Tensor y = runBranch(layer.main, x, false, pass, salts.child(0).word(0));
        bool owned = !layer.main.ops.empty() && outputIsFree(layer.main.ops.back().kind);
        if (layer.residual) {
            const at::Tensor side = runBranch(layer.shortcut, x, false, pass, salts.child(1).word(0));
            y = owned ? y.add_(side) : y.add(side);
            owned = true;  // addition keeps neither its inputs nor its output
        }
        x = runBranch(layer.after, y, owned, pass, salts.child(2).word(0));
    }
    return x;
}

void StageModule::Progress::accumulated(const at::TensorImpl *parameter) const {
    if (watch && !(late && late->holds(parameter)))
        complete(parameter);
}

void StageModule::Progress::complete(const at::TensorImpl *parameter) const {
    const auto [first, end] = ranges.at(parameter);
    watch(first, end);
}

void StageModule::backward(at::Tensor y, at::Tensor gradient, WeightGradients when) {
    if (when == WeightGradients::Later)
        m_progress->late = std::make_unique<LateWeightGradients>();
    torch::autograd::backward({std::move(y)}, {std::move(gradient)});
}

void StageModule::finishBackward() {
    if (!m_progress->late)
        return;
    m_progress->late->run([this](const at::Tensor &parameter) {
        if (m_progress->watch)
            m_progress->complete(parameter.unsafeGetTensorImpl());
    });
    m_progress->late.reset();
}

at::Tensor StageModule::runBranch(const Branch &branch, at::Tensor x, bool ownsInput, const Pass &pass,
                                  std::uint64_t salt) const {
    for (std::size_t i = 0; i < branch.ops.size(); ++i) {
        x = runOp(branch.ops[i], branch.firstTensor[i], x, ownsInput, pass, salt + i);
        ownsInput = outputIsFree(branch.ops[i].kind);
    }
    return x;
}

at::Tensor StageModule::runOp(const Op &op, int tensor, const at::Tensor &x, bool inPlace, const Pass &pass,
                              std::uint64_t salt) const {
    const auto own = [&](int i) -> const at::Tensor & { return m_tensors[static_cast<std::size_t>(tensor + i)]; };
    const at::Tensor none;
    const std::int64_t kernel = op.kernel, stride = op.stride, padding = op.padding;
    switch (op.kind) {
        case OpKind::Convolution:
            return convolve(x, own(0), op.bias ? own(1) : none, {stride, padding, op.groups});
        case OpKind::BatchNorm: {
            const bool statistics = !pass.training || pass.updateStatistics;
            return at::batch_norm(x, own(0), own(1), statistics ? own(2) : none, statistics ? own(3) : none,
                                  pass.training, op.momentum, op.epsilon, false);
        }
        case OpKind::ReLU:
            return inPlace ? x.relu_() : x.relu();
        case OpKind::ReLU6:
            return inPlace ? at::hardtanh_(const_cast<at::Tensor &>(x), 0, 6) : at::hardtanh(x, 0, 6);
        case OpKind::MaxPool:
            return at::max_pool2d(x, {kernel, kernel}, {stride, stride}, {padding, padding});
        case OpKind::AveragePool:
            return at::avg_pool2d(x, {kernel, kernel}, {stride, stride}, {padding, padding}, false, false);
        case OpKind::GlobalAveragePool:
            return at::adaptive_avg_pool2d(x, {1, 1});
        case OpKind::Flatten:
            return x.flatten(1);
        case OpKind::Linear:
            return applyLinear(x, own(0), op.bias ? own(1) : none);
        case OpKind::Dropout: {
            if (!pass.training || op.probability <= 0)
                return x;
            // Seeded by round, micro-batch, layer and op, so that a repeated pass drops the same elements.
            const at::Tensor mask = at::empty_like(x.detach()).bernoulli_(1 - op.probability, makeCpuGenerator(salt));
            return x * mask.div_(1 - op.probability);
        }
    }
    return x;
}

}  // namespace hearth
