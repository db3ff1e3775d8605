#include "core/install/package_copy.h"

#include "core/base/sentence.h"

namespace hearth {
namespace {

const QByteArray freshFolder = R"sh(set -e; umask 077
rm -rf "$1"; mkdir "$1")sh";

}  // namespace

Result<void> PackageCopy::makeFolder() {
    const QString inHome = m_plan.folder + QStringLiteral("/copy");
    const auto made = isApart() ? m_there.asPackager({QStringLiteral("mktemp"), QStringLiteral("-d"),
                                                      QStringLiteral("-p"), QStringLiteral("/tmp")})
                                : m_there.script(freshFolder, {inHome});
    if (!made)
        return tl::unexpected(made.error());
    m_folder = isApart() ? QString::fromUtf8(made->output.trimmed()) : inHome;
    if (made->status == 0 && (!isApart() || m_folder.startsWith(QLatin1String("/tmp/tmp."))))
        return {};
    return fail(QStringLiteral("install.not-copied"),
                sentence("The package could not be copied to %1.").arg(m_target.host), endOfOutput(*made),
                sentence("Make %1 writable there, or free some space.")
                    .arg(isApart() ? QStringLiteral("/tmp") : m_plan.folder));
}

QString PackageCopy::file(const AgentPackage &package) const {
    // apt goes by the ending.
    return m_folder + (package.kind == PackageKind::Bundle ? QStringLiteral("/hearth-agent-bundle.tar.gz")
                                                           : QStringLiteral("/hearth-agent.deb"));
}

Result<void> PackageCopy::upload(const AgentPackage &package, const std::function<void(qint64 bytes)> &moved) {
    const QString there = file(package);
    const auto writer =
        m_there.packageCommand({QStringLiteral("sh"), QStringLiteral("-c"),
                                QStringLiteral("set -C; umask 077; cat >\"$1\""), QStringLiteral("sh"), there});
    if (!writer)
        return tl::unexpected(writer.error());
    const auto copied = succeeded(m_there.host().upload(package.path, *writer, moved),
                                  {QStringLiteral("install.not-copied"),
                                   sentence("The package could not be copied to %1.").arg(m_target.host),
                                   {},
                                   sentence("Free some space there, in %1.").arg(m_folder)});
    if (!copied)
        return copied;
    const auto sum = m_there.asPackager({QStringLiteral("sha256sum"), there});
    if (!sum)
        return tl::unexpected(sum.error());
    if (sum->output.left(package.sha256.size()) == package.sha256)
        return {};
    return fail(QStringLiteral("install.damaged-copy"),
                sentence("The package did not arrive at %1 as it was sent.").arg(m_target.host),
                sentence("Its SHA-256 there is another. %1").arg(endOfOutput(*sum)),
                sentence("Try again; if that does not help, check the memory and the disk of the device."));
}

Result<RemoteOutput> PackageCopy::remove(const QString &folder) {
    return m_there.asPackager({QStringLiteral("rm"), QStringLiteral("-rf"), QStringLiteral("--"), folder});
}

}  // namespace hearth
