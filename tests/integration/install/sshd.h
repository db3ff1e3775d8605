// An SSH server of our own on loopback, with a user of its own, for tests. Needs root and namespaces of Linux.
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>
#include <cstdio>
#include <memory>

#include "core/install/ssh_host.h"
#include "tests/core/base/held_port.h"

namespace hearth {

/// What the test needs and this machine lacks; empty where all is there.
QString missingForSshd();

/// Its processes live in namespaces of their own and end with this object; to them /run and /tmp (but for this object's
/// folder) are empty, and /etc/passwd has one user more. Programs in `fakes` come before those of the machine in the
/// PATH of whoever logs in.
class Sshd {
  public:
    static constexpr const char *user = "guest";
    static constexpr const char *password = "open sesame";

    Sshd();
    ~Sshd();
    void start();
    /// From the next start on, all that is written to the system below /usr, /var, /etc and /root is written beside it
    /// and gone with this object: real packages can be installed. A played systemd runs the service hearth-agent.
    void allowChangesOfTheSystem();
    /// From the next start on there is a played systemd of each user, for the service hearth-agent.
    void allowServicesOfUsers();

    /// By the user's key; an empty one to be asked for a password.
    SshTarget target(bool withKey = true) const;
    SshTarget targetAsRoot() const;
    QString path(const QString &name) const { return m_folder.filePath(name); }
    QString home() const { return path(QStringLiteral("home")); }
    QString knownHosts() const { return path(QStringLiteral("ssh/known_hosts")); }
    /// A shell script that takes the place of a program there.
    void fake(const QString &program, const QByteArray &script);
    /// A package of hearth-agent with this version, made of the agent of this build and the real package's scripts.
    static QString package(const QString &version = QStringLiteral("0.1.0"));
    /// The same as a bundle.
    static QString bundle(const QString &version = QStringLiteral("0.1.0"));
    void makeNewHostKey();
    /// All that is in the home, by name, with the sizes of files.
    QStringList homeTree() const;
    /// Runs a script of sh as root in the server's namespaces.
    QByteArray inside(const QString &script) const;
    /// The same as the user who logs in.
    QByteArray insideAsUser(const QString &script) const;

    static QByteArray run(const QString &program, const QStringList &words, const QByteArray &input = {});

  private:
    QByteArray enter(const QStringList &words) const;
    void writeAccounts();
    static void writeFile(const QString &path, const QByteArray &content);
    void write(const QString &name, const QByteArray &content) const { writeFile(path(name), content); }
    QTemporaryDir m_folder;
    QString m_mode = QStringLiteral("user");
    quint16 m_port = 0;
    QProcess m_process;
};

/// For QVERIFY2; until the next call.
template <class T>
const char *why(const Result<T> &outcome) {
    static QByteArray text;
    text = outcome ? QByteArray() : outcome.error().toString().toUtf8();
    return text.constData();
}

/// All that main() of such a test does: where something is missing it says so and counts as skipped.
template <class Test>
int runOverSshd(int argc, char **argv) {
    QCoreApplication app(argc, argv);
    if (const QString missing = missingForSshd(); !missing.isEmpty()) {
        std::printf("Skipped: an SSH server of our own needs %s.\n", qPrintable(missing));
        return 77;
    }
    Test test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace hearth
