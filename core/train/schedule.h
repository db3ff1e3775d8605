// What a stage does next: pure decisions, so that other schedules join as one class each.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>

namespace hearth {

/// Where a stage stands in its round. Micro-batches are taken in order, so that gradients always add up in the same
/// order.
struct StageStatus {
    int microBatches = 0;
    int forwards = 0;            // done
    int backwards = 0;           // done
    int inFlightLimit = 1;       // K_p
    bool forwardReady = false;   // the input of micro-batch `forwards` is here
    bool backwardReady = false;  // the gradient of micro-batch `backwards` is here, and its forward pass is done

    int inFlight() const { return forwards - backwards; }
};

enum class StageAction { Forward, Backward, WaitForward, WaitBackward, Finish };

class Schedule {
  public:
    virtual ~Schedule() = default;
    virtual StageAction next(const StageStatus &status) const = 0;
    /// "1f1b" or "fill-drain"; null for anything else.
    static std::unique_ptr<Schedule> byName(const QString &name);
    static QStringList names();
};

}  // namespace hearth
