// Which runs of History are shown, and in which order.
#pragma once

#include <QHash>
#include <QSortFilterProxyModel>

#include "core/history/run_query.h"

namespace hearth {

/// Over a RunsTableModel. What is not known comes last, whichever way it is sorted.
class RunsFilter : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    enum class States { All, UnderWay, Finished, Broken, Starred };

    explicit RunsFilter(QObject *parent = nullptr);
    /// Every word must be found somewhere in a run's texts, every condition must hold.
    void setWords(const QString &words);
    /// Broken: interrupted, failed or stopped.
    void setStates(States states);
    /// What differs between the jobs of the runs that are shown, of the first ones where they are many.
    QStringList differing() const;
    /// The lowest loss and the highest accuracy among the shown runs on the same data are strong.
    QVariant data(const QModelIndex &index, int role) const override;

  protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

  private:
    struct Best {
        int runs = 0;
        double loss = RunSummary::unknown, accuracy = RunSummary::unknown;
    };
    const RunSummary &runAt(int row) const;
    const QHash<QString, Best> &best() const;

    RunQuery m_query;
    mutable QHash<QString, Best> m_best;  // by data; empty: not known
    States m_states = States::All;
};

}  // namespace hearth
