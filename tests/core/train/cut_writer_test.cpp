// How a stage writes what it sends over a slow cut: what is left out, and what is not.
#include <QTest>
#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "core/base/block_codecs.h"
#include "core/train/cut_writer.h"
#include "core/wire/packed_tensor.h"

using namespace hearth;

namespace {

constexpr std::size_t channels = 64, places = 128, count = channels * places;

Payload payloadOf(const std::vector<float> &values) {
    return {
        reinterpret_cast<const std::byte *>(values.data()), static_cast<qsizetype>(values.size() * sizeof(float)), {}};
}

/// Half of them are zero where they come from a rectifier.
std::vector<float> randomValues(bool areRectified) {
    std::mt19937 random(areRectified ? 3 : 4);
    std::normal_distribution<float> next;
    std::vector<float> values(count);
    for (float &value : values)
        value = areRectified ? std::max(next(random), 0.F) : next(random);
    return values;
}

CutPiece gradientPiece(const std::vector<float> &gradient, const std::vector<float> &activations) {
    CutPiece piece;
    piece.device = QStringLiteral("there");
    piece.header.kind = TensorKind::Gradient;
    piece.header.dims = {1, count};
    piece.raw = payloadOf(gradient);
    piece.rectified = payloadOf(activations);
    return piece;
}

constexpr qint64 rawBytes = count * sizeof(float);
constexpr double tooFastToPay = 0.9 * ChunkPacking::fastLink;  // but packing is tried

enum Slots : quint16 {
    Rectified,  // packs
    Noise,      // of bits: does not
    Short       // is never tried
};

/// What crosses a cut over links of these rates.
class Cut {
  public:
    explicit Cut(double toThere, double elsewhere = 0)
        : m_writer([toThere, elsewhere](const QString &to) { return to == there ? toThere : elsewhere; }) {
        std::mt19937 random(3);
        for (float &value : m_noise) {
            const auto bits = static_cast<quint32>(random());
            std::memcpy(&value, &bits, sizeof value);
        }
    }
    CutWriter::Written write(Slots slot, const QString &to = there) {
        CutPiece piece;
        piece.device = to;
        piece.header.kind = TensorKind::Activation;
        piece.header.slot = slot;
        piece.raw = payloadOf(slot == Rectified ? m_rectified : slot == Noise ? m_noise : m_short);
        piece.header.dims = {1, static_cast<quint32>(piece.raw.size / qsizetype{sizeof(float)})};
        return m_writer.write(piece);
    }
    static inline const QString there = QStringLiteral("there");

  private:
    CutWriter m_writer;
    std::vector<float> m_rectified = randomValues(true), m_noise = std::vector<float>(count), m_short = {7};
};

}  // namespace

class CutWriterTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void ofAGradientWhateverIsShorterTravels_data() {
        QTest::addColumn<bool>("repeats");
        QTest::newRow("one of its own at every place") << false;
        QTest::newRow("the same at every place, as behind a global average pool") << true;
    }
    void ofAGradientWhateverIsShorterTravels() {
        QFETCH(bool, repeats);
        std::mt19937 random(3);
        std::normal_distribution<float> next;
        std::vector<float> activations(count), gradient(count);
        for (std::size_t i = 0; i < count; ++i) {
            activations[i] = std::max(next(random), 0.F);
            gradient[i] = repeats && i >= channels ? gradient[i - channels] : next(random);
        }
        CutWriter writer([](const QString &) { return 1e6; });
        for (int piece = 0; piece < 2 * ChunkPacking::tried; ++piece) {
            const CutWriter::Written written = writer.write(gradientPiece(gradient, activations));
            const qsizetype raw = count * sizeof(float);
            QVERIFY(written.payload.size < (repeats ? raw / 8 : raw / 2));
            // Nothing that repeats is picked apart.
            QCOMPARE(written.header.encodedBytes == static_cast<quint64>(raw), repeats);
        }
    }

    void whatPackingLeavesIsToldWhetherItPaysOrNot_data() {
        QTest::addColumn<double>("linkRate");
        QTest::addColumn<bool>("pays");
        QTest::newRow("over a slow link") << 1e6 << true;
        QTest::newRow("over a fast one, where it is only tried") << tooFastToPay << false;
    }
    void whatPackingLeavesIsToldWhetherItPaysOrNot() {
        QFETCH(double, linkRate);
        QFETCH(bool, pays);
        const std::vector<float> activations = randomValues(true), gradient = randomValues(false);
        CutWriter writer([linkRate](const QString &) { return linkRate; });
        qint64 left = rawBytes;
        for (int piece = 0; piece < 2 * ChunkPacking::tried; ++piece) {
            const CutWriter::Written written = writer.write(gradientPiece(gradient, activations));
            const bool isPacked = written.payload.size < rawBytes;
            QCOMPARE(isPacked, pays || piece < ChunkPacking::tried);
            if (isPacked)
                left = written.payload.size;
            QCOMPARE(written.encoded, rawBytes);
            QVERIFY(written.packed);
            QCOMPARE(*written.packed, left);
        }
        QVERIFY(left < rawBytes / 2);
    }

    void aSlotThatDoesNotPackCountsBesideOneThatDoes_data() { whatPackingLeavesIsToldWhetherItPaysOrNot_data(); }
    void aSlotThatDoesNotPackCountsBesideOneThatDoes() {
        QFETCH(double, linkRate);
        QFETCH(bool, pays);
        Cut cut(linkRate);
        for (int round = 0; round < 2 * ChunkPacking::tried; ++round) {
            const CutWriter::Written one = cut.write(Rectified), other = cut.write(Noise);
            QVERIFY(one.packed && other.packed);
            QVERIFY(*one.packed < 4 * rawBytes / 5);
            QCOMPARE(*other.packed, rawBytes);
            QCOMPARE(one.encoded + other.encoded, 2 * rawBytes);
            QCOMPARE(one.payload.size < rawBytes, pays || round < ChunkPacking::tried);
            QCOMPARE(other.payload.size, rawBytes);
        }
    }

    void aSlotThatIsNeverTriedCountsOnceAnotherIs() {
        Cut cut(tooFastToPay);
        QVERIFY(!cut.write(Short).packed);
        QVERIFY(cut.write(Rectified).packed);
        const CutWriter::Written written = cut.write(Short);
        QVERIFY(written.packed);
        QCOMPARE(*written.packed, written.encoded);
    }

    void overLinksWhereNothingIsTriedNothingIsTold_data() {
        QTest::addColumn<double>("linkRate");
        QTest::newRow("so fast that nothing packs as fast") << ChunkPacking::fastLink;
        QTest::newRow("of which nobody knows how fast they are") << 0.;
    }
    void overLinksWhereNothingIsTriedNothingIsTold() {
        QFETCH(double, linkRate);
        Cut cut(linkRate);
        for (int round = 0; round < 2; ++round)
            QVERIFY(!cut.write(Rectified).packed && !cut.write(Noise).packed);
    }

    /// What crosses a cut to one member of a group is like what crosses it to another.
    void whatOneDeviceTellsHoldsForOthers() {
        const QString elsewhere = QStringLiteral("elsewhere");
        Cut cut(1e6, ChunkPacking::fastLink);
        QVERIFY(!cut.write(Rectified, elsewhere).packed);
        const auto packed = cut.write(Rectified).packed, same = cut.write(Rectified, elsewhere).packed;
        QVERIFY(packed && same);
        QCOMPARE(*same, *packed);
    }

    void whatOneCodecWroteTellsNothingOfAnother() {
        const std::vector<float> values = randomValues(false);
        CutPiece piece;
        piece.header.dims = {1, count};
        piece.raw = payloadOf(values);
        CutWriter writer([](const QString &) { return tooFastToPay; });
        for (int tried = 0; tried < ChunkPacking::tried; ++tried)
            QVERIFY(writer.write(piece).packed);
        piece.codec = &bf16Codec;
        const CutWriter::Written written = writer.write(piece);
        QCOMPARE(written.encoded, rawBytes / 2);
        QVERIFY(!written.packed);
    }
};

QTEST_GUILESS_MAIN(CutWriterTest)
#include "cut_writer_test.moc"
