// A round as the devices of a home play it, each acting for itself: what the event simulator simplifies.
#pragma once

#include <vector>

#include "core/plan/play/fair_share.h"
#include "core/plan/steps.h"

namespace hearth {

/// The simulator lets a group begin and end each task as one, and gives every cut its links alone. Here a device
/// computes its own share as soon as its own pieces have arrived, backwards first, and passes each on at once; pieces
/// of two devices travel one after the other; all that moves at one moment shares cards, air and pairs fairly. Only
/// AllReduce waits for the whole group.
///
/// Three to a hundred times the work of the simulator, so it checks a plan that was found; it does not search. One use,
/// one thread. The model must outlive it.
class RoundPlayer {
  public:
    explicit RoundPlayer(const CostModel &model);

    /// A pipeline that plays so many micro-batches in the round. All of them play at once and share the home's links;
    /// no device is in two. What must talk can reach each other.
    void add(const Placement &pipeline, int microBatches);

    /// Computations and transfers to play: what play() costs, at a fifth of a microsecond each.
    qint64 taskCount() const;

    /// Seconds from the first forward to the last AllReduce; infinite where limits let the round never end.
    double play();

  private:
    enum Direction { Backward, Forward };
    struct Device {
        double seconds[2] = {0, 0};  // backward: until the gradient leaves
        double weightSeconds = 0;    // the other half
        int begun[2] = {0, 0};
        int finished[2] = {0, 0};
        int weightGradients = 0;         // begun
        std::vector<int> in[2], out[2];  // connections
        StageRules rules;
        bool last = false;  // stage of its pipeline
        bool busy = false;
        StageTask task = StageTask::Forward;
        double lastEnd = 0;
    };
    /// Pieces of every micro-batch, from one device to another, in one direction of the pipeline.
    struct Connection {
        int from = 0, to = 0;  // places in m_devices
        Direction direction = Forward;
        double bytes = 0;  // of one piece; 0: nothing to send
        double latency = 0;
        int flow = -1;
        int sent = 0;
        int arrived = 0;
        double left = 0;  // bytes of the piece under way

        bool isThrough() const;
    };
    struct Event {
        double at = 0;
        int order = 0;  // ties: as they were planned
        bool arrival = false;
        int index = 0;  // device or connection
        bool operator>(const Event &other) const { return at != other.at ? at > other.at : order > other.order; }
    };
    struct Card {
        int out = -1, in = -1;  // places; the same where it is half duplex
    };
    struct Stage {
        std::vector<int> members;
        double allReduce = 0;
    };

    void addMembers(const StagePlacement &stage, const CutCodec &codecBefore, int toEnd, int microBatches,
                    Schedule schedule);
    void connect(const StagePlacement &from, const StagePlacement &to);
    void plugIn(int device);
    void addConnection(int from, int to, Direction direction, const CutTraffic::Way &way, int samples);

    int ready(const Device &device, Direction direction) const;
    StageTask nextOf(const Device &device) const;
    void startTasks();
    void finishTask(int device);
    void startPiece(int connection);
    void arrive(int connection);
    void plan(double time, bool arrival, int index);
    void handleEvents();
    void advance(double seconds);
    double untilNextPiece() const;

    const CostModel &m_model;
    FairShare m_links;
    std::vector<Card> m_cards;       // by device of the problem
    std::vector<int> m_air;          // places, by medium
    std::vector<int> m_devicePlace;  // by device of the problem; -1: not in the plan
    std::vector<Device> m_devices;
    std::vector<Connection> m_connections;
    std::vector<Stage> m_stages;

    double m_now = 0;
    int m_order = 0;
    std::vector<Event> m_events;  // a heap
    std::vector<int> m_touched;   // devices that may begin a task
    std::vector<int> m_moving;    // connections with a piece under way
    std::vector<int> m_flowsMoving;
    std::vector<double> m_rates;  // by flow
    std::vector<int> m_arrived;
    bool m_moved = false;  // pieces began or ended since rates were shared
};

}  // namespace hearth
