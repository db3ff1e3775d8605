// A round as the devices of a home play it, each acting for itself: what the event simulator simplifies.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/plan/play/fair_share.h"
#include "core/plan/steps.h"

namespace hearth {

/// The simulator lets a group begin and end each task as one, and gives every cut its links alone. Here a device
/// computes its own share as soon as its own pieces have arrived, backwards first, and passes each on at once. Only
/// AllReduce waits for the whole group. A device with several stages does their tasks one at a time (urgencyOf()).
///
/// All that a device sends another one travels piece by piece, in the order in which the passes that computed it ended,
/// whatever the cut, and gradients among activations: two workers have one connection for tensors (PeerLinks), where
/// all tensors are of one class and each is sent to its end (StreamChannel). Only pieces of different pairs, and those
/// of the two ways of a pair, move at one moment; they share cards, air and half duplex pairs fairly, as TCP does. What
/// is compressed, or copied from a card, before it is sent may be overtaken by another stage's; that is left out here.
///
/// Three to a hundred times the work of the simulator, so it checks a plan that was found; it does not search. One use,
/// one thread. The model must outlive it.
class RoundPlayer {
  public:
    explicit RoundPlayer(const CostModel &model);

    /// A pipeline that plays so many micro-batches in the round. All of them play at once and share the home's links;
    /// no device is in two of them. What must talk can reach each other.
    void add(const Placement &pipeline, int microBatches);

    /// Computations and transfers to play: what play() costs, at a fifth of a microsecond each.
    qint64 taskCount() const;

    /// Seconds from the first forward to the last AllReduce; infinite where limits let the round never end.
    double play();
    /// The same of one pipeline whose stages are of one device each, with the times of all that was played.
    double play(SimulatedTimes *times);

  private:
    enum Direction { Backward, Forward };
    /// What a device does for one stage.
    struct Seat {
        int device = 0;  // of the problem
        int stage = 0;
        double seconds[2] = {0, 0};  // backward: until the gradient leaves
        double weightSeconds = 0;    // the other half
        int begun[2] = {0, 0};
        int finished[2] = {0, 0};
        int weightGradients = 0;         // begun
        std::vector<int> in[2], out[2];  // connections
        StageRules rules;
        bool last = false;                    // stage of its pipeline
        StageTask task = StageTask::Forward;  // under way, or the last one
        double lastEnd = 0;
    };
    /// Pieces of every micro-batch, from one seat to another, in one direction of the pipeline.
    struct Connection {
        int from = 0, to = 0;  // seats
        int cut = 0;           // as stages are numbered
        Direction direction = Forward;
        double bytes = 0;  // of one piece; 0: nothing to send
        double latency = 0;
        int flow = -1;
        int queue = -1;
        int sent = 0;
        int arrived = 0;
        double left = 0;  // bytes of the piece under way

        bool isThrough() const;
    };
    /// What a device sends another one, of all its stages.
    struct Queue {
        std::vector<int> posted;  // connections, one for each piece
        std::size_t sent = 0;     // of these; the next one is under way
    };
    struct Event {
        double at = 0;
        int order = 0;  // ties: as they were planned
        bool arrival = false;
        int index = 0;  // seat or connection
        bool operator>(const Event &other) const { return at != other.at ? at > other.at : order > other.order; }
    };
    struct Card {
        int out = -1, in = -1;  // places; the same where it is half duplex
    };
    struct Stage {
        std::vector<int> members;  // seats
        double allReduce = 0;
    };

    void addMembers(const Placement &pipeline, std::size_t s, int microBatches);
    void connect(const StagePlacement &from, const StagePlacement &to, int cut);
    void plugIn(int device);
    void addConnection(int from, int to, Direction direction, const CutTraffic::Way &way, int samples, int cut);

    int ready(const Seat &seat, Direction direction) const;
    StageTask nextOf(const Seat &seat) const;
    int chosenSeat(int device) const;
    void startTasks();
    void startTask(int seat);
    void finishTask(int seat);
    using Times = std::vector<double> SimulatedTimes::*;
    void noteTransfer(int connection, Times forward, Times backward, int microBatch);
    void post(int connection);
    void startPiece(int connection);
    void arrive(int connection);
    void plan(double time, bool arrival, int index);
    void handleEvents();
    void advance(double seconds);
    double untilNextPiece() const;

    const CostModel &m_model;
    FairShare m_links;
    std::vector<Card> m_cards;                // by device of the problem, as are ...
    std::vector<int> m_air;                   // places, by medium
    std::vector<std::vector<int>> m_seatsOf;  // ... these, in the order of stages ...
    /// By devices, from and to.
    std::map<std::pair<int, int>, int> m_queueOf;
    /// Places of half duplex pairs, by devices, where both ways may carry several cuts: of interleaved plans alone.
    std::map<std::pair<int, int>, int> m_pairs;
    bool m_sharesPairs = false;
    std::vector<bool> m_isBusy;  // ... and this
    std::vector<Seat> m_seats;
    std::vector<Connection> m_connections;
    std::vector<Queue> m_queues;
    std::vector<Stage> m_stages;

    double m_now = 0;
    int m_order = 0;
    std::vector<Event> m_events;  // a heap
    std::vector<int> m_touched;   // seats that may begin a task
    std::vector<int> m_moving;    // connections with a piece under way
    std::vector<int> m_flowsMoving;
    std::vector<double> m_rates;  // by flow
    std::vector<int> m_arrived;
    bool m_moved = false;  // pieces began or ended since rates were shared
    SimulatedTimes *m_times = nullptr;
};

/// Of the round of a plan of stages that is valid for the problem. `times` may be null; else every stage must be of one
/// device.
double playedSeconds(const CostModel &model, const Plan &plan, SimulatedTimes *times);

}  // namespace hearth
