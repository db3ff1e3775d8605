// What two devices that trust each other have of a TLS channel.
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QThread>

#include "core/wire/stream_channel.h"
#include "tests/core/base/no_files_left.h"
#include "tests/core/wire/tls_ends.h"
#include "tests/core/wire/wire_samples.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

/// A cable to the home; on demand it alters one byte on the way there.
class Cable {
  public:
    explicit Cable(quint16 port) {
        m_server.listen(QHostAddress::LocalHost);
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this, port] {
            QTcpSocket *near = m_server.nextPendingConnection();
            m_far.connectToHost(QHostAddress::LocalHost, port);
            m_far.waitForConnected();
            QObject::connect(near, &QTcpSocket::readyRead, &m_far, [this, near] {
                QByteArray bytes = near->readAll();
                if (std::exchange(alters, false))
                    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
                m_far.write(bytes);
            });
            QObject::connect(&m_far, &QTcpSocket::readyRead, near, [this, near] { near->write(m_far.readAll()); });
            QObject::connect(near, &QTcpSocket::disconnected, &m_far, &QTcpSocket::disconnectFromHost);
            QObject::connect(&m_far, &QTcpSocket::disconnected, near, &QTcpSocket::disconnectFromHost);
        });
    }
    quint16 port() const { return m_server.serverPort(); }
    bool alters = false;

  private:
    QTcpServer m_server;
    QTcpSocket m_far;
};

}  // namespace

class TestTls : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anAlteredByteEndsTheConnectionOnBothSides() {
        Home home;
        Guest guest;
        Cable cable(home.port);
        home.friends << guest.identity.fingerprint();
        guest.dial(cable.port(), home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel, patience);
        QTRY_COMPARE_WITH_TIMEOUT(home.channels.size(), std::size_t(1), patience);
        QSignalSpy here(guest.channel.get(), &Channel::closed);
        QSignalSpy there(home.channels[0].get(), &Channel::closed);
        cable.alters = true;
        guest.channel->sendControl({{QStringLiteral("hello"), 1}});
        QTRY_COMPARE_WITH_TIMEOUT(there.size(), 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(here.size(), 1, patience);
        const auto reason = there.first().first().value<Error>();
        QCOMPARE(reason.code, QStringLiteral("wire.altered"));
        QVERIFY2(reason.cause.contains(QStringLiteral("bad record mac")), qPrintable(reason.cause));
    }

    void whoComesAfterFilesHaveRunOutGetsIn() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        QTcpSocket early;
        early.connectToHost(QHostAddress::LocalHost, home.port);
        {
            const NoFilesLeft none;
            QVERIFY(isToldThatNoneIsTaken());
        }
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel, patience);
    }

    void twoIdentitiesMeet() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel, patience);
        QTRY_COMPARE_WITH_TIMEOUT(home.channels.size(), std::size_t(1), patience);
        Channel &a = *guest.channel;
        Channel &b = *home.channels[0];
        QCOMPARE(a.peer(), home.identity.fingerprint());
        QCOMPARE(b.peer(), guest.identity.fingerprint());
        QSignalSpy controlA(&a, &Channel::controlReceived);
        QSignalSpy controlB(&b, &Channel::controlReceived);
        QSignalSpy tensors(&b, &Channel::tensorReceived);
        const auto payload = patterned((20 << 20) + 5);
        const quint64 before = a.bytesSent();
        for (quint32 i = 0; i < 3; ++i)
            a.sendTensor(headerFor(payload->size(), i), Payload::of(payload));
        a.sendControl(note(1));
        b.sendControl(note(2));
        QTRY_COMPARE_WITH_TIMEOUT(tensors.count(), 3, patience);
        QTRY_COMPARE_WITH_TIMEOUT(controlB.count(), 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(controlA.count(), 1, patience);
        QCOMPARE(controlA.at(0).at(0).value<QCborMap>(), note(2));
        for (int i = 0; i < 3; ++i)
            QVERIFY(sameBytes(*tensors.at(i).at(0).value<TensorFrame>().payload, *payload));
        QTRY_COMPARE_WITH_TIMEOUT(a.queuedBytes(), 0, patience);
        QTRY_COMPARE_WITH_TIMEOUT(payload.use_count(), 1, patience);
        const double overhead = double(a.bytesSent() - before) / (3.0 * double(payload->size()));
        QVERIFY2(overhead > 1.0 && overhead <= 1.02, qPrintable(QString::number(overhead)));
    }

    void smallTensorsCarryLittleOverhead() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel && !home.channels.empty(), patience);
        QSignalSpy tensors(home.channels[0].get(), &Channel::tensorReceived);
        const auto payload = patterned(64 << 10);
        const quint64 before = guest.channel->bytesSent();
        for (quint32 i = 0; i < 50; ++i)
            guest.channel->sendTensor(headerFor(payload->size(), i), Payload::of(payload));
        QTRY_COMPARE_WITH_TIMEOUT(tensors.count(), 50, patience);
        QTRY_COMPARE_WITH_TIMEOUT(guest.channel->queuedBytes(), 0, patience);
        const double overhead = double(guest.channel->bytesSent() - before) / (50.0 * double(payload->size()));
        QVERIFY2(overhead > 1.0 && overhead <= 1.02, qPrintable(QString::number(overhead)));
    }

    void aSlowReaderHoldsTheSenderBack() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel && !home.channels.empty(), patience);
        auto *reader = qobject_cast<StreamChannel *>(home.channels[0].get());
        QSignalSpy tensors(reader, &Channel::tensorReceived);
        reader->setReceiving(false);
        const auto payload = patterned(64 << 20);
        guest.channel->sendTensor(headerFor(payload->size()), Payload::of(payload));
        // The kernel takes some megabytes; then nothing moves.
        quint64 sent = 0;
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel->bytesSent() > 1000 &&
                                     guest.channel->bytesSent() == std::exchange(sent, guest.channel->bytesSent()),
                                 patience);
        QVERIFY(guest.channel->queuedBytes() > (20 << 20));
        QCOMPARE(tensors.count(), 0);
        reader->setReceiving(true);
        QTRY_COMPARE_WITH_TIMEOUT(tensors.count(), 1, patience);
        QVERIFY(sameBytes(*tensors.at(0).at(0).value<TensorFrame>().payload, *payload));
    }

    void dialsFailWithAReason() {
        Guest guest;
        Home home;
        home.listener.close();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.error, patience);
        QCOMPARE(guest.code(), QStringLiteral("wire.nobody-listens"));
        QTcpServer silent;
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        std::optional<Error> error;
        dialTls(guest.identity, localhost, silent.serverPort(), home.identity.fingerprint(), 20ms, &guest.context,
                [&error](const auto &result) { error = result.error(); });
        QTRY_VERIFY_WITH_TIMEOUT(error, patience);
        QCOMPARE(error->code, QStringLiteral("wire.deadline"));
    }

    void aTakenPortIsNamed() {
        Home home;
        TlsListener second(home.identity, [](const Fingerprint &) { return true; });
        const auto port = second.listen(QHostAddress::LocalHost, home.port, home.port);
        QVERIFY(!port);
        QCOMPARE(port.error().code, QStringLiteral("wire.port-taken"));
        QVERIFY(port.error().what.contains(QString::number(home.port)));
    }

    void theChannelsEndReachesThePeerWithItsReason() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel && !home.channels.empty(), patience);
        QSignalSpy closed(home.channels[0].get(), &Channel::closed);
        guest.channel->close({QStringLiteral("test.done"), QStringLiteral("Done."), {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
        QCOMPARE(closed.at(0).at(0).value<Error>().code, QStringLiteral("wire.closed"));
        QCOMPARE(closed.at(0).at(0).value<Error>().cause, QStringLiteral("Done."));
    }

    void droppingTheChannelClosesThePeersInTheMiddleOfATensor() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel && !home.channels.empty(), patience);
        QSignalSpy closed(home.channels[0].get(), &Channel::closed);
        const auto payload = patterned(30 << 20);
        guest.channel->sendTensor(headerFor(payload->size()), Payload::of(payload));
        guest.channel.reset();
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
        QCOMPARE(closed.at(0).at(0).value<Error>().code, QStringLiteral("wire.truncated"));
        QTRY_COMPARE_WITH_TIMEOUT(payload.use_count(), 1, patience);
    }

    void aPeerThatIsGoneEndsTheChannelInTheMiddleOfSending() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        guest.dial(home, home.identity.fingerprint());
        QTRY_VERIFY_WITH_TIMEOUT(guest.channel && !home.channels.empty(), patience);
        QSignalSpy closed(guest.channel.get(), &Channel::closed);
        const auto payload = patterned(1 << 20);
        guest.channel->sendTensor(headerFor(payload->size()), Payload::of(payload));
        home.channels.clear();  // with bytes unread: the kernel resets the connection, which nobody has been told yet
        guest.channel->sendTensor(headerFor(payload->size(), 1), Payload::of(payload));
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
        QCOMPARE(guest.channel->queuedBytes(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(payload.use_count(), 1, patience);
    }

    void channelsLiveInAnIoThread() {
        Home home;
        Guest guest;
        home.friends << guest.identity.fingerprint();
        QThread thread;
        auto *worker = new QObject;
        worker->moveToThread(&thread);
        connect(&thread, &QThread::finished, worker, &QObject::deleteLater);
        thread.start();
        const auto payload = patterned(5 << 20);
        const Identity identity = guest.identity;
        const Fingerprint expected = home.identity.fingerprint();
        const quint16 port = home.port;
        QMetaObject::invokeMethod(worker, [=] {
            dialTls(identity, localhost, port, expected, 60s, worker, [=](Result<std::unique_ptr<Channel>> result) {
                if (!result)
                    return;
                Channel *channel = result->release();
                channel->setParent(worker);
                for (quint32 i = 0; i < 4; ++i)
                    channel->sendTensor(headerFor(payload->size(), i), Payload::of(payload));
            });
        });
        QTRY_COMPARE_WITH_TIMEOUT(home.channels.size(), std::size_t(1), patience);
        QSignalSpy closed(home.channels[0].get(), &Channel::closed);
        QTRY_COMPARE_WITH_TIMEOUT(home.tensors, 4, patience);
        thread.quit();
        QVERIFY(thread.wait());
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    }
};

QTEST_GUILESS_MAIN(TestTls)
#include "test_tls.moc"
