#include "ui/words/commands.h"

#include <QDir>

#include "core/agent/programs.h"

namespace hearth {

namespace {

/// As a shell takes it for one word, whatever is in it.
QString quoted(QString word) {
    return QLatin1Char('\'') + word.replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

}  // namespace

QString stateOption(const QString &stateDir) {
    const QDir folder(stateDir);
    if (stateDir.isEmpty() || folder == QDir(defaultStateDir()))
        return {};
    return QStringLiteral(" --state ") + quoted(folder.absolutePath());
}

}  // namespace hearth
