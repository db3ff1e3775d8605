// Which runs of History are shown, and in which order.
#pragma once

#include <QSortFilterProxyModel>

namespace hearth {

/// Over a RunsTableModel. What is not known comes last, whichever way it is sorted.
class RunsFilter : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    enum class States { All, UnderWay, Finished, Broken, Starred };

    explicit RunsFilter(QObject *parent = nullptr);
    /// Every word must be found somewhere in a run's texts.
    void setWords(const QString &words);
    /// Broken: interrupted, failed or stopped.
    void setStates(States states);

  protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

  private:
    QStringList m_words;
    States m_states = States::All;
};

}  // namespace hearth
