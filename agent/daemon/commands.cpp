#include "agent/daemon/commands.h"

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QJsonDocument>
#include <QThread>

#include "core/agent/agent_client.h"
#include "core/agent/own_place.h"
#include "core/base/json_reader.h"
#include "core/base/terminal.h"
#include "core/home/announcement.h"
#include "core/home/device_name.h"
#include "core/home/state_dir.h"

namespace hearth {
namespace {

constexpr std::chrono::seconds answerDeadline{5};
constexpr std::chrono::seconds endDeadline{10};

tl::unexpected<Error> wrongUsage(const Sentence &what, const Sentence &advice = {}) {
    return fail(QStringLiteral("usage.wrong"), what, QString(), advice);
}

void print(const QJsonObject &object) {
    writeJson(stdout, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

/// Where others find this device: with an agent that runs, where that listens, else where one would. The networks are
/// those of this moment: an agent may have started before them.
QStringList addressesOf(const AgentOptions &options) {
    // One that was killed has left its word behind.
    const bool isRunning = !lockStateDir(options.stateDir);
    const auto running = readJsonFile(options.stateDir + QStringLiteral("/agent.json"), 64 << 10);
    if (!isRunning || !running)
        return options.port == 0 ? QStringList() : placesForOthers(options.listenHost, options.port);
    return placesForOthers((*running)[QLatin1String("listen")].toString(options.listenHost),
                           static_cast<quint16>((*running)[QLatin1String("port")].toInt()));
}

Result<void> init(AgentOptions options) {
    const auto folder = openStateDir(options.stateDir);
    if (!folder)
        return tl::unexpected(folder.error());
    options.stateDir = *folder;
    const auto name = deviceName(*folder, options.name);
    if (!name)
        return tl::unexpected(name.error());
    const auto identity = Identity::loadOrCreate(*folder, *name);
    if (!identity)
        return tl::unexpected(identity.error());
    print(IdentityFile{*name, identity->fingerprint(), addressesOf(options)}.toJson());
    return {};
}

Result<void> trust(const AgentOptions &options, const QString &path) {
    const auto folder = openStateDir(options.stateDir);
    if (!folder)
        return tl::unexpected(folder.error());
    const auto object = readJsonFile(path, 64 << 10);
    if (!object)
        return tl::unexpected(object.error());
    const auto device = IdentityFile::fromJson(*object, path);
    if (!device)
        return tl::unexpected(device.error());

    // A running agent owns the file; without one the lock says so, and we write it.
    auto lock = lockStateDir(*folder);
    if (!lock) {
        QCborMap args;
        args[QStringLiteral("identity")] = QCborMap::fromJsonObject(*object);
        if (const auto done = askAgent(*folder, QStringLiteral("trust"), args, answerDeadline); !done)
            return tl::unexpected(done.error());
    } else {
        const auto own = Identity::loadOrCreate(*folder);
        if (!own)
            return tl::unexpected(own.error());
        if (own->fingerprint() == device->fingerprint) {
            return fail(QStringLiteral("trust.self"), sentence("%1 is the identity of this very device.").arg(path),
                        QString(), sentence("Give the file of another device."));
        }
        // One that was removed before is one of the home again.
        auto removals = Removals::load(*folder + QStringLiteral("/removals.json"), *own);
        if (!removals)
            return tl::unexpected(removals.error());
        if (auto readmitted = removals->readmit(device->fingerprint); !readmitted)
            return readmitted;
        auto store = TrustStore::load(*folder + QStringLiteral("/trust.json"));
        if (!store)
            return tl::unexpected(store.error());
        if (auto added = store->add({device->fingerprint, device->name, device->addresses}); !added)
            return added;
    }
    writeLine(stderr, QStringLiteral("hearth-agent: %1 is trusted now.").arg(device->name));
    return {};
}

/// By its name here, or by its fingerprint, also in groups as people are shown it. A device may call itself by the
/// fingerprint of another.
Result<Fingerprint> deviceMeant(const TrustStore &store, const QString &word) {
    const auto key = Fingerprint::fromHex(QString(word).remove(QLatin1Char(' ')).toLower());
    QStringList names, keys;
    for (const TrustedDevice &device : store.devices()) {
        names << device.name;
        if (device.name == word)
            keys << device.fingerprint.toHex();
    }
    if (key && keys.isEmpty())
        return *key;
    if (key && keys != QStringList{key->toHex()}) {
        return fail(QStringLiteral("device.unknown"), sentence("\"%1\" means several devices.").arg(word.left(80)),
                    sentence("It is the fingerprint of %1, and the name of what has the fingerprint %2.")
                        .arg(store.nameOf(*key, announcedPrefix(*key)), keys.join(QStringLiteral(", "))),
                    sentence("Name the first by its name, or the other by its fingerprint."));
    }
    if (keys.size() == 1)
        return Fingerprint::fromHex(keys.first());
    if (keys.isEmpty()) {
        return fail(QStringLiteral("device.unknown"),
                    sentence("This device trusts none called \"%1\".").arg(word.left(80)), QString(),
                    names.isEmpty() ? sentence("It trusts no device.") : didYouMean(word, names));
    }
    return fail(QStringLiteral("device.unknown"), sentence("Several devices are called \"%1\".").arg(word.left(80)),
                sentence("Their fingerprints are %1.").arg(keys.join(QStringLiteral(", "))),
                sentence("Name it by its fingerprint."));
}

/// Here only: the home's other devices are not told, as by "hearth forget".
Result<void> distrust(const AgentOptions &options, const QString &word) {
    const auto folder = openStateDir(options.stateDir);
    if (!folder)
        return tl::unexpected(folder.error());
    const auto known = TrustStore::load(*folder + QStringLiteral("/trust.json"));
    if (!known)
        return tl::unexpected(known.error());
    const auto device = deviceMeant(*known, word);
    if (!device)
        return tl::unexpected(device.error());
    const QString name = known->nameOf(*device, announcedPrefix(*device));
    const auto lock = lockStateDir(*folder);
    if (!lock) {
        const QCborMap args{{QStringLiteral("fingerprint"), device->toHex()}};
        if (const auto done = askAgent(*folder, QStringLiteral("distrust"), args, answerDeadline); !done)
            return tl::unexpected(done.error());
    } else {
        auto store = TrustStore::load(*folder + QStringLiteral("/trust.json"));
        if (!store)
            return tl::unexpected(store.error());
        if (store->trusts(*device)) {
            if (auto gone = store->remove(*device); !gone)
                return gone;
        }
    }
    writeLine(stderr, (known->trusts(*device) ? QStringLiteral("hearth-agent: %1 is not trusted any more.")
                                              : QStringLiteral("hearth-agent: %1 was not trusted here."))
                          .arg(name));
    return {};
}

Result<void> status(const AgentOptions &options) {
    const auto answer = askAgent(options.stateDir, QStringLiteral("status"), {}, answerDeadline);
    if (!answer)
        return tl::unexpected(answer.error());
    print(answer->toJsonObject());
    return {};
}

/// An agent closes its socket first, and holds the folder until its links are closed.
Result<void> awaitUnlocked(const QString &stateDir) {
    const QDeadlineTimer timer(endDeadline);
    for (;;) {
        const auto lock = lockStateDir(stateDir);
        if (lock || lock.error().code != QLatin1String("agent.already-running"))
            return {};
        if (timer.hasExpired())
            return tl::unexpected(lock.error());
        QThread::msleep(20);
    }
}

/// Returns when the agent has ended.
Result<void> leave(const AgentOptions &options) {
    QEventLoop loop;
    AgentClient client;
    Result<void> outcome;
    bool told = false;
    QObject::connect(&client, &AgentClient::ready, &loop, [&] {
        told = true;
        client.call(QStringLiteral("leave"), {}, std::chrono::seconds(5), &loop, [&](const Result<QCborMap> &result) {
            if (result) {
                const auto workers = (*result)[QStringLiteral("workers")].toInteger();
                if (workers > 0)
                    writeLine(stderr,
                              QStringLiteral("hearth-agent: %1 run(s) of other devices are to go on without this one …")
                                  .arg(workers));
            } else if (client.isOpen()) {
                outcome = tl::unexpected(result.error());
                loop.quit();
            }
        });
    });
    QObject::connect(&client, &AgentClient::closed, &loop, [&](const Error &reason) {
        if (!told)
            outcome = tl::unexpected(reason);
        loop.quit();
    });
    client.open(options.stateDir);
    loop.exec();
    if (outcome)
        outcome = awaitUnlocked(options.stateDir);
    if (outcome)
        writeLine(stderr, QStringLiteral("hearth-agent: The agent has left and ended."));
    return outcome;
}

}  // namespace

Result<void> runAgentCommand(const QStringList &words, const AgentOptions &options,
                             const PairTerminalOptions &pairing) {
    const QString &command = words.first();
    const bool isPair = command == QLatin1String("pair");
    // A name may have spaces, and a fingerprint is shown in groups.
    const bool isDistrust = command == QLatin1String("distrust");
    const bool takesWord = command == QLatin1String("trust") || isDistrust;
    const qsizetype expected = takesWord ? 2 : 1;
    const QStringList valid{QStringLiteral("init"),   QStringLiteral("trust"), QStringLiteral("distrust"),
                            QStringLiteral("status"), QStringLiteral("leave"), QStringLiteral("pair")};
    if (!valid.contains(command))
        return wrongUsage(sentence("There is no command \"%1\".").arg(command), didYouMean(command, valid));
    if (words.size() < expected) {
        return command == QLatin1String("trust")
                   ? wrongUsage(sentence("The file to trust is missing."), sentence("Write: trust FILE."))
                   : wrongUsage(sentence("The device is missing."),
                                sentence("Write: distrust NAME, or its fingerprint."));
    }
    if (!isDistrust && words.size() > expected + (isPair ? 1 : 0))
        return wrongUsage(sentence("The argument \"%1\" is one too many.").arg(words.last()));
    if (command == QLatin1String("init"))
        return init(options);
    if (command == QLatin1String("trust"))
        return trust(options, words[1]);
    if (isDistrust)
        return distrust(options, words.mid(1).join(QLatin1Char(' ')));
    if (command == QLatin1String("leave"))
        return leave(options);
    if (isPair)
        return pairInTerminal(options, pairing, words.value(1));
    return status(options);
}

}  // namespace hearth
