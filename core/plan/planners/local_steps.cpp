#include "core/plan/planners/local_steps.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/base/number_text.h"
#include "core/plan/charged_allocation.h"
#include "core/plan/planners/tools.h"
#include "core/plan/search/search_clock.h"

namespace hearth {
namespace {

/// All sets of so many devices are judged one by one.
constexpr int fewGroupedDevices = 5;
constexpr quint64 groupingStepsUnlessTold = 10'000'000;

class GroupSearch {
  public:
    GroupSearch(const CostModel &model, const QString &planner, const PlannerOptions &options)
        : m_model(model), m_planner(planner), m_options(limited(options)), m_clock(m_options), m_best(model) {}

    Result<Plan> run() {
        const int devices = m_model.deviceCount();
        if (devices <= fewGroupedDevices)
            tryAll(devices);
        else
            grow(devices);
        if (m_best.any() && m_best.fits())
            return m_best.take();
        if (m_clock.over())
            return noPlan(m_model, true);
        const StagePlace least{0, m_model.layerCount(), m_model.memory().minimumSamples(0, m_model.layerCount()), 1,
                               false};
        const double bytes = m_model.memory().stageBytes(least);
        return fail(QStringLiteral("plan.local-steps"), sentence("No devices can share the batches."),
                    sentence("With local steps every device holds the whole network and its share of a batch at once: "
                             "%1 (%2 bytes) at least.")
                        .arg(bytesText(bytes))
                        .arg(countText(std::llround(bytes))),
                    sentence("Choose a smaller batch, average the weights more often, or leave local steps out."));
    }

  private:
    /// Without limits it ends by itself, but in a large home not soon.
    static PlannerOptions limited(PlannerOptions options) {
        if (!options.stepLimit && !options.secondsLimit)
            options.stepLimit = groupingStepsUnlessTold;
        return options;
    }
    int total() const { return *m_model.problem().microBatch; }
    bool isOver() const { return m_options.isAbandoned() || (m_best.any() && m_clock.over()); }

    void tryAll(int devices) {
        for (unsigned mask = 1; mask < 1U << static_cast<unsigned>(devices) && !isOver(); ++mask) {
            std::vector<int> members;
            for (int d = 0; d < devices; ++d) {
                if ((mask >> static_cast<unsigned>(d) & 1) != 0)
                    members.push_back(d);
            }
            offer(std::move(members));
        }
    }

    /// One more device at a time, the one that helps most: to the last, as often only several together leave each with
    /// one sample less.
    void grow(int devices) {
        std::vector<int> members;
        for (int count = 0; count < devices && !isOver(); ++count) {
            double seconds = INFINITY;
            std::vector<int> next;
            for (int d = 0; d < devices && !isOver(); ++d) {
                if (std::ranges::find(members, d) != members.end())
                    continue;
                std::vector<int> more = members;
                more.push_back(d);
                if (const double now = offer(more); now < seconds || next.empty()) {
                    seconds = now;
                    next = std::move(more);
                }
            }
            members = std::move(next);
        }
    }

    /// The round of these devices; infinite where they cannot take it.
    double offer(std::vector<int> members) {
        std::ranges::sort(members, {}, [this](int device) { return m_model.rank(device); });
        const int layers = m_model.layerCount(), least = m_model.memory().minimumSamples(0, layers);
        std::vector<int> caps, shares(members.size());
        for (const int device : members)
            caps.push_back(m_model.memory().largestShare(device, {0, layers, 1, 1, false}, total()));
        ChargedRequest request;
        request.lastLayer = layers;
        request.devices = members;
        request.caps = caps;
        request.least = least;
        request.total = total();
        if (!chargedShares(m_model, request, shares))
            return INFINITY;
        Placement placement{total(), Schedule::OneForwardOneBackward, {{0, layers, {}, 1, false, {}}}};
        Group &group = placement.stages.front().group;
        for (std::size_t i = 0; i < members.size(); ++i)
            group.push_back({members[i], shares[i]});
        const double seconds = improve(placement, caps, least);
        m_best.offer(planOf(m_model.problem(), m_planner, placement));
        return seconds;
    }

    /// Moves ever fewer samples from one member to another, while that helps.
    double improve(Placement &placement, const std::vector<int> &caps, int least) {
        Group &group = placement.stages.front().group;
        double best = secondsOf(placement);
        for (int step = std::max(1, total() / 4); step >= 1; step /= 2) {
            for (bool moved = true; moved && !m_clock.over();) {
                moved = false;
                for (std::size_t from = 0; from < group.size(); ++from) {
                    for (std::size_t to = 0; to < group.size(); ++to) {
                        if (from == to || group[from].samples - step < least || group[to].samples + step > caps[to])
                            continue;
                        group[from].samples -= step;
                        group[to].samples += step;
                        if (const double now = secondsOf(placement); now < best) {
                            best = now;
                            moved = true;
                            continue;
                        }
                        group[from].samples += step;
                        group[to].samples -= step;
                    }
                }
            }
        }
        return best;
    }

    /// Micro-batch after micro-batch, then the sum: of one stage that is what the simulator says.
    double secondsOf(const Placement &placement) {
        m_clock.spendOnPlan(static_cast<int>(placement.stages.front().group.size()), 1);
        const PlanSteps steps = stepsOf(m_model, placement);
        const StepTimes &own = steps.times.front();
        const int microBatches = m_model.problem().localSteps.every;
        return std::max(steps.leastSeconds(), microBatches * (own.forward + own.backward) + own.allReduce);
    }

    const CostModel &m_model;
    const QString &m_planner;
    const PlannerOptions m_options;
    SearchClock m_clock;
    BestPlan m_best;
};

}  // namespace

Result<Plan> planLocalSteps(const CostModel &model, const QString &planner, const PlannerOptions &options) {
    return GroupSearch(model, planner, options).run();
}

QStringList localStepsPlanners() {
    return {QStringLiteral("hearth"), QStringLiteral("single"), QStringLiteral("dp"), QStringLiteral("eddl")};
}

}  // namespace hearth
