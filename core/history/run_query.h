// What a person looks for among runs.
#pragma once

#include "core/history/run_summary.h"

namespace hearth {

/// "router batch>64 optimizer=adam tag=paper": words that must be found, and conditions on values of the job (by its
/// path, or the last parts of it) or on accuracy, best_accuracy, loss, rounds, seconds, speed, name, tag. Accuracies
/// above 1 are percent. Plain value, any thread.
class RunQuery {
  public:
    RunQuery() = default;
    explicit RunQuery(const QString &text);

    bool isEmpty() const { return m_words.isEmpty() && m_conditions.empty(); }
    const QStringList &words() const { return m_words; }
    /// Whether all conditions hold. What a run does not have is neither equal to anything nor less nor more.
    bool holdsFor(const RunSummary &run) const;

  private:
    struct Condition {
        QString key, sign, value;
        bool holdsFor(const RunSummary &run) const;
    };
    QStringList m_words;
    std::vector<Condition> m_conditions;
};

}  // namespace hearth
