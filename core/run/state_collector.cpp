#include "core/run/state_collector.h"

#include <QCborArray>
#include <algorithm>

#include "core/base/at.h"

namespace hearth {

std::optional<std::map<QString, std::vector<HeldState>>> sourcesOf(const StateLayers &layers, quint64 version,
                                                                   const HeldByDevice &held, const QString &nearest) {
    const StateHolders holders(held, version, static_cast<int>(layers.size()));
    std::map<QString, std::vector<HeldState>> from;
    for (int layer = 0; layer < static_cast<int>(layers.size()); ++layer) {
        if (layers[at(layer)].bytes == 0)
            continue;
        if (holders.of(layer).isEmpty())
            return std::nullopt;
        auto &parts = from[holders.holds(nearest, layer) ? nearest : holders.of(layer).front()];
        if (!parts.empty() && parts.back().lastLayer == layer)
            parts.back().lastLayer = layer + 1;
        else
            parts.push_back({version, layer, layer + 1});
    }
    return from;
}

StateCollector::StateCollector(StateLayers layers, quint64 version, quint32 term, const RunDeadlines &deadlines,
                               QObject *parent)
    : QuietStep(deadlines.weights, parent),
      m_layers(std::move(layers)),
      m_version(version),
      m_term(term),
      m_deadlines(deadlines),
      m_states(m_layers.size(), Buffer::allocate(0)) {}

void StateCollector::tooQuiet() {
    giveUp({QStringLiteral("run.state-missing"), sentence("The states of some layers did not arrive."),
            sentence("%1 {1|layer is|layers are} missing.").arg(m_open.size()),
            sentence("Check the network to the devices that the plan uses.")});
}

void StateCollector::start(const std::vector<WorkerSession *> &workers,
                           const std::map<QString, std::vector<HeldState>> &from) {
    for (const auto &[device, parts] : from) {
        const auto worker = std::find_if(workers.begin(), workers.end(),
                                         [&id = device](const WorkerSession *each) { return each->id() == id; });
        if (worker == workers.end()) {
            QMetaObject::invokeMethod(
                this,
                [this] {
                    giveUp({QStringLiteral("run.no-holder"), sentence("A layer's state has no holder."), {}, {}});
                },
                Qt::QueuedConnection);
            return;
        }
        connect(*worker, &WorkerSession::tensorReceived, this,
                [this, session = *worker](const TensorFrame &frame) { take(*session, frame); });
        for (const HeldState &part : parts)
            ask(**worker, part);
    }
}

void StateCollector::ask(WorkerSession &worker, const HeldState &part) {
    for (int layer = part.firstLayer; layer < part.lastLayer; ++layer) {
        if (m_layers[at(layer)].bytes > 0)
            m_open.emplace(layer, std::pair(worker.id(), std::make_unique<StateAssembly>(layer, m_version,
                                                                                         m_layers[at(layer)].bytes)));
    }
    ++m_calls;
    const QCborMap args{{QStringLiteral("version"), static_cast<qint64>(m_version)},
                        {QStringLiteral("layers"), QCborArray{part.firstLayer, part.lastLayer}},
                        {QStringLiteral("spread_ms"), static_cast<qint64>(m_spread.count())}};
    worker.callWhileMoving(QStringLiteral("state.get"), args, m_deadlines.weights, this,
                           [this](const Result<QCborMap> &reply) {
                               if (isOver())
                                   return;
                               if (!reply) {
                                   giveUp(reply.error());
                                   return;
                               }
                               if (--m_calls == 0)
                                   m_quiet.start();  // answers may overtake the last chunks
                               completeWhenDone();
                           });
}

void StateCollector::completeWhenDone() {
    if (isOver() || m_calls > 0 || !m_open.empty())
        return;
    close();
    Q_EMIT finished();
}

void StateCollector::take(const WorkerSession &worker, const TensorFrame &frame) {
    if (isOver() || !isStateChunk(frame.header) || frame.header.term != m_term || frame.header.version != m_version)
        return;
    const auto open = m_open.find(frame.header.stage);
    if (open == m_open.end() || open->second.first != worker.id())
        return;
    StateAssembly &assembly = *open->second.second;
    if (auto added = assembly.add(frame); !added) {
        giveUp(namedFor(worker.device(), added.error()));
        return;
    }
    if (assembly.complete()) {
        m_states[at(open->first)] = assembly.state();
        m_open.erase(open);
        completeWhenDone();
    }
}

}  // namespace hearth
