// Rows and texts that are no part of a data set.
#pragma once

#include <QStringList>
#include <memory>
#include <optional>

#include "core/base/error.h"

namespace hearth {

class Preparation;

/// Of one file: a table as RowFiles has them, with a column for each that the network takes, in any order; or, of
/// texts, a text in each line, and a tab between two. In memory for one row. Blocks; one thread.
class RowReader {
  public:
    struct Row {
        QString where;                   // "new.csv:12"
        QStringList fields;              // as many as columns(); none of a broken one
        std::optional<Sentence> broken;  // why it cannot be used
    };

    /// Errors: "file.unreadable", "data.malformed", "data.empty", "data.no-column", "data.no-rows": it is a folder.
    static Result<std::unique_ptr<RowReader>> open(const QString &path, const Preparation &preparation);
    virtual ~RowReader() = default;

    const QStringList &columns() const { return m_columns; }
    /// Of those that the network takes, which of columns() each is.
    const QList<qsizetype> &places() const { return m_places; }
    /// The column that the network answers for; -1: these rows have none.
    qsizetype label() const { return m_label; }
    /// Nothing at the end. Errors: "data.malformed", "file.unreadable": what follows cannot be read.
    virtual Result<std::optional<Row>> next() = 0;

  protected:
    QStringList m_columns;
    QList<qsizetype> m_places;
    qsizetype m_label = -1;
};

}  // namespace hearth
