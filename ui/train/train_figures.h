// The numbers above the plots: round, speed, loss, accuracy and the time left.
#pragma once

#include <QWidget>

namespace hearth {

class Figure;
class RunModel;

/// `refresh` is called by the page's timer.
class TrainFigures : public QWidget {
    Q_OBJECT
  public:
    explicit TrainFigures(const RunModel &run, QWidget *parent = nullptr);
    void refresh();
    /// In a low window: see Figure.
    void setCompact(bool compact);

  private:
    void clear();

    const RunModel &m_run;
    Figure *m_round, *m_speed, *m_loss, *m_accuracy, *m_left;
};

}  // namespace hearth
