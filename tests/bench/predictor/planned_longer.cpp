#include "planned_longer.h"

#include "core/plan/cost_model.h"
#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/profile/declared_facts.h"

namespace hearth::bench {
namespace {

/// As a run's rounds put times right: each device by one factor, that of what it computes in the plan.
void correct(PlanningProblem &told, const PlanningProblem &real, const Plan &plan) {
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares) {
            const int device = real.indexOf(share.device);
            const auto secondsIn = [&, first = stage.firstLayer,
                                    last = stage.lastLayer](const PlanningProblem &problem) {
                const LayerSeconds all = CostModel(problem).stageSeconds(device, first, last, share.samples);
                return all.forward + all.backward;
            };
            TimeTable &times = told.times[static_cast<std::size_t>(device)];
            times = correctedBy(times, secondsIn(real) / secondsIn(told));
        }
    }
}

std::optional<double> longer(const PlanningProblem &real, const std::vector<TimeTable> &others, int corrections) {
    PlanningProblem told = real;
    told.times = others;
    PlannerOptions options;
    options.secondsLimit = 2;
    const auto best = makePlan(QStringLiteral("hearth"), real, options);
    auto chosen = makePlan(QStringLiteral("hearth"), told, options);
    for (; chosen && corrections > 0; --corrections) {
        correct(told, real, *chosen);
        chosen = makePlan(QStringLiteral("hearth"), told, options);
    }
    if (!best || !chosen)
        return std::nullopt;
    const auto judged = evaluate(real, *best), other = evaluate(real, *chosen);
    return judged && other ? std::optional(other->roundSeconds / judged->roundSeconds - 1) : std::nullopt;
}

PlanningProblem homeOf(const Model &model) {
    PlanningProblem problem;
    problem.batch = 128;
    problem.microBatch = 32;  // of four; none larger than 64 was measured
    problem.layers = declaredFacts(model, DType::Float32);
    problem.inputBytes = qint64{3} * 32 * 32;
    problem.labelBytes = 8;
    problem.links.fallback = LinkProfile::Link{125e6, 3e-4, Duplex::Full};
    return problem;
}

}  // namespace

std::vector<double> plannedLonger(const Timings &timings, const PredictedTables &others, int corrections) {
    std::vector<double> all;
    for (const auto &[network, cases] : timings.networks) {
        for (auto a = cases.begin(); a != cases.end(); ++a) {
            for (auto b = std::next(a); b != cases.end(); ++b) {
                for (auto c = std::next(b); c != cases.end(); ++c) {
                    PlanningProblem real = homeOf(timings.models.at(network));
                    std::vector<TimeTable> told;
                    for (const auto &device : {a, b, c}) {
                        real.devices.push_back({device->first, qint64{8} << 30, 0});
                        real.times.push_back(device->second.first);
                        told.push_back(others.at(network).at(device->first));
                    }
                    if (const auto more = longer(real, told, corrections))
                        all.push_back(*more);
                }
            }
        }
    }
    return all;
}

}  // namespace hearth::bench
