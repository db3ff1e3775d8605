// The only way by which planners read times: measured and predicted ones look the same to them.
#pragma once

#include <memory>
#include <vector>

#include "core/profile/model_profile.h"

namespace hearth {

struct LayerSeconds {
    double forward = 0;
    double backward = 0;  // both halves
    /// The half of `backward` that comes once the gradient of the input is there and nobody waits for: the gradients of
    /// the weights. 0 where halves are not known.
    double weights = 0;
};

/// Seconds of one layer on one device at a number of samples. Never falls as samples grow; 0 samples cost 0.
/// Implementations are immutable after construction and may be read from any thread.
class CostSource {
  public:
    virtual ~CostSource() = default;
    /// `device` and `layer` are indexes of the planning problem.
    virtual LayerSeconds seconds(int device, int layer, int samples) const = 0;
    /// How far off that may well be, relative; 0: it was measured.
    virtual double relativeError(int device, int layer, int samples) const = 0;
    /// Whether two devices take the same for every layer and every number of samples.
    virtual bool same(int device, int other) const = 0;
};

/// Tables, measured or predicted: running maximum over batch sizes (of each half of a backward pass), linear between
/// them, the last slope outside.
class MeasuredCosts final : public CostSource {
  public:
    /// One valid table per device, all complete and with the same layers.
    explicit MeasuredCosts(std::vector<TimeTable> tables);
    LayerSeconds seconds(int device, int layer, int samples) const override;
    double relativeError(int device, int layer, int samples) const override;
    bool same(int device, int other) const override;

  private:
    std::vector<TimeTable> m_tables;  // `backward` without `weights`
};

}  // namespace hearth
