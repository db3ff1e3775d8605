#include "core/plan/cut_traffic.h"

#include "core/base/chunk_packing.h"

namespace hearth {
namespace {

/// Plans are made for 32-bit values: runs with 64-bit ones are there to be compared with, not to be fast.
CutTraffic::Way wayOf(qint64 rawBytes, const Codec &codec, double packedPart) {
    const auto bytes = static_cast<double>(codec.encodedBytes(DType::Float32, static_cast<quint64>(rawBytes)));
    return {bytes, packedPart * bytes, ChunkPacking::paysBelow(packedPart), static_cast<double>(rawBytes), &codec};
}

PackedParts partsOf(const LayerFacts &layer, const Codec &codec) {
    return layer.packed.isEmpty() ? PackedParts() : layer.packed.value(QString::fromLatin1(codec.name));
}

}  // namespace

CutTraffic::CutTraffic(const LayerFacts &layer, const CutCodec &codec, bool recomputes)
    : forward(wayOf(layer.outputBytes, *codec.forward, partsOf(layer, *codec.forward).forward)) {
    const PackedParts back = partsOf(layer, *codec.backward);
    const bool areActivationsKnown = codec == CutCodec{} && !recomputes;
    backward = wayOf(layer.gradientBytes, *codec.backward, areActivationsKnown ? back.active : back.backward);
}

}  // namespace hearth
