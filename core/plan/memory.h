// Bytes that a device needs for its part of a plan (Asteroid, Eq. 3).
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "core/plan/problem.h"

namespace hearth {

/// Where in a plan a device sits; `samples` of each micro-batch are its own.
struct StagePlace {
    int firstLayer = 0;
    int lastLayer = 0;
    int samples = 0;
    int inFlight = 1;  // capped by the number of micro-batches
    bool recompute = false;
};

/// Answers the largest value of a range in O(1).
template <class T>
class RangeMaximum {
  public:
    RangeMaximum() = default;
    explicit RangeMaximum(std::vector<T> values) {
        m_rows.push_back(std::move(values));
        for (std::size_t width = 1; 2 * width <= m_rows[0].size(); width *= 2) {
            const std::vector<T> &below = m_rows.back();
            std::vector<T> row(m_rows[0].size() - 2 * width + 1);
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] = std::max(below[i], below[i + width]);
            m_rows.push_back(std::move(row));
        }
    }
    /// Over [first, last), not empty.
    T over(int first, int last) const {
        const auto count = static_cast<unsigned>(last - first);
        const auto level = static_cast<std::size_t>(std::bit_width(count) - 1);
        const auto &row = m_rows[level];
        return std::max(row[static_cast<std::size_t>(first)],
                        row[static_cast<std::size_t>(last) - (std::size_t{1} << level)]);
    }

  private:
    std::vector<std::vector<T>> m_rows;
};

/// Needs of a stage: weights + gradients + buffers + optimizer state + K·ACT(y) + workspace + two receive buffers, and
/// the states that are kept beside the one at work. With recompute only the stage's inputs wait in flight, and one
/// micro-batch has its saved tensors. Built once per problem in O(L log L), every answer is O(1). Keeps no reference;
/// any thread.
class MemoryModel {
  public:
    explicit MemoryModel(const PlanningProblem &problem);

    double stageBytes(const StagePlace &place) const;               // without the runtime
    double deviceBytes(int device, const StagePlace &place) const;  // with it
    double availableBytes(int device) const { return m_available[static_cast<std::size_t>(device)]; }
    bool fits(int device, const StagePlace &place) const {
        return deviceBytes(device, place) <= availableBytes(device);
    }
    /// The largest share in 0..limit that fits there (0: not one sample does).
    int largestShare(int device, const StagePlace &place, int limit) const;
    /// The most micro-batches under way in 0..limit that fit there with that share (0: not one does).
    int mostInFlight(int device, const StagePlace &place, int limit) const;

    double trainableBytes(int firstLayer, int lastLayer) const { return sum(m_trainable, firstLayer, lastLayer); }
    /// Bytes per sample that arrive at a stage: the output of the layer before, or the input.
    double arrivingBytes(int firstLayer) const { return m_arriving[static_cast<std::size_t>(firstLayer)]; }
    int minimumSamples(int firstLayer, int lastLayer) const { return m_minimum.over(firstLayer, lastLayer); }

  private:
    struct Linear {
        double fixed = 0;
        double perSample = 0;
    };
    Linear linear(const StagePlace &place) const;
    static double sum(const std::vector<double> &before, int first, int last) {
        return before[static_cast<std::size_t>(last)] - before[static_cast<std::size_t>(first)];
    }

    double m_stateFactor = 0;
    int m_keptStates = 0;
    std::vector<double> m_parameters, m_trainable, m_buffers, m_saved;  // sums over the layers before
    std::vector<double> m_arriving;
    RangeMaximum<double> m_workspace;
    RangeMaximum<int> m_minimum;
    std::vector<double> m_available, m_runtime;
};

}  // namespace hearth
