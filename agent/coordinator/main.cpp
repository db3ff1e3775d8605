// hearth-coordinator: plans and steers one run. Started by its agent, with which it talks over standard input and
// output; standard error is its log.
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QEvent>
#include <QFile>

#include <csignal>
#include <cstdio>
#include <memory>

#include "core/base/background_task.h"
#include "core/base/cbor.h"
#include "core/base/core_dumps.h"
#include "core/base/heap.h"
#include "core/base/terminal.h"
#include "core/run/agent_rpc_link.h"
#include "core/run/coordinator.h"
#include "core/run/data_fit.h"
#include "core/run/frozen_tensors.h"
#include "core/run/run_directory.h"
#include "core/run/run_request.h"
#include "core/run/tls_connector.h"
#include "core/wire/stdio_channel.h"

using namespace hearth;

namespace {

/// Everything that lives as long as the run.
struct Run {
    QString identityFile;
    std::unique_ptr<RunDirectory> directory;
    std::unique_ptr<TlsConnector> connector;
    std::unique_ptr<Coordinator> coordinator;
};

QString identityFile(const RunRequest &request) {
    return request.directory + QStringLiteral("/coordinator.pem");
}

/// Workers and agents know a run's coordinator by its key: one that takes the place of one that died must have it.
Result<Identity> identityFor(const RunRequest &request) {
    if (request.again)
        return Identity::load(identityFile(request));
    auto identity = Identity::generate(QStringLiteral("run ") + request.id);
    if (!identity)
        return identity;
    if (auto saved = identity->save(identityFile(request)); !saved)
        return tl::unexpected(saved.error());
    return identity;
}

Result<std::unique_ptr<RunDirectory>> openDirectory(const RunRequest &request) {
    if (!request.again && !request.resume)
        return RunDirectory::create(request.directory);
    auto directory = RunDirectory::resume(request.directory);
    if (!directory || request.again)
        return directory;
    // From here on the last state that was written is not the end any more.
    if (auto written = (*directory)->append(event::State{QStringLiteral("recovering")}); !written)
        return tl::unexpected(written.error());
    return directory;
}

Result<Run> prepare(const RunRequest &request, const RunInputs &inputs, AgentLink &agent) {
    auto directory = openDirectory(request);
    if (!directory)
        return tl::unexpected(directory.error());
    if (auto saved = saveFrozen(request.directory, inputs.frozen); !saved)
        return tl::unexpected(saved.error());
    auto identity = identityFor(request);
    if (!identity)
        return tl::unexpected(identity.error());
    Run run;
    run.identityFile = identityFile(request);
    run.directory = std::move(*directory);
    run.connector = std::make_unique<TlsConnector>(std::move(*identity));
    run.coordinator = std::make_unique<Coordinator>(request, inputs, agent, *run.connector, *run.directory);
    return run;
}

}  // namespace

int main(int argc, char **argv) {
    hearth::cleanLog();
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
    QCoreApplication::setApplicationVersion(QStringLiteral(HEARTH_VERSION));
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Plans and steers one run of Hearth. It is started by hearth-agent, not by hand."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({QStringLiteral("run"), QStringLiteral("Folder of the run."), QStringLiteral("DIR")});
    parser.process(app);

    StdioChannel channel;
    Rpc rpc(&channel);
    AgentRpcLink agent(rpc);
    Run run;
    std::unique_ptr<BackgroundTask> reading;  // of the data; while it lasts, the agent asks for nothing else
    QObject::connect(&channel, &Channel::closed, &app, [] { QCoreApplication::exit(1); });
    rpc.handle(QStringLiteral("start"), [&](const QCborMap &args, const Reply &reply) {
        if (run.coordinator || reading) {
            reply.fail({QStringLiteral("run.started"), sentence("The run has begun already."), {}, {}});
            return;
        }
        const auto request = RunRequest::fromCbor(args);
        if (!request) {
            reply.fail(request.error());
            return;
        }
        const auto refuse = [&, reply](const Error &error) {
            reading.reset();
            reply.fail(error);
        };
        const auto begin = [&, request = *request, reply, refuse](const RunInputs &inputs) {
            auto prepared = prepare(request, inputs, agent);
            if (!prepared) {
                refuse(prepared.error());
                return;
            }
            run = std::move(*prepared);
            reply.ok({{QStringLiteral("fingerprint"), run.connector->fingerprint().toHex()}});
            QObject::connect(run.coordinator.get(), &Coordinator::ended, &app, [&](RunState state) {
                QFile::remove(run.identityFile);  // nobody will take this one's place
                // What was said last still has to go through the pipe; the agent closes it, or the channel does.
                channel.close({QStringLiteral("run.ended"), sentence("The run has ended."), {}, {}});
                QCoreApplication::exit(state == RunState::Failed ? 1 : 0);
            });
            run.coordinator->start();
            reading.reset();
        };
        reading = std::make_unique<BackgroundTask>();
        reading->start<RunInputs>(
            &app,
            [request = *request] {
                keepDecodedPictures();
                return RunInputs::load(request);
            },
            begin, refuse);
    });
    rpc.handle(QStringLiteral("ask"), [&run](const QCborMap &args, const Reply &reply) {
        if (!run.coordinator) {
            reply.fail({QStringLiteral("run.not-started"), sentence("The run has not begun yet."), {}, {}});
            return;
        }
        const QCborValue row = args[QStringLiteral("row")];
        run.coordinator->ask(args[QStringLiteral("samples")].toByteArray(),
                             row.isInteger() ? std::optional(row.toInteger()) : std::nullopt,
                             [reply](const Result<std::vector<double>> &values) {
                                 if (values)
                                     reply.ok({{QStringLiteral("values"), bytesOfNumbers(*values)}});
                                 else
                                     reply.fail(values.error());
                             });
    });
    const int status = QCoreApplication::exec();
    run.coordinator.reset();  // before what it refers to
    // Its steps delete themselves later, and no event loop comes any more: a thread that plans ends before the program.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return status;
}
