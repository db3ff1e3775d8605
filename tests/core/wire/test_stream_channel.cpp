#include <QSignalSpy>
#include <QTest>

#include "core/wire/stream_channel.h"
#include "tests/core/base/patience.h"
#include "tests/core/wire/wire_samples.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

/// A stream that the test moves by hand.
class HandDevice : public QIODevice {
  public:
    HandDevice() { open(QIODevice::ReadWrite | QIODevice::Unbuffered); }
    bool isSequential() const override { return true; }
    qint64 bytesAvailable() const override { return m_input.size(); }
    qint64 bytesToWrite() const override { return m_output.size(); }

    void feed(const QByteArray &bytes) {
        m_input += bytes;
        Q_EMIT readyRead();
    }
    /// What was written, at most `maximum` bytes of it.
    QByteArray drain(qsizetype maximum = std::numeric_limits<qsizetype>::max()) {
        const QByteArray taken = m_output.left(maximum);
        m_output.remove(0, taken.size());
        if (!taken.isEmpty())
            Q_EMIT bytesWritten(taken.size());
        return taken;
    }
    void end() { Q_EMIT readChannelFinished(); }

  protected:
    qint64 readData(char *data, qint64 maximum) override {
        const qint64 count = std::min(maximum, qint64(m_input.size()));
        std::memcpy(data, m_input.constData(), static_cast<std::size_t>(count));
        m_input.remove(0, static_cast<qsizetype>(count));
        return count;
    }
    qint64 writeData(const char *data, qint64 size) override {
        m_output.append(data, static_cast<qsizetype>(size));
        return size;
    }

  private:
    QByteArray m_input;
    QByteArray m_output;
};

struct End {
    HandDevice *device;  // the channel's
    StreamChannel channel;
    QSignalSpy control{&channel, &Channel::controlReceived};
    QSignalSpy tensors{&channel, &Channel::tensorReceived};
    QSignalSpy closed{&channel, &Channel::closed};
    QSignalSpy opened{&channel, &Channel::windowOpened};

    explicit End(HandDevice *hand = new HandDevice)
        : device(hand), channel(std::unique_ptr<QIODevice>(hand), Fingerprint(), QStringLiteral("the test")) {
        QCoreApplication::processEvents();
    }
    QString code() const { return closed.isEmpty() ? QString() : closed.at(0).at(0).value<Error>().code; }
};

/// The kinds of the frames in `bytes`: "c" control, "t<micro-batch>" tensor, "f" farewell.
QStringList kinds(const QByteArray &bytes) {
    FrameReader reader;
    QStringList result;
    qsizetype at = 0;
    while (at < bytes.size()) {
        const auto wanted = reader.wanted();
        const qsizetype count = std::min(static_cast<qsizetype>(wanted.size()), bytes.size() - at);
        std::memcpy(wanted.data(), bytes.constData() + at, static_cast<std::size_t>(count));
        at += count;
        const auto event = reader.filled(count);
        if (!event)
            return {event.error().code};
        if (std::holds_alternative<QCborMap>(*event))
            result << QStringLiteral("c");
        else if (const auto *tensor = std::get_if<TensorFrame>(&*event))
            result << QStringLiteral("t%1").arg(tensor->header.microBatch);
        else if (std::holds_alternative<FrameReader::Farewell>(*event))
            result << QStringLiteral("f");
    }
    return result;
}

constexpr qsizetype MiB = 1 << 20;
const Error done{QStringLiteral("test.done"), QStringLiteral("Done."), {}, {}};

}  // namespace

class TestStreamChannel : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void framesArriveByteByByte() {
        End end;
        const auto payload = patterned(300);
        for (const char byte : encodeFrame(FrameType::Control, note(1)) + tensorFrameBytes(*payload))
            end.device->feed(QByteArray(1, byte));
        QCOMPARE(end.control.count(), 1);
        QCOMPARE(end.control.at(0).at(0).value<QCborMap>(), note(1));
        QCOMPARE(end.tensors.count(), 1);
        QVERIFY(sameBytes(*end.tensors.at(0).at(0).value<TensorFrame>().payload, *payload));
    }

    void malformedBytesCloseWithATypedError_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("code");
        QTest::newRow("another protocol") << QByteArray("SSH-2.0-OpenSSH\r\n") << QStringLiteral("wire.bad-frame");
        QTest::newRow("a message that is no CBOR")
            << QByteArray("H\1\1\0\1\0\0\0\xff", 9) << QStringLiteral("wire.bad-control");
        QByteArray damaged = tensorFrameBytes(*patterned(100));
        damaged.back() = static_cast<char>(damaged.back() ^ 1);
        QTest::newRow("a damaged payload") << damaged << QStringLiteral("wire.checksum");
        damaged = tensorFrameBytes(*patterned(100));
        damaged[8] = 99;
        QTest::newRow("an unknown kind of tensor") << damaged << QStringLiteral("wire.bad-tensor");
    }

    void malformedBytesCloseWithATypedError() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, code);
        End end;
        end.device->feed(bytes + encodeFrame(FrameType::Control, note(1)));
        QCOMPARE(end.closed.count(), 1);
        QCOMPARE(end.code(), code);
        QCOMPARE(end.control.count(), 0);
        QCOMPARE(end.tensors.count(), 0);
        QVERIFY(!end.channel.isOpen());
    }

    void controlOvertakesQueuedTensors() {
        End end;
        const auto payload = patterned(3 * MiB);
        for (quint32 i = 0; i < 4; ++i)
            end.channel.sendTensor(headerFor(payload->size(), i), Payload::of(payload));
        end.channel.sendControl(note(1));
        QByteArray sent;
        while (end.channel.queuedBytes() > 0) {
            sent += end.device->drain(MiB);
            QCoreApplication::processEvents();
        }
        QCOMPARE(kinds(sent).join(QLatin1Char(' ')), QStringLiteral("t0 t1 c t2 t3"));
    }

    void noMoreThanTheWindowWaitsInTheDevice() {
        End end;
        const auto payload = patterned(40 * MiB);
        end.channel.sendTensor(headerFor(payload->size()), Payload::of(payload));
        QByteArray sent;
        while (end.channel.queuedBytes() > 0) {
            QVERIFY(end.device->bytesToWrite() <= StreamChannel::sendWindow + MiB);
            sent += end.device->drain(300'000);
            QCoreApplication::processEvents();
        }
        QCOMPARE(kinds(sent), QStringList{QStringLiteral("t0")});
        QCOMPARE(end.channel.bytesSent(), quint64(sent.size()));
    }

    void theWindowOpensOnceWhenTheQueueFalls() {
        End end;
        const auto payload = patterned(10 * MiB);
        end.channel.sendTensor(headerFor(payload->size()), Payload::of(payload));
        QVERIFY(end.channel.queuedBytes() > Channel::lowMark);
        end.device->drain(2 * MiB);
        QCoreApplication::processEvents();
        QCOMPARE(end.opened.count(), 0);
        while (end.channel.queuedBytes() > 0) {
            end.device->drain(MiB);
            QCoreApplication::processEvents();
        }
        QTRY_COMPARE_WITH_TIMEOUT(end.opened.count(), 1, patience);
    }

    void thePayloadLivesUntilItIsWritten() {
        End end;
        const auto payload = patterned(10 * MiB);
        end.channel.sendTensor(headerFor(payload->size()), Payload::of(payload));
        QVERIFY(payload.use_count() > 1);
        end.device->drain(MiB);
        QVERIFY(payload.use_count() > 1);
        while (end.channel.queuedBytes() > 0) {
            end.device->drain(MiB);
            QCoreApplication::processEvents();
        }
        QCOMPARE(payload.use_count(), 1);
    }

    void closingReleasesPayloads() {
        End end;
        const auto payload = patterned(10 * MiB);
        end.channel.sendTensor(headerFor(payload->size()), Payload::of(payload));
        end.channel.close(done);
        QTRY_COMPARE_WITH_TIMEOUT(payload.use_count(), 1, patience);
    }

    void aPayloadThatContradictsItsHeaderCloses() {
        End end;
        end.channel.sendTensor(headerFor(1000), Payload::of(patterned(999)));
        QCOMPARE(end.code(), QStringLiteral("wire.bad-tensor"));
    }

    void closingSendsWhatControlIsLeftAndSaysWhy() {
        auto *hand = new HandDevice;
        End end(hand);
        const auto payload = patterned(MiB);
        QByteArray sent;
        connect(&end.channel, &Channel::closed, this, [&sent, hand] { sent = hand->drain(); });
        end.channel.sendControl(note(1));
        end.channel.close(done);
        QCOMPARE(end.closed.count(), 1);
        QCOMPARE(end.code(), QStringLiteral("test.done"));
        QCOMPARE(kinds(sent).join(QLatin1Char(' ')), QStringLiteral("c f"));
        end.channel.close(done);
        end.channel.sendControl(note(2));
        QCOMPARE(end.closed.count(), 1);
    }

    void thePeersReasonIsTheCause() {
        End end;
        end.device->feed(encodeFrame(FrameType::Control, note(1)) + encodeFrame(FrameType::Farewell, done.toCbor()));
        QCOMPARE(end.control.count(), 1);
        QCOMPARE(end.code(), QStringLiteral("wire.closed"));
        QCOMPARE(end.closed.at(0).at(0).value<Error>().cause, QStringLiteral("Done."));
    }

    void theEndInsideAFrameIsToldApart() {
        End end;
        end.device->feed(tensorFrameBytes(*patterned(100)).left(150));
        end.device->end();
        QCOMPARE(end.code(), QStringLiteral("wire.truncated"));
        End clean;
        clean.device->end();
        QCOMPARE(clean.code(), QStringLiteral("wire.closed"));
    }

    void aFrameThatStopsInItsMiddleIsGivenUp() {
        End end;
        end.channel.setStallDeadline(20ms);
        end.device->feed(tensorFrameBytes(*patterned(100)).left(50));
        QTRY_COMPARE_WITH_TIMEOUT(end.code(), QStringLiteral("wire.stalled"), patience);
    }

    void aPeerThatDoesNotReadIsGivenUp() {
        End end;
        end.channel.setStallDeadline(20ms);
        end.channel.sendControl(note(1));
        QTRY_COMPARE_WITH_TIMEOUT(end.code(), QStringLiteral("wire.stalled"), patience);
    }

    void anIdleConnectionStaysOpen() {
        End end;
        end.channel.setStallDeadline(4ms);
        end.channel.sendControl(note(1));
        end.device->drain();
        end.device->feed(encodeFrame(FrameType::Control, note(1)));
        End other;
        other.channel.setStallDeadline(20ms);
        other.channel.sendControl(note(1));
        QTRY_COMPARE_WITH_TIMEOUT(other.code(), QStringLiteral("wire.stalled"),
                                  patience);  // more than the deadline has passed
        QVERIFY(end.channel.isOpen());
    }

    void nothingIsReadWhilePaused() {
        End end;
        end.channel.setReceiving(false);
        end.device->feed(encodeFrame(FrameType::Control, note(1)));
        end.device->end();
        QCOMPARE(end.control.count(), 0);
        QCOMPARE(end.closed.count(), 0);
        end.channel.setReceiving(true);
        QCOMPARE(end.control.count(), 1);
        QCOMPARE(end.code(), QStringLiteral("wire.closed"));
    }

    void aSlotMayCloseInTheMiddleOfReading() {
        End end;
        connect(&end.channel, &Channel::controlReceived, this, [&end] { end.channel.close(done); });
        end.device->feed(encodeFrame(FrameType::Control, note(1)) + encodeFrame(FrameType::Control, note(2)));
        QCOMPARE(end.control.count(), 1);
        QCOMPARE(end.closed.count(), 1);
    }
};

QTEST_GUILESS_MAIN(TestStreamChannel)
#include "test_stream_channel.moc"
