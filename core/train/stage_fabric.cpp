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
void StageExecutor::Private::openFabric(RoundState &state) {
    if (!sumsOverFabric(state) || fabric)
        return;
    FabricPlace own;
    own.self = memberPlace;
    own.members = static_cast<int>(stage().members.size());
    const QString &self = stage().members[static_cast<std::size_t>(memberPlace)].device;
    for (const Deployment::Peer &peer : deployment.peers) {
        if (peer.device == self)
            own.address = peer.address;
    }
    if (!out.trustsFabric && !QHostAddress(own.address).isLoopback())
        return failFabric(state, notTrusted());
    auto backend = out.openFabric(stage().fabric);
    if (!backend)
        return failFabric(state, backend.error());
    try {
        fabricValues = at::empty_like(hostGradients);
    } catch (...) {
        return failFabric(state, fromException());
    }
    own.sumDeadline = std::chrono::milliseconds(deployment.fabricDeadlineMs);
    own.connectDeadline = std::min(own.connectDeadline, own.sumDeadline);
    fabric = std::make_unique<GroupFabric>(std::move(*backend), own, out.wake);
    for (const Rendezvous::Entry &entry : std::exchange(earlyEntries, {}))
        (void)fabric->rendezvous().learn(entry);
}

bool StageExecutor::Private::groupSummed(RoundState &state) {
    if (sumsOverFabric(state)) {
        if (fabricSummed(state))
            return true;
        if (!state.fabric.failed)
            return false;
    }
    if (state.fabric.failed)
        giveUpFabric();
    if (!state.sum || !state.sum->started()) {
        GroupSum &sum = groupSum(state, currentRound);
        sum.start(static_cast<std::byte *>(hostGradients.data_ptr()));
        fetchGradients(0, hostGradients.numel());
        sum.ready(0, hostGradients.numel());
    }
    if (!state.sum->done())
        return false;
    storeGradients();
    return true;
}

bool StageExecutor::Private::fabricSummed(RoundState &state) {
    const at::NoGradGuard guard;
    if (!state.fabric.asked) {
        state.fabric.asked = true;
        state.fabric.begun.resize(stage().members.size());
        state.fabric.begun[static_cast<std::size_t>(memberPlace)] = true;
        sendToGroup(fabricBegun, currentRound, QByteArray(1, '\1'));
        fabricValues.copy_(module.gradients());
        fabric->sum(static_cast<std::byte *>(fabricValues.data_ptr()), fabricValues.numel(), module.dtype(),
                    std::make_shared<SentTensor>(fabricValues));
    }
    takeFabricOutcome(state);
    if (state.fabric.failed || std::count(state.fabric.done.begin(), state.fabric.done.end(), true) !=
                                   static_cast<std::ptrdiff_t>(stage().members.size()))
        return false;
    module.gradients().copy_(fabricValues);
    return true;
}

void StageExecutor::Private::takeFabricOutcome(RoundState &state) {
    const auto outcome = fabric->takeOutcome();
    if (!outcome)
        return;
    if (!*outcome)
        return failFabric(state, outcome->error());
    state.fabric.done.resize(stage().members.size());
    state.fabric.done[static_cast<std::size_t>(memberPlace)] = true;
    sendToGroup(fabricOutcome, currentRound, QByteArray(1, '\1'));
}

/// This member's own failure: told to the group, which then needs no deadline of its own, and to the coordinator.
void StageExecutor::Private::failFabric(RoundState &state, const Error &error) {
    state.fabric.failed = true;
    sendToGroup(fabricOutcome, currentRound, QByteArray(1, '\0'));
    if (out.fabricFailed)
        out.fabricFailed(error);
}

/// The gradients of this round are whole: the fabric only ever had a copy.
void StageExecutor::Private::giveUpFabric() {
    fabricInUse = false;
    if (fabric) {
        // Another member's word of this member's failure can come first; only this member knows the cause.
        if (const auto own = fabric->takeOutcome(); own && !*own && out.fabricFailed)
            out.fabricFailed(own->error());
        fabric->abandon();
    }
    fabricValues.reset();
}

void StageExecutor::Private::sendFabricEntries() {
    if (!fabric)
        return;
    for (const Rendezvous::Entry &entry : fabric->rendezvous().takePublished())
        sendToGroup(fabricEntry, currentRound, QCborValue(QCborArray{entry.key, entry.value}).toCbor());
}

void StageExecutor::Private::sendToGroup(quint16 slot, quint32 round, const QByteArray &bytes) {
    const std::shared_ptr<Buffer> payload = Buffer::allocate(bytes.size());
    std::memcpy(payload->data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    TensorHeader header;
    header.kind = TensorKind::AllReduce;
    header.dtype = DType::UInt8;
    header.dims = {static_cast<quint32>(bytes.size())};
    header.term = deployment.term;
    header.round = round;
    header.version = weights.current();
    header.stage = static_cast<quint16>(place);
    header.slot = slot;
    for (const Deployment::Member &member : stage().members) {
        if (member.device == stage().members[static_cast<std::size_t>(memberPlace)].device)
            continue;
        report.sent[member.device] += payload->size();
        out.send(member.device, header, Payload::of(payload));
    }
}

Result<void> StageExecutor::Private::deliverFabric(int member, const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    const auto refuse = [] {
        return tl::unexpected(badFrame(sentence("It is no part of this group's trusted fabric.")));
    };
    if (member < 0 || member == memberPlace || header.dtype != DType::UInt8 || header.slot > fabricBegun ||
        stage().fabric == Deployment::builtinFabric())
        return refuse();
    if (header.slot == fabricEntry) {
        constexpr qsizetype framing = 16;
        if (frame.payload->size() > Rendezvous::keyBytes + Rendezvous::valueBytes + framing)
            return refuse();
        const QCborArray pair = QCborValue::fromCbor(bytesOf(*frame.payload)).toArray();
        const Rendezvous::Entry entry{pair.at(0).toByteArray(), pair.at(1).toByteArray()};
        if (fabric)
            return fabric->rendezvous().learn(entry);
        if (static_cast<qsizetype>(earlyEntries.size()) >= Rendezvous::entries)
            return refuse();
        earlyEntries.push_back(entry);
        return {};
    }
    if (frame.payload->size() != 1 || (header.round > currentRound && header.round - currentRound > roundsAhead))
        return refuse();
    if (header.round < currentRound)
        return {};
    FabricSum &sum = roundState(header.round).fabric;
    sum.begun.resize(stage().members.size());
    sum.done.resize(stage().members.size());
    if (header.slot == fabricBegun)
        sum.begun[static_cast<std::size_t>(member)] = true;
    else if (frame.payload->data()[0] == std::byte{1})
        sum.done[static_cast<std::size_t>(member)] = true;
    else
        sum.failed = true;
    return {};
}

}  // namespace hearth
