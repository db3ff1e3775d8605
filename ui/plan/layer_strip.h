// All layers in order, the stages as coloured bands over them, and what each cut would send.
#pragma once

#include <QFont>
#include <QSet>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/model/model.h"
#include "core/plan/plan.h"

class QVariantAnimation;

namespace hearth {

/// The border between two stages is dragged with the mouse, or with the keyboard: Left and Right choose one, Shift with
/// them moves it by a layer, L (or a double click) locks it, Escape gives a drag up. Whoever owns the plan listens, and
/// shows what follows by `setPlan`.
///
/// Widths follow the work of each layer (operations per sample); bars below follow the bytes per sample that leave it,
/// those of the plan's cuts are filled and labelled. The places of layers are found once for a model and a width; a
/// plan only colours them, and what it does not change is not drawn again.
class LayerStrip : public QWidget {
    Q_OBJECT
  public:
    explicit LayerStrip(QWidget *parent = nullptr);
    /// Before the first plan, and whenever plans are of another model.
    void setModel(const Model &model);
    void setPlan(const Plan &plan);
    void setEditable(bool editable);
    /// By the layer behind them.
    void setLockedBorders(const QSet<int> &layers);
    /// The border under the mouse cannot be where it is: it is drawn so, and slides back when it is let go.
    void setRefused(bool refused);
    /// Where the border behind `stage` is grasped, in this widget's coordinates; and where it would be before `layer`.
    QPoint borderAt(int stage) const;
    QPoint placeBefore(int layer) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  Q_SIGNALS:
    /// The border behind `stage` (from 0) is over the place before `layer`; then it is let go there, or the drag is
    /// given up.
    void borderDragged(int stage, int layer);
    void borderDropped(int stage, int layer);
    void dragCancelled();
    void lockToggled(int layer);

  protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

  private:
    static constexpr double headerHeight = 32;
    static constexpr double layerHeight = 80;
    static constexpr double barRoom = 40;
    static constexpr double gap = 2;
    static constexpr double narrowest = 22;  // an upright name fits
    static constexpr double grasp = 8;       // how near to a border the mouse takes hold of it
    static constexpr int borderReach = 12;   // what a border and its lock cover on either side of it
    static constexpr int slideMilliseconds = 150;
    static constexpr std::size_t crowd = 60;  // from so many layers on there is no room for round corners

    struct LayerData {
        QString name;
        QString kind;
        double work = 0;  // operations per sample
        qint64 outputBytes = 0;
        qint64 parameters = 0;
        bool operator==(const LayerData &) const = default;
    };
    struct Box {
        QRectF rect;
        QString text;
        bool upright = false;
        int stage = -1;
        bool operator==(const Box &) const = default;
    };
    struct Bar {
        QRectF rect;
        QString label;  // of a cut
        QRectF labelRect;
        bool isCut() const { return !label.isEmpty(); }
    };
    struct Drag {
        int stage = 0;
        int from = 0;  // the layer behind the border when it was grasped
        int layer = 0;
        double x = 0;
    };
    void layOutLayers();
    void layOutStages();
    std::vector<Box> headers() const;
    void markCut(std::size_t layer, bool cut, QRegion &changed);
    void moveLine(double x);
    void endDrag();
    void updateLine();
    void updateBorder(std::optional<int> stage);
    int borderCount() const { return static_cast<int>(m_stages.size()) - 1; }
    std::optional<int> borderNear(const QPointF &at) const;
    int layerNear(double x) const;
    double borderX(int stage) const;
    QRect placeOf(int border) const;
    void paintLayers(QPainter &painter, const QRegion &seen) const;
    void paintBars(QPainter &painter, const QRegion &seen) const;
    void paintBorders(QPainter &painter, const QRegion &seen) const;
    void speakBorder();
    std::vector<double> widths(double room) const;

    std::vector<LayerData> m_layers;
    std::vector<PlanStage> m_stages;
    std::vector<Box> m_headers, m_boxes;  // of stages, of layers
    std::vector<Bar> m_bars;              // behind each layer but the last
    std::vector<double> m_left;           // of each layer, and the end of the last
    bool m_editable = false;
    bool m_refused = false;
    QSet<int> m_locked;
    int m_chosen = 0;  // border that the keyboard moves
    std::optional<int> m_hovered;
    std::optional<Drag> m_drag;
    QVariantAnimation *m_back;
};

}  // namespace hearth
