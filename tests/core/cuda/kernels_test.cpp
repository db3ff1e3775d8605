// Kernels of NVIDIA's cards against the processor's functions, byte for byte.
#include "core/cuda/kernels.h"

#include <QtTest>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/base/block_codecs.h"
#include "core/train/flat_math.h"
#include "on_card.h"

using namespace hearth;

namespace {

constexpr qint64 large = 2'000'003;
const std::vector<qint64> sizes{0, 1, 2, 3, 5, 31, 256, 1000, 1023, 1024, 1027, 4099, 70'001, large};
/// Of two arrays, in elements from a multiple of 256 bytes: alike to one another, or not.
const std::vector<std::pair<std::size_t, std::size_t>> offsets{{0, 0}, {1, 1}, {3, 3}, {0, 1}, {2, 3}};

std::mt19937_64 random64;

/// All kinds of finite numbers: most of a size as in training, some zeros of both signs, tiny, subnormal and large
/// ones.
template <class T>
Bytes numbers(qint64 count) {
    Bytes bytes(static_cast<std::size_t>(count) * sizeof(T));
    for (qint64 i = 0; i < count; ++i) {
        const quint64 word = random64();
        T value = static_cast<T>(static_cast<double>(word >> 11) * 0x1p-53 - 0.5);
        switch (word % 64) {
            case 0:
                value = 0;
                break;
            case 1:
                value = -T(0);
                break;
            case 2:
                value *= std::numeric_limits<T>::min();
                break;
            case 3:
                value *= std::numeric_limits<T>::denorm_min() * T(1000);
                break;
            case 4:
                value *= static_cast<T>(1e15);
                break;
            default:
                break;
        }
        std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(T), &value, sizeof(T));
    }
    return bytes;
}

Bytes numbers(DType type, qint64 count) {
    return type == DType::Float64 ? numbers<double>(count) : numbers<float>(count);
}

/// Values of a cut: blocks of very different size, some of zeros alone.
template <class T>
Bytes activations(qint64 count) {
    Bytes bytes = numbers<T>(count);
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

cuda::Real realOf(DType type) {
    return static_cast<cuda::Real>(type);
}

std::size_t bytesOf(DType type, qint64 count) {
    return static_cast<std::size_t>(count * byteSize(type));
}

/// Where the card's bytes are other ones; empty: nowhere.
QString difference(const Bytes &card, const Bytes &processor) {
    if (card.size() != processor.size())
        return QStringLiteral("%1 bytes instead of %2").arg(card.size()).arg(processor.size());
    if (card.empty() || std::memcmp(card.data(), processor.data(), card.size()) == 0)
        return {};
    const auto [mine, theirs] = std::ranges::mismatch(card, processor);
    qsizetype others = 0;
    for (std::size_t i = 0; i < card.size(); ++i)
        others += card[i] != processor[i];
    return QStringLiteral("byte %1 of %2 is %3 instead of %4, and %5 in all are other ones")
        .arg(mine - card.begin())
        .arg(card.size())
        .arg(int(*mine), 2, 16, QLatin1Char('0'))
        .arg(int(*theirs), 2, 16, QLatin1Char('0'))
        .arg(others);
}

void addTypes() {
    QTest::addColumn<DType>("type");
    QTest::newRow("32 bits") << DType::Float32;
    QTest::newRow("64 bits") << DType::Float64;
}

}  // namespace

// What a kernel wrote, with nothing around it touched and nothing that CUDA complains about.
#define COMPARE_CARD(onCard, expected, where)                                                                \
    do {                                                                                                     \
        const QString apart = difference((onCard).get(), expected);                                          \
        QVERIFY2(apart.isEmpty(), qPrintable(QStringLiteral(#onCard ", %1: %2").arg(where, apart)));         \
        QVERIFY2((onCard).isFramed(), qPrintable(QStringLiteral("written beyond " #onCard ", ") + (where))); \
        const char *wrong = cuda::lastError();                                                               \
        QVERIFY2(!wrong, wrong);                                                                             \
    } while (false)

class TestCudaKernels : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        const QString reason = whyNoCard();
        if (!reason.isEmpty())
            QSKIP(qPrintable(reason));
        const quint64 seed = std::random_device{}();
        qInfo("Seed %llu", seed);
        random64.seed(seed);
        QCOMPARE(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), cudaSuccess);
    }

    void cleanupTestCase() {
        if (m_stream)
            cudaStreamDestroy(m_stream);
    }

    void gradientsAreAdded_data() { addTypes(); }
    void gradientsAreAdded() {
        QFETCH(DType, type);
        for (const qint64 count : sizes) {
            for (const auto &[one, other] : offsets) {
                Bytes target = numbers(type, count);
                const Bytes addend = numbers(type, count);
                const OnCard cardTarget(target, bytesOf(type, qint64(one)));
                const OnCard cardAddend(addend, bytesOf(type, qint64(other)));
                cuda::addInto(cardTarget.data(), cardAddend.data(), count, realOf(type), m_stream);
                addInto(target.data(), addend.data(), count, type);
                COMPARE_CARD(cardTarget, target, placeOf(count, one, other));
                COMPARE_CARD(cardAddend, addend, placeOf(count, one, other));
            }
        }
    }

    void whatRoundingLostIsKept_data() { addTypes(); }
    void whatRoundingLostIsKept() {
        QFETCH(DType, type);
        for (const qint64 count : sizes) {
            for (const auto &[one, other] : offsets) {
                Bytes value = numbers(type, count), error(bytesOf(type, count));
                const Bytes rounded = numbers(type, count);
                const OnCard cardValue(value, bytesOf(type, qint64(one)));
                const OnCard cardError(error.size(), bytesOf(type, qint64(one)));
                const OnCard cardRounded(rounded, bytesOf(type, qint64(other)));
                cuda::takeRounded(cardValue.data(), cardError.data(), cardRounded.data(), count, realOf(type),
                                  m_stream);
                takeRounded(value.data(), error.data(), rounded.data(), count, type);
                COMPARE_CARD(cardValue, value, placeOf(count, one, other));
                COMPARE_CARD(cardError, error, placeOf(count, one, other));
            }
        }
    }

    void masksAreTheSaltsOwn() {
        for (const qint64 count : sizes) {
            for (const qint64 first : {qint64(0), qint64(1), qint64(6), (qint64(1) << 33) + 7}) {
                for (const std::size_t offset : {std::size_t(0), std::size_t(1), std::size_t(9)}) {
                    for (const double probability : {0.0, 0.1, 0.999}) {
                        const quint64 salt = random64();
                        Bytes kept(static_cast<std::size_t>(count));
                        const OnCard cardKept(kept.size(), offset);
                        // Both count elements from the mask's beginning, of which there may be no memory.
                        cuda::drawKept(maskBefore(cardKept.data(), first), first, first + count, probability, salt,
                                       m_stream);
                        drawKept(maskBefore(kept.data(), first), first, first + count, probability, salt);
                        COMPARE_CARD(cardKept, kept, placeOf(count, std::size_t(first), offset));
                    }
                }
            }
        }
    }

    void whatAMaskDropsIsZero_data() { addTypes(); }
    void whatAMaskDropsIsZero() {
        QFETCH(DType, type);
        for (const qint64 count : sizes) {
            for (const auto &[one, other] : offsets) {
                const Bytes source = numbers(type, count);
                Bytes target(source.size()), kept(static_cast<std::size_t>(count));
                drawKept(maskBefore(kept.data(), 0), 0, count, 0.3, random64());
                const OnCard cardSource(source, bytesOf(type, qint64(one)));
                const OnCard cardTarget(target.size(), bytesOf(type, qint64(other)));
                const OnCard cardKept(kept, one);
                const double factor = 1 / 0.7;
                cuda::multiplyKept(cardTarget.data(), cardSource.data(), cardKept.data<std::uint8_t>(), factor, count,
                                   realOf(type), m_stream);
                multiplyKept(target.data(), source.data(), maskBefore(kept.data(), 0), factor, count, type);
                COMPARE_CARD(cardTarget, target, placeOf(count, one, other));
            }
        }
    }

    void squaresAreSummedInOneOrder_data() { addTypes(); }
    void squaresAreSummedInOneOrder() {
        QFETCH(DType, type);
        for (const qint64 count : sizes) {
            const Bytes values = numbers(type, count);
            long double exact = 0;
            for (qint64 i = 0; i < count; ++i)
                exact += squareOf(type, values, i);
            Bytes first;
            for (const qint64 offset : {0, 0, 1, 3}) {
                const OnCard cardValues(values, bytesOf(type, offset));
                const OnCard sum(sizeof(double)), parts(cuda::squareParts * sizeof(double));
                cuda::sumSquares(cardValues.data(), count, realOf(type), sum.data<double>(), parts.data<double>(),
                                 m_stream);
                const Bytes bytes = sum.get();
                QCOMPARE(bytes.size(), sizeof(double));
                if (first.empty()) {
                    first = bytes;
                    double found = 0;
                    std::memcpy(&found, bytes.data(), sizeof found);
                    QVERIFY2(std::abs(found - double(exact)) <= 1e-14 * double(exact),
                             qPrintable(QStringLiteral("%1 values: %2 instead of %3")
                                            .arg(count)
                                            .arg(found, 0, 'g', 17)
                                            .arg(double(exact), 0, 'g', 17)));
                }
                COMPARE_CARD(sum, first, placeOf(count, std::size_t(offset), 0));
                QVERIFY(parts.isFramed());
            }
        }
    }

    void optimizersTakeTheSameSteps_data() {
        QTest::addColumn<OptimizerSpec>("optimizer");
        QTest::addColumn<Precision>("precision");
        using Kind = OptimizerSpec::Kind;
        const auto rows = [](const char *name, Kind kind, double momentum, bool nesterov) {
            for (const double ema : {0.0, 0.99}) {
                for (const double decay : {0.0, 0.02}) {
                    for (const Precision precision : {Precision::Float32, Precision::Float64}) {
                        OptimizerSpec optimizer = OptimizerSpec::defaultOf(kind);
                        optimizer.momentum = momentum;
                        optimizer.nesterov = nesterov;
                        optimizer.ema = ema;
                        optimizer.weightDecay = decay;
                        QTest::addRow("%s%s%s, %s", name, ema > 0 ? " with an average" : "",
                                      decay > 0 ? " and decay" : "",
                                      precision == Precision::Float32 ? "32 bits" : "64 bits")
                            << optimizer << precision;
                    }
                }
            }
        };
        rows("SGD", Kind::Sgd, 0, false);
        rows("momentum", Kind::Sgd, 0.9, false);
        rows("Nesterov", Kind::Sgd, 0.9, true);
        rows("Adam", Kind::Adam, 0, false);
        rows("AdamW", Kind::AdamW, 0, false);
    }

    void optimizersTakeTheSameSteps() {
        QFETCH(OptimizerSpec, optimizer);
        QFETCH(Precision, precision);
        TrainingSpec training;
        training.optimizer = optimizer;
        training.precision = precision;
        training.rounds = 100;
        training.schedule.kind = RateSchedule::Kind::Cosine;
        const DType type = dtypeOf(precision);
        for (const qint64 count : sizes) {
            for (const auto &[one, other] : offsets) {
                if (count == large && one != 0)
                    continue;
                const FlatOptimizer flat(training, biasesIn(count));
                Bytes p = numbers(type, count), g = numbers(type, count);
                Bytes state(p.size() * static_cast<std::size_t>(optimizer.state().copies));
                const OnCard cardP(p, bytesOf(type, qint64(one))), cardState(state, bytesOf(type, qint64(other)));
                OnCard cardG(g, bytesOf(type, qint64(one)));
                const OnCard cardRanges(rangesOf(flat), 0);
                for (const quint64 step : {1, 2, 50}) {
                    if (count == large && step > 1)
                        break;
                    g = numbers(type, count);
                    cardG.put(g.data());
                    cuda::step(flat.factors(step), cardP.data(), cardG.data(), cardState.data(), count, realOf(type),
                               cardRanges.data<cuda::Range>(), int(flat.undecayed().size()), m_stream);
                    flat.step(p.data(), g.data(), state.data(), count, step);
                    const QString where = placeOf(count, one, other) + QStringLiteral(", step %1").arg(step);
                    COMPARE_CARD(cardP, p, where);
                    COMPARE_CARD(cardState, state, where);
                    COMPARE_CARD(cardG, g, where);
                }
            }
        }
    }

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
                const Bytes raw = type == DType::Float64 ? activations<double>(count) : activations<float>(count);
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
                             stochastic, refused.data<quint32>(), m_stream);
                cuda::decode(coding, realOf(type), cardBytes.data(), cardBack.data(), quint64(samples), perSample,
                             m_stream);
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
                                 samples, bytesOf(type, values), false, cardRefused.data<quint32>(), m_stream);
                    Bytes flag(sizeof(quint32));
                    flag[0] = std::byte(refused);
                    COMPARE_CARD(cardRefused, flag,
                                 QLatin1String(codec->name) + placeOf(values, std::size_t(place), 0));
                    QVERIFY(bytes.isFramed());
                }
            }
        }
    }

    void whatCudaRefusesIsTold() {
        const OnCard values(16);
        // More blocks of threads than any card takes.
        cuda::addInto(values.data(), values.data(), qint64(1) << 50, cuda::Real::Float32, m_stream);
        QVERIFY(cuda::lastError());
        QVERIFY(!cuda::lastError());
    }

  private:
    static QString placeOf(qint64 count, std::size_t one, std::size_t other) {
        return QStringLiteral("%1 values at %2 and %3").arg(count).arg(one).arg(other);
    }

    static std::uint8_t *maskBefore(void *mask, qint64 first) { return static_cast<std::uint8_t *>(mask) - first; }

    static long double squareOf(DType type, const Bytes &values, qint64 i) {
        double wide = 0;
        float narrow = 0;
        if (type == DType::Float64)
            std::memcpy(&wide, values.data() + bytesOf(type, i), sizeof wide);
        else
            std::memcpy(&narrow, values.data() + bytesOf(type, i), sizeof narrow);
        const long double value = type == DType::Float64 ? wide : double(narrow);
        return value * value;
    }

    /// Vectors of all lengths among matrices, which weight decay leaves out.
    static std::vector<FlatTensor> biasesIn(qint64 count) {
        std::vector<FlatTensor> tensors;
        for (qint64 first = 0; first < count;) {
            const bool isBias = random64() % 2 == 0;
            const qint64 length = std::min(count - first, 1 + qint64(random64() % (isBias ? 300 : 9000)));
            tensors.push_back({{first, first + length}, isBias ? Shape{length} : Shape{1, length}, {}});
            first += length;
        }
        return tensors;
    }

    static Bytes rangesOf(const FlatOptimizer &flat) {
        Bytes bytes;
        for (const auto &[first, end] : flat.undecayed()) {
            const cuda::Range range{first, end};
            const auto *at = reinterpret_cast<const std::byte *>(&range);
            bytes.insert(bytes.end(), at, at + sizeof range);
        }
        return bytes;
    }

    cudaStream_t m_stream = nullptr;
};

QTEST_GUILESS_MAIN(TestCudaKernels)
#include "kernels_test.moc"
