// The steps that change the device, and how each is undone.
#include <QHostAddress>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/base/sentence.h"
#include "core/install/installer.h"

namespace hearth {
namespace {

const QByteArray writeFile = R"sh(set -e; umask 077
mkdir -p "$1"; cat >"$1/$2.new"; mv "$1/$2.new" "$1/$2")sh";

// As the agent's user; the file is read by hearth-agent itself.
const QByteArray trustFile = R"sh(set -e; umask 077
file=$(mktemp -p "$2"); trap 'rm -f "$file"' EXIT
cat >"$file"
"$1" trust "$file" --state "$2")sh";

}  // namespace

Result<void> Installer::saveRecord() {
    const auto done = m_there.run({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(writeFile),
                                   QStringLiteral("sh"), m_plan.folder, QStringLiteral("record.json")},
                                  m_record.toJson());
    return succeeded(done, {QStringLiteral("install.no-record"),
                            sentence("What is installed could not be recorded on %1.").arg(m_target.host),
                            {},
                            sentence("Make %1 writable there, or free some space.").arg(m_facts.home)});
}

bool Installer::keepsEarlier() const {
    if (!m_earlier || m_plan.isUpdate)
        return m_earlier.has_value();
    // From there on package, state and service of one that broke off are undone with this one's.
    return std::none_of(m_undo.begin(), m_undo.end(), [](const Undo &each) { return each.step == InstallStep::Pair; });
}

Result<void> Installer::copyPackage() {
    m_record = m_earlier.value_or(InstallRecord{});
    if (!m_earlier) {
        m_record.package = m_plan.package;
        m_record.service = m_plan.service;
        m_record.stateDir = m_plan.stateDir;
        m_record.madePackage = m_facts.installedVersion.isEmpty() || m_plan.package == PackageWay::HomeFolder;
        m_record.madeState = !m_facts.hasIdentity;
        const bool isUser = m_plan.service == ServiceWay::User;
        m_record.wasEnabled = isUser ? m_facts.userServiceEnabled : m_facts.systemServiceEnabled;
        m_record.wasActive = isUser ? m_facts.userServiceActive : m_facts.systemServiceActive;
    }
    if (auto gone = removeEarlierCopy(); !gone)
        return gone;
    m_record.isComplete = false;
    m_record.isUpdate = m_plan.isUpdate;
    m_record.version = m_package.version;
    m_record.agentPort = m_plan.agentPort;
    onUndo(InstallStep::Copy, [this]() -> Result<void> {
        // The folder is all that is left of what this made; of an earlier installation there may be more.
        const auto done =
            keepsEarlier()
                ? m_there.run({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(writeFile),
                               QStringLiteral("sh"), m_plan.folder, QStringLiteral("record.json")},
                              m_earlier->toJson())
                : m_there.run({QStringLiteral("rm"), QStringLiteral("-rf"), QStringLiteral("--"), m_plan.folder});
        return done ? Result<void>() : tl::unexpected(done.error());
    });
    m_undo.back().isForgetting = true;
    if (auto saved = saveRecord(); !saved)
        return saved;

    if (auto made = m_copy.makeFolder(); !made)
        return made;
    onUndo(InstallStep::Copy, [this]() -> Result<void> {
        const auto gone = m_copy.remove(m_copy.folder());
        return gone ? Result<void>() : tl::unexpected(gone.error());
    });
    if (m_copy.isApart()) {
        // Where the connection is lost, the next installation or an uninstall removes it.
        m_record.copy = m_copy.folder();
        if (auto saved = saveRecord(); !saved)
            return saved;
    }
    return m_copy.upload(m_package, [this](qint64 bytes) {
        tell(InstallStep::Copy, InstallProgress::State::Moving, {},
             static_cast<double>(bytes) / static_cast<double>(std::max<qint64>(1, m_package.fileBytes)));
    });
}

Result<void> Installer::removeEarlierCopy() {
    if (!m_earlier || m_earlier->copy.isEmpty())
        return {};
    const auto gone = m_copy.remove(m_earlier->copy);
    if (!gone)
        return tl::unexpected(gone.error());
    if (gone->status != 0) {
        note(sentence("A copy of the package that an earlier installation made stays on %1: remove %2 there.")
                 .arg(m_target.host, m_earlier->copy));
    }
    m_earlier->copy.clear();
    m_record.copy.clear();
    return {};
}

Result<void> Installer::pair() {
    if (m_plan.service == ServiceWay::System) {
        const auto made = m_there.asRoot({QStringLiteral("install"), QStringLiteral("-d"), QStringLiteral("-m"),
                                          QStringLiteral("0710"), QStringLiteral("-o"), QStringLiteral("hearth"),
                                          QStringLiteral("-g"), QStringLiteral("hearth"), m_plan.stateDir});
        if (!made)
            return tl::unexpected(made.error());
    }
    if (!m_plan.isUpdate)
        onUndo(InstallStep::Pair, [this] { return m_record.madeState ? removeState() : restoreState(); });
    // The agent of one that broke off may run; it ends before its state goes.
    if (m_earlier && !m_plan.isUpdate)
        onUndo(InstallStep::Service, [this] { return m_service.stop(); });
    auto device = identityThere({});
    if (device && !m_options.deviceName.isEmpty() && m_options.deviceName != device->name) {
        if (!m_record.madeState && m_record.nameBefore.isEmpty()) {
            m_record.nameBefore = device->name;
            if (auto saved = saveRecord(); !saved)
                return saved;
        }
        device = identityThere(m_options.deviceName);
    }
    if (!device)
        return tl::unexpected(device.error());
    m_device = *device;
    // Where it was reached just now comes first.
    const QString address = joinAddress(m_there.host().peerAddress(), m_plan.agentPort);
    m_device.addresses.removeAll(address);
    m_device.addresses.prepend(address);
    m_device.addresses = m_device.addresses.mid(0, 8);
    m_record.fingerprint = m_device.fingerprint.toHex();
    if (auto saved = saveRecord(); !saved)
        return saved;
    if (auto there = trustThere(); !there)
        return there;
    return trustHere();
}

Result<IdentityFile> Installer::identityThere(const QString &newName) {
    QStringList words{m_plan.agentProgram, QStringLiteral("init"),     QStringLiteral("--state"),
                      m_plan.stateDir,     QStringLiteral("--listen"), QStringLiteral("[::]:%1").arg(m_plan.agentPort)};
    if (!newName.isEmpty())
        words << QStringLiteral("--name") << newName;
    const auto printed = m_there.asAgent(words);
    if (!printed)
        return tl::unexpected(printed.error());
    const auto object = parseJsonObject(printed->output, QStringLiteral("the device's identity"));
    auto device = object ? IdentityFile::fromJson(*object, QStringLiteral("the device's identity"))
                         : tl::unexpected(object.error());
    if (printed->status == 0 && device)
        return device;
    return fail(QStringLiteral("install.no-identity"),
                sentence("The agent on %1 could not make its identity.").arg(m_target.host), endOfOutput(*printed),
                sentence("See what it says, and try again."));
}

Result<void> Installer::trustThere() {
    auto own = m_home.identity();
    if (!own)
        return tl::unexpected(own.error());
    if (!m_plan.isOurs && !m_record.madeState) {
        const auto knows = m_there.asAgent({QStringLiteral("grep"), QStringLiteral("-qs"), own->fingerprint.toHex(),
                                            m_plan.stateDir + QStringLiteral("/trust.json")});
        if (!knows)
            return tl::unexpected(knows.error());
        m_record.madeTrust = knows->status != 0;
        if (auto saved = saveRecord(); !saved)
            return saved;
    }
    // Where this computer is, as the device sees it, with the port of its agent.
    const auto seen = m_there.script("printf '%s' \"${SSH_CONNECTION%% *}\"", {});
    if (!seen)
        return tl::unexpected(seen.error());
    const auto known = splitAddress(own->addresses.value(0));
    const QHostAddress address(QString::fromUtf8(seen->output));
    if (known && !address.isNull()) {
        const QString asSeen = joinAddress(address.toString(), known->port);
        own->addresses.removeAll(asSeen);
        own->addresses.prepend(asSeen);
    }
    const auto done = m_there.asAgent({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(trustFile),
                                       QStringLiteral("sh"), m_plan.agentProgram, m_plan.stateDir},
                                      QJsonDocument(own->toJson()).toJson());
    return succeeded(done, {QStringLiteral("install.not-trusted"),
                            sentence("%1 could not be told to trust this device.").arg(m_target.host),
                            {},
                            sentence("See what it says, and try again.")});
}

Result<void> Installer::trustHere() {
    const auto knew = m_home.trustedName(m_device.fingerprint);
    if (!knew)
        return tl::unexpected(knew.error());
    if (!*knew)
        onUndo(InstallStep::Pair, [this] { return m_home.distrust(m_device.fingerprint); });
    return m_home.trust(m_device);
}

Result<void> Installer::startService() {
    if (!m_plan.isUpdate && !m_earlier)  // pair() has said it for an earlier one
        onUndo(InstallStep::Service, [this] { return m_service.stop(); });
    m_hasStarted = true;
    auto started = m_service.start();
    return started ? m_service.await() : started;
}

Result<void> Installer::startEarlier() {
    m_plan.agentPort = m_earlier->agentPort;
    return m_service.start();
}

Result<void> Installer::awaitDevice() {
    m_record.isComplete = true;
    m_record.isUpdate = false;
    if (auto saved = saveRecord(); !saved)
        return saved;
    auto linked = m_home.awaitDevice(m_device.fingerprint, awaitDeadline, [this] { return isCancelled(); });
    if (!linked && linked.error().code == cancelledError().code)
        return linked;
    // From here on it is an installation like any other; what is left over of the work goes.
    const auto tidied = m_there.script(R"(rm -rf -- "$1/root.old")", {m_plan.folder});
    if (!tidied)
        return tl::unexpected(tidied.error());
    if (const auto gone = m_copy.remove(m_copy.folder()); !gone)
        return tl::unexpected(gone.error());
    if (!m_record.copy.isEmpty()) {
        m_record.copy.clear();
        if (auto saved = saveRecord(); !saved)
            return saved;
    }
    return linked;
}

}  // namespace hearth
