#include "ui/train/live_plot.h"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/custom_plot.h"
#include "ui/base/focus_ring.h"
#include "ui/train/clock_ticker.h"
#include "ui/train/plot_cursor.h"
#include "ui/train/plot_legend.h"
#include "ui/train/plot_marks.h"
#include "ui/train/round_ticker.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

// Below this the x axis would jump about in the first seconds.
constexpr double shortestSpan = 10;
constexpr double headroom = 1.08;
// How far above the strong curves a faint one is shown.
constexpr double mostFaint = 1.5;
// All curves of a plot together have so many pieces: with many of them each is a little coarser, and a frame stays
// short.
constexpr int mostPieces = 8192;
constexpr int leastPieces = 64;

/// A stroke that stands on its point.
QPainterPath tickPath() {
    QPainterPath path;
    path.moveTo(0, 0);
    path.lineTo(0, -grid);
    return path;
}

}  // namespace

LivePlot::LivePlot(const QString &objectName, const QString &title, QWidget *parent)
    : QWidget(parent),
      m_plot(new QCustomPlot),
      m_legend(new PlotLegend(title)),
      m_marks(new PlotMarks(m_plot)),
      m_cursor(new PlotCursor(m_plot)) {
    setObjectName(objectName);
    m_plot->setObjectName(objectName + QStringLiteral("Plot"));
    m_plot->setAccessibleName(title);
    m_plot->setMinimumHeight(11 * grid);
    m_plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    new FocusRing(m_plot);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->axisRect()->setAutoMargins(QCP::msAll);
    // The same on every plot, so that their axes lie under each other.
    m_plot->axisRect()->setMinimumMargins({8 * grid, grid, 5 * grid, 3 * grid});
    m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new ClockTicker));
    m_plot->xAxis->setRange(0, shortestSpan);
    m_plot->yAxis->setRange(0, 1);
    m_plot->yAxis->setTickLabels(false);
    m_plot->yAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->yAxis->setNumberPrecision(0);
    m_plot->setLocale(QLocale());

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_legend);
    layout->addWidget(m_plot, 1);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &LivePlot::retheme);
    retheme();
}

int LivePlot::addCurve(const QString &name, const PlotColour &colour, Look look, bool right) {
    QCPGraph *graph = m_plot->addGraph(m_plot->xAxis, right ? m_plot->yAxis2 : m_plot->yAxis);
    graph->setName(name);
    // What it is given is thinned out already.
    graph->setAdaptiveSampling(false);
    m_curves.push_back({name, graph, colour, look, nullptr, 1, &formatNumber});
    if (!name.isEmpty())
        m_legend->add(name, colour, look);
    style(m_curves.back());
    return curveCount() - 1;
}

void LivePlot::setSeries(int curve, const TimeSeries *series, double scale) {
    Curve &changed = m_curves[static_cast<std::size_t>(curve)];
    changed.series = series;
    changed.scale = scale;
}

void LivePlot::setReadoutFormat(int curve, std::function<QString(double)> format) {
    m_curves[static_cast<std::size_t>(curve)].format = std::move(format);
}

void LivePlot::removeCurves() {
    m_curves.clear();
    m_plot->clearGraphs();
    m_legend->clear();
}

void LivePlot::setLegendSummary(const QString &text) {
    m_legend->clear();
    m_legend->setSummary(text);
}

std::vector<QPointF> LivePlot::points(int curve) const {
    const Curve &shown = m_curves[static_cast<std::size_t>(curve)];
    std::vector<QPointF> result;
    if (shown.series == nullptr)
        return result;
    for (const TimeSeries::Piece &piece : shown.series->all())
        result.emplace_back(m_axis.placeOf((piece.from + piece.to) / 2), piece.mean * shown.scale);
    return result;
}

std::vector<QPointF> LivePlot::drawnPoints(int curve) const {
    std::vector<QPointF> result;
    const auto drawn = m_curves[static_cast<std::size_t>(curve)].graph->data();
    for (auto point = drawn->constBegin(); point != drawn->constEnd(); ++point)
        result.emplace_back(point->key, point->value);
    return result;
}

int LivePlot::markCount() const {
    return static_cast<int>(m_marks->marks().size());
}

QStringList LivePlot::markLabels() const {
    QStringList labels;
    for (const PlotMarks::Mark &mark : m_marks->marks())
        labels << mark.label;
    return labels;
}

std::vector<double> LivePlot::markPlaces() const {
    return m_marks->places();
}

void LivePlot::addMark(double t, ThemeColour colour, const QString &label, bool urgent) {
    m_marks->add({t, label, colour, urgent});
}

void LivePlot::clearMarks() {
    m_marks->clear();
}

void LivePlot::setAxis(const PlotAxis &axis) {
    const AxisKind before = m_axis.kind();
    m_axis = axis;
    if (axis.kind() == before)
        return;
    m_plot->xAxis->setTicker(axis.kind() == AxisKind::Time
                                 ? QSharedPointer<QCPAxisTicker>(new ClockTicker)
                                 : QSharedPointer<QCPAxisTicker>(new RoundTicker(axis.kind() == AxisKind::Round)));
    retheme();
}

void LivePlot::setLeftAxisFormat(double lower, double upper) {
    m_fixedLeft = true;
    m_plot->yAxis->setRange(lower, upper);
}

void LivePlot::setLogScale(bool on) {
    m_logScale = on;
    QCPAxis *axis = m_plot->yAxis;
    axis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setTicker(on ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                       : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    axis->setNumberFormat(on ? QStringLiteral("g") : QStringLiteral("f"));
    axis->setNumberPrecision(on ? 3 : 0);
    retheme();
}

void LivePlot::setRightAxisFormat(double lower, double upper) {
    m_plot->yAxis2->setVisible(true);
    m_plot->yAxis2->setRange(lower, upper);
    m_plot->yAxis2->setNumberFormat(QStringLiteral("f"));
    m_plot->yAxis2->setNumberPrecision(0);
}

void LivePlot::clearData() {
    for (const Curve &curve : m_curves)
        curve.graph->data()->clear();
    m_marks->clear();
    m_plot->xAxis->setRange(0, shortestSpan);
    if (!m_fixedLeft)
        m_plot->yAxis->setRange(0, 1);
    m_plot->yAxis->setTickLabels(false);
    setCursor(std::nullopt);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LivePlot::showPart(const PlotStretch &stretch) {
    setAxis(stretch.axis());
    m_plot->xAxis->setRange(stretch.left(), stretch.right());
    const int pixels = std::max(100, m_plot->axisRect()->width());
    const int share = mostPieces / std::max(1, curveCount());
    Highest highest;
    for (const Curve &curve : m_curves)
        fill(curve, stretch, std::clamp(share, leastPieces, pixels), highest);
    scaleLeftAxis(highest, m_marks->arrange(stretch, m_labelled));
    if (m_cursorAt)
        setCursor(m_cursorAt);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// A piece of several values is drawn from its least to its greatest, so that a peak between two pixels is seen.
void LivePlot::fill(const Curve &curve, const PlotStretch &stretch, int most, Highest &highest) {
    if (curve.series == nullptr)
        return;
    const double from = stretch.from();
    const double to = std::isinf(stretch.to()) ? std::max(from, curve.series->lastT()) : stretch.to();
    const bool single = curve.look == Look::Points || curve.look == Look::Ticks || curve.look == Look::Rings;
    QVector<QCPGraphData> drawn;
    double greatest = 0, last = 0, lowest = highest.least;
    double end = from;
    for (const TimeSeries::Piece &piece : curve.series->read(from, to, most)) {
        const double place = stretch.placeOf((piece.from + piece.to) / 2);
        const double least = piece.least * curve.scale, greatestHere = piece.most * curve.scale;
        if (piece.to >= from && piece.from <= to) {
            greatest = std::max(greatest, greatestHere);
            if (least > 0)
                lowest = std::min(lowest, least);
        }
        if (piece.breakBefore && !drawn.isEmpty()) {
            const double before = stretch.placeOf(end), after = stretch.placeOf(piece.from);
            if (m_axis.isHole(before, after))
                drawn.append({(before + after) / 2, qQNaN()});
        }
        end = piece.to;
        if (single || piece.count == 1) {
            drawn.append({place, piece.mean * curve.scale});
            continue;
        }
        // First what lies nearer to where the line comes from.
        const bool upwards = std::abs(least - last) <= std::abs(greatestHere - last);
        last = upwards ? greatestHere : least;
        drawn.append({place, upwards ? least : greatestHere});
        drawn.append({place, last});
    }
    curve.graph->data()->set(drawn, true);
    if (curve.graph->valueAxis() == m_plot->yAxis) {
        double &seen = curve.look == Look::Faint ? highest.faint : highest.strong;
        seen = std::max(seen, greatest);
        highest.least = lowest;
    }
}

void LivePlot::scaleLeftAxis(const Highest &highest, int labelRows) {
    // Single values far above all that matters would press the curves to the ground.
    const double most = highest.strong > 0
                            ? std::max(highest.strong, std::min(highest.faint, mostFaint * highest.strong))
                            : highest.faint;
    // Without data the numbers of an axis would mean nothing.
    m_plot->yAxis->setTickLabels(most > 0);
    m_plot->yAxis2->setTickLabels(most > 0);
    if (m_fixedLeft || most <= 0)
        return;
    // The curves stay below the labels.
    const int labels = labelRows * QFontMetrics(smallFont()).height();
    const int room = std::max(1, m_plot->axisRect()->height());
    const double below = std::max(0.5, 1 - static_cast<double>(labels) / room);
    if (m_logScale) {
        // As much room in proportion.
        const double least = std::min(highest.least, most), decades = std::log10(most * headroom / least);
        m_plot->yAxis->setRange(least / headroom, least * std::pow(10, decades / below));
        return;
    }
    m_plot->yAxis->setRange(0, most * headroom / below);
    m_plot->yAxis->setNumberPrecision(most < 1 ? 2 : most < 10 ? 1 : 0);
}

void LivePlot::paintOn(QPainter &painter, double scale) {
    m_legend->render(&painter, m_legend->pos(), {}, QWidget::DrawChildren);
    painter.drawPixmap(m_plot->pos(), pictureOf(*m_plot, m_plot->size(), scale));
}

void LivePlot::retheme() {
    const Theme &theme = ThemeManager::instance().theme();
    m_plot->setBackground(theme.surface);
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis, m_plot->yAxis2}) {
        axis->setBasePen(QPen(theme.border, 1));
        styleAxis(*axis, theme);
        axis->ticker()->setTickCount(axis == m_plot->xAxis ? 6 : 4);
    }
    m_plot->yAxis2->setBasePen(Qt::NoPen);
    m_plot->yAxis->setBasePen(Qt::NoPen);
    for (const Curve &curve : m_curves)
        style(curve);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LivePlot::style(const Curve &curve) {
    const QColor colour = curve.colour(ThemeManager::instance().theme());
    switch (curve.look) {
        case Look::Faint:
        case Look::Thin:
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
        case Look::Rings:
            curve.graph->setLineStyle(QCPGraph::lsNone);
            curve.graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colour, 2), Qt::NoBrush, 14));
            break;
        case Look::Points:
            curve.graph->setPen(QPen(colour, 1, Qt::DotLine));
            curve.graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, colour, 8));
            break;
    }
}

}  // namespace hearth
