// How good the search is after how long, against ten times that long and against the best of all other planners.
//   planning [SCALE]                                budgets times SCALE (1); prints a Markdown table for the manual
//   planning SCALE LAYERS DEVICES BUDGET FROM TO    one size on the random problems FROM to TO, without other planners
// Seconds are the processor's on the thread that plans, so that other work on the machine counts little.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "core/plan/planner.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

enum class Home { ThreeKinds, AllDifferent, OwnPairRates };

const char *nameOf(Home home) {
    return home == Home::ThreeKinds     ? "three kinds of devices"
           : home == Home::AllDifferent ? "all devices different"
                                        : "own rate of every pair";
}

PlanningProblem problemFor(int layers, int devices, Home home, unsigned seed) {
    std::mt19937 random(seed);
    test::RandomShape shape{layers, devices, 64};
    shape.ownPairs = home == Home::OwnPairRates;
    PlanningProblem problem = test::randomProblem(random, shape);
    for (std::size_t d = 3; home == Home::ThreeKinds && d < problem.devices.size(); ++d) {
        problem.times[d] = problem.times[d % 3];
        problem.devices[d].memoryBytes = problem.devices[d % 3].memoryBytes;
    }
    return problem;
}

double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::optional<Plan> hearthWithin(const PlanningProblem &problem, double seconds) {
    const double start = processorSeconds();
    PlannerOptions options;
    options.stepLimit = ~quint64{0};  // or a limit of steps ends it
    options.spentPart = [&] { return (processorSeconds() - start) / seconds; };
    options.cancelled = [&] { return processorSeconds() - start >= seconds; };
    auto plan = makePlan(QStringLiteral("hearth"), problem, options);
    if (!plan)
        return std::nullopt;
    plan->prediction->planningSeconds = processorSeconds() - start;
    return *plan;
}

/// Percent by which the second is shorter.
double shorter(const Plan &plan, const Plan &longer) {
    return 100 * (1 - longer.prediction->roundSeconds / plan.prediction->roundSeconds);
}

/// The shortest round of a plan of another planner that fits.
std::pair<double, QString> bestOther(const PlanningProblem &problem) {
    std::pair<double, QString> best{0, QStringLiteral("none")};
    for (const QString &name : plannerNames()) {
        if (name == QStringLiteral("hearth"))
            continue;
        std::fprintf(stderr, "    %s ...\n", qPrintable(name));
        const auto plan = makePlan(name, problem);
        if (plan && plan->prediction->fits && (best.first <= 0 || plan->prediction->roundSeconds < best.first))
            best = {plan->prediction->roundSeconds, name};
    }
    return best;
}

struct Case {
    int layers, devices;
    double seconds;  // budget
};

/// How far plans are behind those after ten times as long, over many problems of one size.
void compareBudgets(const Case &size, unsigned from, unsigned to) {
    for (const Home home : {Home::ThreeKinds, Home::AllDifferent, Home::OwnPairRates}) {
        std::vector<double> gaps;
        for (unsigned seed = from; seed <= to; ++seed) {
            const PlanningProblem problem = problemFor(size.layers, size.devices, home, seed);
            const auto plan = hearthWithin(problem, size.seconds), longer = hearthWithin(problem, 10 * size.seconds);
            if (!plan || !longer)
                continue;
            gaps.push_back(shorter(*plan, *longer));
            std::fprintf(stderr, "%s, problem %u: %.6f s, later %.6f s%s, %.2f %% shorter\n", nameOf(home), seed,
                         plan->prediction->roundSeconds, longer->prediction->roundSeconds,
                         longer->prediction->provedOptimal ? " (proved)" : "", gaps.back());
        }
        std::sort(gaps.begin(), gaps.end());
        if (gaps.empty())
            continue;
        const auto within = std::count_if(gaps.begin(), gaps.end(), [](double gap) { return gap <= 0.5; });
        std::printf("| %d | %d | %s | %g | %ld of %zu | %.2f %% | %.2f %% |\n", size.layers, size.devices, nameOf(home),
                    size.seconds, static_cast<long>(within), gaps.size(), gaps[gaps.size() / 2], gaps.back());
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char **argv) {
    const double scale = argc > 1 ? std::atof(argv[1]) : 1;
    if (argc > 6) {
        std::printf(
            "| layers | devices | home | budget s | within 0.5 %% of ten times the budget | median | worst |\n");
        std::printf("|---|---|---|---|---|---|---|\n");
        compareBudgets({std::atoi(argv[2]), std::atoi(argv[3]), scale * std::atof(argv[4])},
                       static_cast<unsigned>(std::atoi(argv[5])), static_cast<unsigned>(std::atoi(argv[6])));
        return 0;
    }
    constexpr Case cases[] = {{20, 4, 0.1}, {50, 8, 0.1}, {100, 16, 10}, {200, 32, 30}, {400, 64, 60}};
    std::printf(
        "| layers | devices | home | budget s | used s | proved | after ten times the budget | best other planner |\n");
    std::printf("|---|---|---|---|---|---|---|---|\n");
    for (const Case &each : cases) {
        for (const Home home : {Home::ThreeKinds, Home::AllDifferent, Home::OwnPairRates}) {
            std::fprintf(stderr, "%d layers, %d devices, %s\n", each.layers, each.devices, nameOf(home));
            const PlanningProblem problem = problemFor(each.layers, each.devices, home, 17);
            const double budget = each.seconds * scale;
            const auto plan = hearthWithin(problem, budget);
            if (!plan) {
                std::printf("| %d | %d | %s | %g | no plan |\n", each.layers, each.devices, nameOf(home), budget);
                continue;
            }
            const double seconds = plan->prediction->roundSeconds;
            // The long run is left out where it would take longer than anybody waits for a benchmark.
            const bool again = budget <= 10;
            const auto longer = again ? hearthWithin(problem, 10 * budget) : std::nullopt;
            const auto other = bestOther(problem);
            std::printf(
                "| %d | %d | %s | %g | %.3f | %s | %s | %s %+.1f %% |\n", each.layers, each.devices, nameOf(home),
                budget, plan->prediction->planningSeconds.value_or(0), plan->prediction->provedOptimal ? "yes" : "no",
                longer
                    ? qPrintable(QStringLiteral("%1 % shorter%2")
                                     .arg(shorter(*plan, *longer), 0, 'f', 2)
                                     .arg(longer->prediction->provedOptimal ? QStringLiteral(", proved") : QString()))
                    : "-",
                qPrintable(other.second), other.first > 0 ? 100 * (other.first / seconds - 1) : 0.0);
            std::fflush(stdout);
        }
    }
    return 0;
}
