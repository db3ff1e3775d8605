// One round, drawn: who computes what when, and what is on which link.
#pragma once

#include <QFrame>
#include <optional>
#include <vector>

#include "core/plan/plan.h"

namespace hearth {

class PlanDraft;

/// A lane per device and per link of the simulated round. Numbers are micro-batches, behind the stage where a device
/// has several ("2.1"); forward is plain, backward hatched, transfers are thin. Lanes of what limits the plan are
/// marked. Hovering tells seconds and bytes; so do arrow keys, which go from task to task of a lane, and from lane to
/// lane. What is told is the accessible description, too; until a key is pressed that says how busy lanes are. Geometry
/// is made on change and resize, painting only draws it. GUI thread.
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
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
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
    static bool takesTime(const ScheduledTask &task) { return task.endSeconds > task.startSeconds; }
    void findLanes();
    void layOut();
    void paintLegend(QPainter &painter) const;
    QRectF rectOf(std::size_t task) const;
    const Bar *barAt(const QPoint &at) const;
    QString describe(const ScheduledTask &task) const;
    /// Those that take time, by their numbers.
    std::vector<std::size_t> tasksOf(std::size_t lane) const;
    /// Where a key leads to from the chosen task; nothing where it is no key of the chart.
    std::optional<std::size_t> taskBy(int key) const;
    std::size_t taskInNextLane(bool isBelow) const;
    void choose(std::size_t task);
    void speak();
    QString spokenLanes() const;

    const PlanDraft &m_draft;
    std::vector<ScheduledTask> m_tasks;
    std::vector<std::size_t> m_rows;  // of each task: its lane
    std::vector<Lane> m_lanes;
    bool m_laidOut = false;  // as tasks and width are now
    std::vector<Bar> m_bars;
    double m_seconds = 0;
    std::optional<std::size_t> m_chosen;  // a task, by keys
};

}  // namespace hearth
