// Limits of a search, what it shows meanwhile, and Ctrl-C.
#pragma once

#include <QElapsedTimer>

#include "app/cli/command.h"
#include "app/cli/progress_line.h"
#include "core/plan/planner.h"

namespace hearth {

void declareSearch(CommandArguments &words);

/// --time and --steps, progress on a terminal, and an end at Ctrl-C with the best plan so far (a second Ctrl-C ends the
/// program). One at a time, in the main thread; restores the former handler.
class PlanSearch {
  public:
    PlanSearch();
    ~PlanSearch();
    PlanSearch(const PlanSearch &) = delete;
    PlanSearch &operator=(const PlanSearch &) = delete;

    /// Error: what is wrong with the usage.
    Result<void> read(const CommandArguments &words);
    /// For a planner of that name. Refers to this object.
    PlannerOptions options(const QString &planner);
    void finished() { m_line.show({}); }

  private:
    void show(const QString &planner, const PlanningProgress &progress);
    ProgressLine m_line;
    QElapsedTimer m_shown;
    std::optional<double> m_seconds;
    std::optional<quint64> m_steps;
};

}  // namespace hearth
