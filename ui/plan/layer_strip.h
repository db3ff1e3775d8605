// All layers in order, the stages as coloured bands over them, and what each cut would send.
#pragma once

#include <QFont>
#include <QSet>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/plan/plan.h"
#include "ui/plan/layer_row.h"

class QVariantAnimation;

namespace hearth {

/// The border between two stages is dragged with the mouse, or with the keyboard: Left and Right choose one, Shift with
/// them moves it by a layer, L (or a double click) locks it, Escape gives a drag up. Whoever owns the plan listens, and
/// shows what follows by `setPlan`.
///
/// Layers lie as LayerRow has them; bars below follow the bytes per sample that leave each, those of the plan's cuts
/// are filled and say what crosses. Of blocks of layers a click unfolds one, a click on one of its layers folds it
/// again; Down unfolds those beside the chosen border, Up folds all that was unfolded. The places of layers are found
/// once for a model, a width and what is folded; a plan only colours them, and what it does not change is not drawn
/// again.
class LayerStrip : public QWidget {
    Q_OBJECT
  public:
    explicit LayerStrip(QWidget *parent = nullptr);
    /// Before the first plan, and whenever plans are of another model or other times are known: those of
    /// meanLayerSeconds(), or none.
    void setModel(const Model &model, DType type = DType::Float32, const std::vector<double> &seconds = {});
    void setPlan(const Plan &plan);
    void setEditable(bool editable);
    /// By the layer behind them.
    void setLockedBorders(const QSet<int> &layers);
    /// The border under the mouse cannot be where it is: it is drawn so, and slides back when it is let go.
    void setRefused(bool refused);
    /// Where the border behind `stage` is grasped, in this widget's coordinates; and where it would be before `layer`.
    QPoint borderAt(int stage) const;
    QPoint placeBefore(int layer) const;
    /// Names of the blocks and layers that are drawn, in order.
    QStringList shownNames() const { return m_row.names(); }
    /// The middle of the one with this layer, and what a person is told there.
    QPoint placeOfLayer(int layer) const;
    QString toolTipAt(const QPointF &at) const;
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
    void leaveEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

  private:
    static constexpr double headerHeight = 32;
    static constexpr double layerHeight = 80;
    static constexpr double barRoom = 40;
    static constexpr double gap = 2;
    static constexpr double grasp = 8;      // how near to a border the mouse takes hold of it
    static constexpr int borderReach = 12;  // what a border and its lock cover on either side of it
    static constexpr int slideMilliseconds = 150;
    static constexpr std::size_t crowd = 60;  // from so many bars on there is no room for round corners
    static constexpr double stackHeight = 7;  // of the edges below a block, of what lies under it

    struct Box {
        QRectF rect;
        QString text;
        bool upright = false;
        bool block = false;
        int stage = -1;
        bool operator==(const Box &) const = default;
    };
    struct Bar {
        QRectF rect;
        bool inBlock = false;  // of a block's own layers
        bool cut = false;
        QString label;  // of a cut, as far as there is room
        QRectF labelRect;
        bool isDrawn() const { return cut || !inBlock; }
        bool operator==(const Bar &) const = default;
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
    std::vector<Box> boxes() const;
    std::vector<Bar> cutBars() const;
    Box makeBox(const LayerBlock &block, double left, double right) const;
    const LayerBlock *blockAt(const QPointF &at) const;
    void refreshFocusPolicy();
    void moveLine(double x);
    void endDrag();
    void updateLine();
    void updateBorder(std::optional<int> stage);
    int borderCount() const { return static_cast<int>(m_stages.size()) - 1; }
    std::optional<int> borderNear(const QPointF &at) const;
    double borderX(int stage) const;
    QRect placeOf(int border) const;
    void paintLayers(QPainter &painter, const QRegion &seen) const;
    void paintBars(QPainter &painter, const QRegion &seen) const;
    void paintBorders(QPainter &painter, const QRegion &seen) const;
    void speakBorder();

    LayerRow m_row;
    std::vector<PlanStage> m_stages;
    std::vector<Box> m_headers, m_boxes;  // of stages, of what is shown, which borders part
    std::vector<Bar> m_bars;              // behind each layer but the last
    const LayerBlock *m_pressed = nullptr;
    bool m_editable = false;
    bool m_refused = false;
    QSet<int> m_locked;
    int m_chosen = 0;  // border that the keyboard moves
    std::optional<int> m_hovered;
    std::optional<Drag> m_drag;
    QVariantAnimation *m_back;
};

}  // namespace hearth
