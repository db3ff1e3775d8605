#include "core/plan/cost_model.h"

#include <cmath>
#include <numeric>
#include <span>

#include "core/base/at.h"
#include "core/plan/gradient_codec.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

double ringBytes(double bytes, double members) {
    return 2 * (members - 1) / members * bytes;
}

}  // namespace

std::vector<Overlap> overlaps(const Group &from, const Group &to) {
    std::vector<Overlap> result;
    int i = 0, j = 0, begin = 0;
    int endFrom = from.empty() ? 0 : from[0].samples;
    int endTo = to.empty() ? 0 : to[0].samples;
    while (at(i) < from.size() && at(j) < to.size()) {
        const int end = std::min(endFrom, endTo);
        if (end > begin)
            result.push_back({i, j, begin, end - begin});
        begin = end;
        if (endFrom == end && at(++i) < from.size())
            endFrom += from[at(i)].samples;
        if (endTo == end && at(++j) < to.size())
            endTo += to[at(j)].samples;
    }
    return result;
}

CostModel::CostModel(const PlanningProblem &problem) : CostModel(problem, problem.costs(), Cuts::AsPlanned) {}

CostModel::CostModel(const PlanningProblem &problem, const CostSource &costs, Cuts cuts)
    : CostModel(problem, std::shared_ptr<const CostSource>(std::shared_ptr<void>(), &costs), cuts) {}

CostModel::CostModel(const PlanningProblem &problem, std::shared_ptr<const CostSource> costs, Cuts cuts)
    : m_problem(problem),
      m_costs(std::move(costs)),
      m_memory(problem),
      m_links(problem),
      m_prefix(problem.devices.size()) {
    m_order.resize(problem.devices.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::sort(m_order.begin(), m_order.end(),
              [&](int a, int b) { return idLess(problem.devices[at(a)].id, problem.devices[at(b)].id); });
    m_rank.resize(m_order.size());
    for (std::size_t i = 0; i < m_order.size(); ++i)
        m_rank[at(m_order[i])] = static_cast<int>(i);
    for (std::size_t i = 0; i < m_order.size(); ++i)
        m_index.insert(problem.devices[i].id, static_cast<int>(i));
    for (const LayerFacts &layer : problem.layers) {
        m_traffic.emplace_back(layer, CutCodec{});
        m_recomputed.emplace_back(layer, CutCodec{}, true);
        std::vector<CutTraffic> all{m_traffic.back(), m_recomputed.back()};
        std::span<const Codec *const> levels = problem.levels;
        if (cuts == Cuts::AsPlanned)  // a person may choose any
            levels = layer.packed.isEmpty() ? std::span<const Codec *const>() : codecs();
        for (const Codec *level : levels)
            all.emplace_back(layer, CutCodec{level, level});
        for (const auto way : {&CutTraffic::forward, &CutTraffic::backward}) {
            CutTraffic::Way least = all.front().*way;
            for (const CutTraffic &each : all) {
                const CutTraffic::Way &own = each.*way;
                m_cutsAreAlike =
                    m_cutsAreAlike && (own.packedBelow <= m_links.slowest() || own.packedBelow > m_links.fastest());
                least.bytes = std::min(least.bytes, own.bytes);
                least.packedBytes = std::min(least.packedBytes, own.packedBytes);
                least.packedBelow = std::max(least.packedBelow, own.packedBelow);
            }
            if (cuts == Cuts::Least)
                m_traffic.back().*way = m_recomputed.back().*way = least;
        }
    }
}

CostModel::~CostModel() = default;

CostModel::Prefix CostModel::prefix(int device, int samples) const {
    auto &rows = m_prefix[at(device)];
    if (rows.size() <= at(samples))
        rows.resize(at(samples) + 1);
    auto &row = rows[at(samples)];
    const std::size_t width = m_problem.layers.size() + 1;
    if (!row) {
        row = std::make_unique<double[]>(3 * width);
        for (std::size_t l = 0; l + 1 < width; ++l) {
            const LayerSeconds seconds = m_costs->seconds(device, static_cast<int>(l), samples);
            row[l + 1] = row[l] + seconds.forward;
            row[width + l + 1] = row[width + l] + seconds.backward;
            row[2 * width + l + 1] = row[2 * width + l] + seconds.weights;
        }
    }
    return {row.get(), row.get() + width, row.get() + 2 * width};
}

LayerSeconds CostModel::stageSeconds(int device, int firstLayer, int lastLayer, int samples) const {
    return prefix(device, samples).between(firstLayer, lastLayer);
}

double CostModel::wholeSeconds(int device) const {
    const LayerSeconds whole = stageSeconds(device, 0, layerCount(), m_problem.batch);
    return whole.forward + whole.backward;
}

LayerSeconds CostModel::memberSeconds(int firstLayer, int lastLayer, const MemberShare &member, bool recompute,
                                      const StageCuts &cuts) const {
    LayerSeconds own = stageSeconds(member.device, firstLayer, lastLayer, member.samples);
    if (recompute)
        own.backward += own.forward;
    const auto coded = [&](const CutTraffic::Way &comes, const CutTraffic::Way &goes) {
        return member.samples * (decodeSeconds(member.device, comes) + encodeSeconds(member.device, goes));
    };
    own.forward += coded(cuts.before.forward, cuts.after.forward);
    own.backward += coded(cuts.after.backward, cuts.before.backward);
    return own;
}

StageCuts CostModel::cutsOf(int firstLayer, int lastLayer, const CutCodec &before, const CutCodec &after) const {
    StageCuts cuts;
    if (firstLayer > 0)
        cuts.before = traffic(firstLayer, before);
    if (lastLayer < layerCount())
        cuts.after = traffic(lastLayer, after);
    return cuts;
}

StepTimes CostModel::execution(int firstLayer, int lastLayer, const Group &group, bool recompute, const StageCuts &cuts,
                               int updates) const {
    SlowestMember slowest;
    for (const MemberShare &member : group)
        slowest.add(memberSeconds(firstLayer, lastLayer, member, recompute, cuts));
    return StepTimes::execution(slowest.seconds(), allReduceSeconds(firstLayer, lastLayer, group, updates));
}

double CostModel::oneWay(const Group &from, const Group &to, const CutTraffic::Way &way, bool *half) const {
    double slowest = 0, latency = 0, out = 0, in = 0;
    std::vector<double> air(at(m_links.mediumCount()));
    // Pieces come in the order of both groups, so one running sum serves all senders, and one all receivers.
    const auto flush = [&](double *bytes, double rate) {
        if (*bytes > 0)
            slowest = std::max(slowest, *bytes / rate);
        *bytes = 0;
    };
    std::size_t i = 0, j = 0;
    int begin = 0, endFrom = from.empty() ? 0 : from[0].samples, endTo = to.empty() ? 0 : to[0].samples;
    while (i < from.size() && j < to.size()) {
        const int end = std::min(endFrom, endTo);
        const int sender = from[i].device, receiver = to[j].device;
        const double bytes = (end - begin) * sent(way, sender, receiver);
        const double rate = m_links.bytesPerSecond(sender, receiver);
        if (end > begin) {
            *half = *half || m_links.halfDuplex(sender, receiver);
            if (rate <= 0)  // a connection needs both ways, whatever goes over it
                return never;
        }
        if (bytes > 0) {
            slowest = std::max(slowest, bytes / rate);
            latency = std::max(latency, m_links.latency(sender, receiver));
            out += bytes;
            in += bytes;
            const int mine = m_links.medium(sender), other = m_links.medium(receiver);
            if (mine >= 0)
                air[at(mine)] += bytes;
            if (other >= 0 && other != mine)
                air[at(other)] += bytes;
        }
        begin = end;
        if (endFrom == end) {
            flush(&out, m_links.up(sender));
            endFrom += ++i < from.size() ? from[i].samples : 0;
        }
        if (endTo == end) {
            flush(&in, m_links.down(receiver));
            endTo += ++j < to.size() ? to[j].samples : 0;
        }
    }
    for (std::size_t m = 0; m < air.size(); ++m)
        flush(&air[m], m_links.mediumRate(static_cast<int>(m)));
    return slowest + latency;
}

CodecSeconds CostModel::rates(int device, const CutTraffic::Way &way) const {
    const CodecSeconds perByte = m_problem.devices[at(device)].codecs.of(*way.codec);
    return {perByte.encode * way.rawBytes, perByte.decode * way.rawBytes};
}

StepTimes CostModel::transfer(int layer, const Group &from, const Group &to, const CutCodec &codec,
                              bool recomputes) const {
    const CutTraffic cut = traffic(layer, codec, recomputes);
    bool half = false;
    const double forward = oneWay(from, to, cut.forward, &half);
    const double backward = oneWay(to, from, cut.backward, &half);
    return StepTimes::transfer(forward, backward, half ? Duplex::Half : Duplex::Full);
}

StepTimes CostModel::uniformTransfer(int layer, int largestShare) const {
    const CutTraffic &cut = traffic(layer);
    const LinkProfile::Link &link = *m_problem.links.fallback;
    const auto seconds = [&](const CutTraffic::Way &way) {
        const double all = leastSent(way) * largestShare;
        if (all <= 0)
            return 0.0;
        return link.bytesPerSecond > 0 ? all / link.bytesPerSecond + link.latencySeconds : never;
    };
    return StepTimes::transfer(seconds(cut.forward), seconds(cut.backward), link.duplex);
}

int CostModel::mediumOf(const Group &from, const Group &to) const {
    int lowest = -1;
    for (const Overlap &piece : overlaps(from, to)) {
        for (const int device : {from[at(piece.from)].device, to[at(piece.to)].device}) {
            const int medium = m_links.medium(device);
            if (medium >= 0 && (lowest < 0 || medium < lowest))
                lowest = medium;
        }
    }
    return lowest;
}

double CostModel::allReduceBytes(int firstLayer, int lastLayer, std::size_t members, int updates) const {
    const auto count = static_cast<double>(members);
    const double bytes = m_memory.summedBytes(firstLayer, lastLayer);
    const Codec &codec = *m_problem.gradientCodec;
    if (members < 2)
        return 0;
    if (!GradientCodec::isUsed(codec, members))
        return ringBytes(bytes, count);
    const double rounded =
        static_cast<double>(codec.encodedBytes(DType::Float32, static_cast<quint64>(std::llround(bytes / 4) * 4)));
    // In every so many-th round one update is exact, the last one.
    return (count - 1) * (rounded + (bytes - rounded) / (GradientCodec::exactEvery * updates));
}

/// A member rounds its own gradients once and reads those of all, its own included.
double CostModel::allReduceSeconds(int firstLayer, int lastLayer, const Group &group, int updates) const {
    const double bytes = m_memory.summedBytes(firstLayer, lastLayer);
    if (!GradientCodec::isUsed(*m_problem.gradientCodec, group.size())) {
        double way = 0;  // to the host and back
        for (const MemberShare &member : group) {
            const CodecSeconds each = m_problem.devices[at(member.device)].codecs.of(noCodec());
            way = std::max(way, bytes * (each.encode + each.decode));
        }
        return (group.size() > 1 ? way : 0) + sumSeconds(bytes, group);
    }
    const auto members = static_cast<double>(group.size());
    double coding = 0;
    for (const MemberShare &member : group) {
        const CodecRates &rates = m_problem.devices[at(member.device)].codecs;
        const CodecSeconds each = rates.of(*m_problem.gradientCodec), way = rates.of(noCodec());
        // What was summed goes back once.
        coding = std::max(coding, bytes * (each.encode + members * (each.decode - way.decode) + way.decode));
    }
    return coding + exchangeSeconds(allReduceBytes(firstLayer, lastLayer, group.size(), updates), 1, group);
}

double CostModel::sumSeconds(double bytes, const Group &group) const {
    const auto members = static_cast<int>(group.size());
    return members < 2 ? 0 : exchangeSeconds(ringBytes(bytes, members), 2 * (members - 1), group);
}

/// As if every member sent all to the next of the ring: at the slowest pair's rate.
double CostModel::exchangeSeconds(double bytesPerMember, int hops, const Group &group) const {
    if (bytesPerMember <= 0 && m_links.uniform())
        return 0;
    double rate = never, latency = 0;
    std::vector<double> air(at(m_links.mediumCount()));
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (std::size_t j = 0; j < group.size(); ++j) {
            if (i == j)
                continue;
            const int from = group[i].device, to = group[j].device;
            rate = std::min(rate, m_links.bytesPerSecond(from, to));
            latency = std::max(latency, m_links.latency(from, to));
        }
        const int media[2] = {m_links.medium(group[i].device), m_links.medium(group[(i + 1) % group.size()].device)};
        for (int k = 0; k < 2; ++k) {
            if (media[k] >= 0 && (k == 0 || media[1] != media[0]))
                air[at(media[k])] += bytesPerMember;
        }
    }
    if (rate <= 0)
        return never;
    if (bytesPerMember <= 0)
        return 0;
    double seconds = bytesPerMember / rate;
    for (std::size_t m = 0; m < air.size(); ++m) {
        if (air[m] > 0)
            seconds = std::max(seconds, air[m] / m_links.mediumRate(static_cast<int>(m)));
    }
    return seconds + hops * latency;
}

}  // namespace hearth
