// What a run's folder says of the data that its network knows, for what goes on with that network.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <memory>

#include "core/data/dataset.h"

namespace hearth {

/// Data are read anew whenever a run goes on, and its network takes no other numbers of classes, means or categories
/// than it learnt. Plain value, any thread.
struct KeptData {
    QStringList classes;  // by number; empty: nothing is known of their names
    QJsonObject table;    // keptTable(): how rows became samples

    /// Empty where the folder says nothing: the run has not begun, or an older version began it. Errors: those of JSON.
    static Result<KeptData> load(const QString &runFolder);
};

/// The data with the numbers that these classes have in the run; without classes as they are. Error "data.changed": not
/// all of them are there, or there are others. Any thread.
Result<std::shared_ptr<const Dataset>> numberedAs(const QStringList &classes, std::shared_ptr<const Dataset> data);

}  // namespace hearth
