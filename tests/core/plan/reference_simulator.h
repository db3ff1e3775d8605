// A plain event simulation of one round: what the fast one is checked against. It shares only plain values with
// core/plan.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace hearth::test {

struct ReferenceStep {
    double forward = 0, backward = 0, allReduce = 0;
    int inFlight = 1;
    int channel = -1;      // transfers: those of one channel take turns; -1, or nothing to send: wires
    double weights = 0;    // of a stage, after `backward`, when the gradient has left
    bool putsOff = false;  // `weights`, until nothing else can begin
    int ahead = 1 << 30;   // forwards whose backward has not begun, at most
};

struct ReferenceRound {
    double seconds = 0;
    std::vector<double> forwardStart, backwardStart, weightsStart;  // [step * microBatches + microBatch]
};

/// Again and again the task begins that may begin first; among equals that of a wire before that of a channel before
/// that of a stage, and lower numbers first. A resource prefers backwards, then the earliest arrival, then the earlier
/// step.
class ReferenceSimulator {
  public:
    ReferenceSimulator(std::vector<ReferenceStep> steps, int microBatches, bool fillDrain)
        : m_steps(std::move(steps)),
          m_count(static_cast<std::size_t>(microBatches)),
          m_fillDrain(fillDrain),
          m_queues(2 * m_steps.size()) {
        std::map<std::pair<int, int>, Resource> resources;  // by kind and number
        for (std::size_t s = 0; s < m_steps.size(); ++s) {
            m_weightsBegun[s] = 0;
            for (const std::size_t queue : {backward(s), forward(s)}) {
                const double seconds = queue == forward(s) ? m_steps[s].forward : m_steps[s].backward;
                const bool wire = m_steps[s].channel < 0 || seconds <= 0;
                const int kind = s % 2 == 0 ? 2 : wire ? 0 : 1;
                const int number = static_cast<int>(kind == 2 ? s : queue);
                resources[{kind, kind == 1 ? m_steps[s].channel : number}].queues.push_back(queue);
            }
        }
        for (const auto &[place, resource] : resources)
            m_resources.push_back(resource);
    }

    ReferenceRound run() {
        m_queues[forward(0)].arrivals.assign(m_count, 0.0);
        for (;;) {
            Resource *first = nullptr;
            double start = never;
            for (Resource &resource : m_resources) {
                double ready = never;
                for (const std::size_t queue : resource.queues)
                    ready = std::min(ready, head(queue));
                if (owes(resource))
                    ready = std::min(ready, resource.free);
                if (std::max(resource.free, ready) < start) {
                    start = std::max(resource.free, ready);
                    first = &resource;
                }
            }
            if (!first)
                return finished();
            begin(*first, start);
        }
    }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();
    struct Queue {
        std::vector<double> arrivals, starts;
    };
    struct Resource {
        std::vector<std::size_t> queues;
        double free = 0;
        std::vector<double> weightStarts;
        std::size_t step() const { return queues.front() / 2; }
    };
    static std::size_t backward(std::size_t step) { return 2 * step; }
    static std::size_t forward(std::size_t step) { return 2 * step + 1; }

    bool puts(std::size_t step) const { return step % 2 == 0 && m_steps[step].putsOff && m_steps[step].weights > 0; }
    bool owes(const Resource &resource) const {
        return puts(resource.step()) &&
               resource.weightStarts.size() < m_queues[backward(resource.step())].starts.size();
    }
    /// When the next task of the queue arrived, if it may begin.
    double head(std::size_t queue) const {
        const Queue &own = m_queues[queue];
        if (own.starts.size() == own.arrivals.size())
            return never;
        const std::size_t step = queue / 2;
        const std::size_t forwards = m_queues[forward(step)].starts.size();
        const std::size_t ended = puts(step) ? m_weightsBegun.at(step) : m_queues[backward(step)].starts.size();
        const std::size_t underWay = forwards - ended;
        if (step % 2 == 0 && queue == forward(step) && underWay >= static_cast<std::size_t>(m_steps[step].inFlight))
            return never;
        if (step % 2 == 0 && queue == forward(step) &&
            forwards - m_queues[backward(step)].starts.size() >= static_cast<std::size_t>(m_steps[step].ahead))
            return never;
        if (step % 2 == 0 && queue == backward(step) && m_fillDrain && forwards < m_count)
            return never;
        return own.arrivals[own.starts.size()];
    }
    void begin(Resource &resource, double now) {
        std::size_t chosen = 2 * m_steps.size();
        const auto better = [&](std::size_t queue) {
            if (head(queue) > now)
                return false;
            if (chosen == 2 * m_steps.size() || queue % 2 != chosen % 2)
                return chosen == 2 * m_steps.size() || queue % 2 < chosen % 2;
            return head(queue) < head(chosen);
        };
        for (const std::size_t queue : resource.queues) {
            if (better(queue))
                chosen = queue;
        }
        if (chosen == 2 * m_steps.size()) {  // nothing else can
            resource.weightStarts.push_back(now);
            ++m_weightsBegun[resource.step()];
            resource.free = now + m_steps[resource.step()].weights;
            return;
        }
        const std::size_t step = chosen / 2;
        const bool isForward = chosen == forward(step);
        m_queues[chosen].starts.push_back(now);
        const double done = now + (isForward ? m_steps[step].forward : m_steps[step].backward);
        resource.free = done + (isForward || puts(step) ? 0 : m_steps[step].weights);
        if (isForward)
            m_queues[step + 1 < m_steps.size() ? forward(step + 1) : backward(step)].arrivals.push_back(done);
        else if (step > 0)
            m_queues[backward(step - 1)].arrivals.push_back(done);
    }
    ReferenceRound finished() const {
        ReferenceRound round;
        for (std::size_t s = 0; s < m_steps.size(); ++s) {
            const Queue &back = m_queues[backward(s)], &on = m_queues[forward(s)];
            if (back.starts.size() < m_count)
                return {never, {}, {}, {}};
            round.forwardStart.insert(round.forwardStart.end(), on.starts.begin(), on.starts.end());
            round.backwardStart.insert(round.backwardStart.end(), back.starts.begin(), back.starts.end());
            std::vector<double> weights;
            for (const double start : back.starts)
                weights.push_back(start + m_steps[s].backward);
            for (const Resource &resource : m_resources) {
                if (puts(s) && resource.step() == s)
                    weights = resource.weightStarts;
            }
            if (s % 2 == 0)
                round.seconds = std::max(round.seconds, weights.back() + m_steps[s].weights + m_steps[s].allReduce);
            round.weightsStart.insert(round.weightsStart.end(), weights.begin(), weights.end());
        }
        return round;
    }

    std::vector<ReferenceStep> m_steps;
    std::size_t m_count;
    bool m_fillDrain;
    std::vector<Queue> m_queues;                        // by step: backward, forward
    std::map<std::size_t, std::size_t> m_weightsBegun;  // by stage that puts them off
    std::vector<Resource> m_resources;
};

}  // namespace hearth::test
