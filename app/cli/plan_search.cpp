#include "app/cli/plan_search.h"

#include <csignal>

#include "core/base/number_text.h"

namespace hearth {
namespace {

constexpr double mostSeconds = 1e6;
constexpr qint64 mostSteps = 1'000'000'000'000;
// Ten times a second is as much as an eye follows.
constexpr qint64 betweenShownMs = 100;

volatile std::sig_atomic_t interrupted = 0;
struct sigaction former;

void interrupt(int) {
    interrupted = 1;
}

}  // namespace

void declareSearch(CommandArguments &words) {
    words.value(QStringLiteral("time"), QStringLiteral("S"),
                QStringLiteral("take the best plan found in S seconds (planners that search)"));
    words.value(QStringLiteral("steps"), QStringLiteral("N"),
                QStringLiteral("take the best plan found in N steps, the same on every machine"));
}

PlanSearch::PlanSearch() {
    interrupted = 0;
    struct sigaction action = {};
    action.sa_handler = interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &former);
}

PlanSearch::~PlanSearch() {
    ::sigaction(SIGINT, &former, nullptr);
}

Result<void> PlanSearch::read(const CommandArguments &words) {
    const QString time = QStringLiteral("time"), steps = QStringLiteral("steps");
    const auto seconds = words.positive(time, mostSeconds, 1);
    if (!seconds)
        return tl::unexpected(seconds.error());
    const auto count = words.integer(steps, 1, mostSteps, 1);
    if (!count)
        return tl::unexpected(count.error());
    if (words.isSet(time))
        m_seconds = *seconds;
    if (words.isSet(steps))
        m_steps = static_cast<quint64>(*count);
    return {};
}

PlannerOptions PlanSearch::options(const QString &planner) {
    m_line.show(QStringLiteral("%1 …").arg(planner));
    PlannerOptions options;
    options.secondsLimit = m_seconds;
    options.stepLimit = m_steps;
    options.cancelled = [] { return interrupted != 0; };
    options.progress = [this, planner](const PlanningProgress &progress) { show(planner, progress); };
    return options;
}

void PlanSearch::show(const QString &planner, const PlanningProgress &progress) {
    if (m_shown.isValid() && m_shown.elapsed() < betweenShownMs)
        return;
    m_shown.start();
    m_line.show(QStringLiteral("%1: %2 per round; no plan is more than %3 % shorter")
                    .arg(planner, secondsText(progress.roundSeconds))
                    .arg(100 * progress.gap, 0, 'f', 1));
}

}  // namespace hearth
