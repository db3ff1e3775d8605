// Scaled dot-product attention, differentiated by hand. Internal to core/train.
#pragma once

#include "core/train/products.h"
#include "core/train/torch_api.h"

namespace hearth {

struct AttentionShape {
    std::int64_t heads = 1, keyHeads = 1;  // as many heads of queries share one of keys and values
    bool causal = false;                   // query i sees keys 0 to i
    double scale = 1;
    double dropout = 0;
};

/// What may be undefined is left out.
struct AttentionInputs {
    at::Tensor query, key, value;  // {n, t, heads·d}, {n, s, keyHeads·d}, the same
    at::Tensor mask;               // int64 {n, s} or {n, t, s}: 1 where a key may be seen. A query without any gets 0
    at::Tensor relative;           // {buckets, heads}: added to scores …
    at::Tensor buckets;            // … by the number, int64 {t·s}
    at::Tensor kept;               // bytes {n, heads, t, s}: 0 where dropout takes what softmax gave
};

/// softmax(scale · query · keyᵀ + relative, over the keys that may be seen) · value → {n, t, heads·d}. Keeps its inputs
/// and what softmax gave, once.
at::Tensor attend(const AttentionInputs &inputs, const AttentionShape &shape, Products products = Products::AsGiven);

}  // namespace hearth
