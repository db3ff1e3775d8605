#include "core/train/attention.h"

#include <limits>

#include "core/train/random_mask.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using OptionalTensor = c10::optional<at::Tensor>;  // autograd takes no undefined ones

OptionalTensor optional(const at::Tensor &tensor) {
    return tensor.defined() ? OptionalTensor(tensor) : OptionalTensor();
}

/// {n, t, groups · share · d} as one matrix for each sample and group: {n · groups, share · t, d}. Heads of queries
/// that share a head of keys are rows of one matrix.
at::Tensor matrices(const at::Tensor &x, std::int64_t groups, std::int64_t share) {
    const std::int64_t n = x.size(0), t = x.size(1), d = x.size(2) / (groups * share);
    return x.reshape({n, t, groups, share, d}).permute({0, 2, 3, 1, 4}).reshape({n * groups, share * t, d});
}

/// The way back, into memory that is no view of another tensor.
at::Tensor joined(const at::Tensor &x, std::int64_t n, std::int64_t groups, std::int64_t share) {
    const std::int64_t t = x.size(1) / share, d = x.size(2);
    at::Tensor y = at::empty({n, t, groups * share * d}, x.options());
    y.view({n, t, groups, share, d}).copy_(x.view({n, groups, share, t, d}).permute({0, 3, 1, 2, 4}));
    return y;
}

/// Where a query may not see a key, to broadcast over {n, heads, t, s}; undefined where all may be seen.
at::Tensor hidden(const at::Tensor &mask, bool causal, std::int64_t queries, std::int64_t keys,
                  const at::Tensor &like) {
    at::Tensor result;
    if (causal)
        result = at::ones({queries, keys}, like.options().dtype(at::kBool)).triu_(1).view({1, 1, queries, keys});
    if (mask.defined()) {
        const at::Tensor unseen = mask.eq(0).unsqueeze(1);
        const at::Tensor all = unseen.dim() == 3 ? unseen.unsqueeze(1) : unseen;
        result = result.defined() ? result.logical_or(all) : all;
    }
    return result;
}

struct Attention : torch::autograd::Function<Attention> {
    static at::Tensor forward(AutogradContext *context, const at::Tensor &query, const at::Tensor &key,
                              const at::Tensor &value, const OptionalTensor &mask, const OptionalTensor &relative,
                              const OptionalTensor &buckets, const OptionalTensor &kept, const AttentionShape &shape,
                              Products products) {
        const std::int64_t n = query.size(0), t = query.size(1), s = key.size(1), share = shape.heads / shape.keyHeads;
        at::Tensor scores = multiply(matrices(query, shape.keyHeads, share).mul(shape.scale),
                                     matrices(key, shape.keyHeads, 1).transpose(1, 2), products);
        at::Tensor byHead = scores.view({n, shape.heads, t, s});
        if (relative)
            byHead.add_(relative->index_select(0, *buckets).t().reshape({shape.heads, t, s}));
        const at::Tensor blind = hidden(mask.value_or(at::Tensor()), shape.causal, t, s, query);
        if (blind.defined())
            byHead.masked_fill_(blind, -std::numeric_limits<double>::infinity());
        at::Tensor weights = at::softmax(scores, -1);
        // A query that sees nothing would be 0/0.
        if (mask)
            weights.view({n, shape.heads, t, s}).masked_fill_(blind.all(-1, true), 0);
        context->save_for_backward({query, key, value, weights, relative.value_or(at::Tensor()),
                                    buckets.value_or(at::Tensor()), kept.value_or(at::Tensor())});
        context->saved_data["heads"] = shape.heads;
        context->saved_data["keyHeads"] = shape.keyHeads;
        context->saved_data["scale"] = shape.scale;
        context->saved_data["dropout"] = shape.dropout;
        context->saved_data["products"] = static_cast<std::int64_t>(products);
        return joined(multiply(thinned(weights, kept.value_or(at::Tensor()), shape.dropout),
                               matrices(value, shape.keyHeads, 1), products),
                      n, shape.keyHeads, share);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &query = saved[0], &key = saved[1], &value = saved[2], &weights = saved[3],
                         &relative = saved[4], &buckets = saved[5], &kept = saved[6];
        const std::int64_t heads = context->saved_data["heads"].toInt();
        const std::int64_t groups = context->saved_data["keyHeads"].toInt(), share = heads / groups;
        const double scale = context->saved_data["scale"].toDouble();
        const double dropout = context->saved_data["dropout"].toDouble();
        const auto products = static_cast<Products>(context->saved_data["products"].toInt());
        const std::int64_t n = query.size(0), t = query.size(1), s = key.size(1);
        const at::Tensor gradient = matrices(gradients[0], groups, share);
        variable_list result(9);
        if (context->needs_input_grad(2))
            result[2] =
                joined(multiply(thinned(weights, kept, dropout).transpose(1, 2), gradient, products), n, groups, 1);
        at::Tensor scores =
            thinned(multiply(gradient, matrices(value, groups, 1).transpose(1, 2), products), kept, dropout);
        scores = at::_softmax_backward_data(scores, weights, -1, weights.scalar_type());
        if (relative.defined() && relative.requires_grad()) {
            const at::Tensor sum = scores.view({n, heads, t * s}).sum(0).t();
            result[4] = at::zeros_like(relative).index_add_(0, buckets, sum);
        }
        if (context->needs_input_grad(0))
            result[0] = joined(multiply(scores, matrices(key, groups, 1), products).mul_(scale), n, groups, share);
        if (context->needs_input_grad(1)) {
            result[1] = joined(multiply(scores.transpose(1, 2), matrices(query, groups, share).mul(scale), products), n,
                               groups, 1);
        }
        return result;
    }

  private:
    static at::Tensor thinned(const at::Tensor &weights, const at::Tensor &kept, double dropout) {
        return kept.defined() ? scaleKept(weights, kept.view(weights.sizes()), dropout) : weights;
    }
};

}  // namespace

at::Tensor attend(const AttentionInputs &inputs, const AttentionShape &shape, Products products) {
    return Attention::apply(inputs.query, inputs.key, inputs.value, optional(inputs.mask), optional(inputs.relative),
                            optional(inputs.buckets), optional(inputs.kept), shape, products);
}

}  // namespace hearth
