#include "core/train/frozen_exchange.h"

#include <algorithm>
#include <limits>

#include "core/base/cbor.h"
#include "core/wire/state_chunks.h"

namespace hearth {
namespace {

/// Silence ends a call before.
constexpr std::chrono::hours longestCall{12};

tl::unexpected<Error> notHere() {
    return fail(QStringLiteral("worker.no-frozen"), sentence("A device does not have the frozen tensors of a layer."));
}

/// The deployment says that the device has the layer: it need not wait for anybody before it answers.
bool isHolder(const Deployment &deployment, int layer, const QString &device) {
    const Deployment::Frozen *frozen = deployment.frozenOf(layer);
    return frozen && std::ranges::any_of(frozen->holders, [&](int holder) {
               return deployment.peers[static_cast<std::size_t>(holder)].device == device;
           });
}

}  // namespace

FrozenExchange::FrozenExchange(QString self, PeerLinks &links, StateSender &sender, Doors doors,
                               std::chrono::milliseconds waits, QObject *parent)
    : QObject(parent),
      m_self(std::move(self)),
      m_links(links),
      m_sender(sender),
      m_doors(std::move(doors)),
      m_waits(waits) {
    m_links.handle(QStringLiteral("frozen.get"), [this](const QString &device, const QCborMap &args,
                                                        const Reply &reply) { take(device, args, reply); });
    const auto forget = [this](const QString &device) {  // what it asked for over the link before
        refuse([&](const Request &request) { return request.device == device; });
    };
    connect(&m_links, &PeerLinks::linked, this, [this, forget](const QString &device) {
        forget(device);
        ask();
    });
    connect(&m_links, &PeerLinks::lost, this, [this, forget](const QString &device) {
        forget(device);
        if (std::ranges::any_of(m_wanted, [&](const auto &each) { return each.second.sources.front() == device; }))
            giveUp(device);
    });
}

std::vector<QString> FrozenExchange::sourcesOf(const Deployment &deployment, int layer, const QString &self) {
    std::vector<QString> sources;
    const Deployment::Frozen *frozen = deployment.frozenOf(layer);
    for (const int holder : frozen ? frozen->holders : std::vector<int>()) {
        const QString &device = deployment.peers[static_cast<std::size_t>(holder)].device;
        if (device != self)
            sources.push_back(device);
    }
    if (!sources.empty())
        return sources;
    // Nobody has it: of a group the first one asks the coordinator, and every other one the one before it.
    const auto stage = std::ranges::find_if(deployment.stages, [layer](const Deployment::Stage &each) {
        return layer >= each.firstLayer && layer < each.lastLayer;
    });
    for (std::size_t m = 0; stage != deployment.stages.end() && m < stage->members.size(); ++m) {
        if (stage->members[m].device == self)
            break;
        sources.insert(sources.begin(), stage->members[m].device);
    }
    return sources;
}

void FrozenExchange::begin(const Deployment &deployment) {
    drop();
    m_deployment = deployment;
    m_deployment.model = {};
    refuse([&](const Request &request) { return request.term < deployment.term; });
}

void FrozenExchange::drop() {
    m_wanted.clear();
    m_patience.clear();
    m_silent.clear();
    m_built = false;
    for (Request &request : m_requests) {
        if (request.step == Step::Looking)
            request.step = Step::Waiting;
    }
}

void FrozenExchange::fetch(quint32 term, const std::vector<int> &layers) {
    if (term != m_deployment.term)
        return;
    m_built = true;
    for (const int layer : layers) {
        Wanted &wanted = m_wanted[layer];
        wanted.sources = sourcesOf(m_deployment, layer, m_self);
        wanted.sources.emplace_back();
    }
    ask();
    serve();
}

void FrozenExchange::ask() {
    std::vector<int> layers;
    for (const auto &[layer, wanted] : m_wanted) {
        if (!wanted.isAsked)
            layers.push_back(layer);
    }
    for (const int layer : layers) {
        if (const auto wanted = m_wanted.find(layer); wanted != m_wanted.end() && !wanted->second.isAsked)
            askOne(layer, wanted->second);
    }
    std::erase_if(m_patience, [this](const auto &each) {
        return std::ranges::none_of(m_wanted, [&](const auto &wanted) {
            return wanted.second.sources.front() == each.first && isHolder(m_deployment, wanted.first, each.first);
        });
    });
}

void FrozenExchange::askOne(int layer, Wanted &wanted) {
    while (m_silent.contains(wanted.sources.front()))
        wanted.sources.erase(wanted.sources.begin());
    const QString from = wanted.sources.front();
    const auto asked = std::ranges::count_if(
        m_wanted, [&](const auto &each) { return each.second.isAsked && each.second.sources.front() == from; });
    if (asked >= atOnce)
        return;
    const quint32 term = m_deployment.term;
    if (from.isEmpty()) {
        wanted.isAsked = true;
        m_doors.expect(layer, from);
        m_doors.ask(term, layer);
        return;
    }
    if (isHolder(m_deployment, layer, from))
        watch(from);
    if (!m_links.channel(from))
        return;  // on its way, or patience ends
    wanted.isAsked = true;
    m_doors.expect(layer, from);
    m_links.call(from, QStringLiteral("frozen.get"),
                 {{QLatin1String("term"), static_cast<qint64>(term)},
                  {QLatin1String("layer"), layer},
                  {QLatin1String("sha256"), m_deployment.frozenOf(layer)->sha256}},
                 longestCall, this, [this, term, layer, from](const Result<QCborMap> &answer) {
                     if (!answer)
                         goOn(term, layer, from);
                 });
}

void FrozenExchange::watch(const QString &device) {
    std::unique_ptr<QTimer> &timer = m_patience[device];
    if (timer)
        return;
    timer = std::make_unique<QTimer>();
    timer->setSingleShot(true);
    connect(timer.get(), &QTimer::timeout, this, [this, device] { giveUp(device); });
    timer->start(m_waits);
}

void FrozenExchange::heard(const QString &device) {
    if (const auto timer = m_patience.find(device); timer != m_patience.end())
        timer->second->start(m_waits);
}

/// The next source takes the place of `from`.
void FrozenExchange::goOn(quint32 term, int layer, const QString &from) {
    const auto wanted = m_wanted.find(layer);
    if (term != m_deployment.term || wanted == m_wanted.end() || wanted->second.sources.front() != from)
        return;
    wanted->second.isAsked = false;
    if (!from.isEmpty()) {
        wanted->second.sources.erase(wanted->second.sources.begin());
        heard(from);
        ask();
        return;
    }
    drop();
    Q_EMIT failed(
        term, {QStringLiteral("worker.no-frozen"), sentence("The frozen tensors of layer %1 are missing.").arg(layer),
               sentence("Neither another device of the run nor its coordinator gives those that training "
                        "began with."),
               sentence("Start the run anew from its weights.")});
}

void FrozenExchange::giveUp(const QString &device) {
    qCInfo(linkLog).noquote() << "No frozen tensors come from" << device;
    m_silent.insert(device);
    if (const auto timer = m_patience.find(device); timer != m_patience.end()) {
        timer->second.release()->deleteLater();  // this may be its signal
        m_patience.erase(timer);
    }
    for (auto &[layer, wanted] : m_wanted)
        wanted.isAsked = wanted.isAsked && wanted.sources.front() != device;
    ask();
}

void FrozenExchange::arrived(quint32 term, int layer) {
    if (term != m_deployment.term)
        return;
    m_wanted.erase(layer);
    ask();
    serve();
}

void FrozenExchange::wasWrong(quint32 term, int layer, const QString &from) {
    if (term == m_deployment.term)
        qCWarning(linkLog).noquote() << "Layer" << layer << "came with other frozen tensors than it has, from"
                                     << (from.isEmpty() ? QStringLiteral("the coordinator") : from);
    goOn(term, layer, from);
}

void FrozenExchange::take(const QString &device, const QCborMap &args, const Reply &reply) {
    const qint64 term = integerOf(args[QLatin1String("term")], -1);
    const auto waiting =
        std::ranges::count_if(m_requests, [&](const Request &request) { return request.device == device; });
    if (waiting >= atOnce || term < m_deployment.term || term > std::numeric_limits<quint32>::max())
        return reply.fail(notHere().value());
    m_requests.push_back({++m_lastRequest, device, static_cast<quint32>(term),
                          static_cast<int>(integerOf(args[QLatin1String("layer")], -1)),
                          args[QLatin1String("sha256")].toString(), reply});
    serve();
}

void FrozenExchange::serve() {
    const auto isNow = [this](const Request &request) {
        return request.term == m_deployment.term && request.step == Step::Waiting;
    };
    refuse([&](const Request &request) {
        const Deployment::Frozen *frozen = m_deployment.frozenOf(request.layer);
        return isNow(request) && (!frozen || frozen->sha256 != request.sha256);
    });
    for (Request &request : m_requests) {
        if (!isNow(request))
            continue;
        request.step = Step::Looking;
        m_doors.find(request.layer,
                     [this, id = request.id](const std::shared_ptr<const Buffer> &bytes) { found(id, bytes); });
    }
}

void FrozenExchange::found(quint64 request, const std::shared_ptr<const Buffer> &bytes) {
    const auto asked = std::ranges::find(m_requests, request, &Request::id);
    if (asked == m_requests.end() || asked->term != m_deployment.term || asked->step != Step::Looking)
        return;
    if (bytes) {
        asked->step = Step::Sending;
        m_sender.send({asked->device, frozenVersion, {{asked->layer, bytes}}}, StateSender::Purpose::Move, asked->term,
                      [this, request](const Result<void> &sent) { answer(request, sent); });
        return;
    }
    asked->step = Step::Waiting;
    if (m_built && !m_wanted.contains(asked->layer))
        answer(request, notHere());
}

void FrozenExchange::refuse(const std::function<bool(const Request &)> &which) {
    std::vector<quint64> refused;
    for (const Request &request : m_requests) {
        if (which(request))
            refused.push_back(request.id);
    }
    for (const quint64 id : refused)
        answer(id, notHere());
}

void FrozenExchange::answer(quint64 request, const Result<void> &result) {
    const auto asked = std::ranges::find(m_requests, request, &Request::id);
    if (asked == m_requests.end())
        return;
    const Reply reply = asked->reply;
    m_requests.erase(asked);
    if (result)
        reply.ok();
    else
        reply.fail(result.error());
}

}  // namespace hearth
