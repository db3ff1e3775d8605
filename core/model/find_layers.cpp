#include "core/model/find_layers.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <queue>

namespace hearth {
namespace {

/// No block of known networks is longer: such a span has places to cut that are worth more than one value.
constexpr int longSpan = 100;
/// What it is cut into has at least so many ops.
constexpr int shortestPiece = 8;
/// Blocks that must take a value before it is carried along: a shortcut serves one.
constexpr int blocksServed = 2;
/// Of a branch that does the same as an op beside it: the two projections of an adapter, a dropout and a factor.
constexpr int longestBranch = 6;
/// Until what is carried along settles; in known networks it takes three.
constexpr int mostAttempts = 8;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

bool hasWork(const Op &op) {
    return op.cost.macs > 0 || op.kind == QLatin1String("embedding");
}

class LayerFinder {
  public:
    LayerFinder(const std::vector<Op> &ops, std::size_t inputs, int output)
        : m_ops(ops),
          m_inputs(static_cast<int>(inputs)),
          m_count(static_cast<int>(ops.size())),
          m_last(lastTakers(ops, inputs, output)),
          m_first(m_last.size(), m_count),
          m_takers(m_last.size()),
          m_aside(m_last.size()),
          m_carried(m_last.size()),
          m_within(at(m_count)) {
        for (int i = m_count; i-- > 0;) {
            const Op &op = m_ops[at(i)];
            for (std::size_t taken = 0; taken < op.from.size(); ++taken) {
                const std::size_t value = at(op.from[taken]);
                m_first[value] = i;
                ++m_takers[value];
                m_aside[value] = op.inputKinds[taken] == ValueKind::Int64;
            }
        }
        for (int i = 0; i < m_count; ++i) {
            const Op &op = m_ops[at(i)];
            const bool plain = op.tensors == 0 && std::ranges::all_of(op.from, [&](int v) { return m_aside[at(v)]; });
            if (plain)
                m_aside[at(m_inputs + i)] = true;
        }
        markBranches();
    }

    std::vector<FoundLayer> find() {
        chooseCarried();
        std::vector<int> borders = bordersWhere(1);
        breakLongSpans(borders);
        std::vector<FoundLayer> layers = joined(borders);
        joinCheapest(layers);
        describe(layers);
        return layers;
    }

  private:
    /// By place (before that op): how many values cross. Of those that are worked on, or of all.
    std::vector<int> crossing(bool all) const {
        std::vector<int> counts(at(m_count) + 1);
        for (int value = 0; value < static_cast<int>(m_last.size()); ++value) {
            if (!all && (m_aside[at(value)] || m_carried[at(value)]))
                continue;
            const int from = value >= m_inputs ? value - m_inputs + 1 : all ? 0 : m_first[at(value)] + 1;
            const int to = std::min(m_last[at(value)] + 1, m_count);
            if (from < to) {
                ++counts[at(from)];
                --counts[at(to)];
            }
        }
        for (std::size_t i = 1; i < counts.size(); ++i)
            counts[i] += counts[i - 1];
        return counts;
    }

    /// Begins with 0 and ends with the number of ops.
    std::vector<int> bordersWhere(int most) const {
        const std::vector<int> worked = crossing(false), all = crossing(true);
        std::vector<int> borders{0};
        for (int place = 1; place < m_count; ++place) {
            if (worked[at(place)] <= most && all[at(place)] <= FoundLayerLimits::slots)
                borders.push_back(place);
        }
        borders.push_back(m_count);
        return borders;
    }

    /// The value that a chain of ops begins with which nobody else takes from; -1: it is none, or a longer one.
    int beginOfBranch(int value, int &firstOp) const {
        for (int steps = 0; steps < longestBranch && value >= m_inputs && m_takers[at(value)] == 1; ++steps) {
            const int op = value - m_inputs;
            if (m_ops[at(op)].from.size() != 1)
                return -1;
            firstOp = std::min(firstOp, op);
            value = m_ops[at(op)].from.front();
            if (m_takers[at(value)] > 1)
                return value;
        }
        return -1;
    }

    /// What adds up two short branches from one value is one op as far as blocks are concerned: LoRA beside a product.
    void markBranches() {
        for (int i = 0; i < m_count; ++i) {
            const std::vector<int> &from = m_ops[at(i)].from;
            if (m_ops[at(i)].kind != QLatin1String("add") || from.size() != 2)
                continue;
            int first = i;
            const int begin = beginOfBranch(from[0], first);
            if (begin < 0 || begin != beginOfBranch(from[1], first))
                continue;
            for (int place = first + 1; place <= i; ++place)
                m_within[at(place)] = true;
        }
    }

    /// Begins with all that could be carried, and drops what does not serve enough blocks of what is left.
    void chooseCarried() {
        for (std::size_t value = 0; value < m_last.size(); ++value)
            m_carried[value] = !m_aside[value] && m_takers[value] >= blocksServed;
        for (int attempt = 0; attempt < mostAttempts && dropCarried(); ++attempt)
            ;
    }

    bool dropCarried() {
        const std::vector<int> worked = crossing(false);
        std::vector<int> spanOf(at(m_count)), sizes;
        for (int i = 0; i < m_count; ++i) {
            if (i == 0 || (worked[at(i)] <= 1 && !m_within[at(i)]))
                sizes.push_back(0);
            spanOf[at(i)] = static_cast<int>(sizes.size()) - 1;
            sizes.back() += m_within[at(i)] ? 0 : 1;
        }
        std::vector<int> serves(m_last.size()), lastSpan(m_last.size(), -1);
        for (int i = 0; i < m_count; ++i) {
            for (const int value : m_ops[at(i)].from) {
                const int span = spanOf[at(i)];
                if (sizes[at(span)] < 2 || lastSpan[at(value)] == span)
                    continue;
                lastSpan[at(value)] = span;
                ++serves[at(value)];
            }
        }
        bool dropped = false;
        for (std::size_t value = 0; value < m_last.size(); ++value) {
            if (m_carried[value] && serves[value] < blocksServed) {
                m_carried[value] = false;
                dropped = true;
            }
        }
        return dropped;
    }

    void breakLongSpans(std::vector<int> &borders) const {
        for (int most = 2; most <= FoundLayerLimits::slots; ++most) {
            std::vector<int> finer{0};
            const std::vector<int> places = bordersWhere(most);
            auto place = places.begin();
            for (std::size_t i = 1; i < borders.size(); ++i) {
                const bool isLong = borders[i] - borders[i - 1] > longSpan;
                for (; *place < borders[i]; ++place) {
                    if (isLong && *place - finer.back() >= shortestPiece && borders[i] - *place >= shortestPiece &&
                        hasWork(m_ops[at(*place)]))
                        finer.push_back(*place);
                }
                finer.push_back(borders[i]);
            }
            borders = std::move(finer);
        }
    }

    /// An attention whose keys come from what the span works on itself, not from what is carried along.
    bool attendsToItself(int first, int last) const {
        bool attends = false;
        for (int i = first; i < last; ++i) {
            const Op &op = m_ops[at(i)];
            attends = attends || op.kind == QLatin1String("attention") || op.kind == QLatin1String("softmax");
            const bool crossed = op.tensors > 0 && op.cost.macs > 0 &&
                                 std::ranges::any_of(op.from, [&](int v) { return m_carried[at(v)]; });
            if (crossed)
                return false;
        }
        return attends;
    }

    std::vector<FoundLayer> joined(const std::vector<int> &borders) const {
        std::vector<FoundLayer> layers;
        bool attention = false, work = false;  // in the layer that grows
        for (std::size_t i = 1; i < borders.size(); ++i) {
            const int first = borders[i - 1], last = borders[i];
            const auto begin = m_ops.begin() + first, end = m_ops.begin() + last;
            const bool works = std::any_of(begin, end, hasWork);
            const bool isBlock = last - first > 1;
            const bool attends = isBlock && works && attendsToItself(first, last);
            const bool joins = !works || !work || (attention && isBlock && !attends);
            if (layers.empty() || !joins) {
                layers.push_back({first, last, {}, {}});
                attention = attends;
                work = works;
            } else {
                layers.back().last = last;
                attention = attention || attends;
                work = work || works;
            }
        }
        return layers;
    }

    double costOf(const FoundLayer &layer) const {
        double cost = 0;
        for (int i = layer.first; i < layer.last; ++i)
            cost += m_ops[at(i)].cost.flops;
        return cost;
    }

    /// Until there are few enough.
    void joinCheapest(std::vector<FoundLayer> &layers) const {
        std::vector<double> costs;
        std::vector<int> next, before;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            costs.push_back(costOf(layers[i]));
            next.push_back(static_cast<int>(i) + 1);
            before.push_back(static_cast<int>(i) - 1);
        }
        using Pair = std::tuple<double, int, int>;  // cost, left, right
        std::priority_queue<Pair, std::vector<Pair>, std::greater<>> pairs;
        const auto offer = [&](int left) {
            const int right = next[at(left)];
            if (right < static_cast<int>(layers.size()))
                pairs.emplace(costs[at(left)] + costs[at(right)], left, right);
        };
        for (int i = 0; i < static_cast<int>(layers.size()); ++i)
            offer(i);
        std::vector<bool> gone(layers.size());
        for (std::size_t left = layers.size(); left > FoundLayerLimits::layers;) {
            const auto [cost, first, second] = pairs.top();
            pairs.pop();
            if (gone[at(first)] || gone[at(second)] || costs[at(first)] + costs[at(second)] != cost)
                continue;
            layers[at(first)].last = layers[at(second)].last;
            costs[at(first)] = cost;
            gone[at(second)] = true;
            next[at(first)] = next[at(second)];
            if (next[at(first)] < static_cast<int>(layers.size()))
                before[at(next[at(first)])] = first;
            --left;
            offer(first);
            if (before[at(first)] >= 0)
                offer(before[at(first)]);
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            if (!gone[i])
                layers[kept++] = layers[i];
        }
        layers.resize(kept);
    }

    /// Of ops with work, where a layer has some.
    std::vector<const Op *> tellingOps(const FoundLayer &layer) const {
        std::vector<const Op *> telling;
        for (int i = layer.first; i < layer.last; ++i) {
            if (hasWork(m_ops[at(i)]))
                telling.push_back(&m_ops[at(i)]);
        }
        if (telling.empty())
            telling.push_back(&m_ops[at(layer.first)]);
        return telling;
    }

    /// "a", "a.b" and "a.b.c" of "a.b.c".
    static QStringList scopesOf(const QString &name) {
        QStringList scopes;
        for (qsizetype i = 1; i < name.size(); ++i) {
            if (name[i] == QLatin1Char('.') || name[i] == QLatin1Char('/'))
                scopes << name.left(i);
        }
        return scopes << name;
    }

    void describe(std::vector<FoundLayer> &layers) const {
        constexpr int several = -1;
        QHash<QString, int> owners;
        for (int i = 0; i < static_cast<int>(layers.size()); ++i) {
            for (const Op *op : tellingOps(layers[at(i)])) {
                for (const QString &scope : scopesOf(op->name)) {
                    const auto known = owners.find(scope);
                    if (known == owners.end())
                        owners.insert(scope, i);
                    else if (*known != i)
                        *known = several;
                }
            }
        }
        QSet<QString> taken;
        for (int i = 0; i < static_cast<int>(layers.size()); ++i) {
            FoundLayer &layer = layers[at(i)];
            const std::vector<const Op *> telling = tellingOps(layer);
            const QStringList scopes = scopesOf(telling.front()->name);
            const auto own = std::ranges::find_if(scopes, [&](const QString &scope) { return owners[scope] == i; });
            layer.name = own == scopes.end() ? scopes.back() : *own;
            for (int again = 2; taken.contains(layer.name); ++again)
                layer.name = QStringLiteral("%1-%2").arg(own == scopes.end() ? scopes.back() : *own).arg(again);
            taken.insert(layer.name);
            layer.kind = telling.size() == 1                        ? telling.front()->kind
                         : attendsToItself(layer.first, layer.last) ? QStringLiteral("attention-block")
                                                                    : QStringLiteral("block");
        }
    }

    const std::vector<Op> &m_ops;
    const int m_inputs, m_count;
    const std::vector<int> m_last;  // by value, as the others
    std::vector<int> m_first, m_takers;
    std::vector<bool> m_aside;    // whole numbers, and what is made of them without weights
    std::vector<bool> m_carried;  // along, for several blocks
    std::vector<bool> m_within;   // by op: its branches, and what adds them up, begin before it
};

}  // namespace

std::vector<int> lastTakers(const std::vector<Op> &ops, std::size_t inputs, int output) {
    std::vector<int> last(inputs + ops.size(), -1);
    for (int i = 0; i < static_cast<int>(ops.size()); ++i) {
        for (const int value : ops[at(i)].from)
            last[at(value)] = i;
    }
    last[at(output)] = static_cast<int>(ops.size());
    return last;
}

std::vector<FoundLayer> findLayers(const std::vector<Op> &ops, std::size_t inputs, int output) {
    return LayerFinder(ops, inputs, output).find();
}

}  // namespace hearth
