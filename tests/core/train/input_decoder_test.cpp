#include <QTest>
#include <array>
#include <cstring>
#include <semaphore>

#include "core/train/decoding_thread.h"

using namespace hearth;

namespace {

EncodedSamples encoded(qint64 samples, const Shape &sample, quint8 first = 0) {
    EncodedSamples result{{Buffer::allocate(samples * elementCount(sample))}, samples};
    for (qsizetype i = 0; i < result.parts[0]->size(); ++i)
        result.parts[0]->data()[i] = static_cast<std::byte>(first + i * 7);
    return result;
}

InputDecoders picturesAs(const Slot &input) {
    InputDecoders decoders;
    decoders.push_back(*InputDecoder::make({}, input));
    return decoders;
}

}  // namespace

class InputDecoderTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void valuesAreScaledPaddedAndRepeated_data() {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("padding");
        QTest::addColumn<int>("repeats");
        QTest::newRow("as they are") << 3 << 0 << 1;
        QTest::newRow("padded") << 1 << 2 << 1;
        QTest::newRow("gray becomes color") << 1 << 0 << 3;
        QTest::newRow("padded and repeated") << 2 << 1 << 2;
    }
    void valuesAreScaledPaddedAndRepeated() {
        QFETCH(int, channels);
        QFETCH(int, padding);
        QFETCH(int, repeats);
        InputTransform transform;
        transform.scale = 0.5;
        transform.pad = {padding, padding + 1};
        transform.repeatChannels = repeats;
        const Shape sample{channels, 3, 4};
        const EncodedSamples from = encoded(2, sample);
        const Shape out = transform.outputShape(sample);
        std::vector<float> singles(static_cast<std::size_t>(2 * elementCount(out)), -1);
        std::vector<double> doubles(singles.size(), -1);
        for (const DType type : {DType::Float32, DType::Float64}) {
            const auto decoder = InputDecoder::make(transform, {type, out, false});
            QVERIFY(decoder);
            QCOMPARE((*decoder)->encoded(), (Slot{DType::UInt8, sample, false}));
            (*decoder)->decode(from.parts[0]->data(), from.samples,
                               type == DType::Float32 ? reinterpret_cast<std::byte *>(singles.data())
                                                      : reinterpret_cast<std::byte *>(doubles.data()));
        }
        for (qint64 n = 0; n < 2; ++n) {
            for (qint64 c = 0; c < out[0]; ++c) {
                for (qint64 y = 0; y < out[1]; ++y) {
                    for (qint64 x = 0; x < out[2]; ++x) {
                        const qint64 sy = y - padding, sx = x - padding - 1;
                        const bool inside = sy >= 0 && sy < 3 && sx >= 0 && sx < 4;
                        const qint64 source = ((n * channels + c % channels) * 3 + sy) * 4 + sx;
                        const double expected = inside ? static_cast<quint8>(from.parts[0]->data()[source]) * 0.5 : 0;
                        const auto last = static_cast<std::size_t>(((n * out[1] + y) * out[2] + x) * out[0] + c);
                        const auto first = static_cast<std::size_t>(((n * out[0] + c) * out[1] + y) * out[2] + x);
                        QCOMPARE(static_cast<double>(singles[last]), expected);
                        QCOMPARE(doubles[first], expected);
                    }
                }
            }
        }
    }

    void channelsAreNormalisedAndTheBorderIsOfZeros() {
        InputTransform transform;
        transform.scale = 0.5;
        transform.pad = {1, 0};
        transform.mean = {1, 2};
        transform.deviation = {4, 0.5};
        const auto decoder = InputDecoder::make(transform, {DType::Float64, {2, 3, 1}, false});
        QVERIFY(decoder);
        QCOMPARE((*decoder)->encoded().shape, (Shape{2, 1, 1}));
        const std::array<std::byte, 2> from{std::byte{10}, std::byte{20}};
        std::array<double, 6> to{};
        (*decoder)->decode(from.data(), 1, reinterpret_cast<std::byte *>(to.data()));
        QCOMPARE(to, (std::array<double, 6>{0, 1, 0, 0, 16, 0}));
        QVERIFY(!InputDecoder::make(transform, {DType::Float64, {3, 3, 1}, false}));
    }
    void anInputThatNoPictureBecomesIsRefused_data() {
        QTest::addColumn<Shape>("input");
        QTest::addColumn<int>("padding");
        QTest::addColumn<int>("repeats");
        QTest::newRow("of tokens") << Shape{128} << 0 << 1;
        QTest::newRow("of a channel too few") << Shape{4, 8, 8} << 0 << 3;
        QTest::newRow("that is all border") << Shape{1, 8, 8} << 4 << 1;
    }
    void anInputThatNoPictureBecomesIsRefused() {
        QFETCH(Shape, input);
        QFETCH(int, padding);
        QFETCH(int, repeats);
        InputTransform transform;
        transform.pad = {padding, padding};
        transform.repeatChannels = repeats;
        const auto decoder = InputDecoder::make(transform, {DType::Float32, input, false});
        QVERIFY(!decoder);
        QCOMPARE(decoder.error().code, QStringLiteral("worker.bad-deployment"));
    }

    void numbersComeOneForOne() {
        const std::vector<qint32> ids{3, -1, 7, 0};
        std::vector<qint64> whole(4);
        const auto tokens = InputDecoder::make({}, {DType::Int64, {2}, false}, DType::Int32);
        QVERIFY(tokens);
        QCOMPARE((*tokens)->encoded(), (Slot{DType::Int32, {2}, false}));
        (*tokens)->decode(reinterpret_cast<const std::byte *>(ids.data()), 2,
                          reinterpret_cast<std::byte *>(whole.data()));
        QCOMPARE(whole, (std::vector<qint64>{3, -1, 7, 0}));
        const std::vector<float> planes{1, 2, 3, 4, 5, 6};
        std::vector<float> pixels(6);
        const auto pictures = InputDecoder::make({}, {DType::Float32, {2, 1, 3}, false}, DType::Float32);
        QVERIFY(pictures);
        (*pictures)->decode(reinterpret_cast<const std::byte *>(planes.data()), 1,
                            reinterpret_cast<std::byte *>(pixels.data()));
        QCOMPARE(pixels, (std::vector<float>{1, 4, 2, 5, 3, 6}));
        QVERIFY(!InputDecoder::make({}, {DType::Int64, {2}, false}, DType::Float32));
        QVERIFY(!makeInputDecoders({}, {DType::Int64}, {{DType::Int64, {2}, false}, {DType::Int64, {2}, false}}));
    }

    void piecesComeInOrderAndAFewAhead() {
        std::counting_semaphore<> ready(0);
        const InputDecoders pictures = picturesAs({DType::Float32, {1, 1, 1}, false});
        DecodingThread decoder(pictures, [&] { ready.release(); });
        constexpr int pieces = 8;
        for (int i = 0; i < pieces; ++i)
            decoder.put({1, i}, encoded(1, {1, 1, 1}, static_cast<quint8>(i)));
        for (std::size_t i = 0; i < DecodingThread::piecesAhead; ++i)
            ready.acquire();
        QVERIFY(decoder.has({1, 0}) && decoder.has({1, 2}));
        QVERIFY(!decoder.has({1, static_cast<int>(DecodingThread::piecesAhead)}));
        for (int i = 0; i < pieces; ++i) {
            const auto decoded = decoder.take({1, i});
            float value = 0;
            std::memcpy(&value, decoded[0]->data(), sizeof value);
            QCOMPARE(value, static_cast<float>(i) * static_cast<float>(InputTransform().scale));
            if (i + static_cast<int>(DecodingThread::piecesAhead) < pieces)
                ready.acquire();
        }
    }

    void itEndsWithWorkLeft() {
        std::counting_semaphore<> ready(0);
        const InputDecoders pictures = picturesAs({DType::Float64, {1, 8, 8}, false});
        DecodingThread decoder(pictures, [&] { ready.release(); });
        for (int i = 0; i < 100; ++i)
            decoder.put({1, i}, encoded(4, {1, 8, 8}));
        ready.acquire();
    }
};

QTEST_GUILESS_MAIN(InputDecoderTest)
#include "input_decoder_test.moc"
