#include <QCborArray>
#include <QTest>

#include "tests/core/wire/wire_samples.h"

using namespace hearth;

namespace {

/// Everything that comes out of `bytes` given in pieces of `pieceSize`, or the first error.
Result<std::vector<FrameReader::Event>> readAll(const QByteArray &bytes, qsizetype pieceSize, FrameLimits limits = {}) {
    FrameReader reader(limits);
    std::vector<FrameReader::Event> events;
    qsizetype at = 0;
    while (at < bytes.size()) {
        const auto wanted = reader.wanted();
        const qsizetype count = std::min({pieceSize, static_cast<qsizetype>(wanted.size()), bytes.size() - at});
        std::memcpy(wanted.data(), bytes.constData() + at, static_cast<std::size_t>(count));
        at += count;
        auto event = reader.filled(count);
        if (!event)
            return tl::unexpected(event.error());
        if (!std::holds_alternative<std::monostate>(*event))
            events.push_back(std::move(*event));
    }
    return events;
}

QByteArray prefix(quint8 version, quint8 type, quint32 length) {
    QByteArray bytes("H");
    bytes += static_cast<char>(version);
    bytes += static_cast<char>(type);
    bytes += '\0';
    for (int i = 0; i < 4; ++i)
        bytes += static_cast<char>(length >> (8 * i));
    return bytes;
}

}  // namespace

class TestFrameReader : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void framesSurviveAnyFragmentation_data() {
        QTest::addColumn<qsizetype>("piece");
        QTest::newRow("byte by byte") << qsizetype(1);
        QTest::newRow("in sevens") << qsizetype(7);
        QTest::newRow("in packets") << qsizetype(1448);
        QTest::newRow("all at once") << qsizetype(1 << 20);
    }

    void framesSurviveAnyFragmentation() {
        QFETCH(qsizetype, piece);
        const auto payload = patterned(5000);
        const auto empty = patterned(0);
        const QByteArray bytes = encodeFrame(FrameType::Control, note(1)) + tensorFrameBytes(*payload, 9) +
                                 tensorFrameBytes(*empty) + encodeFrame(FrameType::Control, note(2)) +
                                 encodeFrame(FrameType::Farewell, Error{QStringLiteral("x"), {}, {}, {}}.toCbor());
        const auto events = readAll(bytes, piece);
        QVERIFY(events);
        QCOMPARE(events->size(), std::size_t(5));
        QCOMPARE(std::get<QCborMap>(events->at(0)), note(1));
        const auto &tensor = std::get<TensorFrame>(events->at(1));
        QCOMPARE(tensor.header.microBatch, 9u);
        QCOMPARE(tensor.header.stage, quint16(1));
        QVERIFY(sameBytes(*tensor.payload, *payload));
        QCOMPARE(reinterpret_cast<quintptr>(tensor.payload->data()) % Buffer::alignment, quintptr(0));
        QCOMPARE(std::get<TensorFrame>(events->at(2)).payload->size(), qsizetype(0));
        QCOMPARE(std::get<QCborMap>(events->at(3)), note(2));
        QCOMPARE(std::get<FrameReader::Farewell>(events->at(4)).reason.code, QStringLiteral("x"));
    }

    void malformedFramesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("code");
        const QString frame = QStringLiteral("wire.bad-frame");
        const QString control = QStringLiteral("wire.bad-control");
        QTest::newRow("not our protocol") << QByteArray("GET / HTTP/1.1\r\n") << frame;
        QTest::newRow("another version") << prefix(2, 1, 1) << frame;
        QTest::newRow("type 0") << prefix(1, 0, 1) << frame;
        QTest::newRow("type 4") << prefix(1, 4, 1) << frame;
        QTest::newRow("an empty message") << prefix(1, 1, 0) << frame;
        QTest::newRow("a message beyond the limit") << prefix(1, 1, (16 << 20) + 1) << frame;
        QTest::newRow("a message of 4 GiB") << prefix(1, 1, 0xffffffff) << frame;
        QTest::newRow("a tensor header of another size") << prefix(1, 2, 97) << frame;
        QTest::newRow("a reserved byte in use") << QByteArray("H\1\1\1\1\0\0\0", 8) << frame;
        QTest::newRow("not CBOR") << prefix(1, 1, 1) + '\xff' << control;
        QTest::newRow("CBOR cut short") << prefix(1, 1, 2) + "\xa1\x01" << control;
        QTest::newRow("CBOR, but no map") << prefix(1, 1, 1) + '\x01' << control;
        QTest::newRow("CBOR with bytes after it") << prefix(1, 1, 2) + "\xa0\xa0" << control;
        QTest::newRow("a map that claims 2^63 entries")
            << prefix(1, 1, 9) + QByteArray("\xbb\x7f\xff\xff\xff\xff\xff\xff\xff", 9) << control;
        QTest::newRow("lists nested 4000 deep") << prefix(1, 1, 4000) + QByteArray(4000, '\x81') << control;
        const auto framed = [](const QByteArray &body) {
            return prefix(1, 1, static_cast<quint32>(body.size())) + body;
        };
        QTest::newRow("a list of numbers, each with a tag")
            << framed("\xa1\x61x\x9a" + QByteArray("\x00\x7f\xff\xf0", 4) +
                      QByteArray("\xc1\x00", 2).repeated(0x7ffff0))
            << control;
        QTest::newRow("more values than any message needs")
            << framed("\xa1\x61x\x9a" + QByteArray("\x00\x10\x00\x00", 4) + QByteArray(1 << 20, '\0')) << control;
        QTest::newRow("more values in a list without a length")
            << framed("\xa1\x61x\x9f" + QByteArray(1 << 20, '\0') + '\xff') << control;
        QTest::newRow("a text in more pieces than any message needs")
            << framed("\xa1\x61x\x7f" + QByteArray(1 << 20, '\x60') + '\xff') << control;
        QByteArray keys;
        for (int i = 0; i < 8193; ++i)
            keys += QByteArray("\x64") + QByteArray::number(i, 16).rightJustified(4, '0') + '\0';
        QTest::newRow("a map of more keys than any message has") << framed("\xb9\x20\x01" + keys) << control;
        QTest::newRow("a map without a length of as many") << framed('\xbf' + keys + '\xff') << control;
        QTest::newRow("a break where nothing is open") << framed(QByteArray("\xa1\x61x\x81\xff", 5)) << control;
        QTest::newRow("a text with a piece of bytes") << framed(QByteArray("\xa1\x61x\x7f\x40\xff", 6)) << control;
        QTest::newRow("a text that claims 2^63 bytes")
            << framed(QByteArray("\xa1\x61x\x7b\x7f\xff\xff\xff\xff\xff\xff\xff", 12)) << control;
        QByteArray damaged = tensorFrameBytes(*patterned(100));
        damaged[150] = static_cast<char>(damaged[150] ^ 1);
        QTest::newRow("a payload with one flipped bit") << damaged << QStringLiteral("wire.checksum");
        damaged = tensorFrameBytes(*patterned(100));
        damaged[12] = static_cast<char>(damaged[12] ^ 1);
        QTest::newRow("a header with one flipped bit") << damaged << QStringLiteral("wire.checksum");
    }

    void malformedFramesAreRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, code);
        for (const qsizetype piece : {qsizetype(1), qsizetype(1 << 20)}) {
            if (bytes.size() > 1 << 20 && piece == 1)
                continue;
            const auto events = readAll(bytes, piece);
            QVERIFY(!events);
            QCOMPARE(events.error().code, code);
        }
    }

    void whatMessagesAreMadeOfIsRead() {
        QCborArray list{
            1, -70000, 1.5, true, QCborValue(), QCborValue(QByteArray(300, 'x')), QString(70000, QLatin1Char('y'))};
        QCborMap map{{QStringLiteral("list"), list}, {QStringLiteral("empty"), QCborMap()}, {7, QCborArray()}};
        for (int depth = 0; depth < 60; ++depth)
            map = {{QStringLiteral("in"), map}};
        const auto events = readAll(encodeFrame(FrameType::Control, map), 1 << 20);
        QVERIFY2(events, events ? "" : qPrintable(events.error().toString()));
        QCOMPARE(std::get<QCborMap>(events->at(0)), map);
        const QByteArray pieces(
            "\xbf\x61x\x7f\x61"
            "a\x61"
            "b\xff\x61y\x9f\x01\xff\xff");
        const auto open = readAll(prefix(1, 1, static_cast<quint32>(pieces.size())) + pieces, 1 << 20);
        QVERIFY(open);
        QCOMPARE(std::get<QCborMap>(open->at(0)).value(QStringLiteral("x")).toString(), QStringLiteral("ab"));
    }

    void agentsExchangeWordsAndNothingLarger() {
        QVERIFY(readAll(encodeFrame(FrameType::Control, note(1)), 1 << 20, onlyWords));
        QVERIFY(!readAll(prefix(1, 1, (64 << 10) + 1), 1 << 20, onlyWords));
        QVERIFY(!readAll(tensorFrameBytes(*patterned(10)), 1 << 20, onlyWords));
        QCborMap keys;
        for (int i = 0; i < 1025; ++i)
            keys[i] = 0;
        QVERIFY(!readAll(encodeFrame(FrameType::Control, keys), 1 << 20, onlyWords));
    }

    void hugeTensorsAreRefusedBeforeMemoryIsTaken() {
        TensorHeader header = headerFor(0);
        header.dims = {0xffffffff, 1024};
        header.rawBytes = header.encodedBytes = *header.bytesOfShape();
        const auto events = readAll(encodeTensorFrameHead(header), 1 << 20);
        QVERIFY(!events);
        QCOMPARE(events.error().code, QStringLiteral("wire.bad-tensor"));
    }

    void smallerLimitsHoldBeforeAuthentication() {
        const FrameLimits limits{8192, 0};
        QVERIFY(readAll(encodeFrame(FrameType::Control, note(1)), 1 << 20, limits));
        QVERIFY(!readAll(prefix(1, 1, 8193), 1 << 20, limits));
        QVERIFY(!readAll(tensorFrameBytes(*patterned(10)), 1 << 20, limits));
    }

    void aFrameThatHasBegunIsKnown() {
        FrameReader reader;
        QVERIFY(!reader.isInFrame());
        const QByteArray bytes = encodeFrame(FrameType::Control, note(1));
        for (qsizetype i = 0; i < bytes.size(); ++i) {
            reader.wanted()[0] = static_cast<std::byte>(bytes[i]);
            QVERIFY(reader.filled(1));
            QCOMPARE(reader.isInFrame(), i + 1 < bytes.size());
        }
    }
};

QTEST_GUILESS_MAIN(TestFrameReader)
#include "test_frame_reader.moc"
