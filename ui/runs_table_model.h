// The runs of this home, newest first.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/home/run_info.h"

namespace hearth {

class RunsTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Started, State, Model, Data, Rounds, Loss, Accuracy, ColumnCount };
    enum Role { IdRole = Qt::UserRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(std::vector<RunInfo> runs);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    QString text(const RunInfo &run, int column) const;
    std::vector<RunInfo> m_runs;
};

}  // namespace hearth
