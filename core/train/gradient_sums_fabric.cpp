// Sums over a trusted fabric, and the way back to the built-in AllReduce.
#include <QCborArray>
#include <QCborValue>
#include <QHostAddress>

#include "core/train/gradient_sums.h"
#include "core/train/round_state.h"
#include "core/train/stage_errors.h"

namespace hearth {
namespace {

QByteArray bytesOf(const Buffer &buffer) {
    return {reinterpret_cast<const char *>(buffer.data()), buffer.size()};
}

/// Whoever starts a run says what his own device does, not what others do.
Error notTrusted() {
    return {QStringLiteral("fabric.not-trusted"), sentence("This device does not send gradients without encryption."),
            sentence("Nobody has allowed it there."),
            sentence("Start its agent with --trusted-fabric if nobody else can reach the network.")};
}

}  // namespace

/// With the first frames of the first round, when every member has its part of the plan and links to the others.
void GradientSums::openFabric(SumGroup &group, RoundSum &sum, quint32 round) {
    if (!usesFabric(group, sum) || group.open)
        return;
    FabricPlace own;
    own.self = group.self;
    own.members = static_cast<int>(group.members.size());
    const QString &self = group.members[static_cast<std::size_t>(group.self)].device;
    for (const Deployment::Peer &peer : m_deployment.peers) {
        if (peer.device == self)
            own.address = peer.address;
    }
    if (!m_out.trustsFabric && !QHostAddress(own.address).isLoopback())
        return failFabric(group, sum, round, notTrusted());
    auto backend = m_out.openFabric(group.fabric);
    if (!backend)
        return failFabric(group, sum, round, backend.error());
    try {
        group.fabricValues = at::empty({group.elements()}, m_gradients.options());
    } catch (...) {
        return failFabric(group, sum, round, fromException());
    }
    own.sumDeadline = std::chrono::milliseconds(m_deployment.fabricDeadlineMs);
    own.connectDeadline = std::min(own.connectDeadline, own.sumDeadline);
    group.open = std::make_unique<GroupFabric>(std::move(*backend), own, m_out.wake);
    for (const Rendezvous::Entry &entry : std::exchange(group.earlyEntries, {}))
        (void)group.open->rendezvous().learn(entry);
}

bool GradientSums::isFabricDone(SumGroup &group, RoundSum &sum, quint32 round) {
    const at::NoGradGuard guard;
    const auto part = [&] { return m_module.gradients().narrow(0, group.first, group.elements()); };
    const auto members = group.members.size();
    if (!sum.fabric.asked) {
        sum.fabric.asked = true;
        sum.fabric.begun.resize(members);
        sum.fabric.begun[static_cast<std::size_t>(group.self)] = true;
        sendToGroup(group, fabricBegun, round, QByteArray(1, '\1'));
        group.fabricValues.copy_(part());
        group.open->sum(static_cast<std::byte *>(group.fabricValues.data_ptr()), group.elements(), m_module.dtype(),
                        std::make_shared<SentTensor>(group.fabricValues));
    }
    takeFabricOutcome(group, sum, round);
    if (sum.fabric.failed || std::ranges::count(sum.fabric.done, true) != static_cast<std::ptrdiff_t>(members))
        return false;
    part().copy_(group.fabricValues);
    return true;
}

void GradientSums::takeFabricOutcome(SumGroup &group, RoundSum &sum, quint32 round) {
    const auto outcome = group.open->takeOutcome();
    if (!outcome)
        return;
    if (!*outcome)
        return failFabric(group, sum, round, outcome->error());
    sum.fabric.done.resize(group.members.size());
    sum.fabric.done[static_cast<std::size_t>(group.self)] = true;
    sendToGroup(group, fabricOutcome, round, QByteArray(1, '\1'));
}

/// This member's own failure: told to the group, which then needs no deadline of its own, and to the coordinator.
void GradientSums::failFabric(SumGroup &group, RoundSum &sum, quint32 round, const Error &error) {
    sum.fabric.failed = true;
    sendToGroup(group, fabricOutcome, round, QByteArray(1, '\0'));
    if (m_out.fabricFailed)
        m_out.fabricFailed(error);
}

/// The gradients of this round are whole: the fabric only ever had a copy.
void GradientSums::giveUpFabric(SumGroup &group) {
    group.fabricInUse = false;
    if (group.open) {
        // Another member's word of this member's failure can come first; only this member knows the cause.
        if (const auto own = group.open->takeOutcome(); own && !*own && m_out.fabricFailed)
            m_out.fabricFailed(own->error());
        group.open->abandon();
    }
    group.fabricValues.reset();
}

void GradientSums::sendFabricEntries(const SumGroup &group, quint32 round) {
    if (!group.open)
        return;
    for (const Rendezvous::Entry &entry : group.open->rendezvous().takePublished())
        sendToGroup(group, fabricEntry, round, QCborValue(QCborArray{entry.key, entry.value}).toCbor());
}

void GradientSums::sendToGroup(const SumGroup &group, FabricSlot what, quint32 round, const QByteArray &bytes) {
    const std::shared_ptr<Buffer> payload = Buffer::allocate(bytes.size());
    std::memcpy(payload->data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    TensorHeader header;
    header.kind = TensorKind::AllReduce;
    header.dtype = DType::UInt8;
    header.dims = {static_cast<quint32>(bytes.size())};
    header.term = m_deployment.term;
    header.round = round;
    header.version = round - 1;
    header.slot = static_cast<quint16>(group.number * SumGroup::slots + what);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const SumGroup::Member &member = group.members[i];
        if (static_cast<int>(i) == group.self)
            continue;
        header.stage = static_cast<quint16>(member.stage);
        m_report.sent[member.device] += payload->size();
        m_out.send(member.device, header, Payload::of(payload));
    }
}

Result<void> GradientSums::deliverFabric(SumGroup &group, int member, const TensorFrame &frame, quint32 current,
                                         const std::function<Round &(quint32 round)> &sumsOf) {
    const TensorHeader &header = frame.header;
    const int what = header.slot % SumGroup::slots;
    const auto refuse = [] {
        return tl::unexpected(badFrame(sentence("It is no part of this group's trusted fabric.")));
    };
    if (member < 0 || member == group.self || header.dtype != DType::UInt8 || what > fabricBegun ||
        group.fabric == Deployment::builtinFabric())
        return refuse();
    if (what == fabricEntry) {
        constexpr qsizetype framing = 16;
        if (frame.payload->size() > Rendezvous::keyBytes + Rendezvous::valueBytes + framing)
            return refuse();
        const QCborArray pair = QCborValue::fromCbor(bytesOf(*frame.payload)).toArray();
        const Rendezvous::Entry entry{pair.at(0).toByteArray(), pair.at(1).toByteArray()};
        if (group.open)
            return group.open->rendezvous().learn(entry);
        if (static_cast<qsizetype>(group.earlyEntries.size()) >= Rendezvous::entries)
            return refuse();
        group.earlyEntries.push_back(entry);
        return {};
    }
    if (frame.payload->size() != 1 || (header.round > current && header.round - current > roundsAhead))
        return refuse();
    if (header.round < current)
        return {};
    FabricSum &sum = sumOf(sumsOf(header.round), group).fabric;
    sum.begun.resize(group.members.size());
    sum.done.resize(group.members.size());
    if (what == fabricBegun)
        sum.begun[static_cast<std::size_t>(member)] = true;
    else if (frame.payload->data()[0] == std::byte{1})
        sum.done[static_cast<std::size_t>(member)] = true;
    else
        sum.failed = true;
    return {};
}

}  // namespace hearth
