#include "core/plan/replay/state_holders.h"

#include <algorithm>

#include "core/base/at.h"

namespace hearth {

StateHolders::StateHolders(const HeldByDevice &held, quint64 version, int layers) {
    for (auto device = held.constBegin(); device != held.constEnd(); ++device) {
        for (const HeldState &state : *device) {
            if (state.version != version)
                continue;
            for (int l = std::max(0, state.firstLayer); l < std::min(state.lastLayer, layers); ++l)
                add(l, device.key());
        }
    }
}

StateHolders::StateHolders(const Plan &plan) {
    for (const PlanStage &stage : plan.stages) {
        for (int l = stage.firstLayer; l < stage.lastLayer; ++l) {
            for (const Share &share : stage.shares)
                add(l, share.device);
        }
    }
}

void StateHolders::add(int layer, const QString &device) {
    if (layer < 0)
        return;
    if (at(layer) >= m_devices.size())
        m_devices.resize(at(layer) + 1);
    QStringList &devices = m_devices[at(layer)];
    const auto place = std::lower_bound(devices.begin(), devices.end(), device);
    if (place == devices.end() || *place != device)
        devices.insert(place, device);
}

void StateHolders::add(const StateHolders &others) {
    for (std::size_t l = 0; l < others.m_devices.size(); ++l) {
        for (const QString &device : others.m_devices[l])
            add(static_cast<int>(l), device);
    }
}

void StateHolders::remove(const QSet<QString> &devices) {
    for (QStringList &holders : m_devices)
        holders.removeIf([&](const QString &device) { return devices.contains(device); });
}

const QStringList &StateHolders::of(int layer) const {
    static const QStringList nobody;
    return layer >= 0 && at(layer) < m_devices.size() ? m_devices[at(layer)] : nobody;
}

bool StateHolders::isEmpty() const {
    return std::ranges::all_of(m_devices, [](const QStringList &devices) { return devices.isEmpty(); });
}

std::vector<int> StateHolders::lacking(const std::vector<qint64> &bytes) const {
    std::vector<int> layers;
    for (std::size_t l = 0; l < bytes.size(); ++l) {
        if (bytes[l] > 0 && of(static_cast<int>(l)).isEmpty())
            layers.push_back(static_cast<int>(l));
    }
    return layers;
}

qint64 movedBytes(const std::vector<LayerMove> &moves) {
    qint64 sum = 0;
    for (const LayerMove &move : moves)
        sum += move.bytes;
    return sum;
}

bool StateMover::need(int layer, const QString &device) {
    if (m_bytes[at(layer)] == 0 || m_holders.holds(device, layer))
        return true;
    QStringList from = m_holders.of(layer);
    from.removeIf([&](const QString &each) { return rate(each, device) <= 0; });
    if (from.isEmpty() && !m_isOnDisk)
        return false;
    m_needs.push_back({layer, device, from});
    return true;
}

std::vector<LayerMove> StateMover::moves() {
    std::ranges::stable_sort(m_needs, [this](const Need &a, const Need &b) {
        const bool aForced = a.from.size() < 2, bForced = b.from.size() < 2;
        if (aForced != bForced)
            return aForced;
        return m_bytes[at(a.layer)] > m_bytes[at(b.layer)];
    });
    std::vector<LayerMove> result;
    for (const Need &need : m_needs) {
        const QString from = soonest(need);
        if (!from.isEmpty())
            m_sending[from] += m_bytes[at(need.layer)];
        result.push_back({need.layer, from, need.to, m_bytes[at(need.layer)]});
    }
    std::ranges::sort(
        result, [](const auto &a, const auto &b) { return a.layer != b.layer ? a.layer < b.layer : a.to < b.to; });
    return result;
}

QString StateMover::soonest(const Need &need) const {
    QString best;
    double least = 0;
    for (const QString &device : need.from) {
        const auto bytes = static_cast<double>(m_sending.value(device) + m_bytes[at(need.layer)]);
        const double seconds = bytes / rate(device, need.to);
        if (best.isEmpty() || seconds < least) {
            best = device;
            least = seconds;
        }
    }
    return best;
}

}  // namespace hearth
