#include "tests/core/plan/plain_judge.h"

#include <cmath>
#include <numeric>
#include <set>

#include "core/base/at.h"

namespace hearth::test {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

PlainJudge::PlainJudge(PlanningProblem problem, const CostSource &costs)
    : m_problem(std::move(problem)), m_links(m_problem) {
    const int devices = static_cast<int>(m_problem.devices.size()), layers = static_cast<int>(m_problem.layers.size());
    m_order.resize(m_problem.devices.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::sort(m_order.begin(), m_order.end(), [this](int a, int b) {
        return m_problem.devices[at(a)].id.toUtf8() < m_problem.devices[at(b)].id.toUtf8();
    });
    m_seconds.resize(m_problem.devices.size());
    for (int d = 0; d < devices; ++d) {
        for (int l = 0; l < layers; ++l) {
            std::vector<LayerSeconds> row{{0, 0}};
            for (int y = 1; y <= m_problem.batch; ++y)
                row.push_back(costs.seconds(d, l, y));
            m_seconds[at(d)].push_back(std::move(row));
        }
    }
}

double PlainJudge::forward(int device, int first, int last, int samples) const {
    double sum = 0;
    for (int l = first; l < last; ++l)
        sum += m_seconds[at(device)][at(l)][at(samples)].forward;
    return sum;
}

double PlainJudge::backward(int device, int first, int last, int samples, bool recompute) const {
    double sum = recompute ? forward(device, first, last, samples) : 0;
    for (int l = first; l < last; ++l)
        sum += m_seconds[at(device)][at(l)][at(samples)].backward;
    return sum;
}

double PlainJudge::weights(int device, int first, int last, int samples) const {
    double sum = 0;
    for (int l = first; l < last; ++l)
        sum += m_seconds[at(device)][at(l)][at(samples)].weights;
    return sum;
}

int PlainJudge::minimumSamples(int first, int last) const {
    int least = 1;
    for (int l = first; l < last; ++l)
        least = std::max(least, m_problem.layers[at(l)].minimumSamples);
    return least;
}

double PlainJudge::memoryBytes(const PlainStage &stage, const PlainMember &member, int microBatches) const {
    const auto real = [](qint64 bytes) { return static_cast<double>(bytes); };
    const double arriving =
        real(stage.first == 0 ? m_problem.inputBytes : m_problem.layers[at(stage.first - 1)].outputBytes);
    double kept = 0, saved = 0, workspace = 0;
    kept = (1 + m_problem.keptStates) * stateBytes(stage.first, stage.last);
    for (int l = stage.first; l < stage.last; ++l) {
        const LayerFacts &layer = m_problem.layers[at(l)];
        kept += real(layer.trainableBytes);
        saved += real(layer.savedBytes);
        workspace = std::max(workspace, real(layer.workspaceBytes));
    }
    const int waiting = std::min(stage.inFlight, microBatches);
    const double active = stage.recompute ? waiting * arriving + saved : waiting * (saved + arriving);
    return real(m_problem.devices[at(member.device)].runtimeBytes) + kept +
           member.samples * (active + workspace + 2 * arriving);
}

bool PlainJudge::fits(const PlainStage &stage, const PlainMember &member, int microBatches) const {
    return memoryBytes(stage, member, microBatches) <=
           static_cast<double>(m_problem.devices[at(member.device)].memoryBytes);
}

double PlainJudge::stateBytes(int first, int last) const {
    double bytes = 0;
    for (int l = first; l < last; ++l) {
        const LayerFacts &layer = m_problem.layers[at(l)];
        bytes += static_cast<double>(layer.parameterBytes) + static_cast<double>(layer.bufferBytes) +
                 m_problem.optimizerStateFactor * static_cast<double>(layer.trainableBytes);
    }
    return bytes;
}

double PlainJudge::copyBytes(const std::vector<PlainStage> &stages, int device, int microBatches) const {
    double bytes = 0;
    for (std::size_t s = 0; s < stages.size() && stages.size() > 1; ++s) {
        if (stages[s].members.size() > 1)
            continue;  // a group holds its own
        const PlainStage &next = stages[(s + 1) % stages.size()];
        int holder = -1;
        double most = 0;
        for (const PlainMember &member : next.members) {
            const double left = static_cast<double>(m_problem.devices[at(member.device)].memoryBytes) -
                                memoryBytes(next, member, microBatches);
            if (holder < 0 || left > most) {
                holder = member.device;
                most = left;
            }
        }
        if (holder == device)
            bytes += m_problem.keptCopies * stateBytes(stages[s].first, stages[s].last);
    }
    return bytes;
}

ReferenceStep PlainJudge::execution(const PlainStage &stage, int microBatches) const {
    ReferenceStep step;
    double whole = 0;
    for (const PlainMember &member : stage.members) {
        step.forward = std::max(step.forward, forward(member.device, stage.first, stage.last, member.samples));
        const double both = backward(member.device, stage.first, stage.last, member.samples, stage.recompute);
        whole = std::max(whole, both);
        step.backward = std::max(step.backward, both - weights(member.device, stage.first, stage.last, member.samples));
    }
    step.weights = whole - step.backward;
    step.allReduce = allReduceSeconds(stage);
    step.inFlight = std::min(stage.inFlight, microBatches);
    return step;
}

double PlainJudge::allReduceSeconds(const PlainStage &stage) const {
    double weights = 0;
    for (int l = stage.first; l < stage.last; ++l)
        weights += static_cast<double>(m_problem.layers[at(l)].trainableBytes);
    const std::size_t count = stage.members.size();
    if (count < 2 || weights <= 0)
        return 0;
    const double edge = 2 * (static_cast<double>(count) - 1) * weights / static_cast<double>(count);
    double rate = never, latency = 0;
    std::vector<double> air(m_links.airRate.size(), 0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t a = at(stage.members[i].device), next = at(stage.members[(i + 1) % count].device);
        for (const PlainMember &member : stage.members) {
            const std::size_t b = at(member.device);
            if (a != b) {
                rate = std::min(rate, m_links.rate[a][b]);
                latency = std::max(latency, m_links.latency[a][b]);
            }
        }
        for (const int medium : std::set<int>{m_links.medium[a], m_links.medium[next]}) {
            if (medium >= 0)
                air[at(medium)] += edge;
        }
    }
    double seconds = rate > 0 ? edge / rate : never;
    for (std::size_t m = 0; m < air.size(); ++m)
        seconds = std::max(seconds, air[m] > 0 ? air[m] / m_links.airRate[m] : 0);
    return seconds + 2 * (static_cast<double>(count) - 1) * latency;
}

std::vector<PlainJudge::Piece> PlainJudge::pieces(const std::vector<PlainMember> &from,
                                                  const std::vector<PlainMember> &to) const {
    std::vector<Piece> result;
    int a = 0;
    for (const PlainMember &sender : from) {
        int b = 0;
        for (const PlainMember &receiver : to) {
            const int common = std::min(a + sender.samples, b + receiver.samples) - std::max(a, b);
            if (common > 0)
                result.push_back({sender.device, receiver.device, common});
            b += receiver.samples;
        }
        a += sender.samples;
    }
    return result;
}

double PlainJudge::crossing(const PlainStage &before, bool isForward, int from, int to) const {
    const LayerFacts &layer = m_problem.layers[at(before.last - 1)];
    const PackedParts parts = layer.packed.value(QStringLiteral("none"));
    const double part = isForward ? parts.forward : before.recompute ? parts.backward : parts.active;
    const auto bytes = static_cast<double>(isForward ? layer.outputBytes : layer.gradientBytes);
    const bool isPacked = 1 - part >= 0.02 && m_links.rate[at(from)][at(to)] * 2 * 4e-9 < 1 - part;
    return isPacked ? part * bytes : bytes;
}

double PlainJudge::oneWay(const std::vector<Piece> &pieces, const PlainStage &before, bool isForward) const {
    const LayerFacts &layer = m_problem.layers[at(before.last - 1)];
    if ((isForward ? layer.outputBytes : layer.gradientBytes) <= 0)
        return 0;
    std::vector<double> out(m_links.up.size(), 0), in(m_links.up.size(), 0), air(m_links.airRate.size(), 0);
    double seconds = 0, latency = 0;
    for (const Piece &piece : pieces) {
        const std::size_t from = at(piece.from), to = at(piece.to);
        const double bytes = piece.samples * crossing(before, isForward, piece.from, piece.to);
        seconds = std::max(seconds, m_links.rate[from][to] > 0 ? bytes / m_links.rate[from][to] : never);
        latency = std::max(latency, m_links.latency[from][to]);
        out[from] += bytes;
        in[to] += bytes;
        for (const int medium : std::set<int>{m_links.medium[from], m_links.medium[to]}) {
            if (medium >= 0)
                air[at(medium)] += bytes;
        }
    }
    for (std::size_t d = 0; d < out.size(); ++d) {
        seconds = std::max(seconds, out[d] > 0 ? out[d] / m_links.up[d] : 0);
        seconds = std::max(seconds, in[d] > 0 ? in[d] / m_links.down[d] : 0);
    }
    for (std::size_t m = 0; m < air.size(); ++m)
        seconds = std::max(seconds, air[m] > 0 ? air[m] / m_links.airRate[m] : 0);
    return seconds + latency;
}

PlainCut PlainJudge::cut(const PlainStage &from, const PlainStage &to) const {
    PlainCut result;
    result.forward = oneWay(pieces(from.members, to.members), from, true);
    result.backward = oneWay(pieces(to.members, from.members), from, false);
    for (const Piece &piece : pieces(from.members, to.members)) {
        for (const int device : {piece.from, piece.to}) {
            result.half = result.half || m_links.half[at(device)];
            const int medium = m_links.medium[at(device)];
            if (medium >= 0 && (result.medium < 0 || medium < result.medium))
                result.medium = medium;
        }
    }
    return result;
}

double PlainJudge::feedSeconds(const PlainStage &first, const PlainStage &last, int microBatches) const {
    if (m_problem.dataDevice.isEmpty())
        return 0;
    const int data = placeOf(m_problem, m_problem.dataDevice);
    double all = 0, slowest = 0;
    std::vector<double> air(m_links.airRate.size(), 0);
    for (const bool inputs : {true, false}) {
        const double each = static_cast<double>(inputs ? m_problem.inputBytes : m_problem.labelBytes);
        for (const PlainMember &member : (inputs ? first : last).members) {
            if (member.device == data || each <= 0)
                continue;
            const double bytes = each * member.samples * microBatches;
            const double rate = m_links.rate[at(data)][at(member.device)];
            slowest = std::max(slowest, rate > 0 ? bytes / rate : never);
            all += bytes;
            for (const int medium : std::set<int>{m_links.medium[at(data)], m_links.medium[at(member.device)]}) {
                if (medium >= 0)
                    air[at(medium)] += bytes;
            }
        }
    }
    for (std::size_t m = 0; m < air.size(); ++m)
        slowest = std::max(slowest, air[m] > 0 ? air[m] / m_links.airRate[m] : 0);
    return all > 0 ? std::max(slowest, all / m_links.up[at(data)]) : 0;
}

double PlainJudge::cardSeconds(const std::vector<PlainStage> &stages, int microBatches) const {
    std::vector<double> out(m_problem.devices.size()), in(out);
    for (std::size_t s = 0; s + 1 < stages.size(); ++s) {
        for (const Piece &piece : pieces(stages[s].members, stages[s + 1].members)) {
            const double each = static_cast<double>(piece.samples) * microBatches;
            const double forward = each * crossing(stages[s], true, piece.from, piece.to);
            const double backward = each * crossing(stages[s], false, piece.to, piece.from);
            out[at(piece.from)] += forward;
            in[at(piece.to)] += forward;
            out[at(piece.to)] += backward;
            in[at(piece.from)] += backward;
        }
    }
    const std::size_t last = stages.size() - 1;
    std::vector<double> served(out.size()), taken(out.size());
    for (const bool inputs : {true, false}) {
        const double each = static_cast<double>(inputs ? m_problem.inputBytes : m_problem.labelBytes);
        const int data = m_problem.dataDevice.isEmpty() ? -1 : placeOf(m_problem, m_problem.dataDevice);
        for (const PlainMember &member : stages[inputs ? 0 : last].members) {
            if (data < 0 || member.device == data)
                continue;
            served[at(data)] += each * member.samples * microBatches / m_links.up[at(data)];
            taken[at(member.device)] += each * member.samples * microBatches / m_links.down[at(member.device)];
        }
    }
    // The first micro-batch reaches a stage, the last one leaves it for the end of the round.
    std::vector<ReferenceStep> steps;
    std::vector<PlainCut> cuts;
    std::vector<double> reach, finish;
    for (std::size_t s = 0; s <= last; ++s) {
        steps.push_back(execution(stages[s], microBatches));
        reach.push_back(s == 0 ? 0 : reach[s - 1] + steps[s - 1].forward + cuts[s - 1].forward);
        finish.push_back(s == 0 ? steps[0].weights + steps[0].allReduce
                                : std::max(steps[s].weights + steps[s].allReduce,
                                           cuts[s - 1].backward + steps[s - 1].backward + finish[s - 1]));
        if (s < last)
            cuts.push_back(cut(stages[s], stages[s + 1]));
    }
    double busiest = 0;
    for (std::size_t s = 0; s <= last; ++s) {
        const double once = steps[s].forward + steps[s].backward;
        double firstOut = reach[s] + steps[s].forward, lastOut = 0, firstIn = 0, lastIn = steps[s].backward + finish[s];
        if (s == last) {
            firstOut += steps[s].backward;
            lastIn += steps[s].forward;
        }
        if (s > 0) {
            lastOut = steps[s - 1].backward + finish[s - 1];
            firstIn = reach[s] - cuts[s - 1].forward;
        } else if (last > 0) {
            const double there = steps[1].forward + steps[1].backward;
            lastOut = there + cuts[0].backward + steps[0].backward + finish[0];
            firstIn = steps[0].forward + cuts[0].forward + there;
        }
        for (const PlainMember &member : stages[s].members) {
            const auto d = at(member.device);
            if (out[d] + in[d] <= 0 || !m_links.ownCard[d])
                continue;
            const double sending = out[d] > 0 ? out[d] / m_links.up[d] : 0,
                         receiving = in[d] > 0 ? in[d] / m_links.down[d] : 0;
            const double idle = s > 0 ? firstIn + lastOut : once + finish[s];
            if (m_links.half[d])
                busiest = std::max({busiest, sending + receiving + idle, sending + receiving + served[d] + taken[d]});
            else
                busiest = std::max({busiest, firstOut + sending + lastOut, firstIn + receiving + lastIn,
                                    sending + served[d], receiving + taken[d]});
        }
    }
    return busiest;
}

double PlainJudge::leastSeconds(const std::vector<PlainStage> &stages, int microBatches) const {
    return std::max(feedSeconds(stages.front(), stages.back(), microBatches), cardSeconds(stages, microBatches));
}

bool PlainJudge::reachable(const std::vector<PlainStage> &stages) const {
    const auto talk = [this](int a, int b) {
        return a == b || (m_links.rate[at(a)][at(b)] > 0 && m_links.rate[at(b)][at(a)] > 0);
    };
    for (std::size_t s = 0; s < stages.size(); ++s) {
        for (const PlainMember &a : stages[s].members) {
            for (const PlainMember &b : stages[s].members) {
                if (!talk(a.device, b.device))
                    return false;
            }
        }
        if (s + 1 == stages.size())
            break;
        for (const Piece &piece : pieces(stages[s].members, stages[s + 1].members)) {
            if (!talk(piece.from, piece.to))
                return false;
        }
    }
    return std::isfinite(feedSeconds(stages.front(), stages.back(), 1));
}

double PlainJudge::seconds(const std::vector<PlainStage> &stages, int microBatch, bool fillDrain) const {
    const int microBatches = m_problem.batch / microBatch;
    std::vector<ReferenceStep> steps;
    std::vector<PlainCut> cuts;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        if (s > 0) {
            cuts.push_back(cut(stages[s - 1], stages[s]));
            steps.push_back({});
        }
        steps.push_back(execution(stages[s], microBatches));
    }
    return seconds(steps, cuts, leastSeconds(stages, microBatches), microBatches, fillDrain);
}

/// `steps` of transfers are filled in here: one medium or one half-duplex cut is one channel.
double PlainJudge::seconds(std::vector<ReferenceStep> steps, const std::vector<PlainCut> &cuts, double least,
                           int microBatches, bool fillDrain) const {
    std::vector<int> channelOf(m_links.airRate.size(), -1);
    int next = 0;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
        ReferenceStep &step = steps[2 * c + 1];
        step = {cuts[c].forward, cuts[c].backward, 0, 1, -1, 0};
        if (cuts[c].medium >= 0) {
            int &channel = channelOf[at(cuts[c].medium)];
            channel = channel < 0 ? next++ : channel;
            step.channel = channel;
        } else if (cuts[c].half) {
            step.channel = next++;
        }
    }
    for (std::size_t s = 0; fillDrain && s < steps.size(); s += 2)
        steps[s].inFlight = microBatches;
    for (const ReferenceStep &step : steps) {
        if (!std::isfinite(step.forward + step.backward + step.weights + step.allReduce))
            return never;
    }
    return std::max(least, ReferenceSimulator(std::move(steps), microBatches, fillDrain).run().seconds);
}

}  // namespace hearth::test
