// An installation in a thread of its own, for a window or a terminal.
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>

#include "core/home/install/installer.h"

namespace hearth {

/// Where to and how. `stateDir` is the home that the device joins; its agent runs already.
struct InstallRequest {
    enum class Kind { Install, Uninstall };
    Kind kind = Kind::Install;
    SshTarget target;
    InstallOptions options;
    QString stateDir;
};

/// Lives in one thread with an event loop, where all signals arrive. After each question exactly one answer is given;
/// `finished` or `failed` comes once, also after cancel(), when everything is undone. The destructor cancels and waits
/// for that.
class InstallJob : public QObject {
    Q_OBJECT
  public:
    explicit InstallJob(InstallRequest request, QObject *parent = nullptr);
    ~InstallJob() override;

    void start();
    /// Ends it at the next opportunity and undoes what was done.
    void cancel();
    /// Of the one question that is open.
    void answer(bool yes);
    /// An empty one is none. The caller keeps no copy.
    void answer(Secret password);

  Q_SIGNALS:
    void hostKeyShown(const hearth::SshHostKey &key);
    void passwordWanted(hearth::PasswordKind kind, const QString &prompt, int attempt);
    void consentWanted(const QStringList &changes);
    void progressed(const hearth::InstallProgress &progress);
    void finished(const hearth::InstallResult &result);
    void failed(const hearth::Error &reason);

  private:
    class Worker;
    std::unique_ptr<Worker> m_worker;
};

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::SshHostKey)
Q_DECLARE_METATYPE(hearth::PasswordKind)
Q_DECLARE_METATYPE(hearth::InstallProgress)
Q_DECLARE_METATYPE(hearth::InstallResult)
