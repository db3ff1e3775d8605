#include "core/plan/search/border_fit.h"

#include <cmath>

#include "core/base/at.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

constexpr int halvings = 8, halvingsFromAfar = 200;
constexpr double usual = 0.85;
constexpr int shortly = 2;

}  // namespace

Placement placementOf(GroupCosts &costs, const StageRow &row) {
    const int stages = row.stages();
    Placement placement{costs.microBatch(), Schedule::OneForwardOneBackward, {}};
    placement.stages.reserve(at(stages));
    for (int s = 0; s < stages; ++s) {
        const int first = row.borders[at(s)], last = row.borders[at(s) + 1];
        const GroupCosts::Piece piece = costs.piece(row.groups[at(s)], first, last, stages - s);
        if (!piece.option)
            return {costs.microBatch(), Schedule::OneForwardOneBackward, {}};
        placement.stages.push_back(costs.placement(piece, first, last));
    }
    return placement;
}

BorderFit::BorderFit(const CostModel &model, SearchClock &clock) : m_model(model), m_clock(clock) {
    std::vector<double> bytes(at(model.layerCount()) + 1, 0);
    for (int l = 1; l < model.layerCount(); ++l) {
        bytes[at(l)] = model.leastSent(model.traffic(l).forward) + model.leastSent(model.traffic(l).backward);
        if (m_busiestCut == 0 || bytes[at(l)] > bytes[at(m_busiestCut)])
            m_busiestCut = l;
    }
    m_busiestBytes = std::max(1.0, bytes[at(m_busiestCut)]);
    m_leastBytes = bytes;
    for (int l = 1; l < model.layerCount(); ++l) {
        for (int other = std::max(1, l - shortly); other < l; ++other)
            m_leastBytes[at(l)] = std::min(m_leastBytes[at(l)], bytes[at(other)]);
    }
}

/// Stages in front delay those behind them: a stage may take what is left of the round after their one micro-batch.
bool BorderFit::reaches(int microBatches, double seconds, std::vector<int> *borders) const {
    const int layers = m_model.layerCount(), stages = static_cast<int>(m_row.size());
    int first = 0;
    double once = 0;
    for (int s = 0; s < stages; ++s) {
        const double *own = m_row[at(s)].before;
        const double most = own[first] + (seconds - once) / microBatches;
        const int last = layers - (stages - 1 - s);
        int end = static_cast<int>(std::upper_bound(own + first + 1, own + last + 1, most) - own) - 1;
        if (end == first) {
            if (!borders)
                return false;
            ++end;
        }
        if (borders)
            (*borders)[at(s) + 1] = s + 1 == stages ? layers : end;
        once += own[end] - own[first] + m_row[at(s)].perByte * m_leastBytes[at(end)];
        first = end;
    }
    return first == layers && once <= seconds;
}

/// What every row of these groups stays below.
double BorderFit::longest(int microBatches) const {
    double once = 0, slowest = 0;
    for (const Stage &stage : m_row) {
        const double own = stage.before[m_model.layerCount()];
        once += own + stage.perByte * m_busiestBytes;
        slowest = std::max(slowest, own);
    }
    return once + microBatches * slowest;
}

double BorderFit::spread(GroupCosts &costs, StageRow &row, double limit) {
    const int stages = row.stages(), layers = m_model.layerCount();
    if (stages > layers)
        return never;
    m_row.clear();
    const GroupCosts::Estimate *last = nullptr;
    for (const int group : row.groups) {
        const GroupCosts::Estimate &own = costs.estimate(group);
        if (last) {
            const StepTimes cut = costs.cut(m_busiestCut, last->whole, own.whole);
            m_row.back().perByte = (cut.forward + cut.backward) / m_busiestBytes;
        }
        m_row.push_back({own.before.data(), 0});
        last = &own;
    }
    const bool fromAfar = !std::isfinite(limit);
    double high = fromAfar ? longest(costs.microBatches()) : limit;
    m_clock.spend(static_cast<quint64>(2 * stages));
    if (!std::isfinite(high) || !reaches(costs.microBatches(), high, nullptr))
        return never;
    double low = usual * high;
    for (int i = 0; i < (fromAfar ? halvingsFromAfar : halvings) && reaches(costs.microBatches(), low, nullptr); ++i) {
        high = low;
        low *= usual;
    }
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (reaches(costs.microBatches(), middle, nullptr) ? high : low) = middle;
    }
    row.borders.resize(at(stages) + 1);
    row.borders[0] = 0;
    reaches(costs.microBatches(), high, &row.borders);
    m_clock.spend(static_cast<quint64>(4 * stages));
    return high;
}

double BorderFit::bound(GroupCosts &costs, const StageRow &row) {
    SuffixBound bound;
    const StageOption *behind = nullptr;
    CardLoad cards;
    m_clock.spend(static_cast<quint64>(row.stages()));
    for (int s = row.stages(); s-- > 0;) {
        const int first = row.borders[at(s)], last = row.borders[at(s) + 1];
        const GroupCosts::Piece piece = costs.piece(row.groups[at(s)], first, last, row.stages() - s);
        if (!piece.option)
            return never;
        if (behind)
            bound = bound.afterTransfer(costs.cut(last, *piece.option, *behind), costs.microBatches(), costs.onAir(),
                                        cards);
        bound = bound.afterExecution(piece.step, costs.microBatches());
        behind = piece.option;
        cards = costs.cards(*piece.option, piece.step, first, last);
    }
    return bound.seconds();
}

/// The suffixes that begin with that stage. False where there are none.
bool BorderFit::fitStage(GroupCosts &costs, const StageRow &row, int stage, int band, double limit) {
    const int group = row.groups[at(stage)], toEnd = row.stages() - stage, microBatches = costs.microBatches();
    const int middle = row.borders[at(stage)], behind = row.borders[at(stage) + 1];
    const int from = stage == 0 ? 0 : std::max(stage, middle - band), to = stage == 0 ? 0 : middle + band;
    const int ends = toEnd == 1 ? behind : behind + band;
    const std::optional<GroupCosts::Alone> alone = costs.alone(group);
    std::vector<Label> &labels = m_labels[at(stage)];
    labels.assign(at(2 * band + 1), Label{{}, {}, nullptr, limit, 0});
    bool any = false;
    int looked = 0;
    for (int end = toEnd == 1 ? behind : behind - band; end <= ends; ++end) {
        const Label *next = toEnd == 1 ? nullptr : &m_labels[at(stage) + 1][at(end - behind + band)];
        if (next && !next->head)
            continue;
        SuffixBound suffix;
        if (next && alone)
            suffix = next->bound.afterTransfer(costs.cut(end, *alone->option, *next->head), microBatches, costs.onAir(),
                                               next->cards);
        // More layers take no less time and memory.
        for (int first = std::min(to, end - 1); first >= from; --first) {
            ++looked;
            const GroupCosts::Piece piece = alone ? alone->piece(first, end) : costs.piece(group, first, end, toEnd);
            if (!piece.option || microBatches * piece.step.occupied >= limit)
                break;
            if (next && !alone)
                suffix = next->bound.afterTransfer(costs.cut(end, *piece.option, *next->head), microBatches,
                                                   costs.onAir(), next->cards);
            const SuffixBound bound = suffix.afterExecution(piece.step, microBatches);
            Label &best = labels[at(first - middle + band)];
            if (bound.seconds() < best.seconds) {
                best = {bound, costs.cards(*piece.option, piece.step, first, end), piece.option, bound.seconds(), end};
                any = true;
            }
        }
    }
    m_clock.spend(static_cast<quint64>(looked / (alone ? 4 : 1)));
    return any;
}

double BorderFit::fit(GroupCosts &costs, StageRow &row, int band, double limit) {
    const int stages = row.stages();
    if (m_labels.size() < at(stages))
        m_labels.resize(at(stages));
    for (int s = stages; s-- > 0;) {
        if (!fitStage(costs, row, s, band, limit))
            return never;
    }
    const Label *label = &m_labels[0][at(band)];
    const double seconds = label->seconds;
    for (int s = 0; s + 1 < stages; ++s) {
        const int end = label->end;
        label = &m_labels[at(s) + 1][at(end - row.borders[at(s) + 1] + band)];
        row.borders[at(s) + 1] = end;
    }
    return seconds;
}

}  // namespace hearth
