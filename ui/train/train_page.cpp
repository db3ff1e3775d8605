#include "ui/train/train_page.h"

#include <QProgressBar>
#include <QVBoxLayout>
#include <chrono>
#include <utility>

#include "ui/base/home_source.h"
#include "ui/base/questions.h"
#include "ui/base/rail.h"
#include "ui/base/run_controller.h"
#include "ui/base/widgets.h"
#include "ui/run/event_sentences.h"
#include "ui/run/run_model.h"
#include "ui/train/event_list.h"
#include "ui/train/run_texts.h"
#include "ui/train/time_split.h"
#include "ui/train/train_devices.h"
#include "ui/train/train_figures.h"
#include "ui/train/train_files.h"
#include "ui/train/train_plots.h"
#include "ui/words/format.h"

namespace hearth {

namespace {
using namespace std::chrono_literals;
// Event to pixel within 100 ms, and no more work than eyes can use.
constexpr auto frameInterval = 50ms;
constexpr auto ageInterval = 1s;
// Silence shorter than this is the usual pace of a run.
constexpr qint64 silenceSeconds = 3;
constexpr int sideWidth = 38 * grid;
// In a lower page two plots would have no room beside figures and devices.
constexpr int leastUnfolded = 88 * grid;

qint64 monotonicMilliseconds() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

/// Rounds are under way, or go on by themselves.
bool makesRounds(const RunModel &run) {
    return run.state() == QLatin1String("training") || run.isMeasuringBreak();
}
}  // namespace

TrainPage::TrainPage(const HomeSource &home, const RunModel &run, RunController &controller, Questions &questions,
                     QWidget *parent)
    : Page(QStringLiteral("trainPage"), tr("Train"), parent),
      m_home(home),
      m_run(run),
      m_controller(controller),
      m_back(makeButton(QStringLiteral("trainBack"), tr("Back"), "")),
      m_evaluate(makeButton(QStringLiteral("trainEvaluate"), tr("Evaluate now"), "")),
      m_stop(makeButton(QStringLiteral("trainStop"), tr("Stop"), "")),
      m_takeAlong(makeButton(QStringLiteral("trainTakeAlong"), tr("Take along …"), "")),
      m_startAgain(makeButton(QStringLiteral("trainStartAgain"), tr("Start again"), "")),
      m_primary(makePrimary(QStringLiteral("trainStart"), tr("Start training"))),
      m_files(new TrainFiles(run, controller, questions)),
      m_phone(makeButton(QStringLiteral("trainPhone"), {}, "")),
      m_figures(new TrainFigures(run)),
      m_showDevices(makeButton(QStringLiteral("trainShowDevices"), tr("Devices"), "segment")),
      m_plots(new TrainPlots(run)),
      m_devices(new TrainDevices(home, run)),
      m_events(new EventListView(run)),
      m_split(new TimeSplit(run)) {
    setClock(&monotonicMilliseconds);
    setThemedIcon(m_phone, QStringLiteral("phone"), &Theme::text);
    setThemedIcon(m_evaluate, QStringLiteral("evaluate"), &Theme::text);
    setThemedIcon(m_stop, QStringLiteral("stop"), &Theme::text);
    m_back->setToolTip(tr("Leaves this recording, for the run that was shown before"));
    addAction(m_back);
    addAction(m_files);
    addAction(m_phone);
    addAction(m_evaluate);
    addAction(m_stop);
    addAction(m_takeAlong);
    addAction(m_startAgain);
    connect(m_files, &TrainFiles::toldChanged, this, &TrainPage::refreshAge);
    connect(m_files, &TrainFiles::pictureWanted, this,
            [this](const QString &path) { m_files->savePicture(m_plots->picture(runText(m_run)), path); });
    connect(m_phone, &QPushButton::clicked, this, &TrainPage::phoneWanted);
    connect(m_evaluate, &QPushButton::clicked, this, &TrainPage::evaluateClicked);
    connect(m_stop, &QPushButton::clicked, this, &TrainPage::stopClicked);
    connect(m_back, &QPushButton::clicked, this, &TrainPage::backWanted);
    m_takeAlong->setToolTip(tr("What the run reached, and what you can keep of it"));
    connect(m_takeAlong, &QPushButton::clicked, this, [this] { Q_EMIT takeAlongWanted(m_run.runId()); });
    connect(m_startAgain, &QPushButton::clicked, this, &TrainPage::startAgainWanted);
    connect(m_primary, &QPushButton::clicked, this, &TrainPage::primaryClicked);
    setContent(buildBody());
    setEmptyState(QStringLiteral("train"), tr("Nothing is training"),
                  tr("“Start training” measures the devices, makes a plan and trains the model of your job. "
                     "You can watch every step here."),
                  tr("Check the job first"), JobPlace);

    m_frame.setInterval(frameInterval);
    m_frame.setSingleShot(true);
    connect(&m_frame, &QTimer::timeout, this, &TrainPage::refresh);
    m_ageTimer.setInterval(ageInterval);
    connect(&m_ageTimer, &QTimer::timeout, this, &TrainPage::refreshAge);

    connect(&controller, &RunController::replayProgressed, this, [this](double part) {
        m_replayed = part < 1 ? std::optional(part) : std::nullopt;
        refreshNotice();
    });
    connect(&controller, &RunController::runsChanged, this, &TrainPage::takeRuns);
    connect(&controller, &RunController::failed, this, [this] {
        m_asked = Asked::Nothing;
        m_evaluationAsked = false;
        refreshButtons();
    });
    setOnPhone(false);
    connect(&run, &RunModel::eventTaken, this, [this] { m_lastData = m_clock(); });
    connect(&run, &RunModel::roundAdded, this, &TrainPage::refreshSoon);
    connect(&run, &RunModel::evaluationAdded, this, [this] {
        m_evaluationAsked = false;
        refreshLive();
    });
    connect(&run, &RunModel::evaluationAdded, this, &TrainPage::refreshSoon);
    connect(&run, &RunModel::evaluatingChanged, this, &TrainPage::refreshLive);
    connect(&run, &RunModel::evaluatingChanged, this, &TrainPage::refreshSoon);
    connect(&run, &RunModel::devicesChanged, this, &TrainPage::refreshNotice);
    connect(&run, &RunModel::stateChanged, this, &TrainPage::refreshButtons);
    connect(&run, &RunModel::roundsUndone, this, &TrainPage::refreshSoon);
    connect(&run, &RunModel::markAdded, this, &TrainPage::refreshSoon);
    connect(&run.log(), &EventLog::sentenceAdded, this, &TrainPage::refreshNotice);
    connect(&home, &HomeSource::devicesChanged, this, &TrainPage::refreshNotice);
    connect(&run, &RunModel::cleared, this, [this] {
        m_replayed.reset();
        m_asked = Asked::Nothing;
        m_evaluationAsked = false;
        refreshButtons();
    });
    refreshButtons();
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
    m_noticeProgress->setAccessibleName(tr("Progress"));
    m_noticeProgress->setTextVisible(false);
    layout->addWidget(m_noticeText);
    layout->addWidget(m_noticeProgress, 1);
    return notice;
}

QWidget *TrainPage::buildBody() {
    m_notice = buildNotice();

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

    m_showDevices->setCheckable(true);
    m_showDevices->setToolTip(tr("Shows a card of each device above the plots"));
    m_showDevices->hide();
    connect(m_showDevices, &QPushButton::toggled, this, &TrainPage::fold);
    auto *upper = new QHBoxLayout;
    upper->setSpacing(grid);
    upper->addWidget(m_figures, 1);
    upper->addWidget(m_showDevices);
    auto *lower = new QHBoxLayout;
    lower->setSpacing(2 * grid);
    lower->addWidget(m_plots, 1);
    lower->addLayout(side);
    auto *body = new QWidget;
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * grid);
    layout->addLayout(upper);
    layout->addWidget(m_notice);
    layout->addWidget(m_devices);
    layout->addLayout(lower, 1);
    return body;
}

void TrainPage::setWhyNotStart(const QString &why) {
    m_whyNotStart = why;
    refreshButtons();
}

void TrainPage::setWhyNotGoOn(const QString &why) {
    m_whyNotGoOn = why;
    refreshButtons();
}

void TrainPage::setRecording(bool recording) {
    m_recording = recording;
    refreshButtons();
}

void TrainPage::setOnPhone(bool shown) {
    m_phone->setText(shown ? tr("Shown on phone") : tr("Show on phone …"));
}

void TrainPage::takeRuns(const std::vector<RunInfo> &runs) {
    m_ofHome.clear();
    m_resumable.clear();
    for (const RunInfo &run : runs) {
        m_ofHome.insert(run.id);
        if (run.resumable)
            m_resumable.insert(run.id);
    }
    refreshButtons();
}

/// Whether the run that is shown has ended early, and left a checkpoint.
bool TrainPage::canGoOn() const {
    return !m_run.isLive() && m_resumable.contains(m_run.runId());
}

/// One that made a plan alone has nothing to show once it is over.
bool TrainPage::hasRun() const {
    return !m_run.isEmpty() && (m_run.isLive() || m_run.only() != QLatin1String("plan"));
}

void TrainPage::setStarting(bool starting) {
    m_starting = starting;
    refreshButtons();
}

void TrainPage::primaryClicked() {
    if (canGoOn()) {
        m_controller.goOn(m_run.runId());
    } else if (!hasRun()) {
        Q_EMIT startWanted();
    } else if (!m_run.isLive()) {
        Q_EMIT startAgainWanted();
    } else if (m_run.state() == QLatin1String("paused")) {
        m_controller.resume();
    } else {
        m_asked = Asked::Pause;
        m_controller.pause();
        refreshButtons();
    }
}

void TrainPage::evaluateClicked() {
    m_evaluationAsked = true;
    m_controller.evaluate();
    refreshLive();
}

void TrainPage::stopClicked() {
    m_asked = Asked::Stop;
    m_controller.stop();
    refreshButtons();
}

void TrainPage::refreshButtons() {
    const bool live = m_run.isLive();
    m_evaluationAsked = m_evaluationAsked && live;
    if (!live || (m_asked == Asked::Pause && !makesRounds(m_run)))
        m_asked = Asked::Nothing;
    // Nobody works on what was written down.
    m_back->setVisible(m_recording);
    m_evaluate->setVisible(live && !m_recording);
    m_stop->setVisible(live && !m_recording);
    m_takeAlong->setVisible(!live && hasRun() && !m_recording);
    m_files->refresh();
    m_startAgain->setVisible(canGoOn());
    refreshLive();
    if (!live)
        refreshStart();
    showEmpty(!hasRun());
    if (live && !m_ageTimer.isActive()) {
        m_lastData = m_clock();
        m_ageTimer.start();
    } else if (!live) {
        m_ageTimer.stop();
    }
    refreshNotice();
    refreshAge();
    refreshSoon();
}

void TrainPage::refreshLive() {
    const bool live = m_run.isLive(), stops = m_asked == Asked::Stop, pauses = m_asked == Asked::Pause;
    const bool paused = m_run.state() == QLatin1String("paused");
    const bool training = makesRounds(m_run), measures = m_run.isMeasuringBreak();
    const bool evaluates = live && (m_evaluationAsked || m_run.evaluating());
    m_evaluate->setText(evaluates ? tr("Evaluating …") : tr("Evaluate now"));
    m_evaluate->setEnabled(live && (training || paused) && !stops && !evaluates);
    const bool waits = evaluates && !m_run.evaluating() && !measures;
    m_evaluate->setToolTip(waits ? tr("It begins after the current round.") : QString());
    m_stop->setEnabled(live && !stops);
    m_stop->setText(stops ? tr("Stopping …") : tr("Stop"));
    m_stop->setToolTip(stops ? tr("It stops after the current round, and saves the weights.") : QString());
    if (!live)
        return;
    const QString pause = pauses ? tr("Pausing …") : tr("Pause");
    m_primary->setText(paused ? tr("Resume") : pause);
    setThemedIcon(m_primary, paused ? QStringLiteral("play") : QStringLiteral("pause"), &Theme::onAccent);
    m_primary->setEnabled((training || paused) && m_asked == Asked::Nothing);
    m_primary->setToolTip(measures   ? tr("It pauses at once, and measures when it is resumed.")
                          : training ? tr("It pauses after the current round.")
                                     : QString());
}

void TrainPage::refreshStart() {
    QString start = hasRun() ? tr("Start again") : tr("Start training");
    bool possible = m_whyNotStart.isEmpty();
    QString why = m_whyNotStart;
    if (hasRun()) {
        // With a job of its own, whatever the Job page has by now.
        possible = m_whyNotGoOn.isEmpty() && m_run.job();
        why = tr("Trains the same job with the same settings and new weights");
        if (!m_run.job())
            why = tr("The job of this run was written by a later version of Hearth.");
        if (!m_whyNotGoOn.isEmpty())
            why = m_whyNotGoOn;
        m_startAgain->setEnabled(possible && !m_starting);
        m_startAgain->setToolTip(why);
    }
    if (canGoOn()) {
        start = tr("Resume");
        possible = m_whyNotGoOn.isEmpty();
        why = possible ? tr("Does the remaining rounds, from the newest checkpoint") : m_whyNotGoOn;
    }
    m_primary->setText(m_starting ? tr("Starting …") : start);
    setThemedIcon(m_primary, QStringLiteral("play"), &Theme::onAccent);
    m_primary->setEnabled(possible && !m_starting);
    m_primary->setToolTip(why);
}

void TrainPage::refreshNotice() {
    const auto [done, total] = m_run.devices().measuringProgress();
    const QString doing = doingText(m_home, m_run);
    const bool interrupted =
        !m_run.isLive() && m_run.state() == QLatin1String("interrupted") && m_ofHome.contains(m_run.runId());
    m_notice->setVisible(!doing.isEmpty() || m_replayed || interrupted);
    // Nobody knows how long devices rest.
    const bool progresses = m_replayed || (!doing.isEmpty() && m_run.state() != QLatin1String("waiting"));
    m_noticeProgress->setVisible(progresses);
    m_noticeText->setWordWrap(!progresses);
    if (m_replayed) {
        constexpr int all = 100;
        m_noticeText->setText(tr("Reading the record of this run: %1").arg(formatPercent(*m_replayed)));
        m_noticeProgress->setRange(0, all);
        m_noticeProgress->setValue(static_cast<int>(*m_replayed * all));
        return;
    }
    if (interrupted) {
        m_noticeText->setText(
            canGoOn() ? tr("This run was interrupted: the computer that led it, or its agent, ended. “Resume” does the "
                           "remaining rounds, from its newest checkpoint.")
                      : tr("This run was interrupted: the computer that led it, or its agent, ended. "
                           "There is no checkpoint to resume from."));
        return;
    }
    if (doing.isEmpty())
        return;
    m_noticeText->setText(doing);
    m_noticeProgress->setRange(0, done < total ? total : 0);
    if (done < total)
        m_noticeProgress->setValue(done);
}

void TrainPage::refreshAge() {
    if (!hasRun()) {
        setSubtitle(m_whyNotStart.isEmpty() ? tr("Ready to start") : m_whyNotStart);
        return;
    }
    const QString what = titleText(m_run, m_recording);
    QString state = stateText(m_run.state());
    if (!m_files->told().isEmpty())
        state = tr("%1 · %2").arg(state, m_files->told());
    if (const std::optional<double> silent = silence()) {
        setSubtitle(tr("%1 · %2 · last data %3 ago").arg(what, state, formatWholeSeconds(*silent)));
        refreshSoon();
    } else {
        setSubtitle(tr("%1 · %2").arg(what, state));
    }
}

std::optional<double> TrainPage::silence() const {
    const qint64 seconds = (m_clock() - m_lastData) / 1000;
    const bool isTold = !isSilenceExpected(m_run) && seconds >= silenceSeconds;
    return isTold ? std::optional(static_cast<double>(seconds)) : std::nullopt;
}

void TrainPage::setClock(std::function<qint64()> milliseconds) {
    m_clock = std::move(milliseconds);
    m_lastData = m_clock();
}

void TrainPage::refreshSoon() {
    if (!m_frame.isActive()) {
        m_frame.start();
    }
}

void TrainPage::refresh() {
    // A page that is not seen costs nothing; it is brought up to date when it is shown.
    if (!isVisible())
        return;
    refreshNotice();
    m_figures->refresh();
    m_split->refresh();
    m_plots->refresh(silence().value_or(0));
}

void TrainPage::showEvent(QShowEvent *event) {
    Page::showEvent(event);
    refresh();
}

void TrainPage::resizeEvent(QResizeEvent *event) {
    Page::resizeEvent(event);
    fold();
}

/// A low page leaves its room to the plots: figures take less of it, and devices none until they are asked for.
void TrainPage::fold() {
    const bool isLow = height() < leastUnfolded;
    m_figures->setCompact(isLow);
    m_showDevices->setVisible(isLow);
    m_devices->setVisible(!isLow || m_showDevices->isChecked());
}

}  // namespace hearth
