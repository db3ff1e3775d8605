// The steps that change the device, and how each is undone.
#include <QHostAddress>
#include <QJsonDocument>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/home/install/installer.h"

namespace hearth {
namespace {

// Another apt may be at work, as after a start of the computer.
const QString lockPatience = QStringLiteral("DPkg::Lock::Timeout=120");

const QByteArray writeFile = R"sh(set -e; umask 077
mkdir -p "$1"; cat >"$1/$2.new"; mv "$1/$2.new" "$1/$2")sh";

// A new tree takes the place of the old one by two renames; what is there then is whole, whatever happens.
const QByteArray unpack = R"sh(set -e
rm -rf "$1/root.new"; mkdir -p "$1"
dpkg-deb -x "$2" "$1/root.new"
"$1/root.new/usr/bin/hearth-agent" --version >/dev/null
missing=$(ldd "$1/root.new/usr/libexec/hearth/hearth-worker" | sed -n 's/ => not found//p')
if [ -n "$missing" ]; then echo "Missing libraries:" $missing >&2; exit 3; fi
if [ -d "$1/root" ]; then rm -rf "$1/root.old"; mv "$1/root" "$1/root.old"; fi
mv "$1/root.new" "$1/root")sh";

const QByteArray packAgain = R"sh(rm -rf "$1/root.new" "$1/root"
if [ -d "$1/root.old" ]; then mv "$1/root.old" "$1/root"; fi)sh";

// As the agent's user; the file is read by hearth-agent itself.
const QByteArray trustFile = R"sh(set -e; umask 077
file=$(mktemp -p "$2"); trap 'rm -f "$file"' EXIT
cat >"$file"
"$1" trust "$file" --state "$2")sh";

QStringList listOfPackages() {
    return {QStringLiteral("dpkg-query"), QStringLiteral("-W"), QStringLiteral("-f"),
            QStringLiteral("${binary:Package} ${db:Status-Abbrev}\n")};
}

QStringList installedOf(const QByteArray &list) {
    QStringList names;
    for (const QByteArray &line : list.split('\n')) {
        const auto words = line.simplified().split(' ');
        if (words.size() >= 2 && words[1].startsWith("ii"))
            names << QString::fromUtf8(words[0]).section(QLatin1Char(':'), 0, 0);
    }
    names.sort();
    names.removeDuplicates();
    return names;
}

}  // namespace

Result<void> Installer::saveRecord() {
    const auto done = run({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(writeFile),
                           QStringLiteral("sh"), m_plan.folder, QStringLiteral("record.json")},
                          m_record.toJson());
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    return fail(QStringLiteral("install.no-record"),
                QStringLiteral("What is installed could not be recorded on %1.").arg(m_target.host), lastWords(*done),
                QStringLiteral("Make %1 writable there, or free some space.").arg(m_facts.home));
}

Result<void> Installer::copyPackage() {
    m_record = m_earlier.value_or(InstallRecord{});
    if (!m_earlier) {
        m_record.package = m_plan.package;
        m_record.service = m_plan.service;
        m_record.stateDir = m_plan.stateDir;
        m_record.madePackage = m_facts.installedVersion.isEmpty() || m_plan.package == PackageWay::HomeFolder;
        m_record.madeState = m_plan.service == ServiceWay::System ? m_record.madePackage : !m_facts.hasIdentity;
    }
    m_record.isComplete = false;
    m_record.version = m_package.version;
    m_record.agentPort = m_plan.agentPort;
    onUndo(InstallStep::Copy, [this]() -> Result<void> {
        // The folder is all that this made so far; an earlier installation keeps its record.
        const auto done = m_earlier
                              ? run({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(writeFile),
                                     QStringLiteral("sh"), m_plan.folder, QStringLiteral("record.json")},
                                    m_earlier->toJson())
                              : run({QStringLiteral("rm"), QStringLiteral("-rf"), QStringLiteral("--"), m_plan.folder});
        return done ? Result<void>() : tl::unexpected(done.error());
    });
    if (auto saved = saveRecord(); !saved)
        return saved;

    const auto folder =
        run({QStringLiteral("mktemp"), QStringLiteral("-d"), QStringLiteral("-p"), QStringLiteral("/tmp")});
    if (!folder)
        return tl::unexpected(folder.error());
    m_temporary = QString::fromUtf8(folder->output.trimmed());
    if (folder->status != 0 || !m_temporary.startsWith(QLatin1String("/tmp/tmp."))) {
        return fail(QStringLiteral("install.not-copied"),
                    QStringLiteral("The package could not be copied to %1.").arg(m_target.host), lastWords(*folder),
                    QStringLiteral("Make /tmp writable there, or free some space."));
    }
    onUndo(InstallStep::Copy, [this]() -> Result<void> {
        const auto done = run({QStringLiteral("rm"), QStringLiteral("-rf"), QStringLiteral("--"), m_temporary});
        return done ? Result<void>() : tl::unexpected(done.error());
    });
    const QString file = m_temporary + QStringLiteral("/hearth-agent.deb");
    const auto copied = m_host->upload(m_package.path, file, [this](qint64 bytes) {
        tell(InstallStep::Copy, InstallProgress::State::Moving, {},
             static_cast<double>(bytes) / static_cast<double>(std::max<qint64>(1, m_package.fileBytes)));
    });
    if (!copied)
        return copied;
    const auto sum = run({QStringLiteral("sha256sum"), file});
    if (!sum)
        return tl::unexpected(sum.error());
    if (sum->output.left(m_package.sha256.size()) == m_package.sha256)
        return {};
    return fail(QStringLiteral("install.damaged-copy"),
                QStringLiteral("The package did not arrive at %1 as it was sent.").arg(m_target.host),
                QStringLiteral("Its SHA-256 there is another. %1").arg(lastWords(*sum)),
                QStringLiteral("Try again; if that does not help, check the memory and the disk of the device."));
}

Result<void> Installer::installPackage() {
    return m_plan.package == PackageWay::Apt ? installByApt() : unpackIntoHome();
}

Result<void> Installer::unpackIntoHome() {
    onUndo(InstallStep::Package, [this]() -> Result<void> {
        const auto done = script(packAgain, {m_plan.folder});
        return done ? Result<void>() : tl::unexpected(done.error());
    });
    const auto done = run({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(unpack), QStringLiteral("sh"),
                           m_plan.folder, m_temporary + QStringLiteral("/hearth-agent.deb")},
                          {}, packageDeadline);
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    return fail(QStringLiteral("install.not-unpacked"),
                QStringLiteral("hearth-agent cannot be installed for %1 on %2.").arg(m_facts.userName, m_target.host),
                lastWords(*done),
                QStringLiteral("Have its libraries installed there, or log in as somebody who may use sudo."));
}

Result<void> Installer::installByApt() {
    // What is there and as new is used as it is; without rights this is all that can be.
    if (!m_facts.installedVersion.isEmpty() &&
        (m_plan.rights == Rights::None || !isOlderVersion(m_facts.installedVersion, m_package.version))) {
        m_record.version = m_facts.installedVersion;
        return {};
    }
    const auto before = run(listOfPackages());
    if (!before)
        return tl::unexpected(before.error());
    const QStringList environment{QStringLiteral("env"),     QStringLiteral("DEBIAN_FRONTEND=noninteractive"),
                                  QStringLiteral("apt-get"), QStringLiteral("-q"),
                                  QStringLiteral("-o"),      lockPatience};
    if (m_needsLibraries) {
        tell(InstallStep::Package, InstallProgress::State::Moving, QStringLiteral("asking for the list of packages"));
        // Old lists may do; where they do not, installing says so.
        if (const auto updated = asRoot(environment + QStringList{QStringLiteral("update")}, {}, packageDeadline);
            !updated)
            return tl::unexpected(updated.error());
    }
    onUndo(InstallStep::Package,
           [this] { return m_record.madePackage && !m_earlier ? removePackage() : Result<void>(); });
    tell(InstallStep::Package, InstallProgress::State::Moving, QStringLiteral("installing it and what it needs"));
    QStringList words = environment + QStringList{QStringLiteral("install"), QStringLiteral("-y"),
                                                  QStringLiteral("--no-install-recommends"),
                                                  m_temporary + QStringLiteral("/hearth-agent.deb")};
    if (m_needsLibraries)
        words << QStringLiteral("libopenblas0-pthread");  // small matrix products are 3 to 5 times slower without it
    const auto done = asRoot(words, {}, packageDeadline);
    const auto after = run(listOfPackages());
    if (after) {
        const QStringList old = installedOf(before->output);
        for (const QString &name : installedOf(after->output)) {
            if (!old.contains(name) && name != QLatin1String("hearth-agent") && !m_record.newPackages.contains(name))
                m_record.newPackages << name;
        }
    }
    if (!done)
        return tl::unexpected(done.error());
    if (done->status != 0) {
        return fail(
            QStringLiteral("install.apt-failed"),
            QStringLiteral("apt-get could not install hearth-agent on %1.").arg(m_target.host), lastWords(*done),
            QStringLiteral("Repair what it names (\"apt-get -f install\", the list of mirrors), then try again."));
    }
    return saveRecord();
}

Result<void> Installer::pair() {
    if (m_plan.service == ServiceWay::System) {
        const auto made = asRoot({QStringLiteral("install"), QStringLiteral("-d"), QStringLiteral("-m"),
                                  QStringLiteral("0710"), QStringLiteral("-o"), QStringLiteral("hearth"),
                                  QStringLiteral("-g"), QStringLiteral("hearth"), m_plan.stateDir});
        if (!made)
            return tl::unexpected(made.error());
    }
    onUndo(InstallStep::Pair, [this] { return m_record.madeState && !m_earlier ? removeState() : Result<void>(); });
    QStringList words{m_plan.agentProgram, QStringLiteral("init"),     QStringLiteral("--state"),
                      m_plan.stateDir,     QStringLiteral("--listen"), QStringLiteral("[::]:%1").arg(m_plan.agentPort)};
    if (!m_options.deviceName.isEmpty())
        words << QStringLiteral("--name") << m_options.deviceName;
    const auto printed = asAgent(words);
    if (!printed)
        return tl::unexpected(printed.error());
    const auto object = parseJsonObject(printed->output, QStringLiteral("the device's identity"));
    const auto device = object ? IdentityFile::fromJson(*object, QStringLiteral("the device's identity"))
                               : tl::unexpected(object.error());
    if (printed->status != 0 || !device) {
        return fail(QStringLiteral("install.no-identity"),
                    QStringLiteral("The agent on %1 could not make its identity.").arg(m_target.host),
                    lastWords(*printed), QStringLiteral("See what it says, and try again."));
    }
    m_device = *device;
    // Where it was reached just now comes first.
    const QString address = joinAddress(m_host->peerAddress(), m_plan.agentPort);
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

Result<void> Installer::trustThere() {
    auto own = m_home.identity();
    if (!own)
        return tl::unexpected(own.error());
    // Where this computer is, as the device sees it, with the port of its agent.
    const auto seen = script("printf '%s' \"${SSH_CONNECTION%% *}\"", {});
    if (!seen)
        return tl::unexpected(seen.error());
    const auto known = splitAddress(own->addresses.value(0));
    const QHostAddress address(QString::fromUtf8(seen->output));
    if (known && !address.isNull()) {
        const QString asSeen = joinAddress(address.toString(), known->port);
        own->addresses.removeAll(asSeen);
        own->addresses.prepend(asSeen);
    }
    const auto done = asAgent({QStringLiteral("sh"), QStringLiteral("-c"), QString::fromUtf8(trustFile),
                               QStringLiteral("sh"), m_plan.agentProgram, m_plan.stateDir},
                              QJsonDocument(own->toJson()).toJson());
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    return fail(QStringLiteral("install.not-trusted"),
                QStringLiteral("%1 could not be told to trust this device.").arg(m_target.host), lastWords(*done),
                QStringLiteral("See what it says, and try again."));
}

Result<void> Installer::trustHere() {
    const auto knew = m_home.trustedName(m_device.fingerprint);
    if (!knew)
        return tl::unexpected(knew.error());
    if (!*knew)
        onUndo(InstallStep::Pair, [this] { return m_home.forget(m_device.fingerprint); });
    return m_home.trust(m_device);
}

Result<void> Installer::awaitDevice() {
    // From here on it is an installation like any other; what is left over of the work goes.
    m_record.isComplete = true;
    if (auto saved = saveRecord(); !saved)
        return saved;
    const auto tidied = script(R"(rm -rf -- "$1/root.old" "$2")", {m_plan.folder, m_temporary});
    if (!tidied)
        return tl::unexpected(tidied.error());
    return m_home.awaitDevice(m_device.fingerprint, awaitDeadline, [this] { return isCancelled(); });
}

}  // namespace hearth
