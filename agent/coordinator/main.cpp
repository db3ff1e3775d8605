// hearth-coordinator: plans and steers one run, or, with --serve, serves the samples of one that another device steers.
// Started by its agent, with which it talks over standard input and output; standard error is its log.
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QEvent>
#include <QLoggingCategory>
#include <csignal>
#include <cstdio>
#include <memory>

#include "coordinator_program.h"
#include "core/base/core_dumps.h"
#include "core/base/heap.h"
#include "core/base/terminal.h"
#include "core/base/version.h"
#include "core/run/data_program.h"
#include "core/run/job_data.h"

using namespace hearth;

namespace {

constexpr int wrongUsage = 2;

int usage(const QString &text) {
    writeLine(stderr, QStringLiteral("hearth-coordinator: ") + text);
    return wrongUsage;
}

int steer() {
    auto program = std::make_unique<CoordinatorProgram>();
    QObject::connect(program.get(), &CoordinatorProgram::finished, qApp,
                     [](int status) { QCoreApplication::exit(status); });
    const int status = QCoreApplication::exec();
    program.reset();
    // Its steps delete themselves later, and no event loop comes any more: a thread that plans ends before the program.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return status;
}

int serve(const DataProgramOptions &options) {
    keepDecodedPictures();
    DataProgram program(options);
    // There is nothing to save, and a thread may be in the middle of a large file: leave at once.
    QObject::connect(&program, &DataProgram::finished, qApp, [] {
        std::fflush(stderr);
        std::_Exit(0);
    });
    return QCoreApplication::exec();
}

}  // namespace

int main(int argc, char **argv) {
    hearth::cleanLog();
    // It reads pictures again in every epoch; what is wrong with one is told by its file's name.
    QLoggingCategory::setFilterRules(QStringLiteral("qt.gui.imageio.warning=false"));
    // Writing to an agent that is gone is an error to notice, not a reason to die without a word.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    // Ctrl-C in a terminal reaches the whole group; the agent ends its coordinators itself.
    std::signal(SIGINT, SIG_IGN);
    leaveNoCoreDumps();
    // Plans are made in threads of their own; states pass through on their way to the disk.
    hearth::keepHeapsSmall();
    QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("hearth-coordinator"));
    hearth::setProgramVersion();
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Plans and steers one run of Hearth. It is started by hearth-agent, not by hand."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption run(QStringLiteral("run"), QStringLiteral("Folder of the run, or its id with --serve."),
                                 QStringLiteral("DIR"));
    const QCommandLineOption serves(QStringLiteral("serve"),
                                    QStringLiteral("Serve samples of this device to a run of another one."));
    const QCommandLineOption listen(QStringLiteral("listen"), QStringLiteral("With --serve: address to listen on."),
                                    QStringLiteral("address"), QStringLiteral("::"));
    const QCommandLineOption ports(QStringLiteral("ports"),
                                   QStringLiteral("With --serve: ports to choose from; 0-0 = any."),
                                   QStringLiteral("first-last"), QStringLiteral("47601-47632"));
    parser.addOptions({run, serves, listen, ports});
    parser.process(app);
    if (!parser.isSet(serves))
        return steer();
    DataProgramOptions options;
    options.run = parser.value(run);
    options.listen = listenAddressOf(parser.value(listen));
    if (options.run.isEmpty())
        return usage(QStringLiteral("--run is needed; this program is started by hearth-agent."));
    if (options.listen.isNull())
        return usage(QStringLiteral("--listen takes an address."));
    const auto range = PortRange::of(parser.value(ports));
    if (!range)
        return usage(QStringLiteral("--ports takes a range such as 47601-47632."));
    options.ports = *range;
    return serve(options);
}
