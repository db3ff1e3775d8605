// The half of the worker that keeps training going: terms, halts, states of layers that stay, go and come.
#include <QCborArray>
#include <limits>

#include "core/base/cbor.h"
#include "core/train/worker_service.h"
#include "core/wire/state_chunks.h"

namespace hearth {

void WorkerService::enterTerm(quint32 term) {
    const bool risen = term > m_term;
    m_term = term;
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
    const auto origins = TermOrigins::fromJson(args[QLatin1String("origins")].toArray().toJsonArray());
    if (!origins)
        return reply.fail(badRequest(sentence("The origins of a halt are terms and their first versions.")));
    enterTerm(static_cast<quint32>(term));
    m_links.cancelConnecting();
    m_thread->post([this, compute = m_compute, term = m_term, origins = *origins, ticket = m_line.keep(reply)] {
        auto halted = compute->states->halt(term, compute->stages.get(), origins);
        if (compute->stages)
            compute->frozen->keep(*compute->stages);
        QCborArray frozen;
        for (const int layer : compute->frozen->held())
            frozen.append(layer);
        if (halted)
            (*halted)[QLatin1String("frozen")] = frozen;
        // Its state is in the store, so its memory is free for the next plan.
        compute->stages.reset();
        later([this, ticket, halted] { m_line.answer(ticket, halted); });
    });
}

void WorkerService::receiveState(const QString &from, const TensorFrame &frame) {
    m_thread->post([this, compute = m_compute, from, frame] {
        Result<void> received = compute->states->receive(from, frame);
        if (received && compute->stages)
            received = compute->states->load(*compute->stages);
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
        m_line.note(QStringLiteral("frozen.wanted"),
                    {{QLatin1String("term"), static_cast<qint64>(term)}, {QLatin1String("layers"), QCborArray{layer}}});
    };
    doors.find = [this](int layer, FrozenExchange::Found found) {
        m_thread->post([this, compute = m_compute, layer, found = std::move(found)] {
            auto bytes = compute->frozen->find(layer, compute->stages.get());
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
        if (compute->stages) {
            if (auto loaded = compute->frozen->load(*compute->stages); !loaded)
                return refuse(*compute, from, loaded.error());
        }
        later([this, term, layer] { m_exchange.arrived(term, layer); });
    });
}

void WorkerService::sendMoves(Deploying &deploying) {
    deploying.moving.start();
    deploying.unsent = deploying.parcels.size();
    for (StateParcel &parcel : std::exchange(deploying.parcels, {})) {
        m_sender.send(std::move(parcel), StateSender::Purpose::Move, m_term,
                      [this, serial = deploying.serial](const Result<void> &sent) {
                          // Of a connection that is gone the coordinator was told, and it deploys again.
                          if (sent)
                              deployProgress(
                                  serial, [](Deploying &state) { --state.unsent; }, sent);
                      });
    }
}

}  // namespace hearth
