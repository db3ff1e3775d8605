// The runs of History as a table.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/history/run_summary.h"

namespace hearth {

/// One run and the state that is shown for it.
struct RunRow {
    RunSummary run;
    QString state;
};

class RunsTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Started, State, Model, Data, Devices, Rounds, Speed, Loss, Accuracy, Length, ColumnCount };
    /// SortRole: numbers as numbers, what is not known as an invalid value; SearchRole: all that a search may find.
    enum Role { IdRole = Qt::UserRole, SortRole, SearchRole, StateRole };
    explicit RunsTableModel(QObject *parent = nullptr);

    /// Runs that were there keep their rows, so that nothing jumps under a selection.
    void setRuns(const std::vector<RunRow> &rows);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    static QString text(const RunRow &row, int column);
    static QVariant sortValue(const RunRow &row, int column);
    static QString tip(const RunRow &row, int column);

    std::vector<RunRow> m_rows;
};

/// "21.11.26 09:45": when a run began, in local time.
QString startedText(const RunSummary &run);

}  // namespace hearth
