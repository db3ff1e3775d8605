#include "ui/train_page.h"

#include <QProgressBar>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "ui/event_list.h"
#include "ui/event_sentences.h"
#include "ui/format.h"
#include "ui/home_source.h"
#include "ui/live_plot.h"
#include "ui/rail.h"
#include "ui/run_model.h"
#include "ui/time_split.h"
#include "ui/tone_look.h"
#include "ui/train_devices.h"
#include "ui/widgets.h"

namespace hearth {

namespace {
using namespace std::chrono_literals;
// Event to pixel within 100 ms, and no more work than eyes can use.
constexpr auto frameInterval = 50ms;
constexpr auto ageInterval = 1s;
// Silence shorter than this is the usual pace of a run.
constexpr qint64 silenceSeconds = 3;
constexpr int sideWidth = 38 * grid;
}  // namespace

TrainPage::TrainPage(const HomeSource &home, const RunModel &run, RunController &controller, QWidget *parent)
    : Page(QStringLiteral("trainPage"), tr("Train"), parent),
      m_run(run),
      m_controller(controller),
      m_evaluate(makeButton(QStringLiteral("trainEvaluate"), tr("Evaluate now"), "")),
      m_stop(makeButton(QStringLiteral("trainStop"), tr("Stop"), "")),
      m_primary(makePrimary(QStringLiteral("trainStart"), tr("Start training"))),
      m_round(new Figure(QStringLiteral("figureRound"), tr("Round"))),
      m_speed(new Figure(QStringLiteral("figureSpeed"), tr("Samples per second"))),
      m_loss(new Figure(QStringLiteral("figureLoss"), tr("Loss"))),
      m_accuracy(new Figure(QStringLiteral("figureAccuracy"), tr("Accuracy"))),
      m_left(new Figure(QStringLiteral("figureTimeLeft"), tr("Time left"))),
      m_throughput(new LivePlot(QStringLiteral("throughputPlot"), tr("Samples per second"))),
      m_quality(new LivePlot(QStringLiteral("lossPlot"), tr("Loss and accuracy"))),
      m_devices(new TrainDevices(home, run)),
      m_events(new EventListView(run)),
      m_split(new TimeSplit(run)) {
    setThemedIcon(m_evaluate, QStringLiteral("evaluate"), &Theme::text);
    setThemedIcon(m_stop, QStringLiteral("stop"), &Theme::text);
    addAction(m_evaluate);
    addAction(m_stop);
    connect(m_evaluate, &QPushButton::clicked, this, [this] { m_controller.evaluate(); });
    connect(m_stop, &QPushButton::clicked, this, [this] { m_controller.stop(); });
    connect(m_primary, &QPushButton::clicked, this, &TrainPage::primaryClicked);
    buildPlots();
    setContent(buildBody());
    setEmptyState(QStringLiteral("train"), tr("Nothing is training"),
                  tr("“Start training” measures the devices, makes a plan and trains the model of your job. "
                     "You can watch every step here."),
                  tr("Look at the job first"), JobPlace);

    m_frame.setInterval(frameInterval);
    m_frame.setSingleShot(true);
    connect(&m_frame, &QTimer::timeout, this, &TrainPage::replot);
    m_ageTimer.setInterval(ageInterval);
    connect(&m_ageTimer, &QTimer::timeout, this, &TrainPage::refreshAge);

    connect(&run, &RunModel::eventTaken, this, [this] { m_sinceData.start(); });
    connect(&run, &RunModel::roundAdded, this, &TrainPage::scheduleReplot);
    connect(&run, &RunModel::evaluationAdded, this, [this] {
        m_evaluationsChanged = true;
        scheduleReplot();
    });
    connect(&run, &RunModel::devicesChanged, this, &TrainPage::refreshNotice);
    connect(&run, &RunModel::stateChanged, this, &TrainPage::refreshButtons);
    connect(&run, &RunModel::roundsUndone, this, &TrainPage::undoRounds);
    connect(&run, &RunModel::markAdded, this, &TrainPage::scheduleReplot);
    connect(&run, &RunModel::sentenceAdded, this, &TrainPage::refreshNotice);
    connect(&run, &RunModel::cleared, this, &TrainPage::clearPlots);
    refreshButtons();
}

void TrainPage::buildPlots() {
    m_measured = m_throughput->addCurve(tr("measured"), &Theme::controlBorder, LivePlot::Look::Faint);
    m_smoothed = m_throughput->addCurve(tr("smoothed"), &Theme::accent, LivePlot::Look::Strong);
    m_predicted = m_throughput->addCurve(tr("predicted"), &Theme::info, LivePlot::Look::Dashed);
    m_lossCurve = m_quality->addCurve(tr("loss"), &Theme::accent, LivePlot::Look::Strong);
    m_accuracyPoints = m_quality->addCurve(tr("accuracy, % (right)"), &Theme::good, LivePlot::Look::Points, true);
    m_keptTicks = m_throughput->addCurve(tr("kept"), &Theme::good, LivePlot::Look::Ticks);
    m_quality->setRightAxisFormat(0, 100);
    // One time axis: the marks of both are named once.
    m_quality->showMarkLabels(false);
}

QWidget *TrainPage::buildNotice() {
    auto *notice = new QFrame;
    notice->setObjectName(QStringLiteral("trainNotice"));
    notice->setProperty("role", QStringLiteral("notice"));
    auto *layout = new QHBoxLayout(notice);
    layout->setContentsMargins(2 * grid, grid * 3 / 2, 2 * grid, grid * 3 / 2);
    layout->setSpacing(2 * grid);
    m_noticeText = makeLabel({}, "");
    m_noticeText->setObjectName(QStringLiteral("trainNoticeText"));
    m_noticeProgress = new QProgressBar;
    m_noticeProgress->setObjectName(QStringLiteral("trainNoticeProgress"));
    m_noticeProgress->setAccessibleName(tr("Progress of measuring"));
    m_noticeProgress->setTextVisible(false);
    layout->addWidget(m_noticeText);
    layout->addWidget(m_noticeProgress, 1);
    return notice;
}

QWidget *TrainPage::buildBody() {
    auto *figures = new QHBoxLayout;
    figures->setSpacing(grid);
    for (Figure *figure : {m_round, m_speed, m_loss, m_accuracy, m_left})
        figures->addWidget(figure);
    m_notice = buildNotice();

    auto *plots = new QVBoxLayout;
    plots->setSpacing(2 * grid);
    for (LivePlot *plot : {m_throughput, m_quality}) {
        auto *card = new QFrame;
        card->setProperty("role", QStringLiteral("card"));
        auto *layout = new QVBoxLayout(card);
        layout->setContentsMargins(2 * grid, grid, grid, grid / 2);
        layout->addWidget(plot);
        plots->addWidget(card, 1);
    }
    auto *story = new QFrame;
    story->setProperty("role", QStringLiteral("card"));
    auto *storyLayout = new QVBoxLayout(story);
    storyLayout->setContentsMargins(2 * grid, grid * 3 / 2, grid / 2, grid);
    storyLayout->setSpacing(grid / 2);
    storyLayout->addWidget(makeLabel(tr("What happened"), "strong"));
    storyLayout->addWidget(m_events, 1);
    auto *side = new QVBoxLayout;
    side->setSpacing(2 * grid);
    side->addWidget(story, 1);
    side->addWidget(m_split);
    story->setMinimumWidth(sideWidth);
    story->setMaximumWidth(sideWidth + 8 * grid);
    m_split->setMaximumWidth(sideWidth + 8 * grid);

    auto *lower = new QHBoxLayout;
    lower->setSpacing(2 * grid);
    lower->addLayout(plots, 1);
    lower->addLayout(side);
    auto *body = new QWidget;
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * grid);
    layout->addLayout(figures);
    layout->addWidget(m_notice);
    layout->addWidget(m_devices);
    layout->addLayout(lower, 1);
    return body;
}

void TrainPage::setStartPossible(bool possible, const QString &reason) {
    m_startPossible = possible;
    m_startReason = reason;
    refreshButtons();
}

void TrainPage::setStarting(bool starting) {
    m_starting = starting;
    refreshButtons();
}

void TrainPage::primaryClicked() {
    if (!m_run.isLive()) {
        Q_EMIT startWanted();
    } else if (m_run.state() == QLatin1String("paused")) {
        m_controller.resume();
    } else {
        m_controller.pause();
    }
}

void TrainPage::refreshButtons() {
    const bool live = m_run.isLive();
    const bool paused = m_run.state() == QLatin1String("paused");
    const bool training = m_run.state() == QLatin1String("training");
    m_evaluate->setVisible(!m_run.isEmpty());
    m_stop->setVisible(!m_run.isEmpty());
    m_evaluate->setEnabled(live && (training || paused));
    m_stop->setEnabled(live);
    if (!live) {
        const QString start = m_run.isEmpty() ? tr("Start training") : tr("Start again");
        m_primary->setText(m_starting ? tr("Starting …") : start);
        setThemedIcon(m_primary, QStringLiteral("play"), &Theme::onAccent);
        m_primary->setEnabled(m_startPossible && !m_starting);
        m_primary->setToolTip(m_startPossible ? QString() : m_startReason);
    } else {
        m_primary->setText(paused ? tr("Go on") : tr("Pause"));
        setThemedIcon(m_primary, paused ? QStringLiteral("play") : QStringLiteral("pause"), &Theme::onAccent);
        m_primary->setEnabled(training || paused);
        m_primary->setToolTip(training ? tr("Pauses after the round under way") : QString());
    }
    showEmpty(m_run.isEmpty());
    if (live && !m_ageTimer.isActive()) {
        m_sinceData.start();
        m_ageTimer.start();
    } else if (!live) {
        m_ageTimer.stop();
    }
    refreshNotice();
    refreshAge();
    scheduleReplot();
}

void TrainPage::refreshNotice() {
    const auto [done, total] = m_run.measuringProgress();
    const bool waiting = m_run.isLive() && m_run.rounds().empty();
    m_notice->setVisible(waiting);
    if (!waiting) {
        return;
    }
    if (total > 0 && done < total) {
        m_noticeText->setText(tr("Measuring the devices: %1 of %2 steps").arg(formatCount(done), formatCount(total)));
        m_noticeProgress->setRange(0, total);
        m_noticeProgress->setValue(done);
    } else {
        m_noticeText->setText(m_run.plan() ? tr("Preparing the first round …") : tr("Preparing the devices …"));
        m_noticeProgress->setRange(0, 0);
    }
}

void TrainPage::refreshAge() {
    if (m_run.isEmpty()) {
        setSubtitle(m_startPossible ? tr("Ready to start") : m_startReason);
        return;
    }
    const QString what = m_run.job() ? tr("%1 on %2").arg(m_run.job()->model, m_run.job()->data) : m_run.runId();
    const QString state = stateText(m_run.state());
    const qint64 silent = m_sinceData.isValid() ? m_sinceData.elapsed() / 1000 : 0;
    if (m_run.isLive() && silent >= silenceSeconds) {
        setSubtitle(tr("%1 · %2 · last data %3 ago").arg(what, state, formatSeconds(static_cast<double>(silent))));
    } else {
        setSubtitle(tr("%1 · %2").arg(what, state));
    }
}

void TrainPage::scheduleReplot() {
    if (!m_frame.isActive()) {
        m_frame.start();
    }
}

void TrainPage::replot() {
    const auto &rounds = m_run.rounds();
    for (; m_plottedRounds < rounds.size(); ++m_plottedRounds) {
        const RoundPoint &point = rounds[m_plottedRounds];
        // A new plan begins a new piece of the curves: while it was made nothing was trained.
        if (m_plottedRounds > 0 && rounds[m_plottedRounds - 1].term != point.term) {
            for (const int curve : {m_measured, m_smoothed, m_predicted})
                m_throughput->addGap(curve, rounds[m_plottedRounds - 1].t);
            m_quality->addGap(m_lossCurve, rounds[m_plottedRounds - 1].t);
        }
        m_throughput->addPoint(m_measured, point.t, point.samplesPerSecond);
        m_throughput->addPoint(m_smoothed, point.t, point.smoothed);
        if (std::isfinite(point.predicted))
            m_throughput->addPoint(m_predicted, point.t, point.predicted);
        m_quality->addPoint(m_lossCurve, point.t, point.loss);
    }
    const auto &evaluations = m_run.evaluations();
    // They are few, and a repeated one takes the place of an earlier one.
    if (std::exchange(m_evaluationsChanged, false)) {
        m_quality->dropAfter(m_accuracyPoints, -1);
        for (const EvaluationPoint &point : evaluations)
            m_quality->addPoint(m_accuracyPoints, point.t, point.accuracy * 100);
    }
    plotMarks();
    refreshNotice();
    if (!rounds.empty()) {
        const RoundPoint &last = rounds.back();
        const qint64 total = m_run.totalRounds();
        m_round->setValue(formatCount(last.round), total > 0 ? tr("of %1").arg(formatCount(total)) : QString());
        const bool predicted = std::isfinite(last.predicted);
        m_speed->setValue(formatNumber(last.smoothed),
                          predicted ? tr("predicted %1").arg(formatNumber(last.predicted)) : QString());
        m_loss->setValue(formatLoss(last.loss), tr("first %1").arg(formatLoss(rounds.front().loss)));
        const double left = m_run.secondsLeft();
        const QString spent = formatSeconds(m_run.lastT());
        if (m_run.isLive()) {
            m_left->setValue(formatSeconds(left), tr("%1 so far").arg(spent));
        } else {
            m_left->setValue(formatSeconds(0), tr("%1 in all").arg(spent));
        }
    }
    if (evaluations.empty()) {
        m_accuracy->setValue(QStringLiteral("–"));
    } else {
        const EvaluationPoint &last = evaluations.back();
        m_accuracy->setValue(formatPercent(last.accuracy), last.round > 0
                                                               ? tr("after round %1").arg(formatCount(last.round))
                                                               : tr("before the first round"));
    }
    m_split->refresh();
    double first = rounds.empty() ? m_run.lastT() : rounds.front().t;
    if (!evaluations.empty())
        first = std::min(first, evaluations.front().t);
    for (LivePlot *plot : {m_throughput, m_quality})
        plot->replot(first, m_run.lastT());
}

void TrainPage::clearPlots() {
    m_plottedRounds = 0;
    m_evaluationsChanged = true;
    m_plottedMarks = 0;
    for (LivePlot *plot : {m_throughput, m_quality})
        plot->clearData();
    for (Figure *figure : {m_round, m_speed, m_loss, m_accuracy, m_left})
        figure->setValue(QStringLiteral("–"));
    refreshButtons();
}

void TrainPage::undoRounds() {
    const auto &rounds = m_run.rounds();
    m_plottedRounds = std::min(m_plottedRounds, rounds.size());
    const double last = m_plottedRounds == 0 ? -1 : rounds[m_plottedRounds - 1].t;
    for (const int curve : {m_measured, m_smoothed, m_predicted})
        m_throughput->dropAfter(curve, last);
    m_quality->dropAfter(m_lossCurve, last);
    m_evaluationsChanged = true;
    scheduleReplot();
}

void TrainPage::plotMarks() {
    const auto &marks = m_run.marks();
    for (; m_plottedMarks < marks.size(); ++m_plottedMarks) {
        const EventMark &mark = marks[m_plottedMarks];
        if (mark.minor) {
            m_throughput->addPoint(m_keptTicks, mark.t, 0);
            continue;
        }
        for (LivePlot *plot : {m_throughput, m_quality})
            plot->addMark(mark.t, toneColour(mark.tone), mark.label, mark.tone == Tone::Bad || mark.tone == Tone::Good);
    }
}

}  // namespace hearth
