// One round, drawn: who computes what when, and what is on which link.
#pragma once

#include <QFrame>
#include <vector>

#include "core/plan/plan.h"

namespace hearth {

class PlanDraft;

/// A lane per device and per link of the simulated round. Numbers are micro-batches, behind the stage where a device
/// has several ("2.1"); forward is plain, backward hatched, transfers are thin. Lanes of the step that limits the plan
/// are marked. Hovering tells seconds and bytes. Geometry is made on change and resize, painting only draws it.
class RoundChart : public QFrame {
    Q_OBJECT
  public:
    explicit RoundChart(const PlanDraft &draft, QWidget *parent = nullptr);
    void refresh();
    /// Names of the lanes from top to bottom, for tests.
    QStringList laneNames() const;
    /// What a bar stands for, or the whole name of a lane; empty elsewhere.
    QString toolTipAt(const QPoint &at) const;
    /// The number on a bar, for tests; empty elsewhere.
    QString numberAt(const QPoint &at) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40 * 8, sizeHint().height()}; }

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

  private:
    struct Lane {
        QString key;
        QString name;
        bool link = false;
        bool limits = false;
        bool hasSeveralStages = false;
    };
    struct Bar {
        QRectF rect;
        std::size_t task = 0;
        QString text;
    };
    void findLanes();
    void layOut();
    void paintLegend(QPainter &painter) const;
    const Bar *barAt(const QPoint &at) const;
    QString describe(const ScheduledTask &task) const;

    const PlanDraft &m_draft;
    std::vector<ScheduledTask> m_tasks;
    std::vector<std::size_t> m_rows;  // of each task: its lane
    std::vector<Lane> m_lanes;
    bool m_laidOut = false;  // as tasks and width are now
    std::vector<Bar> m_bars;
    double m_seconds = 0;
};

}  // namespace hearth
