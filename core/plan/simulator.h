// The event simulator: the one judge of all plans (algorithms.md §11).
#pragma once

#include <vector>

#include "core/plan/plan.h"

namespace hearth {

/// One step of the simulated pipeline; seconds for one micro-batch. Even steps are executions, odd ones transfers.
struct SimulatedStep {
    double forward = 0;
    double backward = 0;
    double allReduce = 0;  // executions
    int inFlight = 1;      // executions
    /// Transfers: those of one channel take turns, in both directions (half duplex, shared air). -1: each direction has
    /// a wire of its own. Channels count from 0 without gaps.
    int channel = -1;
};

/// When every task began: [step * microBatches + microBatch].
struct SimulatedTimes {
    std::vector<double> forwardStart;
    std::vector<double> backwardStart;
    std::vector<double> lastBackwardEnd;  // by stage
};

/// Plays one round. A resource that becomes free takes a waiting backward first, else a waiting forward while fewer
/// than inFlight micro-batches of the stage are between the start of their forward and the end of their backward; the
/// earliest first among equals. Keeps its arrays between calls: make one per thread and use it again.
class Simulator {
  public:
    /// Seconds from the first forward to the last AllReduce. The number of steps is odd; `times` may be null.
    double run(const std::vector<SimulatedStep> &steps, int microBatches, Schedule schedule,
               SimulatedTimes *times = nullptr);

  private:
    /// An implicit FIFO: tasks begin in order of micro-batch, arrivals are known for the first `known` of them.
    struct Queue {
        double *arrival = nullptr;
        int known = 0;
        int begun = 0;
        double head() const;
    };
    struct Stage {
        Queue forward, backward;
        double free = 0;
        double lastEnd = 0;
    };
    struct Cut {
        Queue forward, backward;  // used with a channel only
        double forwardFree = 0, backwardFree = 0;
    };
    double nextOfStage(std::size_t stage) const;
    double nextOfChannel(std::size_t channel) const;
    void refresh(std::size_t resource);
    void runStage(std::size_t stage, double start);
    void runChannel(std::size_t channel, double start);
    void sendForward(std::size_t cut, int microBatch, double at);
    void sendBackward(std::size_t cut, int microBatch, double at);

    const std::vector<SimulatedStep> *m_steps = nullptr;
    SimulatedTimes *m_times = nullptr;
    int m_microBatches = 0;
    bool m_fillDrain = false;
    std::vector<Stage> m_stages;
    std::vector<Cut> m_cuts;
    std::vector<double> m_channelFree;
    std::vector<std::size_t> m_members;      // cuts, by channel
    std::vector<std::size_t> m_firstMember;  // of every channel, and the end
    std::vector<double> m_arrivals;
    std::vector<double> m_next;  // earliest start by resource: channels, then stages
};

}  // namespace hearth
