#include "core/plan/simulator.h"

#include <algorithm>
#include <limits>

namespace hearth {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

inline double Simulator::Queue::head() const {
    return begun < known ? arrival[begun] : never;
}

inline double Simulator::nextOfStage(std::size_t stage) const {
    const Stage &own = m_stages[stage];
    // A stage runs one task at a time, so between tasks every begun backward has ended.
    const int underWay = own.forward.begun - own.backward.begun;
    double earliest = never;
    if (!m_fillDrain || own.forward.begun == m_microBatches)
        earliest = own.backward.head();
    if (underWay < (*m_steps)[2 * stage].inFlight)
        earliest = std::min(earliest, own.forward.head());
    return std::max(own.free, earliest);
}

double Simulator::nextOfChannel(std::size_t channel) const {
    double earliest = never;
    for (std::size_t i = m_firstMember[channel]; i < m_firstMember[channel + 1]; ++i) {
        const Cut &cut = m_cuts[m_members[i]];
        earliest = std::min({earliest, cut.forward.head(), cut.backward.head()});
    }
    return std::max(m_channelFree[channel], earliest);
}

inline void Simulator::refresh(std::size_t resource) {
    const std::size_t channels = m_channelFree.size();
    m_next[resource] = resource < channels ? nextOfChannel(resource) : nextOfStage(resource - channels);
}

inline void Simulator::sendForward(std::size_t cut, int microBatch, double at) {
    const SimulatedStep &step = (*m_steps)[2 * cut + 1];
    Cut &own = m_cuts[cut];
    if (step.channel >= 0) {
        own.forward.arrival[own.forward.known++] = at;
        refresh(static_cast<std::size_t>(step.channel));
        return;
    }
    const double start = std::max(own.forwardFree, at);
    own.forwardFree = start + step.forward;
    if (m_times)
        m_times->forwardStart[(2 * cut + 1) * static_cast<std::size_t>(m_microBatches) +
                              static_cast<std::size_t>(microBatch)] = start;
    Queue &next = m_stages[cut + 1].forward;
    next.arrival[next.known++] = own.forwardFree;
    refresh(m_channelFree.size() + cut + 1);
}

inline void Simulator::sendBackward(std::size_t cut, int microBatch, double at) {
    const SimulatedStep &step = (*m_steps)[2 * cut + 1];
    Cut &own = m_cuts[cut];
    if (step.channel >= 0) {
        own.backward.arrival[own.backward.known++] = at;
        refresh(static_cast<std::size_t>(step.channel));
        return;
    }
    const double start = std::max(own.backwardFree, at);
    own.backwardFree = start + step.backward;
    if (m_times)
        m_times->backwardStart[(2 * cut + 1) * static_cast<std::size_t>(m_microBatches) +
                               static_cast<std::size_t>(microBatch)] = start;
    Queue &next = m_stages[cut].backward;
    next.arrival[next.known++] = own.backwardFree;
    refresh(m_channelFree.size() + cut);
}

inline void Simulator::runStage(std::size_t stage, double start) {
    Stage &own = m_stages[stage];
    const SimulatedStep &step = (*m_steps)[2 * stage];
    const std::size_t row = 2 * stage * static_cast<std::size_t>(m_microBatches);
    const bool mayReturn = !m_fillDrain || own.forward.begun == m_microBatches;
    if (mayReturn && own.backward.head() <= start) {
        const int microBatch = own.backward.begun++;
        own.free = own.lastEnd = start + step.backward;
        if (m_times)
            m_times->backwardStart[row + static_cast<std::size_t>(microBatch)] = start;
        if (stage > 0)
            sendBackward(stage - 1, microBatch, own.free);
    } else {
        const int microBatch = own.forward.begun++;
        own.free = start + step.forward;
        if (m_times)
            m_times->forwardStart[row + static_cast<std::size_t>(microBatch)] = start;
        if (stage + 1 < m_stages.size())
            sendForward(stage, microBatch, own.free);
        else
            own.backward.arrival[own.backward.known++] = own.free;
    }
    refresh(m_channelFree.size() + stage);
}

void Simulator::runChannel(std::size_t channel, double start) {
    std::size_t chosen = 0;
    bool back = false;
    double earliest = never;
    for (std::size_t i = m_firstMember[channel]; i < m_firstMember[channel + 1]; ++i) {
        const std::size_t cut = m_members[i];
        const double backward = m_cuts[cut].backward.head();
        if (backward <= start && (!back || backward < earliest)) {
            back = true;
            earliest = backward;
            chosen = cut;
        }
        const double forward = m_cuts[cut].forward.head();
        if (!back && forward <= start && forward < earliest) {
            earliest = forward;
            chosen = cut;
        }
    }
    const SimulatedStep &step = (*m_steps)[2 * chosen + 1];
    const std::size_t row = (2 * chosen + 1) * static_cast<std::size_t>(m_microBatches);
    Cut &cut = m_cuts[chosen];
    Queue &from = back ? cut.backward : cut.forward;
    const int microBatch = from.begun++;
    const double end = start + (back ? step.backward : step.forward);
    m_channelFree[channel] = end;
    if (m_times)
        (back ? m_times->backwardStart : m_times->forwardStart)[row + static_cast<std::size_t>(microBatch)] = start;
    Queue &to = back ? m_stages[chosen].backward : m_stages[chosen + 1].forward;
    to.arrival[to.known++] = end;
    refresh(m_channelFree.size() + chosen + (back ? 0 : 1));
    refresh(channel);
}

double Simulator::run(const std::vector<SimulatedStep> &steps, int microBatches, Schedule schedule,
                      SimulatedTimes *times) {
    const std::size_t stages = steps.size() / 2 + 1;
    const auto count = static_cast<std::size_t>(microBatches);
    m_steps = &steps;
    m_times = times;
    m_microBatches = microBatches;
    m_fillDrain = schedule == Schedule::FillDrain;
    m_stages.assign(stages, Stage{});
    m_cuts.assign(stages - 1, Cut{});
    m_arrivals.resize(4 * stages * count);
    double *space = m_arrivals.data();
    for (Stage &stage : m_stages) {
        stage.forward.arrival = space;
        stage.backward.arrival = space + count;
        space += 2 * count;
    }
    for (Cut &cut : m_cuts) {
        cut.forward.arrival = space;
        cut.backward.arrival = space + count;
        space += 2 * count;
    }
    int channels = 0;
    for (std::size_t cut = 0; cut + 1 < stages; ++cut)
        channels = std::max(channels, steps[2 * cut + 1].channel + 1);
    m_channelFree.assign(static_cast<std::size_t>(channels), 0);
    m_members.clear();
    m_firstMember.assign(1, 0);
    for (int channel = 0; channel < channels; ++channel) {
        for (std::size_t cut = 0; cut + 1 < stages; ++cut) {
            if (steps[2 * cut + 1].channel == channel)
                m_members.push_back(cut);
        }
        m_firstMember.push_back(m_members.size());
    }
    if (times) {
        times->forwardStart.assign(steps.size() * count, 0);
        times->backwardStart.assign(steps.size() * count, 0);
    }
    std::fill_n(m_stages.front().forward.arrival, count, 0.0);
    m_stages.front().forward.known = microBatches;
    m_next.resize(m_channelFree.size() + stages);
    for (std::size_t resource = 0; resource < m_next.size(); ++resource)
        refresh(resource);

    // Channels stand first: among tasks that begin at the same moment a transfer goes ahead, so that a stage sees
    // everything that arrives at no cost.
    for (;;) {
        std::size_t first = 0;
        for (std::size_t resource = 1; resource < m_next.size(); ++resource) {
            if (m_next[resource] < m_next[first])
                first = resource;
        }
        const double start = m_next[first];
        if (start == never)
            break;
        if (first < m_channelFree.size())
            runChannel(first, start);
        else
            runStage(first - m_channelFree.size(), start);
    }
    double end = 0;
    if (times)
        times->lastBackwardEnd.clear();
    for (std::size_t stage = 0; stage < stages; ++stage) {
        end = std::max(end, m_stages[stage].lastEnd + steps[2 * stage].allReduce);
        if (times)
            times->lastBackwardEnd.push_back(m_stages[stage].lastEnd);
    }
    return end;
}

}  // namespace hearth
