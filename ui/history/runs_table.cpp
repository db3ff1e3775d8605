#include "ui/history/runs_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>

#include "ui/base/widgets.h"
#include "ui/run/runs_table_model.h"

namespace hearth {

namespace {
constexpr int leastNameWidth = 13 * grid;
constexpr int names[] = {RunsTableModel::Name, RunsTableModel::Model, RunsTableModel::Data, RunsTableModel::Devices,
                         RunsTableModel::Tags};
// Of thousands of runs the first ones tell how wide numbers are.
constexpr int measuredRows = 100;
}  // namespace

RunsTable::RunsTable(QAbstractItemModel *model, QWidget *parent) : QTableView(parent) {
    setObjectName(QStringLiteral("runsTable"));
    setAccessibleName(tr("Runs"));
    setModel(model);
    setSortingEnabled(true);
    sortByColumn(RunsTableModel::Started, Qt::DescendingOrder);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setShowGrid(false);
    setTabKeyNavigation(false);
    setTextElideMode(Qt::ElideMiddle);
    // Else the first line of a wrapped name is shortened, and then what is left of it.
    setWordWrap(false);
    setEditTriggers(EditKeyPressed | SelectedClicked);
    connect(model, &QAbstractItemModel::columnsInserted, this,
            [this](const QModelIndex &, int first, int last) { takeColumns(first, last); });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == RunsTableModel::Star)
            Q_EMIT starClicked(index);
    });
    setHorizontalScrollMode(ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(4 * grid);
    QHeaderView *header = horizontalHeader();
    header->setResizeContentsPrecision(measuredRows);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (const int column : names)
        header->setSectionResizeMode(column, QHeaderView::Interactive);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setHighlightSections(false);
    connect(header, &QHeaderView::sectionResized, this, [this](int column) {
        if (std::find(std::begin(names), std::end(names), column) == std::end(names))
            shareRoom();
    });
}

void RunsTable::takeColumns(int first, int last) {
    // Rows that are chosen stay chosen, with their new columns; nobody chose anything else.
    const QSignalBlocker quiet(selectionModel());
    selectionModel()->select(selectionModel()->selection(), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    // What differs stands where it is seen, not behind all figures.
    QHeaderView *header = horizontalHeader();
    for (int column = first; column <= last; ++column) {
        const int to = header->visualIndex(RunsTableModel::Data) + 1 + column - first;
        header->moveSection(header->visualIndex(column), to);
    }
    viewport()->update();
}

void RunsTable::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Space && currentIndex().column() == RunsTableModel::Star) {
        Q_EMIT starClicked(currentIndex());
    } else if (event->key() == Qt::Key_Delete) {
        // Held down it would delete one run after the other.
        if (!event->isAutoRepeat())
            Q_EMIT deleteWanted();
    } else {
        QTableView::keyPressEvent(event);
    }
}

void RunsTable::resizeEvent(QResizeEvent *event) {
    QTableView::resizeEvent(event);
    shareRoom();
}

void RunsTable::shareRoom() {
    int taken = 0;
    const auto shown = std::ranges::count_if(names, [this](int column) { return !isColumnHidden(column); });
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (std::find(std::begin(names), std::end(names), column) == std::end(names))
            taken += columnWidth(column);
    }
    const int each = (viewport()->width() - taken) / std::max(1, static_cast<int>(shown));
    for (const int column : names)
        setColumnWidth(column, std::max(each, leastNameWidth));
}

}  // namespace hearth
