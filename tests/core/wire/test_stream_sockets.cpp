// Streams over real sockets, with the buffers of their kernels.
#include <sys/socket.h>

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include "core/wire/rpc.h"
#include "core/wire/stream_channel.h"
#include "tests/core/base/patience.h"
#include "tests/core/wire/wire_samples.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

constexpr qsizetype MiB = 1 << 20;
const Error done{QStringLiteral("test.done"), QStringLiteral("Done."), {}, {}};

/// Two ends within this machine, where the dialling one is at `from`; the accepting kernel keeps about so much that
/// nobody reads.
struct TcpEnds {
    explicit TcpEnds(int kept = 4 << 20, const QHostAddress &from = QHostAddress(QHostAddress::LocalHost)) {
        if (!server.listen(QHostAddress::LocalHost))
            return;
        ::setsockopt(static_cast<int>(server.socketDescriptor()), SOL_SOCKET, SO_RCVBUF, &kept, sizeof kept);
        dialled->bind(from);
        dialled->connectToHost(QHostAddress::LocalHost, server.serverPort());
        if (dialled->waitForConnected() && server.waitForNewConnection(patience))
            accepted.reset(server.nextPendingConnection());
    }
    QTcpServer server;
    std::unique_ptr<QTcpSocket> dialled = std::make_unique<QTcpSocket>();
    std::unique_ptr<QTcpSocket> accepted;
};

}  // namespace

class TestStreamSockets : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aPeerThatReadsSlowlyIsNotGivenUp() {
        constexpr int step = 16 << 10;
        TcpEnds ends(step);  // a kernel confirms in lumps, which grow with what it may keep
        QVERIFY(ends.accepted);
        QTcpSocket *slow = ends.accepted.get();
        slow->setReadBufferSize(step);
        StreamChannel channel(std::move(ends.dialled));
        QSignalSpy closed(&channel, &Channel::closed);
        channel.setStallDeadline(24h);  // all checks are the test's
        const auto payload = patterned(16 * MiB);
        channel.sendTensor(headerFor(payload->size(), 0), Payload::of(payload));
        qint64 received = 0;
        const auto readUntil = [&](const auto &condition) {
            for (const QDeadlineTimer patience(60000); !condition() && !patience.hasExpired();) {
                received += slow->read(step).size();
                QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
            }
            return condition();
        };
        // Between two checks the peer confirms something, while the kernel, which takes megabytes at once, takes
        // nothing for longer than the deadline.
        int most = 0;
        for (int unmoved = 0; channel.queuedBytes() > 0 && closed.isEmpty();) {
            const qint64 queued = channel.queuedBytes(), undelivered = channel.undeliveredBytes();
            QVERIFY(readUntil([&] { return channel.undeliveredBytes() < undelivered; }));
            channel.checkProgress();
            unmoved = channel.queuedBytes() == queued ? unmoved + 1 : 0;
            most = std::max(most, unmoved);
        }
        QVERIFY2(closed.isEmpty(), closed.isEmpty() ? "" : qPrintable(closed.at(0).at(0).value<Error>().toString()));
        QVERIFY2(most >= StreamChannel::checksPerDeadline, qPrintable(QString::number(most)));
        QVERIFY(readUntil([&] { return received > payload->size() && channel.undeliveredBytes() == 0; }));
    }

    void aPeerThatStopsReadingIsGivenUpAfterTheDeadline() {
        TcpEnds ends;
        QVERIFY(ends.accepted);
        ends.accepted->setReadBufferSize(1);
        StreamChannel channel(std::move(ends.dialled));
        QSignalSpy closed(&channel, &Channel::closed);
        channel.setStallDeadline(24h);
        const auto payload = patterned(64 * MiB);
        channel.sendTensor(headerFor(payload->size(), 0), Payload::of(payload));
        qint64 undelivered = 0;  // until the peer's kernel takes no more either
        QTRY_VERIFY_WITH_TIMEOUT(std::exchange(undelivered, channel.undeliveredBytes()) == channel.undeliveredBytes(),
                                 60000);
        int checks = 0;
        for (; closed.isEmpty() && checks < 1000; ++checks)
            channel.checkProgress();
        QVERIFY(checks >= StreamChannel::checksPerDeadline);
        QCOMPARE(closed.at(0).at(0).value<Error>().code, QStringLiteral("wire.stalled"));
    }

    void answersThatNobodyReadsStopTheQuestions() {
        TcpEnds ends;
        QVERIFY(ends.accepted);
        QTcpSocket *asker = ends.accepted.get();
        asker->setReadBufferSize(1);
        StreamChannel channel(std::move(ends.dialled));
        Rpc rpc(&channel);
        int asked = 0;
        connect(&channel, &Channel::controlReceived, this, [&] { ++asked; });
        constexpr int questions = 100000;
        const QByteArray question =
            encodeFrame(FrameType::Control, {{QStringLiteral("k"), QStringLiteral("call")},
                                             {QStringLiteral("id"), 1},
                                             {QStringLiteral("op"), QString(70, QLatin1Char('?'))},
                                             {QStringLiteral("a"), QCborMap()}});
        asker->write(question.repeated(questions));
        int before = -1;  // until nothing moves, the kernels full of answers and of questions
        QTRY_VERIFY_WITH_TIMEOUT(asked > 0 && std::exchange(before, asked) == asked, 60000);
        QVERIFY(asked < questions);
        QVERIFY2(channel.queuedBytes() < StreamChannel::sendWindow + StreamChannel::unreadMark + MiB,
                 qPrintable(QString::number(channel.queuedBytes())));
        asker->setReadBufferSize(0);
        for (const QDeadlineTimer over(patience);
             (asked < questions || channel.queuedBytes() > 0) && !over.hasExpired();) {
            asker->readAll();
            QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        }
        QCOMPARE(asked, questions);
        QVERIFY(channel.isOpen());
    }

    void wordsThatNobodyReadsEndTheConnection() {
        TcpEnds ends;
        QVERIFY(ends.accepted);
        ends.accepted->setReadBufferSize(1);
        StreamChannel channel(std::move(ends.dialled));
        QSignalSpy closed(&channel, &Channel::closed);
        const QCborMap words{{QStringLiteral("words"), QString(65536, QLatin1Char('x'))}};
        qint64 most = 0;
        for (int i = 0; i < 4096 && closed.isEmpty(); ++i) {
            channel.sendControl(words);
            most = std::max(most, channel.queuedBytes());
        }
        QCOMPARE(closed.size(), 1);
        QCOMPARE(closed.at(0).at(0).value<Error>().code, QStringLiteral("wire.unread"));
        QVERIFY(most < StreamChannel::sendWindow + StreamChannel::maximumUnread + MiB);
    }

    void aReaderThatDribblesIsGivenUp() {
        constexpr int step = 16 << 10;
        TcpEnds ends(step);
        QVERIFY(ends.accepted);
        QTcpSocket *slow = ends.accepted.get();
        slow->setReadBufferSize(step);
        StreamChannel channel(std::move(ends.dialled));
        QSignalSpy closed(&channel, &Channel::closed);
        channel.setStallDeadline(24h);  // all checks are the test's
        const QCborMap words{{QStringLiteral("words"), QString(65536, QLatin1Char('x'))}};
        while (channel.queuedBytes() < StreamChannel::sendWindow + StreamChannel::unreadMark + 4 * MiB)
            channel.sendControl(words);
        int checks = 0;
        for (; closed.isEmpty() && checks < 1000; ++checks) {
            const qint64 undelivered = channel.undeliveredBytes();
            const QDeadlineTimer over(patience);
            while (channel.undeliveredBytes() >= undelivered && !over.hasExpired()) {
                slow->read(step);
                QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
            }
            channel.checkProgress();
        }
        QVERIFY(checks >= StreamChannel::checksPerDeadline);
        QCOMPARE(closed.size(), 1);
        QCOMPARE(closed.at(0).at(0).value<Error>().code, QStringLiteral("wire.unread"));
    }

    void localSocketsCarryFramesBothWays() {
        QTemporaryDir folder;
        QLocalServer server;
        QVERIFY(server.listen(folder.filePath(QStringLiteral("socket"))));
        auto dialled = std::make_unique<QLocalSocket>();
        dialled->connectToServer(server.fullServerName());
        QTRY_VERIFY_WITH_TIMEOUT(server.hasPendingConnections(), patience);
        auto accepted = std::unique_ptr<QIODevice>(server.nextPendingConnection());
        roundTrip(std::move(dialled), std::move(accepted));
    }

    void aConnectionTellsWhereThisDeviceIs() {
        TcpEnds ends;
        QVERIFY(ends.accepted);
        const StreamChannel channel(std::move(ends.dialled));
        QCOMPARE(ownHost(channel), QStringLiteral("127.0.0.1"));
        QLocalSocket within;
        QCOMPARE(ownHost(StreamChannel(&within)), QString());
    }

    void aConnectionTellsWhatComesBetweenItsAddresses() {
        // Where no other program of this machine is.
        const QHostAddress here(QStringLiteral("127.77.0.5")), host(QHostAddress::LocalHost);
        TcpEnds ends(4 << 20, here);
        QVERIFY(ends.accepted);
        const StreamChannel channel(std::move(ends.dialled));
        QVERIFY(channel.segmentsBetweenEnds());
        QCOMPARE(channel.segmentsBetweenEnds(), segmentsFrom(host, here));
        QVERIFY(!hasLostAddress(channel));
        QLocalSocket within;
        const StreamChannel local(&within);
        QVERIFY(!local.segmentsBetweenEnds());
        QVERIFY(!hasLostAddress(local));
    }

    void tcpSocketsCarryFramesBothWays() {
        TcpEnds ends;
        QVERIFY(ends.accepted);
        roundTrip(std::move(ends.dialled), std::move(ends.accepted));
    }

  private:
    void roundTrip(std::unique_ptr<QIODevice> first, std::unique_ptr<QIODevice> second) {
        StreamChannel a(std::move(first));
        StreamChannel b(std::move(second));
        QSignalSpy control(&b, &Channel::controlReceived);
        QSignalSpy tensors(&b, &Channel::tensorReceived);
        QSignalSpy back(&a, &Channel::controlReceived);
        QSignalSpy closed(&b, &Channel::closed);
        const auto payload = patterned(20 * MiB + 17);
        for (quint32 i = 0; i < 3; ++i)
            a.sendTensor(headerFor(payload->size(), i), Payload::of(payload));
        a.sendControl(note(1));
        b.sendControl(note(2));
        QTRY_COMPARE_WITH_TIMEOUT(tensors.count(), 3, patience);
        QTRY_COMPARE_WITH_TIMEOUT(control.count(), 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, patience);
        for (quint32 i = 0; i < 3; ++i) {
            const auto frame = tensors.at(int(i)).at(0).value<TensorFrame>();
            QCOMPARE(frame.header.microBatch, i);
            QVERIFY(sameBytes(*frame.payload, *payload));
        }
        QTRY_COMPARE_WITH_TIMEOUT(a.queuedBytes(), 0, patience);
        QCOMPARE(payload.use_count(), 1);
        a.sendControl(note(3));
        a.close(done);
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
        QCOMPARE(control.count(), 2);
        QCOMPARE(closed.at(0).at(0).value<Error>().cause, QStringLiteral("Done."));
    }
};

QTEST_GUILESS_MAIN(TestStreamSockets)
#include "test_stream_sockets.moc"
