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
    enum Column {
        Star,
        Name,
        Started,
        State,
        Model,
        Data,
        Devices,
        Rounds,
        Speed,
        Loss,
        Accuracy,
        Length,
        Size,
        Tags,
        ColumnCount
    };
    /// SortRole: numbers as numbers, what is not known as an invalid value; SearchRole: all that a search may find.
    enum Role { IdRole = Qt::UserRole, SortRole, SearchRole, StateRole, StarredRole };
    explicit RunsTableModel(QObject *parent = nullptr);

    /// Runs that were there keep their rows, so that nothing jumps under a selection.
    void setRuns(const std::vector<RunRow> &rows);
    /// Behind the others, a column for each of these values of the jobs.
    void setJobColumns(const QStringList &paths);
    const QStringList &jobColumns() const { return m_jobColumns; }
    const RunSummary &runAt(int row) const { return m_rows[static_cast<std::size_t>(row)].run; }
    /// The known run of this id, or nullptr; valid until the next `setRuns`.
    const RunRow *find(const QString &id) const;
    bool hasTags() const;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    /// Names and tags are edited in place: `labelWanted` follows where that changes them.
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  Q_SIGNALS:
    void labelWanted(const QStringList &ids, const hearth::LabelChange &change);

  private:
    void tellChanged(int row, bool relabelled);
    QVariant decoration(const RunRow &row, int column) const;
    static QString text(const RunRow &row, int column);
    static QVariant sortValue(const RunRow &row, int column);
    static QString tip(const RunRow &row, int column);

    /// Of a column behind the fixed ones.
    QVariant jobData(const RunRow &row, int column, int role) const;

    std::vector<RunRow> m_rows;
    QStringList m_jobColumns;  // paths
};

/// "21.11.26 09:45": when a run began, in local time.
QString startedText(const RunSummary &run);

}  // namespace hearth
