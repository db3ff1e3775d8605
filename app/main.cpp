// `hearth`: without a command the window, with one the command line. Commands never create a QApplication, so that
// they work without a display and start fast.
#include <QCoreApplication>
#include <QLoggingCategory>
#include <QRegularExpression>
#include <QTranslator>
#include <algorithm>
#include <cstdio>

#include "app/cli/command.h"
#include "app/demo_options.h"
#include "app/window_main.h"
#include "core/base/json_reader.h"
#include "core/base/terminal.h"
#include "core/base/version.h"

namespace {

using namespace hearth;

QString overview() {
    QString text = QStringLiteral(
        "Usage: hearth [COMMAND] [OPTIONS]\n\nTrain neural networks on the devices you already own. "
        "Without a command the window opens.\n\nCommands:");
    qsizetype widest = 0;
    for (const CommandSpec &spec : commands())
        widest = std::max(widest, spec.name.size());
    for (const CommandSpec &spec : commands())
        text += QStringLiteral("\n  %1  %2").arg(spec.name.leftJustified(widest), spec.summary);
    return text + QStringLiteral("\n\n\"hearth COMMAND --help\" tells more about one.");
}

/// The window takes options, too (--state), so only a bare word can be a command; a demo is shown where it can be.
bool isWindowCall(const QStringList &arguments) {
    if (arguments.isEmpty() || arguments.first().startsWith(QLatin1Char('-')))
        return true;
    if (arguments.first() != QLatin1String("demo") || !hasDisplay())
        return false;
    // With one dash or two, as they are parsed.
    static const QRegularExpression inTerminal(QStringLiteral("\\A--?(headless|json|help|h)\\z"));
    return arguments.indexOf(inTerminal) < 0;
}

int runCommand(const QStringList &arguments) {
    const QString &name = arguments.first();
    if (const CommandSpec *spec = findCommand(name))
        return spec->run(arguments.mid(1));
    printError({QStringLiteral("usage.unknown-command"), sentence("There is no command \"%1\".").arg(name), QString(),
                didYouMean(name, commandNames())});
    return WrongUsage;
}

/// Who reads a file of it later learns here that it is not whole.
int written(int status) {
    if (status != Done || (std::fflush(stdout) == 0 && std::ferror(stdout) == 0))
        return status;
    return printError({QStringLiteral("app.no-output"), sentence("The output could not be written."),
                       sentence("The program that reads it has ended, or the disk is full."), QString()});
}

}  // namespace

int main(int argc, char **argv) {
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    cleanLog();
    // Of thousands of pictures, what is wrong with one is told by its file's name.
    QLoggingCategory::setFilterRules(QStringLiteral("qt.gui.imageio.warning=false"));
    QCoreApplication::setApplicationName(QStringLiteral("hearth"));
    setProgramVersion();

    if (arguments == QStringList{QStringLiteral("--help")} || arguments == QStringList{QStringLiteral("-h")}) {
        printOwnLines(overview());
        return written(Done);
    }
    if (arguments == QStringList{QStringLiteral("--version")}) {
        printLine(QStringLiteral("hearth ") + QCoreApplication::applicationVersion());
        return written(Done);
    }
    if (isWindowCall(arguments))
        return windowMain(argc, argv);
    QCoreApplication app(argc, argv);
    // The terminal speaks English; this gives its sentences their plurals.
    QTranslator english;
    if (english.load(QStringLiteral(":/hearth/translations/hearth_en.qm")))
        QCoreApplication::installTranslator(&english);
    return written(runCommand(arguments));
}
