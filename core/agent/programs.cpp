#include "core/agent/programs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
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

QString shellWord(const QString &word) {
    static const QRegularExpression plain(QStringLiteral("\\A[A-Za-z0-9_][A-Za-z0-9._-]*\\z"));
    if (plain.match(word).hasMatch())
        return word;
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
}

QString stateOption(const QString &stateDir) {
    const QDir folder(stateDir);
    if (stateDir.isEmpty() || folder == QDir(defaultStateDir()))
        return {};
    return QStringLiteral(" --state ") + shellWord(folder.absolutePath());
}

}  // namespace hearth
