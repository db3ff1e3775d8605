#include "core/plan/search/stage_option.h"

#include "core/base/at.h"
#include "core/plan/charged_allocation.h"
#include "core/plan/search/device_sets.h"
#include "core/plan/seconds.h"

namespace hearth {
void CutSide::add(const LinkTable &links, const MemberShare &member) {
    up = std::max(up, member.samples / links.up(member.device));
    down = std::max(down, member.samples / links.down(member.device));
    half = half || links.halfDuplex(member.device, member.device);
}

StageOption allocateOption(const CostModel &model, const std::vector<int> &devices, const OptionRequest &request) {
    const auto [firstLayer, lastLayer, microBatch, inFlight, recompute] = request;
    const MemoryModel &memory = model.memory();
    const int least = std::max(1, memory.minimumSamples(firstLayer, lastLayer));
    std::vector<int> caps(devices.size(), microBatch), shares(devices.size());
    if (inFlight > 0) {
        for (std::size_t i = 0; i < devices.size(); ++i)
            caps[i] = memory.largestShare(devices[i], {firstLayer, lastLayer, 0, inFlight, recompute}, microBatch);
    }
    if (!chargedShares(model, {firstLayer, lastLayer, recompute, devices, caps, least, microBatch}, shares))
        return {};
    const int microBatches = model.problem().batch / microBatch;
    StageOption option;
    option.recompute = recompute;
    option.mostInFlight = microBatches;
    option.members.reserve(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        option.members.push_back({devices[i], shares[i]});
        option.side.add(model.links(), option.members.back());
        const StagePlace place{firstLayer, lastLayer, shares[i], 0, recompute};
        option.mostInFlight = std::min(option.mostInFlight, memory.mostInFlight(devices[i], place, microBatches));
    }
    option.step = model.execution(firstLayer, lastLayer, option.members, recompute);
    if (option.step.allReduce == never)
        return {};
    return option;
}

CutCosts::CutCosts(const CostModel &model, int microBatch)
    : m_model(model), m_microBatch(microBatch), m_cards(linksFollowCards(model)) {
    const LinkTable &links = model.links();
    if (m_cards && links.medium(0) >= 0)
        m_airRate = links.mediumRate(links.medium(0));
    m_leastLatency = never;
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

StepTimes CutCosts::leastCut(int layer, const CutSide &from, const CutSide &to, bool recomputes) const {
    const CutTraffic &cut = m_model.traffic(layer, recomputes);
    const double air = m_airRate > 0 ? m_microBatch / m_airRate : 0;
    const auto seconds = [&](double bytes, double out, double in) {
        return bytes > 0 ? bytes * std::max({out, in, air}) + m_leastLatency : 0.0;
    };
    const bool half = m_cards ? from.half || to.half : from.half || to.half || m_allHalf;
    return StepTimes::transfer(seconds(m_model.leastSent(cut.forward), from.up, to.down),
                               seconds(m_model.leastSent(cut.backward), to.up, from.down),
                               half ? Duplex::Half : Duplex::Full);
}

}  // namespace hearth
