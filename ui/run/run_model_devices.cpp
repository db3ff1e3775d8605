// What a run model knows of the run's devices.
#include <algorithm>
#include <utility>

#include "ui/run/plan_change.h"
#include "ui/run/run_model.h"

namespace hearth {

namespace {
// Training costs a forward and about two forwards' worth of backward.
constexpr double passesPerRound = 3;
}  // namespace

DeviceFate RunModel::fate(const QString &device) const {
    DeviceFate fate = m_fates.value(device);
    const bool works = fate.health == Health::Well || fate.health == Health::Slow;
    if (!works || !isLive() || !m_plan || !m_plan->pipelines.empty() || !m_names.contains(device))
        return fate;
    if (!stageOf(device))
        return {Health::Resting, std::max(m_planT, fate.since), {}};
    if (m_state == QLatin1String("paused"))
        return {Health::Paused, m_stateT, {}};
    return fate;
}

void RunModel::setFate(const QString &device, Health health) {
    m_fates[device] = {health, m_lastT, stageOf(device)};
    // Who is away sends nothing any more.
    if (health == Health::Lost || health == Health::Left) {
        m_devices.remove(device);
        m_traffic.removeIf([&device](const auto &link) {
            return link.key().startsWith(device + QLatin1Char('>')) || link.key().endsWith(QLatin1Char('>') + device);
        });
    }
    Q_EMIT devicesChanged();
}

/// A device is slow where it computes at half of its best for several rounds in a row, and no more at four fifths of
/// it.
void RunModel::followPace(const QString &device) {
    constexpr double slow = 0.5, wellAgain = 0.8;
    // The first rounds under a plan load code and memory.
    constexpr int warmUp = 4, inARow = 5;
    DevicePace &pace = m_paces[device];
    const double speed = measuredSpeed(device);
    if (speed <= 0 || ++pace.rounds <= warmUp)
        return;
    pace.best = std::max(pace.best, speed / std::exchange(pace.before, 1));
    pace.under = speed < slow * pace.best ? pace.under + 1 : 0;
    const Health health = m_fates.value(device).health;
    if (health == Health::Well && pace.under >= inARow)
        setFate(device, Health::Slow);
    else if (health == Health::Slow && speed > wellAgain * pace.best)
        setFate(device, Health::Well);
}

/// Under another plan a device computes other layers, each at a speed of its own. One that is slow stays so, in
/// proportion.
void RunModel::keepPaces() {
    for (auto pace = m_paces.begin(); pace != m_paces.end(); ++pace) {
        const double speed = measuredSpeed(pace.key());
        const bool isSlow = m_fates.value(pace.key()).health == Health::Slow && pace->best > 0 && speed > 0;
        *pace = {0, 0, isSlow ? speed / pace->best : 1, 0};
    }
}

QStringList RunModel::lostNames() const {
    QStringList names;
    for (const QString &device : m_lostDevices)
        names << deviceName(device);
    return names;
}

QStringList RunModel::heirs() const {
    QStringList names;
    if (!m_plan || !m_planBeforeLoss)
        return names;
    for (const QString &lost : m_lostDevices) {
        for (const QString &heir : newOwners(*m_planBeforeLoss, *m_plan, lost)) {
            if (!names.contains(deviceName(heir)))
                names << deviceName(heir);
        }
    }
    names.sort();
    return names;
}

std::optional<std::pair<int, int>> RunModel::profileProgress(const QString &device) const {
    const auto found = m_profiles.constFind(device);
    return found == m_profiles.constEnd() ? std::nullopt : std::optional(*found);
}

std::pair<int, int> RunModel::measuringProgress() const {
    std::pair<int, int> sum{0, 0};
    for (const auto &[done, total] : m_profiles) {
        sum.first += done;
        sum.second += total;
    }
    return sum;
}

std::optional<int> RunModel::stageOf(const QString &device) const {
    if (!m_plan) {
        return std::nullopt;
    }
    for (std::size_t stage = 0; stage < m_plan->stages.size(); ++stage) {
        for (const Share &share : m_plan->stages[stage].shares) {
            if (share.device == device) {
                return static_cast<int>(stage);
            }
        }
    }
    return std::nullopt;
}

double RunModel::measuredSpeed(const QString &device) const {
    const std::optional<int> index = stageOf(device);
    const auto times = m_devices.constFind(device);
    if (!index || !m_model || times == m_devices.constEnd() || times->computeS <= 0) {
        return 0;
    }
    const PlanStage &stage = m_plan->stages[static_cast<std::size_t>(*index)];
    double flops = 0;
    const auto last = std::min(static_cast<std::size_t>(stage.lastLayer), m_model->layers.size());
    for (auto layer = static_cast<std::size_t>(stage.firstLayer); layer < last; ++layer) {
        flops += static_cast<double>(m_model->layers[layer].shape.flops);
    }
    double samples = 0;
    for (const Share &share : stage.shares) {
        samples += share.device == device ? share.samples * m_plan->microBatches() : 0;
    }
    return passesPerRound * flops * samples / times->computeS;
}

QString RunModel::deviceName(const QString &id) const {
    constexpr qsizetype recognisable = 8;
    return m_names.value(id, id.left(recognisable));
}

}  // namespace hearth
