#include "core/plan/play/round_player.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "core/base/at.h"

namespace hearth {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// A piece of which less is left (bytes, and part of the piece) has arrived but for rounding.
constexpr double nothing = 1e-6;
constexpr double partOfNothing = 1e-12;

}  // namespace

bool RoundPlayer::Connection::isThrough() const {
    return left <= std::max(nothing, bytes * partOfNothing);
}

RoundPlayer::RoundPlayer(const CostModel &model)
    : m_model(model), m_cards(at(model.deviceCount())), m_devicePlace(at(model.deviceCount()), -1) {
    const LinkTable &links = model.links();
    for (int medium = 0; medium < links.mediumCount(); ++medium)
        m_air.push_back(m_links.addPlace());
}

void RoundPlayer::add(const Placement &pipeline, int microBatches) {
    const std::size_t before = m_stages.size();
    CutCodec codecBefore;
    auto toEnd = static_cast<int>(pipeline.stages.size());
    for (const StagePlacement &stage : pipeline.stages) {
        addMembers(stage, codecBefore, toEnd--, microBatches, pipeline.schedule);
        codecBefore = stage.codec;
    }
    for (const TiedSum &sum : tiedSumsOf(m_model, pipeline)) {
        for (const int s : sum.stages)
            m_stages[before + at(s)].allReduce += sum.seconds;
    }
    for (const int device : m_stages.back().members)
        m_devices[at(device)].last = true;
    for (std::size_t s = 0; s + 1 < pipeline.stages.size(); ++s)
        connect(pipeline.stages[s], pipeline.stages[s + 1]);
}

void RoundPlayer::addMembers(const StagePlacement &stage, const CutCodec &codecBefore, int toEnd, int microBatches,
                             Schedule schedule) {
    Stage own;
    const StageCuts cuts = m_model.cutsOf(stage.firstLayer, stage.lastLayer, codecBefore, stage.codec);
    for (const MemberShare &member : stage.group) {
        const LayerSeconds seconds =
            m_model.memberSeconds(stage.firstLayer, stage.lastLayer, member, stage.recompute, cuts);
        Device device;
        device.seconds[Forward] = seconds.forward;
        device.seconds[Backward] = seconds.backward - seconds.weights;
        device.weightSeconds = seconds.weights;
        device.rules = schedule.rules({stage.inFlight, toEnd, stage.recompute}, microBatches);
        m_devicePlace[at(member.device)] = static_cast<int>(m_devices.size());
        own.members.push_back(static_cast<int>(m_devices.size()));
        m_devices.push_back(std::move(device));
    }
    own.allReduce = m_model.allReduceSeconds(stage.firstLayer, stage.lastLayer, stage.group);
    m_stages.push_back(std::move(own));
}

void RoundPlayer::connect(const StagePlacement &from, const StagePlacement &to) {
    const CutTraffic cut = m_model.traffic(from.lastLayer, from.codec);
    for (const Group *group : {&from.group, &to.group}) {
        for (const MemberShare &member : *group)
            plugIn(member.device);
    }
    for (const Overlap &piece : overlaps(from.group, to.group)) {
        const int sender = from.group[at(piece.from)].device, receiver = to.group[at(piece.to)].device;
        addConnection(sender, receiver, Forward, cut.forward, piece.samples);
        addConnection(receiver, sender, Backward, cut.backward, piece.samples);
    }
}

/// One card for all that a device ever sends and receives, or one for each of its cuts (LinkTable::ownCard).
void RoundPlayer::plugIn(int device) {
    Card &card = m_cards[at(device)];
    if (card.out >= 0 && m_model.links().ownCard(device))
        return;
    card.out = m_links.addPlace();
    card.in = m_model.links().halfDuplex(device, device) ? card.out : m_links.addPlace();
}

/// Devices of the problem, here.
void RoundPlayer::addConnection(int from, int to, Direction direction, const CutTraffic::Way &way, int samples) {
    const LinkTable &links = m_model.links();
    Connection connection;
    connection.from = m_devicePlace[at(from)];
    connection.to = m_devicePlace[at(to)];
    connection.direction = direction;
    connection.bytes = way.bytes * samples;
    if (connection.bytes > 0) {
        connection.latency = links.latency(from, to);
        connection.flow = m_links.addFlow(links.bytesPerSecond(from, to));
        m_links.pass(connection.flow, m_cards[at(from)].out, links.up(from));
        m_links.pass(connection.flow, m_cards[at(to)].in, links.down(to));
        const int media[2] = {links.medium(from), links.medium(to)};
        for (int i = 0; i < 2; ++i) {
            if (media[i] >= 0 && (i == 0 || media[1] != media[0]))
                m_links.pass(connection.flow, m_air[at(media[i])], links.mediumRate(media[i]));
        }
    }
    const int index = static_cast<int>(m_connections.size());
    m_devices[at(connection.from)].out[direction].push_back(index);
    m_devices[at(connection.to)].in[direction].push_back(index);
    m_connections.push_back(connection);
}

qint64 RoundPlayer::taskCount() const {
    qint64 count = 0;
    for (const Device &device : m_devices)
        count += device.rules.microBatches *
                 static_cast<qint64>(2 + device.out[Forward].size() + device.out[Backward].size());
    return count;
}

double RoundPlayer::play() {
    for (std::size_t d = 0; d < m_devices.size(); ++d)
        m_touched.push_back(static_cast<int>(d));
    for (;;) {
        startTasks();
        if (std::exchange(m_moved, false)) {
            m_flowsMoving.clear();
            for (const int connection : m_moving)
                m_flowsMoving.push_back(m_connections[at(connection)].flow);
            m_links.share(m_flowsMoving, &m_rates);
        }
        const double event = m_events.empty() ? never : m_events.front().at - m_now;
        const double piece = untilNextPiece();
        if (event == never && piece == never)
            break;
        advance(std::min(event, piece));
        if (event <= piece)
            m_now = m_events.front().at;
        handleEvents();
    }
    double end = 0;
    for (const Stage &stage : m_stages) {
        double computed = 0;
        for (const int member : stage.members) {
            const Device &device = m_devices[at(member)];
            if (device.weightGradients < device.rules.microBatches)
                return never;
            computed = std::max(computed, device.lastEnd);
        }
        end = std::max(end, computed + stage.allReduce);
    }
    return end;
}

/// Micro-batches of which everything has come that the device's task needs.
int RoundPlayer::ready(const Device &device, Direction direction) const {
    if (direction == Backward && device.last)
        return device.finished[Forward];
    int least = device.rules.microBatches;
    for (const int connection : device.in[direction])
        least = std::min(least, m_connections[at(connection)].arrived);
    return least;
}

StageTask RoundPlayer::nextOf(const Device &device) const {
    return device.rules.next({device.begun[Forward], device.begun[Backward], device.weightGradients,
                              device.begun[Forward] < ready(device, Forward),
                              device.begun[Backward] < ready(device, Backward)});
}

void RoundPlayer::startTasks() {
    for (const int index : m_touched) {
        Device &device = m_devices[at(index)];
        if (device.busy)
            continue;
        device.task = nextOf(device);
        switch (device.task) {
            case StageTask::Forward:
            case StageTask::BackwardInput: {
                const Direction direction = device.task == StageTask::Forward ? Forward : Backward;
                ++device.begun[direction];
                plan(m_now + device.seconds[direction], false, index);
                break;
            }
            case StageTask::BackwardWeights:
                ++device.weightGradients;
                plan(m_now + device.weightSeconds, false, index);
                break;
            case StageTask::Update:
            case StageTask::WaitForward:
            case StageTask::WaitBackward:
                continue;
        }
        device.busy = true;
    }
    m_touched.clear();
}

void RoundPlayer::plan(double time, bool arrival, int index) {
    m_events.push_back({time, m_order++, arrival, index});
    std::push_heap(m_events.begin(), m_events.end(), std::greater<>());
}

void RoundPlayer::finishTask(int index) {
    Device &device = m_devices[at(index)];
    device.busy = false;
    device.lastEnd = m_now;
    m_touched.push_back(index);
    if (device.task == StageTask::BackwardWeights)
        return;
    // A half that takes no time is none, so that nothing else of this moment comes before the next decision.
    if (device.task == StageTask::BackwardInput && device.weightSeconds <= 0)
        ++device.weightGradients;
    const Direction direction = device.task == StageTask::Forward ? Forward : Backward;
    ++device.finished[direction];
    for (const int connection : device.out[direction]) {
        if (m_connections[at(connection)].bytes <= 0)
            arrive(connection);
        else if (m_connections[at(connection)].sent + 1 == device.finished[direction])
            startPiece(connection);
    }
}

void RoundPlayer::startPiece(int index) {
    m_connections[at(index)].left = m_connections[at(index)].bytes;
    m_moving.push_back(index);
    m_moved = true;
}

void RoundPlayer::arrive(int index) {
    ++m_connections[at(index)].arrived;
    m_touched.push_back(m_connections[at(index)].to);
}

/// All that happens now, before anybody decides what to do next.
void RoundPlayer::handleEvents() {
    while (!m_events.empty() && m_events.front().at <= m_now) {
        const Event event = m_events.front();
        std::pop_heap(m_events.begin(), m_events.end(), std::greater<>());
        m_events.pop_back();
        if (event.arrival)
            arrive(event.index);
        else
            finishTask(event.index);
    }
}

double RoundPlayer::untilNextPiece() const {
    double least = never;
    for (const int index : m_moving) {
        const Connection &connection = m_connections[at(index)];
        least = std::min(least, connection.left / m_rates[at(connection.flow)]);
    }
    return least;
}

void RoundPlayer::advance(double seconds) {
    m_now += seconds;
    for (const int index : m_moving) {
        Connection &connection = m_connections[at(index)];
        connection.left -= seconds * m_rates[at(connection.flow)];
        if (connection.isThrough())
            m_arrived.push_back(index);
    }
    if (m_arrived.empty())
        return;
    m_moved = true;
    std::erase_if(m_moving, [this](int index) { return m_connections[at(index)].isThrough(); });
    for (const int index : m_arrived) {
        Connection &connection = m_connections[at(index)];
        plan(m_now + connection.latency, true, index);
        if (++connection.sent < m_devices[at(connection.from)].finished[connection.direction])
            startPiece(index);
    }
    m_arrived.clear();
}

}  // namespace hearth
