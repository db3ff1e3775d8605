#include "core/train/gradient_norm.h"

#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "core/train/stage_errors.h"

namespace hearth {

GradientNorm::GradientNorm(const Deployment &deployment, const QString &self, int place, StageModule &module, Send send)
    : m_deployment(deployment),
      m_module(module),
      m_send(std::move(send)),
      m_place(place),
      m_member(deployment.memberOf(place, self)) {}

bool GradientNorm::isKnown(NormSum &norm, quint32 round) {
    if (!clips())
        return true;
    if (m_member == 0 && !norm.handedOn) {
        if (!norm.own)
            norm.own = ownSquares();
        if (isLast() || norm.behind) {
            norm.handedOn = true;
            const double squares = norm.behind.value_or(0) + *norm.own;
            if (isFirst())
                take(norm, round, squares);
            else
                send(behindSlot, m_place - 1, members(m_place - 1).front().device, round, squares);
        }
    }
    return norm.whole.has_value();
}

/// In float64 whatever the run computes in.
double GradientNorm::ownSquares() {
    const at::NoGradGuard guard;
    const auto squares = [&](qint64 first, qint64 end) {
        const at::Tensor part = m_module.gradients().narrow(0, first, end - first);
        const double norm =
            at::linalg_vector_norm(part, 2, at::OptionalIntArrayRef(), false, at::kDouble).item<double>();
        return norm * norm;
    };
    double sum = m_module.ownElements() > 0 ? squares(0, m_module.ownElements()) : 0;
    for (const StageModule::Shared &part : m_module.shared()) {
        if (part.isFirst)
            sum += squares(part.first, part.end);
    }
    return sum;
}

void GradientNorm::take(NormSum &norm, quint32 round, double squares) {
    norm.whole = squares;
    if (m_member > 0)
        return;
    for (std::size_t m = 1; m < members(m_place).size(); ++m)
        send(wholeSlot, m_place, members(m_place)[m].device, round, squares);
    if (!isLast())
        send(wholeSlot, m_place + 1, members(m_place + 1).front().device, round, squares);
}

void GradientNorm::send(quint16 slot, int stage, const QString &device, quint32 round, double squares) {
    TensorHeader header;
    header.kind = TensorKind::AllReduce;
    header.dtype = DType::Float64;
    header.dims = {1};
    header.term = m_deployment.term;
    header.round = round;
    header.version = round - 1;
    header.stage = static_cast<quint16>(stage);
    header.slot = slot;
    const std::shared_ptr<Buffer> buffer = Buffer::allocate(sizeof squares);
    std::memcpy(buffer->data(), &squares, sizeof squares);
    m_send(device, header, Payload::of(buffer));
}

Result<void> GradientNorm::deliver(NormSum &norm, const QString &from, const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    double squares = 0;
    if (header.dtype != DType::Float64 || frame.payload->size() != sizeof squares)
        return tl::unexpected(badFrame(sentence("The length of the gradients is one 64-bit number.")));
    std::memcpy(&squares, frame.payload->data(), sizeof squares);
    const bool behind = header.slot == behindSlot;
    const int sender = behind ? m_place + 1 : m_member > 0 ? m_place : m_place - 1;
    const bool exists = sender >= 0 && sender < static_cast<int>(m_deployment.stages.size());
    if (!clips() || !exists || from != members(sender).front().device || (behind && m_member > 0) ||
        (behind ? norm.behind : norm.whole))
        return tl::unexpected(
            badFrame(sentence("The length of the gradients does not come from there, or came twice.")));
    if (behind)
        norm.behind = squares;
    else
        take(norm, header.round, squares);
    return {};
}

std::optional<double> GradientNorm::lengthOf(const NormSum &norm) {
    return norm.whole ? std::optional(std::sqrt(*norm.whole)) : std::nullopt;
}

void GradientNorm::clip(const NormSum &norm) {
    const auto length = lengthOf(norm);
    if (!length)
        return;
    const double factor = m_deployment.training.optimizer.clipNorm / (*length + 1e-6);
    if (factor >= 1)
        return;
    const at::NoGradGuard guard;
    m_module.gradients().mul_(factor);  // also where it is no number, so that the loss tells
}

}  // namespace hearth
