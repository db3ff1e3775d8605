// The links of a problem as matrices over device indexes.
#pragma once

#include <vector>

#include "core/plan/problem.h"

namespace hearth {

/// Immutable, any thread. Rates in bytes per second.
class LinkTable {
  public:
    explicit LinkTable(const PlanningProblem &problem);

    /// 0: unreachable. Never more than the cards and the medium on the way allow.
    double bytesPerSecond(int from, int to) const { return m_rate[index(from, to)]; }
    /// Of all pairs that reach each other; 0 where none does.
    double slowest() const { return m_slowest; }
    double fastest() const { return m_fastest; }
    /// Of all links from a device, and to it.
    double slowestFrom(int device) const { return m_slowestFrom[static_cast<std::size_t>(device)]; }
    double slowestTo(int device) const { return m_slowestTo[static_cast<std::size_t>(device)]; }
    double latency(int from, int to) const { return m_latency[index(from, to)]; }
    bool halfDuplex(int from, int to) const { return m_half[index(from, to)] != 0; }
    /// What a card carries in all: its own rate, or that of its fastest pair.
    double up(int device) const { return m_up[static_cast<std::size_t>(device)]; }
    double down(int device) const { return m_down[static_cast<std::size_t>(device)]; }
    /// The device has one card, whose rate is given or that of its fastest pair, and all that it sends and receives
    /// shares it. In a home that names nothing but a default link every pair has a wire of its own, as the papers
    /// count.
    bool ownCard(int device) const { return m_ownCard[static_cast<std::size_t>(device)] != 0; }
    int medium(int device) const { return m_medium[static_cast<std::size_t>(device)]; }  // -1: none
    double mediumRate(int medium) const { return m_mediumRate[static_cast<std::size_t>(medium)]; }
    int mediumCount() const { return static_cast<int>(m_mediumRate.size()); }
    /// All pairs alike, no cards, no media: a transfer is bound by the largest share alone.
    bool uniform() const { return m_uniform; }

  private:
    std::size_t index(int from, int to) const {
        return static_cast<std::size_t>(from) * m_up.size() + static_cast<std::size_t>(to);
    }
    std::vector<double> m_rate, m_latency, m_up, m_down, m_mediumRate, m_slowestFrom, m_slowestTo;
    std::vector<char> m_half, m_ownCard;
    std::vector<int> m_medium;
    double m_slowest = 0, m_fastest = 0;
    bool m_uniform = false;
};

}  // namespace hearth
