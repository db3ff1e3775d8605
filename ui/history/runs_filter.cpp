#include "ui/history/runs_filter.h"

#include <algorithm>
#include <cmath>

#include "core/history/job_values.h"
#include "ui/base/theme.h"
#include "ui/run/runs_table_model.h"

namespace hearth {

namespace {
// Of more runs the first ones tell what differs.
constexpr int mostAsked = 200;
}  // namespace

RunsFilter::RunsFilter(QObject *parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunsTableModel::SortRole);
    setSortLocaleAware(true);
    setDynamicSortFilter(true);
    const auto forget = [this] { m_best.clear(); };
    connect(this, &QAbstractItemModel::rowsInserted, this, forget);
    connect(this, &QAbstractItemModel::rowsRemoved, this, forget);
    connect(this, &QAbstractItemModel::dataChanged, this, forget);
    connect(this, &QAbstractItemModel::modelReset, this, forget);
}

const RunSummary &RunsFilter::runAt(int row) const {
    return static_cast<const RunsTableModel *>(sourceModel())->runAt(mapToSource(index(row, 0)).row());
}

QStringList RunsFilter::differing() const {
    std::vector<const RunSummary *> runs;
    for (int row = 0; row < std::min(rowCount(), mostAsked); ++row)
        runs.push_back(&runAt(row));
    return differingPaths(runs);
}

const QHash<QString, RunsFilter::Best> &RunsFilter::best() const {
    if (!m_best.isEmpty())
        return m_best;
    for (int row = 0; row < rowCount(); ++row) {
        const RunSummary &run = runAt(row);
        Best &best = m_best[run.data];
        ++best.runs;
        best.loss = std::fmin(best.loss, run.loss);
        best.accuracy = std::fmax(best.accuracy, run.accuracy);
    }
    return m_best;
}

QVariant RunsFilter::data(const QModelIndex &index, int role) const {
    if (role != Qt::FontRole || !index.isValid() ||
        (index.column() != RunsTableModel::Loss && index.column() != RunsTableModel::Accuracy))
        return QSortFilterProxyModel::data(index, role);
    const RunSummary &run = runAt(index.row());
    const Best best = this->best().value(run.data);
    const bool first = index.column() == RunsTableModel::Loss ? run.loss == best.loss : run.accuracy == best.accuracy;
    if (best.runs < 2 || !first)
        return {};
    QFont strong = bodyFont();
    strong.setBold(true);
    return strong;
}

void RunsFilter::setWords(const QString &words) {
    m_query = RunQuery(words);
    invalidateFilter();
}

void RunsFilter::setStates(States states) {
    m_states = states;
    invalidateFilter();
}

bool RunsFilter::filterAcceptsRow(int row, const QModelIndex &parent) const {
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    const QString state = index.data(RunsTableModel::StateRole).toString();
    const bool finished = state == QLatin1String("finished");
    const bool broken =
        state == QLatin1String("interrupted") || state == QLatin1String("failed") || state == QLatin1String("stopped");
    if ((m_states == States::Finished && !finished) || (m_states == States::Broken && !broken) ||
        (m_states == States::UnderWay && (finished || broken)))
        return false;
    if (m_states == States::Starred && !index.data(RunsTableModel::StarredRole).toBool())
        return false;
    // To put a run in words takes longer than all the rest.
    if (m_query.isEmpty())
        return true;
    if (!m_query.holdsFor(static_cast<const RunsTableModel *>(sourceModel())->runAt(row)))
        return false;
    const QString text = index.data(RunsTableModel::SearchRole).toString();
    return std::ranges::all_of(m_query.words(),
                               [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool RunsFilter::lessThan(const QModelIndex &left, const QModelIndex &right) const {
    const QVariant a = left.data(sortRole()), b = right.data(sortRole());
    if (a.isValid() != b.isValid())
        return (sortOrder() == Qt::AscendingOrder) == a.isValid();
    if (a == b)
        return left.data(RunsTableModel::IdRole).toString() < right.data(RunsTableModel::IdRole).toString();
    return QSortFilterProxyModel::lessThan(left, right);
}

}  // namespace hearth
