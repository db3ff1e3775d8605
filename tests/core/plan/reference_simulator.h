// A plain event simulation of one round (algorithms.md §11): what the fast one is checked against. It shares only plain
// values with core/plan.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

namespace hearth::test {

struct ReferenceStep {
    double forward = 0, backward = 0, allReduce = 0;
    int inFlight = 1;
    int channel = -1;  // transfers: those of one channel take turns; -1: a wire for each direction
};

struct ReferenceRound {
    double seconds = 0;
    std::vector<double> forwardStart, backwardStart;  // [step * microBatches + microBatch]
};

/// Resources: wires, then channels by number, then stages. Each is woken when something arrives for it and when it
/// becomes free; wake-ups are served by time, then by resource. A woken resource that is free takes a waiting backward,
/// else a waiting forward, of the earliest arrival (then the earlier step).
class ReferenceSimulator {
  public:
    ReferenceSimulator(std::vector<ReferenceStep> steps, int microBatches, bool fillDrain)
        : m_steps(std::move(steps)), m_count(microBatches), m_fillDrain(fillDrain), m_state(m_steps.size()) {}

    ReferenceRound run() {
        const std::size_t tasks = m_steps.size() * static_cast<std::size_t>(m_count);
        m_round.forwardStart.assign(tasks, 0);
        m_round.backwardStart.assign(tasks, 0);
        for (int m = 0; m < m_count; ++m)
            arrive(0, true, m, 0);
        while (!m_wakes.empty()) {
            const Wake wake = *m_wakes.begin();
            m_wakes.erase(m_wakes.begin());
            serve(wake.second, wake.first);
        }
        for (std::size_t s = 0; s < m_steps.size(); s += 2)
            m_round.seconds = std::max(m_round.seconds, m_state[s].lastEnd + m_steps[s].allReduce);
        return m_round;
    }

  private:
    using Resource = std::pair<int, int>;  // kind (0 wire, 1 channel, 2 stage) and number
    using Wake = std::pair<double, Resource>;
    struct Waiting {
        double since = 0;
        int microBatch = 0;
    };
    struct StepState {
        std::deque<Waiting> forward, backward;
        int forwardsBegun = 0, backwardsBegun = 0;
        double lastEnd = 0;
    };

    Resource resourceOf(std::size_t step, bool forward) const {
        const int number = static_cast<int>(step);
        if (step % 2 == 0)
            return {2, number};
        return m_steps[step].channel < 0 ? Resource{0, 2 * number + (forward ? 1 : 0)}
                                         : Resource{1, m_steps[step].channel};
    }
    void arrive(std::size_t step, bool forward, int microBatch, double at) {
        (forward ? m_state[step].forward : m_state[step].backward).push_back({at, microBatch});
        m_wakes.insert({at, resourceOf(step, forward)});
    }
    bool ready(std::size_t step, bool forward, double now) const {
        const StepState &state = m_state[step];
        const auto &queue = forward ? state.forward : state.backward;
        if (queue.empty() || queue.front().since > now)
            return false;
        if (step % 2 == 1)
            return true;
        return forward ? state.forwardsBegun - state.backwardsBegun < m_steps[step].inFlight
                       : !m_fillDrain || state.forwardsBegun == m_count;
    }
    void serve(const Resource &resource, double now) {
        double &free = m_free[resource];
        if (free > now)
            return;  // woken again when it becomes free
        for (const bool forward : {false, true}) {
            std::size_t chosen = m_steps.size();
            for (std::size_t s = 0; s < m_steps.size(); ++s) {
                if (resourceOf(s, forward) != resource || !ready(s, forward, now))
                    continue;
                const auto since = [&](std::size_t step) {
                    return (forward ? m_state[step].forward : m_state[step].backward).front().since;
                };
                if (chosen == m_steps.size() || since(s) < since(chosen))
                    chosen = s;
            }
            if (chosen < m_steps.size()) {
                free = begin(chosen, forward, now);
                m_wakes.insert({free, resource});
                return;
            }
        }
    }
    double begin(std::size_t step, bool forward, double now) {
        StepState &state = m_state[step];
        auto &queue = forward ? state.forward : state.backward;
        const int microBatch = queue.front().microBatch;
        queue.pop_front();
        ++(forward ? state.forwardsBegun : state.backwardsBegun);
        const double end = now + (forward ? m_steps[step].forward : m_steps[step].backward);
        const std::size_t at = step * static_cast<std::size_t>(m_count) + static_cast<std::size_t>(microBatch);
        (forward ? m_round.forwardStart : m_round.backwardStart)[at] = now;
        if (!forward)
            state.lastEnd = end;
        if (forward)
            arrive(step + 1 < m_steps.size() ? step + 1 : step, step + 1 < m_steps.size(), microBatch, end);
        else if (step > 0)
            arrive(step - 1, false, microBatch, end);
        return end;
    }

    std::vector<ReferenceStep> m_steps;
    int m_count;
    bool m_fillDrain;
    std::vector<StepState> m_state;
    std::map<Resource, double> m_free;
    std::set<Wake> m_wakes;
    ReferenceRound m_round;
};

}  // namespace hearth::test
