#include "core/plan/explain/changed_home.h"

#include <numeric>

#include "core/base/at.h"

namespace hearth {
namespace {

void raise(std::optional<double> &rate, double least) {
    if (rate)
        rate = std::max(*rate, least);
}

}  // namespace

ChangedHome::ChangedHome(const CostModel &model)
    : m_model(model),
      m_problem(model.problem()),
      m_origin(model.problem().devices.size()),
      m_speed(m_origin.size(), 1.0) {
    std::iota(m_origin.begin(), m_origin.end(), 0);
}

LayerSeconds ChangedHome::seconds(int device, int layer, int samples) const {
    LayerSeconds own = m_model.stageSeconds(m_origin[at(device)], layer, layer + 1, samples);
    own.forward /= m_speed[at(device)];
    own.backward /= m_speed[at(device)];
    own.weights /= m_speed[at(device)];
    return own;
}

double ChangedHome::relativeError(int device, int layer, int samples) const {
    return m_model.costs().relativeError(m_origin[at(device)], layer, samples);
}

bool ChangedHome::same(int device, int other) const {
    return m_speed[at(device)] == m_speed[at(other)] && m_model.costs().same(m_origin[at(device)], m_origin[at(other)]);
}

void ChangedHome::multiplySpeed(int device, double factor) {
    m_speed[at(device)] *= factor;
}

void ChangedHome::multiplyMemory(int device, double factor) {
    qint64 &bytes = m_problem.devices[at(device)].memoryBytes;
    bytes = static_cast<qint64>(static_cast<double>(bytes) * factor);
}

int ChangedHome::addLike(int device) {
    PlanningProblem::Device copy = m_problem.devices[at(device)];
    const QString original = copy.id;
    for (int number = 2; m_problem.indexOf(copy.id) >= 0; ++number)
        copy.id = QStringLiteral("%1 (%2)").arg(original).arg(number);
    auto &links = m_problem.links;
    for (std::size_t i = 0, count = links.pairs.size(); i < count; ++i) {
        LinkProfile::Pair pair = links.pairs[i];
        if (pair.from != original && pair.to != original)
            continue;
        (pair.from == original ? pair.from : pair.to) = copy.id;
        links.pairs.push_back(std::move(pair));
    }
    for (std::size_t i = 0, count = links.nics.size(); i < count; ++i) {
        if (links.nics[i].id == original) {
            links.nics.push_back(links.nics[i]);
            links.nics.back().id = copy.id;
        }
    }
    m_problem.devices.push_back(std::move(copy));
    m_problem.times.push_back(TimeTable(m_problem.times[at(device)]));
    m_origin.push_back(m_origin[at(device)]);
    m_speed.push_back(m_speed[at(device)]);
    return static_cast<int>(m_origin.size()) - 1;
}

void ChangedHome::remove(int device) {
    const QString id = m_problem.devices[at(device)].id;
    std::erase_if(m_problem.links.pairs, [&](const auto &pair) { return pair.from == id || pair.to == id; });
    std::erase_if(m_problem.links.nics, [&](const auto &nic) { return nic.id == id; });
    m_problem.devices.erase(m_problem.devices.begin() + device);
    m_problem.times.erase(m_problem.times.begin() + device);
    m_origin.erase(m_origin.begin() + device);
    m_speed.erase(m_speed.begin() + device);
}

void ChangedHome::raisePair(const QString &from, const QString &to, double bytesPerSecond) {
    auto &links = m_problem.links;
    for (LinkProfile::Pair &pair : links.pairs) {
        if (pair.from == from && pair.to == to) {
            pair.bytesPerSecond = std::max(pair.bytesPerSecond, bytesPerSecond);
            return;
        }
    }
    if (!links.fallback || links.fallback->bytesPerSecond < bytesPerSecond)
        links.pairs.push_back({from, to, bytesPerSecond, std::nullopt});
}

void ChangedHome::raiseCard(const QString &device, double bytesPerSecond) {
    for (LinkProfile::Nic &nic : m_problem.links.nics) {
        if (nic.id != device)
            continue;
        raise(nic.upBytesPerSecond, bytesPerSecond);
        raise(nic.downBytesPerSecond, bytesPerSecond);
        nic.medium.clear();
    }
}

void ChangedHome::raiseLink(int one, int other, double bytesPerSecond) {
    const QString first = m_problem.devices[at(one)].id, second = m_problem.devices[at(other)].id;
    for (const QString &device : {first, second})
        raiseCard(device, bytesPerSecond);
    raisePair(first, second, bytesPerSecond);
    raisePair(second, first, bytesPerSecond);
}

void ChangedHome::raiseLinksOf(int device, double bytesPerSecond) {
    const QString id = m_problem.devices[at(device)].id;
    raiseCard(id, bytesPerSecond);
    for (const PlanningProblem::Device &other : m_problem.devices) {
        if (other.id == id)
            continue;
        raisePair(id, other.id, bytesPerSecond);
        raisePair(other.id, id, bytesPerSecond);
    }
}

void ChangedHome::raiseAllLinks(double bytesPerSecond) {
    auto &links = m_problem.links;
    if (links.fallback)
        links.fallback->bytesPerSecond = std::max(links.fallback->bytesPerSecond, bytesPerSecond);
    for (LinkProfile::Pair &pair : links.pairs)
        pair.bytesPerSecond = std::max(pair.bytesPerSecond, bytesPerSecond);
    for (LinkProfile::Medium &medium : links.media)
        medium.bytesPerSecond = std::max(medium.bytesPerSecond, bytesPerSecond);
    for (LinkProfile::Nic &nic : links.nics) {
        raise(nic.upBytesPerSecond, bytesPerSecond);
        raise(nic.downBytesPerSecond, bytesPerSecond);
    }
}

}  // namespace hearth
