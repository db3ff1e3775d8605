// An installation over a real SSH connection with all that it asks, for tests.
#pragma once

#include "fakes.h"
#include "sshd.h"
#include "tests/core/base/patience.h"

namespace hearth {

struct Attempt {
    explicit Attempt(quint16 port, const QString &name = {}, const QString &version = QStringLiteral("0.1.0")) {
        options.packagePath = Sshd::package(version);
        options.agentPort = port;
        options.deviceName = name;
    }
    Result<InstallResult> install(const SshTarget &target) {
        return Installer(target, options, home, person).install();
    }
    Result<InstallResult> uninstall(const SshTarget &target) {
        return Installer(target, options, home, person).uninstall();
    }

    FakePerson person;
    FakeHome home;
    InstallOptions options;
};

/// Milliseconds; of a loaded machine.

inline bool isListening(quint16 port) {
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, port);
    return socket.waitForConnected(1000);
}

/// ~/.local and ~/.local/share may come into being on the way; empty folders are nothing that anybody misses.
inline QStringList withoutFolders(QStringList tree) {
    tree.removeIf([](const QString &each) { return each.endsWith(QLatin1String(" -1")); });
    return tree;
}

}  // namespace hearth
