#include <array>
#include <cmath>

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

/// Vaswani et al. 2017: sine and cosine of position / 10000^(2i / features), side by side.
at::Tensor sinusoids(qint64 tokens, qint64 features) {
    at::Tensor table = at::empty({tokens, features}, at::kDouble);
    auto *value = table.data_ptr<double>();
    for (qint64 t = 0; t < tokens; ++t) {
        for (qint64 f = 0; f < features; ++f) {
            const auto even = static_cast<double>(f / 2 * 2);
            const double angle = static_cast<double>(t) * std::pow(10000.0, -even / static_cast<double>(features));
            *value++ = f % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    }
    return table;
}

RunOp bindSinusoidal(const Op &op) {
    auto table = std::make_shared<Table>(sinusoids(op.inputShape()[0], op.inputShape()[1]));
    return [table](const OpCall &call) { return forEachSample(table->like(call.input(), call.device), call.input()); };
}

/// {tokens, 1, half a head} each: cosines and sines of (offset + position) · base^(-2i / head).
std::array<at::Tensor, 2> rotations(qint64 tokens, qint64 head, double base, qint64 offset) {
    std::array tables{at::empty({tokens, 1, head / 2}, at::kDouble), at::empty({tokens, 1, head / 2}, at::kDouble)};
    auto *cosine = tables[0].data_ptr<double>(), *sine = tables[1].data_ptr<double>();
    for (qint64 t = 0; t < tokens; ++t) {
        for (qint64 i = 0; i < head / 2; ++i) {
            const double angle = static_cast<double>(offset + t) *
                                 std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(head));
            *cosine++ = std::cos(angle);
            *sine++ = std::sin(angle);
        }
    }
    return tables;
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
    const auto [cosine, sine] =
        rotations(op.inputShape()[0], op.inputShape()[1] / heads, op.number("base"), op.whole("offset"));
    auto first = std::make_shared<Table>(cosine), second = std::make_shared<Table>(sine);
    return [first, second, heads, interleaved = op.word("style") == QLatin1String("interleaved")](const OpCall &call) {
        return Rotary::apply(call.input(), first->like(call.input(), call.device),
                             second->like(call.input(), call.device), heads, interleaved);
    };
}

constexpr std::array runs{OpRun{.kind = "embedding", .bind = bindEmbedding, .outputIsFree = true},
                          OpRun{.kind = "parameter", .bind = bindParameter},
                          OpRun{.kind = "sinusoidal-positions", .bind = bindSinusoidal},
                          OpRun{.kind = "rotary", .bind = bindRotary, .outputIsFree = true}};

}  // namespace

std::span<const OpRun> embeddingRuns() {
    return runs;
}

}  // namespace hearth
