// The event simulator: the one judge of all plans.
#pragma once

#include <vector>

#include "core/plan/plan.h"
#include "core/plan/seconds.h"

namespace hearth {

/// One step of the simulated pipeline; seconds for one micro-batch. Even steps are executions, odd ones transfers.
struct SimulatedStep {
    double forward = 0;
    double backward = 0;   // until the gradient leaves
    double allReduce = 0;  // executions
    int inFlight = 1;      // executions; at least as many as the schedule begins before any backward pass
    /// Transfers: those of one channel take turns, in both directions (half duplex, shared air). -1: each direction has
    /// a wire of its own. A direction that takes no time has nothing to send and waits for no turn. Channels count from
    /// 0 without gaps.
    int channel = -1;
    double weights = 0;      // executions: the half of a backward pass that begins when the gradient has left
    bool recompute = false;  // executions: as Schedule::rules() takes it
};

/// When every task began: [step * microBatches + microBatch].
struct SimulatedTimes {
    std::vector<double> forwardStart;
    std::vector<double> backwardStart;
    std::vector<double> weightsStart;     // of executions
    std::vector<double> lastBackwardEnd;  // by stage, gradients of weights included
    /// Of cuts, where they were played (RoundPlayer); empty: each takes what its step says.
    std::vector<double> forwardEnd, backwardEnd;
};

/// Plays one round. A stage that becomes free does what StageRules::next() says; a channel takes a waiting backward
/// first, the earliest arrival first among equals, then the earlier cut.
///
/// Ties: tasks begin in the order of their start times. At the same moment wires begin before channels, channels before
/// stages, and lower numbers before higher ones; each sees what arrived at or before that moment from tasks that began
/// earlier in this order. So the result is defined for steps that take no time as well.
///
/// Runs ahead of the clock where it can: a task whose start lies before anything that its neighbours may still send
/// begins without asking which task of the whole pipeline is the next, so whole sweeps of tasks need one look at all
/// resources. Where something takes no time at all, tasks are taken strictly one by one.
///
/// Keeps its arrays between calls and allocates only when a round is larger than any before: make one per thread and
/// use it again.
class Simulator {
  public:
    /// Seconds from the first forward to the last AllReduce; infinite where the limits let the round never end. The
    /// number of steps is odd; `times` may be null. A round that is seen to end after `giveUpAt` is abandoned: the
    /// answer is infinite then, and `times` are incomplete. One that ends at or before it is never abandoned.
    double run(const std::vector<SimulatedStep> &steps, int microBatches, Schedule schedule,
               SimulatedTimes *times = nullptr, double giveUpAt = never);

  private:
    enum Direction { Backward = 0, Forward = 1 };
    /// What a round needs of the below: each is compiled for itself, so that the usual ones pay for nothing else.
    struct Needs {
        bool shared = false;   // several cuts have one channel
        bool limited = false;  // rounds that end late are given up
        bool timed = false;    // starts are asked for
        bool defers = false;   // stages put gradients of weights off
    };

    struct Server;
    struct Resource;
    /// What a task of a server does next: its wire, if any, and the queue that it arrives in.
    struct Way {
        double seconds = 0;
        double weights = 0;  // for which the server is not free either
        double wireFree = 0;
        double wireSeconds = 0;
        double *tail = nullptr;    // of the queue, or of a spare one for what leaves the round
        Server *server = nullptr;  // to wake
        int wireStep = -1;
    };
    /// A stage, or a cut with a channel: two queues of arrivals that end with `never`, one task at a time.
    struct Server {
        Way way[2];
        const double *head[2] = {nullptr, nullptr};  // arrivals of the next tasks
        const double *returnsFrom = nullptr;         // forward head from which on backwards may begin
        Resource *resource = nullptr;
        int underWay = 0;    // forwards begun without their backward, gradients of weights included
        int unreturned = 0;  // of these, those whose gradient has not left, ...
        int ahead = 0;       // ... at most so many
        bool puts = false;   // gradients of weights off, ...
        int owed = 0;        // ... so many now
        int limit = 0;
        int step = 0;
        int shared = -1;  // the channel that several cuts share, and the place there
        int member = 0;
    };
    /// Stages and channels, as the clock sees them. Channels come first, then stages, then one that never acts.
    struct Resource {
        double next = never;  // start of its next task, as far as arrivals are known
        double back = never;  // head of its backward queue, where a backward may begin; of one server only
        double free = 0;
        double soonest = 0;   // no task begins before
        double look = never;  // the soonest that anything unknown arrives, after the start of the task that sends it
    };
    /// Who sends to a resource, and how long that takes at least.
    struct Source {
        int from = 0;
        double delay = 0;
    };
    /// A channel of several cuts: its servers, the heads of their queues and the first of these by direction, and what
    /// sends to it.
    struct Shared {
        struct First {
            double at = never;
            int member = 0;
        };
        std::vector<int> members;
        std::vector<double> heads[2];
        First first[2];
        std::vector<Source> sources;
    };
    /// What bounds the round's end, by resource.
    struct Bound {
        double remaining = 0;  // seconds of tasks that have not begun
        double tail = 0;       // least from the last task to the end of the round
    };

    void lay(const std::vector<SimulatedStep> &steps, Schedule schedule);
    void count(const std::vector<SimulatedStep> &steps);
    void layServer(int server, const SimulatedStep &step, int number, int resource);
    void layChannels(const std::vector<SimulatedStep> &steps);
    void share(int channel, int server);
    void connect(int stage, Direction direction, const std::vector<SimulatedStep> &steps);
    void send(int server, Direction direction, int to, const SimulatedStep *wire, int wireStep);
    void boundEnds(const std::vector<SimulatedStep> &steps);
    bool playAs(Needs needs);
    double *queue(int server, int direction);
    Server &stage(int index);

    template <Needs needs>
    bool play();
    template <Needs needs>
    bool sweep(double now);
    template <Needs needs>
    bool begin(int resource);
    template <Needs needs>
    bool beginWeights(Server &server, double now);
    template <Needs needs>
    void refresh(const Server &server);
    void arriveAtShared(const Server &server);
    void leaveShared(const Server &server, int direction);
    template <Needs needs>
    double soonestArrival(int resource) const;
    void note(const Server &server, int direction, double start, double sent);
    void noteWeights(const Server &server, double start);

    SimulatedTimes *m_times = nullptr;
    int m_microBatches = 0;
    double m_giveUpAt = never;
    double m_blur = 0;        // of sums of seconds
    bool m_oneByOne = false;  // something takes no time
    bool m_defers = false;    // some stage puts gradients of weights off
    int m_channels = 0;
    int m_resourceCount = 0;
    int m_sharedCount = 0;
    std::size_t m_width = 0;         // of a queue: its arrivals, then never
    std::vector<double> m_arrivals;  // by queue: 2 * server + direction
    /// In the order of resources; of a shared channel the first cut stands there, the others follow all stages.
    std::vector<Server> m_servers;
    std::vector<Resource> m_resources;
    std::vector<Source> m_sources;  // two by resource
    std::vector<int> m_cutServer;   // by cut; -1: wires
    std::vector<int> m_cutsOf;      // by channel
    std::vector<Shared> m_shared;   // m_sharedCount of them in use
    std::vector<Bound> m_bounds;
};

}  // namespace hearth
