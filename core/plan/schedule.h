// What a stage does next: one rule for the simulator, the player and the workers.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

namespace hearth {

/// What a stage can do with the device that computes it. The backward pass of a micro-batch has two halves: the
/// gradient of the stage's input, which travels on, and the gradients of its weights, for which nobody waits (Zero
/// Bubble Pipeline Parallelism, Qi et al. 2023).
enum class StageTask { Forward, BackwardInput, BackwardWeights, Update, WaitForward, WaitBackward };

/// Where a stage stands in its round. Micro-batches are taken in order, so that gradients always add up in the same
/// order. Counts are of tasks that have begun; a stage that asks what is next has ended them all.
struct StageStatus {
    int forwards = 0;
    int inputGradients = 0;
    int weightGradients = 0;
    bool forwardReady = false;   // the input of micro-batch `forwards` is here
    bool backwardReady = false;  // the gradient of micro-batch `inputGradients` is here, and its forward pass is done

    /// Micro-batches whose forward pass began and whose backward pass has not ended.
    int inFlight() const { return forwards - weightGradients; }
};

/// A schedule as one stage follows it in one round: all that schedules differ in. Plain value, any thread.
struct StageRules {
    int microBatches = 1;
    int inFlight = 1;       // at most
    int forwardsFirst = 0;  // forward passes that begin before any backward pass

    /// The weights' half of a backward pass follows its other half at once; a ready backward pass comes before a ready
    /// forward pass; the update comes once, after all of them.
    StageTask next(const StageStatus &status) const;
};

/// The name that plans give to a rule. Plain value, any thread.
class Schedule {
  public:
    /// "1f1b": backward passes as early as they can be, K_p micro-batches in flight at most (Asteroid; DAPPLE's policy
    /// PB).
    static const Schedule OneForwardOneBackward;
    /// "fill-drain": all forward passes, then all backward passes (GPipe).
    static const Schedule FillDrain;

    /// Nothing for a name that is none of names().
    static std::optional<Schedule> byName(const QString &name);
    static QStringList names();

    QString name() const;
    /// Whether a plan's limits on what is in flight count; else all micro-batches are.
    bool hasLimits() const { return m_kind == Kind::OneForwardOneBackward; }
    /// Of a stage that the plan allows `inFlight` micro-batches.
    StageRules rules(int inFlight, int microBatches) const;

    bool operator==(const Schedule &) const = default;

  private:
    enum class Kind { OneForwardOneBackward, FillDrain };
    constexpr explicit Schedule(Kind kind) : m_kind(kind) {}

    Kind m_kind;
};

inline constexpr Schedule Schedule::OneForwardOneBackward{Kind::OneForwardOneBackward};
inline constexpr Schedule Schedule::FillDrain{Kind::FillDrain};

}  // namespace hearth
