// What of hearth-agent is copied to a device: its Debian package, or its bundle, which brings all libraries along.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/base/error.h"

namespace hearth {

enum class PackageKind {
    Debian,  // hearth-agent_VERSION_ARCHITECTURE.deb
    Bundle   // hearth-agent-bundle_VERSION_ARCHITECTURE.tar.gz: runs wherever it is unpacked, with libraries of its own
};

/// Plain value: what a file says about itself.
struct AgentPackage {
    PackageKind kind = PackageKind::Debian;
    QString path;
    QString version;
    QString architecture;
    qint64 fileBytes = 0;
    qint64 installedBytes = 0;
    QByteArray sha256;                               // hexadecimal, of the file
    std::vector<QStringList> dependencies;           // each a list of alternatives, by name without version
    std::optional<std::pair<int, int>> minimumLibc;  // of its dependency on libc6
};

/// Reads a file of either kind; one that is no package of hearth-agent is "install.bad-package". Any thread.
Result<AgentPackage> readAgentPackage(const QString &path);

/// Where packages lie: beside an installed hearth (../share/hearth/packages), and in the build folder of one that is
/// not, with that of the cross build beside it.
QStringList packageFolders();
/// The newest one for this architecture in the first of these folders that has any; else "install.no-package" with what
/// there is.
Result<AgentPackage> findAgentPackage(const QStringList &folders, const QString &architecture,
                                      PackageKind kind = PackageKind::Debian);

/// What to do where a Debian package is of no use.
Sentence bundleAdvice();

/// The fields of a control file ("Package: hearth-agent", continued lines joined).
QHash<QByteArray, QByteArray> parseControl(const QByteArray &text);
std::vector<QStringList> parseDependencies(const QByteArray &field);
std::optional<std::pair<int, int>> minimumLibc(const QByteArray &dependsField);
/// As dpkg orders versions without an epoch.
bool isOlderVersion(const QString &a, const QString &b);

}  // namespace hearth
