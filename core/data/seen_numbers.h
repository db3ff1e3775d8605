// Internal to core/data: the numbers of a column, and what else stands among them.
#pragma once

#include <QString>
#include <optional>

#include "core/base/sentence.h"

namespace hearth {

/// What people write in place of a number, besides what is missing anywhere (isMissing()). Among texts these are texts:
/// "-" beside "+", "None" beside "mild".
bool standsForNoNumber(const QString &field);

/// What is known of a column's fields so far, but for those that are missing. One thread.
class SeenNumbers {
  public:
    /// The number that the field is. `where` as in Row.
    std::optional<double> add(const QString &field, const QString &where);
    /// All are, but for one text in a hundred fields at most: a slip of whoever wrote them.
    bool areNumbers() const { return m_numbers > 0 && areWrittenAlike() && m_texts * 100 <= m_numbers + m_texts; }
    bool areMostNumbers() const { return m_numbers > m_texts; }
    /// None is written so that it cannot be read, as "1,234", "1.234,56" or "45 %": to take such for missing would lose
    /// the large ones.
    bool areWrittenAlike() const { return m_named != Other::Notation; }
    qint64 others() const { return m_texts + m_missingWords; }
    /// Of these the first, a text before any that stands for no number: "houses.csv:17 has "sold"."
    Sentence firstOther() const;

  private:
    /// What is no number, the more telling the further behind.
    enum class Other : quint8 { Nothing, MissingWord, Text, Notation };

    static Other otherThan(const QString &field);

    qint64 m_numbers = 0, m_texts = 0, m_missingWords = 0;
    Other m_named = Other::Nothing;
    QString m_where, m_what;  // of the first of this kind
};

}  // namespace hearth
