// Where each device's seconds went in the last rounds.
#pragma once

#include <QFrame>
#include <QMap>

class QGridLayout;
class QScrollArea;

namespace hearth {

class RunModel;
class StillText;
class TimeMeter;

/// One row per device of the plan: computing, waiting, sending. `refresh` is called by the page's timer.
class TimeSplit : public QFrame {
    Q_OBJECT
  public:
    explicit TimeSplit(const RunModel &run, QWidget *parent = nullptr);
    void refresh();

  private:
    struct Row {
        TimeMeter *meter;
        StillText *share;
    };
    void rebuild();

    const RunModel &m_run;
    QGridLayout *m_grid;
    QScrollArea *m_scroll;
    QMap<QString, Row> m_rows;
};

}  // namespace hearth
