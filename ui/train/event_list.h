// The story of a run in sentences, newest last.
#pragma once

#include <QAbstractListModel>
#include <QListView>

namespace hearth {

class RunModel;

/// Rows are the run's sentences; `TimeRole` the seconds, `IconRole` the name of an icon for the tone.
class EventListModel : public QAbstractListModel {
    Q_OBJECT
  public:
    enum Role { TimeRole = Qt::UserRole, IconRole, ToneRole };
    explicit EventListModel(const RunModel &run, QObject *parent = nullptr);
    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

  private:
    void takeNew();
    const RunModel &m_run;
    int m_rows = 0;
};

/// Follows the newest sentence until the user scrolls up.
class EventListView : public QListView {
    Q_OBJECT
  public:
    explicit EventListView(const RunModel &run, QWidget *parent = nullptr);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    bool m_follows = true;
};

}  // namespace hearth
