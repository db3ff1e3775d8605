#include "core/plan/search/reinsertion.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

constexpr int perState = 6;
/// A pair must be that much faster than the better of the two.
constexpr double pairPays = 0.9;
/// Beyond the best place of a border the round only becomes longer: where it is so much longer, nothing else is tried.
constexpr double beyond = 1.1;
/// What stages take of what is usual for their devices, against the row as it is.
constexpr double gain = 1.05;
/// Suffixes whose estimate is above the limit by more than this part of it are given up.
constexpr double tolerance = 0.02;
constexpr double backwardPart = 2.0 / 3;  // of a micro-batch's time, about

}  // namespace

Reinsertion::Reinsertion(const CostModel &model, SearchClock &clock, const std::vector<int> &type)
    : m_model(model), m_clock(clock), m_type(type) {}

/// How much better than on average devices suit the layers that they have.
void Reinsertion::learn(GroupCosts &costs, const StageRow &row) {
    const int layers = m_model.layerCount(), stages = row.stages();
    m_microBatches = costs.microBatches();
    m_gain.assign(at(layers) + 1, 1);
    double actual = 0, cut = 0;
    int known = 0;
    const StageOption *before = nullptr;
    for (int s = 0; s < stages; ++s) {
        const int first = row.borders[at(s)], last = row.borders[at(s) + 1];
        const GroupCosts::Piece piece = costs.piece(row.groups[at(s)], first, last, stages - s);
        if (!piece.option)
            continue;
        actual += piece.step.occupied;
        ++known;
        if (before) {
            const StepTimes step = costs.cut(first, *before, *piece.option);
            cut += step.forward + step.backward;
        }
        before = piece.option;
        double rate = 0;
        for (int other = 0; other <= s; ++other)
            rate += 1 / costs.estimate(row.groups[at(other)]).before[at(last)];
        m_gain[at(last)] = std::min(1.0, gain * actual / known * rate);
    }
    m_cut = stages > 1 ? cut / (stages - 1) : 0;
    for (int s = 0; s < stages; ++s) {
        const int first = row.borders[at(s)], last = row.borders[at(s) + 1];
        const double from = m_gain[at(first)], to = m_gain[at(last)];
        for (int l = first + 1; l < last; ++l)
            m_gain[at(l)] = from + (to - from) * (l - first) / (last - first);
    }
}

void Reinsertion::choose(GroupCosts &costs, GroupNumbers &numbers) {
    m_choices.clear();
    m_poolSeconds.clear();
    const auto whole = [&](int group) { return costs.estimate(group).before[at(m_model.layerCount())]; };
    for (int a = 0; a < static_cast<int>(m_pool.size()); ++a) {
        const int own = numbers.of({m_pool[at(a)]});
        m_choices.push_back({own, bitOf(a)});
        for (int b = 0; b < a; ++b) {
            const int both = numbers.of({m_pool[at(a)], m_pool[at(b)]});
            if (whole(both) < pairPays * std::min(whole(own), whole(numbers.of({m_pool[at(b)]}))))
                m_choices.push_back({both, bitOf(a) | bitOf(b)});
        }
    }
    std::vector<int> types;
    for (const int device : m_pool) {
        m_poolSeconds.push_back(costs.estimate(numbers.of({device})).before.data());
        types.push_back(m_type[at(device)]);
    }
    m_equals = equalsBefore(types);
}

/// About the least round that begins so: the layers before are shared by those that stay and the fastest that are free.
double Reinsertion::estimate(const SuffixBound &bound, int first, int kept, unsigned mask) const {
    double rate = m_keptRate[at(kept)][at(first)], best = never;
    int count = keptCount() - kept;
    const auto consider = [&] {
        const double each = m_gain[at(first)] / rate, once = count * (each + m_cut);
        const double seconds = std::max({bound.drained + once, m_microBatches * each,
                                         bound.roundTrip + once + (m_microBatches - 1) * each * backwardPart});
        const bool better = seconds < best;
        best = std::min(best, seconds);
        return better;
    };
    if (count > 0)
        consider();
    for (int i = 0; i < static_cast<int>(m_pool.size()); ++i) {
        if (mask & bitOf(i))
            continue;
        rate += 1 / m_poolSeconds[at(i)][first];
        ++count;
        if (!consider())
            break;
    }
    return best;
}

void Reinsertion::push(int state, const Label &label) {
    Label *labels = &m_labels[at(state * perState)];
    int &count = m_counts[at(state)];
    int same = -1;
    for (int i = 0; i < count; ++i)
        same = labels[i].first == label.first ? i : same;
    if (same >= 0) {
        if (label.estimate < labels[same].estimate)
            labels[same] = label;
        return;
    }
    if (count < perState) {
        labels[count++] = label;
        return;
    }
    int worst = 0;
    for (int i = 1; i < count; ++i)
        worst = labels[i].estimate > labels[worst].estimate ? i : worst;
    if (label.estimate < labels[worst].estimate)
        labels[worst] = label;
}

void Reinsertion::extend(GroupCosts &costs, int from, int group, int kept, unsigned mask) {
    const Label own = from < 0 ? Label{} : m_labels[at(from)];
    const int end = from < 0 ? m_model.layerCount() : own.first;
    const bool mayEnd = kept == keptCount();
    const bool mustEnd = mayEnd && mask + 1 == bitOf(static_cast<int>(m_pool.size()));
    const std::optional<GroupCosts::Alone> alone = costs.alone(group);
    SuffixBound suffix;
    if (from >= 0 && alone)
        suffix = own.bound.afterTransfer(costs.cut(end, *alone->option, *own.head), m_microBatches, costs.onAir(),
                                         own.cards);
    double least = never;
    int looked = 0;
    for (int first = end - 1; first >= (mayEnd ? 0 : 1); --first) {
        ++looked;
        const GroupCosts::Piece piece =
            alone ? alone->piece(first, end) : costs.piece(group, first, end, own.stages + 1);
        if (!piece.option || m_microBatches * piece.step.occupied >= m_limit)
            break;
        if (mustEnd && first > 0 && alone)
            continue;
        if (from >= 0 && !alone)
            suffix = own.bound.afterTransfer(costs.cut(end, *piece.option, *own.head), m_microBatches, costs.onAir(),
                                             own.cards);
        Label label{suffix.afterExecution(piece.step, m_microBatches),
                    costs.cards(*piece.option, piece.step, first, end),
                    piece.option,
                    0,
                    first,
                    group,
                    from,
                    own.stages + 1};
        if (label.bound.seconds() >= m_limit)
            break;
        if (first == 0) {
            label.estimate = label.bound.seconds();
            m_complete.push_back(label);
            break;
        }
        if (mustEnd)
            continue;
        label.estimate = estimate(label.bound, first, kept, mask);
        if (label.estimate < m_most)
            push(stateOf(kept, mask), label);
        if (label.estimate > least * beyond)
            break;
        least = std::min(least, label.estimate);
    }
    m_clock.spend(static_cast<quint64>(looked / 2));
}

void Reinsertion::expand(GroupCosts &costs, int kept, unsigned mask) {
    const int state = stateOf(kept, mask);
    for (int i = 0; i < (kept == 0 && mask == 0 ? 1 : m_counts[at(state)]); ++i) {
        const int from = kept == 0 && mask == 0 ? -1 : state * perState + i;
        if (kept < keptCount())
            extend(costs, from, m_kept[at(kept)], kept + 1, mask);
        for (const Choice &choice : m_choices) {
            if (!(choice.mask & mask) && usedInOrder(mask | choice.mask, m_equals))
                extend(costs, from, choice.group, kept, mask | choice.mask);
        }
    }
}

/// False where that would be too many states.
bool Reinsertion::takeOut(GroupNumbers &numbers, const Task &task) {
    m_pool = task.idle;
    m_kept.clear();
    for (int s = task.row.stages(); s-- > 0;) {
        const int group = task.row.groups[at(s)];
        if (!task.taken[at(s)]) {
            m_kept.push_back(group);
            continue;
        }
        const std::vector<int> &devices = numbers.devices(group);
        m_pool.insert(m_pool.end(), devices.begin(), devices.end());
    }
    std::sort(m_pool.begin(), m_pool.end(), [&](int a, int b) {
        return std::pair(m_model.wholeSeconds(a), m_model.rank(a)) <
               std::pair(m_model.wholeSeconds(b), m_model.rank(b));
    });
    return m_pool.size() <= at(mostFree);
}

const std::vector<StageRow> &Reinsertion::run(GroupCosts &costs, GroupNumbers &numbers, const Task &task, double limit,
                                              int count) {
    m_rows.clear();
    m_complete.clear();
    m_limit = limit;
    m_most = limit * (1 + tolerance);
    if (!takeOut(numbers, task))
        return m_rows;
    learn(costs, task.row);
    choose(costs, numbers);
    const int layers = m_model.layerCount();
    m_keptRate.assign(m_kept.size() + 1, std::vector<double>(at(layers) + 1, 0));
    for (int k = keptCount(); k-- > 0;) {
        const std::vector<double> &before = costs.estimate(m_kept[at(k)]).before;
        for (int l = 1; l <= layers; ++l)
            m_keptRate[at(k)][at(l)] = m_keptRate[at(k) + 1][at(l)] + 1 / before[at(l)];
    }
    const std::size_t states = (m_kept.size() + 1) << m_pool.size();
    m_clock.spend(1 + states / 16);
    m_counts.assign(states, 0);
    if (m_labels.size() < states * perState)
        m_labels.resize(states * perState);
    // Whatever leads to a state comes before it in this order.
    for (int kept = 0; kept <= keptCount(); ++kept) {
        for (unsigned mask = 0; mask < bitOf(static_cast<int>(m_pool.size())) && !m_clock.phaseOver(); ++mask)
            expand(costs, kept, mask);
    }
    collect(count);
    return m_rows;
}

void Reinsertion::collect(int count) {
    const auto found = static_cast<std::ptrdiff_t>(std::min(at(count), m_complete.size()));
    std::partial_sort(m_complete.begin(), m_complete.begin() + found, m_complete.end(),
                      [](const Label &a, const Label &b) { return a.estimate < b.estimate; });
    for (std::ptrdiff_t i = 0; i < found; ++i) {
        StageRow row{{}, {0}};
        for (const Label *label = &m_complete[static_cast<std::size_t>(i)];; label = &m_labels[at(label->parent)]) {
            row.groups.push_back(label->group);
            if (label->parent < 0)
                break;
            row.borders.push_back(m_labels[at(label->parent)].first);
        }
        row.borders.push_back(m_model.layerCount());
        m_rows.push_back(std::move(row));
    }
}

}  // namespace hearth
