#include "ui/run/runs_table_model.h"

#include <QDateTime>
#include <QHash>
#include <QLocale>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "core/history/job_values.h"
#include "ui/base/icons.h"
#include "ui/run/job_value_words.h"
#include "ui/run/run_look.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

bool isNumeric(int column) {
    return column >= RunsTableModel::Rounds && column <= RunsTableModel::Size;
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
            Q_EMIT dataChanged(index(0, Star), index(rowCount() - 1, State), {Qt::DecorationRole});
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
                               same->run.badLines == row.run.badLines && same->run.bytes == row.run.bytes &&
                               same->run.label == row.run.label && same->state == row.state;
        if (unchanged)
            continue;
        const bool relabelled = same->run.label != row.run.label;
        row = *same;
        tellChanged(at, relabelled);
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

void RunsTableModel::tellChanged(int row, bool relabelled) {
    const int last = columnCount() - 1;
    if (relabelled) {
        Q_EMIT dataChanged(index(row, 0), index(row, last));
        return;
    }
    // An editor of a name or of tags that is open would lose what was typed.
    Q_EMIT dataChanged(index(row, Started), index(row, Size));
    if (last >= ColumnCount)
        Q_EMIT dataChanged(index(row, ColumnCount), index(row, last));
}

void RunsTableModel::setJobColumns(const QStringList &paths) {
    if (paths == m_jobColumns)
        return;
    if (!m_jobColumns.isEmpty()) {
        beginRemoveColumns({}, ColumnCount, columnCount() - 1);
        m_jobColumns.clear();
        endRemoveColumns();
    }
    if (!paths.isEmpty()) {
        beginInsertColumns({}, ColumnCount, ColumnCount + static_cast<int>(paths.size()) - 1);
        m_jobColumns = paths;
        endInsertColumns();
    }
}

QVariant RunsTableModel::jobData(const RunRow &row, int column, int role) const {
    const QString path = m_jobColumns.value(column);
    const QJsonValue value = valueAt(row.run.job, path);
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return jobValueText(path, value);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | Qt::AlignLeft));
        case SortRole:
            return value.isUndefined() ? QVariant()
                   : value.isDouble()  ? value.toVariant()
                                       : QVariant(jobValueText(path, value));
        default:
            return {};
    }
}

const RunRow *RunsTableModel::find(const QString &id) const {
    const auto found = std::ranges::find_if(m_rows, [&id](const RunRow &row) { return row.run.id == id; });
    return found == m_rows.end() ? nullptr : &*found;
}

bool RunsTableModel::hasTags() const {
    return std::ranges::any_of(m_rows, [](const RunRow &row) { return !row.run.label.tags.isEmpty(); });
}

Qt::ItemFlags RunsTableModel::flags(const QModelIndex &index) const {
    const bool edited = index.column() == Name || index.column() == Tags;
    return QAbstractTableModel::flags(index) | (edited ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool RunsTableModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable))
        return false;
    const RunSummary &run = m_rows[static_cast<std::size_t>(index.row())].run;
    LabelChange change;
    if (index.column() == Tags)
        change = tagsTyped(run.label.tags, value.toString());
    else if (value.toString() != run.label.name)
        change.name = value.toString();
    if (change.isEmpty())
        return false;
    Q_EMIT labelWanted({run.id}, change);
    return true;
}

QVariant RunsTableModel::decoration(const RunRow &row, int column) const {
    const Theme &theme = ThemeManager::instance().theme();
    if (column == State) {
        const RunLook look = lookOfRun(row.state);
        return icon(look.iconName, theme.*look.colour);
    }
    if (column == Star)
        return row.run.label.starred ? icon(QStringLiteral("starred"), theme.accent)
                                     : icon(QStringLiteral("star"), theme.controlBorder);
    return {};
}

int RunsTableModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunsTableModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount + static_cast<int>(m_jobColumns.size());
}

QVariant RunsTableModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const RunRow &row = m_rows[static_cast<std::size_t>(index.row())];
    if (index.column() >= ColumnCount && role < IdRole)
        return jobData(row, index.column() - ColumnCount, role);
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return text(row, index.column());
        case Qt::DecorationRole:
            return decoration(row, index.column());
        case Qt::AccessibleTextRole:
            if (index.column() == Star)
                return row.run.label.starred ? tr("Starred") : tr("Not starred");
            return text(row, index.column());
        case Qt::ToolTipRole:
            return tip(row, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(
                Qt::Alignment(Qt::AlignVCenter | (isNumeric(index.column()) ? Qt::AlignRight : Qt::AlignLeft)));
        case IdRole:
            return row.run.id;
        case SortRole:
            return index.column() < ColumnCount ? sortValue(row, index.column())
                                                : jobData(row, index.column() - ColumnCount, role);
        case SearchRole:
            return QStringList{row.run.id,         startedText(row.run), lookOfRun(row.state).word,
                               row.run.model,      row.run.data,         row.run.devices.join(QLatin1Char(' ')),
                               row.run.label.name, row.run.label.note,   row.run.label.tags.join(QLatin1Char(' '))}
                .join(QLatin1Char('\n'));
        case StateRole:
            return row.state;
        case StarredRole:
            return row.run.label.starred;
        default:
            return {};
    }
}

QVariant RunsTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (isNumeric(section) ? Qt::AlignRight : Qt::AlignLeft)));
    }
    // A column of icons has no room for its title.
    if (orientation == Qt::Horizontal && section == Star && (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole))
        return tr("Starred");
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    const QStringList titles{QString(),      tr("Name"),     tr("Started"), tr("State"),     tr("Model"),
                             tr("Data"),     tr("Devices"),  tr("Rounds"),  tr("Samples/s"), tr("Loss"),
                             tr("Accuracy"), tr("Duration"), tr("Size"),    tr("Tags")};
    return section < ColumnCount ? titles.value(section) : jobValueName(m_jobColumns.value(section - ColumnCount));
}

QString RunsTableModel::text(const RunRow &row, int column) {
    const RunSummary &run = row.run;
    switch (column) {
        case Name:
            return run.label.name;
        case Tags:
            return run.label.tags.join(QStringLiteral(", "));
        case Started:
            return startedText(run);
        case State:
            // Nothing else is known of a run without a line that can be read.
            return row.state.isEmpty() && run.badLines > 0 ? tr("Not readable") : lookOfRun(row.state).word;
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
        case Size:
            return run.bytes < 0 ? QStringLiteral("–") : formatBytes(run.bytes);
        default:
            return {};
    }
}

QVariant RunsTableModel::sortValue(const RunRow &row, int column) {
    const RunSummary &run = row.run;
    switch (column) {
        case Star:
            // Those with a star come first where the newest do, too.
            return run.label.starred ? 1 : 0;
        case Name:
            return run.label.name.isEmpty() ? QVariant() : run.label.name;
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
        case Size:
            return run.bytes < 0 ? QVariant() : run.bytes;
        default:
            return text(row, column);
    }
}

QString RunsTableModel::tip(const RunRow &row, int column) {
    switch (column) {
        case Star:
            return row.run.label.starred ? tr("Starred: a click takes the star away")
                                         : tr("A click gives the run a star");
        case Name:
            // There may be more of the name than there is room for.
            return QStringList{row.run.label.name, row.run.label.note}.join(QLatin1Char('\n')).trimmed();
        case Started:
            return tr("Run %1").arg(row.run.id);
        case Tags:
            return row.run.label.tags.join(QLatin1Char('\n'));
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
