#include "ui/train/curve_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/base/custom_plot.h"
#include "ui/train/clock_ticker.h"
#include "ui/train/round_ticker.h"

namespace hearth {

namespace {
constexpr double curveHeadroom = 1.08;
// Half a point of the last round would be cut off.
constexpr double curveRightRoom = 1.04;
constexpr int ticksAcross = 4, ticksUp = 6;
// Few enough points to see each of them.
constexpr std::size_t mostDiscs = 60;

}  // namespace

CurvePlot::CurvePlot(const QString &objectName, const QString &title, double factor, double highest, QWidget *parent)
    : QWidget(parent),
      m_title(title),
      m_factor(factor),
      m_highest(highest),
      m_plot(new QCustomPlot),
      m_nothing(makeLabel(tr("Nothing was measured."), "small")) {
    setObjectName(objectName);
    m_plot->setObjectName(objectName + QStringLiteral("Plot"));
    m_plot->setAccessibleName(title);
    m_plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    m_plot->setMinimumHeight(9 * grid);
    m_plot->axisRect()->setAutoMargins(QCP::msAll);
    m_plot->axisRect()->setMinimumMargins({5 * grid, grid, 2 * grid, 2 * grid});
    m_plot->setLocale(QLocale());
    m_plot->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new RoundTicker(false)));
    m_nothing->setObjectName(objectName + QStringLiteral("Nothing"));
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeLabel(title, "small"));
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_nothing, 1);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &CurvePlot::retheme);
    show({}, Axis::Round, 0);
}

QColor CurvePlot::lineColour(int look) {
    const Theme &theme = ThemeManager::instance().theme();
    return look == 0 ? theme.accent : look == 1 ? theme.info : theme.line(look);
}

QPen CurvePlot::linePen(int look, double width) {
    constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return {lineColour(look), width, styles[static_cast<std::size_t>(look) % std::size(styles)]};
}

double CurvePlot::keyOf(const CurvePoint &point, Axis axis) {
    return axis == Axis::Round ? point.round : point.t;
}

void CurvePlot::show(const std::vector<Line> &lines, Axis axis, double last) {
    m_plot->clearGraphs();
    m_looks.clear();
    double highest = 0;
    for (const Line &line : lines) {
        QVector<double> keys, values;
        keys.reserve(static_cast<qsizetype>(line.curve.size()));
        values.reserve(keys.capacity());
        for (const CurvePoint &point : line.curve) {
            keys << keyOf(point, axis);
            values << point.value * m_factor;
            if (std::isfinite(point.value))
                highest = std::max(highest, values.constLast());
        }
        QCPGraph *graph = m_plot->addGraph();
        graph->setAdaptiveSampling(true);
        graph->setData(keys, values, true);
        m_looks.push_back(line.look);
    }
    m_plot->xAxis->setTicker(axis == Axis::Time ? QSharedPointer<QCPAxisTicker>(new ClockTicker)
                                                : QSharedPointer<QCPAxisTicker>(new RoundTicker(true)));
    m_plot->xAxis->setRange(0, std::max(last, 1.0) * curveRightRoom);
    m_plot->yAxis->setRange(0, m_highest > 0 ? m_highest : std::max(highest * curveHeadroom, 1e-3));
    const bool any = std::ranges::any_of(lines, [](const Line &line) { return !line.curve.empty(); });
    m_plot->setVisible(any);
    m_nothing->setVisible(!any);
    retheme();
}

std::vector<QPointF> CurvePlot::points(int line) const {
    std::vector<QPointF> result;
    const auto stored = m_plot->graph(line)->data();
    for (auto point = stored->constBegin(); point != stored->constEnd(); ++point) {
        if (std::isfinite(point->value))
            result.emplace_back(point->key, point->value);
    }
    return result;
}

QStringList CurvePlot::tickLabels(Qt::Orientation orientation) const {
    m_plot->replot();
    const QVector<QString> labels = (orientation == Qt::Horizontal ? m_plot->xAxis : m_plot->yAxis)->tickVectorLabels();
    return {labels.begin(), labels.end()};
}

double CurvePlot::axisEnd() const {
    return m_plot->xAxis->range().upper;
}

QPixmap CurvePlot::picture(QSize size, double scale) const {
    return pictureOf(*m_plot, size, scale);
}

void CurvePlot::retheme() {
    const Theme &theme = ThemeManager::instance().theme();
    m_plot->setBackground(theme.surface);
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(axis == m_plot->xAxis ? QPen(theme.border, 1) : QPen(Qt::NoPen));
        styleAxis(*axis, theme);
        axis->ticker()->setTickCount(axis == m_plot->xAxis ? ticksAcross : ticksUp);
    }
    for (int i = 0; i < m_plot->graphCount(); ++i) {
        const int look = m_looks[static_cast<std::size_t>(i)];
        const QColor colour = lineColour(look);
        QCPGraph *graph = m_plot->graph(i);
        graph->setPen(linePen(look, 1));
        const bool few = static_cast<std::size_t>(graph->dataCount()) <= mostDiscs;
        graph->setScatterStyle(
            few ? QCPScatterStyle(look % 2 != 0 ? QCPScatterStyle::ssSquare : QCPScatterStyle::ssDisc, colour, colour,
                                  5)
                : QCPScatterStyle::ssNone);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace hearth
