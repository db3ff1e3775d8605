#include "core/train/stage_module.h"

#include <algorithm>
#include <cstring>

#include "core/base/generator.h"
#include "core/model/cut_slots.h"
#include "core/model/init.h"
#include "core/model/ties.h"
#include "core/train/tensors.h"

namespace hearth {
namespace {

/// Tensors start on cache lines of their own (16 floats), which oneDNN's loads like.
constexpr std::int64_t tensorAlignment = 16;

std::int64_t alignedCount(const TensorSpec &spec) {
    return (spec.elements() + tensorAlignment - 1) / tensorAlignment * tensorAlignment;
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

StageModule::StageModule(const Model &model, int firstLayer, int lastLayer, Precision precision, ComputeDevice &device)
    : m_firstLayer(firstLayer),
      m_dtype(dtypeOf(precision)),
      m_products(productsFor(precision, device)),
      m_device(device),
      m_inputs(cutSlots(model, static_cast<std::size_t>(firstLayer), m_dtype)),
      m_outputs(cutSlots(model, static_cast<std::size_t>(lastLayer), m_dtype)) {
    device.computeIn(precision);
    layOut(model, lastLayer);
    for (int l = firstLayer; l < lastLayer; ++l) {
        const Layer &layer = model.layers[static_cast<std::size_t>(l)];
        StageLayer own;
        own.firstTensor = static_cast<int>(m_tensors.size());
        own.shape = layer.shape;
        own.ops = bindOps(layer, own.firstTensor);
        own.outputs = layer.outputs;
        for (std::size_t t = 0; t < layer.shape.tensors.size(); ++t)
            addTensor(layer.shape.tensors[t], {l, static_cast<int>(t)});
        m_layers.push_back(std::move(own));
    }
}

/// The place of every tensor, and memory for all.
void StageModule::layOut(const Model &model, int lastLayer) {
    std::map<TensorRole, qint64> sizes;
    std::map<TensorRef, Shared> shared;  // the order that all stages have
    const std::vector<Tie> ties = tiesOf(model);
    for (std::size_t i = 0; i < ties.size(); ++i) {
        const Tie &tie = ties[i];
        if (tie.isTrainable && tie.isCut(m_firstLayer, lastLayer))
            shared[tie.first] = {static_cast<int>(i), 0, 0, tie.layers.front() >= m_firstLayer};
    }
    for (int l = m_firstLayer; l < lastLayer; ++l) {
        const auto &specs = model.layers[static_cast<std::size_t>(l)].shape.tensors;
        for (std::size_t t = 0; t < specs.size(); ++t) {
            const TensorRef place = specs[t].tiedTo.value_or(TensorRef{l, static_cast<int>(t)});
            if (!shared.contains(place) && m_offsets.try_emplace(place, sizes[specs[t].role]).second)
                sizes[specs[t].role] += alignedCount(specs[t]);
        }
    }
    qint64 &next = sizes[TensorRole::Trainable];
    m_ownElements = next;
    for (auto &[place, part] : shared) {
        m_offsets[place] = part.first = next;
        const Layer &first = model.layers[static_cast<std::size_t>(place.layer)];
        part.end = next += alignedCount(first.shape.tensors[static_cast<std::size_t>(place.tensor)]);
        m_shared.push_back(part);
    }
    const auto zeros = [&](TensorRole role) { return m_device.allocate({sizes[role]}, {1}, m_dtype).zero_(); };
    m_parameters = zeros(TensorRole::Trainable);
    m_gradients = zeros(TensorRole::Trainable);
    m_frozen = zeros(TensorRole::Frozen);
    m_statistics = zeros(TensorRole::Statistics);
}

/// The next of m_tensors.
void StageModule::addTensor(const TensorSpec &spec, const TensorRef &place) {
    const TensorRef first = spec.tiedTo.value_or(place);
    if (const auto known = m_unique.find(first); known != m_unique.end()) {
        m_tensors.push_back(known->second);
        return;
    }
    const qint64 at = m_offsets.at(first);
    at::Tensor view = viewInto(flat(spec.role), at, spec, computeFormat(m_dtype));
    if (spec.isTrainable()) {
        view.set_requires_grad(true);
        view.mutable_grad() = viewInto(m_gradients, at, spec, computeFormat(m_dtype));
        FlatTensor &own = m_progress->tensors[view.unsafeGetTensorImpl()];
        own = {
            {at, at + alignedCount(spec)}, spec.shape, Shape(view.strides().begin(), view.strides().end()), m_moments};
        m_moments += MatrixForm::of(spec.shape).moments();
        m_accumulators.push_back(torch::autograd::impl::grad_accumulator(view));
        m_accumulators.back()->add_post_hook(
            std::make_unique<AccumulatedHook>([progress = m_progress.get(), parameter = view.unsafeGetTensorImpl()] {
                progress->accumulated(parameter);
            }));
    }
    m_unique[first] = view;
    m_tensors.push_back(view);
}

at::Tensor &StageModule::flat(TensorRole role) {
    if (role == TensorRole::Trainable)
        return m_parameters;
    return role == TensorRole::Frozen ? m_frozen : m_statistics;
}

void StageModule::setParameters(at::Tensor flat) {
    m_parameters = std::move(flat);
    computeWith(m_parameters);
}

/// Nothing but where the leaves lie changes, which autograd looks up when it needs them.
void StageModule::computeWith(const at::Tensor &flat) const {
    for (const auto &[place, tensor] : m_unique) {
        if (tensor.requires_grad())
            tensor.unsafeGetTensorImpl()->set_storage_keep_dtype(flat.storage());
    }
}

std::vector<StageModule::StageOp> StageModule::bindOps(const Layer &layer, int firstTensor) {
    const auto inputs = static_cast<int>(layer.shape.inputs.size());
    // Who takes a value last, and how many times it is taken; what the layer gives is taken by nobody here last.
    std::vector<int> takers(layer.ops.size() + layer.shape.inputs.size()), lastTaker(takers.size());
    for (std::size_t i = 0; i < layer.ops.size(); ++i) {
        for (const int value : layer.ops[i].from) {
            ++takers[static_cast<std::size_t>(value)];
            lastTaker[static_cast<std::size_t>(value)] = static_cast<int>(i);
        }
    }
    for (const int value : layer.outputs) {
        ++takers[static_cast<std::size_t>(value)];
        lastTaker[static_cast<std::size_t>(value)] = -1;
    }
    std::vector<StageOp> ops;
    for (std::size_t i = 0; i < layer.ops.size(); ++i) {
        const Op &op = layer.ops[i];
        StageOp own;
        own.run = runOf(op.kind).bind(op);
        own.takesRounded = runOf(op.kind).takesRounded;
        own.firstTensor = firstTensor;
        own.tensors = op.tensors;
        firstTensor += op.tensors;
        for (const int value : op.from)
            own.inputs.push_back({value, lastTaker[static_cast<std::size_t>(value)] == static_cast<int>(i)});
        const int first = op.from.front();
        own.mayOverwrite = first >= inputs && takers[static_cast<std::size_t>(first)] == 1 &&
                           runOf(layer.ops[static_cast<std::size_t>(first - inputs)].kind).outputIsFree;
        ops.push_back(std::move(own));
    }
    return ops;
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
    const Sentence what = sentence("The weights that arrived do not fit the model.");
    if (layer < firstLayer() || layer >= lastLayer() || index < 0 || index >= tensorCount(layer))
        return fail(QStringLiteral("worker.bad-weights"), what,
                    sentence("There is no tensor %1 of layer %2 here.").arg(index).arg(layer));
    const StageLayer &own = m_layers[static_cast<std::size_t>(layer - m_firstLayer)];
    const TensorSpec &spec = own.shape.tensors[static_cast<std::size_t>(index)];
    if (static_cast<qint64>(values.size()) != spec.bytes(m_dtype))
        return fail(
            QStringLiteral("worker.bad-weights"), what,
            sentence("\"%1\" takes %2 bytes, not %3.").arg(spec.name).arg(spec.bytes(m_dtype)).arg(values.size()));
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
    const at::Tensor plain =
        m_device.toHost(m_tensors[static_cast<std::size_t>(own.firstTensor + index)].detach()).contiguous();
    std::memcpy(result.data->data(), plain.data_ptr(), static_cast<std::size_t>(result.data->size()));
    return result;
}

int StageModule::tensorCount(int layer) const {
    return static_cast<int>(m_layers[static_cast<std::size_t>(layer - m_firstLayer)].shape.tensors.size());
}

/// A view: of the tensor itself, or of what one buffer of the optimizer has in its place.
at::Tensor StageModule::partOf(int layer, const LayerStateLayout &layout, const LayerStateLayout::Part &part,
                               const at::Tensor &optimizer) const {
    const StageLayer &own = m_layers[static_cast<std::size_t>(layer - m_firstLayer)];
    const at::Tensor &tensor = m_tensors[static_cast<std::size_t>(own.firstTensor + part.tensor)];
    if (part.optimizer < 0)
        return tensor.detach();
    at::Tensor view = at::empty({0}, optimizer.options());
    const int copies = layout.optimizer.copies;
    if (part.optimizer < copies) {
        view.set_(optimizer.storage(), part.optimizer * m_parameters.numel() + tensor.storage_offset(), tensor.sizes(),
                  tensor.strides());
        return view;
    }
    const FlatTensor &flat = m_progress->tensors.at(tensor.unsafeGetTensorImpl());
    const qint64 first = part.optimizer == copies ? 0 : MatrixForm::of(flat.shape).rowMeans();
    const std::vector<std::int64_t> sizes(part.shape.begin(), part.shape.end());
    view.set_(optimizer.storage(), copies * m_parameters.numel() + flat.moments + first, sizes,
              stridesFor(sizes, at::MemoryFormat::Contiguous));
    return view;
}

void StageModule::readState(int layer, const LayerStateLayout &layout, const at::Tensor &optimizer,
                            std::byte *to) const {
    const at::NoGradGuard guard;
    for (const LayerStateLayout::Part &part : layout.parts) {
        const at::Tensor source = partOf(layer, layout, part, optimizer);
        at::from_blob(to + part.offset, source.sizes(), source.dtype()).copy_(source);
    }
}

void StageModule::loadState(int layer, const LayerStateLayout &layout, at::Tensor &optimizer, const std::byte *from) {
    const at::NoGradGuard guard;
    for (const LayerStateLayout::Part &part : layout.parts) {
        at::Tensor target = partOf(layer, layout, part, optimizer);
        target.copy_(at::from_blob(const_cast<std::byte *>(from + part.offset), target.sizes(), target.dtype()));
    }
}

at::Tensor StageModule::gradientOf(int layer, int index) const {
    const StageLayer &own = m_layers[static_cast<std::size_t>(layer - m_firstLayer)];
    return m_tensors[static_cast<std::size_t>(own.firstTensor + index)].grad();
}

std::vector<FlatTensor> StageModule::trained() const {
    std::vector<FlatTensor> all;
    for (const auto &[parameter, tensor] : m_progress->tensors)
        all.push_back(tensor);
    std::ranges::sort(all, {}, &FlatTensor::range);
    return all;
}

Tensors StageModule::forward(const Tensors &inputs, const Pass &pass) const {
    Tensors values = inputs;
    for (std::size_t l = 0; l < m_layers.size(); ++l) {
        const StageLayer &layer = m_layers[l];
        const Generator salts = Generator(pass.dropoutSeed).child(static_cast<quint64>(m_firstLayer) + l);
        values = runLayer(layer, std::move(values), pass, salts.child(0).word(0));
    }
    std::ranges::transform(values, values.begin(), [this](const at::Tensor &x) { return unrounded(x); });
    return values;
}

/// What crosses cuts and all other ops have.
at::Tensor StageModule::unrounded(const at::Tensor &x) const {
    return x.scalar_type() == at::kBFloat16 ? x.to(scalarType(m_dtype)) : x;
}

void StageModule::watchGradients(Watch watch) {
    m_progress->watch = std::move(watch);
    m_progress->awaited.clear();
    for (const auto &[parameter, tensor] : m_progress->tensors)
        m_progress->awaited.insert(parameter);
}

void StageModule::endWatch() {
    if (!m_progress->watch)
        return;
    while (!m_progress->awaited.empty())
        m_progress->complete(*m_progress->awaited.begin());
    m_progress->watch = {};
}

void StageModule::Progress::accumulated(const at::TensorImpl *parameter) {
    if (watch && !late.holds(parameter))
        complete(parameter);
}

void StageModule::Progress::complete(const at::TensorImpl *parameter) {
    awaited.erase(parameter);
    const auto [first, end] = tensors.at(parameter).range;
    watch(first, end);
}

void StageModule::backward(const Tensors &y, const Tensors &gradients, WeightGradients when) {
    if (when == WeightGradients::Later)
        m_progress->late.keepPass();
    else
        m_progress->late.doAtOnce();
    Tensors trained, flows;  // what nothing is trained before is left out
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (y[i].requires_grad()) {
            trained.push_back(y[i]);
            flows.push_back(gradients[i]);
        }
    }
    if (!trained.empty())
        torch::autograd::backward(trained, flows);
}

void StageModule::finishBackward() {
    m_progress->late.runPass([this](const at::Tensor &parameter) {
        if (m_progress->watch)
            m_progress->complete(parameter.unsafeGetTensorImpl());
    });
}

Tensors StageModule::runLayer(const StageLayer &layer, Tensors values, const Pass &pass, std::uint64_t salt) const {
    std::vector<at::Tensor> inputs;
    values.reserve(values.size() + layer.ops.size());
    for (std::size_t i = 0; i < layer.ops.size(); ++i) {
        const StageOp &op = layer.ops[i];
        for (const StageOp::Input &input : op.inputs)
            inputs.push_back(values[static_cast<std::size_t>(input.value)]);
        for (const StageOp::Input &input : op.inputs) {
            if (input.last)
                values[static_cast<std::size_t>(input.value)]
                    .reset();  // its memory ends with the call, if nobody keeps it
        }
        if (!op.takesRounded)
            std::ranges::transform(inputs, inputs.begin(), [this](const at::Tensor &x) { return unrounded(x); });
        OpCall call{m_device, m_progress->late};
        call.inputs = inputs;
        call.tensors = std::span(m_tensors).subspan(static_cast<std::size_t>(op.firstTensor),
                                                    static_cast<std::size_t>(op.tensors));
        call.mayOverwrite = op.mayOverwrite;
        call.training = pass.training;
        call.updateStatistics = pass.updateStatistics;
        call.real = scalarType(m_dtype);
        call.products = m_products;
        call.salt = salt + i;  // of round, micro-batch, layer and op
        values.push_back(op.run(call));
        inputs.clear();
    }
    Tensors outputs;
    for (const int value : layer.outputs)
        outputs.push_back(values[static_cast<std::size_t>(value)]);
    return outputs;
}

}  // namespace hearth
