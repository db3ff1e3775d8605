#include "core/train/cut_writer.h"

#include "core/base/thread_time.h"
#include "core/train/active_values.h"
#include "core/wire/packed_tensor.h"

namespace hearth {

CutWriter::Written CutWriter::write(const CutPiece &piece) {
    const bool isGradient = piece.header.kind == TensorKind::Gradient;
    Encoded encoded = piece.coded
                          ? piece.coded()
                          : hearth::encoded(*piece.codec, piece.header.dtype, piece.raw, samplesOf(piece.header),
                                            isGradient ? Rounding::Stochastic : Rounding::Nearest);
    Written written{piece.header, {}, {}};
    written.header.codec = encoded.codec->number;
    if (piece.isMeasured)
        written.loss = lossOf(encoded, piece.header.dtype, piece.raw, samplesOf(piece.header));
    written.payload = std::move(encoded.payload);
    written.encoded = written.payload.size;
    const auto before = static_cast<double>(written.encoded);
    std::map<quint16, double> &parts = m_parts[{written.header.kind, written.header.codec}];
    if (mayBePacked(written.header.kind) && written.encoded >= ChunkPacking::leastBytes && pack(piece, written))
        parts[written.header.slot] = static_cast<double>(written.payload.size) / before;
    if (!parts.empty()) {
        const auto own = parts.find(written.header.slot);
        written.packed = own == parts.end() ? written.encoded : qRound64(own->second * before);
    }
    return written;
}

bool CutWriter::takesTime(const CutPiece &piece) const {
    if (piece.coded || piece.codec->encode)
        return true;
    if (!mayBePacked(piece.header.kind) || piece.raw.size < ChunkPacking::leastBytes)
        return false;
    const auto known = m_packing.find({piece.device, piece.header.kind, piece.header.slot});
    return (known == m_packing.end() ? Packing() : known->second).chunks.mayPack(m_linkRate(piece.device));
}

bool CutWriter::pack(const CutPiece &piece, Written &written) {
    Packing &packing = m_packing[{piece.device, written.header.kind, written.header.slot}];
    if (!packing.chunks.packsNext(m_linkRate(piece.device)))
        return false;
    const qsizetype before = written.payload.size;
    const bool mayLeaveOut = piece.rectified.data && written.header.codec == noCodec().number;
    const bool compares = mayLeaveOut && packing.compared < ChunkPacking::tried;
    Written whole = written;
    auto began = threadTime();
    if (mayLeaveOut && (compares || packing.leavesOut)) {
        const auto count = static_cast<std::size_t>(piece.raw.size);
        written.payload =
            Payload::of(activeValues(piece.header.dtype, {piece.rectified.data, count}, {piece.raw.data, count}));
    }
    packTensor(written.header, written.payload);
    auto took = threadTime() - began;
    if (compares) {
        ++packing.compared;
        began = threadTime();
        packTensor(whole.header, whole.payload);
        packing.leavesOut = written.payload.size <= whole.payload.size;
        if (!packing.leavesOut) {
            took = threadTime() - began;
            written = std::move(whole);
        }
    }
    packing.chunks.packed(before, written.payload.size, took);
    return true;
}

}  // namespace hearth
