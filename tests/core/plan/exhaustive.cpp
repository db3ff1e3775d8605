#include "tests/core/plan/exhaustive.h"

#include <map>
#include <optional>
#include <tuple>

namespace hearth::test {
namespace {

/// All ways to share out, in the order of preference among equals: earlier devices take more first.
class ShareWays {
  public:
    ShareWays(const PlainJudge &judge, const PlainStage &stage, int microBatch)
        : m_least(judge.minimumSamples(stage.first, stage.last)) {
        const int microBatches = judge.problem().batch / microBatch;
        for (const PlainMember &member : stage.members) {
            std::vector<LayerSeconds> row(1);
            for (int y = 1; y <= microBatch && judge.fits(stage, {member.device, y}, microBatches); ++y) {
                row.push_back({judge.forward(member.device, stage.first, stage.last, y),
                               judge.backward(member.device, stage.first, stage.last, y, stage.recompute)});
            }
            m_seconds.push_back(std::move(row));
        }
        m_shares.resize(stage.members.size());
        tryFrom(0, microBatch, 0, 0, 0);
    }
    const std::vector<int> &best() const { return m_best; }

  private:
    void tryFrom(std::size_t i, int left, double forward, double backward, int largest) {
        if (i == m_seconds.size()) {
            if (left == 0)
                offer(forward + backward, largest);
            return;
        }
        const int cap = static_cast<int>(m_seconds[i].size()) - 1;
        for (int y = std::min(left, cap); y >= m_least; --y) {
            const LayerSeconds &own = m_seconds[i][static_cast<std::size_t>(y)];
            m_shares[i] = y;
            tryFrom(i + 1, left - y, std::max(forward, own.forward), std::max(backward, own.backward),
                    std::max(largest, y));
        }
    }
    void offer(double seconds, int largest) {
        const double equal = 1e-12 * m_bestSeconds;
        if (!m_best.empty() && seconds > m_bestSeconds - equal &&
            (seconds > m_bestSeconds + equal || largest >= m_largest))
            return;
        m_best = m_shares;
        m_bestSeconds = seconds;
        m_largest = largest;
    }

    int m_least;
    std::vector<std::vector<LayerSeconds>> m_seconds;  // of every member by its samples, as many as fit
    std::vector<int> m_shares, m_best;
    double m_bestSeconds = 0;
    int m_largest = 0;
};

class Enumeration {
  public:
    Enumeration(const PlainJudge &judge, bool mayRecompute) : m_judge(judge), m_mayRecompute(mayRecompute) {}

    ExhaustiveBest run() {
        const int batch = m_judge.problem().batch;
        const auto devices = static_cast<int>(m_judge.order().size());
        const auto layers = static_cast<int>(m_judge.problem().layers.size());
        for (m_microBatch = 1; m_microBatch <= batch; ++m_microBatch) {
            const std::optional<int> fixed = m_judge.problem().microBatch;
            if (batch % m_microBatch != 0 || (fixed && *fixed != m_microBatch))
                continue;
            m_known.clear();
            for (m_stageCount = 1; m_stageCount <= std::min(layers, devices); ++m_stageCount)
                extend(0, (1u << devices) - 1);
        }
        return m_best;
    }

  private:
    struct Known {
        PlainStage stage;
        ReferenceStep step;
        bool possible = false;
    };

    const Known &stageOf(int first, int last, unsigned group, int inFlight, bool recompute) {
        Known &known = m_known[{first, last, group, inFlight, recompute}];
        if (!known.stage.members.empty())
            return known;
        known.stage = {first, last, {}, inFlight, recompute};
        for (std::size_t i = 0; i < m_judge.order().size(); ++i) {
            if (group >> i & 1u)
                known.stage.members.push_back({m_judge.order()[i], 0});
        }
        known.possible = bestShares(m_judge, m_microBatch, known.stage);
        if (known.possible)
            known.step = m_judge.execution(known.stage, m_judge.problem().batch / m_microBatch);
        return known;
    }

    void extend(int first, unsigned free) {
        const auto layers = static_cast<int>(m_judge.problem().layers.size());
        const int toEnd = m_stageCount - static_cast<int>(m_stages.size());
        if (toEnd == 0)
            return first == layers ? judge() : void();
        const int inFlight = std::min(2 * toEnd - 1, m_judge.problem().batch / m_microBatch);
        for (int last = toEnd == 1 ? layers : first + 1; last <= layers - (toEnd - 1); ++last) {
            for (unsigned group = free; group > 0; group = (group - 1) & free) {
                for (const bool recompute : {false, true}) {
                    if (recompute && !m_mayRecompute)
                        continue;
                    const Known &known = stageOf(first, last, group, inFlight, recompute);
                    if (!known.possible)
                        continue;
                    push(known);
                    extend(last, free & ~group);
                    pop();
                }
            }
        }
    }
    void push(const Known &known) {
        if (!m_stages.empty()) {
            m_cuts.push_back(m_judge.cut(m_stages.back(), known.stage));
            m_steps.push_back({});
        }
        m_stages.push_back(known.stage);
        m_steps.push_back(known.step);
    }
    void pop() {
        m_stages.pop_back();
        m_steps.pop_back();
        if (!m_stages.empty()) {
            m_cuts.pop_back();
            m_steps.pop_back();
        }
    }
    void judge() {
        if (!m_judge.reachable(m_stages))
            return;
        const int microBatches = m_judge.problem().batch / m_microBatch;
        const double least = m_judge.leastSeconds(m_stages, microBatches);
        const double seconds = m_judge.seconds(m_steps, m_cuts, least, microBatches, false);
        ++m_best.plans;
        if (seconds < m_best.seconds) {
            m_best.seconds = seconds;
            m_best.microBatch = m_microBatch;
            m_best.stages = m_stages;
        }
    }

    const PlainJudge &m_judge;
    bool m_mayRecompute;
    int m_microBatch = 0;
    int m_stageCount = 0;
    std::map<std::tuple<int, int, unsigned, int, bool>, Known> m_known;
    std::vector<PlainStage> m_stages;
    std::vector<ReferenceStep> m_steps;
    std::vector<PlainCut> m_cuts;
    ExhaustiveBest m_best;
};

}  // namespace

bool bestShares(const PlainJudge &judge, int microBatch, PlainStage &stage) {
    const ShareWays ways(judge, stage, microBatch);
    for (std::size_t i = 0; i < ways.best().size(); ++i)
        stage.members[i].samples = ways.best()[i];
    return !ways.best().empty();
}

ExhaustiveBest exhaustiveBest(const PlainJudge &judge, bool mayRecompute) {
    return Enumeration(judge, mayRecompute).run();
}

}  // namespace hearth::test
