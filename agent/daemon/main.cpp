// hearth-agent: the daemon on each device, and the small commands that set it up.
#include <unistd.h>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QJsonDocument>
#include <QLoggingCategory>
#include <algorithm>
#include <memory>

#include "agent/daemon/commands.h"
#include "core/agent/agent.h"
#include "core/agent/embedded_home.h"
#include "core/agent/local_service.h"
#include "core/agent/programs.h"
#include "core/agent/stop_signals.h"
#include "core/base/core_dumps.h"
#include "core/base/json_reader.h"
#include "core/base/terminal.h"
#include "core/base/version.h"
#include "core/discovery/avahi_discovery.h"

namespace {

using namespace hearth;

int printError(const Error &error, int status = 1) {
    writeLine(stderr, QStringLiteral("hearth-agent: ") + error.toString());
    return status;
}

Error usage(const Sentence &what, const Sentence &advice = {}) {
    return {QStringLiteral("usage.wrong"), what, QString(), advice};
}

struct Options {
    AgentOptions agent;
    PairTerminalOptions pairing;
    bool parentPipe = false;
    bool ephemeral = false;
    bool groupSocket = false;
    bool discovers = true;
    QStringList words;
};

/// Nothing is there but what provisions an agent.
bool isFresh(const QString &stateDir) {
    static const QStringList provided{QStringLiteral("agent.lock"), QStringLiteral("cert.pem"),
                                      QStringLiteral("device.json"), QStringLiteral("key.pem"),
                                      QStringLiteral("trust.json")};
    const QStringList there = QDir(stateDir).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    return std::all_of(there.begin(), there.end(), [](const QString &name) { return provided.contains(name); });
}

/// An error has code "usage.wrong".
Result<Options> parse(const QStringList &arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Hearth's daemon on one device.\n\nCommands: init (make the identity and print it), trust FILE "
        "(trust the device of such a file), distrust DEVICE (take that back, by its name or fingerprint), "
        "pair [ADDRESS] (with the next device that wants to, or with the one there), status, leave (end the agent once the runs of other "
        "devices go on without it). Without one, the daemon runs."));
    parser.addOptions({
        {QStringLiteral("state"), QStringLiteral("Where identity, trusted devices and runs are kept."),
         QStringLiteral("DIR")},
        {QStringLiteral("listen"),
         QStringLiteral("Where to listen; port 0 is any free one. Else port 47600, or the next that is free."),
         QStringLiteral("ADDRESS:PORT")},
        {QStringLiteral("no-mdns"), QStringLiteral("Do not announce this device, nor look for others.")},
        {QStringLiteral("name"), QStringLiteral("What this device is called."), QStringLiteral("NAME")},
        {QStringLiteral("threads"), QStringLiteral("Threads that training may use."), QStringLiteral("N")},
        {QStringLiteral("memory"), QStringLiteral("Bytes that training may use."), QStringLiteral("BYTES")},
        {QStringLiteral("no-card"), QStringLiteral("Compute on the processor, also where there is a graphics card.")},
        {QStringLiteral("may-sleep"), QStringLiteral("Do not keep this computer awake while it trains.")},
        {QStringLiteral("trusted-fabric"),
         QStringLiteral("Let runs of other devices send gradients over this network without encryption.")},
        {QStringLiteral("group-socket"), QStringLiteral("Let members of this process's group use its socket, too.")},
        {QStringLiteral("yes-code"),
         QStringLiteral("pair: confirm only these digits, without asking; \"-\" reads them from standard input."),
         QStringLiteral("DIGITS")},
        {QStringLiteral("json"), QStringLiteral("pair: print every state as JSON.")},
        {QStringLiteral("parent-pipe"), QStringLiteral("End when standard input ends.")},
        {QStringLiteral("ephemeral"), QStringLiteral("Remove the state folder at the end.")},
    });
    parser.addPositionalArgument(QStringLiteral("command"),
                                 QStringLiteral("init, trust FILE, distrust DEVICE, pair, status or leave"),
                                 QStringLiteral("[COMMAND]"));
    const auto help = parser.addHelpOption();
    const auto version = parser.addVersionOption();
    if (!parser.parse(QStringList{QCoreApplication::applicationName()} + arguments)) {
        const QStringList unknown = parser.unknownOptionNames();
        if (unknown.isEmpty())
            return tl::unexpected(usage(parser.errorText()));
        const QStringList valid{
            QStringLiteral("state"),       QStringLiteral("listen"),    QStringLiteral("no-mdns"),
            QStringLiteral("name"),        QStringLiteral("threads"),   QStringLiteral("memory"),
            QStringLiteral("parent-pipe"), QStringLiteral("ephemeral"), QStringLiteral("group-socket"),
            QStringLiteral("yes-code"),    QStringLiteral("json"),      QStringLiteral("trusted-fabric"),
            QStringLiteral("no-card"),     QStringLiteral("may-sleep")};
        return tl::unexpected(
            usage(sentence("The option --%1 is unknown.").arg(unknown.first()), didYouMean(unknown.first(), valid)));
    }
    if (parser.isSet(help))
        parser.showHelp();
    if (parser.isSet(version))
        parser.showVersion();

    Options options;
    options.words = parser.positionalArguments();
    options.pairing.json = parser.isSet(QStringLiteral("json"));
    if (parser.isSet(QStringLiteral("yes-code")))
        options.pairing.expectedCode = parser.value(QStringLiteral("yes-code"));
    options.parentPipe = parser.isSet(QStringLiteral("parent-pipe"));
    options.ephemeral = parser.isSet(QStringLiteral("ephemeral"));
    options.groupSocket = parser.isSet(QStringLiteral("group-socket"));
    options.agent.trustsFabric = parser.isSet(QStringLiteral("trusted-fabric"));
    options.agent.usesCard = !parser.isSet(QStringLiteral("no-card"));
    if (parser.isSet(QStringLiteral("may-sleep")))
        options.agent.inhibitors.clear();
    options.discovers = !parser.isSet(QStringLiteral("no-mdns"));
    options.agent.stateDir =
        parser.isSet(QStringLiteral("state")) ? parser.value(QStringLiteral("state")) : defaultStateDir();
    options.agent.name = parser.value(QStringLiteral("name"));
    options.agent.choosesPort = !parser.isSet(QStringLiteral("listen"));
    if (!options.agent.choosesPort) {
        const auto address = splitAddress(parser.value(QStringLiteral("listen")));
        if (!address)
            return tl::unexpected(usage(address.error().what, address.error().advice));
        options.agent.listenHost = address->host;
        options.agent.port = address->port;
    }
    // What is there may be a person's home of devices, or their home folder.
    if (options.ephemeral && (!parser.isSet(QStringLiteral("state")) || !isFresh(options.agent.stateDir))) {
        return tl::unexpected(usage(sentence("--ephemeral needs a folder that holds nothing else."),
                                    sentence("Give a new one with --state; it is removed at the end.")));
    }
    bool ok = true;
    if (parser.isSet(QStringLiteral("threads")))
        options.agent.threads = parser.value(QStringLiteral("threads")).toInt(&ok);
    if (!ok || options.agent.threads < 0 || options.agent.threads > 4096)
        return tl::unexpected(usage(sentence("--threads takes a number from 1 to 4096.")));
    if (parser.isSet(QStringLiteral("memory")))
        options.agent.memoryBytes = parser.value(QStringLiteral("memory")).toLongLong(&ok);
    if (!ok || options.agent.memoryBytes < 0)
        return tl::unexpected(usage(sentence("--memory takes a number of bytes.")));
    return options;
}

void leavePolitely(Agent &agent) {
    if (const int workers = agent.limits().foreignWorkers(); workers > 0) {
        writeLine(stderr, QStringLiteral(
                              "hearth-agent: Leaving when %1 run(s) of other devices go on without this one, in %2 s "
                              "at the latest. A second signal ends at once.")
                              .arg(workers)
                              .arg(LimitsService::leaveDeadline / std::chrono::seconds(1)));
    }
    agent.limits().leave();
}

int runDaemon(const Options &options) {
    StopSignals signalsToStop;
    ParentPipe *parent = nullptr;
    if (options.parentPipe) {
        parent = new ParentPipe(qApp);
        QObject::connect(parent, &ParentPipe::ended, qApp, [] { QCoreApplication::quit(); });
    }
    int status = 0;
    {
        auto agent = Agent::start(options.agent);
        if (!agent)
            return printError(agent.error());
        if (options.discovers)
            (*agent)->home().discover(std::make_unique<AvahiDiscovery>());
        LocalService service(**agent, options.groupSocket ? SocketAccess::Group : SocketAccess::User);
        if (auto listening = service.listen(); !listening)
            return printError(listening.error());
        const QJsonObject ready{{QStringLiteral("format"), QStringLiteral("hearth-agent/1")},
                                {QStringLiteral("name"), (*agent)->name()},
                                {QStringLiteral("fingerprint"), (*agent)->fingerprint().toHex()},
                                {QStringLiteral("address"), (*agent)->address()},
                                {QStringLiteral("pid"), static_cast<qint64>(::getpid())}};
        QObject::connect(&(*agent)->limits(), &LimitsService::left, qApp, [] { QCoreApplication::quit(); });
        QObject::connect(&signalsToStop, &StopSignals::received, agent->get(),
                         [&agent](int, int count) { count == 1 ? leavePolitely(**agent) : QCoreApplication::quit(); });
        writeJson(stdout, QJsonDocument(ready).toJson(QJsonDocument::Compact));
        status = QCoreApplication::exec();
    }
    if (options.ephemeral)
        EmbeddedHome::removeState(options.agent.stateDir);
    return status;
}

}  // namespace

int main(int argc, char **argv) {
    cleanLog();
    leaveNoCoreDumps();
    QCoreApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("hearth-agent"));
    setProgramVersion();
    const auto options = parse(QCoreApplication::arguments().mid(1));
    if (!options)
        return printError(options.error(), 2);
    if (options->words.isEmpty())
        return runDaemon(*options);
    const auto done = runAgentCommand(options->words, options->agent, options->pairing);
    if (!done)
        return printError(done.error(), done.error().code == QLatin1String("usage.wrong") ? 2 : 1);
    return 0;
}
