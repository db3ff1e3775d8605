#include "ui/plan/plan_compare.h"

#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>
#include <limits>

#include "core/plan/planner.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"
#include "ui/words/planner_words.h"

namespace hearth {

namespace {

// Of each planner that searches for as long as it is let.
constexpr double longestCompared = 1;

double secondsOf(const Result<Plan> &plan) {
    return plan && plan->prediction ? plan->prediction->roundSeconds : std::numeric_limits<double>::infinity();
}

QString nameOf(const QString &schedule) {
    const std::pair<const char *, QString> names[] = {
        {"1f1b", QStringLiteral("1F1B")},
        {"zero-bubble", PlanCompare::tr("Zero-bubble")},
        {"zero-bubble-eager", PlanCompare::tr("Zero-bubble, eager")},
        {"fill-drain", PlanCompare::tr("Fill and drain")},
        {"interleaved", PlanCompare::tr("Interleaved")},
        {"asynchronous", PlanCompare::tr("Asynchronous")},
        {"local-steps", PlanCompare::tr("Local steps")},
    };
    for (const auto &[key, name] : names) {
        if (schedule == QLatin1String(key))
            return name;
    }
    return schedule;
}

/// What it changes in the mathematics.
QString changeOf(const ScheduleRow &row) {
    switch (row.changes) {
        case ScheduleRow::Changes::Nothing:
            return PlanCompare::tr("unchanged");
        case ScheduleRow::Changes::Staleness:
            return PlanCompare::tr("by gradients that are %n update(s) old", nullptr, row.amount);
        case ScheduleRow::Changes::Averaging:
            return PlanCompare::tr("averaged every %1 batches").arg(formatCount(row.amount));
    }
    return {};
}

/// What a plan alone does not bring about.
QString howToAsk(const ScheduleRow &row) {
    switch (row.changes) {
        case ScheduleRow::Changes::Nothing:
            return PlanCompare::tr(R"(Leave "mode" out of the job's file for this)");
        case ScheduleRow::Changes::Staleness:
            return PlanCompare::tr(R"(Write "mode": "asynchronous" into the job's file for this)");
        case ScheduleRow::Changes::Averaging:
            return PlanCompare::tr(R"(Write "local_steps" into the job's file for this)");
    }
    return {};
}

}  // namespace

PlanCompare::PlanCompare(PlanDraft &draft, QWidget *parent)
    : QFrame(parent),
      m_draft(draft),
      m_compare(makeButton(QStringLiteral("planCompare"), tr("Compare"), "")),
      m_load(makeButton(QStringLiteral("planLoad"), tr("Load this plan"), "")),
      m_planners(new QStandardItemModel(this)),
      m_schedules(new QStandardItemModel(this)),
      m_plannerTable(makeTable(QStringLiteral("plannerTable"), tr("What each planner would do"), m_planners)),
      m_scheduleTable(
          makeTable(QStringLiteral("scheduleTable"), tr("What each schedule would make of the plan"), m_schedules)),
      m_scheduleHead(makeLabel(tr("By other schedules"), "strong")),
      m_search(m_compare) {
    setObjectName(QStringLiteral("planComparison"));
    setProperty("role", QStringLiteral("card"));
    m_scheduleHead->hide();
    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    head->addWidget(makeLabel(tr("What would other planners and schedules do?"), "strong"));
    ElidedLabel *words = m_search.makeWords(tr("Comparing …"));
    words->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    head->addWidget(words, 1);
    head->addWidget(m_load);
    head->addWidget(m_compare);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid);
    layout->addLayout(head);
    layout->addWidget(m_plannerTable);
    layout->addWidget(m_scheduleHead);
    layout->addWidget(m_scheduleTable);
    connect(&m_search, &SearchButton::wanted, this, &PlanCompare::compare);
    connect(m_load, &QPushButton::clicked, this, [this] { selectedSchedule() ? loadSchedule() : loadPlan(); });
    connect(m_plannerTable, &QTableView::activated, this, &PlanCompare::loadPlan);
    connect(m_scheduleTable, &QTableView::activated, this, &PlanCompare::loadSchedule);
    // One row of the two tables is the one to load.
    for (const auto &[own, other] : {std::pair(m_plannerTable, m_scheduleTable), {m_scheduleTable, m_plannerTable}}) {
        connect(own->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this, own = own, other = other] {
            if (own->selectionModel()->hasSelection())
                other->clearSelection();
            refresh();
        });
    }
    refresh();
}

QTableView *PlanCompare::makeTable(const QString &name, const QString &says, QStandardItemModel *model) {
    auto *table = new QTableView;
    table->setObjectName(name);
    table->setAccessibleName(says);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(4 * grid);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->hide();
    return table;
}

PlanCompare::~PlanCompare() = default;

void PlanCompare::refresh() {
    if (!m_scheduleRows.empty() && !areSchedulesOfThePlan())
        forgetSchedules();
    setVisible(m_draft.isEditable());
    const Row *planner = selectedPlanner();
    const ScheduleRow *schedule = selectedSchedule();
    m_load->setVisible(!m_rows.empty());
    m_load->setEnabled((planner && planner->plan) || (schedule && isOfThisJob(*schedule)));
    m_load->setToolTip(m_load->isEnabled() ? QString()
                       : schedule          ? howToAsk(*schedule)
                                           : tr("Choose a planner that found a plan, or a schedule"));
}

const PlanCompare::Row *PlanCompare::selectedPlanner() const {
    const QModelIndex current = m_plannerTable->currentIndex();
    const bool any = m_plannerTable->selectionModel()->hasSelection() && current.isValid();
    return any ? &m_rows[static_cast<std::size_t>(current.row())] : nullptr;
}

bool PlanCompare::areSchedulesOfThePlan() const {
    const Plan &now = m_draft.committed();
    const auto isNow = [&now](const Plan &plan) { return plan.isSame(now); };
    // One that was loaded from here has limits of its own, and the others are still the choice beside it.
    return isNow(m_compared) || std::ranges::any_of(m_scheduleRows, isNow, &ScheduleRow::plan);
}

bool PlanCompare::isOfThisJob(const ScheduleRow &row) const {
    const bool isAsynchronous = m_draft.problem().asynchronous.has_value();
    return row.changes == (isAsynchronous ? ScheduleRow::Changes::Staleness : ScheduleRow::Changes::Nothing);
}

const ScheduleRow *PlanCompare::selectedSchedule() const {
    const QModelIndex current = m_scheduleTable->currentIndex();
    const bool any = m_scheduleTable->selectionModel()->hasSelection() && current.isValid();
    return any ? &m_scheduleRows[static_cast<std::size_t>(current.row())] : nullptr;
}

void PlanCompare::compare() {
    if (!m_draft.isEditable())
        return;
    const Plan plan = m_draft.committed();
    auto rows = std::make_shared<std::vector<Row>>();
    auto schedules = std::make_shared<std::vector<ScheduleRow>>();
    const auto search = [rows, schedules, plan](const PlanningProblem &problem,
                                                const BackgroundPlan::Cancelled &cancelled) -> Result<Plan> {
        PlannerOptions options;
        options.abandoned = cancelled;
        options.secondsLimit = longestCompared;
        for (const QString &name : plannerNames()) {
            if (cancelled())
                break;
            rows->push_back({name, makePlan(name, problem, options)});
        }
        if (!cancelled() && plan.validateFor(problem))
            *schedules = compareSchedules(CostModel(problem), plan, options);
        return Plan();
    };
    m_search.start(m_draft.problem(), search, [this, rows, schedules, plan](const Result<Plan> &) {
        m_compared = plan;
        show(std::move(*schedules));
        show(std::move(*rows));
    });
}

void PlanCompare::show(std::vector<Row> rows) {
    std::ranges::stable_sort(rows, {}, [](const Row &row) { return secondsOf(row.plan); });
    m_rows = std::move(rows);
    std::vector<QStringList> texts;
    for (const Row &row : m_rows) {
        QStringList own{plannerText(row.planner)};
        if (row.plan && row.plan->prediction) {
            const Prediction &prediction = *row.plan->prediction;
            own << formatSeconds(prediction.roundSeconds) << formatNumber(prediction.samplesPerSecond)
                << formatCount(static_cast<qint64>(row.plan->stageCount()))
                << formatCount(static_cast<qint64>(row.plan->deviceCount()))
                << (prediction.fits ? tr("fits") : tr("does not fit"));
        } else {
            own << QStringLiteral("–") << QStringLiteral("–") << QStringLiteral("–") << QStringLiteral("–")
                << (row.plan ? QString() : coreText(row.plan.error().what));
        }
        texts.push_back(own);
    }
    fill(m_plannerTable, m_planners,
         {tr("Planner"), tr("Round"), tr("Samples/s"), tr("Stages"), tr("Devices"), tr("Memory")}, texts);
    for (int row = 0; row < m_planners->rowCount(); ++row) {
        const Row &own = m_rows[static_cast<std::size_t>(row)];
        QStandardItem *name = m_planners->item(row, 0);
        name->setToolTip(QStringLiteral("%1\nhearth plan --planner %2").arg(name->text(), own.planner));
        // Why there is no plan stands in the last column, as far as it has room.
        if (!own.plan)
            m_planners->item(row, m_planners->columnCount() - 1)->setToolTip(errorText(own.plan.error()));
    }
    refresh();
}

void PlanCompare::show(std::vector<ScheduleRow> rows) {
    m_scheduleRows = std::move(rows);
    std::vector<QStringList> texts;
    for (const ScheduleRow &row : m_scheduleRows) {
        const QString memory = row.plan.prediction->fits ? formatBytes(row.peakBytes)
                                                         : tr("%1, does not fit").arg(formatBytes(row.peakBytes));
        texts.push_back({nameOf(row.name), formatSeconds(row.batchSeconds), memory, changeOf(row)});
    }
    fill(m_scheduleTable, m_schedules, {tr("Schedule"), tr("Time of a batch"), tr("Memory"), tr("Weights")}, texts);
    m_scheduleTable->setVisible(!m_scheduleRows.empty());
    m_scheduleHead->setVisible(!m_scheduleRows.empty());
}

void PlanCompare::fill(QTableView *table, QStandardItemModel *model, const QStringList &heads,
                       const std::vector<QStringList> &rows) {
    model->clear();
    model->setHorizontalHeaderLabels(heads);
    for (const QStringList &texts : rows) {
        QList<QStandardItem *> items;
        for (const QString &text : texts) {
            items << new QStandardItem(text);
            items.last()->setToolTip(text);
        }
        model->appendRow(items);
    }
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    const int rowsHeight = static_cast<int>(rows.size()) * table->verticalHeader()->defaultSectionSize();
    table->setFixedHeight(rowsHeight + table->horizontalHeader()->sizeHint().height() + grid);
    table->show();
}

void PlanCompare::forget() {
    m_search.cancel();
    m_rows.clear();
    m_planners->clear();
    m_plannerTable->hide();
    forgetSchedules();
    refresh();
}

void PlanCompare::forgetSchedules() {
    m_scheduleRows.clear();
    m_schedules->clear();
    m_scheduleTable->hide();
    m_scheduleHead->hide();
}

void PlanCompare::loadPlan() {
    const Row *row = selectedPlanner();
    if (row && row->plan)
        m_draft.replace(tr("Plan of the planner “%1”").arg(plannerText(row->planner)), *row->plan);
}

void PlanCompare::loadSchedule() {
    const ScheduleRow *row = selectedSchedule();
    if (row && isOfThisJob(*row))
        m_draft.replace(tr("Schedule “%1”").arg(nameOf(row->name)), row->plan);
}

}  // namespace hearth
