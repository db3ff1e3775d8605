// `hearth devices`: the devices of this home, those nearby, and why one cannot be seen.
#include <QJsonArray>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/ignored_table.h"
#include "app/cli/shared_links.h"
#include "app/cli/table.h"
#include "core/home/announcement.h"
#include "ui/words/format.h"
#include "ui/words/moment.h"

namespace hearth {
namespace {

void printDevices(const std::vector<DeviceInfo> &devices) {
    QList<QStringList> rows{{QStringLiteral("NAME"), QStringLiteral("KEY"), QStringLiteral("STATE"),
                             QStringLiteral("ADDRESS"), QStringLiteral("MEMORY"), QStringLiteral("THREADS"),
                             QStringLiteral("PROCESSOR")}};
    for (const DeviceInfo &device : devices) {
        const bool known = device.memoryBytes > 0;
        rows << QStringList{device.self ? device.name + QStringLiteral(" (this one)") : device.name,
                            formatFingerprint(device.id.left(Announcement::prefixDigits)),
                            toWord(device.state),
                            device.address,
                            known ? formatBytes(device.memoryBytes) : QString(),
                            known ? QString::number(device.threads) : QString(),
                            device.processor};
    }
    printTable(rows);
    for (const DeviceInfo &device : devices) {
        if (device.card)
            printLine(QStringLiteral("%1: %2").arg(device.name, computesOn(*device.card).english()));
    }
}

QString stateWords(const NearbyDevice &device) {
    if (device.state == NearbyState::Clone)
        return QStringLiteral("announced by several: %1").arg(device.hosts.join(QStringLiteral(", ")));
    if (device.version != 1)
        return QStringLiteral("found, another version of Hearth");
    return toWord(device.state);
}

/// Those of the home are in the first table already.
void printNearby(const Nearby &nearby) {
    QList<QStringList> rows{{QStringLiteral("NAME"), QStringLiteral("KEY"), QStringLiteral("SINCE"),
                             QStringLiteral("ADDRESS"), QStringLiteral("STATE")}};
    for (const NearbyDevice &device : nearby.devices) {
        if (device.state == NearbyState::Paired || device.state == NearbyState::Ignored)
            continue;
        rows << QStringList{
            device.name.isEmpty() ? QStringLiteral("(no name)") : device.name, formatFingerprint(device.prefix),
            formatMoment(QDateTime::fromMSecsSinceEpoch(device.since)), device.addresses.value(0), stateWords(device)};
    }
    if (rows.size() > 1) {
        printLine({});
        printLine(QStringLiteral("Found nearby:"));
        printTable(rows);
    } else {
        printNote(QStringLiteral("Nobody else was found nearby. Why? hearth devices --diagnose"));
    }
    if (!nearby.ignored.empty()) {
        printLine({});
        printLine(QStringLiteral("Ignored (\"hearth ignore --undo KEY\" takes one back):"));
        printIgnored(nearby.ignored);
    }
}

void printFindings(const std::vector<Finding> &findings) {
    for (const Finding &finding : findings) {
        const QString mark = toWord(finding.verdict).toUpper();
        printLine(QStringLiteral("%1  %2: %3").arg(mark, -7).arg(finding.subject, finding.finding));
        const QString indent(9, QLatin1Char(' '));
        if (!finding.cure.isEmpty())
            printLine(indent + finding.cure);
        if (!finding.command.isEmpty())
            printLine(indent + QStringLiteral("  ") + finding.command);
    }
}

int diagnose(AgentClient &client, bool asJson) {
    if (!asJson)
        printNote(QStringLiteral("Looking at this computer and its network …"));
    const auto findings =
        waitFor<std::vector<Finding>>([&](QObject *context, auto done) { client.diagnose(context, done); });
    if (!findings)
        return printError(findings.error());
    if (asJson) {
        QJsonArray list;
        for (const Finding &finding : *findings)
            list << finding.toJson();
        printJson(
            {{QStringLiteral("format"), QStringLiteral("hearth-diagnosis/1")}, {QStringLiteral("findings"), list}});
    } else {
        printFindings(*findings);
    }
    return Done;
}

/// Those that "hearth install" may be pointed at.
int listComputers(AgentClient &client, bool asJson) {
    const auto nearby = waitFor<Nearby>([&](QObject *context, auto done) { client.computers(context, done); });
    if (!nearby)
        return printError(nearby.error());
    if (asJson) {
        const QJsonObject whole = nearby->toCbor().toJsonObject();
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-computers/1")},
                   {QStringLiteral("computers"), whole[QLatin1String("computers")]},
                   {QStringLiteral("discovery"), whole[QLatin1String("discovery")]}});
        return Done;
    }
    if (nearby->computers.empty()) {
        printNote(nearby->status.state == DiscoveryState::Running
                      ? QStringLiteral("No computer here announces SSH. An address always works: hearth install "
                                       "USER@ADDRESS")
                      : QStringLiteral("Nobody is looked for here. Why? hearth devices --diagnose"));
        return Done;
    }
    QList<QStringList> rows{
        {QStringLiteral("NAME"), QStringLiteral("ADDRESS"), QStringLiteral("SSH"), QStringLiteral("HEARTH")}};
    for (const FoundComputer &computer : nearby->computers) {
        rows << QStringList{
            computer.name, computer.addresses.value(0),
            computer.sshPort == 0 ? QStringLiteral("not announced") : QStringLiteral("port %1").arg(computer.sshPort),
            computer.hasHearth ? QStringLiteral("has it") : QString()};
    }
    printTable(rows);
    return Done;
}

int runDevices(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("devices"));
    line.flag(QStringLiteral("diagnose"), QStringLiteral("find out why a device cannot be seen"));
    line.flag(QStringLiteral("computers"), QStringLiteral("list computers that offer SSH, for \"hearth install\""));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    if (line.isSet(QStringLiteral("diagnose")) && line.isSet(QStringLiteral("computers"))) {
        return line.wrongUsage(
            {QStringLiteral("usage.wrong"),
             sentence("--%1 does not go with --%2.").arg(QStringLiteral("diagnose"), QStringLiteral("computers")),
             {},
             {}});
    }
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const bool asJson = line.isSet(QStringLiteral("json"));
    if (line.isSet(QStringLiteral("diagnose")))
        return diagnose(**client, asJson);
    if (line.isSet(QStringLiteral("computers")))
        return listComputers(**client, asJson);
    const auto devices =
        waitFor<std::vector<DeviceInfo>>([&](QObject *context, auto done) { (*client)->devices(context, done); });
    if (!devices)
        return printError(devices.error());
    const auto nearby = waitFor<Nearby>([&](QObject *context, auto done) { (*client)->nearby(context, done); });
    if (!nearby)
        return printError(nearby.error());
    if (!asJson) {
        printDevices(*devices);
        printSharedLinks(*devices, stateDirOf(line));
        printNearby(*nearby);
        return Done;
    }
    QJsonArray list;
    for (const DeviceInfo &device : *devices)
        list << device.toJson();
    QJsonArray found;
    for (const NearbyDevice &device : nearby->devices)
        found << device.toJson();
    QJsonArray ignored;
    for (const IgnoredDevice &device : nearby->ignored)
        ignored << ignoredJson(device);
    printJson({{QStringLiteral("format"), QStringLiteral("hearth-devices/1")},
               {QStringLiteral("devices"), list},
               {QStringLiteral("nearby"), found},
               {QStringLiteral("ignored"), ignored},
               {QStringLiteral("discovery"), nearby->status.toCbor().toJsonObject()}});
    return Done;
}

const CommandRegistration devicesRegistration({QStringLiteral("devices"),
                                               QStringLiteral("[--diagnose|--computers] [--json] [--state DIR]"),
                                               QStringLiteral("the devices of this home, and those nearby"),
                                               runDevices});

}  // namespace
}  // namespace hearth
