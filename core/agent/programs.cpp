#include "core/agent/programs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace hearth {

QString defaultStateDir() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/hearth");
}

Result<QString> findProgram(const QString &name) {
    const QString own = QCoreApplication::applicationDirPath();
    const QString installed = own + QLatin1Char('/') + QStringLiteral(HEARTH_LIBEXEC);
    for (const QString &folder : {own, qEnvironmentVariable("HEARTH_BIN_DIR"), installed}) {
        const QFileInfo candidate(QDir(folder), name);
        if (!folder.isEmpty() && candidate.isFile() && candidate.isExecutable())
            return candidate.absoluteFilePath();
    }
    if (const QString found = QStandardPaths::findExecutable(name); !found.isEmpty())
        return found;
    return fail(QStringLiteral("program.missing"), sentence("The program %1 was not found.").arg(name),
                sentence("It is neither beside this program, nor in $HEARTH_BIN_DIR, %1, or PATH.")
                    .arg(QDir::cleanPath(installed)),
                sentence("Build or install Hearth completely."));
}

}  // namespace hearth
