#include "ui/live_plot.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/custom_plot.h"

namespace hearth {

namespace {

/// A piece of the curve beside its name.
class Swatch : public QWidget {
  public:
    Swatch(ThemeColour colour, LivePlot::Look look) : m_colour(colour), m_look(look) {
        setFixedSize(2 * grid, grid * 3 / 2);
    }

  protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor colour = ThemeManager::instance().theme().*m_colour;
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
    ThemeColour m_colour;
    LivePlot::Look m_look;
};

// Below this the x axis would jump about in the first seconds.
constexpr double shortestSpan = 10;
constexpr double headroom = 1.08;
// How far above the strong curves a faint one is shown.
constexpr double mostFaint = 1.5;
// The newest point is seen whole, not cut by the frame.
constexpr double rightRoom = 1.015;
// Labels of marks that lie close to each other go into rows; what finds no room in these is left to the event list.
constexpr int labelRows = 3;
constexpr int labelGap = 4;

/// A stroke that stands on its point.
QPainterPath tickPath() {
    QPainterPath path;
    path.moveTo(0, 0);
    path.lineTo(0, -grid);
    return path;
}

}  // namespace

LivePlot::LivePlot(const QString &objectName, const QString &title, QWidget *parent)
    : QWidget(parent), m_plot(new QCustomPlot), m_legend(new QHBoxLayout) {
    setObjectName(objectName);
    m_plot->setObjectName(objectName + QStringLiteral("Plot"));
    m_plot->setAccessibleName(title);
    m_plot->setMinimumHeight(11 * grid);
    m_plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->axisRect()->setAutoMargins(QCP::msAll);
    // The same on every plot, so that their time axes lie under each other.
    m_plot->axisRect()->setMinimumMargins({8 * grid, grid, 5 * grid, 3 * grid});
    const QSharedPointer<QCPAxisTickerTime> clock(new QCPAxisTickerTime);
    clock->setTimeFormat(QStringLiteral("%m:%s"));
    m_plot->xAxis->setTicker(clock);
    m_plot->xAxis->setRange(0, shortestSpan);
    m_plot->yAxis->setRange(0, 1);
    m_plot->yAxis->setTickLabels(false);
    m_plot->yAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->yAxis->setNumberPrecision(0);
    m_plot->setLocale(QLocale());

    m_legend->setSpacing(grid / 2);
    m_legend->addWidget(makeLabel(title, "strong"));
    m_legend->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(m_legend);
    layout->addWidget(m_plot, 1);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &LivePlot::retheme);
    retheme();
}

int LivePlot::addCurve(const QString &name, ThemeColour colour, Look look, bool right) {
    QCPGraph *graph = m_plot->addGraph(m_plot->xAxis, right ? m_plot->yAxis2 : m_plot->yAxis);
    graph->setName(name);
    graph->setAdaptiveSampling(true);
    m_curves.push_back({graph, colour, look});
    m_legend->addSpacing(grid);
    m_legend->addWidget(new Swatch(colour, look));
    m_legend->addWidget(makeLabel(name, "small"));
    retheme();
    return static_cast<int>(m_curves.size()) - 1;
}

void LivePlot::addPoint(int curve, double t, double value) {
    m_curves[curve].graph->addData(t, value);
}

std::vector<QPointF> LivePlot::points(int curve) const {
    std::vector<QPointF> result;
    const auto stored = m_curves[curve].graph->data();
    for (auto point = stored->constBegin(); point != stored->constEnd(); ++point) {
        if (std::isfinite(point->value))
            result.emplace_back(point->key, point->value);
    }
    return result;
}

void LivePlot::setRightAxisFormat(double lower, double upper) {
    m_plot->yAxis2->setVisible(true);
    m_plot->yAxis2->setRange(lower, upper);
    m_plot->yAxis2->setNumberFormat(QStringLiteral("f"));
    m_plot->yAxis2->setNumberPrecision(0);
}

void LivePlot::addGap(int curve, double t) {
    m_curves[curve].graph->addData(t, qQNaN());
}

void LivePlot::dropAfter(int curve, double t) {
    m_curves[curve].graph->data()->removeAfter(t);
}

QStringList LivePlot::markLabels() const {
    QStringList labels;
    for (const Mark &mark : m_marks)
        labels << mark.label->text();
    return labels;
}

void LivePlot::addMark(double t, ThemeColour colour, const QString &label, bool urgent) {
    auto *line = new QCPItemStraightLine(m_plot);
    line->point1->setCoords(t, 0);
    line->point2->setCoords(t, 1);
    auto *text = new QCPItemText(m_plot);
    text->setText(label);
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    text->position->setTypeX(QCPItemPosition::ptPlotCoords);
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->setPadding({3, 0, 3, 0});
    text->setVisible(false);
    m_marks.push_back({t, line, text, colour, urgent});
    style(m_marks.back());
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LivePlot::style(const Mark &mark) {
    const Theme &theme = ThemeManager::instance().theme();
    mark.line->setPen(QPen(theme.*mark.colour, 1, Qt::DotLine));
    mark.label->setFont(smallFont());
    mark.label->setColor(theme.*mark.colour);
    mark.label->setBrush(theme.surface);
}

/// Returns how many rows are in use.
int LivePlot::placeLabels() {
    const QFontMetrics metrics(smallFont());
    const QRect room = m_plot->axisRect()->rect();
    const double rowShare = static_cast<double>(metrics.height()) / std::max(1, room.height());
    std::vector<std::vector<std::pair<double, double>>> taken(labelRows);
    int used = 0;
    for (const bool urgent : {true, false}) {
        for (const Mark &mark : std::as_const(m_marks)) {
            if (mark.urgent != urgent)
                continue;
            const double left = m_plot->xAxis->coordToPixel(mark.t);
            const double width = metrics.horizontalAdvance(mark.label->text()) + 6 + labelGap;
            const bool turned = left + width > room.right();
            const std::pair<double, double> span =
                turned ? std::pair(left - width, left) : std::pair(left, left + width);
            const auto row = std::ranges::find_if(taken, [&span](const auto &spans) {
                return std::ranges::none_of(spans, [&span](const auto &other) {
                    return span.first < other.second && other.first < span.second;
                });
            });
            // Half a word says nothing: that of a mark before the first point is left out.
            const bool fits = m_labelled && row != taken.end() && span.first >= room.left();
            mark.label->setVisible(fits);
            if (!fits)
                continue;
            const auto index = static_cast<int>(row - taken.begin());
            row->push_back(span);
            used = std::max(used, index + 1);
            mark.label->setPositionAlignment((turned ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
            mark.label->position->setCoords(mark.t, index * rowShare);
        }
    }
    return used;
}

void LivePlot::clearData() {
    for (const Curve &curve : std::as_const(m_curves))
        curve.graph->data()->clear();
    for (const Mark &mark : std::as_const(m_marks)) {
        m_plot->removeItem(mark.line);
        m_plot->removeItem(mark.label);
    }
    m_marks.clear();
    m_plot->xAxis->setRange(0, shortestSpan);
    m_plot->yAxis->setRange(0, 1);
    m_plot->yAxis->setTickLabels(false);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LivePlot::replot(double firstT, double lastT) {
    double highest = 0, highestFaint = 0;
    for (const Curve &curve : std::as_const(m_curves)) {
        if (curve.graph->valueAxis() != m_plot->yAxis)
            continue;
        bool found = false;
        const QCPRange range = curve.graph->data()->valueRange(found);
        double &most = curve.look == Look::Faint ? highestFaint : highest;
        most = found ? std::max(most, range.upper) : most;
    }
    // Single values far above all that matters would press the curves to the ground.
    highest = highest > 0 ? std::max(highest, std::min(highestFaint, mostFaint * highest)) : highestFaint;
    const double start = std::max(0.0, std::floor(firstT));
    const double span = std::max(lastT - start, shortestSpan);
    m_plot->xAxis->setRange(start, start + span * rightRoom);
    // Without data the numbers of an axis would mean nothing.
    m_plot->yAxis->setTickLabels(highest > 0);
    m_plot->yAxis2->setTickLabels(highest > 0);
    // The curves stay below the labels.
    const int labels = placeLabels() * QFontMetrics(smallFont()).height();
    const int room = std::max(1, m_plot->axisRect()->height());
    const double below = std::max(0.5, 1 - static_cast<double>(labels) / room);
    if (highest > 0) {
        m_plot->yAxis->setRange(0, highest * headroom / below);
        m_plot->yAxis->setNumberPrecision(highest < 10 ? 1 : 0);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LivePlot::retheme() {
    const Theme &theme = ThemeManager::instance().theme();
    m_plot->setBackground(theme.surface);
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis, m_plot->yAxis2}) {
        axis->setBasePen(QPen(theme.border, 1));
        axis->setTickPen(QPen(theme.border, 1));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(theme.secondary);
        axis->setTickLabelFont(smallFont());
        axis->setTickLength(0, 4);
        axis->grid()->setPen(QPen(theme.gridLine, 1));
        axis->grid()->setZeroLinePen(QPen(theme.border, 1));
        axis->ticker()->setTickCount(axis == m_plot->xAxis ? 6 : 4);
    }
    m_plot->yAxis2->setBasePen(Qt::NoPen);
    m_plot->yAxis->setBasePen(Qt::NoPen);
    for (const Curve &curve : std::as_const(m_curves)) {
        const QColor colour = theme.*curve.colour;
        switch (curve.look) {
            case Look::Faint:
                curve.graph->setPen(QPen(colour, 1));
                break;
            case Look::Strong:
                curve.graph->setPen(QPen(colour, 2));
                break;
            case Look::Dashed:
                curve.graph->setPen(QPen(colour, 1, Qt::DashLine));
                break;
            case Look::Ticks:
                curve.graph->setLineStyle(QCPGraph::lsNone);
                curve.graph->setScatterStyle(QCPScatterStyle(tickPath(), QPen(colour, 2), Qt::NoBrush, grid));
                break;
            case Look::Points:
                curve.graph->setPen(QPen(colour, 1, Qt::DotLine));
                curve.graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, colour, 8));
                break;
        }
    }
    for (const Mark &mark : std::as_const(m_marks))
        style(mark);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace hearth
