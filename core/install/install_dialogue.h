// What an installation tells while it works, and whom it asks.
#pragma once

#include <QJsonObject>
#include <optional>

#include "core/install/install_checks.h"
#include "core/install/secret.h"
#include "core/install/ssh_host.h"

namespace hearth {

enum class InstallStep { Connect, HostKey, LogIn, Inspect, Confirm, Copy, Package, Pair, Service, Await, Undo, Remove };
QString toWord(InstallStep step);   // "connect", "host-key", …: stable
QString toTitle(InstallStep step);  // for a person

/// One thing that happened. Plain value.
struct InstallProgress {
    enum class State { Started, Moving, Done, Failed };
    InstallStep step = InstallStep::Connect;
    State state = State::Started;
    Sentence text;                      // what is known more; may be empty
    double fraction = -1;               // of a step whose length is known
    std::optional<InstallCheck> check;  // one line of Inspect

    QJsonObject toJson() const;
};

enum class PasswordKind { LogIn, KeyFile, Sudo };

/// Whoever the person is asked through. Called in the installer's thread; may block, and should come back when the
/// person cancels.
class InstallDialogue {
  public:
    virtual ~InstallDialogue() = default;
    /// Of a host that was never seen before. False ends the installation.
    virtual bool acceptsHostKey(const SshHostKey &key) = 0;
    /// `attempt` counts from 1. nullopt: there is none.
    virtual std::optional<Secret> password(PasswordKind kind, const QString &prompt, int attempt) = 0;
    /// False ends it; nothing has been changed yet.
    virtual bool confirms(const QList<Sentence> &changes) = 0;
    virtual void progress(const InstallProgress &progress) = 0;
    virtual bool isCancelled() = 0;
};

}  // namespace hearth
