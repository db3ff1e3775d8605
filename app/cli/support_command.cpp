// `hearth support FILE`: the bundle of the window, for a device without one.
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "app/cli/table.h"
#include "core/agent/support_bundle.h"
#include "ui/shell/about_dialog.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

Result<std::vector<DeviceInfo>> devicesOfHome(const QString &stateDir) {
    const auto client = connectToRunningAgent(stateDir);
    if (!client)
        return tl::unexpected(client.error());
    return waitFor<std::vector<DeviceInfo>>([&](QObject *context, auto done) { (*client)->devices(context, done); });
}

void printFiles(const std::vector<SupportFile> &files, const QString &path) {
    QList<QStringList> rows{{QStringLiteral("FILE"), QStringLiteral("SIZE")}};
    for (const SupportFile &file : files) {
        rows << QStringList{file.shortened ? QStringLiteral("%1 (without its middle)").arg(file.name) : file.name,
                            formatBytes(file.content.size())};
    }
    printTable(rows, 1);
    printLine({});
    printLine(QStringLiteral("Written to %1. Nothing is sent: you decide whom you give it to.").arg(path));
}

int runSupport(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("support"));
    line.positional(QStringLiteral("FILE"), QStringLiteral("where the bundle goes (.tar.gz)"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    if (const auto open = mustBeOpenTo(stateDirOf(line), QStringLiteral("runs")); !open)
        return printError(open.error());
    SupportSources sources;
    sources.stateDir = stateDirOf(line);
    sources.versions = AboutDialog::versions();
    sources.homeFolder = QDir::homePath();
    sources.userName = qEnvironmentVariable("USER");
    // Help may be needed because no agent answers.
    if (const auto devices = devicesOfHome(sources.stateDir))
        sources.devices = *devices;
    else
        printNote(QStringLiteral("The devices are left out. ") + devices.error().toString());
    const std::vector<SupportFile> files = collectSupport(sources);
    const QString path = QFileInfo(line.word(0)).absoluteFilePath();
    if (const auto saved = saveSupport(path, files); !saved)
        return printError(saved.error());
    if (!line.isSet(QStringLiteral("json"))) {
        printFiles(files, path);
        return Done;
    }
    QJsonArray list;
    for (const SupportFile &file : files) {
        list << QJsonObject{{QStringLiteral("name"), file.name},
                            {QStringLiteral("bytes"), file.content.size()},
                            {QStringLiteral("shortened"), file.shortened}};
    }
    printJson({{QStringLiteral("format"), QStringLiteral("hearth-support/1")},
               {QStringLiteral("file"), path},
               {QStringLiteral("files"), list}});
    return Done;
}

const CommandRegistration supportRegistration({QStringLiteral("support"), QStringLiteral("FILE [--json] [--state DIR]"),
                                               QStringLiteral("what somebody who helps needs to see, in one file"),
                                               runSupport});

}  // namespace
}  // namespace hearth
