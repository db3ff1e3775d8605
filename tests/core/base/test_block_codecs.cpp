// Lossy codecs: exact bytes of known blocks, how far values move, what goes as it is.
#include <QtTest>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "core/base/block_codecs.h"

using namespace hearth;

namespace {

Payload payloadOf(const std::vector<float> &values) {
    auto buffer = Buffer::allocate(static_cast<qsizetype>(values.size()) * qsizetype(sizeof(float)));
    std::ranges::copy(std::as_bytes(std::span(values)), buffer->data());
    return Payload::of(std::move(buffer));
}

std::shared_ptr<Buffer> bufferOf(const Payload &payload) {
    auto buffer = Buffer::allocate(payload.size);
    std::copy_n(payload.data, payload.size, buffer->data());
    return buffer;
}

QByteArray bytesOf(const Codec &codec, const std::vector<float> &values, quint64 samples = 1,
                   Rounding rounding = Rounding::Nearest) {
    const Encoded sent = encoded(codec, DType::Float32, payloadOf(values), samples, rounding);
    return {reinterpret_cast<const char *>(sent.payload.data), sent.payload.size};
}

std::vector<float> thereAndBack(const Codec &codec, const std::vector<float> &values, quint64 samples = 1,
                                Rounding rounding = Rounding::Nearest) {
    const Encoded sent = encoded(codec, DType::Float32, payloadOf(values), samples, rounding);
    const auto raw =
        decoded(*sent.codec, DType::Float32, bufferOf(sent.payload), values.size() * sizeof(float), samples);
    std::vector<float> back(values.size());
    std::copy_n(raw->data(), raw->size(), reinterpret_cast<std::byte *>(back.data()));
    return back;
}

std::vector<float> normal(std::size_t count, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<float> next(0, 0.3F);
    std::vector<float> values(count);
    for (float &value : values)
        value = next(random);
    return values;
}

double distance(const std::vector<float> &a, const std::vector<float> &b) {
    double apart = 0, whole = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        apart += std::pow(double(a[i]) - b[i], 2);
        whole += std::pow(double(a[i]), 2);
    }
    return std::sqrt(apart / whole);
}

const std::vector<const Codec *> lossy{&bf16Codec, &bfp8Codec, &bfp4Codec};

}  // namespace

class TestBlockCodecs : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void knownBlocksHaveKnownBytes_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<QList<float>>("values");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("bf16 rounds half to even")
            << "bf16" << QList<float>{1.F, -2.F, std::bit_cast<float>(0x3f808000U), std::bit_cast<float>(0x3f818000U)}
            << QByteArray::fromHex("803f00c0803f823f");
        QTest::newRow("bfp8: the largest is 127 times the scale")
            << "bfp8" << QList<float>{127.F, -127.F, 1.F, 0.4F} << QByteArray::fromHex("803f7f810100");
        QTest::newRow("bfp4: the first half of a block in the low half of each byte")
            << "bfp4" << QList<float>{7.F, -7.F, 1.F, 0.F} << QByteArray::fromHex("8ebf818f8788");
        QTest::newRow("bfp4: to 8 on the side of the largest, and 11/16 of the scale for quarters that need no more")
            << "bfp4" << QList<float>{8.F, 0.F, 0.F, -7.F, 5.5F, -0.6875F, 0.F, 0.F}
            << QByteArray::fromHex("8ebf8088888f80898888");
        QTest::newRow("bfp4: the scale is positive where the largest is negative")
            << "bfp4" << QList<float>{-8.F, 7.F} << QByteArray::fromHex("8e3f808f");
        QTest::newRow("bfp8: a block below 1e-30 is zero")
            << "bfp8" << QList<float>{1e-31F, -1e-40F} << QByteArray::fromHex("00000000");
        QTest::newRow("bfp4: a block below 1e-30 is zero")
            << "bfp4" << QList<float>{1e-31F, -1e-40F} << QByteArray::fromHex("00008888");
    }

    void knownBlocksHaveKnownBytes() {
        QFETCH(QString, codec);
        QFETCH(QList<float>, values);
        QFETCH(QByteArray, bytes);
        QCOMPARE(bytesOf(*codecByName(codec), {values.begin(), values.end()}).toHex(), bytes.toHex());
    }

    void valuesMoveByNoMoreThanTheLevelSays_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<bool>("stochastic");
        QTest::addColumn<double>("most");
        QTest::newRow("bf16") << "bf16" << false << 0.0025;
        QTest::newRow("bfp8") << "bfp8" << false << 0.0070;
        QTest::newRow("bfp4 to nearest") << "bfp4" << false << 0.10;
        QTest::newRow("bfp4 stochastically") << "bfp4" << true << 0.14;
    }

    void valuesMoveByNoMoreThanTheLevelSays() {
        QFETCH(QString, codec);
        QFETCH(bool, stochastic);
        QFETCH(double, most);
        const std::vector<float> values = normal(100'000);
        const double moved = distance(values, thereAndBack(*codecByName(codec), values, 1,
                                                           stochastic ? Rounding::Stochastic : Rounding::Nearest));
        QVERIFY2(moved > 0 && moved < most, qPrintable(QString::number(moved)));
    }

    void stochasticRoundingHasTheRightMean() {
        // Every block has the same value at two places half a block apart, between two levels, and other values beside.
        constexpr std::size_t blocks = 20'000, one = 0, other = 32;
        std::vector<float> values = normal(blocks * 64);
        for (std::size_t i = 0; i < values.size(); i += 64) {
            for (std::size_t k = 0; k < 64; ++k)
                values[i + k] = std::min(values[i + k], 6.F);
            values[i + one] = values[i + other] = 0.3F;
            values[i + 1] = 7.F;
        }
        const std::vector<float> back = thereAndBack(bfp4Codec, values, 1, Rounding::Stochastic);
        double mean = 0, otherMean = 0, together = 0;
        for (std::size_t i = 0; i < values.size(); i += 64) {
            mean += back[i + one] / blocks;
            otherMean += back[i + other] / blocks;
            together += (back[i + one] - 0.3) * (back[i + other] - 0.3) / blocks;
        }
        QVERIFY2(std::abs(mean - 0.3) < 0.02, qPrintable(QString::number(mean)));
        QVERIFY2(std::abs(otherMean - 0.3) < 0.02, qPrintable(QString::number(otherMean)));
        QVERIFY2(std::abs(together) < 0.01, qPrintable(QString::number(together)));  // neither tells of the other
        QCOMPARE(thereAndBack(bfp4Codec, values, 1, Rounding::Stochastic), back);
    }

    void ofEveryLengthAllValuesComeBack() {
        for (const Codec *codec : lossy) {
            for (std::size_t count = 0; count <= 130; ++count) {
                const std::vector<float> values = normal(count, static_cast<unsigned>(count) + 1);
                QCOMPARE(static_cast<quint64>(bytesOf(*codec, values).size()),
                         codec->encodedBytes(DType::Float32, count * sizeof(float)));
                const std::vector<float> back = thereAndBack(*codec, values);
                for (std::size_t i = 0; i < count; ++i)
                    QVERIFY(std::abs(back[i] - values[i]) < 0.15);
            }
        }
    }

    void onAnyAddressTheBytesAreTheSameAndNoneAroundThem() {
        constexpr std::size_t around = 65;
        constexpr std::byte untouched{0xa5};
        const std::vector<float> numbers = normal(130);
        const std::vector<double> wide(numbers.begin(), numbers.end());
        const auto inPlace = [&](std::span<const std::byte> bytes, std::size_t size, const auto &write) {
            std::vector<std::byte> from(around, untouched), to(size + 2 * around, untouched);
            from.insert(from.end(), bytes.begin(), bytes.end());
            write(std::span(from).subspan(around), std::span(to).subspan(around, size));
            const auto isUntouched = [&](std::byte byte) { return byte == untouched; };
            if (!std::all_of(to.begin(), to.begin() + around, isUntouched) ||
                !std::all_of(to.end() - around, to.end(), isUntouched))
                return std::vector<std::byte>();
            return std::vector<std::byte>(to.begin() + around, to.end() - around);
        };
        for (const Codec *codec : {&bf16Codec, &bfp8Codec, &bfp4Codec, &bfp2Codec}) {
            for (const DType type : {DType::Float32, DType::Float64}) {
                for (std::size_t count = 1; count <= numbers.size(); ++count) {
                    const auto all =
                        type == DType::Float32 ? std::as_bytes(std::span(numbers)) : std::as_bytes(std::span(wide));
                    const auto raw = all.first(count * static_cast<std::size_t>(byteSize(type)));
                    const auto size = codec->encodedBytes(type, raw.size());
                    for (const Rounding rounding : {Rounding::Nearest, Rounding::Stochastic}) {
                        std::vector<std::byte> written(size), back(raw.size());
                        QVERIFY(codec->encode(type, raw, written, rounding));
                        codec->decode(type, written, back);
                        const auto encoded =
                            inPlace(raw, size, [&](auto from, auto to) { codec->encode(type, from, to, rounding); });
                        QVERIFY(encoded == written);
                        const auto decoded =
                            inPlace(written, raw.size(), [&](auto from, auto to) { codec->decode(type, from, to); });
                        QVERIFY(decoded == back);
                    }
                }
            }
        }
    }

    void howSamplesAreSplitChangesNothing() {
        const std::vector<float> values = normal(std::size_t(6) * 70);
        for (const Codec *codec : lossy) {
            QByteArray parts;
            for (std::size_t first = 0; first < 6; first += 2)
                parts += bytesOf(*codec, {values.begin() + 70 * first, values.begin() + 70 * (first + 2)}, 2,
                                 Rounding::Stochastic);
            QCOMPARE(parts, bytesOf(*codec, values, 6, Rounding::Stochastic));
        }
    }

    void whatCannotBeWrittenGoesAsItIs() {
        for (const Codec *codec : lossy) {
            for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::quiet_NaN(), std::bit_cast<float>(0x7fffffffU),
                                    std::bit_cast<float>(0xffffffffU), std::numeric_limits<float>::max()}) {
                std::vector<float> values = normal(200);
                values[150] = bad;
                const Payload raw = payloadOf(values);
                const Encoded sent = encoded(*codec, DType::Float32, raw, 2, Rounding::Nearest);
                QCOMPARE(sent.codec, &noCodec());
                QCOMPARE(sent.payload.data, raw.data);
            }
        }
    }

    void numbersOf64BitsAreRoundedTo32First() {
        const std::vector<float> values = normal(100);
        auto wide = Buffer::allocate(100 * sizeof(double));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double value = values[i];
            std::memcpy(wide->data() + i * sizeof(double), &value, sizeof(double));
        }
        for (const Codec *codec : lossy) {
            const Encoded sent = encoded(*codec, DType::Float64, Payload::of(wide), 1, Rounding::Nearest);
            QCOMPARE(QByteArray(reinterpret_cast<const char *>(sent.payload.data), sent.payload.size),
                     bytesOf(*codec, values));
            const auto raw = decoded(*codec, DType::Float64, bufferOf(sent.payload), 100 * sizeof(double), 1);
            double last = 0;
            std::memcpy(&last, raw->data() + 99 * sizeof(double), sizeof(double));
            QCOMPARE(static_cast<float>(last), thereAndBack(*codec, values).back());
        }
    }
};

QTEST_GUILESS_MAIN(TestBlockCodecs)
#include "test_block_codecs.moc"
