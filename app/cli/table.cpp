#include "app/cli/table.h"

#include <algorithm>

#include "app/cli/command.h"
#include "core/base/terminal.h"

namespace hearth {

void printTable(const QList<QStringList> &told, qsizetype firstNumber) {
    QList<QStringList> rows = told;  // as they will be shown, for their widths
    for (QStringList &row : rows)
        std::ranges::transform(row, row.begin(), terminalText);
    QList<qsizetype> widths(rows.first().size(), 0);
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    for (const QStringList &row : rows) {
        QStringList cells;
        for (qsizetype i = 0; i < row.size(); ++i)
            cells << (i < firstNumber ? row[i].leftJustified(widths[i]) : row[i].rightJustified(widths[i]));
        QString text = cells.join(QStringLiteral("  "));
        while (text.endsWith(QLatin1Char(' ')))
            text.chop(1);
        printLine(text);
    }
}

}  // namespace hearth
