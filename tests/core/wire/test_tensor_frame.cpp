#include <QTest>
#include <array>

#include "core/wire/tensor_frame.h"

using namespace hearth;

namespace {

TensorHeader sample() {
    TensorHeader header;
    header.kind = TensorKind::Gradient;
    header.dtype = DType::Float64;
    header.dims = {2, 3, 5};
    header.rawBytes = header.encodedBytes = 240;
    header.term = 0x01020304;
    header.round = 0x11121314;
    header.version = 0x2122232425262728;
    header.microBatch = 0x31323334;
    header.stage = 0x4142;
    header.slot = 0x5152;
    header.firstSample = 0x61626364;
    header.sampleCount = 0x71727374;
    header.crc32c = 0x81828384;
    return header;
}

constexpr quint64 limit = 1 << 20;

}  // namespace

class TestTensorFrame : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyFieldSurvivesTheWire_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("rank");
        for (int kind = 1; kind <= 7; ++kind)
            QTest::addRow("kind %d", kind) << kind << 1 << 2;
        for (int dtype = 1; dtype <= 7; ++dtype)
            QTest::addRow("element type %d", dtype) << 1 << dtype << 2;
        for (int rank = 0; rank <= 8; ++rank)
            QTest::addRow("rank %d", rank) << 1 << 1 << rank;
    }

    void everyFieldSurvivesTheWire() {
        QFETCH(int, kind);
        QFETCH(int, dtype);
        QFETCH(int, rank);
        TensorHeader header = sample();
        header.kind = static_cast<TensorKind>(kind);
        header.dtype = static_cast<DType>(dtype);
        header.dims.assign(static_cast<std::size_t>(rank), 3);
        header.rawBytes = header.encodedBytes = *header.bytesOfShape();
        std::array<std::byte, tensorHeaderBytes> bytes;
        encodeTensorHeader(header, bytes);
        const auto decoded = decodeTensorHeader(bytes, limit);
        QVERIFY2(decoded, qPrintable(decoded ? QString() : decoded.error().toString()));
        QVERIFY(*decoded == header);
    }

    void everyByteMattersOrIsRefused() {
        std::array<std::byte, tensorHeaderBytes> bytes;
        encodeTensorHeader(sample(), bytes);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            auto damaged = bytes;
            damaged[i] ^= std::byte{0x80};
            const auto decoded = decodeTensorHeader(damaged, limit);
            QVERIFY2(!decoded || !(*decoded == sample()), qPrintable(QString::number(i)));
        }
    }

    void wrongHeadersAreRefused_data() {
        QTest::addColumn<int>("at");
        QTest::addColumn<int>("value");
        QTest::newRow("kind 0") << 0 << 0;
        QTest::newRow("kind 9") << 0 << 9;
        QTest::newRow("element type 0") << 1 << 0;
        QTest::newRow("element type 200") << 1 << 200;
        QTest::newRow("rank 9") << 2 << 9;
        QTest::newRow("rank 255") << 2 << 255;
        QTest::newRow("an unknown codec") << 3 << 1;
        QTest::newRow("byte counts that contradict the shape") << 32 << 1;
        QTest::newRow("a payload size that contradicts the codec") << 40 << 1;
        QTest::newRow("a dimension that needs 2^24 times more bytes") << 55 << 1;
        QTest::newRow("a dimension beyond the rank") << 80 << 1;
        QTest::newRow("reserved bytes in use") << 95 << 1;
    }

    void wrongHeadersAreRefused() {
        QFETCH(int, at);
        QFETCH(int, value);
        std::array<std::byte, tensorHeaderBytes> bytes;
        encodeTensorHeader(sample(), bytes);
        bytes[static_cast<std::size_t>(at)] = static_cast<std::byte>(value);
        const auto decoded = decodeTensorHeader(bytes, limit);
        QVERIFY(!decoded);
        QCOMPARE(decoded.error().code, QStringLiteral("wire.bad-tensor"));
    }

    void aShapeBeyondCountingIsRefused() {
        TensorHeader header = sample();
        header.dims = {0xffffffff, 0xffffffff, 0xffffffff};
        QVERIFY(!header.bytesOfShape());
        header.rawBytes = header.encodedBytes = 0;
        QVERIFY(!header.validate(limit));
    }

    void aTensorBeyondTheLimitIsRefused() {
        TensorHeader header = sample();
        header.dims = {limit};
        header.rawBytes = header.encodedBytes = 8 * limit;
        QVERIFY(!header.validate(limit));
        QVERIFY(header.validate(8 * limit));
    }

    void theChecksumCoversHeaderAndPayload() {
        const std::array<std::byte, 4> payload{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
        auto other = payload;
        other[3] = std::byte{5};
        TensorHeader header = sample();
        const quint32 checksum = tensorChecksum(header, payload);
        QVERIFY(tensorChecksum(header, other) != checksum);
        header.crc32c = 0;
        QCOMPARE(tensorChecksum(header, payload), checksum);
        header.round += 1;
        QVERIFY(tensorChecksum(header, payload) != checksum);
    }
};

QTEST_GUILESS_MAIN(TestTensorFrame)
#include "test_tensor_frame.moc"
