// Floats packed without loss: what comes back, what gets shorter, what is refused.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "core/wire/byte_planes.h"
#include "core/wire/state_chunks.h"

using namespace hearth;

namespace {

std::vector<std::byte> weights(std::size_t bytes, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<float> next(0, 0.05F);
    std::vector<float> values(bytes / sizeof(float) + 1);
    for (float &value : values)
        value = next(random);
    const auto all = std::as_bytes(std::span(values));
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bytes)};
}

std::vector<std::byte> noise(std::size_t bytes, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::vector<std::byte> values(bytes);
    for (std::byte &value : values)
        value = static_cast<std::byte>(random());
    return values;
}

}  // namespace

class TestBytePlanes : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void ofEveryLengthAllBytesComeBack() {
        for (std::size_t bytes = 0; bytes < 300; ++bytes) {
            // Zeros, as of moments before the first step, with a few others at the end.
            std::vector<std::byte> raw(bytes);
            for (std::size_t i = bytes - std::min<std::size_t>(bytes, 7); i < bytes; ++i)
                raw[i] = static_cast<std::byte>(i);
            const auto packed = packPlanes(raw);
            QCOMPARE(packed != nullptr, bytes >= 160 || (packed && packed->size() < qsizetype(bytes)));
            if (!packed)
                continue;
            std::vector<std::byte> back(bytes, std::byte{0xaa});
            QVERIFY(unpackPlanes(packed->bytes(), back));
            QVERIFY(back == raw);
        }
    }

    void aChunkOfWeightsIsAtLeastATenthShorter_data() {
        QTest::addColumn<int>("bytes");
        QTest::newRow("a whole chunk") << static_cast<int>(stateChunkBytes);
        QTest::newRow("one byte less") << static_cast<int>(stateChunkBytes) - 1;
        QTest::newRow("several megabytes") << 5'000'003;
    }
    void aChunkOfWeightsIsAtLeastATenthShorter() {
        QFETCH(int, bytes);
        const std::vector<std::byte> raw = weights(static_cast<std::size_t>(bytes));
        const auto packed = packPlanes(raw);
        QVERIFY(packed);
        QVERIFY2(packed->size() < bytes * 9 / 10, qPrintable(QString::number(packed->size())));
        std::vector<std::byte> back(raw.size());
        QVERIFY(unpackPlanes(packed->bytes(), back));
        QVERIFY(back == raw);
    }

    void numbersOfEveryWidthComeBack_data() {
        QTest::addColumn<int>("planes");
        for (const int planes : {1, 2, 4, 8})
            QTest::addRow("%d bytes", planes) << planes;
    }
    void numbersOfEveryWidthComeBack() {
        QFETCH(int, planes);
        const auto width = static_cast<std::size_t>(planes);
        // The last byte of each says little.
        std::vector<std::byte> raw = noise(10'003);
        for (std::size_t i = width - 1; i < raw.size(); i += width)
            raw[i] &= std::byte{3};
        const auto packed = packPlanes(raw, width);
        QVERIFY(packed);
        std::vector<std::byte> back(raw.size());
        QVERIFY(unpackPlanes(packed->bytes(), back, width));
        QVERIFY(back == raw);
    }

    void whatDoesNotGetShorterStaysAsItIs() {
        QVERIFY(!packPlanes(noise(stateChunkBytes)));
        QVERIFY(!packPlanes({}));
    }

    void whatIsDamagedIsRefused_data() {
        QTest::addColumn<QString>("how");
        for (const char *how :
             {"nothing", "no planes", "its last byte is missing", "a byte more", "a length beyond the end",
              "a length beyond its plane", "a plane that is no zstd", "another size is awaited"})
            QTest::newRow(how) << QString::fromLatin1(how);
    }
    void whatIsDamagedIsRefused() {
        QFETCH(QString, how);
        const std::vector<std::byte> raw = weights(4000);
        const auto made = packPlanes(raw);
        std::vector<std::byte> packed(made->bytes().begin(), made->bytes().end());
        std::vector<std::byte> back(raw.size());
        if (how == QLatin1String("nothing"))
            packed.clear();
        if (how == QLatin1String("no planes"))
            packed.resize(8);
        if (how == QLatin1String("its last byte is missing"))
            packed.pop_back();
        if (how == QLatin1String("a byte more"))
            packed.push_back({});
        if (how == QLatin1String("a length beyond the end"))
            packed[7] = std::byte{3};
        if (how == QLatin1String("a length beyond its plane"))
            packed[1] = std::byte{0xff};
        if (how == QLatin1String("a plane that is no zstd"))
            packed[packed.size() - 40] ^= std::byte{0xff}, std::fill(packed.end() - 300, packed.end(), std::byte{1});
        if (how == QLatin1String("another size is awaited"))
            back.resize(raw.size() + 400);
        QVERIFY(!unpackPlanes(packed, back));
    }

    void aPlaneThatUnpacksToMoreIsRefused() {
        // A bomb: all zeros, a thousand times longer than what is awaited.
        const auto large = packPlanes(std::vector<std::byte>(200'000));
        QVERIFY(large && large->size() < 200);
        std::vector<std::byte> room(600 + 64, std::byte{0xaa});
        QVERIFY(!unpackPlanes(large->bytes(), std::span(room).first(600)));
        QVERIFY(std::all_of(room.begin() + 600, room.end(), [](std::byte each) { return each == std::byte{0xaa}; }));
    }
};

QTEST_GUILESS_MAIN(TestBytePlanes)
#include "test_byte_planes.moc"
