// What fake workers hold of the layers, and give away.
#include <QCborArray>
#include <algorithm>

#include "core/model/layer_state.h"
#include "core/plan/gradient_codec.h"
#include "core/wire/state_chunks.h"
#include "fake_home.h"

namespace hearth::fake {

bool Worker::isWhole(qint64 round) const {
    return deployment->gradientCodec == &noCodec() || round % GradientCodec::exactEvery == 0 || round == exact;
}

void Worker::halt(const QCborMap &args, const Reply &reply) {
    term = static_cast<quint32>(args[QStringLiteral("term")].toInteger());
    origins = args[QStringLiteral("origins")].toArray();
    home.halted(term);
    QCborArray frozen;
    if (const auto *stage = ownStage()) {
        if (isWhole(rounds))
            held.push_back({static_cast<quint64>(rounds), stage->firstLayer, stage->lastLayer});
        for (int layer = stage->firstLayer; layer < stage->lastLayer; ++layer)
            frozen.append(layer);
    }
    deployment.reset();
    reply.ok({{QStringLiteral("version"), rounds},
              {QStringLiteral("states"), heldStatesToCbor(held)},
              {QStringLiteral("frozen"), frozen}});
}

void Worker::snapshot(qint64 round) {
    if (!isWhole(round))
        return;
    const auto *stage = ownStage();
    held.push_back({static_cast<quint64>(round), stage->firstLayer, stage->lastLayer});
    std::erase_if(held, [&](const HeldState &state) {
        const bool own = state.firstLayer == stage->firstLayer;
        return own && qint64(state.version) < round - 2 && state.version != wanted &&
               qint64(state.version) != committed;
    });
}

/// On the devices that hold its copies.
void Worker::copy(qint64 round) {
    for (const Deployment::Backup &backup : deployment->backups) {
        Worker *holder =
            backup.from == self().toHex() ? home.worker(Fingerprint::fromHex(backup.to)->bytes[1]) : nullptr;
        if (!holder || !holder->isAlive() || home.losesCopies)
            continue;
        holder->held.push_back({static_cast<quint64>(round), backup.firstLayer, backup.lastLayer});
        holder->rpc->notify(QStringLiteral("backup.stored"),
                            {{QStringLiteral("from"), backup.from},
                             {QStringLiteral("layers"), QCborArray{backup.firstLayer, backup.lastLayer}},
                             {QStringLiteral("version"), round}});
    }
}

/// Bytes that tell layer and version.
void Worker::sendStates(const QCborMap &args, const Reply &reply) {
    const QCborArray range = args[QStringLiteral("layers")].toArray();
    const auto version = static_cast<quint64>(args[QStringLiteral("version")].toInteger());
    const OptimizerState optimizer = home.request.job.optimizer.state();
    for (qint64 layer = range.at(0).toInteger(); layer < range.at(1).toInteger(); ++layer) {
        const Layer &its = home.request.model.layers[static_cast<std::size_t>(layer)];
        const qint64 bytes = LayerStateLayout::of(its, dtypeOf(home.request.job.precision), optimizer).bytes;
        const auto state = Buffer::allocate(bytes);
        std::memset(state->data(), static_cast<int>(16 * version + quint64(layer)) % 256,
                    static_cast<std::size_t>(bytes));
        const int count = stateChunkCount(bytes);
        for (int index = 0; index < count; ++index) {
            channel->sendTensor(stateChunkHeader({int(layer), version, index, count}, bytes, term),
                                stateChunkPayload(state, index));
        }
    }
    reply.ok();
}

void Worker::sendWeights(const QCborMap &args, const Reply &reply) {
    const QCborArray range = args[QStringLiteral("layers")].toArray();
    for (qint64 layer = range.at(0).toInteger(); layer < range.at(1).toInteger(); ++layer) {
        const auto tensors = initialise(home.request.model, int(layer), home.request.job.seed, DType::Float32);
        for (std::size_t slot = 0; slot < tensors.size(); ++slot) {
            TensorHeader header;
            header.kind = TensorKind::Replica;
            header.dtype = DType::Float32;
            header.dims.assign(tensors[slot].spec.shape.begin(), tensors[slot].spec.shape.end());
            header.term = deployment->term;
            header.stage = static_cast<quint16>(layer);
            header.slot = static_cast<quint16>(slot);
            channel->sendTensor(header, Payload::of(tensors[slot].data));
        }
    }
    reply.ok({{QStringLiteral("version"), rounds}});
}

}  // namespace hearth::fake
