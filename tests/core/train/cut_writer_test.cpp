// How a stage writes what it sends over a slow cut: what is left out, and what is not.
#include <QTest>
#include <random>
#include <vector>

#include "core/train/cut_writer.h"
#include "core/wire/packed_tensor.h"

using namespace hearth;

namespace {

constexpr std::size_t channels = 64, places = 128, count = channels * places;

Payload payloadOf(const std::vector<float> &values) {
    return {
        reinterpret_cast<const std::byte *>(values.data()), static_cast<qsizetype>(values.size() * sizeof(float)), {}};
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

    void whatIsPackedCountsWhereThatPays_data() {
        QTest::addColumn<double>("linkRate");
        QTest::addColumn<bool>("pays");
        QTest::newRow("over a slow link, once that is known") << 1e6 << true;
        QTest::newRow("not over a fast one, where it is only tried") << 0.9 * ChunkPacking::fastLink << false;
    }
    void whatIsPackedCountsWhereThatPays() {
        QFETCH(double, linkRate);
        QFETCH(bool, pays);
        std::mt19937 random(3);
        std::normal_distribution<float> next;
        std::vector<float> activations(count), gradient(count);
        for (std::size_t i = 0; i < count; ++i) {
            activations[i] = std::max(next(random), 0.F);
            gradient[i] = next(random);
        }
        const qint64 raw = count * sizeof(float);
        CutWriter writer([linkRate](const QString &) { return linkRate; });
        for (int piece = 0; piece < 2 * ChunkPacking::tried; ++piece) {
            const CutWriter::Written written = writer.write(gradientPiece(gradient, activations));
            QCOMPARE(written.payload.size < raw, pays || piece < ChunkPacking::tried);
            QCOMPARE(written.packedFrom, pays && piece > 0 ? raw : 0);
        }
    }
};

QTEST_GUILESS_MAIN(CutWriterTest)
#include "cut_writer_test.moc"
