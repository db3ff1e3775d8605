#include "ui/train/plot_legend.h"

#include <QPainter>
#include <utility>

#include "ui/train/lines_layout.h"

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
        if (m_look == LivePlot::Look::Rings) {
            painter.setPen(QPen(colour, 2));
            painter.drawEllipse(QRectF(rect()).center(), 4.5, 4.5);
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

PlotLegend::PlotLegend(const QString &title, QWidget *parent) : QWidget(parent), m_summary(makeLabel({}, "small")) {
    m_summary->hide();
    auto *layout = new LinesLayout(this);
    layout->addWidget(makeLabel(title, "strong"));
    layout->addWidget(m_summary);
}

void PlotLegend::add(const QString &name, const PlotColour &colour, LivePlot::Look look) {
    auto *entry = new QWidget;
    auto *row = new QHBoxLayout(entry);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid / 2);
    row->addWidget(new Swatch(colour, look));
    row->addWidget(makeLabel(name, "small"));
    layout()->addWidget(entry);
    m_entries.push_back(entry);
}

void PlotLegend::setSummary(const QString &text) {
    m_summary->setText(text);
    m_summary->setVisible(!text.isEmpty());
}

void PlotLegend::clear() {
    for (QWidget *entry : m_entries)
        delete entry;
    m_entries.clear();
    setSummary({});
}

}  // namespace hearth
