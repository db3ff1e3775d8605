// One round played by every device on its own: no group moves as one, cards and media carry flows of all cuts at once.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "tests/core/plan/plain_judge.h"

namespace hearth::test {

enum class Sharing {
    Fair,    // flows that meet share a card, a medium or a pair equally (max-min)
    InOrder  // the flow that began first takes what it can
};

/// A device computes its own share as soon as its own pieces have arrived, backwards first, and passes on what it has
/// computed; it holds at most its stage's limit of micro-batches. A device with several stages prefers backwards of all
/// of them to forwards, and of two stages the later one. From one device to another all pieces travel one after the
/// other as they were computed, of whichever cut and direction. Only AllReduce waits for the whole group.
class DeviceSimulator {
  public:
    DeviceSimulator(const PlainJudge &judge, const std::vector<PlainStage> &stages, int microBatch, Sharing sharing,
                    PlainSchedule schedule = {});
    double run();

  private:
    enum Pass { Backward, Forward, Weights };  // in this order they are preferred; pieces have the first two
    struct Out {
        int seat = 0;
        int samples = 0;
    };
    /// What a device has of a stage.
    struct Seat {
        int device = 0;
        int stage = 0;
        double seconds[3] = {0, 0, 0};  // backward: until the gradient leaves
        bool putsOff = false;           // what follows at once is no pass of its own
        int ahead = 0;
        int begun[3] = {0, 0, 0};
        std::vector<int> missing[2];  // pieces, by micro-batch
        std::vector<Out> out[2];
    };
    struct Device {
        std::vector<int> seats;  // the last stage first
        double busyUntil = 0;
        double freeAgain = 0;  // after the weights' half that follows its backward pass at once
        int running = -1;      // seat
        Pass pass = Forward;
    };
    struct Flow {
        double left = 0;  // bytes
        int cut = 0;
        double rate = 0;
        double delay = 0;
        int from = 0, to = 0;
        int seat = 0;  // that it is for
        int microBatch = 0;
        Pass pass = Forward;
        int order = 0;
    };
    struct Arrival {
        double at = 0;
        int seat = 0;
        int microBatch = 0;
        Pass pass = Forward;
    };
    struct Constraint {
        double left = 1;
        std::vector<std::pair<Flow *, double>> flows;  // share of it that one byte per second takes
    };

    void addPieces(int stage);
    int seatOf(int stage, int device) const;
    Seat &seat(int index) { return m_seats[static_cast<std::size_t>(index)]; }
    const Seat &seat(int index) const { return m_seats[static_cast<std::size_t>(index)]; }
    bool mayBegin(const Seat &own, Pass pass) const;
    void startTasks();
    void finishTask(Device &device);
    void send(const Seat &from, int microBatch, Pass pass);
    void setRates();
    std::vector<Constraint> constraints(const std::vector<Flow *> &flows) const;
    double nextEvent() const;
    void advance(double to);

    const PlainJudge &m_judge;
    std::vector<PlainStage> m_stages;
    int m_count;
    Sharing m_sharing;
    bool m_isInterleaved = false;
    double m_now = 0;
    int m_flows = 0;
    std::vector<Seat> m_seats;
    std::map<int, Device> m_devices;
    std::map<std::pair<int, int>, std::deque<Flow>> m_connections;  // by devices, from and to
    std::vector<Arrival> m_arrivals;
    std::vector<double> m_stageEnd;
};

}  // namespace hearth::test
