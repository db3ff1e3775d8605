// What is known of a data set without reading it.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <array>
#include <map>
#include <vector>

#include "core/data/dataset.h"

namespace hearth {

class JsonReader;

/// JSON, "found" of a "hearth-data/1" file: {"kind":"table","train":120,"validation":0,"test":30,"classes":2,
/// "names":["a","b"],"columns":["x","y"],"label":"y","inputs":{"features":[4]},"left_out":1,"doubtful":0,"bytes":4321}.
/// Plain value.
struct DataSummary {
    QString kind;  // as Dataset::kind()
    std::array<qint64, allSplits.size()> counts{};
    int classes = 0;
    QStringList labelNames;
    QStringList columns;                            // of rows
    QString label;                                  // the one of these that is learnt
    std::map<QString, std::vector<qint64>> inputs;  // shapes, by name
    qint64 leftOut = 0, doubtful = 0;               // files, rows and columns
    qint64 bytes = 0;

    bool operator==(const DataSummary &) const = default;
    qint64 count(Split split) const { return counts[static_cast<std::size_t>(split)]; }
    static DataSummary of(const Dataset &data);
    QJsonObject toJson() const;
    /// The reverse; the caller asks finish().
    static DataSummary read(JsonReader &reader);
};

}  // namespace hearth
