#include "core/plan/search/stage_options.h"

#include <limits>

#include "core/base/at.h"
#include "core/plan/charged_allocation.h"
#include "core/plan/search/word_hash.h"

namespace hearth {
namespace {

constexpr double unreachable = std::numeric_limits<double>::infinity();
constexpr std::size_t mostRemembered = 1'000'000;

std::size_t rangeNumber(int first, int last) {
    return at(last * (last - 1) / 2 + first);
}

/// Without members it stands for "cannot be".
const StageOption *orNull(const StageOption *option) {
    return option->members.empty() ? nullptr : option;
}

}  // namespace

std::size_t OptionMemory::KeyHash::operator()(const Key &key) const {
    return hashOfWords(std::initializer_list<int>{key.group, key.firstLayer, key.lastLayer, key.microBatch});
}

int OptionMemory::numberOf(const std::vector<int> &devices) {
    return m_groups.try_emplace(devices, static_cast<int>(m_groups.size())).first->second;
}

const StageOption *&OptionMemory::at(int group, int firstLayer, int lastLayer, int microBatch) {
    return m_known[{group, firstLayer, lastLayer, microBatch}];
}

const StageOption *OptionMemory::keep(StageOption option) {
    return &m_options.emplace_back(std::move(option));
}

void OptionMemory::shrink() {
    if (m_known.size() <= mostRemembered)
        return;
    m_known.clear();
    m_options.clear();
    m_groups.clear();
}

StageOptions::StageOptions(const CostModel &model, const DeviceSets &sets, std::vector<int> cuts, int microBatch,
                           InFlightRule rule, bool mayRecompute, OptionMemory *memory)
    : m_model(model),
      m_sets(sets),
      m_cuts(std::move(cuts)),
      m_microBatch(microBatch),
      m_microBatches(model.problem().batch / microBatch),
      m_rule(rule),
      m_mayRecompute(mayRecompute),
      m_memory(memory) {
    for (std::size_t group = 0; memory && group < sets.groups.size(); ++group)
        m_groupNumber.push_back(memory->numberOf(sets.groups[group]));
    const LinkTable &links = model.links();
    m_unbounded.resize(at(parts() * (parts() + 1) / 2) * sets.groups.size());
    m_cards = linksFollowCards(model);
    if (m_cards && links.medium(0) >= 0)
        m_airRate = links.mediumRate(links.medium(0));
    m_leastLatency = unreachable;
    m_allHalf = true;
    for (int i = 0; i < model.deviceCount(); ++i) {
        m_allHalf = m_allHalf && links.halfDuplex(i, i);
        for (int j = 0; j < model.deviceCount(); ++j) {
            if (i != j)
                m_leastLatency = std::min(m_leastLatency, links.latency(i, j));
        }
    }
    if (model.deviceCount() == 1)
        m_leastLatency = 0;
}

StageOptions::Choice StageOptions::find(int first, int last, int group, int stagesToEnd) {
    const int limit = inFlight(stagesToEnd);
    const StageOption *plain = unbounded(first, last, group);
    if (plain->mostInFlight >= limit)
        return {plain, nullptr};
    if (plain->members.empty())
        return {};  // not even with all the memory there is
    m_memoryBinds = true;
    Choice choice{orNull(bounded(first, last, group, limit, false)), nullptr};
    if (m_mayRecompute)
        choice.recomputed = orNull(bounded(first, last, group, limit, true));
    return choice;
}

const StageOption *StageOptions::unbounded(int first, int last, int group) {
    const StageOption *&known = m_unbounded[rangeNumber(first, last) * m_sets.groups.size() + at(group)];
    if (known)
        return known;
    if (!m_memory)
        return known = &m_options.emplace_back(allocate(first, last, group, 0, false));
    const StageOption *&remembered =
        m_memory->at(m_groupNumber[at(group)], m_cuts[at(first)], m_cuts[at(last)], m_microBatch);
    if (!remembered)
        remembered = m_memory->keep(allocate(first, last, group, 0, false));
    return known = remembered;
}

const StageOption *StageOptions::bounded(int first, int last, int group, int inFlight, bool recompute) {
    const quint64 range = rangeNumber(first, last) * m_sets.groups.size() + at(group);
    const quint64 key = (range * quint64(m_microBatches + 1) + quint64(inFlight)) * 2 + (recompute ? 1 : 0);
    const StageOption *&known = m_bounded[key];
    if (!known)
        known = &m_options.emplace_back(allocate(first, last, group, inFlight, recompute));
    return known;
}

StageOption StageOptions::allocate(int first, int last, int group, int inFlight, bool recompute) {
    const std::vector<int> &devices = m_sets.groups[at(group)];
    const int firstLayer = m_cuts[at(first)], lastLayer = m_cuts[at(last)];
    const MemoryModel &memory = m_model.memory();
    const int least = std::max(1, memory.minimumSamples(firstLayer, lastLayer));
    m_caps.assign(devices.size(), m_microBatch);
    m_shares.resize(devices.size());
    if (inFlight > 0) {
        for (std::size_t i = 0; i < devices.size(); ++i)
            m_caps[i] = memory.largestShare(devices[i], {firstLayer, lastLayer, 0, inFlight, recompute}, m_microBatch);
    }
    if (!chargedShares(m_model, {firstLayer, lastLayer, recompute, devices, m_caps, least, m_microBatch}, m_shares))
        return {};
    StageOption option;
    option.recompute = recompute;
    option.mostInFlight = m_microBatches;
    const LinkTable &links = m_model.links();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const int device = devices[i], samples = m_shares[i];
        option.members.push_back({device, samples});
        option.side.up = std::max(option.side.up, samples / links.up(device));
        option.side.down = std::max(option.side.down, samples / links.down(device));
        option.side.half = option.side.half || links.halfDuplex(device, device);
        const StagePlace place{firstLayer, lastLayer, samples, 0, recompute};
        option.mostInFlight = std::min(option.mostInFlight, memory.mostInFlight(device, place, m_microBatches));
    }
    option.step = m_model.execution(firstLayer, lastLayer, option.members, recompute);
    if (option.step.allReduce == unreachable)
        return {};
    return option;
}

StepTimes StageOptions::cut(int position, const StageOption &from, const StageOption &to) const {
    if (m_cards)
        return leastCut(position, from.side, to.side);
    return m_model.transfer(m_cuts[at(position)], from.members, to.members);
}

StepTimes StageOptions::leastCut(int position, const CutSide &from, const CutSide &to) const {
    const LayerFacts &before = m_model.problem().layers[at(m_cuts[at(position)] - 1)];
    const double air = m_airRate > 0 ? m_microBatch / m_airRate : 0;
    const auto seconds = [&](qint64 bytes, double out, double in) {
        return bytes > 0 ? static_cast<double>(bytes) * std::max({out, in, air}) + m_leastLatency : 0.0;
    };
    const bool half = m_cards ? from.half || to.half : from.half || to.half || m_allHalf;
    return StepTimes::transfer(seconds(before.outputBytes, from.up, to.down),
                               seconds(before.gradientBytes, to.up, from.down), half ? Duplex::Half : Duplex::Full);
}

}  // namespace hearth
