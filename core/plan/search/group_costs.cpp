#include "core/plan/search/group_costs.h"

#include "core/base/at.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

constexpr int cannot = -2;

quint64 rangeKey(int group, int firstLayer, int lastLayer, int layers) {
    const auto width = static_cast<quint64>(layers) + 1;
    return (static_cast<quint64>(group) * width + static_cast<quint64>(firstLayer)) * width +
           static_cast<quint64>(lastLayer);
}

}  // namespace

int GroupNumbers::of(std::vector<int> devices) {
    std::sort(devices.begin(), devices.end(), [this](int a, int b) { return m_model.rank(a) < m_model.rank(b); });
    const auto [known, isNew] = m_number.try_emplace(std::move(devices), static_cast<int>(m_number.size()));
    if (isNew)
        m_devices.push_back(&known->first);
    return known->second;
}

void GroupNumbers::clear() {
    m_devices.clear();
    m_number.clear();
}

GroupCosts::GroupCosts(const CostModel &model, const GroupNumbers &numbers, const Settings &settings)
    : m_model(model),
      m_numbers(numbers),
      m_settings(settings),
      m_microBatches(model.problem().batch / settings.microBatch),
      m_cuts(model, settings.microBatch) {
    for (int device = 0; device < model.deviceCount(); ++device)
        m_ownCards = m_ownCards && model.links().ownCard(device);
}

GroupCosts::Facts &GroupCosts::facts(int group) {
    if (m_facts.size() <= at(group))
        m_facts.resize(m_numbers.count());
    Facts &own = m_facts[at(group)];
    if (own.known)
        return own;
    own.known = true;
    const std::vector<int> &devices = m_numbers.devices(group);
    if (devices.size() > 1)
        return own;
    const int device = devices[0], samples = m_settings.microBatch, layers = m_model.layerCount();
    own.seconds = m_model.prefix(device, samples);
    own.option.members = {{device, samples}};
    own.option.side.add(m_model.links(), own.option.members[0]);
    own.option.mostInFlight = m_microBatches;
    const MemoryModel &memory = m_model.memory();
    own.roomy = memory.minimumSamples(0, layers) <= samples &&
                memory.mostInFlight(device, {0, layers, samples, 0, false}, m_microBatches) == m_microBatches;
    return own;
}

GroupCosts::Piece GroupCosts::piece(int group, int firstLayer, int lastLayer, int toEnd) {
    const Facts &own = facts(group);
    const int early = inFlightLimit(InFlightRule::Early, toEnd, m_microBatches);
    if (own.roomy) {
        Piece piece = Alone{own.seconds, &own.option}.piece(firstLayer, lastLayer);
        piece.inFlight = early;
        return piece;
    }
    int &known = m_known[rangeKey(group, firstLayer, lastLayer, m_model.layerCount())];
    if (known == NumberIndex::missing) {
        known = static_cast<int>(m_options.size());
        m_options.push_back({allocateOption(m_model, m_numbers.devices(group),
                                            {firstLayer, lastLayer, m_settings.microBatch, 0, false}),
                             0});
    }
    const StageOption &option = m_options[at(known)].stage;
    if (option.members.empty())
        return {};
    if (option.mostInFlight >= early)
        return {option.step, &option, early};
    return bounded(group, firstLayer, lastLayer, toEnd);
}

GroupCosts::Piece GroupCosts::bounded(int group, int firstLayer, int lastLayer, int toEnd) {
    const quint64 range = rangeKey(group, firstLayer, lastLayer, m_model.layerCount());
    int &known = m_bounded[range * static_cast<quint64>(m_model.deviceCount() + 1) + static_cast<quint64>(toEnd)];
    for (const bool recompute : {false, true}) {
        for (const InFlightRule rule : {InFlightRule::Early, InFlightRule::StagesToEnd}) {
            if (known != NumberIndex::missing || (recompute && !m_settings.mayRecompute) ||
                (rule != InFlightRule::Early && !m_settings.freeLimits))
                continue;
            const int limit = inFlightLimit(rule, toEnd, m_microBatches);
            StageOption option = allocateOption(m_model, m_numbers.devices(group),
                                                {firstLayer, lastLayer, m_settings.microBatch, limit, recompute});
            if (option.members.empty())
                continue;
            known = static_cast<int>(m_options.size());
            m_options.push_back({std::move(option), limit});
        }
    }
    if (known == NumberIndex::missing)
        known = cannot;
    if (known == cannot)
        return {};
    const Option &own = m_options[at(known)];
    return {own.stage.step, &own.stage, own.inFlight};
}

StepTimes GroupCosts::cut(int layer, const StageOption &from, const StageOption &to) const {
    if (m_cuts.linksAreCards() || from.members.size() > 1 || to.members.size() > 1)
        return m_cuts.cut(layer, from, to);
    // What CostModel::transfer() makes of two devices.
    const CutTraffic &cut = m_model.traffic(layer, from.recompute);
    const LinkTable &links = m_model.links();
    const int a = from.members[0].device, b = to.members[0].device;
    const auto seconds = [&](const CutTraffic::Way &way, int sender, int receiver) {
        const double rate = links.bytesPerSecond(sender, receiver), bytes = m_model.sent(way, sender, receiver);
        if (rate <= 0)
            return never;
        return bytes > 0 ? m_settings.microBatch * bytes / rate + links.latency(sender, receiver) : 0.0;
    };
    return StepTimes::transfer(seconds(cut.forward, a, b), seconds(cut.backward, b, a),
                               links.halfDuplex(a, b) || links.halfDuplex(b, a) ? Duplex::Half : Duplex::Full);
}

/// As cardSeconds() of steps.cpp has it, but for what only the stages in front of it know.
CardLoad GroupCosts::ownCards(const StageOption &stage, const StepTimes &step, int firstLayer, int lastLayer) const {
    const bool last = lastLayer == m_model.layerCount();
    const CutTraffic before = firstLayer > 0 ? m_model.traffic(firstLayer) : CutTraffic();
    const CutTraffic after = last ? CutTraffic() : m_model.traffic(lastLayer);
    const LinkTable &links = m_model.links();
    CardLoad load;
    for (const MemberShare &member : stage.members) {
        const double samples = static_cast<double>(m_microBatches) * member.samples;
        const double sending = samples * (m_model.sendingSeconds(before.backward, member.device) +
                                          m_model.sendingSeconds(after.forward, member.device));
        const double receiving = samples * (m_model.receivingSeconds(before.forward, member.device) +
                                            m_model.receivingSeconds(after.backward, member.device));
        if (links.halfDuplex(member.device, member.device)) {
            load.both = std::max(load.both, sending + receiving);
        } else if (sending + receiving > 0) {
            load.sending = std::max(load.sending, sending + step.forward + (last ? step.backward : 0));
            load.receiving = std::max(load.receiving, receiving + step.backward + (last ? step.forward : 0));
        }
    }
    return load;
}

StagePlacement GroupCosts::placement(const Piece &piece, int firstLayer, int lastLayer) const {
    return {firstLayer, lastLayer, piece.option->members, piece.inFlight, piece.option->recompute};
}

const GroupCosts::Estimate &GroupCosts::estimate(int group) {
    Estimate &own = facts(group).estimate;
    if (!own.before.empty())
        return own;
    ++m_estimates;
    const std::vector<int> &devices = m_numbers.devices(group);
    const int layers = m_model.layerCount(), size = static_cast<int>(devices.size());
    own.whole = allocateOption(m_model, devices, {0, layers, m_settings.microBatch, 0, false});
    if (own.whole.members.empty()) {  // too few samples, or out of each other's reach
        for (const int device : devices) {
            own.whole.members.push_back({device, std::max(1, m_settings.microBatch / size)});
            own.whole.side.add(m_model.links(), own.whole.members.back());
        }
    }
    own.before.assign(at(layers) + 1, 0);
    for (const MemberShare &member : own.whole.members) {
        const CostModel::Prefix seconds = m_model.prefix(member.device, member.samples);
        for (int l = 1; l <= layers; ++l)
            own.before[at(l)] += (seconds.forward[l] + seconds.backward[l]) / size;
    }
    return own;
}

}  // namespace hearth
