#include "ui/words/error_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

QString partText(const QVariant &part) {
    switch (part.typeId()) {
        case QMetaType::Double:
            return formatBytes(static_cast<qint64>(part.toDouble()));
        case QMetaType::Int:
        case QMetaType::LongLong:
            return formatCount(part.toLongLong());
        default:
            return part.toString();
    }
}

}  // namespace

QString errorText(const EditRefusal &refusal) {
    if (refusal.reason == RefusalReason::Other)
        return errorText(static_cast<const Error &>(refusal));
    QStringList parts;
    for (const QVariant &part : refusal.arguments)
        parts << partText(part);
    const RefusalWords &words = wordsOf(refusal.reason);
    QStringList sentences;
    for (const char *sentence : {words.what, words.cause, words.advice}) {
        if (*sentence != '\0')
            sentences << filledWith(QCoreApplication::translate("EditRefusal", sentence), parts);
    }
    return sentences.join(QLatin1Char(' '));
}

QString errorText(const Error &error) {
    for (const RefusalReason reason : {RefusalReason::Pipelines, RefusalReason::NoPlanFits}) {
        if (error.code == QLatin1String(wordsOf(reason).code))
            return errorText(EditRefusal(reason, {}));
    }
    return coreText(error).toString();
}

}  // namespace hearth
