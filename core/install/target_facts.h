// What one look at a computer tells about it.
#pragma once

#include <QByteArray>
#include <QSet>
#include <QString>
#include <QStringList>
#include <optional>

#include "core/base/error.h"

namespace hearth {

enum class SudoState { None, NeedsPassword, Free };

/// Plain value. What could not be found out is empty, zero or nullopt.
struct TargetFacts {
    int userId = -1;
    QString userName;
    QString home;
    QString system;                           // "Linux", as uname -s says
    QString machine;                          // "x86_64", as uname -m says
    QString architecture;                     // Debian's name: "amd64", "arm64"
    QString osName;                           // "Debian GNU/Linux 12 (bookworm)"
    QString osId;                             // "debian"
    QString osVersion;                        // "12"
    std::optional<std::pair<int, int>> libc;  // of glibc
    qint64 memoryBytes = 0;
    qint64 homeFreeBytes = -1;
    qint64 systemFreeBytes = -1;     // where /usr is
    qint64 temporaryFreeBytes = -1;  // where /tmp is, which may be memory
    bool homeIsWritable = false;
    bool systemdRuns = false;
    bool userManagerRuns = false;  // systemctl --user answers
    bool hasApt = false;
    bool hasDpkg = false;
    bool hasTar = false;  // with gzip
    SudoState sudo = SudoState::None;
    std::optional<qint64> clock;  // seconds since 1970, there
    QString installedVersion;     // of the package hearth-agent
    QByteArray record;            // of an earlier installation by us
    bool hasIdentity = false;     // the agent's state folder has a key already
    QString loginShell;           // "/bin/bash"
    // Of a service hearth-agent of the system, and of one of this user.
    bool systemServiceEnabled = false, systemServiceActive = false;
    bool userServiceEnabled = false, userServiceActive = false;
    QStringList runningAgents;     // state folders, of those where installations keep theirs
    QSet<quint16> listeningPorts;  // TCP, of any program

    bool isRoot() const { return userId == 0; }
};

/// The script for `sh` that looks; it changes nothing and needs no rights.
QByteArray probeScript();

/// Reads what the script printed. It was written by another computer: bounded, and whatever is not understood is left
/// out. An error only where it is no answer of the script at all ("install.no-answer").
Result<TargetFacts> parseFacts(const QByteArray &answer);

/// What Hearth's packages are made for; a 64-bit Raspberry Pi OS calls itself so, too.
bool isDebian12(const TargetFacts &facts);

/// The parts of it, for anybody's text: bad input gives the "not known" of TargetFacts.
QString osReleaseValue(const QByteArray &text, const QByteArray &key);
qint64 memoryTotal(const QByteArray &meminfo);
qint64 freeBytes(const QByteArray &df);
std::optional<std::pair<int, int>> libcVersion(const QByteArray &text);
QSet<quint16> listeningPorts(const QByteArray &procNetTcp);
/// Debian's name of the architecture that `uname -m` calls so; empty where there is none.
QString debianArchitecture(const QString &machine);

}  // namespace hearth
