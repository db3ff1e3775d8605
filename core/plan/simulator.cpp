#include "core/plan/simulator.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/base/at.h"

namespace hearth {
namespace {

/// Rounding of the bounds must not abandon a round that ends just in time.
constexpr double slack = 1e-9;
/// Sums of seconds differ by less than this part of the round's whole work, however they are formed.
constexpr double roundingOfSums = 1e-12;

/// A choice that nobody can foretell: compilers make a branch of `?:` here, which costs more than the task.
inline double either(bool first, double a, double b) {
    const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(first);
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & mask) | (std::bit_cast<std::uint64_t>(b) & ~mask));
}

}  // namespace

inline Simulator::Server &Simulator::stage(int index) {
    return m_servers[at(m_channels + index)];
}

inline double *Simulator::queue(int server, int direction) {
    return m_arrivals.data() + at(2 * server + direction) * m_width;
}

void Simulator::layServer(int index, const SimulatedStep &step, int number, int resource) {
    Server &server = m_servers[at(index)];
    server.way[Forward].seconds = step.forward;
    server.way[Backward].seconds = step.backward;
    server.way[Backward].weights = step.weights;
    server.limit = number % 2 == 0 ? step.inFlight : m_microBatches;
    server.ahead = m_microBatches;
    server.step = number;
    server.resource = &m_resources[at(resource)];
    for (const int direction : {Backward, Forward})
        server.head[direction] = queue(index, direction);
    server.returnsFrom = server.head[Forward];
}

/// Channels of one cut are servers like stages; those of several need to choose between their members.
void Simulator::layChannels(const std::vector<SimulatedStep> &steps) {
    m_cutsOf.assign(at(m_channels), 0);
    int further = m_resourceCount;
    m_sharedCount = 0;
    for (std::size_t s = 1; s < steps.size(); s += 2) {
        const int channel = steps[s].channel;
        if (channel < 0)
            continue;
        const bool first = m_cutsOf[at(channel)]++ == 0;
        const int index = first ? channel : further++;
        layServer(index, steps[s], static_cast<int>(s), channel);
        m_cutServer[s / 2] = index;
        if (!first)
            share(channel, index);
    }
}

void Simulator::share(int channel, int server) {
    const int taken = m_servers[at(channel)].shared;
    const int index = taken < 0 ? m_sharedCount++ : taken;
    if (m_shared.size() < at(m_sharedCount))
        m_shared.emplace_back();
    Shared &shared = m_shared[at(index)];
    const auto join = [&](int member) {
        m_servers[at(member)].shared = index;
        m_servers[at(member)].member = static_cast<int>(shared.members.size());
        shared.members.push_back(member);
        for (std::vector<double> &heads : shared.heads)
            heads.push_back(never);
    };
    if (taken < 0) {
        shared.members.clear();
        shared.sources.clear();
        for (const int direction : {Backward, Forward}) {
            shared.heads[direction].clear();
            shared.first[direction] = {};
        }
        join(channel);
    }
    join(server);
}

/// What ends at a server in that direction arrives at another one, over a wire or at once.
void Simulator::send(int server, Direction direction, int to, const SimulatedStep *wire, int wireStep) {
    Server &from = m_servers[at(server)];
    Way &way = from.way[direction];
    way.server = &m_servers[at(to)];
    way.tail = queue(to, direction);
    if (wire) {
        way.wireStep = wireStep;
        way.wireSeconds = direction == Forward ? wire->forward : wire->backward;
    }
    const Source source{static_cast<int>(from.resource - m_resources.data()), way.seconds + way.wireSeconds};
    Resource *target = way.server->resource;
    target->look = std::min(target->look, source.delay);
    if (way.server->shared >= 0)
        m_shared[at(way.server->shared)].sources.push_back(source);
    else
        m_sources[2 * static_cast<std::size_t>(target - m_resources.data()) + direction] = source;
}

/// Where the tasks of a stage, and those of the cut that it sends over, go next.
void Simulator::connect(int from, Direction direction, const std::vector<SimulatedStep> &steps) {
    const int stages = static_cast<int>(steps.size() / 2) + 1;
    const int next = direction == Forward ? from + 1 : from - 1;
    Way &way = stage(from).way[direction];
    if (next == stages || next < 0) {  // the last forward turns round, the last backward leaves
        way.server = &stage(from);
        way.tail = next < 0 ? queue(static_cast<int>(m_servers.size()), 0) : queue(m_channels + from, Backward);
        return;
    }
    const int cut = std::min(from, next);
    const SimulatedStep &step = steps[at(2 * cut + 1)];
    const int server = m_cutServer[at(cut)];
    if (server < 0 || (direction == Forward ? step.forward : step.backward) <= 0) {
        send(m_channels + from, direction, m_channels + next, &step, 2 * cut + 1);
        return;
    }
    send(m_channels + from, direction, server, nullptr, -1);
    send(server, direction, m_channels + next, nullptr, -1);
}

/// After the last task of a resource one micro-batch still goes back to the first stage, and stages reduce. `tail`
/// counts from the moment when the last gradient leaves.
void Simulator::boundEnds(const std::vector<SimulatedStep> &steps) {
    m_bounds.assign(at(m_resourceCount), Bound{0, never});
    double tail = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const SimulatedStep &step = steps[s];
        if (s % 2 == 0)
            tail = std::max(tail, step.weights + step.allReduce);
        if (s % 2 == 0 || step.channel >= 0) {
            Bound &own = m_bounds[s % 2 == 0 ? at(m_channels) + s / 2 : at(step.channel)];
            own.remaining += m_microBatches * (step.forward + step.backward + step.weights);
            // The last task of a stage that puts weights off may begin long after its last gradient left.
            const bool puts = s % 2 == 0 && stage(static_cast<int>(s / 2)).puts;
            own.tail = std::min(own.tail, puts ? step.allReduce : tail - step.weights);
        }
        tail += step.backward;
    }
}

void Simulator::count(const std::vector<SimulatedStep> &steps) {
    int cuts = 0;
    double work = 0;
    m_channels = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
        work += steps[s].forward + steps[s].backward + steps[s].weights;
        if (s % 2 == 0)
            continue;
        m_channels = std::max(m_channels, steps[s].channel + 1);
        cuts += steps[s].channel >= 0 ? 1 : 0;
    }
    const int stages = static_cast<int>(steps.size() / 2) + 1;
    m_blur = roundingOfSums * m_microBatches * work;
    m_resourceCount = m_channels + stages;
    m_servers.assign(at(cuts + stages), Server{});
    m_resources.assign(at(m_resourceCount) + 1, Resource{});
    m_resources.back().soonest = never;
    m_sources.assign(at(2 * m_resourceCount), Source{m_resourceCount, 0});
    m_cutServer.assign(at(stages), -1);
    m_width = at(m_microBatches) + 1;
    m_arrivals.assign((2 * m_servers.size() + 1) * m_width, never);
}

void Simulator::lay(const std::vector<SimulatedStep> &steps, Schedule schedule) {
    count(steps);
    m_defers = false;
    const int stages = static_cast<int>(steps.size() / 2) + 1;
    layChannels(steps);
    for (int s = 0; s < stages; ++s) {
        layServer(m_channels + s, steps[at(2 * s)], 2 * s, m_channels + s);
        const SimulatedStep &step = steps[at(2 * s)];
        const StageRules rules = schedule.rules({step.inFlight, stages - s, step.recompute}, m_microBatches);
        stage(s).returnsFrom += rules.forwardsFirst;
        stage(s).puts = rules.defersWeights && step.weights > 0;
        stage(s).ahead = rules.ahead;
        m_defers = m_defers || rules.defersWeights || rules.ahead < rules.inFlight;
    }
    for (int s = 0; s < stages; ++s) {
        connect(s, Forward, steps);
        connect(s, Backward, steps);
    }
    double least = never;
    for (int r = 0; r < m_resourceCount; ++r)
        least = std::min(least, m_resources[at(r)].look);
    m_oneByOne = least <= 4 * m_blur;
    std::fill_n(queue(m_channels, Forward), m_microBatches, 0.0);
    m_resources[at(m_channels)].next = 0;
}

/// An arrival may make a cut the first of its channel, and can only hasten it.
void Simulator::arriveAtShared(const Server &server) {
    Shared &shared = m_shared[at(server.shared)];
    Resource &resource = *server.resource;
    for (const int direction : {Backward, Forward}) {
        const double head = *server.head[direction];
        Shared::First &first = shared.first[direction];
        shared.heads[direction][at(server.member)] = head;
        if (head < first.at || (head == first.at && server.member < first.member))
            first = {head, server.member};
    }
    resource.next = std::max(resource.free, std::min(shared.first[Backward].at, shared.first[Forward].at));
}

/// The first of its channel has begun: another one is.
void Simulator::leaveShared(const Server &server, int direction) {
    Shared &shared = m_shared[at(server.shared)];
    Resource &resource = *server.resource;
    std::vector<double> &heads = shared.heads[direction];
    heads[at(server.member)] = *server.head[direction];
    double earliest = heads[0];
    unsigned chosen = 0;
    for (unsigned k = 1; k < heads.size(); ++k) {
        const unsigned mask = 0u - static_cast<unsigned>(heads[k] < earliest);
        chosen ^= (chosen ^ k) & mask;
        earliest = std::min(earliest, heads[k]);
    }
    shared.first[direction] = {earliest, static_cast<int>(chosen)};
    resource.next = std::max(resource.free, std::min(shared.first[Backward].at, shared.first[Forward].at));
}

/// A queue of the server has another head.
template <Simulator::Needs needs>
inline void Simulator::refresh(const Server &server) {
    if (needs.shared && server.shared >= 0)
        return arriveAtShared(server);
    Resource &resource = *server.resource;
    // A server runs one task at a time, so between tasks every begun backward has ended.
    const bool mayBegin = server.underWay < server.limit && (!needs.defers || server.unreturned < server.ahead);
    const double forward = either(mayBegin, *server.head[Forward], never);
    resource.back = server.head[Forward] >= server.returnsFrom ? *server.head[Backward] : never;
    resource.next = std::max(resource.free, std::min(resource.back, forward));
    if (needs.defers && server.owed > 0)
        resource.next = resource.free;
}

void Simulator::note(const Server &server, int direction, double start, double sent) {
    const auto count = at(m_microBatches);
    const auto index = static_cast<std::size_t>(&server - m_servers.data());
    const double *first = queue(static_cast<int>(index), direction);
    const auto microBatch = static_cast<std::size_t>(server.head[direction] - first);
    auto &starts = direction == Forward ? m_times->forwardStart : m_times->backwardStart;
    starts[at(server.step) * count + microBatch] = start;
    if (direction == Backward && !server.puts)
        m_times->weightsStart[at(server.step) * count + microBatch] = start + server.way[Backward].seconds;
    if (const int wire = server.way[direction].wireStep; wire >= 0)
        starts[at(wire) * count + microBatch] = sent;
}

void Simulator::noteWeights(const Server &server, double start) {
    const double *first = queue(static_cast<int>(&server - m_servers.data()), Backward);
    const std::ptrdiff_t microBatch = server.head[Backward] - first - server.owed;
    m_times->weightsStart[at(server.step) * at(m_microBatches) + static_cast<std::size_t>(microBatch)] = start;
}

/// Gradients of weights that were put off. False when the round ends too late.
template <Simulator::Needs needs>
inline bool Simulator::beginWeights(Server &server, double now) {
    const double seconds = server.way[Backward].weights;
    if (needs.limited) {
        Bound &bound = m_bounds[static_cast<std::size_t>(server.resource - m_resources.data())];
        if (now + bound.remaining + bound.tail > m_giveUpAt)
            return false;
        bound.remaining -= seconds;
    }
    if (needs.timed)
        noteWeights(server, now);
    --server.owed;
    --server.underWay;
    server.resource->free = now + seconds;
    refresh<needs>(server);
    return true;
}

/// Begins the next task of a resource. False when the round ends too late.
template <Simulator::Needs needs>
inline bool Simulator::begin(int number) {
    Resource &resource = m_resources[at(number)];
    const double now = resource.next;
    int index = number;
    int direction = resource.back <= now ? Backward : Forward;
    if (needs.shared && m_servers[at(index)].shared >= 0) {
        const Shared &shared = m_shared[at(m_servers[at(index)].shared)];
        direction = shared.first[Backward].at <= now ? Backward : Forward;
        index = shared.members[at(shared.first[direction].member)];
    }
    Server &server = m_servers[at(index)];
    if (needs.defers && server.owed > 0 && direction == Forward &&
        (server.underWay >= server.limit || server.unreturned >= server.ahead || *server.head[Forward] > now))
        return beginWeights<needs>(server, now);
    Way &way = server.way[direction];
    const bool putsOff = needs.defers && server.puts && direction == Backward;
    const double weights = putsOff ? 0 : way.weights;
    if (needs.limited) {
        Bound &bound = m_bounds[at(number)];
        if (now + bound.remaining + bound.tail > m_giveUpAt)
            return false;
        bound.remaining -= way.seconds + weights;
    }
    const double done = now + way.seconds;
    resource.free = done + weights;
    const double sent = std::max(way.wireFree, done);
    way.wireFree = sent + way.wireSeconds;
    *way.tail++ = way.wireFree;
    if (needs.timed)
        note(server, direction, now, sent);
    ++server.head[direction];
    if (needs.defers)
        server.unreturned += 2 * direction - 1;
    if (putsOff)
        ++server.owed;
    else
        server.underWay += 2 * direction - 1;
    refresh<needs>(*way.server);
    if (needs.shared && server.shared >= 0)
        leaveShared(server, direction);
    else
        refresh<needs>(server);
    return true;
}

/// Nothing that is not known yet arrives at the resource before.
template <Simulator::Needs needs>
inline double Simulator::soonestArrival(int resource) const {
    const Source &a = m_sources[at(2 * resource)];
    const Source &b = m_sources[at(2 * resource + 1)];
    double soonest = std::min(m_resources[at(a.from)].soonest + a.delay, m_resources[at(b.from)].soonest + b.delay);
    if (needs.shared && m_servers[at(resource)].shared >= 0) {
        for (const Source &source : m_shared[at(m_servers[at(resource)].shared)].sources)
            soonest = std::min(soonest, m_resources[at(source.from)].soonest + source.delay);
    }
    return soonest;
}

/// Begins every task that no other one can change any more, given that none begins before `now`.
template <Simulator::Needs needs>
inline bool Simulator::sweep(double now) {
    for (int r = 0; r < m_resourceCount; ++r) {
        Resource &resource = m_resources[at(r)];
        resource.soonest = std::max(resource.free, std::min(resource.next, now + resource.look));
    }
    for (int r = 0; r < m_resourceCount; ++r) {
        Resource &resource = m_resources[at(r)];
        const double soonest = soonestArrival<needs>(r) - m_blur;
        // What a single server has waiting when it becomes free, nothing later can overtake.
        while ((resource.next < soonest) | (resource.back <= resource.free)) {
            if (!begin<needs>(r))
                return false;
        }
    }
    return true;
}

/// False when abandoned.
template <Simulator::Needs needs>
bool Simulator::play() {
    for (;;) {
        int first = 0;
        double now = never;
        for (int r = 0; r < m_resourceCount; ++r) {
            const double next = m_resources[at(r)].next;
            if (m_oneByOne)
                first = next < now ? r : first;
            now = std::min(now, next);
        }
        if (now == never)
            return true;
        const bool on = m_oneByOne ? begin<needs>(first) : sweep<needs>(now);
        if (!on)
            return false;
    }
}

bool Simulator::playAs(Needs needs) {
    if (needs.timed)
        return needs.defers ? play<Needs{true, true, true, true}>() : play<Needs{true, true, true, false}>();
    if (needs.defers)
        return needs.limited ? play<Needs{true, true, false, true}>() : play<Needs{true, false, false, true}>();
    if (needs.shared)
        return needs.limited ? play<Needs{true, true, false, false}>() : play<Needs{true, false, false, false}>();
    return needs.limited ? play<Needs{false, true, false, false}>() : play<Needs{false, false, false, false}>();
}

double Simulator::run(const std::vector<SimulatedStep> &steps, int microBatches, Schedule schedule,
                      SimulatedTimes *times, double giveUpAt) {
    m_times = times;
    m_microBatches = microBatches;
    m_giveUpAt = giveUpAt + slack * giveUpAt;
    lay(steps, schedule);
    if (times) {
        times->forwardStart.assign(steps.size() * at(microBatches), 0);
        times->backwardStart.assign(steps.size() * at(microBatches), 0);
        times->weightsStart.assign(steps.size() * at(microBatches), 0);
        times->lastBackwardEnd.clear();
    }
    const bool limited = giveUpAt < never;
    if (limited || times)
        boundEnds(steps);
    bool ended = playAs({m_sharedCount > 0, limited, times != nullptr, m_defers});

    double end = 0;
    for (int s = 0; s <= static_cast<int>(steps.size() / 2); ++s) {
        const double lastEnd = m_resources[at(m_channels + s)].free;
        ended = ended && stage(s).head[Backward] == queue(m_channels + s, Backward) + microBatches;
        end = std::max(end, lastEnd + steps[at(2 * s)].allReduce);
        if (times)
            times->lastBackwardEnd.push_back(lastEnd);
    }
    return ended ? end : never;
}

}  // namespace hearth
