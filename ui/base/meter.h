// A thin bar of parts of a whole: memory against a limit, a share of samples, where time went.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/base/widgets.h"

namespace hearth {

class Meter : public QWidget {
    Q_OBJECT
  public:
    struct Part {
        double amount = 0;
        QColor colour;
        bool operator==(const Part &) const = default;
    };
    explicit Meter(QWidget *parent = nullptr);
    /// Parts lie side by side; what is missing to `whole` stays empty.
    void setParts(std::vector<Part> parts, double whole);
    QSize sizeHint() const override { return {12 * grid, m_height}; }
    QSize minimumSizeHint() const override { return {4 * grid, m_height}; }
    void setBarHeight(int height);

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    std::vector<Part> m_parts;
    double m_whole = 1;
    int m_height = grid;
};

}  // namespace hearth
