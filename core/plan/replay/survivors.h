// A planning problem without some of its devices.
#pragma once

#include <QSet>
#include <vector>

#include "core/plan/cost_model.h"

namespace hearth {

/// Devices that are left, their times and links. The data device stays named even when it is lost, which validate()
/// then reports.
PlanningProblem problemWithout(const PlanningProblem &problem, const QSet<QString> &lost);

/// Times of the devices that are left, by their new indexes. Keeps a reference to the source.
class SurvivorCosts final : public CostSource {
  public:
    SurvivorCosts(const CostModel &model, const QSet<QString> &lost);
    LayerSeconds seconds(int device, int layer, int samples) const override {
        return m_costs.seconds(original(device), layer, samples);
    }
    double relativeError(int device, int layer, int samples) const override {
        return m_costs.relativeError(original(device), layer, samples);
    }
    bool same(int device, int other) const override { return m_costs.same(original(device), original(other)); }

  private:
    int original(int device) const { return m_original[static_cast<std::size_t>(device)]; }
    const CostSource &m_costs;
    std::vector<int> m_original;
};

}  // namespace hearth
