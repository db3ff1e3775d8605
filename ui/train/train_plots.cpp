#include "ui/train/train_plots.h"

#include <QComboBox>
#include <QEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <tuple>

#include "ui/run/run_model.h"
#include "ui/run/tone_look.h"
#include "ui/train/live_plot.h"
#include "ui/words/format.h"

namespace hearth {

namespace {
constexpr int leastCardHeight = 18 * grid;
constexpr int gap = 2 * grid;
// More names than these do not fit above a plot.
constexpr int mostNames = 4;
constexpr double bytesPerMiB = 1 << 20, bytesPerGiB = 1 << 30;
constexpr double bytesPerMB = 1e6;
constexpr double minute = 60, hour = 3600;
constexpr std::array<double, 6> spans{minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour};
constexpr double zoomStep = 0.5;

PlotColour lineColour(int index) {
    return [index](const Theme &theme) { return theme.line(index); };
}

QString percentText(double percent) {
    return formatPercent(percent / 100);
}

}  // namespace

TrainPlots::TrainPlots(const RunModel &run, QWidget *parent)
    : QWidget(parent), m_run(run), m_scroll(new QScrollArea), m_column(new QWidget) {
    setObjectName(QStringLiteral("trainPlots"));
    auto *column = new QVBoxLayout(m_column);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap);
    buildRunPlots();
    buildDevicePlots();
    m_scroll->setObjectName(QStringLiteral("plotScroll"));
    m_scroll->setAccessibleName(tr("Plots of the run"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // The plots take the focus, and scroll into sight when they get it.
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(m_column);
    m_scroll->viewport()->installEventFilter(this);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addWidget(buildControls());
    layout->addWidget(m_scroll, 1);
    connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this, &TrainPlots::draw);
    connect(&m_window, &TimeWindow::changed, this, &TrainPlots::drawSoon);
    connect(&m_window, &TimeWindow::changed, this, &TrainPlots::showControls);
    connect(&m_window, &TimeWindow::cursorChanged, this, &TrainPlots::showCursor);
    connect(&run, &RunModel::cleared, this, &TrainPlots::clear);
    connect(&run.log(), &EventLog::marksThinned, this, [this] {
        m_plottedMarks = 0;
        for (LivePlot *plot : m_plots)
            plot->clearMarks();
    });
    showControls();
}

QWidget *TrainPlots::buildControls() {
    auto *row = new QWidget;
    m_span = new QComboBox;
    m_span->setObjectName(QStringLiteral("plotSpan"));
    m_span->setAccessibleName(tr("How much time the plots show"));
    for (const double span : spans)
        m_span->addItem(span < hour ? tr("Last %n minute(s)", nullptr, static_cast<int>(span / minute))
                                    : tr("Last %n hour(s)", nullptr, static_cast<int>(span / hour)));
    m_span->addItem(tr("Whole run"));
    m_less = makeButton(QStringLiteral("plotZoomIn"), {}, "link");
    m_less->setAccessibleName(tr("Show less time"));
    m_less->setToolTip(tr("Show less time (+, or Ctrl and the mouse wheel)"));
    setThemedIcon(m_less, QStringLiteral("zoom-in"), &Theme::text);
    m_more = makeButton(QStringLiteral("plotZoomOut"), {}, "link");
    m_more->setAccessibleName(tr("Show more time"));
    m_more->setToolTip(tr("Show more time (−, or Ctrl and the mouse wheel)"));
    setThemedIcon(m_more, QStringLiteral("zoom-out"), &Theme::text);
    m_follow = makeButton(QStringLiteral("plotFollow"), tr("Follow"), "segment");
    m_follow->setCheckable(true);
    m_logScale = makeButton(QStringLiteral("plotLogScale"), tr("Log scale"), "segment");
    m_logScale->setCheckable(true);
    m_logScale->setToolTip(tr("Show the loss by powers of ten"));
    connect(m_logScale, &QPushButton::clicked, this, [this](bool on) {
        m_quality->setLogScale(on);
        draw();
    });
    m_follow->setToolTip(tr("Keep the newest data in sight (End). Drag a plot to look back."));
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addWidget(m_span);
    layout->addWidget(m_less);
    layout->addWidget(m_more);
    layout->addWidget(m_follow);
    layout->addStretch(1);
    layout->addWidget(m_logScale);
    connect(m_span, &QComboBox::activated, this, [this](int index) {
        const auto at = static_cast<std::size_t>(index);
        m_window.setSpan(at < spans.size() ? std::optional(spans[at]) : std::nullopt);
        m_window.follow();
    });
    connect(m_less, &QPushButton::clicked, this, [this] { m_window.zoom(zoomStep); });
    connect(m_more, &QPushButton::clicked, this, [this] { m_window.zoom(1 / zoomStep); });
    connect(m_follow, &QPushButton::clicked, this, [this](bool on) {
        m_window.setFollows(on);
        showControls();
    });
    return row;
}

LivePlot *TrainPlots::addPlot(const char *objectName, const QString &title) {
    auto *plot = new LivePlot(QLatin1String(objectName), title);
    auto *card = new QFrame;
    card->setProperty("role", QStringLiteral("card"));
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(2 * grid, grid, grid, grid / 2);
    layout->addWidget(plot);
    m_column->layout()->addWidget(card);
    // One time axis: the marks of all are named once.
    plot->showMarkLabels(m_plots.empty());
    m_plots.push_back(plot);
    connect(plot, &LivePlot::zoomWanted, &m_window, qOverload<double, double>(&TimeWindow::zoom));
    connect(plot, &LivePlot::panWanted, &m_window, &TimeWindow::pan);
    connect(plot, &LivePlot::followWanted, &m_window, &TimeWindow::follow);
    connect(plot, &LivePlot::wholeWanted, &m_window, [this] { m_window.setSpan(std::nullopt); });
    connect(plot, &LivePlot::scrollWanted, this, [this](int pixels) {
        m_scroll->verticalScrollBar()->setValue(m_scroll->verticalScrollBar()->value() + pixels);
    });
    connect(plot, &LivePlot::cursorWanted, &m_window, &TimeWindow::setCursor);
    return plot;
}

void TrainPlots::buildRunPlots() {
    using Look = LivePlot::Look;
    const RunSeries &series = m_run.series();
    m_throughput = addPlot("throughputPlot", tr("Samples per second"));
    const auto curve = [](LivePlot *plot, int index, const TimeSeries &shown) { plot->setSeries(index, &shown); };
    curve(m_throughput, m_throughput->addCurve(tr("measured"), &Theme::controlBorder, Look::Faint), series.measured());
    curve(m_throughput, m_throughput->addCurve(tr("smoothed"), &Theme::accent, Look::Strong), series.smoothed());
    curve(m_throughput, m_throughput->addCurve(tr("predicted"), &Theme::info, Look::Dashed), series.predicted());
    curve(m_throughput, m_throughput->addCurve(tr("kept"), &Theme::good, Look::Ticks), series.kept());
    m_quality = addPlot("lossPlot", tr("Loss and accuracy"));
    for (const auto &[name, colour, look, shown] :
         {std::tuple{tr("loss"), &Theme::controlBorder, Look::Faint, &series.loss()},
          {tr("loss, smoothed"), &Theme::accent, Look::Strong, &series.smoothedLoss()},
          {tr("loss, evaluated"), &Theme::info, Look::Points, &series.evaluatedLoss()}}) {
        const int loss = m_quality->addCurve(name, colour, look);
        curve(m_quality, loss, *shown);
        m_quality->setReadoutFormat(loss, &formatLoss);
    }
    const int accuracy = m_quality->addCurve(tr("accuracy, % (right)"), &Theme::good, Look::Points, true);
    curve(m_quality, accuracy, series.accuracy());
    m_quality->setReadoutFormat(accuracy, &percentText);
    m_quality->setRightAxisFormat(0, 100);
    m_rate = addPlot("ratePlot", tr("Learning rate"));
    curve(m_rate, m_rate->addCurve(tr("learning rate"), &Theme::accent, Look::Strong), series.learningRate());
    m_norm = addPlot("normPlot", tr("Length of the gradients, before they are clipped"));
    curve(m_norm, m_norm->addCurve(tr("gradient norm"), &Theme::accent, Look::Thin), series.gradientNorm());
}

void TrainPlots::buildDevicePlots() {
    m_computing = addPlot("computingPlot", tr("Computing, % of the round"));
    m_waiting = addPlot("waitingPlot", tr("Waiting, % of the round"));
    m_sending = addPlot("sendingPlot", tr("Sending, % of the round"));
    for (LivePlot *plot : {m_computing, m_waiting, m_sending})
        plot->setLeftAxisFormat(0, 100);
    m_memory = addPlot("memoryPlot", tr("Memory, MiB"));
    m_cardBusy = addPlot("cardBusyPlot", tr("Graphics cards at work, % of the time"));
    m_cardBusy->setLeftAxisFormat(0, 100);
    m_cardMemory = addPlot("cardMemoryPlot", tr("Memory of the graphics cards, GiB"));
    m_cardCelsius = addPlot("cardCelsiusPlot", tr("Temperature of the graphics cards, °C"));
    m_cardWatts = addPlot("cardWattsPlot", tr("Power of the graphics cards, W"));
    m_traffic = addPlot("trafficPlot", tr("Link traffic, MB/s"));
    m_compression = addPlot("compressionPlot", tr("Compression, error in %"));
    // Until there is something to show.
    for (LivePlot *plot : {m_rate, m_norm, m_cardBusy, m_cardMemory, m_cardCelsius, m_cardWatts, m_compression})
        plot->parentWidget()->hide();
}

void TrainPlots::syncShown() {
    const RunSeries &series = m_run.series();
    for (const auto &[plot, isWanted] :
         {std::pair{m_rate, !series.learningRate().isEmpty()}, {m_norm, !series.gradientNorm().isEmpty()}})
        plot->parentWidget()->setVisible(isWanted);
}

void TrainPlots::syncDevices() {
    const auto &devices = m_run.series().devices();
    if (m_computing->curveCount() == static_cast<int>(devices.size()))
        return;
    using Series = TimeSeries RunSeries::OfDevice::*;
    const std::pair<LivePlot *, Series> plots[] = {{m_computing, &RunSeries::OfDevice::computing},
                                                   {m_waiting, &RunSeries::OfDevice::waiting},
                                                   {m_sending, &RunSeries::OfDevice::sending},
                                                   {m_memory, &RunSeries::OfDevice::memory}};
    // By name: what people look for.
    std::map<QString, const RunSeries::OfDevice *> byName;
    for (const auto &[id, series] : devices)
        byName[m_run.devices().name(id) + id] = &series;
    std::map<const RunSeries::OfDevice *, QString> names;
    for (const auto &[id, series] : devices)
        names[&series] = m_run.devices().name(id);
    for (const auto &[plot, member] : plots) {
        plot->removeCurves();
        for (const auto &[key, series] : byName) {
            const int curve = plot->addCurve(names[series], lineColour(plot->curveCount()), LivePlot::Look::Thin);
            plot->setSeries(curve, &(series->*member), plot == m_memory ? 1 / bytesPerMiB : 1);
            if (plot == m_memory)
                plot->setReadoutFormat(curve,
                                       [](double mib) { return formatBytes(static_cast<qint64>(mib * bytesPerMiB)); });
            else
                plot->setReadoutFormat(curve, &percentText);
        }
        if (plot->curveCount() > mostNames)
            plot->setLegendSummary(tr("%n device(s), a line each", nullptr, plot->curveCount()));
    }
}

/// Of devices that compute on one: a line each, of what its card tells.
void TrainPlots::syncCards() {
    using Series = TimeSeries RunSeries::OfDevice::*;
    const auto whole = [](const QString &unit) {
        return [unit](double value) { return QStringLiteral("%1 %2").arg(formatCount(std::llround(value)), unit); };
    };
    const std::tuple<LivePlot *, Series, double, std::function<QString(double)>> plots[] = {
        {m_cardBusy, &RunSeries::OfDevice::cardBusy, 1, &percentText},
        {m_cardMemory, &RunSeries::OfDevice::cardMemory, 1 / bytesPerGiB,
         [](double gib) { return formatBytes(static_cast<qint64>(gib * bytesPerGiB)); }},
        {m_cardCelsius, &RunSeries::OfDevice::cardCelsius, 1, whole(QStringLiteral("°C"))},
        {m_cardWatts, &RunSeries::OfDevice::cardWatts, 1, whole(QStringLiteral("W"))}};
    const auto &devices = m_run.series().devices();
    for (const auto &[plot, member, scale, text] : plots) {
        const auto tells = [&series = member](const auto &device) { return !(device.second.*series).isEmpty(); };
        const auto count = static_cast<int>(std::ranges::count_if(devices, tells));
        if (plot->curveCount() == count)
            continue;
        plot->parentWidget()->setVisible(count > 0);
        plot->removeCurves();
        std::map<QString, std::pair<QString, const TimeSeries *>> byName;
        for (const auto &device : devices) {
            const QString name = m_run.devices().name(device.first);
            if (tells(device))
                byName[name + device.first] = {name, &(device.second.*member)};
        }
        for (const auto &[key, one] : byName) {
            const int curve = plot->addCurve(one.first, lineColour(plot->curveCount()), LivePlot::Look::Thin);
            plot->setSeries(curve, one.second, scale);
            plot->setReadoutFormat(curve, text);
        }
        if (plot->curveCount() > mostNames)
            plot->setLegendSummary(tr("%n device(s), a line each", nullptr, plot->curveCount()));
    }
}

void TrainPlots::syncLinks() {
    const auto &links = m_run.series().links();
    const TimeSeries &saved = m_run.series().saved();
    // The first curve is the sum of all; what compression saves comes behind it.
    const int sums = saved.isEmpty() ? 1 : 2;
    if (m_traffic->curveCount() == static_cast<int>(links.size()) + sums || links.empty())
        return;
    const auto add = [this](const QString &name, const TimeSeries &series, const PlotColour &colour,
                            LivePlot::Look look) {
        const int curve = m_traffic->addCurve(name, colour, look);
        m_traffic->setSeries(curve, &series, 1 / bytesPerMB);
        m_traffic->setReadoutFormat(curve, [](double mb) { return formatRate(mb * bytesPerMB); });
    };
    m_traffic->removeCurves();
    add(tr("all links"), m_run.series().allLinks(), &Theme::accent, LivePlot::Look::Strong);
    if (!saved.isEmpty())
        add(tr("saved"), saved, &Theme::good, LivePlot::Look::Dashed);
    for (const auto &[link, series] : links) {
        const QString name = link.isEmpty() ? tr("other links")
                                            : tr("%1 to %2")
                                                  .arg(m_run.devices().name(link.section(QLatin1Char('>'), 0, 0)),
                                                       m_run.devices().name(link.section(QLatin1Char('>'), 1)));
        add(name, series, lineColour(m_traffic->curveCount()), LivePlot::Look::Thin);
    }
    const auto count = static_cast<int>(links.size());
    if (!saved.isEmpty() && m_traffic->curveCount() >= mostNames)
        m_traffic->setLegendSummary(tr("all, what compression saves, and %n link(s)", nullptr, count));
    else if (m_traffic->curveCount() > mostNames)
        m_traffic->setLegendSummary(tr("all of them, and %n link(s), a line each", nullptr, count));
}

/// Of runs whose cuts are compressed alone.
void TrainPlots::syncCuts() {
    const auto &errors = m_run.series().cutErrors();
    const bool isShown = !errors.empty();
    if (m_compression->parentWidget()->isHidden() == isShown)
        m_compression->parentWidget()->setVisible(isShown);
    if (!isShown || m_compression->curveCount() == static_cast<int>(errors.size()) + 1)
        return;
    const auto add = [this](const QString &name, const TimeSeries &series, const PlotColour &colour) {
        const int curve = m_compression->addCurve(name, colour, LivePlot::Look::Points);
        m_compression->setSeries(curve, &series);
        m_compression->setReadoutFormat(curve, &percentText);
    };
    m_compression->removeCurves();
    add(tr("loss"), m_run.series().lossOff(), &Theme::accent);
    for (const auto &[key, series] : errors) {
        const QString name = key.isForward ? tr("activations %1 → %2").arg(key.cut + 1).arg(key.cut + 2)
                                           : tr("gradients %1 → %2").arg(key.cut + 2).arg(key.cut + 1);
        add(name, series, lineColour(m_compression->curveCount()));
    }
    if (m_compression->curveCount() >= mostNames)
        m_compression->setLegendSummary(
            tr("the loss, and %n way(s) across cuts", nullptr, static_cast<int>(errors.size())));
}

void TrainPlots::plotMarks() {
    const auto &marks = m_run.log().marks();
    for (; m_plottedMarks < marks.size(); ++m_plottedMarks) {
        const EventMark &mark = marks[m_plottedMarks];
        for (LivePlot *plot : m_plots)
            plot->addMark(mark.t, toneColour(mark.tone), mark.label, mark.tone == Tone::Bad || mark.tone == Tone::Good);
    }
}

void TrainPlots::refresh(double silentSeconds) {
    m_silentSeconds = silentSeconds;
    syncDevices();
    syncCards();
    syncLinks();
    syncCuts();
    syncShown();
    plotMarks();
    double first = m_run.firstRound() ? m_run.firstRound()->t : m_run.lastT();
    if (!m_run.evaluations().empty())
        first = std::min(first, m_run.evaluations().front().t);
    const QSignalBlocker quiet(m_window);
    m_window.setData(first, m_run.lastT() + silentSeconds);
    draw();
}

bool TrainPlots::isSeen(const LivePlot *plot) const {
    const QRect seen(QPoint(0, m_scroll->verticalScrollBar()->value()), m_scroll->viewport()->size());
    return !plot->parentWidget()->isHidden() && plot->parentWidget()->geometry().intersects(seen);
}

/// What is not seen is drawn when it comes into sight, the cursor in it as well.
void TrainPlots::draw() {
    m_drawSoon = false;
    for (LivePlot *plot : m_plots) {
        if (isSeen(plot))
            plot->showTime(m_window.from(), m_window.to());
    }
}

void TrainPlots::showCursor() {
    const std::optional<double> t = m_window.cursor();
    for (LivePlot *plot : m_plots) {
        if (!t || isSeen(plot))
            plot->setCursor(t);
        else
            plot->setCursorLater(*t);
    }
}

QImage TrainPlots::picture(const QString &title) {
    constexpr double scale = 2;
    constexpr int margin = 3 * grid, line = 4 * grid;
    int height = 2 * margin + line;
    for (const LivePlot *plot : m_plots)
        height += plot->parentWidget()->isHidden() ? 0 : plot->height() + gap;
    const int width = m_plots.front()->width() + 2 * margin;
    QImage image(QSize(width, height) * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    const Theme &theme = ThemeManager::instance().theme();
    image.fill(theme.surface);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(bodyFont());
    painter.setPen(theme.text);
    painter.drawText(QRect(margin, margin, width - 2 * margin, line), Qt::AlignVCenter,
                     tr("%1, run %2").arg(title, m_run.runId()));
    painter.translate(margin, margin + line);
    for (LivePlot *plot : m_plots) {
        if (plot->parentWidget()->isHidden())
            continue;
        plot->showTime(m_window.from(), m_window.to());
        plot->paintOn(painter, scale);
        painter.translate(0, plot->height() + gap);
    }
    return image;
}

/// A wheel that turns quickly, or a drag, asks many times before the next frame.
void TrainPlots::drawSoon() {
    if (m_drawSoon)
        return;
    m_drawSoon = true;
    QMetaObject::invokeMethod(
        this, [this] { draw(); }, Qt::QueuedConnection);
}

void TrainPlots::clear() {
    m_plottedMarks = 0;
    for (LivePlot *plot : {m_computing, m_waiting, m_sending, m_memory, m_cardBusy, m_cardMemory, m_cardCelsius,
                           m_cardWatts, m_traffic, m_compression})
        plot->removeCurves();
    for (LivePlot *plot : {m_cardBusy, m_cardMemory, m_cardCelsius, m_cardWatts})
        plot->parentWidget()->hide();
    for (LivePlot *plot : m_plots)
        plot->clearData();
}

void TrainPlots::showControls() {
    const std::optional<double> span = m_window.span();
    const auto found = span ? std::ranges::find(spans, *span) : spans.end();
    const bool named = !span || found != spans.end();
    // A span that the wheel has chosen has no entry.
    m_span->setPlaceholderText(span ? formatWholeSeconds(*span) : QString());
    m_span->setCurrentIndex(named ? static_cast<int>(found - spans.begin()) : -1);
    m_follow->setChecked(m_window.follows());
    m_follow->setEnabled(span.has_value());
}

/// Two plots fill the room; the others are a turn of the wheel away.
void TrainPlots::layOut() {
    const int height = std::max(leastCardHeight, (m_scroll->viewport()->height() - gap) / 2);
    for (LivePlot *plot : m_plots)
        plot->parentWidget()->setFixedHeight(height);
}

void TrainPlots::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    layOut();
}

bool TrainPlots::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_scroll->viewport() && event->type() == QEvent::Resize) {
        layOut();
        drawSoon();
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace hearth
