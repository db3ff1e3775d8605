// A home with something changed, for what-if questions.
#pragma once

#include "core/plan/cost_model.h"

namespace hearth {

/// Starts as the problem of a model and takes its times from it; the model must outlive it and belongs to the same
/// thread. Make a CostModel of `problem()` and this once all changes are made.
class ChangedHome final : public CostSource {
  public:
    explicit ChangedHome(const CostModel &model);

    const PlanningProblem &problem() const { return m_problem; }
    LayerSeconds seconds(int device, int layer, int samples) const override;
    double relativeError(int device, int layer, int samples) const override;
    bool same(int device, int other) const override;

    /// Indexes count in the problem as it is after the changes before.
    void multiplySpeed(int device, double factor);
    void multiplyMemory(int device, double factor);
    /// Another device with the same times, memory, card and links; between the two the links are the default ones.
    /// Returns its index.
    int addLike(int device);
    /// Not the data device.
    void remove(int device);
    /// At least that rate both ways between two devices, on a cable of their own.
    void raiseLink(int one, int other, double bytesPerSecond);
    /// At least that rate for all that a device sends and receives, as far as the others' cards allow.
    void raiseLinksOf(int device, double bytesPerSecond);
    /// At least that rate for all links, cards and media.
    void raiseAllLinks(double bytesPerSecond);

  private:
    void raisePair(const QString &from, const QString &to, double bytesPerSecond);
    void raiseCard(const QString &device, double bytesPerSecond);
    const CostModel &m_model;
    PlanningProblem m_problem;
    std::vector<int> m_origin;    // of each device: its index in the model
    std::vector<double> m_speed;  // relative to it
};

}  // namespace hearth
