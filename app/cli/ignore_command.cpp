// `hearth ignore`: devices nearby that this home does not want to hear of.
#include <QDateTime>
#include <QJsonArray>
#include <algorithm>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/ignored_table.h"
#include "app/cli/table.h"
#include "core/home/announcement.h"
#include "ui/words/format.h"
#include "ui/words/moment.h"

namespace hearth {

void printIgnored(const std::vector<IgnoredDevice> &devices) {
    QList<QStringList> rows{{QStringLiteral("NAME"), QStringLiteral("KEY"), QStringLiteral("SINCE")}};
    for (const IgnoredDevice &device : devices) {
        rows << QStringList{device.name.isEmpty() ? QStringLiteral("(no name)") : device.name,
                            formatFingerprint(device.key.left(Announcement::prefixDigits)),
                            formatMoment(QDateTime::fromMSecsSinceEpoch(device.since))};
    }
    printTable(rows);
}

QJsonObject ignoredJson(const IgnoredDevice &device) {
    return {
        {QStringLiteral("key"), device.key},
        {QStringLiteral("name"), device.name},
        {QStringLiteral("since"), QDateTime::fromMSecsSinceEpoch(device.since, Qt::UTC).toString(Qt::ISODateWithMs)}};
}

namespace {

struct Known {
    QString key;
    QString name;
};

/// The key that a person means: its first digits, as they are listed, or a name that only one has.
Result<QString> keyOf(const std::vector<Known> &known, const QString &word, const Sentence &unknown) {
    if (const QString digits = QString(word).remove(QLatin1Char(' ')).toLower(); isKeyStart(digits))
        return digits;
    std::vector<QString> keys;
    QStringList names;
    for (const Known &each : known) {
        names << each.name;
        if (each.name.compare(word, Qt::CaseInsensitive) == 0)
            keys.push_back(each.key);
    }
    if (keys.size() == 1)
        return keys.front();
    if (keys.size() > 1) {
        return fail(QStringLiteral("ignore.ambiguous"),
                    sentence("Several devices are called \"%1\".").arg(word.left(80)), {},
                    sentence("Name it by the digits of its key: see \"hearth devices\"."));
    }
    names.removeAll(QString());
    return fail(
        QStringLiteral("ignore.unknown"), unknown.arg(word.left(80)),
        names.isEmpty() ? sentence("There is none.") : sentence("There are: %1.").arg(names.join(QStringLiteral(", "))),
        sentence("Give a name or the digits of a key, as \"hearth devices\" lists them."));
}

int list(const Nearby &nearby, bool json) {
    if (json) {
        QJsonArray devices;
        for (const IgnoredDevice &device : nearby.ignored)
            devices << ignoredJson(device);
        printJson({{QStringLiteral("ignored"), devices}});
    } else if (nearby.ignored.empty()) {
        printNote(QStringLiteral("No device is ignored."));
    } else {
        printIgnored(nearby.ignored);
    }
    return Done;
}

int runIgnore(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("ignore"));
    line.positional(QStringLiteral("NAME|KEY"),
                    QStringLiteral("of a device found nearby; without it, those that are ignored are listed"), false);
    line.flag(QStringLiteral("undo"), QStringLiteral("hear of it again"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const bool undo = line.isSet(QStringLiteral("undo"));
    if (undo && line.wordCount() == 0) {
        return line.wrongUsage({QStringLiteral("usage.wrong"),
                                sentence("--undo needs a device."),
                                {},
                                sentence("\"hearth ignore\" lists those that are ignored.")});
    }
    const auto client = connectToAgent(stateDirOf(line));
    if (!client)
        return printError(client.error());
    const auto nearby = waitFor<Nearby>([&](QObject *context, auto done) { (*client)->nearby(context, done); });
    if (!nearby)
        return printError(nearby.error());
    if (line.wordCount() == 0)
        return list(*nearby, line.isSet(QStringLiteral("json")));
    std::vector<Known> known;
    if (undo) {
        for (const IgnoredDevice &device : nearby->ignored)
            known.push_back({device.key, device.name});
    } else {
        for (const NearbyDevice &device : nearby->devices)
            known.push_back({device.prefix, device.name});
    }
    const auto key = keyOf(known, line.word(0),
                           undo ? sentence("No device that is ignored is called \"%1\".")
                                : sentence("No device that was found nearby is called \"%1\"."));
    if (!key)
        return printError(key.error());
    const auto done = waitFor<bool>([&](QObject *context, auto answer) {
        const auto tell = [answer](const Result<PairingStatus> &result) {
            answer(result.map([](const PairingStatus &) { return true; }));
        };
        undo ? (*client)->unignoreStranger(*key, context, tell) : (*client)->ignoreStranger(*key, context, tell);
    });
    if (!done)
        return printError(done.error());
    if (line.isSet(QStringLiteral("json")))
        printJson({{undo ? QStringLiteral("heard") : QStringLiteral("ignored"), *key}});
    else if (undo)
        printLine(QStringLiteral("%1 may be found and may pair again.").arg(line.word(0)));
    else
        printLine(QStringLiteral("%1 is ignored. \"hearth ignore --undo %2\" takes that back.")
                      .arg(line.word(0), key->left(Announcement::prefixDigits)));
    return Done;
}

const CommandRegistration ignoreRegistration({QStringLiteral("ignore"),
                                              QStringLiteral("[NAME|KEY] [--undo] [--json] [--state DIR]"),
                                              QStringLiteral("do not hear of a device nearby any more"), runIgnore});

}  // namespace
}  // namespace hearth
