// Initial weights: the same bits on every machine, whoever owns the layer.
#pragma once

#include <vector>

#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

/// Parameters and buffers of one layer in the order of shape.tensors. Element i of tensor t of layer l is
/// float32(bound * u), u = Generator(seed).child(1).child(l).child(t).symmetric(i), with one rounding of the product to
/// double and one to float32; bound = sqrt(6 / fan_in) where a rectifier (ReLU, SiLU, …) or a normalization follows,
/// else sqrt(3 / fan_in) (He et al. 2015, uniform; gain 1 without a rectifier); a linear op that gives a graph's
/// logits, or in a layer's list is followed by neither, has sqrt(3 / fan_in) / 10, an embedding sqrt(3) / 50; each step
/// correctly rounded by IEEE 754. Biases and running means are 0, weights of normalizations and running variances 1.
/// `dtype` is Float32 or Float64; Float64 holds the float32 values widened, so that both precisions start equal. Any
/// thread.
std::vector<NamedTensor> initialise(const Model &model, int layerIndex, quint64 seed, DType dtype);
/// All layers in order.
std::vector<NamedTensor> initialise(const Model &model, quint64 seed, DType dtype);

}  // namespace hearth
