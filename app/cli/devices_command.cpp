// `hearth devices`: the devices of this home.
#include <QJsonArray>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/table.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

int runDevices(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("devices"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const auto devices =
        waitFor<std::vector<DeviceInfo>>([&](QObject *context, auto done) { (*client)->devices(context, done); });
    if (!devices)
        return printError(devices.error());
    if (line.isSet(QStringLiteral("json"))) {
        QJsonArray list;
        for (const DeviceInfo &device : *devices)
            list << device.toJson();
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-devices/1")}, {QStringLiteral("devices"), list}});
        return Done;
    }
    QList<QStringList> rows{{QStringLiteral("NAME"), QStringLiteral("STATE"), QStringLiteral("ADDRESS"),
                             QStringLiteral("MEMORY"), QStringLiteral("THREADS"), QStringLiteral("PROCESSOR")}};
    for (const DeviceInfo &device : *devices) {
        const bool known = device.memoryBytes > 0;
        rows << QStringList{device.self ? device.name + QStringLiteral(" (this one)") : device.name,
                            toWord(device.state),
                            device.address,
                            known ? formatBytes(device.memoryBytes) : QString(),
                            known ? QString::number(device.threads) : QString(),
                            device.processor};
    }
    printTable(rows);
    return Done;
}

const CommandRegistration registration({QStringLiteral("devices"), QStringLiteral("[--json] [--state DIR]"),
                                        QStringLiteral("the devices of this home"), runDevices});

}  // namespace
}  // namespace hearth
