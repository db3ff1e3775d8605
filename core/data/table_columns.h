// Internal to core/data: what the columns of a table mean to a network.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/data/check_progress.h"
#include "core/data/data_choice.h"
#include "core/data/row_coder.h"
#include "core/data/row_labels.h"

namespace hearth {

class JsonReader;
class SeenRows;

/// One column of what a network sees. A number becomes (x - mean) / deviation, of the training rows; a category one
/// number for each that there is, 1 for its own. Where training rows lack a value, a further number is 1 for those that
/// do; the others are 0 then, which is the mean. Plain value; any thread.
struct TableColumn {
    QString name;
    double mean = 0, deviation = 1;
    QStringList categories;  // sorted; empty: it has numbers
    bool lacks = false;      // values, in training rows

    bool operator==(const TableColumn &) const = default;
    bool isNumber() const { return categories.isEmpty(); }
    std::size_t width() const {
        return (isNumber() ? 1 : static_cast<std::size_t>(categories.size())) + (lacks ? 1 : 0);
    }
    /// `out` has width() places. A text where numbers stand counts as a value that is missing.
    void encode(const QString &field, std::span<float> out) const;
    /// As in TableFacts.
    QJsonObject toJson() const;
};

/// JSON, a part of a "hearth-data/1" file, with the keys of RowLabels: {"path":"/home/me/iris.csv","label":…,
/// "columns":[{"name":"width","mean":3.1,"deviation":0.4},{"name":"colour","categories":["blue","red"],"lacks":true}],
/// "broken":[…]}. Plain value.
struct TableFacts {
    QString path;  // absolute
    RowLabels labels;
    std::vector<TableColumn> columns;
    std::vector<BrokenFile> left;  // columns that are not among them, and doubtful ones

    struct Limits {
        static constexpr qsizetype categories = 64;
        static constexpr std::size_t width = 1 << 16;  // of all columns
    };

    bool operator==(const TableFacts &) const = default;
    std::size_t width() const;
    /// All of such a file.
    QJsonObject toJson(const QString &name) const;
    /// The reverse; the caller asks finish().
    static TableFacts read(JsonReader &reader);
};

/// Looks at all rows. Columns that are left out: those with one value, those that count the rows, and those with more
/// different texts than TableFacts::Limits::categories; a few texts among numbers count as missing. Errors: those of
/// RowFiles; "data.no-column"; "data.no-table": nothing is left to learn from; "data.given-up". Where `kept` is not
/// null it gets the rows. Blocks.
Result<TableFacts> findTable(const QString &path, const DataChoice &choice, const CheckProgress &progress = {},
                             SeenRows *kept = nullptr);
/// Of the columns in their order.
std::shared_ptr<const RowCoder> coderOf(const TableFacts &facts);
/// A set that reads its rows whenever a sample is asked for. Blocks: finds where they stand.
Result<std::shared_ptr<const Dataset>> tableOf(const QString &name, const TableFacts &facts,
                                               const CheckProgress &progress = {});
/// findTable() and tableOf(), and all rows are read once for both; the set tells its facts (Dataset::preparation()).
Result<std::shared_ptr<const Dataset>> readTable(const QString &name, const QString &path, const DataChoice &choice,
                                                 const CheckProgress &progress);

}  // namespace hearth
