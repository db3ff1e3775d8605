// A computer reached by SSH, through libssh.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/install/remote_host.h"

namespace hearth {

/// Where to log in. Plain value.
struct SshTarget {
    QString user;  // empty: as ~/.ssh/config or this computer's user
    QString host;
    quint16 port = 0;   // 0: as ~/.ssh/config says, else 22
    QString keyFile;    // empty: the agent's keys and those in ~/.ssh
    QString sshFolder;  // empty: ~/.ssh; holds config, keys and known_hosts

    QString toString() const;  // "anna@nano-1:2222"
    /// The command for a person to forget the host key that is known of it.
    QString forgetHostKey() const;
    /// USER@HOST, HOST, and both with :PORT; IPv6 in brackets. Strict: "install.bad-target".
    static Result<SshTarget> parse(const QString &text);
};

struct SshHostKey {
    enum class State { Known, Unknown, Changed };
    State state = State::Unknown;
    QString kind;         // "ssh-ed25519"
    QString fingerprint;  // "SHA256:…", as ssh-keygen -l prints it
};

/// One connection. One thread, blocking; ends with this object. `isCancelled` is asked several times a second while a
/// call waits (a connection being made excepted, which takes 10 s at most) and makes it fail with "install.cancelled".
class SshHost : public RemoteHost {
  public:
    /// nullopt: the person gives up. Called for a key file that is locked, and for nothing else.
    using AskPassphrase = std::function<std::optional<Secret>(const QString &prompt)>;

    static Result<std::unique_ptr<SshHost>> connect(const SshTarget &target, std::function<bool()> isCancelled);
    ~SshHost() override;

    Result<SshHostKey> hostKey() const;
    /// Adds it to the known hosts of this computer's user.
    Result<void> rememberHostKey();

    /// Keys of the agent and of files. False: the device accepts none of them.
    Result<bool> authenticateByKeys(const AskPassphrase &ask);
    /// Whether a password could be of use at all.
    bool takesPassword() const;
    Result<bool> authenticateByPassword(const Secret &password);

    Result<RemoteOutput> run(const RemoteCommand &command, const QByteArray &input = {},
                             std::chrono::milliseconds deadline = usualDeadline) override;
    Result<RemoteOutput> upload(const QString &localPath, const RemoteCommand &command,
                                const std::function<void(qint64)> &progress) override;
    bool isConnected() const;
    /// The address at the other end of the connection; what was asked for where a proxy is in between.
    QString peerAddress() const;

  private:
    struct Private;
    /// `more` gives at most so many bytes of the input, none at its end.
    Result<RemoteOutput> exchange(const RemoteCommand &command, const std::function<QByteArray(qsizetype)> &more,
                                  const std::function<bool()> &isTooLate);
    explicit SshHost(std::unique_ptr<Private> data);
    std::unique_ptr<Private> d;
};

/// The error of whatever a person gave up.
Error cancelledError();

}  // namespace hearth
