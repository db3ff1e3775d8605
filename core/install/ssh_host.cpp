#include <sys/socket.h>
#include <QFile>
#include <QHostAddress>
#include <QRegularExpression>

#include "core/base/sentence.h"
#include "core/install/ssh_private.h"

namespace hearth {
namespace {

// A device of the home answers in milliseconds, one that wakes up in seconds.
constexpr long connectSeconds = 10;
constexpr qsizetype maximumPassphrase = 1024;
// A busy device, or one that asks another computer, may take longer for a login than for anything else.
constexpr int loginPatience = 6;  // times connectSeconds

int givePassphrase(const char *prompt, char *buffer, size_t size, int, int, void *data) {
    auto *d = static_cast<SshHost::AskPassphrase *>(data);
    const auto secret = (*d)(QString::fromUtf8(prompt));
    if (!secret || size == 0 || secret->size() >= static_cast<qsizetype>(size) || secret->size() > maximumPassphrase)
        return -1;
    std::memcpy(buffer, secret->data(), static_cast<size_t>(secret->size()) + 1);
    return 0;
}

Error badTarget(const QString &text) {
    return {QStringLiteral("install.bad-target"), sentence("\"%1\" does not say where to log in.").arg(text.left(80)),
            QString(), sentence("Write USER@HOST or USER@HOST:PORT, for instance anna@nano-1 or pi@192.168.1.7:22.")};
}

Result<SessionHandle> openSession(const SshTarget &target) {
    SessionHandle session(ssh_new());
    bool ok = session != nullptr;
    const auto set = [&](ssh_options_e option, const QString &value) {
        ok = ok && (value.isEmpty() || ssh_options_set(session.get(), option, value.toUtf8().constData()) == SSH_OK);
    };
    // What ~/.ssh/config says holds for what is not said here.
    set(SSH_OPTIONS_HOST, target.host);
    set(SSH_OPTIONS_USER, target.user);
    if (!target.sshFolder.isEmpty()) {
        set(SSH_OPTIONS_SSH_DIR, target.sshFolder);
        set(SSH_OPTIONS_KNOWNHOSTS, target.sshFolder + QStringLiteral("/known_hosts"));
    }
    const unsigned int port = target.port;
    ok = ok && (port == 0 || ssh_options_set(session.get(), SSH_OPTIONS_PORT, &port) == SSH_OK);
    const long timeout = connectSeconds;
    ok = ok && ssh_options_set(session.get(), SSH_OPTIONS_TIMEOUT, &timeout) == SSH_OK;
    if (!ok)
        return tl::unexpected(badTarget(target.toString()));
    return session;
}

}  // namespace

Error cancelledError() {
    return {QStringLiteral("install.cancelled"), sentence("The installation was cancelled."), {}, {}};
}

QString SshTarget::toString() const {
    QString text = host.contains(QLatin1Char(':')) ? QStringLiteral("[%1]").arg(host) : host;
    if (!user.isEmpty())
        text.prepend(user + QLatin1Char('@'));
    return port == 0 ? text : text + QStringLiteral(":%1").arg(port);
}

QString SshTarget::forgetHostKey() const {
    const QString name = port == 0 || port == 22 ? host : QStringLiteral("[%1]:%2").arg(host).arg(port);
    QString command = QStringLiteral("ssh-keygen -R '%1'").arg(name);
    if (!sshFolder.isEmpty())
        command += QStringLiteral(" -f '%1/known_hosts'").arg(sshFolder);
    return command;
}

Result<SshTarget> SshTarget::parse(const QString &text) {
    // Nothing that begins with a dash or holds a character of a shell: programs of other people may get to see it.
    static const QRegularExpression form(QStringLiteral(
        R"(^(?:([A-Za-z0-9_][A-Za-z0-9_.-]{0,63})@)?)"
        R"((?:\[([0-9A-Fa-f:.]+(?:%[A-Za-z0-9._-]+)?)\]|([A-Za-z0-9_][A-Za-z0-9_.-]{0,252}))(?::(\d{1,5}))?$)"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return tl::unexpected(badTarget(text));
    SshTarget target;
    target.user = match.captured(1);
    target.host = match.captured(2).isEmpty() ? match.captured(3) : match.captured(2);
    const uint port = match.captured(4).toUInt();
    if (port > 65535 || (!match.captured(4).isEmpty() && port == 0))
        return tl::unexpected(badTarget(text));
    if (!match.captured(2).isEmpty() && QHostAddress(target.host).protocol() != QAbstractSocket::IPv6Protocol)
        return tl::unexpected(badTarget(text));
    target.port = static_cast<quint16>(port);
    return target;
}

Sentence SshHost::Private::lastError() const {
    const QString text = QString::fromUtf8(ssh_get_error(session.get())).trimmed();
    return text.isEmpty() ? sentence("Nothing more is known.")
                          : Sentence(text + (text.endsWith(QLatin1Char('.')) ? QString() : QStringLiteral(".")));
}

int SshHost::Private::login(const std::function<int()> &attempt) const {
    int outcome = attempt();
    // Goes on where it was.
    for (int again = 1; outcome == SSH_AUTH_AGAIN && again < loginPatience && !isCancelled(); ++again)
        outcome = attempt();
    return outcome;
}

Result<bool> SshHost::Private::judge(int outcome) const {
    if (isCancelled())
        return tl::unexpected(cancelledError());
    if (outcome == SSH_AUTH_AGAIN) {
        return fail(QStringLiteral("ssh.too-slow"), sentence("%1 did not answer to the login.").arg(target.host),
                    sentence("It took more than %1 s.").arg(loginPatience * connectSeconds),
                    sentence("Look whether it is busy, then try again."));
    }
    if (outcome == SSH_AUTH_ERROR && ssh_is_connected(session.get()) != 1)
        return tl::unexpected(lost(QStringLiteral("during the login")));
    return outcome == SSH_AUTH_SUCCESS;
}

Error SshHost::Private::lost(const QString &doing) const {
    return {QStringLiteral("ssh.lost"), sentence("The connection to %1 broke off %2.").arg(target.host, doing),
            lastError(), sentence("Check that the device is on and in the network, then try again.")};
}

SshHost::SshHost(std::unique_ptr<Private> data) : d(std::move(data)) {}

SshHost::~SshHost() {
    ssh_disconnect(d->session.get());
}

Result<std::unique_ptr<SshHost>> SshHost::connect(const SshTarget &target, std::function<bool()> isCancelled) {
    auto session = openSession(target);
    if (!session)
        return tl::unexpected(session.error());
    auto data = std::make_unique<Private>();
    data->target = target;
    data->isCancelled = std::move(isCancelled);
    data->session = std::move(*session);
    if (ssh_connect(data->session.get()) != SSH_OK) {
        return fail(QStringLiteral("ssh.unreachable"), sentence("%1 cannot be reached by SSH.").arg(target.toString()),
                    data->lastError(),
                    sentence("Check the name, that the device is on and in the network, and that an SSH server runs "
                             "there (Debian: apt-get install openssh-server)."));
    }
    ssh_callbacks_init(&data->callbacks);
    data->callbacks.userdata = &data->askPassphrase;
    data->callbacks.auth_function = givePassphrase;
    ssh_set_callbacks(data->session.get(), &data->callbacks);
    return std::unique_ptr<SshHost>(new SshHost(std::move(data)));
}

bool SshHost::isConnected() const {
    return ssh_is_connected(d->session.get()) == 1;
}

QString SshHost::peerAddress() const {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    const int socket = ssh_get_fd(d->session.get());
    if (::getpeername(socket, reinterpret_cast<sockaddr *>(&address), &size) != 0 ||
        (address.ss_family != AF_INET && address.ss_family != AF_INET6))
        return d->target.host;
    return QHostAddress(reinterpret_cast<const sockaddr *>(&address)).toString();
}

Result<SshHostKey> SshHost::hostKey() const {
    ssh_key raw = nullptr;
    if (ssh_get_server_publickey(d->session.get(), &raw) != SSH_OK)
        return tl::unexpected(d->lost(QStringLiteral("before it showed its key")));
    const KeyHandle key(raw);
    unsigned char *hash = nullptr;
    size_t size = 0;
    if (ssh_get_publickey_hash(key.get(), SSH_PUBLICKEY_HASH_SHA256, &hash, &size) != SSH_OK)
        return tl::unexpected(d->lost(QStringLiteral("before it showed its key")));
    SshHostKey shown;
    if (char *text = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, size)) {
        shown.fingerprint = QString::fromLatin1(text);
        ssh_string_free_char(text);
    }
    ssh_clean_pubkey_hash(&hash);
    shown.kind = QString::fromLatin1(ssh_key_type_to_char(ssh_key_type(key.get())));
    switch (ssh_session_is_known_server(d->session.get())) {
        case SSH_KNOWN_HOSTS_OK:
            shown.state = SshHostKey::State::Known;
            return shown;
        case SSH_KNOWN_HOSTS_CHANGED:
        case SSH_KNOWN_HOSTS_OTHER:
            shown.state = SshHostKey::State::Changed;
            return shown;
        case SSH_KNOWN_HOSTS_UNKNOWN:
        case SSH_KNOWN_HOSTS_NOT_FOUND:
            return shown;
        case SSH_KNOWN_HOSTS_ERROR:
            break;
    }
    return fail(QStringLiteral("ssh.known-hosts"), sentence("The list of known hosts cannot be read."), d->lastError(),
                sentence("Look at ~/.ssh/known_hosts."));
}

Result<void> SshHost::rememberHostKey() {
    if (ssh_session_update_known_hosts(d->session.get()) == SSH_OK)
        return {};
    return fail(QStringLiteral("ssh.known-hosts"), sentence("The host key cannot be remembered."), d->lastError(),
                sentence("Make ~/.ssh/known_hosts writable, or free some space."));
}

Result<bool> SshHost::authenticateByKeys(const AskPassphrase &ask) {
    const auto session = d->session.get();
    // Asks for the methods that there are; some devices let everybody in.
    const int none = d->login([&] { return ssh_userauth_none(session, nullptr); });
    const auto isIn = d->judge(none);
    if (!isIn || *isIn)
        return isIn;
    if (none == SSH_AUTH_ERROR)
        return tl::unexpected(d->lost(QStringLiteral("during the login")));
    if ((ssh_userauth_list(session, nullptr) & SSH_AUTH_METHOD_PUBLICKEY) == 0)
        return false;
    d->gaveUp = false;
    d->askPassphrase = [this, &ask](const QString &prompt) {
        auto answer = ask(prompt);
        d->gaveUp = d->gaveUp || !answer;
        return answer;
    };
    int outcome = SSH_AUTH_DENIED;
    if (d->target.keyFile.isEmpty()) {
        outcome = d->login([&] { return ssh_userauth_publickey_auto(session, nullptr, nullptr); });
    } else {
        ssh_key raw = nullptr;
        const QByteArray path = QFile::encodeName(d->target.keyFile);
        const int read =
            ssh_pki_import_privkey_file(path.constData(), nullptr, givePassphrase, &d->askPassphrase, &raw);
        const KeyHandle key(raw);
        if (read != SSH_OK && !d->gaveUp) {
            return fail(QStringLiteral("ssh.bad-key"), sentence("The key %1 cannot be used.").arg(d->target.keyFile),
                        read == SSH_EOF ? sentence("There is no such file, or it may not be read.")
                                        : sentence("It is no private key, or the passphrase is wrong."),
                        sentence("Give the private key's file with --key, not the one that ends in .pub."));
        }
        if (read == SSH_OK)
            outcome = d->login([&] { return ssh_userauth_publickey(session, nullptr, key.get()); });
    }
    d->askPassphrase = {};
    return d->judge(outcome);
}

bool SshHost::takesPassword() const {
    return (ssh_userauth_list(d->session.get(), nullptr) & (SSH_AUTH_METHOD_PASSWORD | SSH_AUTH_METHOD_INTERACTIVE)) !=
           0;
}

Result<bool> SshHost::authenticateByPassword(const Secret &password) {
    const auto session = d->session.get();
    int outcome = SSH_AUTH_DENIED;
    if ((ssh_userauth_list(session, nullptr) & SSH_AUTH_METHOD_PASSWORD) != 0)
        outcome = d->login([&] { return ssh_userauth_password(session, nullptr, password.data()); });
    if (outcome == SSH_AUTH_DENIED && (ssh_userauth_list(session, nullptr) & SSH_AUTH_METHOD_INTERACTIVE) != 0) {
        const auto interact = [&] { return ssh_userauth_kbdint(session, nullptr, nullptr); };
        outcome = d->login(interact);
        // A device may ask several times, also nothing; only what is not shown while typing is a password.
        for (int turn = 0; outcome == SSH_AUTH_INFO && turn < 4; ++turn) {
            const int prompts = ssh_userauth_kbdint_getnprompts(session);
            for (int i = 0; i < prompts; ++i) {
                char isEchoed = 0;
                ssh_userauth_kbdint_getprompt(session, static_cast<unsigned>(i), &isEchoed);
                ssh_userauth_kbdint_setanswer(session, static_cast<unsigned>(i), isEchoed ? "" : password.data());
            }
            outcome = d->login(interact);
        }
    }
    return d->judge(outcome);
}

}  // namespace hearth
