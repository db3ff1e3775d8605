#include "core/plan/search/suffix_table.h"

#include <cmath>

#include "core/base/at.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

constexpr std::size_t longestFront = 24;
constexpr std::size_t mostLabels = 10'000'000;  // under a gigabyte

bool dominates(const SuffixLabel &a, const SuffixLabel &b) {
    return a.bound.latency <= b.bound.latency && a.bound.drained <= b.bound.drained &&
           a.bound.roundTrip <= b.bound.roundTrip && a.bound.air <= b.bound.air && a.side.up <= b.side.up &&
           a.side.down <= b.side.down && (!a.side.half || b.side.half) && (!a.head || a.head == b.head);
}

SuffixBound lower(const SuffixBound &a, const SuffixBound &b) {
    return {std::min(a.drained, b.drained), std::min(a.latency, b.latency), std::min(a.roundTrip, b.roundTrip),
            std::min(a.air, b.air)};
}

/// A label that both are at least.
SuffixLabel merged(const SuffixLabel &a, const SuffixLabel &b) {
    return {lower(a.bound, b.bound),
            {std::min(a.side.up, b.side.up), std::min(a.side.down, b.side.down), a.side.half && b.side.half},
            a.head == b.head ? a.head : nullptr};
}

}  // namespace

SuffixBound SuffixTable::behindCut(const StageOptions &options, int position, const StageOption &from,
                                   const SuffixLabel &label) {
    const StepTimes cut =
        label.head ? options.cut(position, from, *label.head) : options.leastCut(position, from.side, label.side);
    return label.bound.afterTransfer(cut, options.microBatches(), options.onAir());
}

SuffixTable::SuffixTable(StageOptions &options, const WorkBound &work, double limitSeconds, int mostStages,
                         SearchClock &clock)
    : m_options(options), m_limit(limitSeconds), m_mostStages(mostStages), m_clock(clock) {
    const int sets = static_cast<int>(options.sets().moves.size());
    const std::size_t count = at(mostStages) * at(options.parts() + 1) * at(sets);
    m_fronts.resize(count);
    m_least.assign(count, {never, never, never, never});
    m_positions.resize(at(mostStages) * at(sets));
    for (const std::vector<int> &outside : options.sets().outside)
        m_outside.push_back(work.before(options.cuts(), outside));
    for (int stages = 1; stages <= mostStages; ++stages) {
        for (int position = options.parts() - stages; position >= 0; --position) {
            for (int set = 0; set < sets; ++set) {
                if (options.sets().size[at(set)] < stages || (position == 0 && set != options.sets().full))
                    continue;
                if (clock.phaseOver() || m_labels > mostLabels) {
                    m_complete = false;
                    return;
                }
                if (options.microBatches() * m_outside[at(set)][at(position)].once >= limitSeconds)
                    continue;
                fill(stages, position, set);
            }
        }
    }
}

void SuffixTable::fill(int stages, int position, int set) {
    const int parts = m_options.parts();
    Front front;
    for (const DeviceSets::Move &move : m_options.sets().moves[at(set)]) {
        if (m_options.sets().size[at(move.rest)] < stages - 1)
            continue;
        int from = parts, to = parts;
        if (stages > 1) {
            const Positions &behind = positions(stages - 1, move.rest);
            from = std::max(position + 1, behind.first);
            to = behind.last;
        }
        for (int last = from; last <= to; ++last) {
            m_clock.spend(1);
            if (stages > 1 && least(stages - 1, last, move.rest).seconds() >= m_limit)
                continue;
            const StageOptions::Choice choice = m_options.find(position, last, move.group, stages);
            // More layers take no less time and memory.
            if (m_options.microBatches() * choice.leastOccupied() >= m_limit)
                break;
            for (const StageOption *option : {choice.plain, choice.recomputed}) {
                if (option)
                    extend(front, stages, position, set, last, move, *option);
            }
        }
    }
    SuffixBound &lowest = m_least[index(stages, position, set)];
    for (const SuffixLabel &label : front)
        lowest = lower(lowest, label.bound);
    m_labels += front.size();
    if (!front.empty()) {
        Positions &positions = m_positions[row(stages, set)];
        positions.first = std::min(positions.first, position);
        positions.last = std::max(positions.last, position);
    }
    m_fronts[index(stages, position, set)] = std::move(front);
}

void SuffixTable::extend(Front &front, int stages, int position, int set, int last, const DeviceSets::Move &move,
                         const StageOption &option) {
    const int microBatches = m_options.microBatches();
    const StageOption *head = m_options.linksAreCards() ? nullptr : &option;
    const auto offer = [&](const SuffixBound &behind) {
        SuffixLabel label{behind.afterExecution(option.step, microBatches), option.side, head};
        if (!hopeless(position, set, label))
            add(front, std::move(label));
    };
    if (stages == 1)
        return offer(SuffixBound{});
    for (const SuffixLabel &label : m_fronts[index(stages - 1, last, move.rest)]) {
        m_clock.spend(1);
        if (label.bound.seconds() < m_limit)
            offer(behindCut(m_options, last, option, label));
    }
}

bool SuffixTable::hopeless(int position, int set, const SuffixLabel &label) const {
    if (!(label.bound.seconds() < m_limit))
        return true;
    if (position == 0)
        return false;
    const auto [once, forward, path] = m_outside[at(set)][at(position)];
    const int others = m_options.microBatches() - 1;
    return std::max({label.bound.latency + forward, label.bound.drained + path,
                     label.bound.roundTrip + path + others * once / 2, (others + 1) * once}) >= m_limit;
}

void SuffixTable::add(Front &front, SuffixLabel label) {
    for (const SuffixLabel &known : front) {
        if (dominates(known, label))
            return;
    }
    std::erase_if(front, [&](const SuffixLabel &known) { return dominates(label, known); });
    front.push_back(std::move(label));
    if (front.size() <= longestFront)
        return;
    std::sort(front.begin(), front.end(),
              [](const SuffixLabel &a, const SuffixLabel &b) { return a.bound.latency < b.bound.latency; });
    std::size_t closest = 1;
    double least = never;
    for (std::size_t i = 1; i < front.size(); ++i) {
        const double apart = front[i].bound.latency - front[i - 1].bound.latency +
                             std::abs(front[i].bound.drained - front[i - 1].bound.drained);
        if (apart < least) {
            least = apart;
            closest = i;
        }
    }
    front[closest - 1] = merged(front[closest - 1], front[closest]);
    front.erase(front.begin() + static_cast<std::ptrdiff_t>(closest));
}

}  // namespace hearth
