// What a stage does next: one rule for the simulator, the player and the workers.
#pragma once

#include <QString>
#include <QStringList>
#include <algorithm>
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
    int ahead = 1;          // forward passes that began and whose gradient has not left, at most
    /// The weights' half of a backward pass waits until nothing else can be done; else it follows its other half at
    /// once.
    bool defersWeights = false;

    /// A ready backward pass comes before a ready forward pass; the update comes once, after all of them.
    StageTask next(const StageStatus &status) const;
};

/// Where a device has several stages it does of their next tasks the one that others wait for most: gradients first, as
/// in one stage, then forward passes, and what was put off last. Of two alike the later stage's comes first: it is
/// nearer to the round's middle, and sooner frees what is in flight. Lower comes first; nothing that can be done now.
std::optional<int> urgencyOf(StageTask task, const StageRules &rules);
constexpr int leastUrgent = 3;

/// The name that plans give to a rule. Plain value, any thread.
class Schedule {
  public:
    /// "1f1b": backward passes as early as they can be, K_p micro-batches in flight at most (Asteroid; DAPPLE's policy
    /// PB).
    static const Schedule OneForwardOneBackward;
    /// "zero-bubble": as 1f1b, but gradients of weights fill what would be waiting (ZB-H1, Qi et al. 2023, without its
    /// fixed order, so that it suits unequal stages). How many are put off is bounded by the micro-batches in flight,
    /// of which one is until its weights have their gradient. So that no forward pass is in the way when a gradient
    /// comes, stages are as far ahead as in 1f1b at most. The sums are the same, bit by bit: every tensor's gradients
    /// are added in the order of micro-batches.
    static const Schedule ZeroBubble;
    /// "zero-bubble-eager": the same with forward passes as early as they can be, for slow links.
    static const Schedule ZeroBubbleEager;
    /// "fill-drain": all forward passes, then all backward passes (GPipe).
    static const Schedule FillDrain;

    /// Nothing for a name that is none of names().
    static std::optional<Schedule> byName(const QString &name);
    static QStringList names();

    QString name() const;
    /// Whether a plan's limits on what is in flight count; else all micro-batches are.
    bool hasLimits() const { return m_kind != Kind::FillDrain; }
    bool putsOffWeights() const { return m_kind == Kind::ZeroBubble || m_kind == Kind::ZeroBubbleEager; }
    /// Micro-batches that a stage holds at most which the plan allows so many.
    int mostInFlight(int inFlight, int microBatches) const {
        return hasLimits() ? std::min(inFlight, microBatches) : microBatches;
    }
    /// A stage as a plan has it. One that recomputes puts no weights off: those passes would hold what it spares.
    struct Stage {
        int inFlight = 1;
        int toEnd = 1;  // stages from this one on
        bool recompute = false;
    };
    StageRules rules(const Stage &stage, int microBatches) const;

    bool operator==(const Schedule &) const = default;

  private:
    enum class Kind { OneForwardOneBackward, ZeroBubble, ZeroBubbleEager, FillDrain };
    constexpr explicit Schedule(Kind kind) : m_kind(kind) {}

    Kind m_kind;
};

inline constexpr Schedule Schedule::OneForwardOneBackward{Kind::OneForwardOneBackward};
inline constexpr Schedule Schedule::ZeroBubble{Kind::ZeroBubble};
inline constexpr Schedule Schedule::ZeroBubbleEager{Kind::ZeroBubbleEager};
inline constexpr Schedule Schedule::FillDrain{Kind::FillDrain};

}  // namespace hearth
