#include "ui/words/core_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <vector>

#include "core/base/number_text.h"
#include "ui/words/unbroken.h"

namespace hearth {

namespace {

/// "1,234.5 ms" as the locale writes it.
QString quantityText(const QString &english) {
    static const QRegularExpression number(QStringLiteral("\\d+(?:,\\d{3})*(?:\\.(\\d+))?"));
    QString own;
    qsizetype from = 0;
    for (const QRegularExpressionMatch &match : number.globalMatch(english)) {
        own += english.mid(from, match.capturedStart() - from);
        own += QLocale().toString(sentenceLocale().toDouble(match.captured()), 'f',
                                  static_cast<int>(match.capturedLength(1)));
        from = match.capturedEnd();
    }
    return unbroken(own + english.mid(from));
}

/// A sentence with its places, where some have a unit behind them: "%1 s", "%1 %".
QString withHeldUnits(QString text) {
    static const QRegularExpression place(QStringLiteral("(%\\d) (?=(?:%|s|ms)(?!\\w))"));
    return text.replace(place, QStringLiteral("\\1\u00a0"));
}

}  // namespace

QString coreText(const Sentence &sentence) {
    switch (sentence.kind()) {
        case Sentence::Kind::Text:
            return sentence.english();
        case Sentence::Kind::Quantity:
            return quantityText(sentence.english());
        case Sentence::Kind::Source:
            break;
    }
    std::vector<QString> arguments;
    for (const Sentence &argument : sentence.arguments())
        arguments.push_back(coreText(argument));
    const QString own = QCoreApplication::translate("CoreWords", sentence.source().constData());
    return Sentence::filled(withHeldUnits(own), arguments);
}

Error coreText(const Error &error) {
    return {error.code, coreText(error.what), coreText(error.cause), coreText(error.advice)};
}

QString errorText(const Error &error) {
    return coreText(error.toSentence());
}

}  // namespace hearth
