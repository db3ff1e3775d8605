#include "core/run/run_problem.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/files.h"

namespace hearth {

Result<PlanningProblem> newestProblem(const QString &folder) {
    constexpr qint64 largestProblem = 256 << 20;
    const QString prefix = QStringLiteral("problem-"), suffix = QStringLiteral(".json");
    int newest = 0;
    for (const QString &name : QDir(folder).entryList({prefix + QLatin1Char('*') + suffix}, QDir::Files))
        newest = std::max(newest, name.mid(prefix.size(), name.size() - prefix.size() - suffix.size()).toInt());
    const QString path = QDir(folder).filePath(prefix + QString::number(newest) + suffix);
    QFile file(path);
    if (newest == 0 || !openPlainFile(file) || file.size() > largestProblem)
        return fail(QStringLiteral("run.no-problem"), sentence("What this run measured is not known."));
    return PlanningProblem::fromJson(QJsonDocument::fromJson(file.readAll()).object(), path);
}

}  // namespace hearth
