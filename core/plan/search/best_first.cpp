#include "core/plan/search/best_first.h"

#include <queue>

#include "core/base/at.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

constexpr std::size_t mostSearchNodes = 4'000'000;  // about half a gigabyte

struct SearchNode {
    PrefixBound prefix;
    const StageOption *option = nullptr;  // of the last stage of the prefix
    int parent = -1;
    int group = 0;
    int firstPart = 0;
    int position = 0;
    int set = 0;
    int stagesLeft = 0;
};

struct Open {
    double bound = 0;
    int node = 0;
    bool operator<(const Open &other) const {
        // The queue gives the largest first; deeper prefixes win ties, so that plans get complete.
        return bound != other.bound ? bound > other.bound : node < other.node;
    }
};

class Enumeration {
  public:
    Enumeration(StageOptions &options, const SuffixTable &table, double limit, SearchClock &clock)
        : m_options(options), m_table(table), m_limit(limit), m_clock(clock) {}

    BestFirstResult run(const std::function<double(Placement)> &offer) {
        const int full = m_options.sets().full;
        for (int stages = 1; stages <= m_table.mostStages(); ++stages) {
            double bound = never;
            for (const SuffixLabel &label : m_table.front(stages, 0, full))
                bound = std::min(bound, label.bound.seconds());
            if (bound < m_limit) {
                SearchNode root;
                root.set = full;
                root.stagesLeft = stages;
                push(root, bound);
            }
        }
        BestFirstResult result;
        while (!m_open.empty()) {
            const Open next = m_open.top();
            if (next.bound >= m_limit)
                break;
            if (m_clock.phaseOver() || m_nodes.size() > mostSearchNodes) {
                result.lowerBound = next.bound;
                return result;
            }
            m_open.pop();
            if (m_nodes[at(next.node)].stagesLeft == 0) {
                Placement placement = placementOf(next.node);
                m_clock.spendOnPlan(static_cast<int>(placement.stages.size()), m_options.microBatches());
                m_limit = std::min(m_limit, offer(std::move(placement)));
            } else {
                expand(next.node);
            }
        }
        result.lowerBound = m_limit;
        result.exhausted = true;
        return result;
    }

  private:
    void push(const SearchNode &node, double bound) {
        m_nodes.push_back(node);
        m_open.push({bound, static_cast<int>(m_nodes.size()) - 1});
    }

    void expand(int number) {
        const SearchNode node = m_nodes[at(number)];
        const int parts = m_options.parts(), left = node.stagesLeft;
        for (const DeviceSets::Move &move : m_options.sets().moves[at(node.set)]) {
            if (m_options.sets().size[at(move.rest)] < left - 1)
                continue;
            int from = parts, to = parts;
            if (left > 1) {
                const SuffixTable::Positions &behind = m_table.positions(left - 1, move.rest);
                from = std::max(node.position + 1, behind.first);
                to = behind.last;
            }
            for (int last = from; last <= to; ++last) {
                m_clock.spend(1);
                if (left > 1 && node.prefix.over(m_table.least(left - 1, last, move.rest)) >= m_limit)
                    continue;
                const StageOptions::Choice choice = m_options.find(node.position, last, move.group, left);
                if (m_options.microBatches() * choice.leastOccupied() >= m_limit)
                    break;
                for (const StageOption *option : {choice.plain, choice.recomputed}) {
                    if (option)
                        addChild(number, node, move, last, *option);
                }
            }
        }
    }

    void addChild(int parent, const SearchNode &node, const DeviceSets::Move &move, int last,
                  const StageOption &option) {
        const int microBatches = m_options.microBatches();
        SearchNode child;
        child.prefix = node.prefix;
        if (node.option) {
            child.prefix = child.prefix.withTransfer(m_options.cut(node.position, *node.option, option), microBatches,
                                                     m_options.onAir());
        }
        child.prefix = child.prefix.withExecution(option.step, microBatches);
        child.option = &option;
        child.parent = parent;
        child.group = move.group;
        child.firstPart = node.position;
        child.position = last;
        child.set = move.rest;
        child.stagesLeft = node.stagesLeft - 1;
        double bound = never;
        if (child.stagesLeft == 0) {
            bound = child.prefix.closed();
        } else {
            for (const SuffixLabel &label : m_table.front(child.stagesLeft, last, move.rest)) {
                m_clock.spend(1);
                bound = std::min(bound, child.prefix.over(SuffixTable::behindCut(m_options, last, option, label)));
            }
        }
        if (bound < m_limit)
            push(child, bound);
    }

    /// Stand-ins of a type become devices of that type that no stage in front has taken.
    Placement placementOf(int leaf) const {
        std::vector<int> chain;
        for (int n = leaf; m_nodes[at(n)].option; n = m_nodes[at(n)].parent)
            chain.push_back(n);
        Placement placement{m_options.microBatch(), Schedule::OneForwardOneBackward, {}};
        const std::vector<int> &type = m_options.sets().type;
        const CostModel &model = m_options.model();
        std::vector<std::vector<int>> free(type.size());  // by type, by id order
        for (const int device : model.devicesById())
            free[at(type[at(device)])].push_back(device);
        std::vector<std::size_t> taken(type.size());
        for (auto n = chain.rbegin(); n != chain.rend(); ++n) {
            const SearchNode &node = m_nodes[at(*n)];
            StagePlacement stage{m_options.cuts()[at(node.firstPart)], m_options.cuts()[at(node.position)],
                                 node.option->members, m_options.inFlight(node.stagesLeft + 1), node.option->recompute};
            for (MemberShare &member : stage.group) {
                const std::size_t own = at(type[at(member.device)]);
                member.device = free[own][taken[own]++];
            }
            std::sort(stage.group.begin(), stage.group.end(), [&](const MemberShare &a, const MemberShare &b) {
                return model.rank(a.device) < model.rank(b.device);
            });
            placement.stages.push_back(std::move(stage));
        }
        return placement;
    }

    StageOptions &m_options;
    const SuffixTable &m_table;
    double m_limit;
    SearchClock &m_clock;
    std::vector<SearchNode> m_nodes;
    std::priority_queue<Open> m_open;
};

}  // namespace

BestFirstResult enumerateBestFirst(StageOptions &options, const SuffixTable &table, double limitSeconds,
                                   SearchClock &clock, const std::function<double(Placement)> &offer) {
    return Enumeration(options, table, limitSeconds, clock).run(offer);
}

}  // namespace hearth
