#include "core/home/pairing/plain_name.h"

namespace hearth {

QString plainName(const QString &told) {
    QString plain;
    // More than this is no name, and normalising it would be work.
    for (const QChar c : told.left(4 * maximumDeviceName)) {
        switch (c.category()) {
            case QChar::Other_Format:  // turns of direction, joiners, invisible marks
            case QChar::Other_Surrogate:
            case QChar::Other_PrivateUse:
            case QChar::Other_NotAssigned:
            case QChar::Mark_Enclosing:
                break;
            default:
                plain += c.isPrint() ? c : QLatin1Char(' ');
        }
    }
    // One mark above or below a letter is writing; a pile of them covers the lines around.
    plain = plain.normalized(QString::NormalizationForm_C);
    for (qsizetype i = plain.size() - 1; i > 0; --i) {
        if (plain[i].category() == QChar::Mark_NonSpacing && plain[i - 1].category() == QChar::Mark_NonSpacing)
            plain.remove(i, 1);
    }
    plain = plain.simplified().left(maximumDeviceName).trimmed();
    return plain.isEmpty() ? QStringLiteral("device") : plain;
}

}  // namespace hearth
