#include "core/base/sentence.h"

#include <QCborArray>
#include <QStringList>
#include <QStringView>
#include <optional>

namespace hearth {

namespace {

// A sentence and the last lines of a program fit; an attempt to flood a log or to steer a terminal does not.
constexpr qsizetype longest = 8192;
constexpr int deepest = 8;
constexpr qsizetype mostArguments = 9;
constexpr qsizetype longestSource = 1024;

const QLatin1String partsKey("sentences");
const QLatin1String quantityKey("quantity");

/// Of "{1|file was|files were}" what is said, and where what follows begins.
struct Choice {
    QStringView words;
    qsizetype end = 0;
};

/// Nothing where none begins at `at`.
std::optional<Choice> choiceAt(QStringView text, qsizetype at, const std::vector<QString> &arguments) {
    constexpr qsizetype head = 3;  // "{1|"
    if (text.size() - at < head || text[at] != QLatin1Char('{') || text[at + 2] != QLatin1Char('|'))
        return std::nullopt;
    const int place = text[at + 1].digitValue();
    const qsizetype middle = text.indexOf(QLatin1Char('|'), at + head), end = text.indexOf(QLatin1Char('}'), at + head);
    if (place < 1 || static_cast<std::size_t>(place) > arguments.size() || middle < 0 || end < middle)
        return std::nullopt;
    const bool isOne = arguments[static_cast<std::size_t>(place) - 1] == QLatin1String("1");
    return Choice{isOne ? text.sliced(at + head, middle - at - head) : text.sliced(middle + 1, end - middle - 1),
                  end + 1};
}

std::optional<Sentence> fromCbor(const QCborValue &value, int depth) {
    if (value.isString())
        return Sentence(value.toString());
    if (value.isMap())
        return Sentence::quantity(value.toMap().value(quantityKey).toString());
    const QCborArray parts = value.toArray();
    const QByteArray source = parts.at(0).toString().toUtf8();
    // Few places, so that nesting cannot blow the text up on the way.
    if (depth == deepest || source.isEmpty() || source.size() > longestSource ||
        source.count('%') > 2 * mostArguments || parts.size() > 1 + mostArguments)
        return {};
    Sentence read = sentence(source.constData());
    for (qsizetype i = 1; i < parts.size(); ++i) {
        const std::optional<Sentence> argument = fromCbor(parts.at(i), depth + 1);
        if (!argument || argument->english().size() > longest)
            return {};
        read = read.arg(*argument);
    }
    return read;
}

}  // namespace

Sentence Sentence::quantity(QString digits) {
    Sentence made(std::move(digits));
    made.m_kind = Kind::Quantity;
    return made;
}

Sentence Sentence::quantity(double number, int decimals) {
    return quantity(QString::number(number, 'f', decimals));
}

Sentence Sentence::arg(const Sentence &argument) const {
    Sentence made = *this;
    made.m_arguments.push_back(argument);
    std::vector<QString> texts;
    for (const Sentence &each : made.m_arguments)
        texts.push_back(each.english());
    made.m_english = filled(QString::fromUtf8(m_source), texts);
    return made;
}

Sentence Sentence::joined(std::initializer_list<Sentence> sentences) {
    Sentence all;
    for (const Sentence &each : sentences) {
        if (!each.isEmpty())
            all = all.isEmpty() ? each : hearth::sentence("%1 %2").arg(all, each);
    }
    return all;
}

QString Sentence::filled(const QString &text, const std::vector<QString> &arguments) {
    QString full;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (const auto choice = choiceAt(text, at, arguments)) {
            full += filled(choice->words.toString(), arguments);
            at = choice->end - 1;
            continue;
        }
        const int place = text[at] == QLatin1Char('%') && at + 1 < text.size() ? text[at + 1].digitValue() : -1;
        if (place < 1 || static_cast<std::size_t>(place) > arguments.size()) {
            full += text[at];
            continue;
        }
        full += arguments[static_cast<std::size_t>(place) - 1];
        ++at;
    }
    return full;
}

QCborValue Sentence::toCbor() const {
    switch (m_kind) {
        case Kind::Text:
            return m_english;
        case Kind::Quantity:
            return QCborMap{{quantityKey, m_english}};
        case Kind::Source:
            break;
    }
    QCborArray parts{QString::fromUtf8(m_source)};
    for (const Sentence &argument : m_arguments)
        parts.append(argument.toCbor());
    return parts;
}

Sentence sentence(const char *source) {
    Sentence made(QString::fromUtf8(source));
    made.m_kind = Sentence::Kind::Source;
    made.m_source = source;
    return made;
}

void insertSentence(QCborMap &map, QLatin1String key, const Sentence &value) {
    map.insert(key, value.english());
    if (value.kind() != Sentence::Kind::Source)
        return;
    QCborMap parts = map.value(partsKey).toMap();
    parts.insert(key, value.toCbor());
    map.insert(partsKey, parts);
}

Sentence sentenceAt(const QCborMap &map, QLatin1String key) {
    QString text = map.value(key).toString().left(longest);
    for (QChar &character : text) {
        if (character.category() == QChar::Other_Control && character != QLatin1Char('\n'))
            character = QLatin1Char(' ');
    }
    const QCborValue parts = map.value(partsKey).toMap().value(key);
    if (parts.isArray()) {
        if (const std::optional<Sentence> read = fromCbor(parts, 0); read && read->english() == text)
            return *read;
    }
    return text;
}

}  // namespace hearth
