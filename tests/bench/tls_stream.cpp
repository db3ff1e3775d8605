// The rate of a mutual-TLS tensor stream between two processes, beside plain TCP and `socat OPENSSL` in the same run,
// and the bytes on the socket over the raw bytes. Usage: tls_stream [MEGABYTES]
#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSslCipher>
#include <QSslKey>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>
#include <cstdio>
#include <cstring>
#include <functional>

#include "core/base/heap.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_dial.h"
#include "core/wire/tls_listener.h"

using namespace hearth;

namespace {

const QHostAddress localhost(QHostAddress::LocalHost);

TensorHeader headerFor(qint64 bytes) {
    TensorHeader header;
    header.dtype = DType::UInt8;
    header.dims = {static_cast<quint32>(bytes)};
    return header;
}

/// The sending process: streams `total` bytes in tensors of `size` and prints "SECONDS SENT_BYTES" when the receiver
/// has said that it has them all.
class Sender : public QObject {
  public:
    Sender(std::unique_ptr<Channel> channel, qint64 total, qint64 size)
        : m_channel(std::move(channel)), m_left(total / size), m_size(size), m_payload(Buffer::allocate(size)) {
        std::memset(m_payload->data(), 0x5a, static_cast<std::size_t>(size));
        m_before = m_channel->bytesSent();
        m_clock.start();
        connect(m_channel.get(), &Channel::windowOpened, this, &Sender::fill);
        connect(m_channel.get(), &Channel::controlReceived, this, [this] {
            std::printf("%.6f %llu\n", double(m_clock.nsecsElapsed()) / 1e9,
                        static_cast<unsigned long long>(m_channel->bytesSent() - m_before));
            QCoreApplication::exit(0);
        });
        connect(m_channel.get(), &Channel::closed, this, [](const Error &error) {
            std::fprintf(stderr, "%s\n", qPrintable(error.toString()));
            QCoreApplication::exit(1);
        });
        fill();
    }

  private:
    void fill() {
        while (m_left > 0 && m_channel->queuedBytes() < Channel::highMark) {
            m_channel->sendTensor(headerFor(m_size), Payload::of(m_payload));
            --m_left;
        }
    }
    std::unique_ptr<Channel> m_channel;
    qint64 m_left;
    qint64 m_size;
    std::shared_ptr<Buffer> m_payload;
    quint64 m_before = 0;
    QElapsedTimer m_clock;
};

int send(const QString &mode, const QString &folder, quint16 port, const QString &peer, qint64 total, qint64 size) {
    std::unique_ptr<Sender> sender;
    QObject context;
    if (mode == QLatin1String("tls")) {
        const auto identity = Identity::loadOrCreate(folder);
        dialTls(*identity, localhost.toString(), port, *Fingerprint::fromHex(peer), defaultDialDeadline, &context,
                [&](Result<std::unique_ptr<Channel>> channel) {
                    if (!channel) {
                        std::fprintf(stderr, "%s\n", qPrintable(channel.error().toString()));
                        QCoreApplication::exit(1);
                        return;
                    }
                    sender = std::make_unique<Sender>(std::move(*channel), total, size);
                });
        return QCoreApplication::exec();
    }
    auto socket = std::make_unique<QTcpSocket>();
    socket->connectToHost(localhost, port);
    if (!socket->waitForConnected())
        return 1;
    sender = std::make_unique<Sender>(std::make_unique<StreamChannel>(std::move(socket)), total, size);
    return QCoreApplication::exec();
}

struct Measurement {
    double seconds = 0;
    double overhead = 0;
};

/// Receives here what a child process of this program sends over `mode` ("tls" or "tcp").
Measurement measureChannel(const QString &mode, qint64 total, qint64 size) {
    QTemporaryDir folder;
    const Identity self = *Identity::generate(QStringLiteral("receiver"));
    const Identity other = *Identity::loadOrCreate(folder.path());
    std::unique_ptr<Channel> channel;
    const qint64 expected = total / size * size;
    qint64 received = 0;
    const auto use = [&](Channel *fresh) {
        channel.reset(fresh);
        QObject::connect(fresh, &Channel::tensorReceived, fresh,
                         [&received, expected, fresh](const TensorFrame &frame) {
                             received += frame.payload->size();
                             if (received == expected)
                                 fresh->sendControl({{QStringLiteral("done"), true}});
                         });
    };
    TlsListener listener(self, [&other](const Fingerprint &who) { return who == other.fingerprint(); });
    QObject::connect(&listener, &TlsListener::channelReady, &listener, use);
    QTcpServer plain;
    QObject::connect(&plain, &QTcpServer::newConnection, &plain, [&] {
        auto *socket = plain.nextPendingConnection();
        socket->setParent(nullptr);
        use(new StreamChannel(std::unique_ptr<QIODevice>(socket)));
    });
    plain.listen(localhost);
    const quint16 port = mode == QLatin1String("tls") ? *listener.listen(localhost, 0, 0) : plain.serverPort();
    QProcess child;
    child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QObject::connect(&child, &QProcess::finished, &child, [] { QCoreApplication::exit(); });
    child.start(QCoreApplication::applicationFilePath(),
                {QStringLiteral("--send"), mode, folder.path(), QString::number(port), self.fingerprint().toHex(),
                 QString::number(total), QString::number(size)});
    QCoreApplication::exec();
    const QList<QByteArray> words = child.readAllStandardOutput().simplified().split(' ');
    if (words.size() != 2)
        return {};
    return {words[0].toDouble(), words[1].toDouble() / double(expected)};
}

/// Two `socat` processes with mutual TLS 1.3: zeros in, and away.
double measureSocat(qint64 total, qint64 size) {
    const QString socat = QStandardPaths::findExecutable(QStringLiteral("socat"));
    if (socat.isEmpty())
        return 0;
    QTemporaryDir folder;
    for (const char *end : {"a", "b"}) {
        const Identity identity = *Identity::generate(QLatin1String(end));
        QFile file(folder.filePath(QLatin1String(end)));
        if (!file.open(QIODevice::WriteOnly))
            return 0;
        file.write(identity.key().toPem() + identity.certificate().toPem());
    }
    QTcpServer free;  // a port that was free a moment ago
    free.listen(localhost);
    const quint16 port = free.serverPort();
    free.close();
    const QString tls = QStringLiteral("cert=%1,cafile=%2,verify=1,openssl-min-proto-version=TLS1.3");
    const auto path = [&folder](const char *end) { return folder.filePath(QLatin1String(end)); };
    const QString blocks = QString::number(size);
    QProcess receiver;
    receiver.start(
        socat, {QStringLiteral("-u"), QStringLiteral("-b"), blocks,
                QStringLiteral("OPENSSL-LISTEN:%1,bind=127.0.0.1,reuseaddr,").arg(port) + tls.arg(path("a"), path("b")),
                QStringLiteral("OPEN:/dev/null,wronly")});
    receiver.waitForStarted();
    QElapsedTimer clock;
    QProcess sender;
    clock.start();
    sender.start(socat, {QStringLiteral("-u"), QStringLiteral("-b"), blocks,
                         QStringLiteral("OPEN:/dev/zero,readbytes=%1").arg(total),
                         QStringLiteral("OPENSSL:127.0.0.1:%1,retry=50,interval=0.02,commonname=a,").arg(port) +
                             tls.arg(path("b"), path("a"))});
    sender.waitForFinished(-1);
    receiver.waitForFinished(10000);
    const double seconds = double(clock.nsecsElapsed()) / 1e9;
    if (sender.exitCode() != 0 || receiver.exitCode() != 0) {
        std::fprintf(stderr, "socat: %s%s\n", sender.readAllStandardError().constData(),
                     receiver.readAllStandardError().constData());
        return 0;
    }
    return seconds;
}

}  // namespace

int main(int argc, char **argv) {
    keepFreedMemory();  // as workers do
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 8 && arguments[1] == QLatin1String("--send")) {
        return send(arguments[2], arguments[3], static_cast<quint16>(arguments[4].toUInt()), arguments[5],
                    arguments[6].toLongLong(), arguments[7].toLongLong());
    }
    const qint64 total = (arguments.size() > 1 ? arguments[1].toLongLong() : 1000) * 1000 * 1000;
    QTextStream out(stdout);
    out << "Rates in MB/s of payload, between two processes over loopback; best of three.\n"
        << "tensor bytes |   TLS | plain TCP | socat OPENSSL | TLS/TCP | TLS/socat | socket bytes over raw bytes\n";
    bool good = true;
    for (const qint64 size : {qint64(64) << 10, qint64(1) << 20, qint64(16) << 20}) {
        Measurement tls;
        Measurement tcp;
        double socat = 0;
        for (int repeat = 0; repeat < 3; ++repeat) {
            const auto better = [](double before, double now) { return now > 0 && (before <= 0 || now < before); };
            if (const auto now = measureChannel(QStringLiteral("tls"), total, size); better(tls.seconds, now.seconds))
                tls = now;
            if (const auto now = measureChannel(QStringLiteral("tcp"), total, size); better(tcp.seconds, now.seconds))
                tcp = now;
            if (const double now = measureSocat(total, std::min<qint64>(size, 1 << 20)); better(socat, now))
                socat = now;
        }
        const auto rate = [total](double seconds) { return seconds > 0 ? double(total) / seconds / 1e6 : 0; };
        const auto ratio = [](double over, double under) { return over > 0 && under > 0 ? under / over : 0; };
        out << QString::asprintf("%12lld | %5.0f | %9.0f | %13.0f | %7.2f | %9.2f | %.5f\n",
                                 static_cast<long long>(size), rate(tls.seconds), rate(tcp.seconds), rate(socat),
                                 ratio(tls.seconds, tcp.seconds), ratio(tls.seconds, socat), tls.overhead);
        out.flush();
        good = good && tls.overhead > 1 && tls.overhead <= 1.02;
    }
    out << (good ? "socket bytes: within 1.02 of the raw bytes\n" : "socket bytes: MORE than 1.02 of the raw bytes\n");
    return good ? 0 : 1;
}
