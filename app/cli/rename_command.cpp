// `hearth rename`: what a device of the home is called here.
#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "core/home/device_choice.h"
#include "core/home/device_name.h"

namespace hearth {
namespace {

int runRename(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("rename"));
    line.positional(QStringLiteral("DEVICE"), QStringLiteral("by name or id"));
    line.positional(QStringLiteral("NAME"), QStringLiteral("what it is called in this home from now on"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    // A name that cannot be meant is said before anything is started.
    const auto name = givenDeviceName(line.word(1));
    if (!name)
        return line.wrongUsage(name.error());
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const auto device = waitFor<std::vector<DeviceInfo>>([&](QObject *context, auto done) {
                            (*client)->devices(context, done);
                        }).and_then([&](const std::vector<DeviceInfo> &all) { return deviceNamed(all, line.word(0)); });
    if (!device)
        return printError(device.error());
    const auto renamed =
        waitFor<void>([&](QObject *context, auto done) { (*client)->rename(device->id, *name, context, done); });
    if (!renamed)
        return printError(renamed.error());
    if (line.isSet(QStringLiteral("json")))
        printJson({{QStringLiteral("device"), device->id}, {QStringLiteral("name"), *name}});
    else if (device->self)
        printLine(
            QStringLiteral("This device calls itself %1 now. Devices that know it keep the name they have for it.")
                .arg(*name));
    else
        printLine(QStringLiteral("%1 is called %2 here now.").arg(device->name, *name));
    return Done;
}

const CommandRegistration renameRegistration({QStringLiteral("rename"),
                                              QStringLiteral("DEVICE NAME [--json] [--state DIR]"),
                                              QStringLiteral("what a device is called here"), runRename});

}  // namespace
}  // namespace hearth
