#include <QCborArray>
#include <QEventLoop>
#include <QTimer>
#include <algorithm>

#include "core/agent/agent_client.h"
#include "core/base/sentence.h"
#include "core/install/local_home.h"
#include "core/install/ssh_host.h"

namespace hearth {
namespace {

constexpr std::chrono::seconds answerDeadline{10};
constexpr std::chrono::milliseconds cancelInterval{100};

}  // namespace

Result<QCborMap> AgentHome::ask(const QString &op, const QCborMap &arguments) const {
    return askAgent(m_stateDir, op, arguments, answerDeadline);
}

Result<IdentityFile> AgentHome::identity() {
    const auto status = ask(QStringLiteral("status"));
    if (!status)
        return tl::unexpected(status.error());
    const auto fingerprint = Fingerprint::fromHex((*status)[QStringLiteral("fingerprint")].toString());
    if (!fingerprint)
        return tl::unexpected(fingerprint.error());
    return IdentityFile{
        (*status)[QStringLiteral("name")].toString(), *fingerprint, {(*status)[QStringLiteral("address")].toString()}};
}

Result<void> AgentHome::trust(const IdentityFile &device) {
    QCborMap arguments;
    arguments[QStringLiteral("identity")] = QCborMap::fromJsonObject(device.toJson());
    const auto done = ask(QStringLiteral("trust"), arguments);
    return done ? Result<void>() : tl::unexpected(done.error());
}

Result<void> AgentHome::forget(const Fingerprint &device) {
    QCborMap arguments;
    arguments[QStringLiteral("device")] = device.toHex();
    const auto done = ask(QStringLiteral("forget"), arguments);
    return done ? Result<void>() : tl::unexpected(done.error());
}

Result<void> AgentHome::distrust(const Fingerprint &device) {
    QCborMap arguments;
    arguments[QStringLiteral("fingerprint")] = device.toHex();
    const auto done = ask(QStringLiteral("distrust"), arguments);
    return done ? Result<void>() : tl::unexpected(done.error());
}

Result<std::optional<QString>> AgentHome::trustedName(const Fingerprint &device) {
    const auto devices = ask(QStringLiteral("devices"));
    if (!devices)
        return tl::unexpected(devices.error());
    for (const QCborValue &each : (*devices)[QStringLiteral("devices")].toArray()) {
        const auto info = DeviceInfo::fromCbor(each.toMap());
        if (info && !info->self && info->id == device.toHex())
            return std::optional(info->name);
    }
    return std::optional<QString>();
}

Result<void> AgentHome::awaitDevice(const Fingerprint &device, std::chrono::milliseconds deadline,
                                    const std::function<bool()> &isCancelled) {
    QEventLoop loop;
    AgentClient client;
    QString lastError;
    Result<void> outcome = fail(QStringLiteral("install.not-linked"), {});
    const auto settle = [&](const Result<void> &result) {
        outcome = result;
        loop.quit();
    };
    QObject::connect(&client, &AgentClient::ready, &loop, [&] { client.subscribe(); });
    QObject::connect(&client, &AgentClient::closed, &loop,
                     [&](const Error &reason) { settle(tl::unexpected(reason)); });
    QObject::connect(&client, &AgentClient::deviceChanged, &loop, [&](const DeviceInfo &info) {
        if (info.id != device.toHex())
            return;
        lastError = info.lastError;
        if (info.state != DeviceState::Lost)
            settle({});
    });
    QTimer cancelled;
    QObject::connect(&cancelled, &QTimer::timeout, &loop, [&] {
        if (isCancelled())
            settle(tl::unexpected(cancelledError()));
    });
    cancelled.start(cancelInterval);
    QTimer::singleShot(deadline, &loop, [&] {
        settle(fail(QStringLiteral("install.not-linked"),
                    sentence("The device is installed, and its agent cannot be reached from here."),
                    lastError.isEmpty() ? sentence("No connection came about within %1 s.")
                                              .arg(std::chrono::duration_cast<std::chrono::seconds>(deadline).count())
                                        : Sentence(lastError),
                    sentence("Let its firewall pass TCP ports 47600 to 47632; the devices link by themselves "
                             "then.")));
    });
    client.open(m_stateDir);
    loop.exec();
    return outcome;
}

}  // namespace hearth
