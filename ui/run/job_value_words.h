// What people call the values of a job.
#pragma once

#include <QJsonValue>
#include <QString>
#include <cstddef>

namespace hearth {

/// The name of the value at a path of core/history/job_values.h, as the Job page calls it; the path where it has none.
QString jobValueName(const QString &path);
/// Among the columns of a table: what people compare most comes first, what has no name last.
std::size_t jobValuePlace(const QString &path);
/// The value at a path in words, those of the Job page or shorter ones, numbers by locale: "Falls along a cosine",
/// "0.05", "2; 2"; "–" where nothing stands. GUI thread.
QString jobValueText(const QString &path, const QJsonValue &value);

}  // namespace hearth
