// Columns in the terminal.
#pragma once

#include <QList>
#include <QStringList>

namespace hearth {

/// The first row is the head; all rows have as many cells.
void printTable(const QList<QStringList> &rows);

}  // namespace hearth
