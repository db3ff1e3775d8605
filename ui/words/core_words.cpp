#include "ui/words/core_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <vector>

#include "core/base/number_text.h"

namespace hearth {

namespace {

struct Pattern {
    const char *sentence;
    QRegularExpression expression;
    std::vector<int> arguments;  // the number of each gap, in their order
};

/// Each gap takes anything but the end of a sentence.
Pattern patternOf(const char *sentence) {
    const QString text = QString::fromUtf8(sentence);
    Pattern pattern{sentence, {}, {}};
    QString expression;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text[at] == QLatin1Char('%') && at + 1 < text.size() && text[at + 1].isDigit()) {
            pattern.arguments.push_back(text[++at].digitValue());
            expression += QStringLiteral("((?:(?!\\. ).)+?)");
        } else {
            expression += QRegularExpression::escape(text.mid(at, 1));
        }
    }
    pattern.expression.setPattern(QRegularExpression::anchoredPattern(expression + QStringLiteral("(?:\\s+(.*))?")));
    pattern.expression.setPatternOptions(QRegularExpression::DotMatchesEverythingOption);
    return pattern;
}

/// Those that say most come first: "%1 did not answer." fits more than it should.
const std::vector<Pattern> &patterns() {
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> list;
        for (const char *sentence : coreSentences())
            list.push_back(patternOf(sentence));
        std::ranges::stable_sort(list, std::greater{}, [](const Pattern &pattern) {
            return static_cast<int>(qstrlen(pattern.sentence)) - 8 * static_cast<int>(pattern.arguments.size());
        });
        return list;
    }();
    return all;
}

/// Decimals and grouped digits (core/base/number_text.h), alone or before a unit, as the locale writes them. Other
/// digits may belong to a name.
QString localised(const QString &argument) {
    static const QRegularExpression number(QStringLiteral(
        "(?<![^ (])\\d+(?:,\\d{3})*(?:\\.(\\d+))?(?=$| (?:bytes|[kKMGTPE]i?B|[kMG]?B/s|[mµ]?s)(?![^ ),]))"));
    QString own;
    qsizetype from = 0;
    auto matches = number.globalMatch(argument);
    while (matches.hasNext()) {
        const auto match = matches.next();
        const QString digits = match.captured();
        const bool isPlain = !digits.contains(QLatin1Char(',')) && !digits.contains(QLatin1Char('.'));
        const bool isPartOfName = match.capturedEnd() == argument.size() && match.capturedStart() > 0;
        if (isPlain || isPartOfName)
            continue;
        own += argument.mid(from, match.capturedStart() - from);
        own += QLocale().toString(sentenceLocale().toDouble(digits), 'f', static_cast<int>(match.capturedLength(1)));
        from = match.capturedEnd();
    }
    return own + argument.mid(from);
}

/// Translates the sentence that `text` begins with and cuts it off; false where it is not known.
bool takeSentence(QString &text, QString &translated) {
    for (const Pattern &pattern : patterns()) {
        const auto match = pattern.expression.match(text);
        if (!match.hasMatch())
            continue;
        const QString words = QCoreApplication::translate("CoreWords", pattern.sentence);
        QString filled;
        for (qsizetype at = 0; at < words.size(); ++at) {
            const int number = words[at] == QLatin1Char('%') && at + 1 < words.size() ? words[at + 1].digitValue() : -1;
            const auto gap = std::ranges::find(pattern.arguments, number);
            if (gap == pattern.arguments.end()) {
                filled += words[at];
                continue;
            }
            filled += localised(match.captured(1 + static_cast<int>(gap - pattern.arguments.begin())));
            ++at;
        }
        translated = filled;
        text = match.captured(1 + static_cast<int>(pattern.arguments.size()));
        return true;
    }
    return false;
}

}  // namespace

QString coreText(const QString &english) {
    if (QLocale().language() == QLocale::English)
        return english;
    QString rest = english.trimmed();
    QStringList sentences;
    while (!rest.isEmpty()) {
        QString sentence;
        if (!takeSentence(rest, sentence)) {
            const qsizetype end = rest.indexOf(QLatin1String(". "));
            sentence = end < 0 ? rest : rest.left(end + 1);
            rest = end < 0 ? QString() : rest.mid(end + 2).trimmed();
        }
        sentences << sentence;
    }
    return sentences.join(QLatin1Char(' '));
}

std::vector<const char *> coreSentences() {
    std::vector<const char *> all;
    for (const auto &part : {runSentences(), homeSentences(), installSentences()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

Error coreText(const Error &error) {
    return {error.code, coreText(error.what), coreText(error.cause), coreText(error.advice)};
}

}  // namespace hearth
