#include "core/plan/search/stage_options.h"

#include <limits>

#include "core/base/at.h"
#include "core/plan/search/word_hash.h"

namespace hearth {
namespace {

constexpr std::size_t mostRememberedOptions = 1'000'000;

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
    if (m_known.size() <= mostRememberedOptions)
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
      m_costs(model, microBatch),
      m_memory(memory) {
    for (std::size_t group = 0; memory && group < sets.groups.size(); ++group)
        m_groupNumber.push_back(memory->numberOf(sets.groups[group]));
    m_unbounded.resize(at(parts() * (parts() + 1) / 2) * sets.groups.size());
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
    return allocateOption(m_model, m_sets.groups[at(group)],
                          {m_cuts[at(first)], m_cuts[at(last)], m_microBatch, inFlight, recompute});
}

}  // namespace hearth
