// Where a part of a job's data lies.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace hearth {

/// One of the data sets that a job names. Plain value, any thread.
struct DataSource {
    QString name;    // registered or built in; on this device a path as well
    QString device;  // its name or id; empty: this one

    bool operator==(const DataSource &) const = default;
    bool isHere() const { return device.isEmpty(); }
    /// "photos@desk" is registered on another device; what has a slash is a path, whatever else is in it.
    static DataSource of(const QString &word);
    /// Those of a job. A single one is always here.
    static std::vector<DataSource> of(const QStringList &data);
};

}  // namespace hearth
