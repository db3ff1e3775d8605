// Codecs of cuts: their written form, and bytes there and back.
#include <QJsonObject>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "core/base/codec.h"

using namespace hearth;

namespace {

/// Keeps every other byte.
constexpr Codec sparse{.name = "sparse",
                       .number = 200,
                       .encodedBytes = [](DType, quint64 rawBytes) { return rawBytes / 2; },
                       .encode =
                           [](DType, std::span<const std::byte> raw, std::span<std::byte> encoded, Rounding) {
                               for (std::size_t i = 0; i < encoded.size(); ++i)
                                   encoded[i] = raw[2 * i];
                               return true;
                           },
                       .decode =
                           [](DType, std::span<const std::byte> encoded, std::span<std::byte> raw) {
                               for (std::size_t i = 0; i < raw.size(); ++i)
                                   raw[i] = encoded[i / 2];
                           }};

std::shared_ptr<Buffer> bufferOf(const std::vector<int> &values) {
    auto buffer = Buffer::allocate(static_cast<qsizetype>(values.size()));
    std::transform(values.begin(), values.end(), buffer->data(), [](int value) { return std::byte(value); });
    return buffer;
}

}  // namespace

class TestCodec : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void noCodecCopiesNothing() {
        const auto raw = bufferOf({1, 2, 3, 4});
        const Payload sent = encoded(noCodec(), DType::UInt8, Payload::of(raw), 1, Rounding::Nearest).payload;
        QCOMPARE(sent.data, raw->data());
        QCOMPARE(sent.size, raw->size());
        QCOMPARE(decoded(noCodec(), DType::UInt8, raw, 4, 1), raw);
        QCOMPARE(noCodec().encodedBytes(DType::UInt8, 4), quint64(4));
    }

    void aCodecsBytesAreTheOnesThatItAnnounces() {
        const Payload sent =
            encoded(sparse, DType::UInt8, Payload::of(bufferOf({1, 2, 3, 4})), 1, Rounding::Nearest).payload;
        QCOMPARE(sent.size, qsizetype(2));
        const auto arrived = bufferOf({int(sent.data[0]), int(sent.data[1])});
        const auto raw = decoded(sparse, DType::UInt8, arrived, 4, 1);
        QVERIFY(std::ranges::equal(raw->bytes(), bufferOf({1, 1, 3, 3})->bytes()));
    }

    void levelsAreRaisedOneByOneUntilNothingIsLost() {
        QStringList names;
        const Codec *codec = codecByName(QStringLiteral("bfp2"));
        for (; codec != &noCodec(); codec = &nextLessLossy(*codec)) {
            names << QString::fromLatin1(codec->name);
            QCOMPARE(&lessLossy(*codec, nextLessLossy(*codec)), &nextLessLossy(*codec));
            QCOMPARE(&lessLossy(nextLessLossy(*codec), *codec), &nextLessLossy(*codec));
        }
        QCOMPARE(names.join(QLatin1Char(' ')), QStringLiteral("bfp2 bfp4 bfp8 bf16"));
        QCOMPARE(&nextLessLossy(noCodec()), &noCodec());
        // What only tests force is offered to nobody.
        QVERIFY(
            std::ranges::none_of(codecs(), [](const Codec *each) { return each->name == std::string_view("bfp2"); }));
    }

    void whatACodecLosesIsToldAgainstWhatThereWas() {
        const std::vector<float> values{1, -2, 3, 0.5};
        const auto raw = Buffer::allocate(sizeof(float) * 4);
        std::memcpy(raw->data(), values.data(), sizeof(float) * 4);
        for (const quint64 samples : {1, 2}) {
            const Encoded written = encoded(*codecByName(QStringLiteral("bfp2")), DType::Float32, Payload::of(raw),
                                            samples, Rounding::Nearest);
            const auto sent = Buffer::allocate(written.payload.size);
            std::memcpy(sent->data(), written.payload.data, static_cast<std::size_t>(written.payload.size));
            const auto back = decoded(*written.codec, DType::Float32, sent, sizeof(float) * 4, samples);
            double error = 0, power = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                float read = 0;
                std::memcpy(&read, back->data() + i * sizeof(float), sizeof read);
                error += double(values[i] - read) * double(values[i] - read);
                power += double(values[i]) * double(values[i]);
            }
            QVERIFY(error > 0);
            QCOMPARE(lossOf(written, DType::Float32, Payload::of(raw), samples), (CodecLoss{error, power}));
            QCOMPARE(CodecLoss({error, power}).relative(), std::sqrt(error / power));
        }
        const Encoded exact = encoded(noCodec(), DType::Float32, Payload::of(raw), 1, Rounding::Nearest);
        QCOMPARE(lossOf(exact, DType::Float32, Payload::of(raw), 1).error, 0.0);
    }

    void codecsAreFoundByTheirNumbers() {
        for (const Codec *codec : codecs())
            QCOMPARE(codecByNumber(codec->number), codec);
        QCOMPARE(codecByNumber(0), &noCodec());
        QCOMPARE(codecByNumber(sparse.number), nullptr);
    }

    void aCutWithoutCodecsIsOneWord() {
        QCOMPARE(CutCodec{}.toJson(), QJsonValue(QStringLiteral("none")));
        for (const QJsonValue &value :
             {QJsonValue(QJsonValue::Undefined), QJsonValue(QStringLiteral("none")), QJsonValue(QJsonObject{}),
              QJsonValue(QJsonObject{{QStringLiteral("backward"), QStringLiteral("none")}})}) {
            const auto codec = CutCodec::fromJson(value, QStringLiteral("plan.json"), QStringLiteral("/codec"));
            QVERIFY(codec);
            QVERIFY(*codec == CutCodec{});
        }
    }

    void bothDirectionsHaveTheirOwn() {
        const QJsonObject written{{QStringLiteral("forward"), QStringLiteral("none")},
                                  {QStringLiteral("backward"), QStringLiteral("sparse")}};
        QCOMPARE((CutCodec{&noCodec(), &sparse}.toJson()), QJsonValue(written));
    }

    void wrongCodecsAreRefused_data() {
        QTest::addColumn<QJsonValue>("value");
        QTest::addColumn<QString>("place");
        QTest::newRow("a word that is no codec") << QJsonValue(QStringLiteral("zip")) << QStringLiteral("/codec");
        QTest::newRow("a number") << QJsonValue(3) << QStringLiteral("/codec");
        QTest::newRow("an unknown codec in one direction")
            << QJsonValue(QJsonObject{{QStringLiteral("forward"), QStringLiteral("sparse")}})
            << QStringLiteral("/codec/forward");
        QTest::newRow("an unknown key") << QJsonValue(QJsonObject{{QStringLiteral("both"), QStringLiteral("none")}})
                                        << QStringLiteral("/codec/both");
    }

    void wrongCodecsAreRefused() {
        QFETCH(QJsonValue, value);
        QFETCH(QString, place);
        const auto codec = CutCodec::fromJson(value, QStringLiteral("plan.json"), QStringLiteral("/codec"));
        QVERIFY(!codec);
        QVERIFY2(codec.error().toString().contains(place), qPrintable(codec.error().toString()));
    }
};

QTEST_GUILESS_MAIN(TestCodec)
#include "test_codec.moc"
