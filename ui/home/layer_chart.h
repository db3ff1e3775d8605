// How long each layer takes on a device, forward and backward, beside another device.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/profile/home_measurements.h"

namespace hearth {

/// A bar for every layer in order, forward below and backward (hatched) on top, from 0; a line shows what the other
/// device takes. What is predicted is outlined, what is measured filled. The mouse, or Left and Right, Home and End
/// while it has the focus, choose a layer, whose figures stand below. Geometry is made on change and resize. GUI
/// thread.
class LayerChart : public QWidget {
    Q_OBJECT
  public:
    explicit LayerChart(QWidget *parent = nullptr);

    /// `other` may be empty: then there is nothing to compare with.
    void setTimes(std::vector<MeasuredLayer> layers, std::vector<MeasuredLayer> other);
    /// "conv1: forward 1.2 ms, backward 2.4 ms; this computer 0.9 and 1.8 ms"; of all layers where none is chosen.
    QString text() const;
    std::optional<std::size_t> chosen() const { return m_chosen; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

  private:
    void choose(std::optional<std::size_t> layer);
    void tell();
    QRectF plot() const;
    double left(std::size_t layer) const;

    std::vector<MeasuredLayer> m_layers, m_other;
    double m_most = 0;  // seconds of the longest layer
    std::optional<std::size_t> m_chosen;
};

}  // namespace hearth
