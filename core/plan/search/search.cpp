#include "core/plan/search/search.h"

#include <cmath>
#include <numeric>

#include "core/plan/search/beam.h"
#include "core/plan/search/best_first.h"
#include "core/plan/search/cut_points.h"
#include "core/plan/search/local_search.h"
#include "core/plan/search/polish.h"

namespace hearth {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr quint64 stepsUnlessTold = 60'000'000;
/// Below that part of a round two plans count as equally long.
constexpr double equal = 1e-9;
constexpr int coarseParts = 12;
constexpr quint64 coarseSteps = 2'000'000;
constexpr int orderPlaces = 20;
constexpr int beamParts = 60;
constexpr int narrowBeam = 10;
constexpr quint64 climbSteps = 5'000'000;
constexpr quint64 firstOrderSteps = 500'000;
/// A proof that costs no more is not prepared for any longer.
constexpr quint64 proofAtOnce = 2'000'000;
constexpr qint64 mostCoarseMoves = 20'000;
constexpr double mostCoarseTable = 8e6;
constexpr qint64 mostExactMoves = 1'000'000;
constexpr double mostTableEntries = 20e6;
constexpr double mostOptionEntries = 40e6;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

class Search {
  public:
    Search(const CostModel &model, const PlannerOptions &options, const SearchSettings &settings)
        : m_model(model),
          m_options(options),
          m_settings(settings),
          m_clock(options),
          m_judge(model, settings.freeLimits),
          m_random(settings.seed) {}

    std::optional<SearchResult> run() {
        for (const int microBatch : microBatchChoices(m_model.problem()))
            m_spaces.push_back({microBatch, leastRoundSeconds(m_model, microBatch), false});
        // Pipelines like some ten to twenty micro-batches best; what is good early prunes the rest.
        const auto unusual = [&](const Space &space) {
            return std::abs(std::log2(m_model.problem().batch / (16.0 * space.microBatch)));
        };
        std::stable_sort(m_spaces.begin(), m_spaces.end(),
                         [&](const Space &a, const Space &b) { return unusual(a) < unusual(b); });
        offerOneStage();
        searchOrders();
        searchBeam(narrowBeam);
        climb(climbSteps);
        searchBeam(4 * narrowBeam);
        searchSubsets();
        improveOrder(firstOrderSteps);
        climb(climbSteps);
        const quint64 proof = proofSteps();
        if (proof > proofAtOnce) {
            searchBeam(16 * narrowBeam);
            improveOrder(proof / 4);
        }
        climb(~quint64{0});
        proveAll();
        while (!allProved() && keepImproving()) {
        }
        if (m_best.stages.empty())
            return std::nullopt;
        SearchResult result{m_best, m_seconds, lowerBound(), allProved(), m_clock.steps()};
        if (m_settings.polish)
            result.seconds = polish(m_model, m_clock, result.placement, result.seconds);
        return result;
    }

  private:
    struct Space {  // all plans of one micro-batch size
        int microBatch = 0;
        double lowerBound = 0;
        bool done = false;
    };

    double limit() const { return m_seconds * (1 - equal); }
    bool allProved() const {
        return std::all_of(m_spaces.begin(), m_spaces.end(),
                           [&](const Space &space) { return space.done || space.lowerBound >= limit(); });
    }
    double lowerBound() const {
        double least = m_seconds;
        for (const Space &space : m_spaces)
            least = std::min(least, space.done ? m_seconds : space.lowerBound);
        return least;
    }

    double offer(Placement placement) {
        const double seconds = m_judge.judge(placement, limit());
        if (seconds < limit()) {
            m_best = std::move(placement);
            m_seconds = seconds;
            report();
        }
        return limit();
    }
    void report() const {
        if (m_options.progress)
            m_options.progress({m_seconds, 1 - lowerBound() / m_seconds});
    }

    /// Single devices, and the fastest few together: something to hold against everything else.
    void offerOneStage() {
        LocalSearch local(m_model, m_clock, localOptions());
        std::vector<int> order(m_model.devicesById());
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return wholeSeconds(a) < wholeSeconds(b); });
        for (const Space &space : m_spaces) {
            Outline outline{space.microBatch, {0, m_model.layerCount()}, {{}}};
            for (const int device : order) {
                outline.groups[0] = {device};
                if (auto alone = local.build(outline))
                    offer(std::move(*alone));
            }
            outline.groups[0].clear();
            for (const int device : order) {
                outline.groups[0].push_back(device);
                if (auto together = local.build(outline))
                    offer(std::move(*together));
            }
        }
    }

    double wholeSeconds(int device) const {
        const LayerSeconds whole = m_model.stageSeconds(device, 0, m_model.layerCount(), m_model.problem().batch);
        return whole.forward + whole.backward;
    }

    /// The exact method on few places to cut and few orders of devices.
    void searchOrders() {
        const std::vector<int> cuts = cutPoints(m_model, coarseParts);
        for (const auto &order : orders()) {
            const DeviceSets sets = rangesOf(m_model, order, coarseParts);
            for (const Space &space : m_spaces)
                searchCoarsely(sets, cuts, space);
        }
    }

    /// Devices by their place in the best plan; those that stand idle first, where an order leaves devices out.
    std::vector<int> orderOfBest() const {
        std::vector<int> order;
        std::vector<char> busy(at(m_model.deviceCount()), 0);
        for (const StagePlacement &stage : m_best.stages) {
            for (const MemberShare &member : stage.group) {
                busy[at(member.device)] = 1;
                order.push_back(member.device);
            }
        }
        for (const int device : m_model.devicesById()) {
            if (!busy[at(device)])
                order.insert(order.begin(), device);
        }
        return order;
    }

    /// Moves and swaps of devices in the order of the best plan, each followed by the method for orders, which finds
    /// groups and cuts anew. Ends when no single change helps.
    bool improveOrder(quint64 steps) {
        if (m_best.stages.empty() || m_model.deviceCount() < 2 || m_clock.over())
            return false;
        const quint64 end = m_clock.steps() + steps;
        const double before = m_seconds;
        for (int failures = 0; failures < mostFailures() && m_clock.steps() < end && !m_clock.over();) {
            std::vector<int> order = orderOfBest();
            const auto count = static_cast<unsigned>(order.size());
            const auto a = static_cast<std::ptrdiff_t>(m_random() % count);
            const auto b = static_cast<std::ptrdiff_t>(m_random() % count);
            if (m_random() % 2 == 0)
                std::swap(order[at(static_cast<int>(a))], order[at(static_cast<int>(b))]);
            else if (a < b)
                std::rotate(order.begin() + a, order.begin() + a + 1, order.begin() + b + 1);
            else
                std::rotate(order.begin() + b, order.begin() + a, order.begin() + a + 1);
            const DeviceSets sets = rangesOf(m_model, order, orderPlaces);
            const std::vector<int> cuts = cutsAroundBest(coarseParts - 4);
            const double last = m_seconds;
            for (const Space &space : m_spaces) {
                // The best size, now and then its neighbours.
                if (space.microBatch == m_best.microBatch || m_random() % 8 == 0)
                    searchCoarsely(sets, cuts, space);
            }
            if (m_seconds < last) {
                failures = 0;
                shiftBordersOfBest();
            } else {
                ++failures;
            }
        }
        return m_seconds < before;
    }
    int mostFailures() const { return m_model.deviceCount() * m_model.deviceCount(); }

    /// The coarse method cuts at few places only.
    void shiftBordersOfBest() {
        LocalSearch local(m_model, m_clock, localOptions());
        take(local.shiftAllBorders(LocalSearch::Found{m_best, m_seconds}));
    }

    /// Small groups on many cuts. Wide beams look at the sizes of micro-batches near the best one only.
    void searchBeam(int width) {
        const std::vector<int> cuts = cutPoints(m_model, beamParts);
        const bool wide = width > narrowBeam;
        const BeamSettings settings{width, m_model.deviceCount() <= 10 || wide ? 2 : 1, std::max(20, width / 2),
                                    m_settings.mayRecompute};
        const int best = m_best.stages.empty() ? 0 : m_best.microBatch;
        for (const Space &space : m_spaces) {
            const bool near = 2 * space.microBatch >= best && space.microBatch <= 2 * best;
            if (m_clock.over() || space.lowerBound >= limit() || (wide && !near))
                continue;
            for (Placement &placement :
                 beamSearch(m_model, cuts, space.microBatch, settings, limit(), &m_optionMemory, m_clock))
                offer(std::move(placement));
            m_optionMemory.shrink();
        }
    }

    /// All subsets of devices where they are not too many, cut at few places and around the borders of the best plan;
    /// again while that helps.
    void searchSubsets() {
        const DeviceSets sets = subsetsOf(m_model, mostCoarseMoves);
        if (sets.moves.empty() || m_best.stages.empty())
            return;
        for (double before = never; m_seconds < before * (1 - 1e-4) && !m_clock.over();) {
            before = m_seconds;
            const std::vector<int> cuts = cutsAroundBest(coarseParts - 2);
            const double parts = static_cast<double>(cuts.size());
            // A table that does not get complete is of no use.
            if (0.5 * parts * parts * sets.moveCount() * mostStages(m_model.layerCount()) > mostCoarseTable)
                return;
            const int microBatch = m_best.microBatch;
            for (const Space &space : m_spaces) {
                if (2 * space.microBatch >= microBatch && space.microBatch <= 2 * microBatch)
                    searchCoarsely(sets, cuts, space);
            }
        }
    }

    std::vector<int> cutsAroundBest(int parts) const {
        std::vector<int> cuts = cutPoints(m_model, parts);
        for (const StagePlacement &stage : m_best.stages) {
            for (int layer = stage.lastLayer - 2; layer <= stage.lastLayer + 2; ++layer) {
                if (layer > 0 && layer < m_model.layerCount())
                    cuts.push_back(layer);
            }
        }
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        return cuts;
    }

    void searchCoarsely(const DeviceSets &sets, const std::vector<int> &cuts, const Space &space) {
        if (m_clock.over() || space.lowerBound >= limit())
            return;
        m_clock.limitPhase(coarseSteps);
        exhaust(sets, cuts, space.microBatch, InFlightRule::Wide, &m_optionMemory);
        m_clock.endPhase();
        m_optionMemory.shrink();
    }

    std::vector<std::vector<int>> orders() const {
        std::vector<int> byMemory(m_model.devicesById()), bySpeed = byMemory;
        std::stable_sort(byMemory.begin(), byMemory.end(), [&](int a, int b) {
            return m_model.memory().availableBytes(a) > m_model.memory().availableBytes(b);
        });
        std::stable_sort(bySpeed.begin(), bySpeed.end(),
                         [&](int a, int b) { return wholeSeconds(a) < wholeSeconds(b); });
        return {byMemory, bySpeed, {bySpeed.rbegin(), bySpeed.rend()}};
    }

    LocalSearchOptions localOptions() const {
        LocalSearchOptions options;
        options.mayRecompute = m_settings.mayRecompute;
        options.freeLimits = m_settings.freeLimits;
        return options;
    }

    void climb(quint64 steps) {
        if (m_best.stages.empty() || m_clock.over())
            return;
        LocalSearch local(m_model, m_clock, localOptions());
        m_clock.limitPhase(steps);
        take(local.improve(LocalSearch::Found{m_best, m_seconds}));
        m_clock.endPhase();
    }
    void take(const std::optional<LocalSearch::Found> &found) {
        if (found && found->seconds < limit() && mayHold(found->placement)) {
            m_best = found->placement;
            m_seconds = found->seconds;
            report();
        }
    }
    /// Plans that were squeezed in by other in-flight limits count only where limits are free.
    bool mayHold(const Placement &placement) const {
        if (m_settings.freeLimits)
            return true;
        const int count = static_cast<int>(placement.stages.size());
        const int microBatches = m_model.problem().batch / placement.microBatch;
        for (int s = 0; s < count; ++s) {
            if (placement.stages[at(s)].inFlight != inFlightLimit(InFlightRule::Wide, count - s, microBatches))
                return false;
        }
        return true;
    }

    /// About what proveAll() will cost, from the size of its table.
    quint64 proofSteps() const {
        const DeviceSets sets = subsetsOf(m_model, mostExactMoves);
        const double parts = m_model.layerCount();
        const double full = 0.5 * parts * parts * sets.moveCount() * mostStages(m_model.layerCount());
        return static_cast<quint64>(sets.moves.empty() ? 1e9 : full * static_cast<double>(m_spaces.size()) / 10);
    }

    void proveAll() {
        const DeviceSets sets = subsetsOf(m_model, mostExactMoves);
        if (sets.moves.empty())
            return;
        std::vector<int> cuts(at(m_model.layerCount()) + 1);
        std::iota(cuts.begin(), cuts.end(), 0);
        const int parts = m_model.layerCount();
        if (SuffixTable::entries(parts, static_cast<int>(sets.moves.size()), mostStages(parts)) > mostTableEntries ||
            0.5 * parts * parts * static_cast<double>(sets.groups.size()) > mostOptionEntries)
            return;
        for (Space &space : m_spaces) {
            if (m_clock.over())
                return;
            if (space.lowerBound >= limit())
                continue;
            bool memoryBinds = false;
            BestFirstResult result = exhaust(sets, cuts, space.microBatch, InFlightRule::Wide, nullptr, &memoryBinds);
            // Fewer micro-batches under way leave room for other shares.
            if (result.exhausted && memoryBinds && m_settings.freeLimits)
                result = exhaust(sets, cuts, space.microBatch, InFlightRule::Narrow, nullptr);
            space.done = result.exhausted;
            space.lowerBound = std::max(space.lowerBound, std::min(result.lowerBound, m_seconds));
            report();
        }
    }

    int mostStages(int parts) const { return std::min(parts, m_model.deviceCount()); }

    BestFirstResult exhaust(const DeviceSets &sets, const std::vector<int> &cuts, int microBatch, InFlightRule rule,
                            OptionMemory *memory, bool *memoryBinds = nullptr) {
        StageOptions stages(m_model, sets, cuts, microBatch, rule, m_settings.mayRecompute, memory);
        BestFirstResult result;
        const SuffixTable table(stages, limit(), mostStages(stages.parts()), m_clock);
        if (table.complete())
            result = enumerateBestFirst(stages, table, limit(), m_clock,
                                        [this](Placement placement) { return offer(std::move(placement)); });
        else
            result.lowerBound = 0;
        if (memoryBinds)
            *memoryBinds = stages.memoryBinds();
        return result;
    }

    /// True while there is a point in going on.
    bool keepImproving() {
        if (m_best.stages.empty() || m_clock.over())
            return false;
        const double before = m_seconds;
        improveOrder(climbSteps);
        LocalSearch local(m_model, m_clock, localOptions());
        m_clock.limitPhase(climbSteps);
        take(local.improveRepeatedly(LocalSearch::Found{m_best, m_seconds}, 20, m_random));
        m_clock.endPhase();
        return m_seconds < before || m_options.secondsLimit || m_options.stepLimit;
    }

    const CostModel &m_model;
    const PlannerOptions &m_options;
    const SearchSettings &m_settings;
    SearchClock m_clock;
    PlacementJudge m_judge;
    std::mt19937 m_random;
    OptionMemory m_optionMemory;
    std::vector<Space> m_spaces;
    Placement m_best;
    double m_seconds = never;
};

}  // namespace

std::optional<SearchResult> searchPlans(const CostModel &model, const PlannerOptions &options,
                                        const SearchSettings &settings) {
    PlannerOptions limited = options;
    if (!options.stepLimit && !options.secondsLimit)
        limited.stepLimit = stepsUnlessTold;
    return Search(model, limited, settings).run();
}

}  // namespace hearth
