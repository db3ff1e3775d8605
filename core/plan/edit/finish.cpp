#include "core/plan/edit/finish.h"

#include <random>

#include "core/base/at.h"
#include "core/plan/asynchronous_round.h"
#include "core/plan/cut_levels.h"
#include "core/plan/edit/balance.h"
#include "core/plan/edit/edit_change.h"
#include "core/plan/edit/settle.h"
#include "core/plan/plan_memory.h"
#include "core/plan/roomy_plan.h"
#include "core/plan/search/local_search.h"

namespace hearth {
namespace {

/// Steps of the search where the caller sets no limit.
constexpr quint64 defaultSteps = 3'000'000;
constexpr int kicks = 12;

/// Layers that stay together, or between what is locked, on the way to a plan built anew.
struct Segment {
    int firstLayer = 0;
    int lastLayer = 0;
    bool fixed = false;  // a locked stage
    std::vector<int> devices;
};

/// Plans built from nothing around the locks.
class Builder {
  public:
    Builder(const CostModel &model, const Placement &locked, const PlanLocks &locks, const LockCheck &check)
        : m_model(model), m_locked(locked), m_check(check), m_weights(model, locked.microBatch) {
        for (const StagePlacement &stage : locked.stages) {
            const bool fixed = locks.stages.contains(stage.firstLayer);
            const bool border = stage.firstLayer > 0 && locks.borders.contains(stage.firstLayer);
            if (m_segments.empty() || fixed || border || m_segments.back().fixed)
                m_segments.push_back({stage.firstLayer, stage.lastLayer, fixed, {}});
            m_segments.back().lastLayer = stage.lastLayer;
            for (const MemberShare &member : stage.group) {
                if (fixed || check.deviceLocked(member.device) || check.shareLocked(member.device))
                    m_segments.back().devices.push_back(member.device);
            }
        }
    }

    /// Gives every segment its free devices. False: there are more segments than devices.
    bool spread() {
        std::vector<int> free = freeDevices();
        for (;;) {
            Segment *neediest = nullptr;
            double most = -1;
            for (Segment &segment : m_segments) {
                if (segment.fixed)
                    continue;
                const double speed = m_weights.speed(segment.devices);
                const double work = m_weights.weight(segment.firstLayer, segment.lastLayer);
                const double load = speed > 0 ? work / speed : std::numeric_limits<double>::max();
                if (load > most) {
                    most = load;
                    neediest = &segment;
                }
            }
            if (!neediest || free.empty())
                return !neediest || !neediest->devices.empty();
            neediest->devices.push_back(free.back());
            free.pop_back();
        }
    }

    /// One stage for every segment, or one for every device as far as the layers go.
    Outline outline(bool deep) const {
        Outline result{m_locked.microBatch, {0}, {}};
        for (const Segment &segment : m_segments) {
            const int layers = segment.lastLayer - segment.firstLayer;
            const int stages = deep && !segment.fixed ? std::min(layers, static_cast<int>(segment.devices.size())) : 1;
            std::vector<std::vector<int>> groups(at(stages));
            std::vector<double> speeds(at(stages), 0);
            for (std::size_t i = 0; i < segment.devices.size(); ++i) {
                groups[i % groups.size()].push_back(segment.devices[i]);
                speeds[i % groups.size()] += m_weights.speed(segment.devices[i]);
            }
            const std::vector<int> cuts = m_weights.cuts(segment.firstLayer, segment.lastLayer, speeds);
            result.borders.insert(result.borders.end(), cuts.begin() + 1, cuts.end());
            result.groups.insert(result.groups.end(), groups.begin(), groups.end());
        }
        return result;
    }

  private:
    /// Those that nothing holds where they are, the fastest last.
    std::vector<int> freeDevices() const {
        std::vector<char> taken(at(m_model.deviceCount()), 0);
        for (const Segment &segment : m_segments) {
            for (const int device : segment.devices)
                taken[at(device)] = 1;
        }
        std::vector<int> free;
        for (int d = 0; d < m_model.deviceCount(); ++d) {
            if (!taken[at(d)] && !m_check.deviceLocked(d))
                free.push_back(d);
        }
        std::stable_sort(free.begin(), free.end(),
                         [this](int a, int b) { return m_weights.speed(a) < m_weights.speed(b); });
        return free;
    }

    const CostModel &m_model;
    const Placement &m_locked;
    const LockCheck &m_check;
    LayerWeights m_weights;
    std::vector<Segment> m_segments;
};

/// An outline as the locks see it: places without shares.
Placement placesOf(const Outline &outline) {
    Placement places{outline.microBatch, Schedule::OneForwardOneBackward, {}};
    for (int s = 0; s < outline.stages(); ++s) {
        StagePlacement stage{outline.borders[at(s)], outline.borders[at(s + 1)], {}, 1, false};
        for (const int device : outline.groups[at(s)])
            stage.group.push_back({device, 0});
        places.stages.push_back(std::move(stage));
    }
    return places;
}

/// One finishTheRest() under way.
class Finisher {
  public:
    Finisher(const CostModel &model, const Placement &locked, const PlanLocks &locks)
        : m_model(model),
          m_least(model.problem(), model.costs(), CostModel::Cuts::Least),
          m_locked(locked),
          m_locks(locks),
          m_check(model, locked, locks),
          m_judge(model, false) {}

    void offerAsItIs() { offer(m_locked); }

    void search(const PlannerOptions &options) {
        SearchClock clock(options);
        LocalSearchOptions how;
        // With local steps every device holds the whole network.
        how.allowed = [this, whole = m_model.problem().localSteps.any()](const Outline &outline) {
            return (!whole || outline.stages() == 1) && m_check.checkPlaces(placesOf(outline)).has_value();
        };
        how.mayChangeMicroBatch = !m_check.microBatchLocked() && m_locks.shares.isEmpty();
        LocalSearch search(m_least, clock, how);
        std::vector<Outline> starts{outlineOf(m_locked)};
        Builder builder(m_model, m_locked, m_locks, m_check);
        if (builder.spread()) {
            starts.push_back(builder.outline(false));
            starts.push_back(builder.outline(true));
        }
        std::optional<LocalSearch::Found> best;
        for (const Outline &start : starts) {
            if (!how.allowed(start))
                continue;
            // The search shortens rounds with an end: without one the stages that it begins with may be better.
            if (const auto built = m_model.problem().asynchronous ? search.build(start) : std::nullopt)
                offerWithLocks(*built);
            const auto found = search.improve(start);
            if (!found)
                continue;
            offerWithLocks(found->placement);
            if (!best || found->seconds < best->seconds)
                best = found;
        }
        if (!best)
            return;
        std::mt19937 random(1);
        offerWithLocks(search.improveRepeatedly(*best, kicks, random).placement);
    }

    const std::optional<Placement> &best() const { return m_best; }

  private:
    /// Judged as the job trains: an asynchronous round has no end, and limits that suit it.
    void offer(const Placement &placement) {
        const PlanningProblem &problem = m_model.problem();
        Placement own = placement;
        double seconds = 0;
        if (problem.asynchronous) {
            const auto limited = withAsynchronousLimits(m_model, planOf(problem, QString(), placement));
            if (!limited || !fitsWholly(m_model, *limited))
                return;
            own = placementOf(problem, *limited);
            seconds = limited->prediction->roundSeconds;
        } else if (m_judge.fits(own)) {
            seconds = m_judge.judge(own);
        } else {
            return;
        }
        if (!m_best || seconds < m_seconds) {
            m_best = std::move(own);
            m_seconds = seconds;
        }
    }

    /// The search shares freely and may leave slow devices out: locked ones come back, with the shares that they had.
    void offerWithLocks(Placement placement) {
        bringBack(placement);
        const int microBatches = m_model.problem().batch / placement.microBatch;
        for (StagePlacement &stage : placement.stages) {
            keepCodec(stage);
            const bool own = std::any_of(stage.group.begin(), stage.group.end(), [this](const MemberShare &member) {
                return member.samples == 0 || m_check.shareLocked(member.device);
            });
            if (!own)
                continue;
            StageRequest request{stage, {}, placement.microBatch, microBatches, placement.schedule, true};
            for (MemberShare &member : request.stage.group) {
                const bool pinned = m_check.shareLocked(member.device);
                if (pinned)
                    member.samples = m_check.lockedSamples(member.device);
                request.pinned.push_back(pinned ? 1 : 0);
            }
            auto settled = settleStage(m_model, request);
            if (!settled)
                return;
            stage = std::move(*settled);
        }
        chooseLevels(m_model, placement);
        if (m_check.check(placement))
            offer(placement);
    }

    /// A cut that stays where it was keeps how it is written, where planners may not choose.
    void keepCodec(StagePlacement &stage) const {
        for (const StagePlacement &old : m_locked.stages) {
            if (old.lastLayer == stage.lastLayer)
                stage.codec = old.codec;
        }
    }

    void bringBack(Placement &placement) const {
        std::vector<char> working(at(m_model.deviceCount()), 0);
        for (const StagePlacement &stage : placement.stages) {
            for (const MemberShare &member : stage.group)
                working[at(member.device)] = 1;
        }
        for (const StagePlacement &old : m_locked.stages) {
            for (const MemberShare &member : old.group) {
                const bool held = m_check.deviceLocked(member.device) || m_check.shareLocked(member.device) ||
                                  m_locks.stages.contains(old.firstLayer);
                if (!held || working[at(member.device)])
                    continue;
                const auto home = std::max_element(placement.stages.begin(), placement.stages.end(),
                                                   [&old](const StagePlacement &a, const StagePlacement &b) {
                                                       return common(a, old) < common(b, old);
                                                   });
                home->group.push_back({member.device, 0});
            }
        }
    }

    static int common(const StagePlacement &a, const StagePlacement &b) {
        return std::min(a.lastLayer, b.lastLayer) - std::max(a.firstLayer, b.firstLayer);
    }

    const CostModel &m_model;
    const CostModel m_least;  // cuts at their fewest bytes, to search by
    const Placement &m_locked;
    const PlanLocks &m_locks;
    LockCheck m_check;
    PlacementJudge m_judge;
    std::optional<Placement> m_best;
    double m_seconds = 0;
};

/// One search, whose plan fits with all that the model's problem counts of a device itself.
Result<Plan> finishOnce(const CostModel &model, const Plan &plan, const PlanLocks &locks,
                        const PlannerOptions &options) {
    const Placement locked = placementOf(model.problem(), plan);
    Finisher finisher(model, locked, locks);
    finisher.offerAsItIs();
    finisher.search(options);
    if (!finisher.best())
        return fail(QStringLiteral("finish.no-plan"),
                    sentence("No plan that keeps what is locked fits these devices and links."),
                    sentence("The plan as it is does not fit either."),
                    sentence("Unlock something, or send less to the device that is too small."));
    Plan finished = planOf(model.problem(), plan.planner, *finisher.best());
    finished.modelName = plan.modelName;
    finished.modelSha256 = plan.modelSha256;
    return finished;
}

}  // namespace

Result<Edited> finishTheRest(const CostModel &model, const Plan &plan, const PlanLocks &locks,
                             const PlannerOptions &options) {
    if (auto ok = checkEditable(model, plan); !ok)
        return tl::unexpected(ok.error());
    PlannerOptions limited = options;
    if (!limited.stepLimit)
        limited.stepLimit = defaultSteps;
    auto finished = planWithRoom(model.problem(), limited, [&](const PlanningProblem &problem) {
        return finishOnce(CostModel(problem, model.costs()), plan, locks, limited);
    });
    if (!finished)
        return tl::unexpected(finished.error());
    auto estimate = evaluate(model, *finished, {.simulated = false});
    if (!estimate)
        return tl::unexpected(estimate.error());
    return Edited{*std::move(finished), *std::move(estimate), {}};
}

}  // namespace hearth
