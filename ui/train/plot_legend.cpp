#include "ui/train/plot_legend.h"

#include <QPainter>
#include <utility>

namespace hearth {

namespace {

/// A piece of the curve beside its name.
class Swatch : public QWidget {
  public:
    Swatch(PlotColour colour, LivePlot::Look look) : m_colour(std::move(colour)), m_look(look) {
        setFixedSize(2 * grid, grid * 3 / 2);
    }

  protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor colour = m_colour(ThemeManager::instance().theme());
        if (m_look == LivePlot::Look::Points) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawEllipse(QRectF(rect()).center(), 3.5, 3.5);
            return;
        }
        if (m_look == LivePlot::Look::Ticks) {
            painter.setPen(QPen(colour, 2));
            painter.drawLine(QPointF(width() / 2.0, 2), QPointF(width() / 2.0, height() - 2));
            return;
        }
        QPen pen(colour, m_look == LivePlot::Look::Strong ? 2 : 1);
        if (m_look == LivePlot::Look::Dashed)
            pen.setStyle(Qt::DashLine);
        painter.setPen(pen);
        painter.drawLine(QPointF(0, height() / 2.0), QPointF(width(), height() / 2.0));
    }

  private:
    PlotColour m_colour;
    LivePlot::Look m_look;
};

}  // namespace

PlotLegend::PlotLegend(const QString &title, QWidget *parent)
    : QWidget(parent), m_entries(new QHBoxLayout), m_summary(makeLabel({}, "small")) {
    m_entries->setSpacing(grid / 2);
    m_summary->hide();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid / 2);
    layout->addWidget(makeLabel(title, "strong"));
    layout->addLayout(m_entries);
    layout->addSpacing(grid);
    layout->addWidget(m_summary);
    layout->addStretch(1);
}

void PlotLegend::add(const QString &name, const PlotColour &colour, LivePlot::Look look) {
    m_entries->addSpacing(grid);
    m_entries->addWidget(new Swatch(colour, look));
    m_entries->addWidget(makeLabel(name, "small"));
}

void PlotLegend::setSummary(const QString &text) {
    m_summary->setText(text);
    m_summary->setVisible(!text.isEmpty());
}

void PlotLegend::clear() {
    while (QLayoutItem *item = m_entries->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    setSummary({});
}

}  // namespace hearth
