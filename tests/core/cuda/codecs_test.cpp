// A card's codecs against the processor's, byte for byte.
#include <QTest>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include "core/base/block_codecs.h"
#include "tests/core/cuda/kernel_case.h"

using namespace hearth;

namespace {

/// Values of a cut: blocks of very different size, some of zeros alone.
template <class T>
Bytes activations(DType type, qint64 count) {
    Bytes bytes = numbers(type, count);
    T factor = 1;
    for (qint64 i = 0; i < count; ++i) {
        if (i % 64 == 0)
            factor = random64() % 8 == 0 ? T(0) : static_cast<T>(std::exp2(static_cast<int>(random64() % 160) - 100));
        T value;
        std::byte *at = bytes.data() + static_cast<std::size_t>(i) * sizeof(T);
        std::memcpy(&value, at, sizeof(T));
        value *= factor;
        std::memcpy(at, &value, sizeof(T));
    }
    return bytes;
}

}  // namespace

class CudaCodecsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = whyNoCard(); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        m_stream.emplace();
    }
    void cleanupTestCase() { m_stream.reset(); }

    void codecsWriteTheSameBytes_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<bool>("stochastic");
        QTest::addColumn<DType>("type");
        for (const char *codec : {"bf16", "bfp8", "bfp4", "bfp2"}) {
            for (const bool stochastic : {false, true}) {
                for (const DType type : {DType::Float32, DType::Float64})
                    QTest::addRow("%s %s, %d bits", codec, stochastic ? "stochastically" : "to nearest",
                                  8 * byteSize(type))
                        << codec << stochastic << type;
            }
        }
    }

    void codecsWriteTheSameBytes() {
        QFETCH(QString, codec);
        QFETCH(bool, stochastic);
        QFETCH(DType, type);
        const Codec &own = *codecByName(codec);
        const auto coding = static_cast<cuda::Coding>(own.number);
        const std::vector<std::pair<qint64, qint64>> shapes{
            {1, 0},     {1, 1},      {1, 31},    {1, 32},    {1, 33},      {1, 63},     {1, 64},
            {1, 65},    {2, 16},     {7, 1},     {3, 70},    {5, 33},      {1, 4096},   {1, 4113},
            {64, 1000}, {128, 1024}, {33, 4097}, {1, large}, {2, 500'002}, {20'000, 3}, {300, 64}};
        for (const auto &[samples, values] : shapes) {
            for (const auto &[one, other] : offsets) {
                if (samples * values > 500'000 && one != 0)
                    continue;
                const qint64 count = samples * values;
                const Bytes raw =
                    type == DType::Float64 ? activations<double>(type, count) : activations<float>(type, count);
                const quint64 perSample = bytesOf(type, values);
                const quint64 written = own.encodedBytes(type, perSample);
                Bytes bytes(static_cast<std::size_t>(samples) * written), back(raw.size());
                for (quint64 s = 0; s < quint64(samples); ++s) {
                    QVERIFY(own.encode(type, std::span(raw).subspan(s * perSample, perSample),
                                       std::span(bytes).subspan(s * written, written),
                                       stochastic ? Rounding::Stochastic : Rounding::Nearest));
                    own.decode(type, std::span(bytes).subspan(s * written, written),
                               std::span(back).subspan(s * perSample, perSample));
                }
                // Two bytes are an element of bf16, one is of the others.
                const OnCard cardRaw(raw, bytesOf(type, qint64(one)));
                const OnCard cardBytes(bytes.size(), other * (coding == cuda::Coding::Bf16 ? 2 : 1));
                const OnCard cardBack(back.size(), bytesOf(type, qint64(one)));
                const OnCard refused(Bytes(sizeof(quint32)), 0);
                cuda::encode(coding, realOf(type), cardRaw.data(), cardBytes.data(), quint64(samples), perSample,
                             stochastic, refused.data<quint32>(), *m_stream);
                cuda::decode(coding, realOf(type), cardBytes.data(), cardBack.data(), quint64(samples), perSample,
                             *m_stream);
                const QString where = QStringLiteral("%1 samples, ").arg(samples) + placeOf(values, one, other);
                COMPARE_CARD(cardBytes, bytes, where);
                COMPARE_CARD(cardBack, back, where);
                COMPARE_CARD(refused, Bytes(sizeof(quint32)), where);
            }
        }
    }

    void codecsRefuseWhatTheyCannotWrite_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<bool>("refused");
        QTest::newRow("infinity") << std::numeric_limits<double>::infinity() << true;
        QTest::newRow("minus infinity") << -std::numeric_limits<double>::infinity() << true;
        QTest::newRow("no number") << std::numeric_limits<double>::quiet_NaN() << true;
        QTest::newRow("2^127") << 0x1p127 << true;
        QTest::newRow("the largest of 32 bits") << double(-std::numeric_limits<float>::max()) << true;
        QTest::newRow("nearly 2^127") << double(std::bit_cast<float>(0x7effffffU)) << false;
        QTest::newRow("one") << 1.0 << false;
    }

    void codecsRefuseWhatTheyCannotWrite() {
        QFETCH(double, value);
        QFETCH(bool, refused);
        constexpr qint64 samples = 3;
        for (const Codec *codec : {&bf16Codec, &bfp8Codec, &bfp4Codec, &bfp2Codec}) {
            for (const DType type : {DType::Float32, DType::Float64}) {
                for (const qint64 values : {1, 70, 5000}) {
                    Bytes raw = numbers(type, samples * values);
                    const qint64 place = qint64(random64() % quint64(samples * values));
                    std::byte *at = raw.data() + bytesOf(type, place);
                    const auto narrow = static_cast<float>(value);
                    if (type == DType::Float64)
                        std::memcpy(at, &value, sizeof value);
                    else
                        std::memcpy(at, &narrow, sizeof narrow);
                    const OnCard cardRaw(raw, 0), cardRefused(Bytes(sizeof(quint32)), 0);
                    const OnCard bytes(quint64(samples) * codec->encodedBytes(type, bytesOf(type, values)));
                    cuda::encode(static_cast<cuda::Coding>(codec->number), realOf(type), cardRaw.data(), bytes.data(),
                                 samples, bytesOf(type, values), false, cardRefused.data<quint32>(), *m_stream);
                    Bytes flag(sizeof(quint32));
                    flag[0] = std::byte(refused);
                    COMPARE_CARD(cardRefused, flag,
                                 QLatin1String(codec->name) + placeOf(values, std::size_t(place), 0));
                    QVERIFY(bytes.isFramed());
                }
            }
        }
    }

  private:
    std::optional<CardStream> m_stream;
};

QTEST_GUILESS_MAIN(CudaCodecsTest)
#include "codecs_test.moc"
