#include "core/plan/explain/what_if.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/at.h"
#include "core/base/sentence.h"
#include "core/plan/edit/edit.h"
#include "core/plan/explain/link_questions.h"
#include "core/plan/planner.h"
#include "core/plan/planners/tools.h"
#include "core/plan/round_limit.h"

namespace hearth {
namespace {

/// Ideas that differ by less are taken for the same.
constexpr double sameGain = 0.005;
constexpr double clearlyMore = 1.1;
/// So many devices are asked for one by one: the busiest, or the laziest.
constexpr std::size_t mostWhatIfDevices = 32;
constexpr std::size_t mostKinds = 16;

/// A change that is tried, and how much of the home it touches.
struct Candidate {
    WhatIf idea;
    Reach reach = Reach::Single;
    std::function<void(ChangedHome &)> apply;
};

class Questions {
  public:
    Questions(const CostModel &model, const Plan &plan, const WhatIfOptions &options)
        : m_model(model),
          m_plan(plan),
          m_options(options),
          m_round(plan.prediction->roundSeconds),
          m_shared(std::min(m_round, bestSeconds(model, plan))),
          m_base(m_shared) {}

    std::vector<WhatIf> answers() {
        askForNewPlan();
        askLinks();
        askDevices();
        askMicroBatch();
        dropRepetitions();
        planBestAnew();
        askMemory();
        std::vector<WhatIf> ideas;
        for (const Candidate &candidate : m_candidates)
            ideas.push_back(candidate.idea);
        std::stable_sort(ideas.begin(), ideas.end(),
                         [](const WhatIf &a, const WhatIf &b) { return a.best() > b.best(); });
        return ideas;
    }

    /// Without the device: its share to its group, or its layers to a neighbor; planned anew for the cheapest one.
    std::optional<LeastNeeded> leastNeeded() {
        std::optional<LeastNeeded> least;
        if (static_cast<int>(m_plan.deviceCount()) < m_model.deviceCount())
            return least;
        std::vector<int> laziest = byWork(false);
        laziest.resize(std::min(laziest.size(), mostWhatIfDevices));
        for (const int device : laziest) {
            const double seconds = secondsWithout(idOf(device));
            if (std::isfinite(seconds) && (!least || seconds / m_round - 1 < least->loss))
                least = LeastNeeded{idOf(device), seconds / m_round - 1};
        }
        if (least) {
            ChangedHome home(m_model);
            home.remove(home.problem().indexOf(least->device));
            if (const auto seconds = secondsAnew(home))
                least->loss = std::min(least->loss, *seconds / m_round - 1);
        }
        return least;
    }

  private:
    /// Over what sharing anew gives without any change.
    double gainOf(double seconds) const { return seconds > 0 ? m_shared / seconds - 1 : 0; }
    /// Over what planning anew gives without any change.
    double gainAnewOf(double seconds) const { return seconds > 0 ? m_base / seconds - 1 : 0; }
    bool cancelled() const { return m_options.cancelled && m_options.cancelled(); }
    QString idOf(int device) const { return m_model.problem().devices[at(device)].id; }

    /// Same cuts; the plan's shares, or new ones where these are better.
    static double bestSeconds(const CostModel &changed, const Plan &plan) {
        double best = std::numeric_limits<double>::infinity();
        const auto offer = [&](const Plan &each) {
            const auto judged = evaluate(changed, each);
            if (judged && judged->fits)
                best = std::min(best, judged->roundSeconds);
        };
        offer(plan);
        if (const auto shared = PlanEditor(changed).shareAnew(plan))
            offer(shared->plan);
        return best;
    }

    void ask(WhatIf::Kind kind, const QString &what, Reach reach, std::function<void(ChangedHome &)> apply) {
        if (cancelled())
            return;
        ChangedHome home(m_model);
        apply(home);
        const CostModel changed(home.problem(), home);
        const double gain = gainOf(bestSeconds(changed, m_plan));
        m_candidates.push_back({{kind, what, gain, std::nullopt}, reach, std::move(apply)});
    }

    void askLinks() {
        for (LinkQuestion &question : linkQuestions(m_model, m_plan))
            ask(WhatIf::Kind::Links, question.what, question.reach, std::move(question.apply));
    }

    bool alike(int one, int other) const {
        const PlanningProblem &problem = m_model.problem();
        return m_model.costs().same(one, other) &&
               problem.devices[at(one)].memoryBytes == problem.devices[at(other)].memoryBytes;
    }

    /// The devices of the plan by how long they compute in a round.
    std::vector<int> byWork(bool longestFirst) const {
        std::vector<std::pair<double, int>> work;
        for (const auto &[device, all] : computingSeconds(m_model, m_plan))
            work.emplace_back(longestFirst ? -all : all, device);
        std::sort(work.begin(), work.end());
        std::vector<int> devices;
        devices.reserve(work.size());
        for (const auto &[all, device] : work)
            devices.push_back(device);
        return devices;
    }

    void askDevices() {
        std::vector<int> busiest = byWork(true);
        busiest.resize(std::min(busiest.size(), mostWhatIfDevices));
        for (const int device : busiest) {
            ask(WhatIf::Kind::Speed, QStringLiteral("%1 at twice its speed").arg(idOf(device)), Reach::Single,
                [device](ChangedHome &home) { home.multiplySpeed(device, 2); });
        }
        std::vector<int> kinds;
        for (int device = 0; device < m_model.deviceCount(); ++device) {
            const bool known = std::any_of(kinds.begin(), kinds.end(), [&](int kind) { return alike(kind, device); });
            if (known || kinds.size() == mostKinds)
                continue;
            kinds.push_back(device);
            askOneMore(device);
        }
    }

    void askOneMore(int device) {
        if (cancelled())
            return;
        const auto apply = [device](ChangedHome &home) { home.addLike(device); };
        ChangedHome home(m_model);
        const QString id = home.problem().devices[at(home.addLike(device))].id;
        const CostModel changed(home.problem(), home);
        double best = m_shared;
        for (int stage = 0; stage < static_cast<int>(m_plan.stages.size()); ++stage) {
            if (const auto joined = PlanEditor(changed).moveDevice(m_plan, id, stage))
                best = std::min(best, bestSeconds(changed, joined->plan));
        }
        m_candidates.push_back({{WhatIf::Kind::OneMore, QStringLiteral("One more device like %1").arg(idOf(device)),
                                 gainOf(best), std::nullopt},
                                Reach::Device,
                                apply});
    }

    double secondsWithout(const QString &device) const {
        double best = std::numeric_limits<double>::infinity();
        if (m_plan.deviceCount() < 2 || device == m_model.problem().dataDevice)
            return best;
        const PlanEditor editor(m_model);
        const auto offer = [&](const Plan &from) {
            if (const auto without = editor.moveDevice(from, device, std::nullopt))
                best = std::min(best, bestSeconds(m_model, without->plan));
        };
        offer(m_plan);
        for (int stage = 0; stage + 1 < static_cast<int>(m_plan.stages.size()); ++stage) {
            const auto holds = [&](int each) {
                const auto &shares = m_plan.stages[at(each)].shares;
                return shares.size() == 1 && shares.front().device == device;
            };
            if (!holds(stage) && !holds(stage + 1))
                continue;
            if (const auto merged = editor.mergeStages(m_plan, stage))
                offer(merged->plan);
        }
        return best;
    }

    // ---- the plan itself

    /// As many micro-batches in flight as Asteroid allows, where memory does: few large ones need fewer.
    Plan withUsualLimits(Plan plan) const {
        const int stages = static_cast<int>(plan.stages.size());
        for (int stage = 0; stage < stages; ++stage) {
            const int usual = std::min(plan.microBatches(), 2 * (stages - stage) - 1);
            if (plan.stages[at(stage)].inFlight >= usual)
                continue;
            if (auto raised = PlanEditor(m_model).setInFlight(plan, stage, usual))
                plan = std::move(raised->plan);
        }
        return plan;
    }

    void askMicroBatch() {
        double best = m_shared;
        int size = 0;
        for (const int each : microBatchChoices(m_model.problem())) {
            if (each == m_plan.microBatch || cancelled())
                continue;
            const auto changed = PlanEditor(m_model).setMicroBatch(m_plan, each);
            if (!changed)
                continue;
            const double seconds = bestSeconds(m_model, withUsualLimits(changed->plan));
            if (seconds < best) {
                best = seconds;
                size = each;
            }
        }
        if (size > 0) {
            m_candidates.push_back(
                {{WhatIf::Kind::MicroBatch,
                  Sentence::filled(QStringLiteral("Micro-batches of %1 {1|sample|samples} instead of %2"),
                                   {QString::number(size), QString::number(m_plan.microBatch)}),
                  gainOf(best), std::nullopt},
                 Reach::Single,
                 {}});
        }
    }

    std::optional<double> secondsAnew(const ChangedHome &home) const {
        if (cancelled())
            return std::nullopt;
        PlannerOptions limits;
        limits.stepLimit = m_options.steps;
        limits.cancelled = m_options.cancelled;
        const QString planner = m_options.planner.isEmpty() ? defaultPlanner() : m_options.planner;
        const auto plan = makePlan(planner, home.problem(), home, limits);
        if (!plan || !plan->prediction->fits)
            return std::nullopt;
        return plan->prediction->roundSeconds;
    }

    void askForNewPlan() {
        if (const auto seconds = secondsAnew(ChangedHome(m_model))) {
            m_base = std::min(m_shared, *seconds);
            const double gain = *seconds > 0 ? m_round / *seconds - 1 : 0;
            m_candidates.push_back(
                {{WhatIf::Kind::NewPlan, QStringLiteral("Planning anew"), gain, std::nullopt}, Reach::Single, {}});
        }
    }

    /// The best idea of each kind, and the best that does not change the whole home at once.
    void planBestAnew() {
        std::map<std::pair<WhatIf::Kind, bool>, Candidate *> best;
        for (Candidate &candidate : m_candidates) {
            if (!candidate.apply)
                continue;
            Candidate *&known = best[{candidate.idea.kind, candidate.reach == Reach::Everywhere}];
            if (!known || candidate.idea.gain > known->idea.gain)
                known = &candidate;
        }
        for (const auto &[kind, candidate] : best) {
            ChangedHome home(m_model);
            candidate->apply(home);
            if (const auto seconds = secondsAnew(home))
                candidate->idea.gainAnew = gainAnewOf(*seconds);
        }
    }

    /// Memory never changes what a plan takes, only which plans there are.
    void askMemory() {
        const auto anew = [&](const QString &what, const std::vector<int> &devices) {
            ChangedHome home(m_model);
            for (const int device : devices)
                home.multiplyMemory(device, 2);
            const auto seconds = secondsAnew(home);
            const double gain = seconds ? gainAnewOf(*seconds) : 0;
            m_candidates.push_back({{WhatIf::Kind::Memory, what, 0, gain}, Reach::Single, {}});
            return gain;
        };
        std::vector<int> all(at(m_model.deviceCount()));
        std::iota(all.begin(), all.end(), 0);
        if (anew(QStringLiteral("Twice the memory on every device"), all) < sameGain || all.size() < 2)
            return;
        const auto &memory = m_plan.prediction->memoryBytes;
        std::map<double, int> byFullness;
        for (auto it = memory.constBegin(); it != memory.constEnd(); ++it) {
            const int device = m_model.problem().indexOf(it.key());
            byFullness[static_cast<double>(it.value()) / std::max(1.0, m_model.memory().availableBytes(device))] =
                device;
        }
        const int fullest = byFullness.empty() ? 0 : byFullness.rbegin()->second;
        anew(QStringLiteral("Twice the memory on %1").arg(idOf(fullest)), {fullest});
    }

    /// Of ideas of one kind, those that touch more have to give clearly more; of equal ones the first stays.
    void dropRepetitions() {
        std::stable_sort(m_candidates.begin(), m_candidates.end(),
                         [](const Candidate &a, const Candidate &b) { return a.reach < b.reach; });
        std::vector<Candidate> kept;
        for (Candidate &candidate : m_candidates) {
            const bool repeated = std::any_of(kept.begin(), kept.end(), [&](const Candidate &other) {
                if (other.idea.kind != candidate.idea.kind)
                    return false;
                return other.reach < candidate.reach ? candidate.idea.gain <= clearlyMore * other.idea.gain + sameGain
                                                     : std::abs(candidate.idea.gain - other.idea.gain) <= sameGain;
            });
            if (!repeated)
                kept.push_back(std::move(candidate));
        }
        m_candidates = std::move(kept);
    }

    const CostModel &m_model;
    const Plan &m_plan;
    const WhatIfOptions &m_options;
    double m_round;
    double m_shared;  // of the plan, or with its samples shared anew, whichever is shorter
    double m_base;    // of that or of a new plan, whichever is shorter
    std::vector<Candidate> m_candidates;
};

}  // namespace

std::vector<WhatIf> whatIfs(const CostModel &model, const Plan &plan, const WhatIfOptions &options) {
    return Questions(model, plan, options).answers();
}

std::optional<LeastNeeded> leastNeeded(const CostModel &model, const Plan &plan, const WhatIfOptions &options) {
    return Questions(model, plan, options).leastNeeded();
}

}  // namespace hearth
