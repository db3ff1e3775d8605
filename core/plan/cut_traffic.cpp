#include "core/plan/cut_traffic.h"

namespace hearth {
namespace {

/// Plans are made for 32-bit values: runs with 64-bit ones are there to be compared with, not to be fast.
CutTraffic::Way wayOf(qint64 rawBytes, const Codec &codec) {
    const auto bytes = codec.encodedBytes(DType::Float32, static_cast<quint64>(rawBytes));
    return {static_cast<double>(bytes), static_cast<double>(rawBytes), &codec};
}

}  // namespace

CutTraffic::CutTraffic(const LayerFacts &layer, const CutCodec &codec)
    : forward(wayOf(layer.outputBytes, *codec.forward)), backward(wayOf(layer.gradientBytes, *codec.backward)) {}

}  // namespace hearth
