#include "core/train/schedule.h"

namespace hearth {
namespace {

/// Synchronous 1F1B with early backward: a ready backward first, else a ready forward while fewer than K_p
/// micro-batches are in flight (Asteroid; DAPPLE's policy PB).
class OneForwardOneBackward final : public Schedule {
  public:
    StageAction next(const StageStatus &status) const override {
        if (status.backwards == status.microBatches)
            return StageAction::Finish;
        if (status.backwardReady)
            return StageAction::Backward;
        if (status.forwards < status.microBatches && status.inFlight() < status.inFlightLimit)
            return status.forwardReady ? StageAction::Forward : StageAction::WaitForward;
        return StageAction::WaitBackward;
    }
};

/// All forward passes, then all backward passes (GPipe).
class FillDrain final : public Schedule {
  public:
    StageAction next(const StageStatus &status) const override {
        if (status.backwards == status.microBatches)
            return StageAction::Finish;
        if (status.forwards < status.microBatches)
            return status.forwardReady ? StageAction::Forward : StageAction::WaitForward;
        return status.backwardReady ? StageAction::Backward : StageAction::WaitBackward;
    }
};

}  // namespace

std::unique_ptr<Schedule> Schedule::byName(const QString &name) {
    if (name == QLatin1String("1f1b"))
        return std::make_unique<OneForwardOneBackward>();
    if (name == QLatin1String("fill-drain"))
        return std::make_unique<FillDrain>();
    return nullptr;
}

QStringList Schedule::names() {
    return {QStringLiteral("1f1b"), QStringLiteral("fill-drain")};
}

}  // namespace hearth
