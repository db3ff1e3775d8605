#include "core/data/seen_numbers.h"

#include <set>

#include "core/data/row_files.h"

namespace hearth {

bool standsForNoNumber(const QString &field) {
    static const std::set<QString> words{QStringLiteral("None"), QStringLiteral("none"), QStringLiteral("n/a"),
                                         QStringLiteral("#N/A"), QStringLiteral("-")};
    return words.contains(field.trimmed());
}

SeenNumbers::Other SeenNumbers::otherThan(const QString &field) {
    static const QString marks = QStringLiteral(".,'’+-%€$£");
    if (standsForNoNumber(field))
        return Other::MissingWord;
    bool hasDigit = false;
    for (const QChar letter : field) {
        hasDigit = hasDigit || letter.isDigit();
        if (!letter.isDigit() && !letter.isSpace() && !marks.contains(letter))
            return Other::Text;
    }
    return hasDigit ? Other::Notation : Other::Text;
}

std::optional<double> SeenNumbers::add(const QString &field, const QString &where) {
    constexpr qsizetype letters = 80;
    if (const auto number = numberOf(field)) {
        ++m_numbers;
        return number;
    }
    const Other other = otherThan(field);
    ++(other == Other::MissingWord ? m_missingWords : m_texts);
    if (other > m_named) {
        m_named = other;
        m_where = where;
        m_what = field.left(letters);
    }
    return std::nullopt;
}

Sentence SeenNumbers::firstOther() const {
    return sentence("%1 has \"%2\".").arg(m_where, m_what);
}

}  // namespace hearth
