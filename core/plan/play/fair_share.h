// How flows of bytes share what they pass: cards, air, pairs of devices.
#pragma once

#include <array>
#include <vector>

namespace hearth {

/// Max-min fair rates, as long-lived TCP flows find them: all flows grow alike until something that they pass is full;
/// those that pass it stay as they are, the others grow on. Not thread-safe; keeps its arrays between calls.
class FairShare {
  public:
    /// Something that flows share. What it can carry is said by those that pass it.
    int addPlace();
    /// A flow that is never faster than `mostRate` (bytes per second, > 0).
    int addFlow(double mostRate);
    /// The flow passes the place, which would carry `bytesPerSecond` (> 0) of it alone. Five places at most.
    void pass(int flow, int place, double bytesPerSecond);

    /// Bytes per second of each flow named, all others at rest: `rates` by flow; those at rest keep what they had.
    void share(const std::vector<int> &flows, std::vector<double> *rates);

  private:
    struct Use {
        int place = 0;
        double part = 0;  // of the place that one byte per second takes
    };
    struct Flow {
        double mostRate = 0;
        std::array<Use, 5> uses;
        int useCount = 0;
    };
    struct Place {
        double left = 1;
        double wanted = 0;  // by one byte per second more of all open flows
        int open = 0;       // flows that still grow
    };

    double levelOf(const Flow &flow) const;
    void settle(const Flow &flow, double rate);

    std::vector<Flow> m_flows;
    std::vector<Place> m_places;
    std::vector<int> m_open;
};

}  // namespace hearth
