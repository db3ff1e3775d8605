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

namespace hearth {

namespace {

// Of each planner that searches for as long as it is let.
constexpr double longestSeconds = 1;

double secondsOf(const Result<Plan> &plan) {
    return plan && plan->prediction ? plan->prediction->roundSeconds : std::numeric_limits<double>::infinity();
}

}  // namespace

PlanCompare::PlanCompare(PlanDraft &draft, QWidget *parent)
    : QFrame(parent),
      m_draft(draft),
      m_compare(makeButton(QStringLiteral("planCompare"), tr("Compare planners"), "")),
      m_load(makeButton(QStringLiteral("planLoad"), tr("Load this plan"), "")),
      m_model(new QStandardItemModel(this)),
      m_table(new QTableView) {
    setObjectName(QStringLiteral("planComparison"));
    setProperty("role", QStringLiteral("card"));
    m_table->setObjectName(QStringLiteral("plannerTable"));
    m_table->setAccessibleName(tr("What each planner would do"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(4 * grid);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->hide();
    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    head->addWidget(makeLabel(tr("What would other planners do?"), "strong"), 1);
    head->addWidget(m_load);
    head->addWidget(m_compare);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid);
    layout->addLayout(head);
    layout->addWidget(m_table);
    connect(m_compare, &QPushButton::clicked, this, &PlanCompare::compare);
    connect(m_load, &QPushButton::clicked, this, &PlanCompare::load);
    connect(m_table, &QTableView::activated, this, &PlanCompare::load);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PlanCompare::refresh);
    refresh();
}

PlanCompare::~PlanCompare() = default;

void PlanCompare::refresh() {
    setVisible(m_draft.isEditable());
    m_compare->setText(m_search.isRunning() ? tr("Comparing …") : tr("Compare planners"));
    m_compare->setEnabled(!m_search.isRunning());
    const QModelIndex current = m_table->selectionModel()->hasSelection() ? m_table->currentIndex() : QModelIndex();
    m_load->setVisible(!m_rows.empty());
    m_load->setEnabled(current.isValid() && m_rows[static_cast<std::size_t>(current.row())].plan.has_value());
    m_load->setToolTip(m_load->isEnabled() ? QString() : tr("Choose a planner that found a plan"));
}

void PlanCompare::compare() {
    if (!m_draft.isEditable())
        return;
    auto rows = std::make_shared<std::vector<Row>>();
    const auto search = [rows](const PlanningProblem &problem,
                               const BackgroundPlan::Cancelled &cancelled) -> Result<Plan> {
        PlannerOptions options;
        options.cancelled = cancelled;
        options.secondsLimit = longestSeconds;
        for (const QString &name : plannerNames()) {
            if (cancelled())
                break;
            rows->push_back({name, makePlan(name, problem, options)});
        }
        return Plan();
    };
    m_search.start(m_draft.problem(), search, [this, rows](const Result<Plan> &) { show(std::move(*rows)); });
    refresh();
}

void PlanCompare::show(std::vector<Row> rows) {
    std::ranges::stable_sort(rows, {}, [](const Row &row) { return secondsOf(row.plan); });
    m_rows = std::move(rows);
    m_model->clear();
    m_model->setHorizontalHeaderLabels(
        {tr("Planner"), tr("Round"), tr("Samples/s"), tr("Stages"), tr("Devices"), tr("Memory")});
    for (const Row &row : m_rows) {
        QStringList texts{row.planner};
        if (row.plan && row.plan->prediction) {
            const Prediction &prediction = *row.plan->prediction;
            texts << formatSeconds(prediction.roundSeconds) << formatNumber(prediction.samplesPerSecond)
                  << formatCount(static_cast<qint64>(row.plan->stageCount()))
                  << formatCount(static_cast<qint64>(row.plan->deviceCount()))
                  << (prediction.fits ? tr("fits") : tr("does not fit"));
        } else {
            texts << QStringLiteral("–") << QStringLiteral("–") << QStringLiteral("–") << QStringLiteral("–")
                  << (row.plan ? QString() : coreText(row.plan.error().what));
        }
        QList<QStandardItem *> items;
        for (const QString &text : std::as_const(texts))
            items << new QStandardItem(text);
        m_model->appendRow(items);
    }
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setStretchLastSection(true);
    const int rowsHeight = static_cast<int>(m_rows.size()) * m_table->verticalHeader()->defaultSectionSize();
    m_table->setFixedHeight(rowsHeight + m_table->horizontalHeader()->sizeHint().height() + grid);
    m_table->show();
    refresh();
}

void PlanCompare::forget() {
    m_search.cancel();
    m_rows.clear();
    m_model->clear();
    m_table->hide();
    refresh();
}

void PlanCompare::load() {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return;
    const Row &row = m_rows[static_cast<std::size_t>(current.row())];
    if (row.plan)
        m_draft.replace(tr("Plan of the planner “%1”").arg(row.planner), *row.plan);
}

}  // namespace hearth
