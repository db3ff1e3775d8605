// All layers in order, the stages as coloured bands over them, and what each cut would send.
#pragma once

#include <QFont>
#include <QWidget>
#include <vector>

#include "core/model/model.h"
#include "core/plan/plan.h"

namespace hearth {

/// Widths follow the work of each layer (operations per sample); bars below follow the bytes per sample that leave it,
/// those of the plan's cuts are filled and labelled. Geometry is made on change and resize, painting only draws it.
class LayerStrip : public QWidget {
    Q_OBJECT
  public:
    explicit LayerStrip(QWidget *parent = nullptr);
    void setPlan(const Model &model, const Plan &plan);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

  private:
    struct LayerData {
        QString name;
        QString kind;
        double work = 0;  // operations per sample
        qint64 outputBytes = 0;
        qint64 parameters = 0;
    };
    struct Box {
        QRectF rect;
        QString text;
        bool upright = false;
        int stage = 0;
    };
    struct Bar {
        QRectF rect;
        bool cut = false;
        QString label;
        QRectF labelRect;
    };
    void layOut();
    std::vector<double> widths(double room) const;

    std::vector<LayerData> m_layers;
    std::vector<PlanStage> m_stages;
    std::vector<Box> m_headers, m_boxes;
    std::vector<Bar> m_bars;
};

}  // namespace hearth
