// The numbers above the plots: round, speed, loss, accuracy and the time left.
#pragma once

#include <QString>
#include <QWidget>
#include <array>

namespace hearth {

class Figure;
class RunModel;

struct ShownFigure {
    QString caption, value, note;
};
/// Round, samples per second, loss, accuracy and time left, in this order.
std::array<ShownFigure, 5> figuresOf(const RunModel &run);

/// `refresh` is called by the page's timer.
class TrainFigures : public QWidget {
    Q_OBJECT
  public:
    explicit TrainFigures(const RunModel &run, QWidget *parent = nullptr);
    void refresh();
    /// In a low window: see Figure.
    void setCompact(bool compact);

  private:
    const RunModel &m_run;
    std::array<Figure *, 5> m_figures;
};

}  // namespace hearth
