#include "ui/train/train_plots.h"

#include <QComboBox>
#include <QEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ui/run/run_model.h"
#include "ui/run/tone_look.h"
#include "ui/train/lines_layout.h"
#include "ui/train/live_plot.h"
#include "ui/words/format.h"

namespace hearth {

namespace {
constexpr int leastCardHeight = 18 * grid;
constexpr int gap = 2 * grid;
constexpr double minute = 60, hour = 3600;
constexpr double zoomStep = 0.5;
// Each is felt as as much more as the one before; the first smooths nothing.
constexpr std::array smoothings{1, 3, 9, 27, 81, 243, 729};

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
    showSpans();
    showControls();
}

QWidget *TrainPlots::buildControls() {
    auto *rows = new QWidget;
    auto *lines = new LinesLayout(rows);
    lines->setSpacing(grid);
    lines->addWidget(buildPart());
    lines->addWidget(buildSmoothing());
    return rows;
}

/// What is seen of the run.
QWidget *TrainPlots::buildPart() {
    m_axes = new QComboBox;
    m_axes->setObjectName(QStringLiteral("plotAxis"));
    m_axes->setAccessibleName(tr("What the plots go by"));
    m_axes->addItems({tr("By time"), tr("By round"), tr("By epoch")});
    m_span = new QComboBox;
    m_span->setObjectName(QStringLiteral("plotSpan"));
    m_span->setAccessibleName(tr("How much of the run the plots show"));
    m_span->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_less = makeButton(QStringLiteral("plotZoomIn"), {}, "link");
    m_less->setAccessibleName(tr("Show less"));
    m_less->setToolTip(tr("Show less (+, or Ctrl and the mouse wheel)"));
    setThemedIcon(m_less, QStringLiteral("zoom-in"), &Theme::text);
    m_more = makeButton(QStringLiteral("plotZoomOut"), {}, "link");
    m_more->setAccessibleName(tr("Show more"));
    m_more->setToolTip(tr("Show more (−, or Ctrl and the mouse wheel)"));
    setThemedIcon(m_more, QStringLiteral("zoom-out"), &Theme::text);
    m_follow = makeButton(QStringLiteral("plotFollow"), tr("Follow"), "segment");
    m_follow->setCheckable(true);
    m_follow->setToolTip(tr("Keep the newest data in sight (End). Drag a plot to look back."));
    auto *part = new QWidget;
    auto *row = new QHBoxLayout(part);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid);
    for (QWidget *each : std::initializer_list<QWidget *>{m_axes, m_span, m_less, m_more, m_follow})
        row->addWidget(each);
    connect(m_axes, &QComboBox::activated, this, [this](int index) { setAxis(static_cast<AxisKind>(index)); });
    connect(m_span, &QComboBox::activated, this, [this](int index) {
        const std::vector<double> all = spans();
        const auto at = static_cast<std::size_t>(index);
        if (at > all.size())
            return;  // the one that is shown
        m_window.setSpan(at < all.size() ? std::optional(all[at]) : std::nullopt);
        m_window.follow();
    });
    connect(m_less, &QPushButton::clicked, this, [this] { m_window.zoom(zoomStep); });
    connect(m_more, &QPushButton::clicked, this, [this] { m_window.zoom(1 / zoomStep); });
    connect(m_follow, &QPushButton::clicked, this, [this](bool on) {
        m_window.setFollows(on);
        showControls();
    });
    return part;
}

/// How the loss looks.
QWidget *TrainPlots::buildSmoothing() {
    m_smoothed = new ElidedLabel;
    setRole(m_smoothed, "secondary");
    m_smoothed->setObjectName(QStringLiteral("plotSmoothed"));
    m_smoothed->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_smoothed->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_smoothed->setFixedWidth(14 * grid);
    m_smoothing = new QSlider(Qt::Horizontal);
    m_smoothing->setObjectName(QStringLiteral("plotSmoothing"));
    m_smoothing->setAccessibleName(tr("How strongly the loss is smoothed"));
    m_smoothing->setToolTip(tr("Over about how many rounds the loss is smoothed"));
    m_smoothing->setRange(0, static_cast<int>(smoothings.size()) - 1);
    m_smoothing->setPageStep(1);
    m_smoothing->setFixedWidth(7 * grid);
    m_logScale = makeButton(QStringLiteral("plotLogScale"), tr("Log scale"), "segment");
    m_logScale->setCheckable(true);
    m_logScale->setToolTip(tr("Show the loss on a logarithmic scale"));
    setSmoothing(m_run.series().lossSmoothing());
    takeSmoothing();
    connect(m_smoothing, &QSlider::valueChanged, this, [this] {
        takeSmoothing();
        Q_EMIT smoothingChanged(smoothing());
        draw();
    });
    connect(m_logScale, &QPushButton::clicked, this, [this](bool on) {
        m_quality->setLogScale(on);
        draw();
    });
    auto *look = new QWidget;
    auto *row = new QHBoxLayout(look);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid);
    for (QWidget *each : std::initializer_list<QWidget *>{m_smoothed, m_smoothing, m_logScale})
        row->addWidget(each);
    return look;
}

void TrainPlots::takeSmoothing() {
    m_smoothed->setFullText(smoothing() > 1 ? tr("over %n round(s)", nullptr, smoothing()) : tr("not smoothed"));
}

void TrainPlots::setSmoothing(int rounds) {
    const auto found = std::ranges::find(smoothings, rounds);
    if (found != smoothings.end())
        m_smoothing->setValue(static_cast<int>(found - smoothings.begin()));
}

int TrainPlots::smoothing() const {
    return smoothings[static_cast<std::size_t>(m_smoothing->value())];
}

void TrainPlots::setAxis(AxisKind kind) {
    if (std::exchange(m_chosenAxis, kind) != kind)
        refresh(m_silentSeconds);
}

/// Of a run that has not begun nobody knows yet that it does not say how many samples an epoch has.
void TrainPlots::takeAxis() {
    const double ofEpoch = m_run.epochsPerRound();
    const bool hasEpochs = ofEpoch > 0 || m_run.isEmpty();
    const AxisKind kind = m_chosenAxis == AxisKind::Epoch && !hasEpochs ? AxisKind::Round : m_chosenAxis;
    auto *epochs = static_cast<QStandardItemModel *>(m_axes->model())->item(static_cast<int>(AxisKind::Epoch));
    epochs->setEnabled(hasEpochs);
    epochs->setToolTip(hasEpochs ? QString() : tr("This run does not tell how many samples an epoch has."));
    m_axes->setCurrentIndex(static_cast<int>(kind));
    const PlotAxis axis(kind, m_run.series().rounds(), kind == AxisKind::Epoch && ofEpoch > 0 ? ofEpoch : 1);
    const PlotAxis before = std::exchange(m_axis, axis);
    if (before.kind() == kind) {
        m_window.setUnit(axis.unit());
        return;
    }
    m_window.changeAxis(axis.unit(), [&](double place) { return axis.placeOf(before.timeOf(place)); });
    if (m_window.cursor()) {
        for (LivePlot *plot : m_plots)
            plot->setCursorLater(*m_window.cursor());
    }
    showSpans();
    showControls();
}

void TrainPlots::showSpans() {
    m_span->clear();
    for (const double span : spans())
        m_span->addItem(lastText(span));
    m_span->addItem(tr("Whole run"));
}

std::vector<double> TrainPlots::spans() const {
    switch (m_axis.kind()) {
        case AxisKind::Time:
            return {minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour};
        case AxisKind::Round:
            return {100, 1000, 10'000};
        case AxisKind::Epoch:
            return {1, 3, 10, 30};
    }
    return {};
}

QString TrainPlots::lastText(double span) const {
    switch (m_axis.kind()) {
        case AxisKind::Time:
            return span < hour ? tr("Last %n minute(s)", nullptr, static_cast<int>(span / minute))
                               : tr("Last %n hour(s)", nullptr, static_cast<int>(span / hour));
        case AxisKind::Round:
            return tr("Last %1 rounds").arg(formatCount(std::llround(span)));
        case AxisKind::Epoch:
            return span > 1 ? tr("Last %1 epochs").arg(formatCount(std::llround(span))) : tr("Last epoch");
    }
    return {};
}

QString TrainPlots::lengthText(double span) const {
    switch (m_axis.kind()) {
        case AxisKind::Time:
            return formatWholeSeconds(span);
        case AxisKind::Round:
            return tr("%1 rounds").arg(formatCount(std::llround(span)));
        case AxisKind::Epoch:
            return tr("%1 epochs").arg(formatNumber(span));
    }
    return {};
}

LivePlot *TrainPlots::addPlot(const char *objectName, const QString &title) {
    auto *plot = new LivePlot(QLatin1String(objectName), title);
    auto *card = new QFrame;
    card->setProperty("role", QStringLiteral("card"));
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(2 * grid, grid, grid, grid / 2);
    layout->addWidget(plot);
    m_column->layout()->addWidget(card);
    // One axis: the marks of all are named once.
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
    syncLinks();
    syncCuts();
    syncRate();
    syncShown();
    plotMarks();
    const QSignalBlocker quiet(m_window);
    takeAxis();
    double first = 0, last = m_run.lastT();
    if (m_axis.kind() == AxisKind::Time) {
        first = m_run.firstRound() ? m_run.firstRound()->t : m_run.lastT();
        if (!m_run.evaluations().empty())
            first = std::min(first, m_run.evaluations().front().t);
        last += silentSeconds;
    }
    m_window.setData(m_axis.placeOf(first), m_axis.placeOf(last));
    draw();
}

bool TrainPlots::isSeen(const LivePlot *plot) const {
    const QRect seen(QPoint(0, m_scroll->verticalScrollBar()->value()), m_scroll->viewport()->size());
    return !plot->parentWidget()->isHidden() && plot->parentWidget()->geometry().intersects(seen);
}

/// What is not seen is drawn when it comes into sight, the cursor in it as well.
void TrainPlots::draw() {
    m_drawSoon = false;
    const PlotStretch stretch(m_axis, m_window.from(), m_window.to());
    for (LivePlot *plot : m_plots) {
        if (isSeen(plot))
            plot->showPart(stretch);
    }
}

void TrainPlots::showCursor() {
    const std::optional<double> place = m_window.cursor();
    for (LivePlot *plot : m_plots) {
        if (!place || isSeen(plot))
            plot->setCursor(place);
        else
            plot->setCursorLater(*place);
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
    const QString named = m_axis.kind() == AxisKind::Time    ? tr("%1, run %2")
                          : m_axis.kind() == AxisKind::Round ? tr("%1, run %2, by round")
                                                             : tr("%1, run %2, by epoch");
    painter.drawText(QRect(margin, margin, width - 2 * margin, line), Qt::AlignVCenter,
                     named.arg(title, m_run.runId()));
    painter.translate(margin, margin + line);
    const PlotStretch stretch(m_axis, m_window.from(), m_window.to());
    for (LivePlot *plot : m_plots) {
        if (plot->parentWidget()->isHidden())
            continue;
        plot->showPart(stretch);
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
    // Where somebody looked back, another run may have nothing.
    m_window.follow();
    m_window.setCursor({});
    for (LivePlot *plot : {m_computing, m_waiting, m_sending, m_memory, m_traffic, m_compression})
        plot->removeCurves();
    for (LivePlot *plot : cardPlots()) {
        plot->removeCurves();
        plot->parentWidget()->hide();
    }
    for (LivePlot *plot : m_plots)
        plot->clearData();
}

void TrainPlots::showControls() {
    const std::optional<double> span = m_window.span();
    const std::vector<double> all = spans();
    const auto found = span ? std::ranges::find(all, *span) : all.end();
    // One that the wheel has chosen stands behind the others, as long as it is shown.
    const int own = static_cast<int>(all.size()) + 1;
    if (!span || found != all.end()) {
        m_span->setCurrentIndex(static_cast<int>(found - all.begin()));
        m_span->removeItem(own);
    } else {
        if (m_span->count() == own)
            m_span->addItem({});
        m_span->setItemText(own, lengthText(*span));
        m_span->setCurrentIndex(own);
    }
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
