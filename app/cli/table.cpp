#include "app/cli/table.h"

#include <algorithm>

#include "app/cli/command.h"

namespace hearth {

void printTable(const QList<QStringList> &rows) {
    QList<qsizetype> widths(rows.first().size(), 0);
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    for (const QStringList &row : rows) {
        QString text;
        for (qsizetype i = 0; i < row.size(); ++i)
            text += i + 1 < row.size() ? row[i].leftJustified(widths[i] + 2) : row[i];
        printLine(text.trimmed());
    }
}

}  // namespace hearth
