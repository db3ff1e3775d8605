#include "ui/history/history_page.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <algorithm>
#include <chrono>
#include <set>

#include "core/history/run_history.h"
#include "core/run/files/run_folder.h"
#include "ui/base/notice_bar.h"
#include "ui/base/questions.h"
#include "ui/base/rail.h"
#include "ui/base/run_controller.h"
#include "ui/base/widgets.h"
#include "ui/history/history_details.h"
#include "ui/history/run_curves_view.h"
#include "ui/history/runs_filter.h"
#include "ui/history/runs_table.h"
#include "ui/run/run_model.h"
#include "ui/run/runs_table_model.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {
using namespace std::chrono_literals;
// A list that is a little behind: the Train page shows a run as it goes.
constexpr auto followInterval = 2s;
// More lines nobody tells apart.
constexpr qsizetype mostCompared = 10;

RunsFilter *filterOver(QAbstractItemModel *runs, QObject *parent) {
    auto *filter = new RunsFilter(parent);
    filter->setSourceModel(runs);
    return filter;
}
}  // namespace

HistoryPage::HistoryPage(const RunModel &run, RunController &controller, Questions &questions, QWidget *parent)
    : Page(QStringLiteral("historyPage"), tr("History"), parent),
      m_run(run),
      m_controller(controller),
      m_questions(questions),
      m_history(controller.history()),
      m_model(new RunsTableModel(this)),
      m_filter(filterOver(m_model, this)),
      m_table(new RunsTable(m_filter)),
      m_words(new QLineEdit),
      m_states(new QComboBox),
      m_details(new HistoryDetails),
      m_notice(new NoticeBar(QStringLiteral("historyNotice"), tr("Close"))),
      m_busy(new NoticeBar(QStringLiteral("historyBusy"), tr("Cancel"))),
      m_undo(new NoticeBar(QStringLiteral("historyDeleted"), tr("Undo"))),
      m_open(makePrimary(QStringLiteral("historyOpen"), tr("Open run"))),
      m_compare(makeButton(QStringLiteral("historyCompare"), tr("Compare"), "")),
      m_goOn(makeButton(QStringLiteral("historyGoOn"), tr("Resume"), "")),
      m_startAgain(makeButton(QStringLiteral("historyStartAgain"), tr("Start again"), "")),
      m_further(makeButton(QStringLiteral("historyFurther"), tr("Train further …"), "")),
      m_try(makeButton(QStringLiteral("historyTry"), tr("Try it"), "")),
      m_label(makeButton(QStringLiteral("historyLabel"), tr("Label …"), "")),
      m_delete(makeButton(QStringLiteral("historyDelete"), tr("Delete"), "")),
      m_columns(makeButton(QStringLiteral("historyColumns"), tr("Columns"), "menu")),
      m_columnMenu(new QMenu(this)),
      m_export(makeButton(QStringLiteral("historyExport"), tr("Export"), "menu")),
      m_exports(new QMenu(this)) {
    buildActions();
    setContent(buildBody());
    addFloating(m_notice);
    addFloating(m_busy);
    m_undo->addClose(tr("Close"));
    addFloating(m_undo);
    setEmptyState(QStringLiteral("history"), tr("No runs yet"),
                  tr("Runs are listed here, interrupted ones too, and can be opened again."), tr("Start the first run"),
                  TrainPlace);
    m_follow.setInterval(followInterval);
    connect(&m_follow, &QTimer::timeout, this, [this] { m_history.refresh(); });

    connect(&m_history, &RunHistory::runsChanged, this, &HistoryPage::takeRuns);
    connect(&m_history, &RunHistory::detailsFound, this, &HistoryPage::takeDetails);
    connect(&m_history, &RunHistory::progressed, this, [this](qint64 done, qint64 all) {
        m_reading = all > 0 ? formatPercent(static_cast<double>(done) / static_cast<double>(all)) : QString();
        refreshSubtitle();
    });
    connect(&m_history, &RunHistory::noticed, this, [this](const Error &notice) { m_notice->say(errorText(notice)); });
    connect(&m_history, &RunHistory::exported, this,
            [this](const QString &path) { m_notice->say(tr("The rounds are in %1.").arg(path)); });
    connect(&m_history, &RunHistory::exportProgressed, this, [this](double part) {
        if (m_busy->isVisibleTo(this))
            m_busy->say(tr("Writing the rounds to %1: %2").arg(m_exportPath, formatPercent(part)));
    });
    connect(&m_history, &RunHistory::exportEnded, this, [this] {
        m_busy->hide();
        refreshButtons();
    });
    connect(&m_pictureFile, &PictureFile::saved, this, [this](const QString &path) {
        m_notice->say(tr("The picture is in %1.").arg(path));
        refreshButtons();
    });
    connect(&m_pictureFile, &PictureFile::failed, this, [this](const Error &error) {
        Q_EMIT m_controller.failed(error);
        refreshButtons();
    });
    connect(m_busy, &NoticeBar::answered, &m_history, &RunHistory::cancelExport);
    connect(&m_history, &RunHistory::deletedChanged, this, [this] {
        showDeleted();
        // Which runs the home has, and which of them can go on.
        m_controller.refreshRuns();
    });
    connect(m_undo, &NoticeBar::answered, &m_history, &RunHistory::restoreRuns);
    connect(m_undo, &NoticeBar::closed, &m_history, &RunHistory::keepDeleted);
    connect(&controller, &RunController::runsChanged, this, [this](const std::vector<RunInfo> &runs) {
        m_underWay.set(runs);
        takeRuns();
        if (isVisible())
            m_history.refresh();
    });
    connect(&run, &RunModel::stateChanged, this, &HistoryPage::refreshButtons);
    connect(&run, &RunModel::cleared, this, &HistoryPage::refreshButtons);
    takeRuns();
    selectionChanged();
    showDeleted();
}

void HistoryPage::buildActions() {
    setThemedIcon(m_goOn, QStringLiteral("play"), &Theme::text);
    setThemedIcon(m_export, QStringLiteral("save"), &Theme::text);
    for (QPushButton *button : {m_compare, m_goOn, m_startAgain, m_try, m_export})
        addAction(button);
    m_takeAlong = m_exports->addAction(tr("Take along …"), this, &HistoryPage::openTakeAlong);
    m_takeAlong->setObjectName(QStringLiteral("historyTakeAlong"));
    m_exports->addSeparator();
    const auto addRounds = [this](const QString &text, const char *name, RunExport form) {
        QAction *action = m_exports->addAction(text);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this, [this, form] { exportRuns(form); });
        m_rounds << action;
    };
    addRounds(tr("Export rounds (CSV) …"), "historyExportCsv", RunExport::Rounds);
    addRounds(tr("Export devices in each round (CSV) …"), "historyExportDevices", RunExport::Devices);
    addRounds(tr("Export rounds (JSON Lines) …"), "historyExportJson", RunExport::JsonLines);
    addRounds(tr("Export for TensorBoard …"), "historyExportTensorBoard", RunExport::TensorBoard);
    m_picture = m_exports->addAction(tr("Export picture (PNG) …"));
    m_picture->setObjectName(QStringLiteral("historyExportPicture"));
    m_export->setMenu(m_exports);
    connect(m_picture, &QAction::triggered, this, &HistoryPage::exportPicture);
    connect(m_open, &QPushButton::clicked, this, &HistoryPage::open);
    connect(m_compare, &QPushButton::clicked, this, &HistoryPage::compare);
    connect(m_goOn, &QPushButton::clicked, this, &HistoryPage::goOn);
    connect(m_startAgain, &QPushButton::clicked, this, &HistoryPage::startAgain);
    connect(m_further, &QPushButton::clicked, this, &HistoryPage::trainFurther);
    connect(m_try, &QPushButton::clicked, this, &HistoryPage::tryRun);
}

QWidget *HistoryPage::buildBody() {
    m_words->setObjectName(QStringLiteral("historyWords"));
    m_words->setAccessibleName(tr("Search in the runs"));
    m_words->setPlaceholderText(tr("Search: model, tag, batch>64 …"));
    m_words->setToolTip(tr("Search: model, device, tag … or batch>64, optimizer=adam"));
    m_states->setObjectName(QStringLiteral("historyStates"));
    m_states->setAccessibleName(tr("Which runs are shown"));
    m_states->addItem(tr("All states"), static_cast<int>(RunsFilter::States::All));
    m_states->addItem(tr("Under way"), static_cast<int>(RunsFilter::States::UnderWay));
    m_states->addItem(tr("Finished"), static_cast<int>(RunsFilter::States::Finished));
    m_states->addItem(tr("Ended early"), static_cast<int>(RunsFilter::States::Broken));
    m_states->addItem(tr("Starred"), static_cast<int>(RunsFilter::States::Starred));
    connect(m_words, &QLineEdit::textChanged, this, [this](const QString &words) {
        m_filter->setWords(words);
        refreshColumns();
        refreshSubtitle();
    });
    connect(m_states, &QComboBox::currentIndexChanged, this, [this] {
        m_filter->setStates(static_cast<RunsFilter::States>(m_states->currentData().toInt()));
        refreshColumns();
        refreshSubtitle();
    });
    // Nothing on this page has the focus yet when it is shown.
    auto *find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, m_words, qOverload<>(&QWidget::setFocus));

    m_columns->setMenu(m_columnMenu);
    connect(m_columnMenu, &QMenu::aboutToShow, this, &HistoryPage::fillColumnMenu);
    connect(m_label, &QPushButton::clicked, this, &HistoryPage::askForLabel);
    connect(m_delete, &QPushButton::clicked, this, &HistoryPage::deleteRuns);
    connect(m_table, &RunsTable::deleteWanted, this, &HistoryPage::deleteRuns);
    connect(m_table, &RunsTable::starClicked, this, &HistoryPage::star);
    connect(m_model, &RunsTableModel::labelWanted, this, &HistoryPage::changeLabels);
    connect(m_table, &QTableView::activated, this, &HistoryPage::open);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPage::selectionChanged);
    auto *filters = new QHBoxLayout;
    filters->setSpacing(grid);
    filters->addWidget(m_words, 1);
    filters->addWidget(m_states);
    filters->addWidget(m_columns);
    filters->addWidget(m_further);
    filters->addWidget(m_label);
    filters->addWidget(m_delete);
    auto *upper = new QWidget;
    auto *upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(grid);
    upperLayout->addLayout(filters);
    upperLayout->addWidget(m_table, 1);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->setObjectName(QStringLiteral("historySplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(upper);
    splitter->addWidget(m_details);
    splitter->setSizes({40 * grid, 50 * grid});
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    auto *body = new QWidget;
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addWidget(splitter, 1);
    return body;
}

void HistoryPage::showEvent(QShowEvent *event) {
    Page::showEvent(event);
    m_controller.refreshRuns();
    m_history.refresh();
    m_follow.start();
}

void HistoryPage::hideEvent(QHideEvent *event) {
    Page::hideEvent(event);
    m_follow.stop();
}

void HistoryPage::setWhyNotStart(const QString &why) {
    m_whyNotStart = why;
    refreshButtons();
}

std::vector<const RunSummary *> HistoryPage::chosenRuns() const {
    // A row with a column that just came or goes is chosen, too.
    std::set<int> rows;
    for (const QItemSelectionRange &range : m_table->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.insert(row);
    }
    std::vector<const RunSummary *> runs;
    runs.reserve(rows.size());
    for (const int row : rows)
        runs.push_back(&m_model->runAt(m_filter->mapToSource(m_filter->index(row, 0)).row()));
    return runs;
}

QStringList HistoryPage::selectedRuns() const {
    QStringList ids;
    for (const RunSummary *run : chosenRuns())
        ids << run->id;
    return ids;
}

void HistoryPage::takeRuns() {
    const QDateTime now = QDateTime::currentDateTimeUtc();
    std::vector<RunRow> rows;
    bool live = false;
    for (const RunSummary &run : m_history.runs()) {
        rows.push_back({run, m_underWay.stateOf(run, now)});
        live = live || m_underWay.isLive(run, now);
    }
    m_model->setRuns(rows);
    m_table->setColumnHidden(RunsTableModel::Tags, !m_model->hasTags());
    refreshColumns();
    showEmpty(m_history.isKnown() && rows.empty());
    // What is shown has grown, or ended; the end may be known from the home alone.
    const bool changed = std::ranges::any_of(m_shown, [&](const ShownRun &shown) {
        const RunSummary *known = m_history.find(shown.details.summary.id);
        return known != nullptr &&
               (known->lastSeq != shown.details.summary.lastSeq || known->label != shown.details.summary.label ||
                m_underWay.stateOf(*known, now) != shown.state);
    });
    if (changed)
        askForDetails();
    if (!m_table->selectionModel()->hasSelection() && m_filter->rowCount() > 0)
        m_table->selectRow(std::max(0, m_table->currentIndex().row()));
    chooseTakenAlong();
    if (isVisible() && live != m_follow.isActive())
        live ? m_follow.start() : m_follow.stop();
    refreshButtons();
    refreshSubtitle();
}

void HistoryPage::selectionChanged() {
    // Columns came or went.
    if (!m_selected.isEmpty() && selectedRuns() == m_selected)
        return;
    m_selected = selectedRuns();
    m_comparing = false;
    m_shown.clear();
    askForDetails();
    refreshButtons();
}

void HistoryPage::askForDetails() {
    const QStringList runs = selectedRuns();
    if (runs.isEmpty()) {
        m_shown.clear();
        m_details->showHint(tr("Choose a run to see its job, its devices, its curves and what happened."));
    } else if (m_comparing || runs.size() == 1) {
        m_history.findDetails(runs);
    } else {
        m_shown.clear();
        m_details->showHint(
            runs.size() <= mostCompared
                ? tr("“Compare” lays these %n run(s) over each other.", nullptr, static_cast<int>(runs.size()))
                : tr("Up to ten runs can be compared; more can be exported as one table of rounds."));
    }
}

void HistoryPage::takeDetails(const std::vector<RunDetails> &runs) {
    QStringList ids;
    for (const RunDetails &run : runs)
        ids << run.summary.id;
    // The choice may be another one by now.
    if (runs.empty() || ids != selectedRuns())
        return;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    m_shown.clear();
    for (const RunDetails &run : runs)
        m_shown.push_back({run, m_underWay.stateOf(run.summary, now)});
    if (m_comparing && m_shown.size() == 2)
        m_details->showComparison(m_shown[0], m_shown[1]);
    else if (m_comparing && m_shown.size() > 2)
        m_details->showMany(m_shown);
    else
        m_details->showRun(m_shown[0], !m_underWay.isLive(runs[0].summary, now));
    refreshButtons();
    if (ids == QStringList{m_takenAlong}) {
        m_takenAlong.clear();
        openTakeAlong();
    }
}

void HistoryPage::refreshButtons() {
    const auto count = selectedRuns().size();
    const bool any = m_model->rowCount() > 0;
    for (QPushButton *button : {m_open, m_compare, m_goOn, m_startAgain, m_try, m_export})
        button->setVisible(any);
    m_open->setEnabled(count == 1);
    m_open->setToolTip(count == 1 ? tr("Shows the run on the Train page, as it looked live")
                                  : tr("Choose one run first"));
    const bool comparable = count >= 2 && count <= mostCompared;
    m_compare->setEnabled(comparable);
    m_compare->setToolTip(comparable ? QString()
                                     : tr("Choose two to ten runs: click further ones with Ctrl held down"));
    const bool shown = m_shown.size() == 1;
    const auto reasonOf = [](const auto &possible) { return possible ? QString() : possible.error(); };
    QString whyNot = whyNotStarted();
    QString whyNotOn = whyNot;
    if (whyNotOn.isEmpty() && shown)
        whyNotOn = whyNotResumed(m_shown.front().details.summary);
    m_goOn->setEnabled(whyNotOn.isEmpty() && shown);
    m_goOn->setToolTip(whyNotOn.isEmpty() ? tr("Does the remaining rounds, from the newest checkpoint") : whyNotOn);
    if (whyNot.isEmpty() && shown)
        whyNot = reasonOf(jobAgain(m_shown.front().details));
    m_startAgain->setEnabled(whyNot.isEmpty() && shown);
    m_startAgain->setToolTip(whyNot.isEmpty() ? tr("Trains the same job with the same settings and new weights")
                                              : whyNot);
    const QString whyNotFurther = reasonOf(furtherStart());
    m_further->setEnabled(whyNotFurther.isEmpty());
    m_further->setToolTip(whyNotFurther.isEmpty()
                              ? tr("Opens its job, to begin with its weights: for more rounds, or with other data")
                              : whyNotFurther);
    const bool tried = shown && hasWeights(m_shown.front().details.summary.folder);
    m_try->setEnabled(tried);
    m_try->setToolTip(tried   ? tr("Asks the trained network about your pictures, rows or texts")
                      : shown ? tr("This run has saved no weights.")
                              : tr("Choose one run first"));
    m_label->setEnabled(count > 0);
    m_label->setToolTip(count > 0 ? QString() : tr("Choose a run first"));
    const QString whyKept = reasonOf(foldersToDelete());
    m_delete->setEnabled(whyKept.isEmpty());
    m_delete->setToolTip(whyKept.isEmpty() ? tr("Deletes the chosen runs with all their files; “Undo” brings them back")
                                           : whyKept);
    m_export->setEnabled(count > 0);
    m_export->setToolTip(count > 0 ? QString() : tr("Choose a run first"));
    for (QAction *rounds : std::as_const(m_rounds))
        rounds->setEnabled(!m_history.isExporting());
    m_takeAlong->setEnabled(shown);
    m_picture->setEnabled(m_details->curves() != nullptr && !m_pictureFile.isSaving());
}

/// Why neither a new run nor an old one can train now; empty where one can.
QString HistoryPage::whyNotStarted() const {
    if (selectedRuns().size() != 1)
        return tr("Choose one run first");
    // The window may show an old run meanwhile.
    if (m_run.isLive() || m_underWay.isAnyLive())
        return tr("A run is under way; stop it first.");
    return m_whyNotStart;
}

void HistoryPage::refreshSubtitle() {
    if (m_model->rowCount() == 0 && m_reading.isEmpty()) {
        setSubtitle({});
    } else if (!m_reading.isEmpty()) {
        setSubtitle(tr("Reading the events of the runs: %1").arg(m_reading));
    } else if (m_filter->rowCount() < m_model->rowCount()) {
        setSubtitle(tr("%1 of %n run(s) shown", nullptr, m_model->rowCount()).arg(formatCount(m_filter->rowCount())));
    } else {
        setSubtitle(tr("%n run(s)", nullptr, m_model->rowCount()));
    }
}

}  // namespace hearth
