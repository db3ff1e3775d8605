#include "tests/core/plan/device_simulator.h"

#include <algorithm>
#include <tuple>

namespace hearth::test {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double nothing = 1e-6;  // bytes

}  // namespace

DeviceSimulator::DeviceSimulator(const PlainJudge &judge, const std::vector<PlainStage> &stages, int microBatch,
                                 Sharing sharing)
    : m_judge(judge), m_stages(stages), m_count(judge.problem().batch / microBatch), m_sharing(sharing) {
    for (std::size_t s = 0; s < m_stages.size(); ++s) {
        const PlainStage &stage = m_stages[s];
        for (const PlainMember &member : stage.members) {
            Device &device = m_devices[member.device];
            device.stage = static_cast<int>(s);
            device.seconds[Forward] = judge.forward(member.device, stage.first, stage.last, member.samples);
            device.weights = judge.weights(member.device, stage.first, stage.last, member.samples);
            device.seconds[Backward] =
                judge.backward(member.device, stage.first, stage.last, member.samples, stage.recompute) -
                device.weights;
            for (const Direction direction : {Backward, Forward})
                device.missing[direction].assign(static_cast<std::size_t>(m_count), 0);
            if (s + 1 == m_stages.size())
                device.missing[Backward].assign(static_cast<std::size_t>(m_count), 1);
        }
    }
    for (std::size_t s = 0; s + 1 < m_stages.size(); ++s)
        addPieces(static_cast<int>(s));
    m_stageEnd.assign(m_stages.size(), 0);
}

void DeviceSimulator::addPieces(int stage) {
    const auto &from = m_stages[static_cast<std::size_t>(stage)].members;
    const auto &to = m_stages[static_cast<std::size_t>(stage) + 1].members;
    for (const PlainJudge::Piece &piece : m_judge.pieces(from, to)) {
        m_out[Forward][piece.from].push_back(piece);
        m_out[Backward][piece.to].push_back({piece.to, piece.from, piece.samples});
        for (int &missing : m_devices[piece.to].missing[Forward])
            ++missing;
        for (int &missing : m_devices[piece.from].missing[Backward])
            ++missing;
    }
}

double DeviceSimulator::run() {
    for (;;) {
        startTasks();
        setRates();
        const double next = nextEvent();
        if (next == never)
            break;
        advance(next);
    }
    double end = 0;
    for (std::size_t s = 0; s < m_stages.size(); ++s)
        end = std::max(end, m_stageEnd[s] + m_judge.execution(m_stages[s], m_count).allReduce);
    for (const auto &[id, device] : m_devices) {
        if (device.begun[Backward] < m_count)
            return never;
    }
    return end;
}

void DeviceSimulator::startTasks() {
    for (auto &[id, device] : m_devices) {
        if (device.running >= 0 || device.freeAgain > m_now)
            continue;
        for (const Direction direction : {Backward, Forward}) {
            const int next = device.begun[direction];
            if (next == m_count || device.missing[direction][static_cast<std::size_t>(next)] > 0)
                continue;
            const int limit = std::min(m_stages[static_cast<std::size_t>(device.stage)].inFlight, m_count);
            if (direction == Forward && device.begun[Forward] - device.begun[Backward] >= limit)
                continue;
            device.running = direction;
            ++device.begun[direction];
            device.busyUntil = m_now + device.seconds[direction];
            break;
        }
    }
}

void DeviceSimulator::finishTask(int id) {
    Device &device = m_devices[id];
    const auto direction = static_cast<Direction>(device.running);
    const int microBatch = device.begun[direction] - 1;
    device.running = -1;
    if (direction == Backward) {
        device.freeAgain = m_now + device.weights;
        double &end = m_stageEnd[static_cast<std::size_t>(device.stage)];
        end = std::max(end, device.freeAgain);
    } else if (device.stage + 1 == static_cast<int>(m_stages.size())) {
        --device.missing[Backward][static_cast<std::size_t>(microBatch)];
    }
    send(id, microBatch, direction);
}

void DeviceSimulator::send(int id, int microBatch, Direction direction) {
    const int stage = m_devices[id].stage;
    for (const PlainJudge::Piece &piece : m_out[direction][id]) {
        const int cut = direction == Forward ? stage : stage - 1;
        const LayerFacts &layer =
            m_judge.problem().layers[static_cast<std::size_t>(m_stages[static_cast<std::size_t>(cut)].last - 1)];
        const auto each = static_cast<double>(direction == Forward ? layer.outputBytes : layer.gradientBytes);
        if (each <= 0) {
            m_arrivals.push_back({m_now, piece.to, microBatch, direction});
            continue;
        }
        Flow flow;
        flow.left = each * piece.samples;
        flow.delay = m_judge.latency(piece.from, piece.to);
        flow.cut = cut;
        flow.from = piece.from;
        flow.to = piece.to;
        flow.microBatch = microBatch;
        flow.direction = direction;
        flow.order = m_flows++;
        m_connections[{piece.from, piece.to}].push_back(flow);
    }
}

std::vector<DeviceSimulator::Constraint> DeviceSimulator::constraints(const std::vector<Flow *> &flows) const {
    std::map<std::tuple<int, int, int>, Constraint> byPlace;  // kind and number, and the cut whose card it is
    for (Flow *flow : flows) {
        const double out = 1 / m_judge.up(flow->from), in = 1 / m_judge.down(flow->to);
        const auto cutOf = [&](int device) { return m_judge.ownCard(device) ? -1 : flow->cut; };
        byPlace[{m_judge.half(flow->from) ? 2 : 0, flow->from, cutOf(flow->from)}].flows.push_back({flow, out});
        byPlace[{m_judge.half(flow->to) ? 2 : 1, flow->to, cutOf(flow->to)}].flows.push_back({flow, in});
        byPlace[{3, flow->order, -1}].flows.push_back({flow, 1 / m_judge.rate(flow->from, flow->to)});
        for (const int medium : std::set<int>{m_judge.medium(flow->from), m_judge.medium(flow->to)}) {
            if (medium >= 0)
                byPlace[{4, medium, -1}].flows.push_back({flow, 1 / m_judge.airRate(medium)});
        }
    }
    std::vector<Constraint> result;
    for (auto &[place, constraint] : byPlace)
        result.push_back(std::move(constraint));
    return result;
}

void DeviceSimulator::setRates() {
    std::vector<Flow *> flows;
    for (auto &[pair, queue] : m_connections) {
        if (!queue.empty())
            flows.push_back(&queue.front());
    }
    std::sort(flows.begin(), flows.end(), [](const Flow *a, const Flow *b) { return a->order < b->order; });
    std::vector<Constraint> all = constraints(flows);
    std::set<Flow *> open(flows.begin(), flows.end());
    for (Flow *flow : flows)
        flow->rate = 0;
    while (!open.empty()) {
        // The flows that grow now: all alike, or the one that began first.
        std::set<Flow *> growing = open;
        if (m_sharing == Sharing::InOrder)
            growing = {*std::min_element(open.begin(), open.end(),
                                         [](const Flow *a, const Flow *b) { return a->order < b->order; })};
        double most = never;
        const Constraint *tightest = nullptr;
        for (const Constraint &constraint : all) {
            double weight = 0;
            for (const auto &[flow, each] : constraint.flows)
                weight += growing.contains(flow) ? each : 0;
            if (weight > 0 && constraint.left / weight < most) {
                most = constraint.left / weight;
                tightest = &constraint;
            }
        }
        for (Flow *flow : growing)
            flow->rate += most;
        for (Constraint &constraint : all) {
            for (const auto &[flow, each] : constraint.flows)
                constraint.left = std::max(0.0, constraint.left - (growing.contains(flow) ? each * most : 0));
        }
        if (m_sharing == Sharing::InOrder) {
            open.erase(*growing.begin());
        } else {
            for (const auto &[flow, each] : tightest->flows)
                open.erase(flow);
        }
    }
}

double DeviceSimulator::nextEvent() const {
    double next = never;
    for (const auto &[id, device] : m_devices)
        next = std::min(next, device.running >= 0        ? device.busyUntil
                              : device.freeAgain > m_now ? device.freeAgain
                                                         : never);
    for (const auto &[pair, queue] : m_connections) {
        if (!queue.empty() && queue.front().rate > 0)
            next = std::min(next, m_now + queue.front().left / queue.front().rate);
    }
    for (const Arrival &arrival : m_arrivals)
        next = std::min(next, arrival.at);
    return next;
}

void DeviceSimulator::advance(double to) {
    for (auto &[pair, queue] : m_connections) {
        if (queue.empty())
            continue;
        Flow &flow = queue.front();
        flow.left -= flow.rate * (to - m_now);
        if (flow.left <= nothing) {
            m_arrivals.push_back({to + flow.delay, flow.to, flow.microBatch, flow.direction});
            queue.pop_front();
        }
    }
    m_now = to;
    std::erase_if(m_arrivals, [&](const Arrival &arrival) {
        if (arrival.at > m_now)
            return false;
        --m_devices[arrival.device].missing[arrival.direction][static_cast<std::size_t>(arrival.microBatch)];
        return true;
    });
    for (auto &[id, device] : m_devices) {
        if (device.running >= 0 && device.busyUntil <= m_now)
            finishTask(id);
    }
}

}  // namespace hearth::test
