// The half of the worker that keeps training going: terms, halts, states of layers that stay, go and come.
#include <QCborArray>

#include <algorithm>
#include <limits>

#include "core/base/cbor.h"
#include "core/train/worker_service.h"
#include "core/wire/state_chunks.h"

namespace hearth {

Error WorkerService::badRequest(const Sentence &cause) {
    return {
        QStringLiteral("worker.bad-request"), sentence("The coordinator asked for something impossible."), cause, {}};
}

void WorkerService::enterTerm(quint32 term) {
    const bool risen = term > m_term;
    m_term = term;
    Q_EMIT termEntered(term);
    if (m_deploying)
        m_deploying->reply.fail(
            {QStringLiteral("worker.superseded"), sentence("A newer plan took its place."), {}, {}});
    m_deploying.reset();
    m_exchange.drop();
    m_sender.drop([risen](StateSender::Purpose purpose) { return risen || purpose != StateSender::Purpose::Fetch; });
}

void WorkerService::halt(const QCborMap &args, const Reply &reply) {
    const qint64 term = integerOf(args[QLatin1String("term")], -1);
    if (term < 0 || term > std::numeric_limits<quint32>::max())
        return reply.fail(badRequest(sentence("A halt takes a term.")));
    if (term < m_term)
        return reply.fail(badRequest(sentence("Term %1 came after term %2.").arg(term).arg(m_term)));
    enterTerm(static_cast<quint32>(term));
    m_links.cancelConnecting();
    m_thread->post([this, compute = m_compute, term = m_term, ticket = keep(reply)] {
        auto halted = compute->states->halt(term, compute->executor.get());
        if (compute->executor)
            compute->frozen->keep(*compute->executor);
        QCborArray frozen;
        for (const int layer : compute->frozen->held())
            frozen.append(layer);
        if (halted)
            (*halted)[QLatin1String("frozen")] = frozen;
        // Its state is in the store, so its memory is free for the next plan.
        compute->executor.reset();
        later([this, ticket, halted] { answer(ticket, halted); });
    });
}

/// From "spread_ms"; none is at once.
std::chrono::milliseconds WorkerService::spreadOf(const QCborMap &args) {
    constexpr qint64 longest = 60'000;
    return std::chrono::milliseconds(std::clamp<qint64>(integerOf(args[QLatin1String("spread_ms")]), 0, longest));
}

void WorkerService::keepVersion(const QCborMap &args) {
    const qint64 version = integerOf(args[QLatin1String("version")], -1);
    m_backupSpread = spreadOf(args);
    if (version > 0)
        m_thread->post([compute = m_compute, version] { compute->states->keep(static_cast<quint64>(version)); });
}

void WorkerService::commit(const QCborMap &args) {
    const qint64 version = integerOf(args[QLatin1String("version")], -1);
    if (version >= 0)
        m_thread->post([compute = m_compute, version] {
            compute->states->commit(static_cast<quint64>(version));
            compute->frozen->release();  // rounds are done
        });
}

void WorkerService::sendStates(const QCborMap &args, const Reply &reply) {
    const QCborArray range = args[QLatin1String("layers")].toArray();
    const qint64 first = integerOf(range.at(0), -1), last = integerOf(range.at(1), -1);
    const qint64 version = integerOf(args[QLatin1String("version")], -1);
    if (version < 0 || first < 0 || last <= first || last > std::numeric_limits<int>::max())
        return reply.fail(badRequest(sentence("States are asked for by version and layers.")));
    m_thread->post([this, compute = m_compute, first, last, version, spread = spreadOf(args), ticket = keep(reply)] {
        auto parcel =
            compute->states->fetch(static_cast<int>(first), static_cast<int>(last), static_cast<quint64>(version));
        later([this, ticket, spread, parcel = std::move(parcel)]() mutable {
            if (!parcel)
                return answer(ticket, tl::unexpected(parcel.error()));
            const auto done = [this, ticket](const Result<void> &sent) {
                if (!sent)
                    return answer(ticket, tl::unexpected(sent.error()));
                answerWhenSent(ticket, {});
            };
            m_sender.send(std::move(*parcel), StateSender::Purpose::Fetch, m_term, done, spread);
        });
    });
}

void WorkerService::receiveState(const QString &from, const TensorFrame &frame) {
    m_thread->post([this, compute = m_compute, from, frame] {
        Result<void> received = compute->states->receive(from, frame);
        if (received && compute->executor)
            received = compute->states->load(*compute->executor);
        if (!received)
            refuse(*compute, from, received.error());
    });
}

/// What the exchange of frozen tensors needs of the compute thread and of the coordinator.
FrozenExchange::Doors WorkerService::frozenDoors() {
    FrozenExchange::Doors doors;
    doors.expect = [this](int layer, const QString &from) {
        m_thread->post([compute = m_compute, layer, from] { compute->frozen->expect(layer, from); });
    };
    doors.ask = [this](quint32 term, int layer) {
        note(QStringLiteral("frozen.wanted"),
             {{QLatin1String("term"), static_cast<qint64>(term)}, {QLatin1String("layers"), QCborArray{layer}}});
    };
    doors.find = [this](int layer, FrozenExchange::Found found) {
        m_thread->post([this, compute = m_compute, layer, found = std::move(found)] {
            auto bytes = compute->frozen->find(layer, compute->executor.get());
            later([found, bytes = bytes ? *bytes : nullptr] { found(bytes); });
        });
    };
    return doors;
}

void WorkerService::receiveFrozen(const QString &from, const TensorFrame &frame) {
    if (!from.isEmpty())
        m_exchange.heard(from);
    m_thread->post([this, compute = m_compute, from, frame] {
        const auto arrival = compute->frozen->receive(from, frame);
        if (!arrival)
            return refuse(*compute, from, arrival.error());
        const quint32 term = frame.header.term;
        const int layer = frame.header.stage;
        if (*arrival == FrozenStore::Arrival::Wrong)
            later([this, term, layer, from] { m_exchange.wasWrong(term, layer, from); });
        if (*arrival != FrozenStore::Arrival::Whole)
            return;
        if (compute->executor) {
            if (auto loaded = compute->frozen->load(*compute->executor); !loaded)
                return refuse(*compute, from, loaded.error());
        }
        later([this, term, layer] { m_exchange.arrived(term, layer); });
    });
}

Result<void> WorkerService::keepStates(Compute &compute) {
    auto parcels = compute.states->roundDone(*compute.executor);
    if (!parcels)
        return tl::unexpected(parcels.error());
    if (!parcels->empty()) {
        later([this, parcels = std::move(*parcels), term = compute.states->term()]() mutable {
            sendBackups(std::move(parcels), term);
        });
    }
    return {};
}

void WorkerService::sendMoves(Deploying &deploying) {
    deploying.moving.start();
    deploying.unsent = deploying.parcels.size();
    for (StateParcel &parcel : std::exchange(deploying.parcels, {})) {
        m_sender.send(std::move(parcel), StateSender::Purpose::Move, m_term,
                      [this, serial = deploying.serial](const Result<void> &sent) {
                          deployProgress(
                              serial, [](Deploying &state) { --state.unsent; }, sent);
                      });
    }
}

/// Never more than one backup at a time: on a slow link the next one that is due takes the place of those missed.
void WorkerService::sendBackups(std::vector<StateParcel> parcels, quint32 term) {
    if (term != m_term || m_sender.isSending(StateSender::Purpose::Backup))
        return;
    for (StateParcel &parcel : parcels)
        m_sender.send(std::move(parcel), StateSender::Purpose::Backup, term, {}, m_backupSpread);
}

}  // namespace hearth
