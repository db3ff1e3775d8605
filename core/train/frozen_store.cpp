#include "core/train/frozen_store.h"

#include <algorithm>
#include <set>

#include "core/model/layer_state.h"
#include "core/wire/sha256.h"

namespace hearth {
namespace {

/// Null where there is no memory.
std::shared_ptr<Buffer> memoryFor(qint64 bytes) {
    try {
        return Buffer::allocate(bytes);
    } catch (const std::bad_alloc &) {
        return {};
    }
}

tl::unexpected<Error> outOfMemory(int layer, qint64 bytes) {
    return fail(QStringLiteral("worker.out-of-memory"), sentence("The worker ran out of memory."),
                sentence("The frozen tensors of layer %1 take %2 bytes.").arg(layer).arg(bytes),
                sentence("Use more devices, or give this device more memory."));
}

/// The stage that has them; null where none does.
const StageExecutor *ownerOfFrozen(const WorkerStages &stages, int layer) {
    const StageExecutor *owner = stages.withLayer(layer);
    return owner && owner->frozenBytes(layer) > 0 && !owner->awaitsFrozen(layer) ? owner : nullptr;
}

}  // namespace

Result<void> FrozenStore::prepare(const Deployment &deployment, const Model &model) {
    std::map<int, Listed> listed;
    int next = 0;
    for (const Deployment::Frozen &each : deployment.frozen)
        listed[each.layer].sha256 = each.sha256;
    for (const Layer &layer : model.layers) {
        const qint64 bytes = LayerStateLayout::ofFrozen(layer, dtypeOf(deployment.training.precision)).bytes;
        const auto row = listed.find(next++);
        if (row != listed.end())
            row->second.bytes = bytes;
        if ((row != listed.end()) != (bytes > 0) && (!listed.empty() || deployment.weightsStreamed))
            return fail(QStringLiteral("worker.bad-deployment"),
                        sentence("This worker cannot take the part it was given."),
                        sentence("Layer %1 has %2 bytes of frozen tensors.").arg(next - 1).arg(bytes),
                        sentence("Run the same version of Hearth on all devices."));
    }
    m_term = deployment.term;
    m_listed = std::move(listed);
    m_expected.clear();
    std::set<QString> hashes;
    for (const auto &[layer, row] : m_listed)
        hashes.insert(row.sha256);
    std::erase_if(m_held, [&](const auto &held) { return !hashes.contains(held.first); });
    return {};
}

void FrozenStore::keep(const WorkerStages &stages) {
    for (const auto &[layer, row] : m_listed) {
        const StageExecutor *owner = m_held.contains(row.sha256) ? nullptr : ownerOfFrozen(stages, layer);
        if (!owner)
            continue;
        if (const auto kept = memoryFor(row.bytes); kept && owner->readFrozen(layer, kept->bytes()))
            m_held.emplace(row.sha256, kept);
    }
}

std::vector<int> FrozenStore::held() const {
    std::vector<int> layers;
    for (const auto &[layer, row] : m_listed) {
        if (m_held.contains(row.sha256))
            layers.push_back(layer);
    }
    return layers;
}

Result<void> FrozenStore::load(WorkerStages &stages) {
    std::set<QString> loaded;
    for (const auto &[layer, row] : m_listed) {
        StageExecutor *owner = stages.withLayer(layer);
        if (!owner || !owner->awaitsFrozen(layer))
            continue;
        const auto held = m_held.find(row.sha256);
        if (held == m_held.end())
            continue;
        if (auto done = owner->loadFrozen(layer, held->second->bytes()); !done)
            return done;
        loaded.insert(row.sha256);
    }
    for (const QString &sha256 : loaded)
        m_held.erase(sha256);
    return {};
}

std::vector<int> FrozenStore::lacking(const WorkerStages &stages) {
    std::vector<int> layers;
    for (const auto &executor : stages.executors()) {
        for (int layer = executor->firstLayer(); layer < executor->lastLayer(); ++layer) {
            if (executor->awaitsFrozen(layer))
                layers.push_back(layer);
        }
    }
    return layers;
}

void FrozenStore::expect(int layer, const QString &from) {
    if (m_listed.contains(layer))
        m_expected[layer] = {from, nullptr};
}

Result<FrozenStore::Arrival> FrozenStore::receive(const QString &from, const TensorFrame &frame) {
    const int layer = frame.header.stage;
    const auto expected = m_expected.find(layer);
    if (frame.header.term != m_term || expected == m_expected.end() || expected->second.from != from)
        return Arrival::Part;
    const Listed &row = m_listed.at(layer);
    std::unique_ptr<StateAssembly> &parts = expected->second.parts;
    if (!parts) {
        auto memory = memoryFor(row.bytes);
        if (!memory)
            return outOfMemory(layer, row.bytes);
        parts = std::make_unique<StateAssembly>(layer, frozenVersion, std::move(memory));
    }
    if (parts->has(frame.header.firstSample))
        return Arrival::Part;  // sent again after a plan that did not come about
    if (auto added = parts->add(frame); !added)
        return tl::unexpected(added.error());
    if (!parts->complete())
        return Arrival::Part;
    std::shared_ptr<const Buffer> state = parts->state();
    m_expected.erase(expected);
    if (QLatin1String(Sha256::of(state->bytes())) != row.sha256)
        return Arrival::Wrong;
    m_held[row.sha256] = std::move(state);
    return Arrival::Whole;
}

Result<std::shared_ptr<const Buffer>> FrozenStore::find(int layer, const WorkerStages *stages) const {
    const auto row = m_listed.find(layer);
    if (row == m_listed.end())
        return nullptr;
    if (const auto held = m_held.find(row->second.sha256); held != m_held.end())
        return held->second;
    for (const auto &[other, same] : m_listed) {
        const bool isSame = stages && same.sha256 == row->second.sha256;
        const StageExecutor *owner = isSame ? ownerOfFrozen(*stages, other) : nullptr;
        if (!owner)
            continue;
        const auto copy = memoryFor(same.bytes);
        if (!copy)
            return outOfMemory(layer, same.bytes);
        if (auto read = owner->readFrozen(other, copy->bytes()); !read)
            return tl::unexpected(read.error());
        return copy;
    }
    return nullptr;
}

void FrozenStore::release() {
    m_held.clear();
    m_expected.clear();
}

}  // namespace hearth
