// An installation as a window or a terminal sees it: questions, progress, an end. A seam for tests.
#pragma once

#include <QObject>
#include <QStringList>

#include "core/install/installer.h"

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
/// `finished` or `failed` comes once, also after cancel(), when everything is undone.
class Installation : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    virtual void start() = 0;
    /// Ends it at the next opportunity and undoes what was done.
    virtual void cancel() = 0;
    /// Of the one question that is open.
    virtual void answer(bool yes) = 0;
    /// An empty one is none. The caller keeps no copy.
    virtual void answer(Secret password) = 0;

  Q_SIGNALS:
    void hostKeyShown(const hearth::SshHostKey &key);
    void passwordWanted(hearth::PasswordKind kind, const QString &prompt, int attempt);
    void consentWanted(const QList<hearth::Sentence> &changes);
    void progressed(const hearth::InstallProgress &progress);
    void finished(const hearth::InstallResult &result);
    void failed(const hearth::Error &reason);
};

}  // namespace hearth

Q_DECLARE_METATYPE(hearth::SshHostKey)
Q_DECLARE_METATYPE(hearth::PasswordKind)
Q_DECLARE_METATYPE(hearth::InstallProgress)
Q_DECLARE_METATYPE(hearth::InstallResult)
