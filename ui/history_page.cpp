#include "ui/history_page.h"

#include <QHeaderView>
#include <QTableView>

#include "ui/home_source.h"
#include "ui/rail.h"
#include "ui/runs_table_model.h"
#include "ui/widgets.h"

namespace hearth {

HistoryPage::HistoryPage(RunController &controller, QWidget *parent)
    : Page(QStringLiteral("historyPage"), tr("History"), parent),
      m_controller(controller),
      m_runs(new RunsTableModel(this)),
      m_table(new QTableView),
      m_open(makePrimary(QStringLiteral("historyOpen"), tr("Open run"))) {
    m_table->setObjectName(QStringLiteral("runsTable"));
    m_table->setAccessibleName(tr("Runs of this home"));
    m_table->setModel(m_runs);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(5 * grid);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(RunsTableModel::Data, QHeaderView::Stretch);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    setContent(m_table);
    setEmptyState(QStringLiteral("history"), tr("No runs yet"),
                  tr("Every run of this home will be listed here, also those that were interrupted, "
                     "and can be opened again."),
                  tr("Start the first run"), TrainPlace);
    setSubtitle(tr("Runs of this home"));

    connect(m_open, &QPushButton::clicked, this, &HistoryPage::open);
    connect(m_table, &QTableView::activated, this, &HistoryPage::open);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_open->setEnabled(m_table->selectionModel()->hasSelection()); });
    connect(&controller, &RunController::runsChanged, this, &HistoryPage::setRuns);
    setRuns({});
}

void HistoryPage::showEvent(QShowEvent *event) {
    Page::showEvent(event);
    m_controller.refreshRuns();
}

void HistoryPage::open() {
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid()) {
        Q_EMIT runWanted(current.data(RunsTableModel::IdRole).toString());
    }
}

void HistoryPage::setRuns(const std::vector<RunInfo> &runs) {
    m_runs->setRuns(runs);
    showEmpty(runs.empty());
    m_open->setEnabled(m_table->selectionModel()->hasSelection());
    m_open->setVisible(!runs.empty());
    m_open->setToolTip(tr("Choose a run first"));
}

}  // namespace hearth
