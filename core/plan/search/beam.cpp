#include "core/plan/search/beam.h"

#include <bit>
#include <numeric>
#include <unordered_map>

#include "core/base/at.h"

namespace hearth {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// The rest of a pipeline is never shared perfectly.
constexpr double imperfect = 1.03;
constexpr std::size_t mostStates = 2'000'000;

/// Groups as numbers of devices of each type; their devices are stand-ins.
struct Groups {
    DeviceSets sets;                                       // groups only
    std::vector<std::vector<std::pair<int, int>>> counts;  // by group: type, number
    std::vector<std::vector<int>> devicesOf;               // by type, by id order
    std::vector<int> shift;                                // by type: where its number begins in a packed word
};

Groups smallGroups(const CostModel &model, int largest) {
    Groups groups;
    groups.sets.type = deviceTypes(model);
    groups.devicesOf.resize(at(1 + *std::max_element(groups.sets.type.begin(), groups.sets.type.end())));
    for (const int device : model.devicesById())
        groups.devicesOf[at(groups.sets.type[at(device)])].push_back(device);
    int bits = 0;
    for (const auto &devices : groups.devicesOf) {
        groups.shift.push_back(bits);
        bits += std::bit_width(devices.size());
    }
    const auto add = [&](const std::vector<std::pair<int, int>> &counts) {
        std::vector<int> devices;
        for (const auto &[type, number] : counts)
            devices.insert(devices.end(), groups.devicesOf[at(type)].begin(),
                           groups.devicesOf[at(type)].begin() + number);
        std::sort(devices.begin(), devices.end(), [&](int a, int b) { return model.rank(a) < model.rank(b); });
        groups.sets.groups.push_back(std::move(devices));
        groups.counts.push_back(counts);
    };
    const int types = static_cast<int>(groups.devicesOf.size());
    for (int type = 0; type < types; ++type) {
        for (int number = 1; number <= static_cast<int>(groups.devicesOf[at(type)].size()); ++number)
            add({{type, number}});
    }
    for (int a = 0; a < types && largest >= 2; ++a) {
        for (int b = a + 1; b < types; ++b) {
            add({{a, 1}, {b, 1}});
            for (int c = b + 1; c < types && largest >= 3; ++c)
                add({{a, 1}, {b, 1}, {c, 1}});
        }
    }
    return groups;
}

struct State {
    SuffixBound bound;
    const StageOption *head = nullptr;
    int parent = -1;
    int group = 0;
    int position = 0;
    int end = 0;  // of its first stage
    int stages = 0;
    double speed = 0;     // of the devices left
    double estimate = 0;  // of the whole round
    quint64 used = 0;     // numbers of devices by type, packed
};

class Beam {
  public:
    Beam(const CostModel &model, const std::vector<int> &cuts, int microBatch, const BeamSettings &settings,
         double limit, OptionMemory *memory, SearchClock &clock)
        : m_model(model),
          m_settings(settings),
          m_limit(limit),
          m_clock(clock),
          m_groups(smallGroups(model, settings.largestGroup)),
          m_options(model, m_groups.sets, cuts, microBatch, InFlightRule::Early, settings.mayRecompute, memory),
          m_waiting(cuts.size()) {
        m_work.assign(cuts.size(), 0);
        for (int d = 0; d < model.deviceCount(); ++d) {
            const auto seconds = [&](int last) {
                const LayerSeconds own = model.stageSeconds(d, 0, last, microBatch);
                return own.forward + own.backward;
            };
            const double whole = std::max(seconds(model.layerCount()), 1e-300);
            m_speed.push_back(1 / whole);
            for (std::size_t c = 0; c < cuts.size(); ++c)
                m_work[c] += seconds(cuts[c]) / whole / model.deviceCount();
        }
    }

    std::vector<Placement> run() {
        State empty;
        empty.position = m_options.parts();
        empty.speed = std::accumulate(m_speed.begin(), m_speed.end(), 0.0);
        m_states.push_back(empty);
        m_waiting[at(empty.position)][{}] = 0;
        for (int position = m_options.parts(); position > 0 && !m_clock.phaseOver(); --position) {
            for (const int state : promising(position, m_settings.width)) {
                if (!m_clock.phaseOver() && m_states.size() < mostStates)
                    extend(state);
            }
        }
        std::vector<Placement> placements;
        for (const int state : promising(0, m_settings.results))
            placements.push_back(placementOf(state));
        return placements;
    }

  private:
    std::vector<int> promising(int position, int most) const {
        std::vector<int> order;
        for (const auto &[key, state] : m_waiting[at(position)])
            order.push_back(state);
        std::sort(order.begin(), order.end(), [this](int a, int b) {
            const double left = m_states[at(a)].estimate, right = m_states[at(b)].estimate;
            return left != right ? left < right : a < b;
        });
        if (static_cast<int>(order.size()) > most)
            order.resize(at(most));
        return order;
    }

    int used(const State &state, int type) const {
        const auto count = static_cast<unsigned>(m_groups.devicesOf[at(type)].size());
        const quint64 mask = (quint64{1} << std::bit_width(count)) - 1;
        return static_cast<int>(state.used >> m_groups.shift[at(type)] & mask);
    }

    void extend(int number) {
        const State from = m_states[at(number)];
        for (std::size_t g = 0; g < m_groups.counts.size(); ++g) {
            const auto &counts = m_groups.counts[g];
            const bool there = std::all_of(counts.begin(), counts.end(), [&](const auto &each) {
                return used(from, each.first) + each.second <=
                       static_cast<int>(m_groups.devicesOf[at(each.first)].size());
            });
            if (!there)
                continue;
            State next;
            next.parent = number;
            next.group = static_cast<int>(g);
            next.end = from.position;
            next.stages = from.stages + 1;
            next.used = from.used;
            next.speed = from.speed;
            for (const auto &[type, count] : counts)
                next.used += static_cast<quint64>(count) << m_groups.shift[at(type)];
            for (const int device : m_groups.sets.groups[g])
                next.speed -= m_speed[at(device)];
            extend(from, next);
        }
    }

    /// With all numbers of layers that leave neither the stage nor the rest of the pipeline too much.
    void extend(const State &from, State &next) {
        for (int first = from.position - 1; first >= 0; --first) {
            m_clock.spend(1);
            if (first > 0 && next.speed < 1e-9 * from.speed)
                continue;  // layers left, but no devices
            const double once = first > 0 ? imperfect * m_work[at(first)] / next.speed : 0;
            if (m_options.microBatches() * once >= m_limit)
                continue;
            const StageOptions::Choice choice = m_options.find(first, from.position, next.group, next.stages);
            if (!choice.plain && !choice.recomputed)
                continue;  // memory: other cuts may fit
            if (m_options.microBatches() * choice.leastOccupied() >= m_limit)
                break;
            next.position = first;
            offer(from, next, choice.plain ? *choice.plain : *choice.recomputed, once);
        }
    }

    void offer(const State &from, State &next, const StageOption &option, double once) {
        const int microBatches = m_options.microBatches();
        SuffixBound bound = from.bound;
        if (from.head)
            bound =
                bound.afterTransfer(m_options.cut(from.position, option, *from.head), microBatches, m_options.onAir());
        next.bound = bound.afterExecution(option.step, microBatches);
        next.estimate = std::max({next.bound.seconds() + once / 3, next.bound.drained + once, microBatches * once});
        if (!(next.estimate < m_limit))
            return;
        const auto [known, isNew] = m_waiting[at(next.position)].try_emplace({next.used, next.stages}, 0);
        if (!isNew && m_states[at(known->second)].estimate <= next.estimate)
            return;
        next.head = &option;
        known->second = static_cast<int>(m_states.size());
        m_states.push_back(next);
    }

    Placement placementOf(int number) const {
        Placement placement{m_options.microBatch(), Schedule::OneForwardOneBackward, {}};
        std::vector<std::size_t> taken(m_groups.devicesOf.size(), 0);
        for (int n = number; m_states[at(n)].head; n = m_states[at(n)].parent) {
            const State &state = m_states[at(n)];
            StagePlacement stage{m_options.cuts()[at(state.position)], m_options.cuts()[at(state.end)],
                                 state.head->members, m_options.inFlight(state.stages), state.head->recompute};
            for (MemberShare &member : stage.group) {
                const std::size_t type = at(m_groups.sets.type[at(member.device)]);
                member.device = m_groups.devicesOf[type][taken[type]++];
            }
            std::sort(stage.group.begin(), stage.group.end(), [this](const MemberShare &a, const MemberShare &b) {
                return m_model.rank(a.device) < m_model.rank(b.device);
            });
            placement.stages.push_back(std::move(stage));
        }
        return placement;
    }

    const CostModel &m_model;
    BeamSettings m_settings;
    double m_limit;
    SearchClock &m_clock;
    Groups m_groups;
    StageOptions m_options;
    std::vector<double> m_speed;  // by device: micro-batches per second of the whole model
    std::vector<double> m_work;   // by position: part of the model before it
    std::vector<State> m_states;
    struct Key {
        quint64 used = 0;
        int stages = 0;
        bool operator==(const Key &) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key &key) const {
            const quint64 hash = (key.used ^ static_cast<quint64>(key.stages) << 57) * 0x9e3779b97f4a7c15ULL;
            return static_cast<std::size_t>(hash ^ hash >> 32);
        }
    };
    std::vector<std::unordered_map<Key, int, KeyHash>> m_waiting;  // by position: used and stages to state
};

}  // namespace

std::vector<Placement> beamSearch(const CostModel &model, const std::vector<int> &cuts, int microBatch,
                                  const BeamSettings &settings, double limitSeconds, OptionMemory *memory,
                                  SearchClock &clock) {
    if (model.deviceCount() > 64)
        return {};
    return Beam(model, cuts, microBatch, settings, limitSeconds, memory, clock).run();
}

}  // namespace hearth
