#include "core/run/replication_interval.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/at.h"
#include "core/plan/evaluate.h"
#include "core/plan/held_states.h"
#include "core/plan/plan_memory.h"
#include "core/plan/replay/layer_moves.h"
#include "core/plan/round_limit.h"

namespace hearth {
namespace {

struct NamedMode {
    ReplicationMode mode;
    const char *name;
};
constexpr std::array modes{NamedMode{ReplicationMode::Topology, "topology"}, NamedMode{ReplicationMode::Chain, "chain"},
                           NamedMode{ReplicationMode::Global, "global"}, NamedMode{ReplicationMode::Off, "off"}};

qint64 rangeBytes(const PlanningProblem &problem, int firstLayer, int lastLayer) {
    qint64 sum = 0;
    for (int l = firstLayer; l < lastLayer; ++l)
        sum += stateBytes(problem, l);
    return sum;
}

/// One plan's copies in the making.
class Replicator {
  public:
    Replicator(const CostModel &model, const Plan &plan) : m_model(model), m_plan(plan) {
        judgeMemory(model, plan, &m_memory);
    }

    ReplicationPlan make(ReplicationMode mode) {
        for (const PlanStage &stage : m_plan.stages) {
            for (const Share &share : stage.shares) {
                const qint64 bytes = rangeBytes(m_model.problem(), stage.firstLayer, stage.lastLayer);
                const int overlapping = m_model.problem().asynchronous ? KeptVersions::whereRoundsOverlap : 0;
                m_result.snapshotBytes[share.device] += (KeptVersions::mostSnapshots + overlapping) * bytes;
                m_counted[share.device] += m_model.problem().keptStates * bytes;
            }
        }
        const std::vector<QString> counted = copyHolders(m_model, m_plan);
        for (std::size_t s = 0; s < counted.size(); ++s) {
            const PlanStage &stage = m_plan.stages[s];
            if (!counted[s].isEmpty())
                m_counted[counted[s]] +=
                    m_model.problem().keptCopies * rangeBytes(m_model.problem(), stage.firstLayer, stage.lastLayer);
        }
        if (mode == ReplicationMode::Topology)
            addByTopology();
        else if (mode != ReplicationMode::Off)
            addToFirsts(mode);
        for (const PlanStage &stage : m_plan.stages) {
            const QString &device = stage.shares.front().device;
            if (stage.shares.size() == 1 && !hasCopy(stage) && !m_result.unprotected.contains(device))
                m_result.unprotected << device;
        }
        for (const PlanningProblem::Device &each : m_model.problem().devices) {
            const qint64 needed = m_result.snapshotBytes.value(each.id) + m_result.holderBytes.value(each.id);
            if (needed > 0 && left(each.id) + m_counted.value(each.id) < needed)
                m_result.shortOfMemory << each.id;
        }
        return std::move(m_result);
    }

  private:
    void addByTopology() {
        const StateHolders holders = defaultCopies(m_model, m_plan);
        for (const PlanStage &stage : m_plan.stages) {
            const QStringList &chosen = holders.of(stage.firstLayer);
            if (!chosen.isEmpty())
                add(stage, chosen.front());
            else if (stage.shares.size() == 1)
                add(stage, roomiest(stage.shares.front().device));
        }
    }

    void addToFirsts(ReplicationMode mode) {
        const auto &stages = m_plan.stages;
        QString central = stages.front().shares.front().device;
        if (m_result.snapshotBytes.contains(m_model.problem().dataDevice))
            central = m_model.problem().dataDevice;
        for (std::size_t s = 0; s < stages.size(); ++s) {
            std::size_t next = (s + 1) % stages.size();
            while (next != s && stages[next].shares.front().device == stages[s].shares.front().device)
                next = (next + 1) % stages.size();
            add(stages[s], mode == ReplicationMode::Chain ? stages[next].shares.front().device : central);
        }
    }

    /// A device does not keep a copy of what it computes.
    void add(const PlanStage &stage, const QString &holder) {
        const QString from = stage.shares.front().device;
        const bool own = std::any_of(stage.shares.begin(), stage.shares.end(),
                                     [&](const Share &share) { return share.device == holder; });
        const QString to = own || holder.isEmpty() || reaches(from, holder) ? holder : roomiest(from);
        const qint64 bytes = rangeBytes(m_model.problem(), stage.firstLayer, stage.lastLayer);
        if (own || to.isEmpty() || bytes == 0)
            return;
        m_result.backups.push_back({stage.firstLayer, stage.lastLayer, from, to});
        m_result.holderBytes[to] += KeptVersions::mostCopies * bytes;
    }

    bool hasCopy(const PlanStage &stage) const {
        return rangeBytes(m_model.problem(), stage.firstLayer, stage.lastLayer) == 0 ||
               std::any_of(m_result.backups.begin(), m_result.backups.end(),
                           [&](const auto &backup) { return backup.firstLayer == stage.firstLayer; });
    }

    bool reaches(const QString &from, const QString &to) const {
        return m_model.links().bytesPerSecond(m_model.indexOf(from), m_model.indexOf(to)) > 0;
    }
    qint64 left(const QString &device) const {
        return m_model.problem().devices[at(m_model.indexOf(device))].memoryBytes - m_memory.memoryBytes.value(device);
    }
    /// Of the plan's devices that `from` reaches, else of those at rest; empty: none.
    QString roomiest(const QString &from) const {
        QString working, resting;
        for (const PlanningProblem::Device &each : m_model.problem().devices) {
            QString &best = m_result.snapshotBytes.contains(each.id) ? working : resting;
            if (each.id != from && reaches(from, each.id) && (best.isEmpty() || left(each.id) > left(best)))
                best = each.id;
        }
        return working.isEmpty() ? resting : working;
    }

    const CostModel &m_model;
    const Plan &m_plan;
    Prediction m_memory;
    QMap<QString, qint64> m_counted;  // of snapshots and copies, within m_memory
    ReplicationPlan m_result;
};

double computeSecondsOf(const CostModel &model, const Plan &plan) {
    double sum = 0;
    for (const auto &[device, seconds] : computingSeconds(model, plan))
        sum += seconds;
    return sum;
}

ReplicationFacts::Link linkOf(const CostModel &model, const Prediction &prediction, const Deployment::Backup &backup) {
    const int from = model.indexOf(backup.from), to = model.indexOf(backup.to);
    const auto seconds = [&](int a, int b) {
        const QString pair = model.problem().devices[at(a)].id + QLatin1Char('>') + model.problem().devices[at(b)].id;
        const double rate = model.links().bytesPerSecond(a, b);
        return rate > 0 ? static_cast<double>(prediction.roundBytes.value(pair)) / rate : 0;
    };
    const bool half = model.links().halfDuplex(from, to);
    return {rangeBytes(model.problem(), backup.firstLayer, backup.lastLayer), model.links().bytesPerSecond(from, to),
            seconds(from, to) + (half ? seconds(to, from) : 0)};
}

/// Rounds until `cost` per occasion is at most `budget` per round.
int roundsFor(double cost, double budget, int most) {
    if (!(cost > 0))
        return 1;
    const double rounds = budget > 0 ? std::ceil(cost / budget - 1e-9) : most;
    return static_cast<int>(std::clamp(rounds, 1.0, static_cast<double>(most)));
}

/// In rounds: copies cost `backups` / `every` of a round's computing, and a loss repeats `every` / 2 rounds.
int cheapestInterval(double backups, const ReplicationFacts &facts, const ReplicationRule &rule) {
    if (!(facts.computeSeconds > 0 && facts.roundSeconds > 0) || std::isinf(rule.secondsBetweenLosses))
        return rule.most;
    const double roundsBetween = rule.secondsBetweenLosses / facts.roundSeconds;
    const double every = std::sqrt(2 * roundsBetween * backups / facts.computeSeconds);
    return static_cast<int>(std::clamp(std::ceil(every), 1.0, static_cast<double>(rule.most)));
}

/// The next multiple of `step`, or the last one within `most`.
int multipleOf(int rounds, int step, int most) {
    const int up = (rounds + step - 1) / step * step;
    return up <= most ? up : std::max(step, most / step * step);
}

double idleSecondsOf(const ReplicationFacts::Link &link, double roundSeconds) {
    // Predictions of a link that is busy all the time are not that good.
    return std::max(roundSeconds - link.busySeconds, 0.01 * roundSeconds);
}

double sendSecondsOf(const ReplicationFacts::Link &link) {
    return link.bytesPerSecond > 0 ? static_cast<double>(link.bytes) / link.bytesPerSecond : 0;
}

}  // namespace

QString replicationModeName(ReplicationMode mode) {
    const auto found = std::find_if(modes.begin(), modes.end(), [mode](const auto &each) { return each.mode == mode; });
    return QString::fromLatin1(found->name);
}

std::optional<ReplicationMode> replicationModeFromName(const QString &name) {
    for (const NamedMode &each : modes) {
        if (name == QLatin1String(each.name))
            return each.mode;
    }
    return std::nullopt;
}

ReplicationPlan replicationFor(const CostModel &model, const Plan &plan, ReplicationMode mode) {
    return Replicator(model, plan).make(mode);
}

ReplicationFacts replicationFacts(const CostModel &model, const Plan &plan, const ReplicationPlan &replication) {
    ReplicationFacts facts;
    Prediction prediction;
    if (plan.prediction) {
        prediction = *plan.prediction;
    } else if (auto judged = evaluate(model, plan)) {
        prediction = std::move(*judged);
    }
    facts.roundSeconds = prediction.roundSeconds;
    facts.computeSeconds = computeSecondsOf(model, plan);
    QMap<QString, qint64> owned;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares)
            owned[share.device] += rangeBytes(model.problem(), stage.firstLayer, stage.lastLayer);
    }
    facts.ownedBytes.assign(owned.cbegin(), owned.cend());
    for (const Deployment::Backup &backup : replication.backups)
        facts.links.push_back(linkOf(model, prediction, backup));
    return facts;
}

ReplicationIntervals replicationIntervals(const ReplicationFacts &facts, ReplicationMode mode,
                                          const ReplicationRule &rule) {
    double largest = 0, owned = 0, sent = 0;
    for (const qint64 bytes : facts.ownedBytes) {
        largest = std::max(largest, static_cast<double>(bytes));
        owned += static_cast<double>(bytes);
    }
    for (const ReplicationFacts::Link &link : facts.links)
        sent += static_cast<double>(link.bytes);
    const double snapshot = largest / rule.snapshotBytesPerSecond, snapshots = owned / rule.snapshotBytesPerSecond;
    const double backups = sent * rule.backupSecondsPerByte;

    ReplicationIntervals result;
    result.snapshotEvery = std::max(roundsFor(snapshot, rule.snapshotShare * facts.roundSeconds, rule.most),
                                    roundsFor(snapshots, rule.snapshotShare * facts.computeSeconds, rule.most));
    result.snapshotEvery = multipleOf(result.snapshotEvery, rule.step, rule.most);
    if (mode != ReplicationMode::Off && sent > 0) {
        int every = roundsFor(backups, rule.backupShare * facts.computeSeconds, rule.most);
        every = std::min(every, cheapestInterval(backups, facts, rule));
        for (const ReplicationFacts::Link &link : facts.links) {
            const double idle = rule.idleShare * idleSecondsOf(link, facts.roundSeconds);
            every = std::max(every, roundsFor(sendSecondsOf(link), idle, rule.most));
        }
        if (mode != ReplicationMode::Topology)
            every = mode == ReplicationMode::Chain ? rule.chainEvery : rule.globalEvery;
        result.backupEvery = multipleOf(every, result.snapshotEvery, rule.most);
    }
    return result;
}

}  // namespace hearth
