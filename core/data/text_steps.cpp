#include "core/data/text_steps.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <array>
#include <optional>

namespace hearth {
namespace {

/// Calls `take` for each character, with its UCS-4 and its text.
template <class Take>
void eachCharacter(const QString &text, const Take &take) {
    for (qsizetype i = 0; i < text.size();) {
        const bool isPair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        const char32_t code = isPair ? QChar::surrogateToUcs4(text[i], text[i + 1]) : text[i].unicode();
        take(code, QStringView(text).mid(i, isPair ? 2 : 1));
        i += isPair ? 2 : 1;
    }
}

bool isControl(char32_t code) {
    const auto category = QChar::category(code);
    return category == QChar::Other_Control || category == QChar::Other_Format || category == QChar::Other_PrivateUse ||
           category == QChar::Other_Surrogate;
}

bool isChinese(char32_t code) {
    static constexpr std::array<std::pair<char32_t, char32_t>, 8> blocks{{{0x4e00, 0x9fff},
                                                                          {0x3400, 0x4dbf},
                                                                          {0x20000, 0x2a6df},
                                                                          {0x2a700, 0x2b73f},
                                                                          {0x2b740, 0x2b81f},
                                                                          {0x2b920, 0x2ceaf},
                                                                          {0xf900, 0xfaff},
                                                                          {0x2f800, 0x2fa1f}}};
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](const auto &block) { return code >= block.first && code <= block.second; });
}

bool isPunctuation(char32_t code) {
    const bool isAscii = (code >= 33 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) ||
                         (code >= 123 && code <= 126);
    return isAscii || QChar::isPunct(code);
}

QString withoutMarks(const QString &text) {
    QString kept;
    eachCharacter(text.normalized(QString::NormalizationForm_D), [&](char32_t code, QStringView letter) {
        if (QChar::category(code) != QChar::Mark_NonSpacing)
            kept += letter;
    });
    return kept;
}

/// Letter by letter: a word's last sigma is a sigma as others are.
QString lowered(const QString &text) {
    QString small;
    eachCharacter(text, [&](char32_t, QStringView letter) { small += letter.toString().toLower(); });
    return small;
}

/// What the pattern finds and what lies between, or without what it finds.
Splitter splitAt(const QRegularExpression &pattern, bool keeps) {
    return [pattern, keeps](const QString &text) {
        QStringList pieces;
        qsizetype from = 0;
        for (auto each = pattern.globalMatch(text); each.hasNext();) {
            const auto match = each.next();
            if (match.capturedStart() > from)
                pieces << text.mid(from, match.capturedStart() - from);
            if (keeps && match.capturedLength() > 0)
                pieces << match.captured();
            from = match.capturedEnd();
        }
        if (from < text.size())
            pieces << text.mid(from);
        return pieces;
    };
}

/// Without what lies between.
Splitter onlyMatches(const QRegularExpression &pattern) {
    return [pattern](const QString &text) {
        QStringList pieces;
        for (auto each = pattern.globalMatch(text); each.hasNext();) {
            const auto match = each.next();
            if (match.capturedLength() > 0)
                pieces << match.captured();
        }
        return pieces;
    };
}

QRegularExpression pattern(const QString &text) {
    return QRegularExpression(text, QRegularExpression::UseUnicodePropertiesOption);
}

/// By byte, the letter that stands for it: itself where it can be seen, else one beyond the first 256.
const std::array<QChar, 256> &byteLetters() {
    static const auto letters = [] {
        std::array<QChar, 256> made;
        char16_t next = 256;
        for (std::size_t byte = 0; byte < made.size(); ++byte) {
            const bool isSeen = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte != 0xad);
            made[byte] = QChar(isSeen ? static_cast<char16_t>(byte) : next++);
        }
        return made;
    }();
    return letters;
}

tl::unexpected<Sentence> unknownStep(const QString &kind) {
    return tl::unexpected(sentence("It has a step \"%1\", which nothing here does.").arg(kind.left(60)));
}

std::optional<QString> patternOf(const QJsonObject &step) {
    const QJsonObject pattern = step[QStringLiteral("pattern")].toObject();
    if (const QJsonValue text = pattern[QStringLiteral("String")]; text.isString())
        return QRegularExpression::escape(text.toString());
    const QJsonValue regex = pattern[QStringLiteral("Regex")];
    return regex.isString() && QRegularExpression(regex.toString()).isValid() ? std::optional(regex.toString())
                                                                              : std::nullopt;
}

/// The steps of a "Sequence", or the one that there is.
QJsonArray stepsOf(const QJsonValue &value, const QString &list) {
    if (value.isNull() || value.isUndefined())
        return {};
    const QJsonObject object = value.toObject();
    if (object[QStringLiteral("type")].toString() != QLatin1String("Sequence"))
        return {value};
    QJsonArray all;
    for (const QJsonValue step : object[list].toArray()) {
        if (step[QStringLiteral("type")].toString() != QLatin1String("Sequence"))
            all << step;
        else
            for (const QJsonValue inner : step[list].toArray())
                all << inner;
    }
    return all;
}

std::optional<QString::NormalizationForm> formOf(const QString &kind) {
    if (kind == QLatin1String("NFC"))
        return QString::NormalizationForm_C;
    if (kind == QLatin1String("NFD"))
        return QString::NormalizationForm_D;
    if (kind == QLatin1String("NFKC"))
        return QString::NormalizationForm_KC;
    return kind == QLatin1String("NFKD") ? std::optional(QString::NormalizationForm_KD) : std::nullopt;
}

}  // namespace

QString BertSteps::operator()(const QString &text) const {
    QString result;
    eachCharacter(text, [&](char32_t code, QStringView letter) {
        const bool isLine = code == '\t' || code == '\n' || code == '\r';
        if (cleans && !isLine && (code == 0 || code == 0xfffd || isControl(code)))
            return;
        if (cleans && (isLine || QChar::isSpace(code)))
            result += u' ';
        else if (spreads && isChinese(code))
            result += QLatin1Char(' ') + letter.toString() + QLatin1Char(' ');
        else
            result += letter;
    });
    if (strips)
        result = withoutMarks(result);
    return lowers ? lowered(result) : result;
}

QStringList splitAsBert(const QString &text) {
    QStringList words;
    QString word;
    const auto end = [&] {
        if (!word.isEmpty())
            words << std::exchange(word, {});
    };
    eachCharacter(text, [&](char32_t code, QStringView letter) {
        const bool isSpace = QChar::isSpace(code), isMark = !isSpace && isPunctuation(code);
        if (isSpace || isMark)
            end();
        if (isMark)
            words << letter.toString();
        else if (!isSpace)
            word += letter;
    });
    end();
    return words;
}

Splitter byteLevel(bool addsSpace, bool splits) {
    static const QRegularExpression words =
        pattern(QStringLiteral(R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"));
    return [addsSpace, split = splits ? splitAt(words, true) : Splitter()](const QString &text) {
        const QString spaced = addsSpace && !text.isEmpty() && !text[0].isSpace() ? QLatin1Char(' ') + text : text;
        QStringList pieces;
        for (const QString &piece : split ? split(spaced) : QStringList{spaced}) {
            QString letters;
            for (const char byte : piece.toUtf8())
                letters += byteLetters()[static_cast<quint8>(byte)];
            pieces << letters;
        }
        return pieces;
    };
}

void appendBytes(const QString &letters, QByteArray &to) {
    static const QHash<QChar, char> bytes = [] {
        QHash<QChar, char> found;
        for (int byte = 0; byte < 256; ++byte)
            found.insert(byteLetters()[static_cast<std::size_t>(byte)], static_cast<char>(byte));
        return found;
    }();
    for (const QChar letter : letters) {
        if (const auto byte = bytes.constFind(letter); byte != bytes.constEnd())
            to += *byte;
        else
            to += QString(letter).toUtf8();
    }
}

tl::expected<std::vector<Normaliser>, Sentence> normalisersOf(const QJsonValue &value, QByteArray *charactersMap) {
    std::vector<Normaliser> all;
    for (const QJsonValue each : stepsOf(value, QStringLiteral("normalizers"))) {
        const QJsonObject step = each.toObject();
        const QString kind = step[QStringLiteral("type")].toString();
        const auto flag = [&](const char *key, bool usual) { return step[QLatin1String(key)].toBool(usual); };
        if (const auto form = formOf(kind)) {
            all.emplace_back([form = *form](const QString &text) { return text.normalized(form); });
        } else if (kind == QLatin1String("Lowercase")) {
            all.emplace_back(lowered);
        } else if (kind == QLatin1String("StripAccents")) {
            all.emplace_back(withoutMarks);
        } else if (kind == QLatin1String("BertNormalizer")) {
            const bool lowers = flag("lowercase", true);
            all.emplace_back(BertSteps{flag("clean_text", true), flag("handle_chinese_chars", true),
                                       flag("strip_accents", lowers), lowers});
        } else if (kind == QLatin1String("Prepend")) {
            const QString front = step[QStringLiteral("prepend")].toString();
            all.emplace_back([front](const QString &text) { return text.isEmpty() ? text : front + text; });
        } else if (kind == QLatin1String("Replace") && patternOf(step)) {
            const QRegularExpression what = pattern(*patternOf(step));
            const QString by = step[QStringLiteral("content")].toString().replace(u'\\', QStringLiteral("\\\\"));
            all.emplace_back([what, by](QString text) { return text.replace(what, by); });
        } else if (kind == QLatin1String("Strip")) {
            static const QRegularExpression front = pattern(QStringLiteral(R"(^\s+)")),
                                            back = pattern(QStringLiteral(R"(\s+$)"));
            all.emplace_back([left = flag("strip_left", true), right = flag("strip_right", true)](QString text) {
                if (left)
                    text.remove(front);
                return right ? text.remove(back) : text;
            });
        } else if (kind == QLatin1String("Precompiled") && charactersMap) {
            *charactersMap = QByteArray::fromBase64(step[QStringLiteral("precompiled_charsmap")].toString().toLatin1());
        } else {
            return unknownStep(kind);
        }
    }
    return all;
}

tl::expected<std::vector<Splitter>, Sentence> splittersOf(const QJsonValue &value, std::optional<bool> *metaspace,
                                                          bool *areBytes) {
    std::vector<Splitter> all;
    for (const QJsonValue each : stepsOf(value, QStringLiteral("pretokenizers"))) {
        const QJsonObject step = each.toObject();
        const QString kind = step[QStringLiteral("type")].toString(),
                      behavior = step[QStringLiteral("behavior")].toString();
        if (kind == QLatin1String("BertPreTokenizer")) {
            all.emplace_back(splitAsBert);
        } else if (kind == QLatin1String("ByteLevel")) {
            *areBytes = true;
            all.push_back(byteLevel(step[QStringLiteral("add_prefix_space")].toBool(true),
                                    step[QStringLiteral("use_regex")].toBool(true)));
        } else if (kind == QLatin1String("WhitespaceSplit")) {
            all.push_back(splitAt(pattern(QStringLiteral(R"(\s+)")), false));
        } else if (kind == QLatin1String("Whitespace")) {
            all.push_back(onlyMatches(pattern(QStringLiteral(R"(\w+|[^\w\s]+)"))));
        } else if (kind == QLatin1String("Digits")) {
            all.push_back(
                splitAt(pattern(step[QStringLiteral("individual_digits")].toBool() ? QStringLiteral(R"(\p{N})")
                                                                                   : QStringLiteral(R"(\p{N}+)")),
                        true));
        } else if (kind == QLatin1String("Split") && patternOf(step) &&
                   (behavior == QLatin1String("Isolated") || behavior == QLatin1String("Removed"))) {
            const QRegularExpression wanted = pattern(*patternOf(step));
            const bool removes = behavior == QLatin1String("Removed");
            // Inverted, what lies between the matches is removed. Where nothing is, both are pieces either way.
            const bool inverted = step[QStringLiteral("invert")].toBool();
            all.push_back(removes && inverted ? onlyMatches(wanted) : splitAt(wanted, !removes));
        } else if (kind == QLatin1String("Metaspace") && metaspace) {
            const bool adds = step[QStringLiteral("add_prefix_space")].toBool(true);
            *metaspace = adds && step[QStringLiteral("prepend_scheme")].toString() != QLatin1String("never");
        } else {
            return unknownStep(kind);
        }
    }
    return all;
}

}  // namespace hearth
