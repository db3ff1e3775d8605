#include "ui/job/sample_words.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/one_line.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr qsizetype mostShownFields = 8, mostFieldLetters = 200;
constexpr qsizetype mostSpokenLetters = 40;  // of a field

class SampleWords {
    Q_DECLARE_TR_FUNCTIONS(SampleWords)
  public:
    static QString row(qsizetype number, const QString &fields) {
        return tr("Row %1: %2").arg(formatCount(number), fields);
    }
    static QString picture(qsizetype number, const QString &kind) {
        return tr("Picture %1: %2").arg(formatCount(number), kind);
    }
};

}  // namespace

QStringList shownFields(const QStringList &row) {
    QStringList shown = row.mid(0, mostShownFields);
    if (shown.size() < row.size())
        shown.back() = row.back();
    for (QString &field : shown)
        field = oneLine(field, mostFieldLetters);
    return shown;
}

QString rowsInWords(const QList<QStringList> &rows) {
    QStringList spoken;
    for (qsizetype row = 1; row < rows.size(); ++row) {
        const QStringList names = shownFields(rows.front()), fields = shownFields(rows[row]);
        QStringList pairs;
        for (qsizetype i = 0; i < std::min(names.size(), fields.size()); ++i)
            pairs << QStringLiteral("%1 %2").arg(names[i].left(mostSpokenLetters), fields[i].left(mostSpokenLetters));
        spoken << SampleWords::row(row, pairs.join(QStringLiteral(", ")));
    }
    return spoken.join(QStringLiteral("; "));
}

QString picturesInWords(const QStringList &classes) {
    QStringList spoken;
    for (qsizetype i = 0; i < classes.size(); ++i)
        spoken << SampleWords::picture(i + 1, classes[i]);
    return spoken.join(QStringLiteral("; "));
}

}  // namespace hearth
