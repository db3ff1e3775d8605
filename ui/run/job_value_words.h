// What people call the values of a job.
#pragma once

#include <QJsonValue>
#include <QString>

namespace hearth {

/// The name of the value at a path of core/history/job_values.h, as the Job page calls it; the path where it has none.
QString jobValueName(const QString &path);
/// A value by locale.
QString jobValueText(const QJsonValue &value);

}  // namespace hearth
