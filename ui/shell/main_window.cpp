#include "ui/shell/main_window.h"

#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/history/run_history.h"
#include "core/run/files/state_words.h"
#include "ui/base/float_stack.h"
#include "ui/base/home_source.h"
#include "ui/base/icons.h"
#include "ui/base/measure_control.h"
#include "ui/base/notice_bar.h"
#include "ui/base/questions.h"
#include "ui/base/rail.h"
#include "ui/base/run_controller.h"
#include "ui/base/widgets.h"
#include "ui/history/history_page.h"
#include "ui/home/home_page.h"
#include "ui/job/job_draft.h"
#include "ui/job/job_page.h"
#include "ui/job/weights_card.h"
#include "ui/phone/phone_dialog.h"
#include "ui/plan/plan_page.h"
#include "ui/run/run_facts.h"
#include "ui/run/status_line.h"
#include "ui/run/whole_job_lines.h"
#include "ui/shell/agent_notice.h"
#include "ui/shell/app_menu.h"
#include "ui/shell/demo_start.h"
#include "ui/shell/first_start_page.h"
#include "ui/train/train_page.h"
#include "ui/train/train_plots.h"

namespace hearth {

namespace {

const QStringList &placeNames() {
    static const QStringList names{QStringLiteral("home"), QStringLiteral("job"), QStringLiteral("plan"),
                                   QStringLiteral("train"), QStringLiteral("history")};
    return names;
}

}  // namespace

MainWindow::MainWindow(HomeSource &home, RunController &controller, Questions &questions, QWidget *parent)
    : QMainWindow(parent),
      m_home(home),
      m_controller(controller),
      m_questions(questions),
      m_phone(home, m_run, this),
      m_rail(new Rail),
      m_pages(new QStackedWidget),
      m_error(new ErrorPanel(ErrorPanel::In::Window)),
      m_notice(new NoticeBar(QStringLiteral("windowNotice"), tr("Close"))),
      m_homePage(new HomePage(home, m_run, questions)),
      m_jobPage(new JobPage(m_run, home, questions)),
      m_planPage(new PlanPage(home, m_run, controller, questions)),
      m_trainPage(new TrainPage(home, m_run, controller, questions)),
      m_historyPage(new HistoryPage(m_run, controller, questions)),
      m_demoStart(new DemoStart(home, this)),
      m_firstStartPage(new FirstStartPage(home, *m_demoStart)),
      m_menu(new AppMenu(home, this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(icon(QStringLiteral("flame"), ThemeManager::instance().theme().accent));
    setMinimumSize(1024, 640);
    m_pages->setObjectName(QStringLiteral("pages"));
    for (Page *page : {static_cast<Page *>(m_homePage), static_cast<Page *>(m_jobPage), static_cast<Page *>(m_planPage),
                       static_cast<Page *>(m_trainPage), static_cast<Page *>(m_historyPage)}) {
        m_pages->addWidget(page);
        connect(page, &Page::placeWanted, this, &MainWindow::showPlace);
    }
    m_pages->addWidget(m_firstStartPage);

    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_pages, 1);
    auto *upper = new QHBoxLayout;
    upper->setSpacing(0);
    upper->addWidget(m_rail);
    upper->addLayout(right, 1);
    auto *body = new QWidget;
    body->setObjectName(QStringLiteral("pageBody"));
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(upper, 1);
    auto *messages = new FloatStack(m_pages);
    messages->add(m_error);
    messages->add(new AgentNotice(home, controller));
    messages->add(m_notice);
    layout->addWidget(new StatusLine(home, m_run));
    setCentralWidget(body);

    ThemeManager::instance().attach(this);
    connect(m_rail, &Rail::placeChosen, this, &MainWindow::showPlace);
    connect(m_homePage, &HomePage::startWanted, this, &MainWindow::startOrWatch);
    connect(m_jobPage, &JobPage::startWanted, this, &MainWindow::startOrWatch);
    connect(m_jobPage, &JobPage::failed, this, &MainWindow::showError);
    connect(m_jobPage, &JobPage::validityChanged, this, &MainWindow::refreshStart);
    connect(&m_jobPage->draft(), &JobDraft::changed, this, &MainWindow::tellJob);
    connect(m_jobPage, &JobPage::samplesCounted, this, &MainWindow::tellJob);
    connect(m_planPage, &PlanPage::plannedChanged, this,
            [this] { m_jobPage->tell(m_planPage->planned(m_jobPage->job())); });
    tellJob();
    connect(&home.measuring(), &MeasureControl::changed, this, &MainWindow::refreshStart);
    connect(m_planPage, &PlanPage::startWanted, this, &MainWindow::startOrWatch);
    connect(m_planPage, &PlanPage::planWanted, this, [this] {
        if (isMeant())
            m_controller.planOnly(m_jobPage->job());
    });
    connect(m_trainPage, &TrainPage::startWanted, this, &MainWindow::startOrWatch);
    connect(m_trainPage, &TrainPage::startAgainWanted, this, &MainWindow::startAgain);
    connect(m_trainPage, &TrainPage::takeAlongWanted, this, [this](const QString &run) {
        showPlace(HistoryPlace);
        m_historyPage->takeAlong(run);
    });
    connect(m_trainPage, &TrainPage::backWanted, this, &MainWindow::leaveRun);
    connect(m_trainPage, &TrainPage::phoneWanted, this, &MainWindow::showOnPhone);
    connect(&m_phone, &PhonePage::shownChanged, this, [this] { m_trainPage->setOnPhone(m_phone.isShown()); });
    connect(m_trainPage->findChild<TrainPlots *>(), &TrainPlots::smoothingChanged, &m_run, &RunModel::setLossSmoothing);
    connect(m_historyPage, &HistoryPage::runWanted, this, [this](const QString &run) {
        m_controller.attach(run);
        showPlace(TrainPlace);
    });
    connect(m_historyPage, &HistoryPage::furtherWanted, this, [this](const Job &job, const StartWeights &weights) {
        if (m_jobPage->trainFurther(job, weights))
            showPlace(JobPlace);
    });
    connect(&home, &HomeSource::devicesChanged, this, &MainWindow::refreshStart);
    connect(&home, &HomeSource::waitingChanged, this, &MainWindow::refreshStart);
    connect(&home, &HomeSource::failed, this, &MainWindow::showError);
    connectRun();
    connectFirstStart();
    changeHome();
    if (home.isFresh() && !home.isDemo())
        showFirstStart();
    else
        showPlace(HomePlace);
    resize(1280, 800);
}

void MainWindow::connectRun() {
    connect(&m_controller, &RunController::runOpened, this, [this](const QString &run) {
        m_error->hide();
        m_run.clear();
        if (m_recordPath.isEmpty())
            m_before = m_opened;
        m_opened = run;
        setRecord(std::exchange(m_recordAsked, {}));
        if (std::exchange(m_recordWanted, false))
            showPlace(TrainPlace);
    });
    connect(&m_controller, &RunController::startingChanged, m_trainPage, &TrainPage::setStarting);
    connect(&m_controller, &RunController::event, &m_run, &RunModel::add);
    connect(&m_controller, &RunController::runEnded, &m_run, &RunModel::end);
    connect(&m_controller, &RunController::failed, this, &MainWindow::showError);
    connect(&m_controller, &RunController::runsChanged, this, [this](const std::vector<RunInfo> &runs) {
        m_homeTrains = std::ranges::any_of(
            runs, [](const RunInfo &run) { return run.live && run.only.isEmpty() && !isFinalState(run.state); });
        refreshStart();
        // A demo's run, whose weights are chosen and gone, may have come to this home.
        if (m_jobPage->weights().refusal())
            m_controller.history().refresh();
        goOnAfterEnd();
    });
    connect(&m_controller.history(), &RunHistory::runsChanged, this,
            [this] { m_jobPage->findWeights(m_controller.history()); });
    connect(&m_controller.history(), &RunHistory::deletedChanged, this, &MainWindow::leaveDeleted);
    connect(&m_run, &RunModel::cleared, this, &MainWindow::refreshStart);
    connect(&m_run, &RunModel::stateChanged, this, &MainWindow::refreshStart);
    connect(&m_run, &RunModel::errorOccurred, this, &MainWindow::showError);
    connect(&m_run, &RunModel::stateChanged, this, &MainWindow::goOnAfterEnd);
}

void MainWindow::tellJob() {
    m_homePage->setJob(m_jobPage->job(), m_jobPage->isValid());
    m_planPage->setJob(m_jobPage->job(), m_jobPage->countedSamples());
}

void MainWindow::connectFirstStart() {
    m_rail->setMenu(m_menu);
    // Shortcuts of a menu that is not in a menu bar count only where a widget holds the actions.
    addActions(m_menu->actions());
    connect(m_menu, &AppMenu::gettingStartedWanted, this, &MainWindow::showFirstStart);
    connect(m_menu, &AppMenu::openRunWanted, this, &MainWindow::openRecordFile);
    connect(m_menu, &AppMenu::endDemoWanted, this, [this] { endDemo(WhenEnded::EndDemo); });
    connect(m_homePage, &HomePage::gettingStartedWanted, this, &MainWindow::showFirstStart);
    connect(m_firstStartPage, &FirstStartPage::addWanted, this,
            [this] { m_home.isDemo() ? endDemo(WhenEnded::AddDevices) : addDevices(); });
    connect(m_firstStartPage, &FirstStartPage::openFileWanted, this, &MainWindow::openRecordFile);
    connect(m_firstStartPage, &FirstStartPage::openFolderWanted, this,
            [this] { openRecord(m_questions.askOpenFolder(this, tr("Open a recorded run"))); });
    // Weights of a run of one's own are not what "Try it now" shows.
    connect(m_demoStart, &DemoStart::ready, this, [this] { startOrWatchWith({}); });
    connect(&m_home, &HomeSource::demoChanged, this, &MainWindow::changeHome);
}

void MainWindow::changeHome() {
    setWindowTitle(m_home.isDemo() ? tr("Hearth – demo home") : tr("Hearth"));
    m_error->hide();
    // Who was shown one home is not shown another.
    m_phone.end();
    m_homeTrains = false;
    waitNoMore();
    m_before.clear();
    setRecord({});
    m_opened.clear();
    m_run.clear();
    refreshStart();
}

void MainWindow::setRecord(const QString &path) {
    m_recordPath = path;
    m_trainPage->setRecording(!path.isEmpty());
    m_phone.setRecording(!path.isEmpty());
}

/// To the run that was shown before, or to none.
void MainWindow::leaveRun() {
    m_controller.closeRun();
    m_error->hide();
    if (!m_before.isEmpty()) {
        m_controller.attach(m_before);
        return;
    }
    setRecord({});
    m_opened.clear();
    m_run.clear();
}

/// What was deleted is not shown, and nobody is led back to it.
void MainWindow::leaveDeleted() {
    const auto isDeleted = [this](const QString &run) {
        return std::ranges::any_of(m_controller.history().deletedRuns(),
                                   [&run](const DeletedRun &deleted) { return deleted.id == run; });
    };
    if (isDeleted(m_before))
        m_before.clear();
    if (isDeleted(m_opened)) {
        m_opened.clear();
        leaveRun();
    }
}

void MainWindow::openRecordFile() {
    openRecord(m_questions.askOpenFile(this, tr("Open a recorded run"),
                                       tr("Events of runs (events.jsonl *.jsonl);;All files (*)")));
}

void MainWindow::openRecord(const QString &path) {
    if (path.isEmpty())
        return;
    m_recordWanted = true;
    m_recordAsked = path;
    m_controller.openRecord(path);
}

void MainWindow::showFirstStart() {
    m_rail->setPlace(-1);
    m_pages->setCurrentWidget(m_firstStartPage);
    m_pages->setFocus();
}

void MainWindow::showPlace(int place) {
    m_rail->setPlace(place);
    m_pages->setCurrentIndex(place);
    // The focus never stays on a page that is hidden; Tab goes on from the new page.
    if (!m_rail->isAncestorOf(focusWidget())) {
        m_pages->setFocus();
    }
}

QString MainWindow::placeName() const {
    return placeNames().value(m_pages->currentIndex());
}

void MainWindow::showPlaceNamed(const QString &name) {
    const auto place = static_cast<int>(placeNames().indexOf(name));
    if (place >= 0 && m_pages->currentWidget() != m_firstStartPage)
        showPlace(place);
}

void MainWindow::setJob(const Job &job) {
    m_jobPage->setJob(job);
}

void MainWindow::beginDemo() {
    m_demoStart->begin();
}

void MainWindow::takeOver(MainWindow &before) {
    jobDraft().takeOver(before.jobDraft());
    m_jobPage->weights().setWeights(before.m_jobPage->weights().weights());
    if (const std::optional<Plan> wanted = before.m_planPage->wantedPlan())
        m_planPage->takeOver(before.m_run.runId(), *wanted);
    m_homeTrains = before.m_homeTrains;
    m_phone.takeOver(before.m_phone);
    if (before.m_whenEnded != WhenEnded::Nothing)
        waitFor(std::exchange(before.m_whenEnded, WhenEnded::Nothing));
    refreshStart();
    if (before.m_pages->currentWidget() == before.m_firstStartPage)
        showFirstStart();
    else
        showPlace(before.m_pages->currentIndex());
    m_before = before.m_before;
    // Copies: both windows are told what is opened, and forget what was.
    m_recordAsked = before.m_recordAsked.isEmpty() ? before.m_recordPath : before.m_recordAsked;
    const QString record = m_recordAsked, run = before.m_opened;
    if (!record.isEmpty())
        m_controller.openRecord(record);
    else if (!run.isEmpty())
        m_controller.attach(run);
}

JobDraft &MainWindow::jobDraft() {
    return m_jobPage->draft();
}

void MainWindow::startOrWatch() {
    const WeightsCard &weights = m_jobPage->weights();
    if (const std::optional<Error> gone = weights.refusal(); gone && !m_run.isTraining())
        showError(*gone);
    else
        startOrWatchWith(weights.weights());
}

void MainWindow::startOrWatchWith(const std::optional<StartWeights> &weights) {
    if (!m_run.isTraining()) {
        if (!isMeant())
            return;
        const Job job = m_jobPage->job();
        // Whoever asks on the Plan page means the plan that is seen there, and is told where it does not fit the job.
        const bool fromPlan = m_pages->currentIndex() == PlanPlace;
        m_controller.start(job, fromPlan ? m_planPage->wantedPlan() : m_planPage->wantedPlanFor(job), weights);
    }
    showPlace(TrainPlace);
}

bool MainWindow::isMeant() {
    const std::optional<Error> refusal = m_jobPage->refusal();
    if (!refusal)
        return true;
    if (refusal->code == QLatin1String("job.misfit"))
        return m_questions.askStartAnyway(this, *refusal);
    showError(*refusal);
    return false;
}

/// The run that is shown, whatever the Job page has by now.
void MainWindow::startAgain() {
    if (!m_run.job())
        return;
    const RunSummary *known = m_controller.history().find(m_run.runId());
    const QString folder =
        known != nullptr ? known->folder : m_home.stateDir() + QStringLiteral("/runs/") + m_run.runId();
    const auto job = jobToStartAgain(*m_run.job(), folder, m_run.begunWith());
    if (!job) {
        showError(job.error());
        return;
    }
    m_controller.start(*job, m_run.givenPlan(), {});
    showPlace(TrainPlace);
}

void MainWindow::showOnPhone() {
    if (const auto begun = m_phone.begin(); !begun) {
        showError(begun.error());
        return;
    }
    auto *dialog = new PhoneDialog(m_phone, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::refreshStart() {
    const std::vector<DeviceInfo> devices = m_home.devices();
    // A run waits for devices that rest.
    const bool ready = std::ranges::any_of(devices, [](const DeviceInfo &device) {
        return takesWork(device.state) || device.state == DeviceState::Resting;
    });
    QString whyNot = m_home.waitingFor();
    if (whyNot.isEmpty() && !ready)
        whyNot = tr("No device is ready.");
    // The window may show an old run meanwhile.
    if (whyNot.isEmpty() && (m_homeTrains || m_run.isLive()) && !m_run.isTraining())
        whyNot = tr("A run is under way; stop it first.");
    if (whyNot.isEmpty() && m_home.measuring().status().isOn)
        whyNot = tr("The devices are being measured; wait for the end, or cancel it on Home.");
    m_historyPage->setWhyNotStart(whyNot);
    m_trainPage->setWhyNotGoOn(whyNot);
    if (whyNot.isEmpty() && !m_jobPage->isValid())
        whyNot = tr("The job has values that cannot be used; correct them first.");
    m_homePage->setWhyNotStart(whyNot);
    m_jobPage->setWhyNotStart(whyNot);
    m_planPage->setWhyNotStart(whyNot);
    m_trainPage->setWhyNotStart(whyNot);
}

void MainWindow::showError(const Error &error) {
    m_recordWanted = false;
    m_recordAsked.clear();
    // Whoever waited for the end of the run reads this first.
    waitNoMore();
    m_error->showError(error);
}

void MainWindow::showNotice(const QString &text) {
    m_notice->say(text);
}

}  // namespace hearth
