// The table of History: one line per run.
#pragma once

#include <QTableView>

namespace hearth {

/// Numbers take the room they need; names share what is left, and stay readable where that is little: then the table
/// scrolls sideways.
class RunsTable : public QTableView {
    Q_OBJECT
  public:
    explicit RunsTable(QAbstractItemModel *model, QWidget *parent = nullptr);

  Q_SIGNALS:
    /// The star of this row was clicked, or Space was pressed on it.
    void starClicked(const QModelIndex &index);
    /// The key was pressed that deletes what is chosen.
    void deleteWanted();

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void takeColumns(int first, int last);
    void shareRoom();
};

}  // namespace hearth
