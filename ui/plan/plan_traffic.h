// What a plan sends over each link in one round.
#pragma once

#include <QFrame>
#include <vector>

namespace hearth {

class PlanDraft;

/// Links by name in columns. A large home has hundreds, and they change with every movement of a drag: they are drawn,
/// not laid out. Geometry is made on change and resize.
class PlanTraffic : public QFrame {
    Q_OBJECT
  public:
    explicit PlanTraffic(const PlanDraft &draft, QWidget *parent = nullptr);
    void refresh();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

  private:
    struct Line {
        QString name;
        qint64 bytes = 0;
        QString shown, number;  // the name, as much of it as fits, and the bytes as they are written
        QRect rect;
    };
    void layOut();

    const PlanDraft &m_draft;
    std::vector<Line> m_lines;
};

}  // namespace hearth
