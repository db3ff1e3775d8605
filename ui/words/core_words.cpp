#include "ui/words/core_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <vector>

#include "core/base/number_text.h"

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
    return own + english.mid(from);
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
    return Sentence::filled(QCoreApplication::translate("CoreWords", sentence.source().constData()), arguments);
}

Error coreText(const Error &error) {
    return {error.code, coreText(error.what), coreText(error.cause), coreText(error.advice)};
}

QString errorText(const Error &error) {
    return coreText(error.toSentence());
}

}  // namespace hearth
