// What `hearth predict` tells of answers, as they come.
#pragma once

#include <QJsonObject>
#include <optional>

#include "core/inference/answer_table.h"

namespace hearth {

/// A table in the terminal, or one line of JSON, or a CSV file, or both of these. In memory for what the terminal
/// shows. Main thread.
class AnswerPrinter {
  public:
    struct Form {
        QString runName;  // as the person says it
        bool json = false;
        QString csv;   // empty: no file
        int most = 3;  // the likeliest classes that are told
    };
    AnswerPrinter(const AskedRun &run, Form form);

    Result<void> begin(const QStringList &columns);
    Result<void> add(const Answer &answer);
    /// `wrong`: why no more came.
    Result<void> finish(const std::optional<Error> &wrong);
    qint64 count() const { return m_count; }
    /// Of all, at least one.
    bool hasAnswers() const { return m_hasAnswers; }

  private:
    QStringList rowOf(const Answer &answer) const;
    QJsonObject objectOf(const Answer &answer) const;
    QString outputText(const Answer &answer, std::size_t output) const;
    void printScore() const;
    void finishJson(const std::optional<Error> &wrong) const;
    void finishTable();

    const AskedRun m_run;
    const Form m_form;
    std::optional<AnswerTable> m_table;
    Score m_score;
    QList<QStringList> m_rows;
    qint64 m_count = 0;
    bool m_hasAnswers = false;
};

}  // namespace hearth
