#include "ui/run/run_devices.h"

#include <algorithm>

#include "ui/run/moving_average.h"
#include "ui/run/plan_change.h"
#include "ui/run/run_model.h"

namespace hearth {

namespace {

// Training costs a forward and about two forwards' worth of backward.
constexpr double passesPerRound = 3;

void blend(event::RoundDevice &average, const event::RoundDevice &value, bool first) {
    hearth::blend(average.computeS, value.computeS, first);
    hearth::blend(average.waitForwardS, value.waitForwardS, first);
    hearth::blend(average.waitBackwardS, value.waitBackwardS, first);
    hearth::blend(average.waitAllreduceS, value.waitAllreduceS, first);
    hearth::blend(average.sendS, value.sendS, first);
    hearth::blend(average.allreduceS, value.allreduceS, first);
    hearth::blend(average.optimizerS, value.optimizerS, first);
    average.memoryBytes = value.memoryBytes;
    if (value.card.watts) {
        double watts = average.card.watts.value_or(0);
        hearth::blend(watts, *value.card.watts, !average.card.watts);
        average.card.watts = watts;
    }
}

}  // namespace

void RunDevices::clear() {
    m_stateT = m_planT = 0;
    m_ids.clear();
    m_told.clear();
    m_fates.clear();
    m_paces.clear();
    m_profiles.clear();
    m_measuring = {};
    m_times.clear();
    m_traffic.clear();
    recovered();
}

void RunDevices::take(const event::Device &device) {
    if (!m_told.contains(device.id))
        m_ids << device.id;
    m_told[device.id] = device;
}

void RunDevices::take(const event::Profile &profile) {
    m_profiles[profile.id] = {profile.done, profile.total};
    m_measuring.take(m_run.lastT(), profile);
}

bool RunDevices::take(const event::Round &round) {
    bool changed = false;
    for (auto it = round.devices.cbegin(); it != round.devices.cend(); ++it) {
        const bool first = !m_times.contains(it.key());
        event::RoundDevice &average = m_times[it.key()];
        const bool knewPower = average.card.watts.has_value();
        blend(average, it.value(), first);
        changed = changed || knewPower != average.card.watts.has_value();
        // Whoever reports a round is well.
        if (m_fates.value(it.key()).health == Health::Suspect) {
            setFate(it.key(), Health::Well);
            changed = true;
        }
        changed = followPace(it.key()) || changed;
    }
    if (round.roundS > 0)
        followTraffic(round);
    return changed;
}

void RunDevices::followTraffic(const event::Round &round) {
    QMap<QString, double> rates;
    for (const event::RoundLink &link : round.links)
        rates[link.from + QLatin1Char('>') + link.to] += static_cast<double>(link.bytes) / round.roundS;
    for (auto known = m_traffic.begin(); known != m_traffic.end(); ++known)
        hearth::blend(*known, rates.take(known.key()), false);
    m_traffic.insert(rates);
}

void RunDevices::take(const event::Lost &lost) {
    if (m_lost.isEmpty())
        m_planBeforeLoss = m_run.plan();
    m_lost << lost.id;
    setFate(lost.id, Health::Lost);
}

void RunDevices::stateBegins(const QString &state) {
    m_stateT = m_run.lastT();
    if (state != QLatin1String("profiling"))
        m_profiles.clear();
}

/// Under another plan a device computes other layers, each at a speed of its own. One that is slow stays so, in
/// proportion.
void RunDevices::planEnds() {
    for (auto pace = m_paces.begin(); pace != m_paces.end(); ++pace) {
        const double speed = measuredSpeed(pace.key());
        const bool isSlow = m_fates.value(pace.key()).health == Health::Slow && pace->best > 0 && speed > 0;
        *pace = {0, 0, isSlow ? speed / pace->best : 1, 0};
    }
}

void RunDevices::planBegins() {
    m_planT = m_run.lastT();
    for (auto fate = m_fates.begin(); fate != m_fates.end(); ++fate) {
        if (fate->health == Health::Returned && stageOf(fate.key()))
            *fate = {Health::Well, m_planT, {}};
    }
    m_times.clear();
    m_traffic.clear();
}

void RunDevices::recovered() {
    m_lost.clear();
    m_planBeforeLoss.reset();
}

DeviceFate RunDevices::fate(const QString &device) const {
    DeviceFate fate = m_fates.value(device);
    const std::optional<Plan> &plan = m_run.plan();
    const bool works = fate.health == Health::Well || fate.health == Health::Slow;
    if (!works || !m_run.isLive() || !plan || !plan->pipelines.empty() || !m_told.contains(device))
        return fate;
    if (!stageOf(device))
        return {Health::Resting, std::max(m_planT, fate.since), {}};
    if (m_run.state() == QLatin1String("paused"))
        return {Health::Paused, m_stateT, {}};
    return fate;
}

void RunDevices::setFate(const QString &device, Health health) {
    m_fates[device] = {health, m_run.lastT(), stageOf(device)};
    // Who is away sends nothing any more.
    if (health == Health::Lost || health == Health::Left) {
        m_times.remove(device);
        m_traffic.removeIf([&device](const auto &link) {
            return link.key().startsWith(device + QLatin1Char('>')) || link.key().endsWith(QLatin1Char('>') + device);
        });
    }
}

/// A device is slow where it computes at half of its best for several rounds in a row, and no more at four fifths of
/// it. True where that changed.
bool RunDevices::followPace(const QString &device) {
    constexpr double slow = 0.5, wellAgain = 0.8;
    // The first rounds under a plan load code and memory.
    constexpr int warmUp = 4, inARow = 5;
    Pace &pace = m_paces[device];
    const double speed = measuredSpeed(device);
    if (speed <= 0 || ++pace.rounds <= warmUp)
        return false;
    pace.best = std::max(pace.best, speed / std::exchange(pace.before, 1));
    pace.under = speed < slow * pace.best ? pace.under + 1 : 0;
    const Health health = m_fates.value(device).health;
    if (health == Health::Well && pace.under >= inARow)
        setFate(device, Health::Slow);
    else if (health == Health::Slow && speed > wellAgain * pace.best)
        setFate(device, Health::Well);
    return m_fates.value(device).health != health;
}

QStringList RunDevices::lostNames() const {
    QStringList names;
    for (const QString &device : m_lost)
        names << name(device);
    return names;
}

QStringList RunDevices::heirs() const {
    QStringList names;
    if (!m_run.plan() || !m_planBeforeLoss)
        return names;
    for (const QString &lost : m_lost) {
        for (const QString &heir : newOwners(*m_planBeforeLoss, *m_run.plan(), lost)) {
            if (!names.contains(name(heir)))
                names << name(heir);
        }
    }
    names.sort();
    return names;
}

std::optional<std::pair<int, int>> RunDevices::profileProgress(const QString &device) const {
    const auto found = m_profiles.constFind(device);
    return found == m_profiles.constEnd() ? std::nullopt : std::optional(*found);
}

std::pair<int, int> RunDevices::measuringProgress() const {
    std::pair<int, int> sum{0, 0};
    for (const auto &[done, total] : m_profiles) {
        sum.first += done;
        sum.second += total;
    }
    return sum;
}

std::vector<int> RunDevices::stagesOf(const QString &device) const {
    std::vector<int> own;
    const std::vector<PlanStage> stages = m_run.plan() ? m_run.plan()->stages : std::vector<PlanStage>();
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const auto computes = [&device](const Share &share) { return share.device == device; };
        if (std::ranges::any_of(stages[stage].shares, computes))
            own.push_back(static_cast<int>(stage));
    }
    return own;
}

std::optional<int> RunDevices::stageOf(const QString &device) const {
    const std::vector<int> own = stagesOf(device);
    return own.empty() ? std::nullopt : std::optional(own.front());
}

double RunDevices::measuredSpeed(const QString &device) const {
    const auto times = m_times.constFind(device);
    const std::optional<Model> &model = m_run.model();
    if (!m_run.plan() || !model || times == m_times.constEnd() || times->computeS <= 0)
        return 0;
    double flops = 0;  // of all its samples
    for (const PlanStage &stage : m_run.plan()->stages) {
        double samples = 0;
        for (const Share &share : stage.shares)
            samples += share.device == device ? share.samples * m_run.plan()->microBatches() : 0;
        const auto last = std::min(static_cast<std::size_t>(stage.lastLayer), model->layers.size());
        for (auto layer = static_cast<std::size_t>(stage.firstLayer); layer < last; ++layer)
            flops += samples * static_cast<double>(model->layers[layer].shape.flops);
    }
    return passesPerRound * flops / times->computeS;
}

QString RunDevices::name(const QString &id) const {
    constexpr qsizetype recognisable = 8;
    const auto told = m_told.constFind(id);
    return told == m_told.constEnd() ? id.left(recognisable) : told->name;
}

}  // namespace hearth
