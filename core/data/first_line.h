// Internal to core/data: whether the first line of a table names its columns.
#pragma once

#include <QStringList>
#include <optional>
#include <vector>

#include "core/data/seen_numbers.h"

namespace hearth {

/// As columns are called: trimmed, no two alike; "column 1", … where a field is empty.
QStringList columnNames(const QStringList &header);
/// Whether a first line has names, as far as those of columns that are known tell: with the line as names all of them
/// are there, and without it they are not, or the other way round. Nothing where both or neither is so.
std::optional<bool> hasNames(const QStringList &line, const QStringList &known);

/// The first line, and what the rows below it tell of it. Numbers in its fields have a point before their decimals. One
/// thread.
class FirstLine {
  public:
    static constexpr int rowsBelow = 100;  // that are looked at

    explicit FirstLine(QStringList fields);
    /// Half of it or more. Other first lines have names.
    bool isMostlyNumbers() const;
    /// One of the rows below.
    void add(const QStringList &row);
    /// Of such a line: it has names if no two fields are alike and one is a text above numbers, or if its numbers count
    /// up from 0 or from a year, as programs and people call columns, and those of no row below do.
    bool areNames() const;

  private:
    const QStringList m_fields;
    std::vector<SeenNumbers> m_below;  // by column
    bool m_hasRows = false, m_doRowsCountUp = false;
};

}  // namespace hearth
