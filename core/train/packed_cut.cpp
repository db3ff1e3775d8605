#include "core/train/packed_cut.h"

#include <algorithm>

#include "core/profile/profile_limits.h"
#include "core/train/cut_writer.h"
#include "core/train/tensors.h"

namespace hearth {
namespace {

/// In the order of memory in which a stage sends them.
at::Tensor firstSamples(const at::Tensor &tensor, DType type, ComputeDevice &device) {
    const qint64 perSample = std::max<qint64>(1, static_cast<qint64>(tensor.nbytes()) / tensor.size(0));
    const qint64 samples = std::clamp<qint64>(enoughPacked / perSample, 1, tensor.size(0));
    return device.toHost(inFormat(tensor.detach().narrow(0, 0, samples), computeFormat(type)));
}

/// No more than enough, as one sample.
Payload firstValues(const at::Tensor &tensor) {
    Payload all = samplesOf(tensor, 0, static_cast<int>(tensor.size(0)));
    all.size = std::min<qsizetype>(all.size, enoughPacked);
    return all;
}

CutPiece pieceOf(TensorKind kind, DType type, const at::Tensor &tensor, const Codec &codec) {
    CutPiece piece;
    piece.raw = firstValues(tensor);
    piece.header.kind = kind;
    piece.header.dtype = type;
    piece.header.dims = {1, static_cast<quint32>(piece.raw.size / byteSize(type))};
    piece.codec = &codec;
    return piece;
}

}  // namespace

void PackedCut::add(DType type, const at::Tensor &values, const at::Tensor &gradient, bool isRectified,
                    ComputeDevice &device) {
    if (type != DType::Float32 && type != DType::Float64)
        return;
    const at::NoGradGuard guard;
    const at::Tensor forward = firstSamples(values, type, device);
    const at::Tensor backward = gradient.defined() ? firstSamples(gradient, type, device) : at::Tensor();
    for (const Codec *codec : codecs()) {
        constexpr double slowest = 1;  // bytes a second: packing pays
        CutWriter writer([](const QString &) { return slowest; });
        const auto count = [&](const CutPiece &piece) -> Bytes {
            const quint64 bytes = codec->encodedBytes(type, static_cast<quint64>(piece.raw.size));
            if (bytes < ChunkPacking::leastBytes)
                return {};
            return {static_cast<double>(bytes), static_cast<double>(writer.write(piece).payload.size)};
        };
        Ways &ways = m_ways[QString::fromLatin1(codec->name)];
        ways.forward += count(pieceOf(TensorKind::Activation, type, forward, *codec));
        if (!backward.defined())
            continue;
        CutPiece piece = pieceOf(TensorKind::Gradient, type, backward, *codec);
        const Bytes whole = count(piece);
        ways.backward += whole;
        if (isRectified && codec == &noCodec()) {
            piece.rectified = firstValues(forward);
            ways.active += count(piece);
        } else {
            ways.active += whole;
        }
    }
}

QMap<QString, PackedParts> PackedCut::parts() const {
    const auto partOf = [](const Bytes &bytes) { return std::clamp(bytes.part(), ProfileLimits::leastPacked, 1.0); };
    QMap<QString, PackedParts> parts;
    for (auto it = m_ways.constBegin(); it != m_ways.constEnd(); ++it) {
        if (it->forward.encoded > 0)
            parts[it.key()] = {partOf(it->forward), partOf(it->backward),
                               std::min(partOf(it->active), partOf(it->backward))};
    }
    return parts;
}

}  // namespace hearth
