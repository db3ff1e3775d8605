#include <array>

#include "core/model/position_tables.h"
#include "core/train/ops/op_run.h"
#include "core/train/weighted_ops.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

RunOp bindEmbedding(const Op &op) {
    std::optional<std::int64_t> padding;
    if (op.has("padding"))
        padding = op.whole("padding");
    return [padding](const OpCall &call) { return lookUp(call.tensors[0], call.input(), padding, call.queue); };
}

/// The same memory for all samples.
at::Tensor forEachSample(const at::Tensor &x, const at::Tensor &like) {
    std::vector<std::int64_t> sizes{like.size(0)};
    sizes.insert(sizes.end(), x.sizes().begin(), x.sizes().end());
    return x.unsqueeze(0).expand(sizes);
}

RunOp bindParameter(const Op &) {
    return [](const OpCall &call) { return forEachSample(call.tensors[0], call.input()); };
}

/// What a table is in the memory and the precision of another tensor; made at the first call.
class Table {
  public:
    explicit Table(at::Tensor values) : m_values(std::move(values)) {}
    const at::Tensor &like(const at::Tensor &x, ComputeDevice &device) {
        if (!m_here.defined() || m_here.scalar_type() != x.scalar_type())
            m_here = device.fromHost(m_values.to(x.scalar_type()));
        return m_here;
    }

  private:
    at::Tensor m_values;  // in float64, on the host
    at::Tensor m_here;
};

at::Tensor tensorOf(const std::vector<double> &values, at::IntArrayRef sizes) {
    return at::from_blob(const_cast<double *>(values.data()), sizes, at::kDouble).clone();
}

RunOp bindSinusoidal(const Op &op) {
    auto table = std::make_shared<Table>(
        tensorOf(sinusoids(op.inputShape()[0], op.inputShape()[1]), {op.inputShape()[0], op.inputShape()[1]}));
    return [table](const OpCall &call) { return forEachSample(table->like(call.input(), call.device), call.input()); };
}

/// Turns pairs of features by an angle; the way back turns them by the negative one. Keeps the tables alone.
struct Rotary : torch::autograd::Function<Rotary> {
    static at::Tensor forward(AutogradContext *context, const at::Tensor &x, const at::Tensor &cosine,
                              const at::Tensor &sine, std::int64_t heads, bool interleaved) {
        context->save_for_backward({cosine, sine});
        context->saved_data["heads"] = heads;
        context->saved_data["interleaved"] = interleaved;
        return turned(x, cosine, sine, heads, interleaved);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const variable_list saved = context->get_saved_variables();
        return {turned(gradients[0], saved[0], saved[1].neg(), context->saved_data["heads"].toInt(),
                       context->saved_data["interleaved"].toBool()),
                {},
                {},
                {},
                {}};
    }

  private:
    static at::Tensor turned(const at::Tensor &x, const at::Tensor &cosine, const at::Tensor &sine, std::int64_t heads,
                             bool interleaved) {
        at::Tensor y = at::empty(x.sizes(), x.options());
        const auto parts = [&](const at::Tensor &of) {
            const std::int64_t head = of.size(2) / heads;
            const at::Tensor all = of.reshape({of.size(0), of.size(1), heads, head});
            return interleaved ? std::array{all.slice(3, 0, head, 2), all.slice(3, 1, head, 2)}
                               : std::array{all.slice(3, 0, head / 2), all.slice(3, head / 2, head)};
        };
        const auto [a, b] = parts(x);
        auto [first, second] = parts(y);
        at::mul_out(first, a, cosine);
        first.addcmul_(b, sine, -1);
        at::mul_out(second, b, cosine);
        second.addcmul_(a, sine);
        return y;
    }
};

RunOp bindRotary(const Op &op) {
    const int heads = op.whole("heads");
    const qint64 tokens = op.inputShape()[0], head = op.inputShape()[1] / heads;
    const Rotations turns = rotations(tokens, head, op.number("base"), op.whole("offset"));
    const std::array<std::int64_t, 3> sizes{tokens, 1, head / 2};  // for all heads
    auto first = std::make_shared<Table>(tensorOf(turns.cosines, sizes)),
         second = std::make_shared<Table>(tensorOf(turns.sines, sizes));
    return [first, second, heads, interleaved = op.word("style") == QLatin1String("interleaved")](const OpCall &call) {
        return Rotary::apply(call.input(), first->like(call.input(), call.device),
                             second->like(call.input(), call.device), heads, interleaved);
    };
}

}  // namespace

std::span<const OpRun> embeddingRuns() {
    static constexpr std::array runs{OpRun{.kind = "embedding", .bind = bindEmbedding, .outputIsFree = true},
                                     OpRun{.kind = "parameter", .bind = bindParameter},
                                     OpRun{.kind = "sinusoidal-positions", .bind = bindSinusoidal},
                                     OpRun{.kind = "rotary", .bind = bindRotary, .outputIsFree = true}};
    return runs;
}

}  // namespace hearth
