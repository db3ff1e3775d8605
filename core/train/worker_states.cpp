#include "core/train/worker_states.h"

#include <algorithm>
#include <numeric>

#include "core/model/layer_state.h"

namespace hearth {
namespace {

tl::unexpected<Error> noState(int layer, quint64 version) {
    return fail(QStringLiteral("worker.no-state"), sentence("A worker was asked for a state that it does not hold."),
                sentence("Layer %1 at version %2 is not here.").arg(layer).arg(version));
}

tl::unexpected<Error> badStates(const Sentence &cause) {
    return fail(QStringLiteral("worker.bad-deployment"), sentence("This worker cannot take the part it was given."),
                cause, sentence("Run the same version of Hearth on all devices."));
}

struct Layers {
    int first, last;  // half-open
};

/// Of each of its stages.
std::vector<Layers> layersOf(const QString &device, const Deployment &deployment) {
    std::vector<Layers> layers;
    for (const int stage : deployment.stagesOf(device)) {
        const Deployment::Stage &own = deployment.stages[static_cast<std::size_t>(stage)];
        layers.push_back({own.firstLayer, own.lastLayer});
    }
    return layers;
}

}  // namespace

WorkerStates::WorkerStates(QString self, CopyStored copyStored)
    : m_self(std::move(self)),
      m_copyStored(std::move(copyStored)),
      m_pool(BufferPool::make()),
      m_inbox(m_pool, [this](const QString &from, int layer, quint64 version, std::shared_ptr<const Buffer> state) {
          arrived(from, layer, version, std::move(state));
      }) {}

bool WorkerStates::isIdle(const QString &device, const Deployment &deployment) {
    return !deployment.hasLayers(device) &&
           std::any_of(deployment.peers.begin(), deployment.peers.end(),
                       [&](const Deployment::Peer &peer) { return peer.device == device; });
}

Result<QCborMap> WorkerStates::halt(quint32 term, WorkerStages *stages, const TermOrigins &origins) {
    m_inbox.beginTerm(term);
    if (stages && stages->weightsComplete()) {
        for (const auto &executor : stages->executors()) {
            executor->abandonRound();
            // What members owe each other ends with this plan: a state before anything was owed is gone back to.
            if (executor->owesGradients())
                continue;
            if (auto taken = snapshot(*executor); !taken)
                return tl::unexpected(taken.error());
        }
        m_version = stages->version();
    }
    m_store.forgetBy(origins);
    return QCborMap{{QLatin1String("version"), static_cast<qint64>(m_version)},
                    {QLatin1String("states"), heldStatesToCbor(m_store.held())}};
}

Result<void> WorkerStates::prepare(const Deployment &deployment, const Model &model) {
    if (deployment.stages.back().lastLayer != static_cast<int>(model.layers.size()))
        return badStates(sentence("The stages do not cover the model."));
    const std::vector<Layers> own = layersOf(m_self, deployment);
    StateInbox::Expected expected;
    expected.term = deployment.term;
    expected.version = deployment.firstVersion();
    for (const Layer &layer : model.layers)
        expected.stateBytes.push_back(
            LayerStateLayout::of(layer, dtypeOf(deployment.training.precision), deployment.training.state()).bytes);
    for (const Deployment::Move &move : deployment.moves) {
        if (move.to == m_self && !m_store.find(move.layer, expected.version))
            expected.moves.insert({move.from, move.layer});
    }
    for (const Deployment::Backup &backup : deployment.backups) {
        if (backup.to == m_self)
            expected.copies.push_back(backup);
        const auto holds = [&](const Layers &layers) {
            return backup.firstLayer >= layers.first && backup.lastLayer <= layers.last;
        };
        if (backup.from == m_self && std::ranges::none_of(own, holds))
            return badStates(sentence("It does not compute all layers that it should send copies of."));
    }
    m_inbox.beginTerm(deployment.term);
    if (auto held = checkHeld(deployment, expected); !held)
        return held;
    m_deployment = deployment;
    m_stateBytes = expected.stateBytes;
    qint64 kept = 0;
    const auto count = [&](int first, int last) {
        kept += std::accumulate(m_stateBytes.begin() + first, m_stateBytes.begin() + last, qint64{0});
    };
    for (const auto &[first, last] : own)
        count(first, last);
    for (const Deployment::Backup &copy : expected.copies)
        count(copy.firstLayer, copy.lastLayer);
    m_pool->setCapacity(kept);
    return m_inbox.expect(std::move(expected));
}

/// Every state that this device must load or send is here, or a move brings it.
Result<void> WorkerStates::checkHeld(const Deployment &deployment, const StateInbox::Expected &expected) const {
    if (!deployment.statesHeld)
        return {};
    const auto isHere = [&](int layer) {
        return expected.stateBytes[static_cast<std::size_t>(layer)] == 0 || m_store.find(layer, expected.version);
    };
    for (const Deployment::Move &move : deployment.moves) {
        if (move.from == m_self && !isHere(move.layer))
            return noState(move.layer, expected.version);
    }
    std::set<int> coming;
    for (const auto &[from, layer] : expected.moves)
        coming.insert(layer);
    for (const auto &[first, last] : layersOf(m_self, deployment)) {
        for (int layer = first; layer < last; ++layer) {
            if (!coming.contains(layer) && !isHere(layer))
                return noState(layer, expected.version);
        }
    }
    return {};
}

std::vector<StateParcel> WorkerStates::moves() const {
    std::map<QString, StateParcel> parcels;
    for (const Deployment::Move &move : m_deployment.moves) {
        if (move.from != m_self)
            continue;
        StateParcel &parcel = parcels[move.to];
        parcel.to = move.to;
        parcel.version = m_deployment.firstVersion();
        if (auto state = m_store.find(move.layer, parcel.version))
            parcel.entries.push_back({move.layer, std::move(state)});
    }
    std::vector<StateParcel> list;
    for (auto &[to, parcel] : parcels)
        list.push_back(std::move(parcel));
    return list;
}

Result<void> WorkerStates::load(WorkerStages &stages) const {
    for (const auto &executor : stages.executors()) {
        for (int layer = executor->firstLayer(); layer < executor->lastLayer(); ++layer) {
            if (!executor->awaitsState(layer))
                continue;
            Result<void> loaded;
            if (const auto state = m_store.find(layer, executor->version()))
                loaded = executor->loadState(layer, state->bytes());
            else if (executor->stateBytes(layer) == 0)
                loaded = executor->loadState(layer, {});
            if (!loaded)
                return loaded;
        }
    }
    return {};
}

void WorkerStates::deployed() {
    if (m_deployment.statesHeld)
        m_store.forgetAfter(m_deployment.firstVersion());
    else
        m_store.clear();
    m_base = m_deployment.firstVersion();
    m_begun.clear();
    // Nothing came for layers without a state; they are held all the same.
    if (!m_deployment.statesHeld)
        return;
    for (const auto &[first, last] : layersOf(m_self, m_deployment)) {
        for (int layer = first; layer < last; ++layer) {
            if (m_stateBytes[static_cast<std::size_t>(layer)] == 0)
                m_store.put(layer, m_base, m_pool->take(0), m_deployment.term);
        }
    }
}

void WorkerStates::commit(quint64 version) {
    m_store.commit(version);
    m_begun.erase(m_begun.begin(), m_begun.upper_bound(version));
}

/// What training may have to go back to: where it went on last, until something newer is complete, and what will be.
std::set<quint64> WorkerStates::pinned() const {
    std::set<quint64> versions = m_begun;
    if (m_base > m_store.committed())
        versions.insert(m_base);
    return versions;
}

void WorkerStates::arrived(const QString &from, int layer, quint64 version, std::shared_ptr<const Buffer> state) {
    m_store.put(layer, version, std::move(state), m_deployment.term);
    if (version == m_deployment.firstVersion())
        return;
    for (const Deployment::Backup &copy : m_deployment.backups) {
        if (copy.to != m_self || copy.from != from || layer < copy.firstLayer || layer >= copy.lastLayer)
            continue;
        for (int l = copy.firstLayer; l < copy.lastLayer; ++l) {
            if (m_stateBytes[static_cast<std::size_t>(l)] == 0)
                m_store.put(l, version, m_pool->take(0), m_deployment.term);
        }
        if (!m_store.holdsAll(copy.firstLayer, copy.lastLayer, version))
            continue;
        m_store.keepNewest(copy.firstLayer, copy.lastLayer, KeptVersions::copies, pinned());
        m_copyStored(from, copy.firstLayer, copy.lastLayer, version);
    }
}

Result<void> WorkerStates::snapshot(const StageExecutor &executor) {
    std::vector<std::pair<int, std::shared_ptr<Buffer>>> states;
    std::vector<StageExecutor::LayerBytes> wanted;
    for (int layer = executor.firstLayer(); layer < executor.lastLayer(); ++layer) {
        if (m_store.find(layer, executor.version()))
            continue;
        try {
            states.emplace_back(layer, m_pool->take(executor.stateBytes(layer)));
        } catch (const std::bad_alloc &) {
            return fail(QStringLiteral("worker.out-of-memory"), sentence("The worker ran out of memory."),
                        sentence("A snapshot of layer %1 takes %2 bytes.").arg(layer).arg(executor.stateBytes(layer)),
                        sentence("Use more devices, or give this device more memory."));
        }
        wanted.push_back({layer, states.back().second->bytes()});
    }
    if (auto read = executor.readStates(wanted); !read)
        return read;
    for (auto &[layer, state] : states)
        m_store.put(layer, executor.version(), std::move(state), executor.term());
    const int kept = (m_deployment.snapshotEvery == 1 ? KeptVersions::denseSnapshots : KeptVersions::snapshots) +
                     (m_deployment.training.asynchronous ? KeptVersions::whereRoundsOverlap : 0);
    m_store.keepNewest(executor.firstLayer(), executor.lastLayer(), kept, pinned());
    return {};
}

Result<std::vector<StateParcel>> WorkerStates::roundDone(const WorkerStages &stages) {
    const quint64 version = stages.version();
    std::vector<StateParcel> parcels;
    const auto every = static_cast<quint64>(std::max(0, m_deployment.snapshotEvery));
    const bool wanted = isWanted(version);
    if (stages.owesGradients() || (!wanted && (every == 0 || version % every != 0)))
        return parcels;
    if (wanted)
        m_begun.insert(version);
    while (m_begun.size() > KeptVersions::snapshots)
        m_begun.erase(m_begun.begin());
    for (const auto &executor : stages.executors()) {
        if (auto taken = snapshot(*executor); !taken)
            return tl::unexpected(taken.error());
    }
    if (!wanted)
        return parcels;
    for (const Deployment::Backup &copy : m_deployment.backups) {
        if (copy.from != m_self)
            continue;
        auto parcel = fetch(copy.firstLayer, copy.lastLayer, version);
        if (!parcel)
            return tl::unexpected(parcel.error());
        parcel->to = copy.to;
        parcels.push_back(std::move(*parcel));
    }
    return parcels;
}

Result<StateParcel> WorkerStates::fetch(int firstLayer, int lastLayer, quint64 version) const {
    StateParcel parcel;
    parcel.version = version;
    for (int layer = firstLayer; layer < lastLayer; ++layer) {
        auto state = m_store.find(layer, version);
        if (!state)
            return noState(layer, version);
        parcel.entries.push_back({layer, std::move(state)});
    }
    return parcel;
}

}  // namespace hearth
