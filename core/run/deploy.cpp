#include "core/run/deploy.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/wire/state_chunks.h"

namespace hearth {

Deployment deploymentOf(const Plan &plan, const std::vector<WorkerSession *> &workers) {
    const auto workerOf = [&workers](const QString &device) {
        return *std::find_if(workers.begin(), workers.end(), [&](const auto *each) { return each->id() == device; });
    };
    Deployment deployment;
    deployment.batch = plan.batch;
    deployment.microBatch = plan.microBatch;
    deployment.microBatches = plan.microBatches();
    deployment.schedule = plan.schedule.name();
    deployment.stages = deploymentStages(plan);
    for (Deployment::Stage &stage : deployment.stages) {
        for (Deployment::Member &member : stage.members) {
            member.device = workerOf(member.device)->address().fingerprint.toHex();
        }
    }
    // Who has no layers may have states that others need, or keep copies.
    for (const WorkerSession *worker : workers) {
        const WorkerAddress &address = worker->address();
        deployment.peers.push_back({address.fingerprint.toHex(), address.placeForOthers(), address.port});
    }
    return deployment;
}

TensorHeader replicaHeader(const NamedTensor &tensor, int layer, int slot, quint32 term) {
    TensorHeader header;
    header.kind = TensorKind::Replica;
    header.dtype = tensor.dtype;
    for (const qint64 dimension : tensor.spec.shape)
        header.dims.push_back(static_cast<quint32>(dimension));
    header.term = term;
    header.stage = static_cast<quint16>(layer);
    header.slot = static_cast<quint16>(slot);
    return header;
}

std::vector<Deployment::Frozen> frozenIn(const FrozenTensors &tensors, const std::vector<WorkerSession *> &workers,
                                         const FrozenByDevice &holders) {
    std::vector<Deployment::Frozen> list;
    for (int layer = 0; layer < static_cast<int>(tensors.sha256.size()); ++layer) {
        const QString &sha256 = tensors.sha256[static_cast<std::size_t>(layer)];
        if (sha256.isEmpty())
            continue;
        Deployment::Frozen &row = list.emplace_back(Deployment::Frozen{layer, sha256, {}});
        for (std::size_t i = 0; i < workers.size(); ++i) {
            if (holders.value(workers[i]->id()).contains(layer))
                row.holders.push_back(static_cast<int>(i));
        }
    }
    return list;
}

QCborMap Deploy::deploymentFor(const WorkerSession &worker, const std::vector<WorkerSession *> &workers) const {
    Deployment own = m_deployment;
    std::vector<std::pair<bool, double>> order(own.peers.size());  // the first of the least
    for (std::size_t i = 0; i < own.peers.size(); ++i) {
        for (const WorkerSession *other : workers) {
            if (other == &worker || other->address().fingerprint.toHex() != own.peers[i].device)
                continue;
            own.peers[i].address = worker.placeOf(*other);
            own.peers[i].elsewhere = worker.otherPlaceOf(*other);
            qCDebug(memberLog).noquote() << "term" << own.term << worker.id() << "finds" << other->id() << "at"
                                         << own.peers[i].address << own.peers[i].elsewhere;
            order[i] = {other->id() == m_frozen.here, m_frozen.rate ? -m_frozen.rate(other->id(), worker.id()) : 0};
        }
    }
    for (Deployment::Frozen &each : own.frozen)
        std::ranges::stable_sort(each.holders, {}, [&](int peer) { return order[static_cast<std::size_t>(peer)]; });
    return own.toCbor();
}

void Deploy::start(const std::vector<WorkerSession *> &workers, const std::vector<std::vector<NamedTensor>> &weights,
                   const LayerStates &states, FrozenSource frozen) {
    m_frozen = std::move(frozen);
    m_deployment.weightsStreamed = !weights.empty();
    m_open = workers.size();
    const auto quiet = m_deployment.statesHeld ? m_deadlines.redeploy : m_deadlines.deploy;
    for (WorkerSession *worker : workers) {
        connect(worker, &WorkerSession::frozenWanted, this, [this, worker](quint32 term, int layer) {
            if (term == m_deployment.term && m_deployment.frozenOf(layer))
                sendFrozen(*worker, layer);
        });
        worker->callWhileMoving(QStringLiteral("deploy"), deploymentFor(*worker, workers), quiet, this,
                                [this, device = worker->id()](const Result<QCborMap> &reply) {
                                    if (m_over)
                                        return;
                                    if (!reply) {
                                        m_over = true;
                                        Q_EMIT failed(device, reply.error());
                                        return;
                                    }
                                    const double moved = (*reply)[QStringLiteral("move_s")].toDouble();
                                    if (std::isfinite(moved))
                                        m_moveSeconds = std::max(m_moveSeconds, moved);
                                    if (--m_open == 0) {
                                        m_over = true;
                                        Q_EMIT finished();
                                    }
                                });
        stream(*worker, weights);
        send(*worker, states);
    }
}

void Deploy::send(WorkerSession &worker, const LayerStates &states) const {
    for (const Deployment::Move &move : m_deployment.moves) {
        if (!move.from.isEmpty() || move.to != worker.address().fingerprint.toHex())
            continue;
        const auto &state = states[static_cast<std::size_t>(move.layer)];
        const int count = stateChunkCount(state->size());
        for (int index = 0; index < count; ++index) {
            const StateChunk chunk{move.layer, m_deployment.firstVersion(), index, count};
            worker.channel().sendTensor(stateChunkHeader(chunk, state->size(), m_deployment.term),
                                        stateChunkPayload(state, index));
        }
    }
}

void Deploy::stream(WorkerSession &worker, const std::vector<std::vector<NamedTensor>> &weights) const {
    if (weights.empty())
        return;
    for (const int place : m_deployment.stagesOf(worker.address().fingerprint.toHex())) {
        const Deployment::Stage &stage = m_deployment.stages[static_cast<std::size_t>(place)];
        std::set<TensorRef> sent;  // a tied tensor goes once to a stage; frozen ones are asked for
        for (int layer = stage.firstLayer; layer < stage.lastLayer; ++layer) {
            std::vector<NamedTensor> tensors = weights[static_cast<std::size_t>(layer)];
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                if (tensors[i].spec.role == TensorRole::Frozen ||
                    !sent.insert(tensors[i].spec.tiedTo.value_or(TensorRef{layer, static_cast<int>(i)})).second)
                    tensors[i].data.reset();
            }
            streamLayer(worker, layer, tensors);
        }
    }
}

/// The queue holds references: every owner of a layer reads the same bytes.
void Deploy::streamLayer(WorkerSession &worker, int layer, const std::vector<NamedTensor> &tensors) const {
    for (std::size_t slot = 0; slot < tensors.size(); ++slot) {
        if (tensors[slot].data)
            worker.channel().sendTensor(replicaHeader(tensors[slot], layer, static_cast<int>(slot), m_deployment.term),
                                        Payload::of(tensors[slot].data));
    }
}

void Deploy::sendFrozen(WorkerSession &worker, int layer) const {
    const qint64 bytes = m_frozen.tensors.bytes(layer);
    const int count = stateChunkCount(bytes);
    for (int index = 0; index < count; ++index)
        worker.channel().sendTensor(stateChunkHeader({layer, frozenVersion, index, count}, bytes, m_deployment.term),
                                    m_frozen.tensors.chunk(layer, index));
}

}  // namespace hearth
