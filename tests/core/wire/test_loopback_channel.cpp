#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <atomic>

#include "core/wire/loopback_channel.h"
#include "tests/core/base/patience.h"
#include "tests/core/wire/wire_samples.h"

using namespace hearth;

class TestLoopbackChannel : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void eachEndKnowsTheOther() {
        Fingerprint a;
        a.bytes[0] = 1;
        Fingerprint b;
        b.bytes[0] = 2;
        const auto [first, second] = makeLoopbackPair(a, b);
        QCOMPARE(first->peer(), b);
        QCOMPARE(second->peer(), a);
    }

    void framesArriveInOrderAndControlOvertakes() {
        auto [first, second] = makeLoopbackPair();
        QStringList seen;
        connect(second.get(), &Channel::controlReceived, this, [&seen](const QCborMap &map) {
            seen << QStringLiteral("c%1").arg(map.value(QStringLiteral("number")).toInteger());
        });
        const auto payload = patterned(1000);
        connect(second.get(), &Channel::tensorReceived, this, [&seen, &payload](const TensorFrame &frame) {
            QVERIFY(sameBytes(*frame.payload, *payload));
            QVERIFY(frame.payload != payload);
            seen << QStringLiteral("t%1").arg(frame.header.microBatch);
        });
        first->sendTensor(headerFor(1000, 1), Payload::of(payload));
        first->sendTensor(headerFor(1000, 2), Payload::of(payload));
        first->sendControl(note(1));
        QVERIFY(first->queuedBytes() > 2000);
        QTRY_COMPARE_WITH_TIMEOUT(seen.size(), 3, patience);
        QCOMPARE(seen.join(QLatin1Char(' ')), QStringLiteral("c1 t1 t2"));
        QCOMPARE(first->queuedBytes(), 0);
        QCOMPARE(first->bytesSent(), second->bytesReceived());
    }

    void closingReachesTheOtherEndOnce() {
        auto [first, second] = makeLoopbackPair();
        QSignalSpy here(first.get(), &Channel::closed);
        QSignalSpy there(second.get(), &Channel::closed);
        QSignalSpy control(second.get(), &Channel::controlReceived);
        first->sendControl(note(1));
        first->close({QStringLiteral("test.done"), QStringLiteral("Done."), {}, {}});
        QCOMPARE(here.count(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(there.count(), 1, patience);
        QCOMPARE(control.count(), 1);
        QCOMPARE(there.at(0).at(0).value<Error>().code, QStringLiteral("wire.closed"));
        QCOMPARE(there.at(0).at(0).value<Error>().cause, QStringLiteral("Done."));
        first->close({});
        second->close({});
        first->sendControl(note(2));
        QCoreApplication::processEvents();
        QCOMPARE(here.count(), 1);
        QCOMPARE(there.count(), 1);
    }

    void destroyingOneEndClosesTheOther() {
        auto [first, second] = makeLoopbackPair();
        QSignalSpy there(second.get(), &Channel::closed);
        first.reset();
        QTRY_COMPARE_WITH_TIMEOUT(there.count(), 1, patience);
    }

    void aPayloadThatContradictsItsHeaderCloses() {
        auto [first, second] = makeLoopbackPair();
        QSignalSpy here(first.get(), &Channel::closed);
        first->sendTensor(headerFor(1000), Payload::of(patterned(999)));
        QCOMPARE(here.count(), 1);
        QCOMPARE(here.at(0).at(0).value<Error>().code, QStringLiteral("wire.bad-tensor"));
    }

    void theWindowOpensAgain() {
        auto [first, second] = makeLoopbackPair();
        QSignalSpy opened(first.get(), &Channel::windowOpened);
        const auto payload = patterned(1 << 20);
        while (first->queuedBytes() < Channel::highMark)
            first->sendTensor(headerFor(1 << 20), Payload::of(payload));
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(first->queuedBytes(), 0, patience);
        QCOMPARE(payload.use_count(), 1);
    }

    void worksAcrossThreads() {
        auto [first, second] = makeLoopbackPair();
        QThread thread;
        Channel *remote = second.release();
        remote->moveToThread(&thread);
        std::atomic<int> tensors = 0;
        connect(remote, &Channel::tensorReceived, remote, [remote, &tensors](const TensorFrame &frame) {
            ++tensors;
            remote->sendTensor(frame.header, Payload::of(frame.payload));
        });
        connect(&thread, &QThread::finished, remote, &QObject::deleteLater);
        thread.start();
        QSignalSpy back(first.get(), &Channel::tensorReceived);
        QSignalSpy closed(first.get(), &Channel::closed);
        for (quint32 i = 0; i < 50; ++i)
            first->sendTensor(headerFor(10000, i), Payload::of(patterned(10000, int(i))));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 50, patience);
        QCOMPARE(tensors.load(), 50);
        for (int i = 0; i < 50; ++i) {
            const auto frame = back.at(i).at(0).value<TensorFrame>();
            QCOMPARE(frame.header.microBatch, quint32(i));
            QVERIFY(sameBytes(*frame.payload, *patterned(10000, i)));
        }
        thread.quit();
        QVERIFY(thread.wait());
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    }
};

QTEST_GUILESS_MAIN(TestLoopbackChannel)
#include "test_loopback_channel.moc"
