// Columns in the terminal.
#pragma once

#include <QList>
#include <QStringList>
#include <limits>

namespace hearth {

/// The first row is the head; all rows have as many cells. Columns from `firstNumber` on end at the right.
void printTable(const QList<QStringList> &rows, qsizetype firstNumber = std::numeric_limits<qsizetype>::max());

}  // namespace hearth
