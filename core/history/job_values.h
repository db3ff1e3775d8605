// The values of a job by their paths: what differs between runs, and what a sweep changes.
#pragma once

#include <QJsonObject>
#include <QMap>
#include <QStringList>
#include <vector>

#include "core/history/run_summary.h"

namespace hearth {

/// "optimizer.learning_rate" and what stands there: an object is told by its parts, a list as a whole; absent and null
/// are the same. Any thread.
using JobValues = QMap<QString, QJsonValue>;
JobValues valuesOf(const QJsonObject &job);
/// What stands at a path; undefined where nothing does.
QJsonValue valueAt(const QJsonObject &job, const QString &path);
/// The job with this value there; objects on the way are made.
QJsonObject withValue(QJsonObject job, const QString &path, const QJsonValue &value);

/// The paths that jobs have, whatever they say.
const QStringList &jobPaths();

/// The one of `paths` that `word` names: all of it, or its last parts ("learning_rate", "lr"); "optimizer" is its kind.
/// Empty where none is named, or several are.
QString pathNamed(const QString &word, const QStringList &paths);

/// The paths at which not all of these runs have the same value, in order of name. Runs without a job do not count.
QStringList differingPaths(const std::vector<const RunSummary *> &runs);

/// A value as people read it in a terminal: numbers in their shortest form, texts as they are, lists as JSON.
QString valueText(const QJsonValue &value);

}  // namespace hearth
