#include "core/train/stage_calls.h"

#include <QCborArray>
#include <QJsonArray>
#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/cbor.h"
#include "core/train/coordinator_line.h"

namespace hearth {
namespace {

/// From "spread_ms"; none is at once.
std::chrono::milliseconds spreadOf(const QCborMap &args) {
    constexpr qint64 longest = 60'000;
    return std::chrono::milliseconds(std::clamp<qint64>(integerOf(args[QLatin1String("spread_ms")]), 0, longest));
}

}  // namespace

void StageCalls::codecs(const QCborMap &args, const Reply &reply) {
    if (integerOf(args[QLatin1String("term")], -1) != m_term())
        return reply.fail(badRequest(sentence("Codecs change under another term.")));
    const QJsonArray changes = args[QLatin1String("changes")].toArray().toJsonArray();
    m_thread.post([this, compute = m_compute, changes, ticket = m_line.keep(reply)] {
        Result<void> result;
        if (compute->stages)
            result = compute->stages->changeCodecs(changes);
        m_io.post([this, ticket, result] {
            m_line.answer(ticket, result ? Result<QCborMap>(QCborMap()) : tl::unexpected(result.error()));
        });
    });
}

void StageCalls::evaluate(const QCborMap &args, const Reply &reply) {
    m_thread.post([this, compute = m_compute, order = EvaluationOrder::fromCbor(args), ticket = m_line.keep(reply)] {
        Result<void> result;
        if (compute->stages)
            result = compute->stages->beginEvaluation(order);
        else
            result = tl::unexpected(badRequest(sentence("No layers are deployed here.")));
        m_io.post([this, ticket, result] {
            m_line.answer(ticket, result ? Result<QCborMap>(QCborMap()) : tl::unexpected(result.error()));
        });
    });
}

void StageCalls::sendWeights(const QCborMap &args, const Reply &reply) {
    const QCborArray range = args[QLatin1String("layers")].toArray();
    const auto first = static_cast<int>(integerOf(range.at(0), -1)),
               last = static_cast<int>(integerOf(range.at(1), -1));
    m_thread.post([this, compute = m_compute, first, last, ticket = m_line.keep(reply)] {
        const StageExecutor *executor = compute->stages ? compute->stages->withLayer(first) : nullptr;
        if (!executor || !executor->isIdle() || first < executor->firstLayer() || first > last ||
            last > executor->lastLayer()) {
            m_io.post([this, ticket] {
                m_line.answer(ticket, tl::unexpected(
                                          badRequest(sentence("Those layers are not here, or a round is under way."))));
            });
            return;
        }
        std::vector<std::pair<int, std::vector<NamedTensor>>> layers;
        for (int l = first; l < last; ++l) {
            auto tensors = executor->readLayer(l);
            if (!tensors) {
                m_io.post([this, ticket, error = tensors.error()] { m_line.answer(ticket, tl::unexpected(error)); });
                return;
            }
            layers.emplace_back(l, std::move(*tensors));
        }
        m_io.post([this, ticket, layers = std::move(layers), version = executor->version()] {
            Channel *channel = m_line.channel();
            if (channel == nullptr)
                return;
            for (const auto &[layer, tensors] : layers) {
                for (std::size_t i = 0; i < tensors.size(); ++i) {
                    if (tensors[i].spec.tiedTo)
                        continue;  // comes with the first of its layers
                    TensorHeader header;
                    header.kind = TensorKind::Replica;
                    header.dtype = tensors[i].dtype;
                    header.dims.assign(tensors[i].spec.shape.begin(), tensors[i].spec.shape.end());
                    header.term = m_term();
                    header.round = static_cast<quint32>(version);
                    header.version = version;
                    header.stage = static_cast<quint16>(layer);
                    header.slot = static_cast<quint16>(i);
                    channel->sendTensor(header, Payload::of(tensors[i].data));
                }
            }
            m_line.answerWhenSent(ticket, {{QLatin1String("version"), static_cast<qint64>(version)}});
        });
    });
}

void StageCalls::keep(const QCborMap &args) {
    const qint64 version = integerOf(args[QLatin1String("version")], -1);
    m_backupSpread = spreadOf(args);
    if (version > 0)
        m_thread.post([compute = m_compute, version] { compute->states->keep(static_cast<quint64>(version)); });
}

void StageCalls::sumExactly(const QCborMap &args) {
    const qint64 version = integerOf(args[QLatin1String("version")], -1);
    m_thread.post([compute = m_compute, version] {
        if (compute->stages && version > 0)
            compute->stages->sumExactly(static_cast<quint64>(version));
    });
}

void StageCalls::commit(const QCborMap &args) {
    const qint64 version = integerOf(args[QLatin1String("version")], -1);
    if (version >= 0)
        m_thread.post([compute = m_compute, version] {
            compute->states->commit(static_cast<quint64>(version));
            compute->frozen->release();  // rounds are done
        });
}

void StageCalls::sendStates(const QCborMap &args, const Reply &reply) {
    const QCborArray range = args[QLatin1String("layers")].toArray();
    const qint64 first = integerOf(range.at(0), -1), last = integerOf(range.at(1), -1);
    const qint64 version = integerOf(args[QLatin1String("version")], -1);
    if (version < 0 || first < 0 || last <= first || last > std::numeric_limits<int>::max())
        return reply.fail(badRequest(sentence("States are asked for by version and layers.")));
    m_thread.post([this, compute = m_compute, first, last, version, term = m_term(), spread = spreadOf(args),
                   ticket = m_line.keep(reply)] {
        auto parcel =
            compute->states->fetch(static_cast<int>(first), static_cast<int>(last), static_cast<quint64>(version));
        m_io.post([this, ticket, term, spread, parcel = std::move(parcel)]() mutable {
            if (!parcel)
                return m_line.answer(ticket, tl::unexpected(parcel.error()));
            const auto done = [this, ticket](const Result<void> &sent) {
                if (!sent)
                    return m_line.answer(ticket, tl::unexpected(sent.error()));
                m_line.answerWhenSent(ticket, {});
            };
            // A halt came meanwhile, and nobody awaits them any more.
            if (term != m_term())
                return done(fail(QStringLiteral("worker.superseded"), sentence("A newer plan took its place.")));
            m_sender.send(std::move(*parcel), StateSender::Purpose::Fetch, term, done, spread);
        });
    });
}

Result<void> StageCalls::keepStates(WorkerCompute &compute) {
    auto parcels = compute.states->roundDone(*compute.stages);
    if (!parcels)
        return tl::unexpected(parcels.error());
    if (!parcels->empty()) {
        m_io.post([this, parcels = std::move(*parcels), term = compute.states->term()]() mutable {
            sendBackups(std::move(parcels), term);
        });
    }
    return {};
}

/// Never more than one backup at a time: on a slow link the next one that is due takes the place of those missed.
void StageCalls::sendBackups(std::vector<StateParcel> parcels, quint32 term) {
    if (term != m_term() || m_sender.isSending(StateSender::Purpose::Backup))
        return;
    for (StateParcel &parcel : parcels)
        m_sender.send(std::move(parcel), StateSender::Purpose::Backup, term, {}, m_backupSpread);
}

}  // namespace hearth
