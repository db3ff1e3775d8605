// Milliseconds of every edit of a large plan, what they are of judging the plan from nothing, and of planning a
// recovery.
#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <functional>

#include "core/plan/edit/finish.h"
#include "core/plan/replay/replay.h"
#include "tests/core/plan/random_plan.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

constexpr int layers = 200;
constexpr int devices = 64;
constexpr int runs = 400;

double millisecondsOf(const std::function<void()> &work) {
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

struct Percentiles {
    double median = 0;
    double p99 = 0;
};

Percentiles percentiles(std::vector<double> samples) {
    if (samples.empty())
        return {};
    std::sort(samples.begin(), samples.end());
    return {samples[samples.size() / 2], samples[samples.size() * 99 / 100]};
}

using Edit = std::function<Result<Edited>(std::mt19937 &, const PlanEditor &, const Plan &)>;

int anyStage(std::mt19937 &random, const Plan &plan, int less = 0) {
    return test::below(random, std::max(1, static_cast<int>(plan.stages.size()) - less));
}

QString anyDevice(std::mt19937 &random) {
    return QStringLiteral("dev%1").arg(test::below(random, devices));
}

std::vector<std::pair<const char *, Edit>> edits() {
    return {
        {"border",
         [](std::mt19937 &random, const PlanEditor &editor, const Plan &plan) {
             const int stage = anyStage(random, plan, 1);
             const int first = plan.stages[static_cast<std::size_t>(stage)].firstLayer;
             const int last = plan.stages[static_cast<std::size_t>(stage) + 1].lastLayer;
             return editor.moveBorder(plan, stage, first + 1 + test::below(random, last - first - 1));
         }},
        {"device", [](std::mt19937 &random, const PlanEditor &editor,
                      const Plan &plan) { return editor.moveDevice(plan, anyDevice(random), anyStage(random, plan)); }},
        {"new stage",
         [](std::mt19937 &random, const PlanEditor &editor, const Plan &plan) {
             return editor.insertStage(plan, anyDevice(random), anyStage(random, plan));
         }},
        {"merge", [](std::mt19937 &random, const PlanEditor &editor,
                     const Plan &plan) { return editor.mergeStages(plan, anyStage(random, plan, 1)); }},
        {"shares",
         [](std::mt19937 &random, const PlanEditor &editor, const Plan &plan) {
             const int stage = anyStage(random, plan);
             std::vector<Share> shares = plan.stages[static_cast<std::size_t>(stage)].shares;
             --shares.front().samples;
             ++shares.back().samples;
             return editor.setShares(plan, stage, shares);
         }},
        {"in-flight limit",
         [](std::mt19937 &random, const PlanEditor &editor, const Plan &plan) {
             return editor.setInFlight(plan, anyStage(random, plan), 1 + test::below(random, plan.microBatches()));
         }},
        {"micro-batch", [](std::mt19937 &random, const PlanEditor &editor,
                           const Plan &plan) { return editor.setMicroBatch(plan, 64 << test::below(random, 3)); }},
    };
}

/// What recovery from the loss of one device takes to plan.
void measureReplay(const CostModel &model, const Plan &plan) {
    ReplayRequest request;
    request.copies = defaultCopies(model, plan);
    std::vector<double> samples;
    for (int i = 0; i < 5; ++i) {
        request.lost = {plan.stages[static_cast<std::size_t>(i) * plan.stages.size() / 5].shares[0].device};
        const auto replay = lightweightReplay(model, plan, request);
        if (replay)
            samples.push_back(1e3 * replay->seconds.plan);
    }
    const Percentiles all = percentiles(samples);
    std::printf("  lightweight replay of one loss: median %.1f ms, slowest %.1f ms\n", all.median, all.p99);
}

/// What planning around one locked border takes.
void measureFinish(const CostModel &model, const Plan &plan) {
    PlanLocks locks;
    locks.borders.insert(plan.stages[plan.stages.size() / 2].firstLayer);
    Result<Edited> finished = fail(QString(), QString());
    const double milliseconds = millisecondsOf([&] { finished = finishTheRest(model, plan, locks); });
    const auto before = evaluate(model, plan);
    const auto after = finished ? evaluate(model, finished->plan) : Result<Prediction>(before);
    std::printf("  finish the rest: %.0f ms, round %.3f s instead of %.3f s\n", milliseconds, after->roundSeconds,
                before->roundSeconds);
}

void measure(const char *name, const PlanningProblem &problem, int stages) {
    const CostModel model(problem);
    const PlanEditor editor(model);
    Placement placement{64, Schedule::OneForwardOneBackward, {}};
    for (int s = 0; s < stages; ++s) {
        StagePlacement stage{s * layers / stages, (s + 1) * layers / stages, {}, 2 * (stages - s) - 1, false};
        for (int d = s; d < devices; d += stages)
            stage.group.push_back({d, 0});
        auto settled = settleStage(model, {stage, {}, 64, problem.batch / 64, placement.schedule, true});
        if (!settled)
            return;
        placement.stages.push_back(std::move(*settled));
    }
    const Plan plan = planOf(problem, QStringLiteral("bench"), placement);
    std::printf("%s: %d layers, %d devices, %d stages, %d micro-batches\n", name, layers, devices, stages,
                plan.microBatches());
    std::vector<double> scratch;
    for (int i = 0; i < 20; ++i) {
        scratch.push_back(millisecondsOf([&] {
            const auto judged = evaluate(problem, plan);
            if (!judged)
                std::printf("%s\n", qPrintable(judged.error().toString()));
        }));
    }
    const double whole = percentiles(scratch).median;
    std::printf("  judged from nothing: %.2f ms\n", whole);
    std::printf("  %-16s %8s %8s   %8s %8s   %9s %8s\n", "edit", "median", "p99", "+ simul.", "p99", "/ nothing",
                "accepted");
    std::mt19937 random(3);
    for (const auto &[kind, edit] : edits()) {
        if (stages == 1 &&
            (QLatin1String(kind) == QLatin1String("border") || QLatin1String(kind) == QLatin1String("merge")))
            continue;
        std::vector<double> closed, simulated;
        int accepted = 0;
        for (int i = 0; i < runs; ++i) {
            Result<Edited> edited = fail(QString(), QString());
            closed.push_back(millisecondsOf([&] { edited = edit(random, editor, plan); }));
            if (!edited)
                continue;
            ++accepted;
            const double more = millisecondsOf([&] {
                if (!evaluate(model, edited->plan))
                    std::printf("not judged\n");
            });
            simulated.push_back(closed.back() + more);
        }
        const Percentiles a = percentiles(closed), b = percentiles(simulated);
        std::printf("  %-16s %8.3f %8.3f   %8.3f %8.3f   %9.3f %7d%%\n", kind, a.median, a.p99, b.median, b.p99,
                    b.median / whole, 100 * accepted / runs);
    }
    measureReplay(model, plan);
    measureFinish(model, plan);
}

}  // namespace

int main() {
    for (const bool ownPairs : {false, true}) {
        for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
            if (ownPairs && duplex == Duplex::Half)
                continue;
            std::mt19937 random(1);
            test::RandomShape shape{layers, devices, 4096};
            shape.ownPairs = ownPairs;
            shape.duplex = duplex;
            PlanningProblem problem = test::randomProblem(random, shape);
            problem.dataDevice = problem.devices[0].id;
            problem.inputBytes = 3072;
            problem.labelBytes = 8;
            for (const int stages : {8, 64}) {
                measure(ownPairs                 ? "own rate of each pair"
                        : duplex == Duplex::Full ? "full duplex"
                                                 : "half duplex",
                        problem, stages);
            }
        }
    }
    return 0;
}
