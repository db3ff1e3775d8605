#include "core/plan/play/round_player.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/at.h"
#include "core/plan/seconds.h"

namespace hearth {
namespace {

/// A piece of which less is left (bytes, and part of the piece) has arrived but for rounding.
constexpr double nothing = 1e-6;
constexpr double partOfNothing = 1e-12;

}  // namespace

bool RoundPlayer::Connection::isThrough() const {
    return left <= std::max(nothing, bytes * partOfNothing);
}

RoundPlayer::RoundPlayer(const CostModel &model)
    : m_model(model),
      m_cards(at(model.deviceCount())),
      m_seatsOf(at(model.deviceCount())),
      m_isBusy(at(model.deviceCount())) {
    const LinkTable &links = model.links();
    for (int medium = 0; medium < links.mediumCount(); ++medium)
        m_air.push_back(m_links.addPlace());
}

void RoundPlayer::add(const Placement &pipeline, int microBatches) {
    const std::size_t before = m_stages.size();
    for (std::size_t s = 0; s < pipeline.stages.size(); ++s)
        addMembers(pipeline, s, microBatches);
    for (const TiedSum &sum : tiedSumsOf(m_model, pipeline)) {
        for (const int s : sum.stages)
            m_stages[before + at(s)].allReduce += sum.seconds;
    }
    for (const int seat : m_stages.back().members)
        m_seats[at(seat)].last = true;
    m_sharesPairs = std::ranges::any_of(m_seatsOf, [](const std::vector<int> &seats) { return seats.size() > 1; });
    for (std::size_t s = 0; s + 1 < pipeline.stages.size(); ++s)
        connect(pipeline.stages[s], pipeline.stages[s + 1], static_cast<int>(before + s));
}

void RoundPlayer::addMembers(const Placement &pipeline, std::size_t s, int microBatches) {
    const StagePlacement &stage = pipeline.stages[s];
    const auto toEnd = static_cast<int>(pipeline.stages.size() - s);
    const std::vector<LayerSeconds> seconds = memberSecondsOf(m_model, pipeline, s);
    Stage own;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        Seat seat;
        seat.device = stage.group[i].device;
        seat.stage = static_cast<int>(m_stages.size());
        seat.seconds[Forward] = seconds[i].forward;
        seat.seconds[Backward] = seconds[i].backward - seconds[i].weights;
        seat.weightSeconds = seconds[i].weights;
        seat.rules = pipeline.schedule.rules({stage.inFlight, toEnd, stage.recompute}, microBatches);
        m_seatsOf[at(seat.device)].push_back(static_cast<int>(m_seats.size()));
        own.members.push_back(static_cast<int>(m_seats.size()));
        m_seats.push_back(std::move(seat));
    }
    own.allReduce = m_model.allReduceSeconds(stage.firstLayer, stage.lastLayer, stage.group);
    m_stages.push_back(std::move(own));
}

void RoundPlayer::connect(const StagePlacement &from, const StagePlacement &to, int cut) {
    const CutTraffic traffic = m_model.traffic(from.lastLayer, from.codec, from.recompute);
    for (const Group *group : {&from.group, &to.group}) {
        for (const MemberShare &member : *group)
            plugIn(member.device);
    }
    for (const Overlap &piece : overlaps(from.group, to.group)) {
        const int sender = m_stages[at(cut)].members[at(piece.from)];
        const int receiver = m_stages[at(cut) + 1].members[at(piece.to)];
        addConnection(sender, receiver, Forward, traffic.forward, piece.samples, cut);
        addConnection(receiver, sender, Backward, traffic.backward, piece.samples, cut);
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

void RoundPlayer::addConnection(int fromSeat, int toSeat, Direction direction, const CutTraffic::Way &way, int samples,
                                int cut) {
    const LinkTable &links = m_model.links();
    const int from = m_seats[at(fromSeat)].device, to = m_seats[at(toSeat)].device;
    Connection connection;
    connection.from = fromSeat;
    connection.to = toSeat;
    connection.cut = cut;
    connection.direction = direction;
    connection.bytes = m_model.sent(way, from, to) * samples;
    if (connection.bytes > 0) {
        connection.latency = links.latency(from, to);
        connection.queue = m_queueOf.try_emplace(std::pair(from, to), static_cast<int>(m_queues.size())).first->second;
        m_queues.resize(m_queueOf.size());
        connection.flow = m_links.addFlow(links.bytesPerSecond(from, to));
        m_links.pass(connection.flow, m_cards[at(from)].out, links.up(from));
        m_links.pass(connection.flow, m_cards[at(to)].in, links.down(to));
        if (m_sharesPairs && links.halfDuplex(from, to)) {
            const auto [pair, isNew] = m_pairs.try_emplace(std::pair<int, int>(std::minmax(from, to)), -1);
            if (isNew)
                pair->second = m_links.addPlace();
            m_links.pass(connection.flow, pair->second, links.bytesPerSecond(from, to));
        }
        const int media[2] = {links.medium(from), links.medium(to)};
        for (int i = 0; i < 2; ++i) {
            if (media[i] >= 0 && (i == 0 || media[1] != media[0]))
                m_links.pass(connection.flow, m_air[at(media[i])], links.mediumRate(media[i]));
        }
    }
    const int index = static_cast<int>(m_connections.size());
    m_seats[at(fromSeat)].out[direction].push_back(index);
    m_seats[at(toSeat)].in[direction].push_back(index);
    m_connections.push_back(connection);
}

qint64 RoundPlayer::taskCount() const {
    qint64 count = 0;
    for (const Seat &seat : m_seats)
        count +=
            seat.rules.microBatches * static_cast<qint64>(2 + seat.out[Forward].size() + seat.out[Backward].size());
    return count;
}

double RoundPlayer::play(SimulatedTimes *times) {
    const std::size_t tasks = (2 * m_stages.size() - 1) * at(m_seats.front().rules.microBatches);
    for (auto *starts :
         {&times->forwardStart, &times->backwardStart, &times->weightsStart, &times->forwardEnd, &times->backwardEnd})
        starts->assign(tasks, 0.0);
    times->lastBackwardEnd.clear();
    m_times = times;
    const double seconds = play();
    for (const Seat &seat : m_seats)
        times->lastBackwardEnd.push_back(seat.lastEnd);
    return seconds;
}

double RoundPlayer::play() {
    for (std::size_t s = 0; s < m_seats.size(); ++s)
        m_touched.push_back(static_cast<int>(s));
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
            const Seat &seat = m_seats[at(member)];
            if (seat.weightGradients < seat.rules.microBatches)
                return never;
            computed = std::max(computed, seat.lastEnd);
        }
        end = std::max(end, computed + stage.allReduce);
    }
    return end;
}

/// Micro-batches of which everything has come that the stage's task needs.
int RoundPlayer::ready(const Seat &seat, Direction direction) const {
    if (direction == Backward && seat.last)
        return seat.finished[Forward];
    int least = seat.rules.microBatches;
    for (const int connection : seat.in[direction])
        least = std::min(least, m_connections[at(connection)].arrived);
    return least;
}

StageTask RoundPlayer::nextOf(const Seat &seat) const {
    return seat.rules.next({seat.begun[Forward], seat.begun[Backward], seat.weightGradients,
                            seat.begun[Forward] < ready(seat, Forward), seat.begun[Backward] < ready(seat, Backward)});
}

/// The stage that the device goes on with; -1: all wait.
int RoundPlayer::chosenSeat(int device) const {
    int chosen = -1;
    std::optional<int> least;
    for (const int index : m_seatsOf[at(device)]) {
        const Seat &seat = m_seats[at(index)];
        const StageTask task = nextOf(seat);
        const auto urgency = task == StageTask::Update ? std::nullopt : urgencyOf(task, seat.rules);
        if (urgency && (!least || *urgency <= *least)) {
            least = urgency;
            chosen = index;
        }
    }
    return chosen;
}

void RoundPlayer::startTasks() {
    for (const int touched : m_touched) {
        const int device = m_seats[at(touched)].device;
        const int chosen = m_isBusy[at(device)] ? -1 : chosenSeat(device);
        if (chosen >= 0)
            startTask(chosen);
    }
    m_touched.clear();
}

void RoundPlayer::startTask(int index) {
    Seat &seat = m_seats[at(index)];
    seat.task = nextOf(seat);
    m_isBusy[at(seat.device)] = true;
    const bool putsOff = seat.rules.defersWeights && seat.weightSeconds > 0;
    const auto note = [&](std::vector<double> SimulatedTimes::*starts, int microBatch, double after = 0) {
        if (m_times)
            (m_times->*starts)[at(2 * seat.stage * seat.rules.microBatches + microBatch)] = m_now + after;
    };
    if (seat.task == StageTask::BackwardWeights) {
        if (putsOff)
            note(&SimulatedTimes::weightsStart, seat.weightGradients);
        ++seat.weightGradients;
        plan(m_now + seat.weightSeconds, false, index);
        return;
    }
    const Direction direction = seat.task == StageTask::Forward ? Forward : Backward;
    note(direction == Forward ? &SimulatedTimes::forwardStart : &SimulatedTimes::backwardStart, seat.begun[direction]);
    if (direction == Backward && !putsOff)
        note(&SimulatedTimes::weightsStart, seat.begun[direction], seat.seconds[Backward]);
    ++seat.begun[direction];
    plan(m_now + seat.seconds[direction], false, index);
}

void RoundPlayer::plan(double time, bool arrival, int index) {
    m_events.push_back({time, m_order++, arrival, index});
    std::push_heap(m_events.begin(), m_events.end(), std::greater<>());
}

void RoundPlayer::finishTask(int index) {
    Seat &seat = m_seats[at(index)];
    m_isBusy[at(seat.device)] = false;
    seat.lastEnd = m_now;
    m_touched.push_back(index);
    if (seat.task == StageTask::BackwardWeights)
        return;
    // A half that takes no time is none, so that nothing else of this moment comes before the next decision.
    if (seat.task == StageTask::BackwardInput && seat.weightSeconds <= 0)
        ++seat.weightGradients;
    const Direction direction = seat.task == StageTask::Forward ? Forward : Backward;
    ++seat.finished[direction];
    for (const int connection : seat.out[direction]) {
        if (m_connections[at(connection)].bytes <= 0) {
            noteTransfer(connection, &SimulatedTimes::forwardStart, &SimulatedTimes::backwardStart,
                         m_connections[at(connection)].arrived);
            arrive(connection);
        } else {
            post(connection);
        }
    }
}

/// When a piece begins or ends; `forward` is for those of forward passes.
void RoundPlayer::noteTransfer(int index, Times forward, Times backward, int microBatch) {
    const Connection &connection = m_connections[at(index)];
    if (m_times)
        (m_times->*(connection.direction == Forward ? forward : backward))[at(
            (2 * connection.cut + 1) * m_seats[at(connection.from)].rules.microBatches + microBatch)] = m_now;
}

void RoundPlayer::post(int connection) {
    Queue &queue = m_queues[at(m_connections[at(connection)].queue)];
    queue.posted.push_back(connection);
    if (queue.posted.size() == queue.sent + 1)
        startPiece(connection);
}

void RoundPlayer::startPiece(int index) {
    noteTransfer(index, &SimulatedTimes::forwardStart, &SimulatedTimes::backwardStart, m_connections[at(index)].sent);
    m_connections[at(index)].left = m_connections[at(index)].bytes;
    m_moving.push_back(index);
    m_moved = true;
}

void RoundPlayer::arrive(int index) {
    noteTransfer(index, &SimulatedTimes::forwardEnd, &SimulatedTimes::backwardEnd, m_connections[at(index)].arrived);
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
        ++connection.sent;
        Queue &queue = m_queues[at(connection.queue)];
        if (++queue.sent < queue.posted.size())
            startPiece(queue.posted[queue.sent]);
    }
    m_arrived.clear();
}

double playedSeconds(const CostModel &model, const Plan &plan, SimulatedTimes *times) {
    RoundPlayer player(model);
    player.add(placementOf(model.problem(), plan), plan.microBatches());
    return times ? player.play(times) : player.play();
}

}  // namespace hearth
