#include "ui/history/runs_filter.h"

#include <algorithm>

#include "ui/run/runs_table_model.h"

namespace hearth {

RunsFilter::RunsFilter(QObject *parent) : QSortFilterProxyModel(parent) {
    setSortRole(RunsTableModel::SortRole);
    setSortLocaleAware(true);
    setDynamicSortFilter(true);
}

void RunsFilter::setWords(const QString &words) {
    m_words = words.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
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
    if (m_words.isEmpty())
        return true;
    const QString text = index.data(RunsTableModel::SearchRole).toString();
    return std::ranges::all_of(m_words,
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
