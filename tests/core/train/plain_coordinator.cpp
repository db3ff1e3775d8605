#include "tests/core/train/plain_coordinator.h"

namespace hearth {
namespace {

QString textOf(const Result<void> &result) {
    return result ? QString() : result.error().toString();
}

}  // namespace

Deployment PlainCoordinator::deployment(const TestPlan &plan) const {
    Deployment result = m_home.deployment(m_model, plan, m_batches.front().size(), m_training, m_input);
    result.term = term;
    result.firstRound = static_cast<quint32>(version + 1);
    result.snapshotEvery = snapshotEvery;
    result.gradientCodec = gradientCodec;
    result.sampleTypes = sampleTypes;
    result.tiedFabric = fabric;
    for (Deployment::Stage &stage : result.stages)
        stage.fabric = stage.members.size() > 1 ? fabric : Deployment::builtinFabric();
    for (const Backup &backup : backups) {
        result.backups.push_back({backup.firstLayer, backup.lastLayer, LoopbackHome::fingerprintOf(backup.from).toHex(),
                                  LoopbackHome::fingerprintOf(backup.to).toHex()});
        addPeer(result, backup.from);
        addPeer(result, backup.to);
    }
    return result;
}

void PlainCoordinator::addPeer(Deployment &deployment, int device) const {
    const QString hex = LoopbackHome::fingerprintOf(device).toHex();
    const bool known = std::any_of(deployment.peers.begin(), deployment.peers.end(),
                                   [&](const Deployment::Peer &peer) { return peer.device == hex; });
    if (!known)
        deployment.peers.push_back({hex, QStringLiteral("127.0.0.1"), 1});
}

QString PlainCoordinator::start(const TestPlan &plan) {
    m_fed = version;
    Deployment first = deployment(plan);
    first.weightsStreamed = !weights.empty();
    return textOf(m_home.deploy(first, weights));
}

bool PlainCoordinator::isDone(quint64 round) const {
    return m_home.isReported(static_cast<quint32>(round));
}

/// A round that some device did not get to report when it was halted counts where its state is whole.
void PlainCoordinator::collect(quint64 round) {
    version = round;
    if (isDone(round))
        losses[round] = m_home.loss(static_cast<quint32>(round));
}

/// Who has layers hears what to keep before anything of the round that makes it comes.
void PlainCoordinator::feed(quint64 round) {
    if (keepEvery > 0 && round % static_cast<quint64>(keepEvery) == 0) {
        for (int device = 0; device < m_home.devices(); ++device) {
            if (!m_home.isLost(device) && m_home.deployed().hasLayers(LoopbackHome::fingerprintOf(device).toHex()))
                m_home.note(device, QStringLiteral("keep"), {{QLatin1String("version"), static_cast<qint64>(round)}});
        }
    }
    m_home.feed(static_cast<quint32>(round), m_batches[round - 1]);
}

QString PlainCoordinator::runUntil(const std::function<bool()> &condition, quint64 last) {
    while (!condition() && version < last) {
        while (m_fed < last && m_fed < version + ahead)
            feed(++m_fed);
        if (!m_home.waitFor([&] { return condition() || isDone(version + 1) || !m_home.failures.empty(); }))
            return QStringLiteral("round %1 does not end").arg(version + 1);
        if (!m_home.failures.empty())
            return m_home.failures.front().toString();
        while (version < last && isDone(version + 1))
            collect(version + 1);
    }
    return {};
}

QString PlainCoordinator::runTo(quint64 round) {
    return runUntil([] { return false; }, round);
}

QString PlainCoordinator::halt() {
    ++term;
    m_halted.clear();
    for (int device = 0; device < m_home.devices(); ++device) {
        if (m_home.isLost(device))
            continue;
        auto halted = m_home.halt(device, term);
        if (!halted)
            return halted.error().toString();
        m_halted[device] = std::move(*halted);
    }
    return {};
}

bool PlainCoordinator::holds(int device, int layer, quint64 atVersion) const {
    const auto &states = m_halted.at(device).states;
    return std::any_of(states.begin(), states.end(), [&](const HeldState &held) {
        return held.version == atVersion && held.firstLayer <= layer && layer < held.lastLayer;
    });
}

int PlainCoordinator::holderOf(int layer, quint64 atVersion) const {
    for (const auto &[device, halted] : m_halted) {
        if (holds(device, layer, atVersion))
            return device;
    }
    return -1;
}

qint64 PlainCoordinator::newestWhole() const {
    std::set<quint64, std::greater<>> versions;
    for (const auto &[device, halted] : m_halted) {
        for (const HeldState &held : halted.states)
            versions.insert(held.version);
    }
    for (const quint64 candidate : versions) {
        bool whole = true;
        for (int layer = 0; layer < static_cast<int>(m_model.layers.size()); ++layer)
            whole = whole && holderOf(layer, candidate) >= 0;
        if (whole)
            return static_cast<qint64>(candidate);
    }
    return -1;
}

QString PlainCoordinator::fetch(quint64 atVersion) {
    m_fetched.clear();
    for (int layer = 0; layer < static_cast<int>(m_model.layers.size()); ++layer) {
        auto state = m_home.states(holderOf(layer, atVersion), layer, layer + 1, atVersion);
        if (!state)
            return state.error().toString();
        m_fetched[layer] = state->front();
    }
    return {};
}

QString PlainCoordinator::goOn(const TestPlan &plan) {
    const qint64 base = newestWhole();
    if (base < 0) {  // nothing to go on from: once more from the start
        version = 0;
        return start(plan);
    }
    for (const auto &[device, halted] : m_halted)
        rolledBack += halted.version - std::min(halted.version, static_cast<quint64>(base));
    while (version < static_cast<quint64>(base))
        collect(version + 1);  // reported between the last look and the halt
    version = m_fed = static_cast<quint64>(base);
    if (source != Source::Peers) {
        if (QString wrong = fetch(version); !wrong.isEmpty())
            return wrong;
    }
    Deployment next = deployment(plan);
    next.statesHeld = true;
    for (const Deployment::Stage &stage : next.stages) {
        for (const Deployment::Member &member : stage.members) {
            const int device = m_home.deviceOf(member.device);
            for (int layer = stage.firstLayer; layer < stage.lastLayer; ++layer) {
                if (holds(device, layer, version))
                    continue;
                const int holder = holderOf(layer, version);
                ++moved;
                const bool byPeer = source == Source::Peers;
                next.moves.push_back(
                    {layer, byPeer ? LoopbackHome::fingerprintOf(holder).toHex() : QString(), member.device});
                if (byPeer)
                    addPeer(next, holder);
            }
        }
    }
    if (spares) {
        for (const auto &[device, halted] : m_halted)
            addPeer(next, device);
    }
    listFrozen(next);
    const auto sendAll = [&] {
        for (const Deployment::Move &move : next.moves) {
            if (move.from.isEmpty())
                m_home.sendState(m_home.deviceOf(move.to), move.layer, version, m_fetched[move.layer], term);
        }
    };
    if (source == Source::CoordinatorBeforeDeploy)
        sendAll();
    return textOf(m_home.deploy(next, {}, source == Source::Coordinator ? sendAll : std::function<void()>()));
}

/// Holders in the order of their numbers.
void PlainCoordinator::listFrozen(Deployment &deployment) const {
    deployment.frozen = LoopbackHome::frozenIn(m_model, weights);
    for (Deployment::Frozen &row : deployment.frozen) {
        for (const auto &[device, halted] : m_halted) {
            const auto peer = std::ranges::find(deployment.peers, LoopbackHome::fingerprintOf(device).toHex(),
                                                &Deployment::Peer::device);
            if (peer != deployment.peers.end() && std::ranges::count(halted.frozen, row.layer) > 0)
                row.holders.push_back(static_cast<int>(peer - deployment.peers.begin()));
        }
    }
}

QString PlainCoordinator::recover(const TestPlan &plan) {
    const QString wrong = halt();
    return wrong.isEmpty() ? goOn(plan) : wrong;
}

}  // namespace hearth
