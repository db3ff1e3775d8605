#include "tests/core/plan/device_simulator.h"

#include <algorithm>

namespace hearth::test {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double nothing = 1e-6;  // bytes

}  // namespace

DeviceSimulator::DeviceSimulator(const PlainJudge &judge, const std::vector<PlainStage> &stages, int microBatch,
                                 Sharing sharing, PlainSchedule schedule)
    : m_judge(judge), m_stages(stages), m_count(judge.problem().batch / microBatch), m_sharing(sharing) {
    for (std::size_t s = 0; s < m_stages.size(); ++s) {
        const PlainStage &stage = m_stages[s];
        for (const PlainMember &member : stage.members) {
            Seat own;
            own.device = member.device;
            own.stage = static_cast<int>(s);
            own.seconds[Forward] = judge.forward(member.device, stage.first, stage.last, member.samples);
            own.seconds[Weights] = judge.weights(member.device, stage.first, stage.last, member.samples);
            own.seconds[Backward] =
                judge.backward(member.device, stage.first, stage.last, member.samples, stage.recompute) -
                own.seconds[Weights];
            own.putsOff = schedule.putsOffWeights && own.seconds[Weights] > 0 && !stage.recompute;
            own.ahead = schedule.keepsClose ? 2 * static_cast<int>(m_stages.size() - s) - 1 : m_count;
            for (const Pass pass : {Backward, Forward})
                own.missing[pass].assign(static_cast<std::size_t>(m_count), 0);
            if (s + 1 == m_stages.size())
                own.missing[Backward].assign(static_cast<std::size_t>(m_count), 1);
            std::vector<int> &seats = m_devices[member.device].seats;
            m_isInterleaved = m_isInterleaved || !seats.empty();
            seats.insert(seats.begin(), static_cast<int>(m_seats.size()));
            m_seats.push_back(std::move(own));
        }
    }
    for (std::size_t s = 0; s + 1 < m_stages.size(); ++s)
        addPieces(static_cast<int>(s));
    m_stageEnd.assign(m_stages.size(), 0);
}

int DeviceSimulator::seatOf(int stage, int device) const {
    const auto isIt = [&](const Seat &each) { return each.stage == stage && each.device == device; };
    return static_cast<int>(std::find_if(m_seats.begin(), m_seats.end(), isIt) - m_seats.begin());
}

void DeviceSimulator::addPieces(int stage) {
    const auto &from = m_stages[static_cast<std::size_t>(stage)].members;
    const auto &to = m_stages[static_cast<std::size_t>(stage) + 1].members;
    for (const PlainJudge::Piece &piece : m_judge.pieces(from, to)) {
        const int sender = seatOf(stage, piece.from), receiver = seatOf(stage + 1, piece.to);
        seat(sender).out[Forward].push_back({receiver, piece.samples});
        seat(receiver).out[Backward].push_back({sender, piece.samples});
        for (int &missing : seat(receiver).missing[Forward])
            ++missing;
        for (int &missing : seat(sender).missing[Backward])
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
    for (const Seat &each : m_seats) {
        if (each.begun[Backward] < m_count)
            return never;
    }
    return end;
}

bool DeviceSimulator::mayBegin(const Seat &own, Pass pass) const {
    if (pass == Weights)
        return own.putsOff && own.begun[Weights] < own.begun[Backward];
    const int next = own.begun[pass];
    if (next == m_count || own.missing[pass][static_cast<std::size_t>(next)] > 0)
        return false;
    const int limit = std::min(m_stages[static_cast<std::size_t>(own.stage)].inFlight, m_count);
    return pass == Backward || (own.begun[Forward] - own.begun[own.putsOff ? Weights : Backward] < limit &&
                                own.begun[Forward] - own.begun[Backward] < own.ahead);
}

void DeviceSimulator::startTasks() {
    for (auto &[id, device] : m_devices) {
        for (const Pass pass : {Backward, Forward, Weights}) {
            for (const int index : device.seats) {
                Seat &own = seat(index);
                if (device.running >= 0 || device.freeAgain > m_now || !mayBegin(own, pass))
                    continue;
                device.running = index;
                device.pass = pass;
                ++own.begun[pass];
                device.busyUntil = m_now + own.seconds[pass];
            }
        }
    }
}

void DeviceSimulator::finishTask(Device &device) {
    Seat &own = seat(device.running);
    device.running = -1;
    device.freeAgain = m_now + (device.pass == Backward && !own.putsOff ? own.seconds[Weights] : 0);
    double &end = m_stageEnd[static_cast<std::size_t>(own.stage)];
    end = std::max(end, device.freeAgain);
    if (device.pass == Weights)
        return;
    const int microBatch = own.begun[device.pass] - 1;
    if (device.pass == Forward && own.stage + 1 == static_cast<int>(m_stages.size()))
        --own.missing[Backward][static_cast<std::size_t>(microBatch)];
    send(own, microBatch, device.pass);
}

void DeviceSimulator::send(const Seat &from, int microBatch, Pass pass) {
    for (const Out &piece : from.out[pass]) {
        const int cut = pass == Forward ? from.stage : from.stage - 1;
        const int to = seat(piece.seat).device;
        const double each = m_judge.crossing(m_stages[static_cast<std::size_t>(cut)], pass == Forward, from.device, to);
        if (each <= 0) {
            --seat(piece.seat).missing[pass][static_cast<std::size_t>(microBatch)];
            continue;
        }
        Flow flow;
        flow.from = from.device;
        flow.to = to;
        flow.left = each * piece.samples;
        flow.delay = m_judge.latency(flow.from, flow.to);
        flow.cut = cut;
        flow.seat = piece.seat;
        flow.microBatch = microBatch;
        flow.pass = pass;
        flow.order = m_flows++;
        m_connections[{flow.from, flow.to}].push_back(flow);
    }
}

std::vector<DeviceSimulator::Constraint> DeviceSimulator::constraints(const std::vector<Flow *> &flows) const {
    // By kind and number, and the cut whose card it is, or the other end of a wire.
    std::map<std::tuple<int, int, int>, Constraint> byPlace;
    for (Flow *flow : flows) {
        const double out = 1 / m_judge.up(flow->from), in = 1 / m_judge.down(flow->to);
        const auto cutOf = [&](int device) { return m_judge.ownCard(device) ? -1 : flow->cut; };
        byPlace[{m_judge.half(flow->from) ? 2 : 0, flow->from, cutOf(flow->from)}].flows.push_back({flow, out});
        byPlace[{m_judge.half(flow->to) ? 2 : 1, flow->to, cutOf(flow->to)}].flows.push_back({flow, in});
        // Where devices have several stages, a half duplex wire carries several cuts both ways.
        const bool isOne =
            m_isInterleaved && flow->to < flow->from && (m_judge.half(flow->from) || m_judge.half(flow->to));
        byPlace[{3, isOne ? flow->to : flow->from, isOne ? flow->from : flow->to}].flows.push_back(
            {flow, 1 / m_judge.rate(flow->from, flow->to)});
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
            m_arrivals.push_back({to + flow.delay, flow.seat, flow.microBatch, flow.pass});
            queue.pop_front();
        }
    }
    m_now = to;
    std::erase_if(m_arrivals, [&](const Arrival &arrival) {
        if (arrival.at > m_now)
            return false;
        --seat(arrival.seat).missing[arrival.pass][static_cast<std::size_t>(arrival.microBatch)];
        return true;
    });
    for (auto &[id, device] : m_devices) {
        if (device.running >= 0 && device.busyUntil <= m_now)
            finishTask(device);
    }
}

}  // namespace hearth::test
