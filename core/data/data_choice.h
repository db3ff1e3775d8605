// What a person may say of rows of data, where the data do not.
#pragma once

#include <QStringList>

namespace hearth {

/// Plain value.
struct DataChoice {
    QString label;      // a column; empty: the last one of a table, and of texts the one that is called so
    QString task;       // "classification" or "regression"; empty: as the labels look
    QStringList texts;  // columns, one or two; empty: those that are called so
    QString tokenizer;  // a file or folder

    bool operator==(const DataChoice &) const = default;
    /// That it names.
    QStringList columns() const { return label.isEmpty() ? texts : texts + QStringList{label}; }
};

}  // namespace hearth
