// What a trained network says, one row for each sample.
#pragma once

#include <QTableWidget>

#include "core/inference/run_inference.h"

namespace hearth {

/// GUI thread.
class TryAnswers : public QTableWidget {
    Q_OBJECT
  public:
    /// More of them are counted and not shown.
    static constexpr int mostShown = 10'000;

    explicit TryAnswers(QWidget *parent = nullptr);
    void setRun(const AskedRun &run);
    void add(const Answer &answer);

  private:
    enum Column { NameColumn, AnswerColumn, CertaintyColumn, OthersColumn, LabelColumn, Columns };

    QTableWidgetItem *set(int row, Column column, const QString &text);
    void setValues(int row, const Answer &answer);
    QString outputName(std::size_t output) const;

    AskedRun m_run;
};

}  // namespace hearth
