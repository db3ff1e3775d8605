#include "ui/run/runs_table_model.h"

#include <QDateTime>
#include <QHash>
#include <QLocale>
#include <QSet>
#include <cmath>

#include "ui/base/icons.h"
#include "ui/run/run_look.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

bool isNumeric(int column) {
    return column >= RunsTableModel::Rounds;
}

QVariant known(double value) {
    return std::isfinite(value) ? QVariant(value) : QVariant();
}

}  // namespace

QString startedText(const RunSummary &run) {
    const QDateTime started = QDateTime::fromString(run.started, Qt::ISODate).toLocalTime();
    if (started.isValid())
        return QLocale().toString(started, QLocale::ShortFormat);
    return run.started.isEmpty() ? QStringLiteral("–") : run.started;
}

RunsTableModel::RunsTableModel(QObject *parent) : QAbstractTableModel(parent) {
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, State), index(rowCount() - 1, State), {Qt::DecorationRole});
    });
}

void RunsTableModel::setRuns(const std::vector<RunRow> &rows) {
    QHash<QString, const RunRow *> coming;
    for (const RunRow &row : rows)
        coming.insert(row.run.folder, &row);
    for (int at = rowCount() - 1; at >= 0; --at) {
        RunRow &row = m_rows[static_cast<std::size_t>(at)];
        const RunRow *same = coming.take(row.run.folder);
        if (same == nullptr) {
            beginRemoveRows({}, at, at);
            m_rows.erase(m_rows.begin() + at);
            endRemoveRows();
            continue;
        }
        const bool unchanged = same->run.lastSeq == row.run.lastSeq && same->run.modified == row.run.modified &&
                               same->run.badLines == row.run.badLines && same->state == row.state;
        if (unchanged)
            continue;
        row = *same;
        Q_EMIT dataChanged(index(at, 0), index(at, ColumnCount - 1));
    }
    if (coming.isEmpty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(coming.size()) - 1);
    for (const RunRow &row : rows) {
        if (coming.contains(row.run.folder))
            m_rows.push_back(row);
    }
    endInsertRows();
}

int RunsTableModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunsTableModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsTableModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const RunRow &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return text(row, index.column());
        case Qt::DecorationRole:
            if (index.column() == State) {
                const RunLook look = lookOfRun(row.state);
                return icon(look.iconName, ThemeManager::instance().theme().*look.colour);
            }
            return {};
        case Qt::ToolTipRole:
            return tip(row, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(
                Qt::Alignment(Qt::AlignVCenter | (isNumeric(index.column()) ? Qt::AlignRight : Qt::AlignLeft)));
        case IdRole:
            return row.run.id;
        case SortRole:
            return sortValue(row, index.column());
        case SearchRole:
            return QStringList{row.run.id,    startedText(row.run), lookOfRun(row.state).word,
                               row.run.model, row.run.data,         row.run.devices.join(QLatin1Char(' '))}
                .join(QLatin1Char('\n'));
        case StateRole:
            return row.state;
        default:
            return {};
    }
}

QVariant RunsTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (isNumeric(section) ? Qt::AlignRight : Qt::AlignLeft)));
    }
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    const QStringList titles{tr("Started"), tr("State"),     tr("Model"), tr("Data"),     tr("Devices"),
                             tr("Rounds"),  tr("Samples/s"), tr("Loss"),  tr("Accuracy"), tr("Duration")};
    return titles.value(section);
}

QString RunsTableModel::text(const RunRow &row, int column) {
    const RunSummary &run = row.run;
    switch (column) {
        case Started:
            return startedText(run);
        case State:
            return lookOfRun(row.state).word;
        case Model:
            return run.model;
        case Data:
            return run.data;
        case Devices:
            return run.devices.size() > 2 ? tr("%n device(s)", nullptr, static_cast<int>(run.devices.size()))
                                          : run.devices.join(QStringLiteral(", "));
        case Rounds:
            return run.wantedRounds > run.rounds
                       ? tr("%1 of %2").arg(formatCount(run.rounds), formatCount(run.wantedRounds))
                       : formatCount(run.rounds);
        case Speed:
            return formatNumber(run.samplesPerSecond);
        case Loss:
            return formatLoss(run.loss);
        case Accuracy:
            return std::isfinite(run.accuracy) ? formatPercent(run.accuracy) : QStringLiteral("–");
        case Length:
            return formatWholeSeconds(run.seconds);
        default:
            return {};
    }
}

QVariant RunsTableModel::sortValue(const RunRow &row, int column) {
    const RunSummary &run = row.run;
    switch (column) {
        case Started:
            return run.started;
        case Devices:
            return static_cast<qint64>(run.devices.size());
        case Rounds:
            return run.rounds;
        case Speed:
            return known(run.samplesPerSecond);
        case Loss:
            return known(run.loss);
        case Accuracy:
            return known(run.accuracy);
        case Length:
            return run.seconds;
        default:
            return text(row, column);
    }
}

QString RunsTableModel::tip(const RunRow &row, int column) {
    switch (column) {
        case Started:
            return tr("Run %1").arg(row.run.id);
        case Model:
            return row.run.model;
        case Data:
            return row.run.data;
        case Devices:
            return row.run.devices.join(QLatin1Char('\n'));
        default:
            return {};
    }
}

}  // namespace hearth
