// The length of the gradients of all stages together, and what follows from it.
#include <cmath>

#include "core/model/ties.h"
#include "core/train/stage_state.h"

namespace hearth {

/// Once the gradients are summed; true when the optimizer may take its step.
bool StageExecutor::Private::normKnown(RoundState &state) {
    if (deployment.training.optimizer.clipNorm == 0)
        return true;
    NormSum &norm = state.norm;
    if (memberPlace == 0 && !norm.handedOn) {
        if (!norm.own)
            norm.own = ownSquares();
        if (isLast() || norm.behind) {
            norm.handedOn = true;
            const double squares = norm.behind.value_or(0) + *norm.own;
            if (isFirst())
                takeNorm(norm, currentRound, squares);
            else
                sendNorm(NormSum::behindSlot, place - 1, firstMemberOf(place - 1), currentRound, squares);
        }
    }
    return norm.whole.has_value();
}

/// In float64 whatever the run computes in.
double StageExecutor::Private::ownSquares() {
    const at::NoGradGuard guard;
    const auto squares = [&](qint64 first, qint64 end) {
        const at::Tensor part = module.gradients().narrow(0, first, end - first);
        const double norm =
            at::linalg_vector_norm(part, 2, at::OptionalIntArrayRef(), false, at::kDouble).item<double>();
        return norm * norm;
    };
    double sum = module.ownElements() > 0 ? squares(0, module.ownElements()) : 0;
    for (const StageModule::Shared &part : module.shared()) {
        if (part.isFirst)
            sum += squares(part.first, part.end);
    }
    return sum;
}

void StageExecutor::Private::takeNorm(NormSum &norm, quint32 round, double squares) {
    norm.whole = squares;
    if (memberPlace > 0)
        return;
    for (std::size_t m = 1; m < stage().members.size(); ++m)
        sendNorm(NormSum::wholeSlot, place, stage().members[m].device, round, squares);
    if (!isLast())
        sendNorm(NormSum::wholeSlot, place + 1, firstMemberOf(place + 1), round, squares);
}

void StageExecutor::Private::sendNorm(quint16 slot, int toStage, const QString &device, quint32 round, double squares) {
    TensorHeader header;
    header.kind = TensorKind::AllReduce;
    header.dtype = DType::Float64;
    header.dims = {1};
    header.term = deployment.term;
    header.round = round;
    header.version = weights.current();
    header.stage = static_cast<quint16>(toStage);
    header.slot = slot;
    const std::shared_ptr<Buffer> buffer = Buffer::allocate(sizeof squares);
    std::memcpy(buffer->data(), &squares, sizeof squares);
    hand(device, header, Payload::of(buffer));
}

Result<void> StageExecutor::Private::deliverNorm(const QString &from, const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    double squares = 0;
    if (header.dtype != DType::Float64 || frame.payload->size() != sizeof squares)
        return tl::unexpected(badFrame(sentence("The length of the gradients is one 64-bit number.")));
    std::memcpy(&squares, frame.payload->data(), sizeof squares);
    NormSum &norm = roundState(header.round).norm;
    const bool behind = header.slot == NormSum::behindSlot;
    const int sender = behind ? place + 1 : memberPlace > 0 ? place : place - 1;
    const bool exists = sender >= 0 && sender < static_cast<int>(deployment.stages.size());
    if (deployment.training.optimizer.clipNorm == 0 || !exists || from != firstMemberOf(sender) ||
        (behind && memberPlace > 0) || (behind ? norm.behind : norm.whole))
        return tl::unexpected(
            badFrame(sentence("The length of the gradients does not come from there, or came twice.")));
    if (behind)
        norm.behind = squares;
    else
        takeNorm(norm, header.round, squares);
    return {};
}

/// As torch.nn.utils.clip_grad_norm_, its 1e-6 included.
void StageExecutor::Private::clipGradients(double squares) {
    const double factor = deployment.training.optimizer.clipNorm / (std::sqrt(squares) + 1e-6);
    if (factor >= 1)
        return;
    const at::NoGradGuard guard;
    module.gradients().mul_(factor);  // also where it is no number, so that the loss tells
}

}  // namespace hearth
