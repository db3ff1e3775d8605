// The executor's sums over a trusted fabric, and the way back to the built-in AllReduce.
#include <QCborArray>
#include <QCborValue>
#include <QHostAddress>

#include "core/train/stage_state.h"

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
void StageExecutor::Private::openFabric(SumGroup &group, RoundSum &sum) {
    if (!sumsOverFabric(group, sum) || group.open)
        return;
    FabricPlace own;
    own.self = group.self;
    own.members = static_cast<int>(group.members.size());
    const QString &self = group.members[static_cast<std::size_t>(group.self)].device;
    for (const Deployment::Peer &peer : deployment.peers) {
        if (peer.device == self)
            own.address = peer.address;
    }
    if (!out.trustsFabric && !QHostAddress(own.address).isLoopback())
        return failFabric(group, sum, notTrusted());
    auto backend = out.openFabric(group.fabric);
    if (!backend)
        return failFabric(group, sum, backend.error());
    try {
        group.fabricValues = at::empty({group.elements()}, hostGradients.options());
    } catch (...) {
        return failFabric(group, sum, fromException());
    }
    own.sumDeadline = std::chrono::milliseconds(deployment.fabricDeadlineMs);
    own.connectDeadline = std::min(own.connectDeadline, own.sumDeadline);
    group.open = std::make_unique<GroupFabric>(std::move(*backend), own, out.wake);
    for (const Rendezvous::Entry &entry : std::exchange(group.earlyEntries, {}))
        (void)group.open->rendezvous().learn(entry);
}

bool StageExecutor::Private::fabricSummed(SumGroup &group, RoundSum &sum) {
    const at::NoGradGuard guard;
    const auto part = [&] { return module.gradients().narrow(0, group.first, group.elements()); };
    const auto members = group.members.size();
    if (!sum.fabric.asked) {
        sum.fabric.asked = true;
        sum.fabric.begun.resize(members);
        sum.fabric.begun[static_cast<std::size_t>(group.self)] = true;
        sendToGroup(group, fabricBegun, currentRound, QByteArray(1, '\1'));
        group.fabricValues.copy_(part());
        group.open->sum(static_cast<std::byte *>(group.fabricValues.data_ptr()), group.elements(), module.dtype(),
                        std::make_shared<SentTensor>(group.fabricValues));
    }
    takeFabricOutcome(group, sum);
    if (sum.fabric.failed || std::ranges::count(sum.fabric.done, true) != static_cast<std::ptrdiff_t>(members))
        return false;
    part().copy_(group.fabricValues);
    return true;
}

void StageExecutor::Private::takeFabricOutcome(SumGroup &group, RoundSum &sum) {
    const auto outcome = group.open->takeOutcome();
    if (!outcome)
        return;
    if (!*outcome)
        return failFabric(group, sum, outcome->error());
    sum.fabric.done.resize(group.members.size());
    sum.fabric.done[static_cast<std::size_t>(group.self)] = true;
    sendToGroup(group, fabricOutcome, currentRound, QByteArray(1, '\1'));
}

/// This member's own failure: told to the group, which then needs no deadline of its own, and to the coordinator.
void StageExecutor::Private::failFabric(SumGroup &group, RoundSum &sum, const Error &error) {
    sum.fabric.failed = true;
    sendToGroup(group, fabricOutcome, currentRound, QByteArray(1, '\0'));
    if (out.fabricFailed)
        out.fabricFailed(error);
}

/// The gradients of this round are whole: the fabric only ever had a copy.
void StageExecutor::Private::giveUpFabric(SumGroup &group) {
    group.fabricInUse = false;
    if (group.open) {
        // Another member's word of this member's failure can come first; only this member knows the cause.
        if (const auto own = group.open->takeOutcome(); own && !*own && out.fabricFailed)
            out.fabricFailed(own->error());
        group.open->abandon();
    }
    group.fabricValues.reset();
}

void StageExecutor::Private::sendFabricEntries(const SumGroup &group) {
    if (!group.open)
        return;
    for (const Rendezvous::Entry &entry : group.open->rendezvous().takePublished())
        sendToGroup(group, fabricEntry, currentRound, QCborValue(QCborArray{entry.key, entry.value}).toCbor());
}

void StageExecutor::Private::sendToGroup(const SumGroup &group, FabricSlot what, quint32 round,
                                         const QByteArray &bytes) {
    const std::shared_ptr<Buffer> payload = Buffer::allocate(bytes.size());
    std::memcpy(payload->data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    TensorHeader header;
    header.kind = TensorKind::AllReduce;
    header.dtype = DType::UInt8;
    header.dims = {static_cast<quint32>(bytes.size())};
    header.term = deployment.term;
    header.round = round;
    header.version = weights.current();
    header.slot = static_cast<quint16>(group.number * SumGroup::slots + what);
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const SumGroup::Member &member = group.members[i];
        if (static_cast<int>(i) == group.self)
            continue;
        header.stage = static_cast<quint16>(member.stage);
        report.sent[member.device] += payload->size();
        out.send(member.device, header, Payload::of(payload));
    }
}

Result<void> StageExecutor::Private::deliverFabric(SumGroup &group, int member, const TensorFrame &frame) {
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
    if (frame.payload->size() != 1 || (header.round > currentRound && header.round - currentRound > roundsAhead))
        return refuse();
    if (header.round < currentRound)
        return {};
    FabricSum &sum = sumOf(roundState(header.round), group).fabric;
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
