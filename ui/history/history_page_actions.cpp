// What the buttons of History do.
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <algorithm>

#include "core/history/job_values.h"
#include "core/history/run_history.h"
#include "core/history/weights_round.h"
#include "ui/base/notice_bar.h"
#include "ui/base/questions.h"
#include "ui/base/rail.h"
#include "ui/base/run_controller.h"
#include "ui/history/history_details.h"
#include "ui/history/history_page.h"
#include "ui/history/label_dialog.h"
#include "ui/history/run_curves_view.h"
#include "ui/history/runs_filter.h"
#include "ui/history/runs_table.h"
#include "ui/history/take_along_dialog.h"
#include "ui/history/try_dialog.h"
#include "ui/run/job_value_words.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {
// Of what differs, as many columns as a person takes in.
constexpr qsizetype mostDiffering = 5;
}  // namespace

void HistoryPage::chooseColumns(const std::optional<QStringList> &paths) {
    m_chosenColumns = paths;
    refreshColumns();
}

void HistoryPage::refreshColumns() {
    if (m_chosenColumns) {
        m_model->setJobColumns(*m_chosenColumns);
        return;
    }
    QStringList differing = m_filter->differing();
    // They have columns anyway.
    for (const char *shown : {"model", "data", "rounds"})
        differing.removeAll(QLatin1String(shown));
    std::ranges::stable_sort(differing, {}, &jobValuePlace);
    m_model->setJobColumns(differing.mid(0, mostDiffering));
}

void HistoryPage::fillColumnMenu() {
    m_columnMenu->clear();
    QAction *automatic = m_columnMenu->addAction(tr("What differs between the runs"));
    automatic->setObjectName(QStringLiteral("historyColumnsAutomatic"));
    automatic->setCheckable(true);
    automatic->setChecked(!m_chosenColumns);
    connect(automatic, &QAction::triggered, this,
            [this](bool on) { chooseColumns(on ? std::nullopt : std::optional(m_model->jobColumns())); });
    m_columnMenu->addSeparator();
    QStringList paths = jobPaths() + m_filter->differing() + m_model->jobColumns();
    paths.removeAll(QStringLiteral("model"));
    paths.removeAll(QStringLiteral("data"));
    paths.removeDuplicates();
    for (const QString &path : std::as_const(paths)) {
        // What has a name, and what is shown or differs.
        if (jobValueName(path) == path && !m_model->jobColumns().contains(path))
            continue;
        QAction *action = m_columnMenu->addAction(jobValueName(path));
        action->setObjectName(QStringLiteral("historyColumn_") + path);
        action->setCheckable(true);
        action->setChecked(m_model->jobColumns().contains(path));
        connect(action, &QAction::triggered, this, [this, path](bool on) {
            QStringList chosen = m_model->jobColumns();
            if (on)
                chosen << path;
            else
                chosen.removeAll(path);
            chooseColumns(chosen);
        });
    }
}

void HistoryPage::open() {
    const QStringList runs = selectedRuns();
    if (runs.size() == 1)
        Q_EMIT runWanted(runs.constFirst());
}

void HistoryPage::compare() {
    m_comparing = true;
    askForDetails();
}

void HistoryPage::goOn() {
    if (m_shown.size() != 1)
        return;
    m_controller.goOn(m_shown.front().details.summary.id);
    Q_EMIT placeWanted(TrainPlace);
}

void HistoryPage::startAgain() {
    if (m_shown.size() != 1)
        return;
    const RunDetails &run = m_shown.front().details;
    const auto job = jobAgain(run);
    if (!job)
        return;
    m_controller.start(*job, givenPlan(run), {});
    Q_EMIT placeWanted(TrainPlace);
}

tl::expected<Job, QString> HistoryPage::jobTold(const RunDetails &run) {
    if (const auto told = jobOf(run))
        return *told;
    return tl::unexpected(tr("The job of this run was written by a later version of Hearth."));
}

/// Of a new run that begins as this one did.
tl::expected<Job, QString> HistoryPage::jobAgain(const RunDetails &run) {
    const auto told = jobTold(run);
    if (!told)
        return told;
    return jobToStartAgain(*told, run.summary.folder, begunWith(run)).map_error(errorText);
}

/// Why the home cannot go on with a run that has ended; empty where it can.
QString HistoryPage::whyNotResumed(const RunSummary &run) const {
    const RunInfo *told = m_underWay.find(run);
    if (told == nullptr)
        return tr("This home does not know the run; only the home that trained it can resume it.");
    if (told->resumable)
        return {};
    const auto possible = mustBeResumable(run.folder, *told);
    if (possible)
        return tr("This home has not found the checkpoint of the run yet.");
    const Error &why = possible.error();
    QStringList said{coreText(why.cause)};
    if (why.code == QLatin1String("run.finished") && hasWeights(run.folder))
        said << tr("“Train further …” begins a new run with its weights.");
    else
        said << tr("“Start again” trains its job from the beginning.");
    return said.join(QLatin1Char(' '));
}

/// The job of the run that is shown, to be opened with its weights.
tl::expected<std::pair<Job, StartWeights>, QString> HistoryPage::furtherStart() const {
    if (m_shown.size() != 1)
        return tl::unexpected(tr("Choose one run first"));
    const RunDetails &run = m_shown.front().details;
    if (m_underWay.isLive(run.summary, QDateTime::currentDateTimeUtc()))
        return tl::unexpected(tr("This run is under way; stop it first."));
    const std::optional<RunWeights> which = weightsToTake(run.summary.folder);
    if (!which)
        return tl::unexpected(tr("This run has saved no weights."));
    const auto told = jobTold(run);
    if (!told)
        return tl::unexpected(told.error());
    const auto job = jobToTrain(*told, run.summary.folder);
    if (!job)
        return tl::unexpected(errorText(job.error()));
    return std::pair(*job, StartWeights{run.summary.id, runTitle(run.summary), run.summary.folder, *which});
}

void HistoryPage::trainFurther() {
    if (const auto start = furtherStart())
        Q_EMIT furtherWanted(start->first, start->second);
}

void HistoryPage::tryRun() {
    if (m_shown.size() != 1)
        return;
    const RunSummary &run = m_shown.front().details.summary;
    TryChoice choice;
    choice.weights = weightsToTake(run.folder).value_or(RunWeights::Last);
    auto *dialog = new TryDialog(m_questions, m_controller, run.model, run.folder, this, choice);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void HistoryPage::takeAlong(const QString &run) {
    m_takenAlong = run;
    m_words->clear();
    m_states->setCurrentIndex(0);
    m_history.refresh();
    chooseTakenAlong();
}

void HistoryPage::chooseTakenAlong() {
    if (m_takenAlong.isEmpty())
        return;
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        if (m_filter->index(row, 0).data(RunsTableModel::IdRole).toString() != m_takenAlong)
            continue;
        m_table->selectRow(row);
        askForDetails();
    }
}

void HistoryPage::openTakeAlong() {
    if (m_shown.size() != 1)
        return;
    auto *dialog = new TakeAlongDialog(m_questions, m_shown.front(), this);
    connect(dialog, &TakeAlongDialog::written, this,
            [this](const QString &path) { m_notice->say(tr("What you take along is in %1.").arg(path)); });
    connect(dialog, &TakeAlongDialog::failed, &m_controller, &RunController::failed);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

QString HistoryPage::askExportPath(RunExport form) {
    // TensorBoard takes a folder for each run, and shows those of one folder over each other.
    if (form == RunExport::TensorBoard)
        return m_questions.askOpenFolder(this, tr("Export for TensorBoard"));
    return m_questions.askSaveFile(this, tr("Export rounds"),
                                   form == RunExport::JsonLines ? tr("JSON Lines (*.jsonl)") : tr("Tables (*.csv)"));
}

void HistoryPage::exportRuns(RunExport form) {
    const QStringList runs = selectedRuns();
    const QString path = askExportPath(form);
    if (path.isEmpty() || runs.isEmpty())
        return;
    m_exportPath = path;
    m_busy->say(tr("Writing the rounds to %1 …").arg(path));
    m_history.exportRuns(form, runs, path);
    refreshButtons();
}

void HistoryPage::askForLabel() {
    const QStringList runs = selectedRuns();
    std::vector<RunLabel> labels;
    for (const QString &id : runs) {
        if (const RunRow *row = m_model->find(id))
            labels.push_back(row->run.label);
    }
    if (labels.empty())
        return;
    auto *dialog = new LabelDialog(labels, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &LabelDialog::decided, this,
            [this, runs](const LabelChange &change) { changeLabels(runs, change); });
    dialog->open();
}

void HistoryPage::star(const QModelIndex &index) {
    LabelChange change;
    change.starred = !index.data(RunsTableModel::StarredRole).toBool();
    const QString id = index.data(RunsTableModel::IdRole).toString();
    const QStringList chosen = selectedRuns();
    changeLabels(chosen.contains(id) ? chosen : QStringList{id}, change);
}

void HistoryPage::changeLabels(const QStringList &ids, const LabelChange &change) {
    QStringList folders;
    for (const QString &id : ids) {
        if (const RunRow *row = m_model->find(id))
            folders << row->run.folder;
    }
    if (!folders.isEmpty() && !change.isEmpty())
        m_history.changeLabels(folders, change);
}

/// Those of the chosen runs.
tl::expected<QStringList, QString> HistoryPage::foldersToDelete() const {
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QStringList folders;
    for (const RunSummary *run : chosenRuns()) {
        if (m_underWay.isHeld(*run, now))
            return tl::unexpected(tr("A run that is under way cannot be deleted; stop it first."));
        folders << run->folder;
    }
    if (folders.isEmpty())
        return tl::unexpected(tr("Choose a run first"));
    return folders;
}

void HistoryPage::deleteRuns() {
    if (const auto folders = foldersToDelete())
        m_history.deleteRuns(*folders);
    else
        m_notice->say(folders.error());
}

/// As long as they can be brought back.
void HistoryPage::showDeleted() {
    const std::vector<DeletedRun> &runs = m_history.deletedRuns();
    if (runs.empty()) {
        m_undo->hide();
        return;
    }
    qint64 bytes = 0;
    for (const DeletedRun &run : runs)
        bytes += run.bytes;
    m_undo->say(tr("%n run(s) deleted (%1).", nullptr, static_cast<int>(runs.size())).arg(formatBytes(bytes)));
}

void HistoryPage::exportPicture() {
    const QString path = m_questions.askSaveFile(this, tr("Export picture"), tr("Pictures (*.png)"));
    if (path.isEmpty() || m_details->curves() == nullptr)
        return;
    m_pictureFile.save(m_details->curves()->picture(), path);
    refreshButtons();
}

}  // namespace hearth
