#include "ui/train/curve_plot.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/base/custom_plot.h"

namespace hearth {

namespace {
constexpr double headroom = 1.08;
// Half a point of the last round would be cut off.
constexpr double rightRoom = 1.02;
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
    m_plot->axisRect()->setMinimumMargins({5 * grid, grid / 2, 2 * grid, 2 * grid});
    m_plot->setLocale(QLocale());
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
    show({}, Axis::Round);
}

ThemeColour CurvePlot::lineColour(bool second) {
    return second ? &Theme::info : &Theme::accent;
}

Qt::PenStyle CurvePlot::lineStyle(bool second) {
    return second ? Qt::DashLine : Qt::SolidLine;
}

void CurvePlot::show(const std::vector<Line> &lines, Axis axis) {
    m_plot->clearGraphs();
    m_second.clear();
    double last = 0, highest = 0;
    for (const Line &line : lines) {
        QVector<double> keys, values;
        keys.reserve(static_cast<qsizetype>(line.curve.size()));
        values.reserve(keys.capacity());
        for (const CurvePoint &point : line.curve) {
            keys << (axis == Axis::Round ? point.round : point.t);
            values << point.value * m_factor;
            last = std::max(last, keys.constLast());
            if (std::isfinite(point.value))
                highest = std::max(highest, values.constLast());
        }
        QCPGraph *graph = m_plot->addGraph();
        graph->setAdaptiveSampling(true);
        graph->setData(keys, values, true);
        m_second.push_back(line.second);
    }
    if (axis == Axis::Time) {
        const QSharedPointer<QCPAxisTickerTime> clock(new QCPAxisTickerTime);
        clock->setTimeFormat(last >= 3600 ? QStringLiteral("%h:%m:%s") : QStringLiteral("%m:%s"));
        m_plot->xAxis->setTicker(clock);
    } else {
        m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    }
    m_plot->xAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->xAxis->setNumberPrecision(0);
    m_plot->yAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->yAxis->setNumberPrecision(highest < 10 ? 1 : 0);
    m_plot->xAxis->setRange(0, std::max(last, 1.0) * rightRoom);
    m_plot->yAxis->setRange(0, m_highest > 0 ? m_highest : std::max(highest * headroom, 1e-3));
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

QPixmap CurvePlot::picture(QSize size, double scale) const {
    return m_plot->toPixmap(size.width(), size.height(), scale);
}

void CurvePlot::retheme() {
    const Theme &theme = ThemeManager::instance().theme();
    m_plot->setBackground(theme.surface);
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(axis == m_plot->xAxis ? QPen(theme.border, 1) : QPen(Qt::NoPen));
        axis->setTickPen(QPen(theme.border, 1));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(theme.secondary);
        axis->setTickLabelFont(smallFont());
        axis->setTickLength(0, 4);
        axis->grid()->setPen(QPen(theme.gridLine, 1));
        axis->grid()->setZeroLinePen(QPen(theme.border, 1));
        axis->ticker()->setTickCount(4);
    }
    for (int i = 0; i < m_plot->graphCount(); ++i) {
        const bool second = m_second[static_cast<std::size_t>(i)];
        const QColor colour = theme.*lineColour(second);
        QCPGraph *graph = m_plot->graph(i);
        graph->setPen(QPen(colour, 1, lineStyle(second)));
        const bool few = static_cast<std::size_t>(graph->dataCount()) <= mostDiscs;
        graph->setScatterStyle(
            few ? QCPScatterStyle(second ? QCPScatterStyle::ssSquare : QCPScatterStyle::ssDisc, colour, colour, 5)
                : QCPScatterStyle::ssNone);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace hearth
