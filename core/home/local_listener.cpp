#include "core/home/local_listener.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <QFile>
#include <QLoggingCategory>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "core/base/sentence.h"
#include "core/base/system_reason.h"
#include "core/wire/tls_listener.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(localLog, "hearth.home.local")

/// Connections that the kernel keeps meanwhile.
constexpr int backlog = 50;

/// 0, or the number of the error. Nobody gets in before the mode is set, for there is nobody who listens.
int listenAt(int socket, const QByteArray &path, mode_t mode) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    if (static_cast<std::size_t>(path.size()) >= sizeof name.sun_path)
        return ENAMETOOLONG;
    std::memcpy(name.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
    const bool listens = ::bind(socket, reinterpret_cast<const sockaddr *>(&name), sizeof name) == 0 &&
                         ::chmod(path.constData(), mode) == 0 && ::listen(socket, backlog) == 0;
    return listens ? 0 : errno;
}

}  // namespace

LocalListener::LocalListener(QObject *parent) : QObject(parent) {
    m_acceptAgain.setSingleShot(true);
    connect(&m_acceptAgain, &QTimer::timeout, this, [this] { m_notifier->setEnabled(true); });
}

LocalListener::~LocalListener() {
    close();
}

Result<void> LocalListener::listen(const QString &stateDir, const QString &file, SocketAccess access) {
    auto name = LocalSocketName::of(stateDir, file);
    if (!name)
        return tl::unexpected(name.error());
    close();
    const QByteArray path = QFile::encodeName(name->path());
    ::unlink(path.constData());
    OwnedFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int error =
        socket.get() < 0 ? errno : listenAt(socket.get(), path, access == SocketAccess::Group ? 0660 : 0600);
    if (error != 0) {
        return fail(QStringLiteral("agent.no-socket"),
                    sentence("The local socket in %1 could not be made.").arg(stateDir), systemReason(error),
                    sentence("Choose another folder with --state."));
    }
    m_name = std::move(*name);
    m_socket = std::move(socket);
    m_notifier = new QSocketNotifier(m_socket.get(), QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &LocalListener::accept);
    return {};
}

void LocalListener::close() {
    if (!m_name)
        return;
    m_acceptAgain.stop();
    m_notifier->setEnabled(false);
    m_notifier->deleteLater();  // we may be inside its signal
    ::unlink(QFile::encodeName(m_name->path()).constData());
    m_name.reset();
    m_socket = OwnedFd();
}

void LocalListener::accept() {
    const int descriptor = ::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    const int error = errno;
    if (descriptor >= 0) {
        auto socket = std::make_unique<QLocalSocket>();
        if (socket->setSocketDescriptor(descriptor))
            Q_EMIT connected(socket.release());
        else
            ::close(descriptor);
    } else if (error != EAGAIN && error != EINTR && error != ECONNABORTED) {
        if (m_pace.take())
            qCWarning(localLog, "No connection can be taken now: %s", qUtf8Printable(systemReason(error)));
        m_notifier->setEnabled(false);
        m_acceptAgain.start(TlsListener::acceptPause);
    }
}

}  // namespace hearth
