#include "core/pairing/name_skeleton.h"

#include <QHash>
#include <algorithm>

#include "core/home/plain_name.h"

namespace hearth {
namespace {

constexpr qsizetype shownDigits = 8;

/// From Unicode's confusables.txt, what keyboards of Europe type: each letter of a word looks like its first one.
constexpr QStringView alike =
    u"aаαɑΑА bЬьвВΒβ cсСϲϹ dԁԀժ eеЕΕεҽ fϝϜ gɡցԌԍ hһҺհнНΗ jјЈϳ kкКΚκ l1Ii|!іІӏӀΙιıɩǀ mмМΜ nոηпПΝ o0оОοΟσօՕ pрРρΡ qԛԚզ "
    u"rгГ sѕЅՏ tтТτΤ uυսμц vνѵѴ wԝԜωшѡա xхХχΧ× yуУγʏүҮΥ zΖζ 3зЗӡЭэ 4ч 6б -_‐‑‒–—―−⁃ー .․·• '’‘ʼ`´ʹ";

const QHash<QChar, QChar> &shapes() {
    static const QHash<QChar, QChar> table = [] {
        QHash<QChar, QChar> made;
        QChar shape = u' ';
        for (const QChar each : alike) {
            shape = shape == u' ' ? each : shape;
            made.insert(each, shape);
            shape = each == u' ' ? each : shape;
        }
        return made;
    }();
    return table;
}

}  // namespace

QString nameSkeleton(const QString &name) {
    QString plain;
    for (const QChar c : name.normalized(QString::NormalizationForm_KD)) {
        const bool isMark = c.category() == QChar::Mark_NonSpacing || c.category() == QChar::Mark_Enclosing;
        if (isMark || isHidden(c) || c.isSpace())
            continue;
        const QChar shape = shapes().value(c, c);
        const QChar folded = shape.toCaseFolded();
        plain += shapes().value(folded, folded);
    }
    return plain.replace(QLatin1String("rn"), QLatin1String("m")).replace(QLatin1String("vv"), QLatin1String("w"));
}

QString distinctName(const QString &name, const QString &key, const QStringList &others) {
    const QString skeleton = nameSkeleton(name);
    const bool looksLikeOne =
        std::ranges::any_of(others, [&](const QString &other) { return nameSkeleton(other) == skeleton; });
    if (!looksLikeOne)
        return name;
    const QString digits = QStringLiteral(" (%1)").arg(key.left(shownDigits));
    return name.left(maximumDeviceName - digits.size()).trimmed() + digits;
}

}  // namespace hearth
