// Bytes that a device needs for its part of a plan (Asteroid, Eq. 3).
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
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
    std::optional<int> delay = {};  // in updates, of asynchronous training; nothing: what inFlight alone tells of it
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
        const unsigned width = std::bit_floor(static_cast<unsigned>(last - first));
        const auto &row = m_rows[static_cast<std::size_t>(std::countr_zero(width))];
        return std::max(row[static_cast<std::size_t>(first)], row[static_cast<std::size_t>(last) - width]);
    }

  private:
    std::vector<std::vector<T>> m_rows;
};

/// A tensor that several layers have: a device that computes several of them holds it once.
struct TiedTensor {
    std::vector<int> layers;  // ascending
    double bytes = 0;
    bool isTrainable = true;

    int countIn(int firstLayer, int lastLayer) const;
    bool isCut(int firstLayer, int lastLayer) const {
        const int count = countIn(firstLayer, lastLayer);
        return count > 0 && count < static_cast<int>(layers.size());
    }
};

/// Needs of a stage: weights + gradients + buffers + optimizer state + K·ACT(y) + workspace + two receive buffers, and
/// the states of it that are kept beside the one at work; where a group rounds its gradients what is owed of them and
/// what is being sent, of a device alone as well, which may be one of a group in the next plan. Asynchronous training
/// keeps one more version of the weights for each update of delay, one more where weights are predicted, and where
/// every micro-batch is an update what the round began with, too. With recompute only the stage's inputs wait in
/// flight, and one micro-batch has its saved tensors. With local steps also what is kept of how the round began, and a
/// round of inputs, which may all be here before they are needed. Built once per problem in O(L log L), every answer is
/// O(1) but for tied tensors. Keeps no reference; any thread.
class MemoryModel {
  public:
    explicit MemoryModel(const PlanningProblem &problem) : MemoryModel(problem, problem.keptStates) {}
    /// With so many states kept beside the one at work, whatever the problem says.
    MemoryModel(const PlanningProblem &problem, int keptStates);

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

    /// A whole state as it is kept or moved: weights, buffers and optimizer state, tied tensors once for each layer.
    double stateBytes(int firstLayer, int lastLayer) const {
        return sum(m_parameters, firstLayer, lastLayer) + sum(m_buffers, firstLayer, lastLayer) +
               m_stateFactor * sum(m_trainable, firstLayer, lastLayer);
    }
    double trainableBytes(int firstLayer, int lastLayer) const {
        return sum(m_trainable, firstLayer, lastLayer) - repeatedBytes(firstLayer, lastLayer, true);
    }
    /// What a group of devices with these layers sums by itself: all but tied tensors that other layers have, too.
    double summedBytes(int firstLayer, int lastLayer) const;
    const std::vector<TiedTensor> &tied() const { return m_tied; }
    /// Bytes per sample that arrive at a stage: the output of the layer before, or the input.
    double arrivingBytes(int firstLayer) const { return m_arriving[static_cast<std::size_t>(firstLayer)]; }
    int minimumSamples(int firstLayer, int lastLayer) const { return m_minimum.over(firstLayer, lastLayer); }

  private:
    struct Linear {
        double fixed = 0;
        double perSample = 0;
    };
    Linear linear(const StagePlace &place) const;
    double stashedBytes(const StagePlace &place) const;
    /// Of tied tensors, counted once for each further layer.
    double repeatedBytes(int firstLayer, int lastLayer, bool trainableOnly) const;
    static double sum(const std::vector<double> &before, int first, int last) {
        return before[static_cast<std::size_t>(last)] - before[static_cast<std::size_t>(first)];
    }

    double m_stateFactor = 0;
    double m_gradientFactor = 1;  // gradients, and what else is as large
    int m_keptStates = 0;
    std::optional<Asynchrony> m_asynchronous;
    LocalStepsFacts m_localSteps;
    std::vector<double> m_parameters, m_trainable, m_buffers, m_saved;  // sums over the layers before
    std::vector<TiedTensor> m_tied;
    std::vector<double> m_arriving;
    RangeMaximum<double> m_workspace;
    RangeMaximum<int> m_minimum;
    std::vector<double> m_available, m_runtime;
};

}  // namespace hearth
