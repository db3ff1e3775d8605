// What crosses cuts, packed behind every codec: what comes back, and what is refused.
#include <QTest>
#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "core/base/codec.h"
#include "core/wire/frame_reader.h"
#include "core/wire/packed_tensor.h"

using namespace hearth;

namespace {

constexpr quint64 limit = 1 << 20;

/// As behind a rectifier: half of the numbers are zero.
template <class Number>
std::shared_ptr<Buffer> rectified(std::size_t count) {
    std::mt19937 random(1);
    std::normal_distribution<Number> next;
    auto buffer = Buffer::allocate(static_cast<qsizetype>(count) * qsizetype{sizeof(Number)});
    for (std::size_t i = 0; i < count; ++i) {
        const Number value = std::max(next(random), Number{0});
        std::memcpy(buffer->data() + i * sizeof value, &value, sizeof value);
    }
    return buffer;
}

struct Sent {
    TensorHeader header;
    Payload payload;
};

/// Four samples behind the codec.
Sent coded(const Codec &codec, DType type) {
    TensorHeader header;
    header.kind = TensorKind::Activation;
    header.dtype = type;
    header.dims = {4, 1000};
    const auto raw = type == DType::Float64 ? rectified<double>(4000) : rectified<float>(4000);
    Encoded written = encoded(codec, type, Payload::of(raw), 4, Rounding::Nearest);
    header.codec = written.codec->number;
    return {header, std::move(written.payload)};
}

TensorFrame arrived(Sent sent) {
    sent.header.setByteCounts(sent.payload.size);
    TensorFrame frame{sent.header, Buffer::allocate(sent.payload.size), {}};
    std::memcpy(frame.payload->data(), sent.payload.data, static_cast<std::size_t>(sent.payload.size));
    return frame;
}

}  // namespace

class TestPackedTensor : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void behindEveryCodecTheSameValuesComeBack_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("shorter");
        QTest::newRow("none") << "none" << int(DType::Float32) << 1.4;
        QTest::newRow("none, of 64 bits") << "none" << int(DType::Float64) << 1.4;
        QTest::newRow("bf16") << "bf16" << int(DType::Float32) << 1.5;
        QTest::newRow("bfp8") << "bfp8" << int(DType::Float32) << 1.2;
        QTest::newRow("bfp4") << "bfp4" << int(DType::Float32) << 1.2;
        QTest::newRow("bfp4, of 64 bits") << "bfp4" << int(DType::Float64) << 1.2;
    }

    void behindEveryCodecTheSameValuesComeBack() {
        QFETCH(QString, codec);
        QFETCH(int, type);
        QFETCH(double, shorter);
        const Sent plain = coded(*codecByName(codec), static_cast<DType>(type));
        Sent packed = plain;
        QVERIFY(packTensor(packed.header, packed.payload));
        QVERIFY2(double(plain.payload.size) >= shorter * double(packed.payload.size),
                 qPrintable(QStringLiteral("%1 of %2").arg(packed.payload.size).arg(plain.payload.size)));
        const TensorFrame frame = arrived(packed);
        std::array<std::byte, tensorHeaderBytes> bytes;
        encodeTensorHeader(frame.header, bytes);
        const auto header = decodeTensorHeader(bytes, limit);
        QVERIFY2(header, qPrintable(header ? QString() : header.error().toString()));
        QVERIFY(*header == frame.header);
        QCOMPARE(header->payloadBytes(), static_cast<quint64>(packed.payload.size));
        const auto values = valuesOf(frame), wanted = valuesOf(arrived(plain));
        QVERIFY(values && wanted);
        QCOMPARE(static_cast<quint64>((*values)->size()), header->rawBytes);
        QVERIFY(std::ranges::equal((*values)->bytes(), (*wanted)->bytes()));
    }

    void whatDoesNotFitIsRefused_data() {
        QTest::addColumn<QString>("what");
        for (const char *what : {"labels", "as long as what it unpacks to", "another shape"})
            QTest::newRow(what) << QString::fromLatin1(what);
    }

    void whatDoesNotFitIsRefused() {
        QFETCH(QString, what);
        Sent packed = coded(noCodec(), DType::Float32);
        QVERIFY(packTensor(packed.header, packed.payload));
        TensorHeader header = arrived(packed).header;
        QVERIFY(header.validate(limit));
        if (what == QLatin1String("labels"))
            header.kind = TensorKind::Label;
        if (what == QLatin1String("as long as what it unpacks to"))
            header.packedBytes = static_cast<quint32>(header.encodedBytes);
        if (what == QLatin1String("another shape"))
            header.dims = {4, 1001};
        const auto valid = header.validate(limit);
        QVERIFY(!valid);
        QCOMPARE(valid.error().code, QStringLiteral("wire.bad-tensor"));
    }

    void whatUnpacksToMoreOrLessIsRefused_data() {
        QTest::addColumn<quint32>("features");
        QTest::newRow("more than its header says") << quint32{500};
        QTest::newRow("less than its header says") << quint32{2000};
    }

    void whatUnpacksToMoreOrLessIsRefused() {
        QFETCH(quint32, features);
        Sent packed = coded(noCodec(), DType::Float32);
        QVERIFY(packTensor(packed.header, packed.payload));
        packed.header.dims = {4, features};
        packed.header.encodedBytes = *packed.header.bytesOfShape();
        const auto values = valuesOf(arrived(packed));
        QVERIFY(!values);
        QCOMPARE(values.error().code, QStringLiteral("wire.bad-tensor"));
    }

    void onlyAGradientThatNoCodecWroteMayLackValues_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<bool>("valid");
        QTest::newRow("a gradient") << int(TensorKind::Gradient) << 400 << true;
        QTest::newRow("a gradient that comes to nothing") << int(TensorKind::Gradient) << 0 << true;
        QTest::newRow("parts of numbers") << int(TensorKind::Gradient) << 402 << false;
        QTest::newRow("an activation") << int(TensorKind::Activation) << 400 << false;
    }

    void onlyAGradientThatNoCodecWroteMayLackValues() {
        QFETCH(int, kind);
        QFETCH(int, bytes);
        QFETCH(bool, valid);
        TensorHeader header;
        header.kind = static_cast<TensorKind>(kind);
        header.dims = {4, 100};
        header.setByteCounts(bytes);
        QVERIFY(header.lacksValues());
        QCOMPARE(header.validate(limit).has_value(), valid);
        header.codec = 2;
        QVERIFY(!header.validate(limit));
    }

    void noiseStaysAsItIs() {
        Sent sent = coded(noCodec(), DType::Float32);
        std::mt19937 random(1);
        auto noise = Buffer::allocate(sent.payload.size);
        std::ranges::generate(noise->bytes(), [&] { return static_cast<std::byte>(random()); });
        sent.payload = Payload::of(noise);
        QVERIFY(!packTensor(sent.header, sent.payload));
        QCOMPARE(sent.header.packedBytes, quint32{0});
        QCOMPARE(sent.payload.data, std::as_const(*noise).data());
    }
};

QTEST_GUILESS_MAIN(TestPackedTensor)
#include "test_packed_tensor.moc"
