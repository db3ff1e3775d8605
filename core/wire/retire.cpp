#include "core/wire/retire.h"

#include <QCoreApplication>
#include <QLocalSocket>
#include <QSslSocket>
#include <QThread>
#include <QTimer>

namespace hearth {

void retire(std::unique_ptr<QIODevice> owned, std::chrono::milliseconds linger, std::function<void()> keepAlive) {
    QIODevice *device = owned.release();
    device->setParent(nullptr);
    QObject::connect(device, &QObject::destroyed, device, [keepAlive = std::move(keepAlive)] {});
    auto *socket = qobject_cast<QAbstractSocket *>(device);
    auto *tls = qobject_cast<QSslSocket *>(device);
    auto *local = qobject_cast<QLocalSocket *>(device);
    if (linger.count() == 0 || device->bytesToWrite() + (tls ? tls->encryptedBytesToWrite() : 0) == 0) {
        if (socket && linger.count() == 0)
            socket->abort();
        device->deleteLater();
        return;
    }
    // Not beyond the end of the thread or the program, whose event loop must end it.
    if (const auto *application = QCoreApplication::instance();
        application && application->thread() == device->thread())
        device->setParent(QCoreApplication::instance());
    else
        QObject::connect(device->thread(), &QThread::finished, device, &QObject::deleteLater);
    QTimer::singleShot(linger, device, &QObject::deleteLater);
    if (socket) {
        QObject::connect(socket, &QAbstractSocket::disconnected, socket, &QObject::deleteLater);
        socket->disconnectFromHost();
    } else if (local) {
        QObject::connect(local, &QLocalSocket::disconnected, local, &QObject::deleteLater);
        local->disconnectFromServer();
    } else {
        QObject::connect(device, &QIODevice::bytesWritten, device, [device] {
            if (device->bytesToWrite() == 0)
                device->deleteLater();
        });
    }
}

}  // namespace hearth
