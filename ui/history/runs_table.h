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

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void shareRoom();
};

}  // namespace hearth
