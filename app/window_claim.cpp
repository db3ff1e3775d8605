#include "app/window_claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <QFile>
#include <QLocalSocket>

namespace hearth {

namespace {

constexpr qint64 longestToken = 4096;
const QString socketFile = QStringLiteral("window.sock");

/// Two programs that start at once take turns. They hold the lock until one of them listens, which is soon.
OwnedFd lockTurn(const QString &stateDir) {
    const QByteArray path = QFile::encodeName(stateDir + QStringLiteral("/window.lock"));
    OwnedFd fd(::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (fd.get() >= 0)
        ::flock(fd.get(), LOCK_EX);
    return fd;
}

}  // namespace

WindowClaim::WindowClaim(const QString &stateDir, std::chrono::milliseconds within, QObject *parent)
    : QObject(parent), m_stateDir(stateDir), m_patience(within) {
    connect(&m_listener, &LocalListener::connected, this, &WindowClaim::answer);
}

bool WindowClaim::take() {
    const auto folder = openStateDir(m_stateDir);
    const auto name =
        folder ? LocalSocketName::of(*folder, socketFile) : Result<LocalSocketName>(tl::unexpected(folder.error()));
    if (!name)
        return true;
    OwnedFd turn = lockTurn(*folder);
    QLocalSocket socket;
    // A local socket connects or fails at once.
    socket.connectToServer(name->path());
    if (!socket.waitForConnected(static_cast<int>(m_patience.count()))) {
        // What lies there is nobody's.
        (void)m_listener.listen(*folder, socketFile, SocketAccess::User);
        return true;
    }
    turn = OwnedFd();
    socket.write(qgetenv("XDG_ACTIVATION_TOKEN").left(longestToken - 1) + '\n');
    return !socket.waitForReadyRead(static_cast<int>(m_patience.count()));
}

void WindowClaim::answer(QLocalSocket *socket) {
    socket->setParent(this);
    socket->setReadBufferSize(longestToken);
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    const auto read = [this, socket] {
        if (!socket->canReadLine())
            return;
        Q_EMIT windowWanted(socket->readLine(longestToken).trimmed());
        socket->write("shown\n");
        socket->disconnectFromServer();
    };
    connect(socket, &QLocalSocket::readyRead, this, read);
    read();
}

}  // namespace hearth
