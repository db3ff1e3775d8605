#include "core/discovery/probes.h"

#include <QFile>
#include <QNetworkInterface>
#include <QNetworkProxy>
#include <QProcess>
#include <QProcessEnvironment>
#include <QSet>
#include <QStandardPaths>
#include <QTcpSocket>
#include <QTimer>
#include <QUdpSocket>
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace hearth {
namespace {

constexpr qsizetype longestOutput = 1 << 20;
constexpr quint16 mdnsPort = 5353;
constexpr quint16 questionId = 0x4854;
constexpr int questions = 3;
constexpr qsizetype dnsHeader = 12;
constexpr qsizetype maximumAnswerers = 256;

/// "_services._dns-sd._udp.local", type PTR, class IN; with this id, by which answers are known.
QByteArray question(quint16 id) {
    QByteArray packet;
    packet += static_cast<char>(id >> 8);
    packet += static_cast<char>(id & 0xff);
    packet += QByteArray::fromHex("00000001000000000000");
    for (const char *label : {"_services", "_dns-sd", "_udp", "local"}) {
        packet += static_cast<char>(qstrlen(label));
        packet += label;
    }
    packet += QByteArray::fromHex("00000c0001");
    return packet;
}

bool isAnswer(const QByteArray &packet, quint16 id) {
    return packet.size() >= dnsHeader && static_cast<quint8>(packet[0]) == id >> 8 &&
           static_cast<quint8>(packet[1]) == (id & 0xff) && (static_cast<quint8>(packet[2]) & 0x80) != 0;
}

bool isTunnelName(const QString &name) {
    static const std::array prefixes{"tun", "wg", "ppp", "tailscale", "zt", "nordlynx", "proton", "ipsec"};
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const char *prefix) { return name.startsWith(QLatin1String(prefix)); });
}

Reach reachOf(QAbstractSocket::SocketError error) {
    switch (error) {
        case QAbstractSocket::ConnectionRefusedError:
            return Reach::Refused;
        case QAbstractSocket::NetworkError:
            return Reach::NoRoute;
        case QAbstractSocket::SocketTimeoutError:
            return Reach::Silent;
        default:
            return Reach::Failed;
    }
}

}  // namespace

void probeTcp(const QString &host, quint16 port, std::chrono::milliseconds deadline, QObject *context,
              std::function<void(Reach)> answer) {
    auto *socket = new QTcpSocket(context);
    socket->setProxy(QNetworkProxy::NoProxy);
    const auto finish = [socket, answer, isOver = std::make_shared<bool>(false)](Reach reach) {
        if (std::exchange(*isOver, true))
            return;
        socket->disconnect();
        socket->abort();
        socket->deleteLater();
        answer(reach);
    };
    QObject::connect(
        socket, &QTcpSocket::connected, socket, [finish] { finish(Reach::Connected); }, Qt::QueuedConnection);
    QObject::connect(
        socket, &QTcpSocket::errorOccurred, socket, [socket, finish] { finish(reachOf(socket->error())); },
        Qt::QueuedConnection);
    QTimer::singleShot(deadline, socket, [finish] { finish(Reach::Silent); });
    socket->connectToHost(host, port);
}

void runTool(const QString &program, const QStringList &arguments, std::chrono::milliseconds deadline, QObject *context,
             std::function<void(ToolOutput)> answer) {
    QString path = QStandardPaths::findExecutable(program);
    if (path.isEmpty()) {
        path = QStandardPaths::findExecutable(
            program, {QStringLiteral("/usr/sbin"), QStringLiteral("/sbin"), QStringLiteral("/usr/local/sbin")});
    }
    if (path.isEmpty()) {
        QTimer::singleShot(0, context, [answer] { answer({}); });
        return;
    }
    auto *process = new QProcess(context);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));  // its words are read here
    process->setProcessEnvironment(environment);
    process->setStandardInputFile(QProcess::nullDevice());
    process->setProcessChannelMode(QProcess::MergedChannels);
    auto text = std::make_shared<QByteArray>();
    const auto take = [process, text] {
        *text += process->readAllStandardOutput();
        text->truncate(longestOutput);
    };
    const auto finish = [process, text, take, answer, isOver = std::make_shared<bool>(false)](bool ran) {
        if (std::exchange(*isOver, true))
            return;
        process->disconnect();
        if (ran)
            take();
        ToolOutput output;
        output.exists = true;
        output.ran = ran;
        output.status = ran ? process->exitCode() : -1;
        output.text = QString::fromUtf8(*text);
        process->kill();
        process->deleteLater();
        answer(output);
    };
    QObject::connect(process, &QProcess::readyReadStandardOutput, process, take);
    QObject::connect(process, &QProcess::finished, process,
                     [finish](int, QProcess::ExitStatus status) { finish(status == QProcess::NormalExit); });
    QObject::connect(
        process, &QProcess::errorOccurred, process,
        [finish](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                finish(false);
        },
        Qt::QueuedConnection);
    QTimer::singleShot(deadline, process, [finish] { finish(false); });
    process->start(path, arguments);
}

void probeMulticast(std::chrono::milliseconds wait, QObject *context, std::function<void(EchoFacts)> answer) {
    struct Probe {
        EchoFacts facts;
        QSet<QHostAddress> others;
    };
    auto *socket = new QUdpSocket(context);
    auto probe = std::make_shared<Probe>();
    const auto ask = [socket, probe] {
        const QHostAddress everybody(QStringLiteral("224.0.0.251"));
        for (const QNetworkInterface &interface : QNetworkInterface::allInterfaces()) {
            const auto flags = interface.flags();
            if (!flags.testFlag(QNetworkInterface::IsRunning) || !flags.testFlag(QNetworkInterface::CanMulticast) ||
                flags.testFlag(QNetworkInterface::IsLoopBack) || flags.testFlag(QNetworkInterface::IsPointToPoint))
                continue;
            socket->setMulticastInterface(interface);
            probe->facts.wasSent |= socket->writeDatagram(question(questionId), everybody, mdnsPort) > 0;
        }
    };
    if (socket->bind(QHostAddress(QHostAddress::AnyIPv4), 0)) {
        ask();
        // Wi-Fi loses what is sent to many, and nobody sends it again.
        for (int again = 1; again < questions; ++again)
            QTimer::singleShot(wait * again / (questions + 1), socket, ask);
    }
    QObject::connect(socket, &QUdpSocket::readyRead, socket, [socket, probe] {
        const QList<QHostAddress> own = QNetworkInterface::allAddresses();
        while (socket->hasPendingDatagrams()) {
            QByteArray packet(dnsHeader, '\0');
            QHostAddress from;
            packet.resize(std::max<qint64>(0, socket->readDatagram(packet.data(), packet.size(), &from)));
            if (!isAnswer(packet, questionId))
                continue;
            if (own.contains(from))
                probe->facts.ownAnswered = true;
            else if (probe->others.size() < maximumAnswerers)
                probe->others.insert(from);
        }
    });
    QTimer::singleShot(wait, socket, [socket, probe, answer] {
        socket->deleteLater();
        probe->facts.others = static_cast<int>(probe->others.size());
        answer(probe->facts);
    });
}

QList<InterfaceFacts> interfaceFacts() {
    QList<InterfaceFacts> facts;
    for (const QNetworkInterface &interface : QNetworkInterface::allInterfaces()) {
        const auto flags = interface.flags();
        InterfaceFacts each;
        each.name = interface.name();
        each.isUp = flags.testFlag(QNetworkInterface::IsUp) && flags.testFlag(QNetworkInterface::IsRunning);
        each.isLoopback = flags.testFlag(QNetworkInterface::IsLoopBack);
        each.canMulticast = flags.testFlag(QNetworkInterface::CanMulticast);
        each.isTunnel = flags.testFlag(QNetworkInterface::IsPointToPoint) || isTunnelName(each.name) ||
                        QFile::exists(QStringLiteral("/sys/class/net/%1/tun_flags").arg(each.name));
        for (const QNetworkAddressEntry &entry : interface.addressEntries())
            each.addresses << entry.ip();
        facts << each;
    }
    return facts;
}

QHostAddress ownAddress(const QList<InterfaceFacts> &interfaces) {
    for (const InterfaceFacts &interface : interfaces) {
        if (!interface.isUp || interface.isLoopback || interface.isTunnel)
            continue;
        for (const QHostAddress &address : interface.addresses) {
            if (!address.isLinkLocal())
                return address;
        }
    }
    return {};
}

}  // namespace hearth
