// One round played by every device on its own: no group moves as one, cards and media carry flows of all cuts at once.
#pragma once

#include <deque>
#include <map>
#include <set>

#include "tests/core/plan/plain_judge.h"

namespace hearth::test {

enum class Sharing {
    Fair,    // flows that meet share a card, a medium or a pair equally (max-min)
    InOrder  // the flow that began first takes what it can
};

/// A device computes its own share as soon as its own pieces have arrived, backwards first, and passes on what it has
/// computed; it holds at most its stage's limit of micro-batches. Between two devices pieces travel one after the
/// other. Only AllReduce waits for the whole group.
class DeviceSimulator {
  public:
    DeviceSimulator(const PlainJudge &judge, const std::vector<PlainStage> &stages, int microBatch, Sharing sharing);
    double run();

  private:
    enum Direction { Backward, Forward };
    struct Device {
        int stage = 0;
        double seconds[2] = {0, 0};  // backward: until the gradient leaves
        double weights = 0;          // after that
        int begun[2] = {0, 0};
        std::vector<int> missing[2];  // pieces, by micro-batch
        double busyUntil = 0;
        double freeAgain = 0;  // after the last backward pass
        int running = -1;      // direction
    };
    struct Flow {
        double left = 0;  // bytes
        int cut = 0;
        double rate = 0;
        double delay = 0;
        int from = 0, to = 0;
        int microBatch = 0;
        Direction direction = Forward;
        int order = 0;
    };
    struct Arrival {
        double at = 0;
        int device = 0;
        int microBatch = 0;
        Direction direction = Forward;
    };
    struct Constraint {
        double left = 1;
        std::vector<std::pair<Flow *, double>> flows;  // share of it that one byte per second takes
    };

    void addPieces(int stage);
    void startTasks();
    void finishTask(int device);
    void send(int device, int microBatch, Direction direction);
    void setRates();
    std::vector<Constraint> constraints(const std::vector<Flow *> &flows) const;
    double nextEvent() const;
    void advance(double to);

    const PlainJudge &m_judge;
    std::vector<PlainStage> m_stages;
    int m_count;
    Sharing m_sharing;
    double m_now = 0;
    int m_flows = 0;
    std::map<int, Device> m_devices;
    std::map<std::pair<int, int>, std::deque<Flow>> m_connections;
    std::vector<Arrival> m_arrivals;
    std::map<int, std::vector<PlainJudge::Piece>> m_out[2];  // by device
    std::vector<double> m_stageEnd;
};

}  // namespace hearth::test
