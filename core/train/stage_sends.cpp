// What the executor sends to other devices, and the account of it.
#include <utility>

#include "core/base/chunk_packing.h"
#include "core/train/stage_state.h"

namespace hearth {
namespace {

/// Some of what goes over it may be packed.
bool isSlow(double bytesPerSecond) {
    return bytesPerSecond > 0 && bytesPerSecond < ChunkPacking::fastLink;
}

}  // namespace

void StageExecutor::Private::sendSamples(TensorKind kind, std::size_t slot, const at::Tensor &tensor, Interval interval,
                                         int toStage, int microBatch, quint64 atVersion, const Codec &codec) {
    const at::NoGradGuard guard;
    const DType type = (kind == TensorKind::Gradient ? module.inputs() : module.outputs())[slot].dtype;
    const at::Tensor values = inFormat(tensor.detach(), computeFormat(type));
    const bool isCoded = codec.encode != nullptr, isMeasured = !report.checks.empty() && microBatch == 0 && isCoded;
    const Rounding rounding = kind == TensorKind::Gradient ? Rounding::Stochastic : Rounding::Nearest;
    HostCopy raw, rectified;  // at the host once they are needed there
    const auto &members = deployment.stages[static_cast<std::size_t>(toStage)].members;
    for (const Portion &portion : portions(interval, intervalsOf(toStage))) {
        const int first = portion.samples.first - interval.first, count = portion.samples.count;
        TensorHeader header;
        header.kind = kind;
        header.slot = static_cast<quint16>(slot);
        header.dtype = type;
        header.dims = {static_cast<quint32>(count)};
        for (std::int64_t i = 1; i < values.dim(); ++i)
            header.dims.push_back(static_cast<quint32>(values.size(i)));
        header.term = deployment.term;
        header.round = kind == TensorKind::Evaluation ? 0 : currentRound;
        header.version = atVersion;
        header.microBatch = static_cast<quint32>(microBatch);
        header.stage = static_cast<quint16>(toStage);
        header.firstSample = static_cast<quint32>(portion.samples.first);
        header.sampleCount = static_cast<quint32>(count);
        const QString &to = members[static_cast<std::size_t>(portion.member)].device;
        CutPiece piece{to, header, {}, &codec, isMeasured};
        if (isCoded && !isMeasured && codedByDevice(piece, values.narrow(0, first, count), rounding)) {
            sender.put(std::move(piece));
            continue;
        }
        if (!raw.tensor.defined()) {
            raw = mayBePacked(kind) ? device().startToHost(values) : HostCopy{device().toHost(values), nullptr};
            if (kind == TensorKind::Gradient && (device().isHost() || isSlow(out.linkRate(to))))
                rectified = rectifiedInput(slot, microBatch);
        }
        piece.raw = samplesOf(raw.tensor, first, count);
        piece.there = raw.there;
        piece.rectifiedThere = rectified.there;
        if (rectified.tensor.defined())
            piece.rectified = samplesOf(rectified.tensor, first, count);
        if (mayBePacked(kind))
            sender.put(std::move(piece));
        else
            hand(to, header, std::move(piece.raw));
    }
}

/// False: the host is to write it.
bool StageExecutor::Private::codedByDevice(CutPiece &piece, const at::Tensor &values, Rounding rounding) {
    auto coded = device().startCoded(values, *piece.codec, rounding);
    if (!coded)
        return false;
    piece.raw.size = static_cast<qsizetype>(values.nbytes());
    piece.there = coded->bytes.there;
    piece.coded = [device = out.device, codec = piece.codec, values, bytes = coded->bytes.tensor,
                   refused = coded->refused]() -> Encoded {
        if (*refused.data_ptr<std::int32_t>() == 0)
            return {codec, samplesOf(bytes.unsqueeze(0), 0, 1)};
        return {&noCodec(), samplesOf(device->toHost(values), 0, static_cast<int>(values.size(0)))};
    };
    return true;
}

/// Those of the stage before, which still has them when the gradient comes.
bool StageExecutor::Private::hasSameInputs(quint32 round) const {
    return codecBefore(place, round).forward == &noCodec() &&
           !deployment.stages[static_cast<std::size_t>(place) - 1].recompute;
}

/// Undefined where the stage before does not have the very same values.
HostCopy StageExecutor::Private::rectifiedInput(std::size_t slot, int microBatch) const {
    if (!rectifiedInputs[slot] || !hasSameInputs(currentRound))
        return {};
    const at::Tensor &input = rounds.at(currentRound).microBatches[static_cast<std::size_t>(microBatch)].x[slot];
    return device().startToHost(inFormat(input.detach(), computeFormat(module.inputs()[slot].dtype)));
}

void StageExecutor::Private::accountSent() {
    const CutSender::Sent sent = [this] {
        const Timed timed(times, Activity::Send);
        return sender.take();
    }();
    for (const CutSender::Frame &frame : sent.frames) {
        RoundReport &told = reportOf(frame.header.round);
        told.sent[frame.device] += frame.bytes;
        if (!told.checks.empty()) {
            CutCheck &check = told.checks.front();
            (frame.header.kind == TensorKind::Gradient ? check.backward : check.forward) += frame.loss;
        }
        accountPacking(frame, told);
        recorder.sent(frame.device, frame.header, frame.bytes, frame.at);
    }
    report.savedBytes += sent.savedBytes;
}

void StageExecutor::Private::accountPacking(const CutSender::Frame &frame, RoundReport &told) const {
    const bool isForward = frame.header.kind != TensorKind::Gradient;
    const int cut = isForward ? place : place - 1;
    const CutCodec &codecs = codecBefore(cut + 1, frame.header.round);
    const Codec *codec = isForward ? codecs.forward : codecs.backward;
    const bool isExact = !isForward && codec == &noCodec() && hasSameInputs(frame.header.round);
    const CutWay way = isForward ? CutWay::Forward : isExact ? CutWay::Active : CutWay::Backward;
    if (frame.packed && frame.header.codec == codec->number)
        addPacking(told.packing, {cut, way, codec, frame.encoded, *frame.packed});
}

void StageExecutor::Private::hand(const QString &device, const TensorHeader &header, Payload payload) {
    // An evaluation's are of no round.
    if (header.kind != TensorKind::Evaluation) {
        report.sent[device] += payload.size;
        TensorHeader noted = header;
        noted.round = currentRound;
        recorder.sent(device, noted, payload.size, RoundRecorder::now());
    }
    out.send(device, header, std::move(payload));
}

}  // namespace hearth
