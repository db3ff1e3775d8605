// What a person has fixed in a plan, and whether another plan keeps to it.
#pragma once

#include <QSet>
#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/plan/steps.h"

namespace hearth {

/// Plain value, any thread. Names places by layers and devices, so that it means the same after stages came or went. A
/// lock of something that the plan does not have binds nothing.
struct PlanLocks {
    QSet<int> borders;      // by the layer behind it: a stage begins there
    QSet<int> stages;       // by first layer: the stage keeps its layers and its devices
    QSet<QString> devices;  // stays in its stage (which may get other layers), or at rest
    QSet<QString> shares;   // by device: as many samples of each micro-batch as now
    bool microBatch = false;

    bool isEmpty() const {
        return borders.isEmpty() && stages.isEmpty() && devices.isEmpty() && shares.isEmpty() && !microBatch;
    }
    bool operator==(const PlanLocks &) const = default;
};

/// The locks of one plan, ready to be asked often. Keeps a reference to the problem; any thread.
class LockCheck {
  public:
    LockCheck(const CostModel &model, const Placement &locked, const PlanLocks &locks);

    bool microBatchLocked() const { return m_microBatch > 0; }
    bool deviceLocked(int device) const { return m_devices[static_cast<std::size_t>(device)].locked; }
    bool shareLocked(int device) const { return m_devices[static_cast<std::size_t>(device)].shareLocked; }
    /// Samples that the device has in the locked plan; 0 at rest.
    int lockedSamples(int device) const { return m_devices[static_cast<std::size_t>(device)].samples; }

    /// Whether the borders, stages and devices are where the locks want them, and all whose share is locked work. The
    /// error names the first that is not.
    Result<void> checkPlaces(const Placement &placement) const;
    /// checkPlaces(), and the shares.
    Result<void> check(const Placement &placement) const;

  private:
    struct Seat {
        bool locked = false;
        bool shareLocked = false;
        int samples = 0;
        int firstLayer = -1;  // of its stage; -1: at rest
        int lastLayer = -1;
    };
    struct LockedStage {
        int firstLayer = 0;
        int lastLayer = 0;
        std::vector<int> devices;  // ascending
    };
    Sentence layerName(int layer) const;
    const QString &id(int device) const { return m_problem.devices[static_cast<std::size_t>(device)].id; }

    const PlanningProblem &m_problem;
    bool m_any = false;
    int m_microBatch = 0;  // 0: free
    std::vector<int> m_borders;
    std::vector<LockedStage> m_stages;
    std::vector<Seat> m_devices;
};

}  // namespace hearth
