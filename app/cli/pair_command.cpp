// `hearth pair` and `hearth forget`: who belongs to this home.
#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "core/agent/pair_terminal.h"
#include "core/agent/programs.h"

namespace hearth {
namespace {

/// Whom a person means: a device that was found nearby, by its name or its first digits, else a host or an address.
Result<NearbyDevice> deviceMeant(AgentClient &client, const QString &word) {
    const auto nearby = waitFor<Nearby>([&](QObject *context, auto done) { client.nearby(context, done); });
    // As "hearth devices" lists them, in groups.
    const QString digits = QString(word).remove(QLatin1Char(' ')).toLower();
    std::vector<NearbyDevice> found;
    for (const NearbyDevice &device : nearby ? nearby->devices : std::vector<NearbyDevice>()) {
        if (device.name.compare(word, Qt::CaseInsensitive) == 0 || device.prefix == digits)
            found.push_back(device);
    }
    if (found.size() > 1) {
        return fail(QStringLiteral("pairing.ambiguous"),
                    sentence("Several devices nearby are called \"%1\".").arg(word.left(80)), {},
                    sentence("Name it by its address, or by its digits: see \"hearth devices\"."));
    }
    if (found.size() == 1 && !found.front().addresses.isEmpty())
        return found.front();
    return agentAddress(word).map([](const QString &address) {
        NearbyDevice device;
        device.addresses << address;
        return device;
    });
}

int runPair(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("pair"));
    declareAgentOptions(line);
    line.positional(QStringLiteral("ADDRESS|NAME|KEY"),
                    QStringLiteral("of the device; without it, the next device that wants to pair is taken"), false);
    line.value(QStringLiteral("yes-code"), QStringLiteral("DIGITS"),
               QStringLiteral("confirm only these digits, without asking; \"-\" reads them from standard input"));
    if (const auto status = line.parse(arguments))
        return *status;
    PairTerminalOptions options;
    options.json = line.isSet(QStringLiteral("json"));
    options.forgetCommand = QStringLiteral("hearth forget") + stateOption(stateDirOf(line));
    if (line.isSet(QStringLiteral("yes-code")))
        options.expectedCode = line.get(QStringLiteral("yes-code"));
    if (const auto possible = PairTerminal::check(options); !possible)
        return printError(possible.error());
    StopSignals stops;
    const auto client = connectToAgent(stateDirOf(line), &stops);
    if (!client)
        return endedBy(client.error());
    if (line.wordCount() > 0) {
        const auto device = deviceMeant(**client, line.word(0));
        if (!device)
            return line.wrongUsage(device.error());
        options.addresses = device->addresses;
        options.prefix = device->prefix;
    }
    PairTerminal terminal(**client, options);
    bool isInterrupted = false;
    QObject::connect(&stops, &StopSignals::received, &terminal, [&] {
        isInterrupted = true;
        terminal.interrupt();
    });
    const auto paired = waitFor<QString>([&](QObject *, auto done) {
        terminal.start([done](const Result<PairingStatus> &result) {
            done(result.map([](const PairingStatus &status) { return status.name; }));
        });
    });
    if (!paired) {
        const int status = printError(paired.error());
        return isInterrupted ? Interrupted : status;
    }
    if (!options.json)
        printLine(QStringLiteral("Paired with %1.").arg(*paired));
    return Done;
}

int runForget(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("forget"));
    declareAgentOptions(line);
    line.positional(QStringLiteral("NAME|FINGERPRINT"),
                    QStringLiteral("as \"hearth devices\" lists it: the first digits are enough"));
    if (const auto status = line.parse(arguments))
        return *status;
    const QString word = line.word(0);
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const auto forgotten =
        waitFor<QCborMap>([&](QObject *context, auto done) { (*client)->forget(word, context, done); });
    if (!forgotten)
        return printError(forgotten.error());
    if (line.isSet(QStringLiteral("json")))
        printJson({{QStringLiteral("forgotten"), word}});
    else
        printLine(QStringLiteral("%1 is no device of this home any more. Pair again to take it back.").arg(word));
    return Done;
}

const CommandRegistration pairRegistration(
    {QStringLiteral("pair"), QStringLiteral("[ADDRESS|NAME|KEY] [--yes-code DIGITS] [--json] [--state DIR]"),
     QStringLiteral("pair with another device by six digits"), runPair});
const CommandRegistration forgetRegistration({QStringLiteral("forget"),
                                              QStringLiteral("NAME|FINGERPRINT [--json] [--state DIR]"),
                                              QStringLiteral("remove a device from this home"), runForget});

}  // namespace
}  // namespace hearth
