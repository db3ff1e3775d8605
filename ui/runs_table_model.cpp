#include "ui/runs_table_model.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>

#include "ui/event_sentences.h"
#include "ui/format.h"

namespace hearth {

void RunsTableModel::setRuns(std::vector<RunInfo> runs) {
    // ISO 8601 in UTC sorts as text.
    std::stable_sort(runs.begin(), runs.end(),
                     [](const RunInfo &a, const RunInfo &b) { return a.started > b.started; });
    const bool sameRows =
        runs.size() == m_runs.size() && std::equal(runs.begin(), runs.end(), m_runs.begin(),
                                                   [](const RunInfo &a, const RunInfo &b) { return a.id == b.id; });
    if (sameRows) {
        m_runs = std::move(runs);
        if (!m_runs.empty()) {
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        }
        return;
    }
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

int RunsTableModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunsTableModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsTableModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const RunInfo &run = m_runs[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return text(run, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(
                Qt::Alignment(Qt::AlignVCenter | (index.column() >= Rounds ? Qt::AlignRight : Qt::AlignLeft)));
        case IdRole:
            return run.id;
        default:
            return {};
    }
}

QVariant RunsTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole) {
        const bool numeric = section >= Rounds;
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (numeric ? Qt::AlignRight : Qt::AlignLeft)));
    }
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    const QStringList titles{tr("Started"), tr("State"), tr("Model"),   tr("Data"),
                             tr("Rounds"),  tr("Loss"),  tr("Accuracy")};
    return titles.value(section);
}

QString RunsTableModel::text(const RunInfo &run, int column) const {
    switch (column) {
        case Started: {
            const QDateTime started = QDateTime::fromString(run.started, Qt::ISODate).toLocalTime();
            return started.isValid() ? QLocale().toString(started, QLocale::ShortFormat) : run.started;
        }
        case State:
            return stateText(run.state);
        case Model:
            return run.model;
        case Data:
            return run.data;
        case Rounds:
            return formatCount(run.rounds);
        case Loss:
            return formatLoss(run.loss);
        case Accuracy:
            return run.accuracy < 0 ? QStringLiteral("–") : formatPercent(run.accuracy);
        default:
            return {};
    }
}

}  // namespace hearth
