#include "core/home/plain_name.h"

#include <algorithm>
#include <array>

namespace hearth {

bool isHidden(QChar character) {
    if (character.category() == QChar::Other_Format)
        return true;
    struct Range {
        char16_t first, last;
    };
    // Of those in the first plane that are no format characters.
    static constexpr std::array<Range, 9> ranges{{{0x034f, 0x034f},
                                                  {0x115f, 0x1160},
                                                  {0x17b4, 0x17b5},
                                                  {0x180b, 0x180f},
                                                  {0x2065, 0x2065},
                                                  {0x2800, 0x2800},
                                                  {0x3164, 0x3164},
                                                  {0xfe00, 0xfe0f},
                                                  {0xffa0, 0xffa0}}};
    return std::ranges::any_of(
        ranges, [unit = character.unicode()](const Range &range) { return unit >= range.first && unit <= range.last; });
}

QString plainName(const QString &told) {
    QString plain;
    // More than this is no name, and normalising it would be work. Normalised before surrogates are dropped, too: a
    // letter of the first plane may have its normal form in a higher one.
    const QString composed = told.left(4 * maximumDeviceName).normalized(QString::NormalizationForm_C);
    for (const QChar c : composed) {
        if (isHidden(c))
            continue;
        switch (c.category()) {
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
