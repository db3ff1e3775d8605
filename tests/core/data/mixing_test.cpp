// Mixup and CutMix: what is drawn, what becomes of pictures and labels, and that no plan changes it.
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <cstring>

#include "core/data/batch_source.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

constexpr qint64 samplesOfSet = 20;
constexpr int side = 6;
constexpr std::size_t pixels = std::size_t{side} * side;

qint64 countAll(std::span<const std::byte> labels) {
    return static_cast<qint64>(labels.size() / sizeof(qint64));
}

int levelOf(qint64 sample) {
    return 10 * static_cast<int>(sample) + 5;
}

/// Sample i is grey of its own level, and of class i.
class GreySamples : public Dataset {
  public:
    GreySamples() {
        m_parts = {{QStringLiteral("image"), {DType::UInt8, {1, side, side}, false}, {}}};
        m_label = {DType::Int64, {}, false};
        m_classes = static_cast<int>(samplesOfSet);
    }
    qint64 count(Split) const override { return samplesOfSet; }
    Result<void> readSamples(Split, std::size_t, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        for (std::size_t i = 0; i < indices.size(); ++i)
            std::ranges::fill(out.subspan(i * pixels, pixels), static_cast<std::byte>(levelOf(indices[i])));
        return {};
    }
    Result<void> readLabels(Split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        std::memcpy(out.data(), indices.data(), out.size());
        return {};
    }
};

struct MixedLabel {
    double own = 0, other = 0, kept = 0;
};

struct Seen {
    std::vector<std::byte> pixels;
    std::vector<MixedLabel> labels;
    qint64 counted = 0;
};

BatchOrder orderOf(const Mixing &mixing, int microBatch) {
    return {Split::Train, Sampler(7, samplesOfSet, true), 8, microBatch, 0, countAll, mixing};
}

/// What a network sees in these rounds.
Seen seen(const Mixing &mixing, int microBatch, qint64 firstRound, int rounds) {
    BatchSource source(std::make_shared<GreySamples>(), orderOf(mixing, microBatch), firstRound);
    Seen all;
    for (int left = 8 * rounds; left > 0;) {
        QSignalSpy ready(&source, &BatchSource::ready);
        auto batch = source.take();
        if (batch && !*batch && ready.wait(patience))
            batch = source.take();
        if (!batch || !*batch)
            return {};
        const Payload &inputs = (*batch)->inputs[0], &labels = (*batch)->labels;
        all.pixels.insert(all.pixels.end(), inputs.data, inputs.data + inputs.size);
        for (qsizetype at = 0; at < labels.size; at += static_cast<qsizetype>(sizeof(MixedLabel))) {
            all.labels.emplace_back();
            std::memcpy(&all.labels.back(), labels.data + at, sizeof(MixedLabel));
        }
        all.counted = (*batch)->counted;
        left -= (*batch)->samples;
    }
    return all;
}

}  // namespace

class MixingTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void sharesAreDrawnAsTheirPapersSay_data() {
        QTest::addColumn<double>("alpha");
        QTest::newRow("mostly one of the two") << 0.2;
        QTest::newRow("any share alike") << 1.0;
        QTest::newRow("mostly a half") << 2.0;
    }
    /// Beta(a, a) has the variance 1 / (4 (2 a + 1)).
    void sharesAreDrawnAsTheirPapersSay() {
        QFETCH(double, alpha);
        constexpr int many = 4000;
        double sum = 0, squares = 0;
        for (int i = 0; i < many; ++i) {
            const Mix mix = Mix::of({.mixup = alpha}, 3, i, QSize(side, side));
            QCOMPARE(mix.kept * Mix::whole, static_cast<double>(mix.share));
            QVERIFY(mix.box.isEmpty());
            sum += mix.kept;
            squares += (mix.kept - 0.5) * (mix.kept - 0.5);
        }
        QVERIFY(std::abs(sum / many - 0.5) < 0.03);
        const double variance = 1 / (4 * (2 * alpha + 1));
        QVERIFY(std::abs(squares / many - variance) < 0.1 * variance);
    }

    void boxesAreAsLargeAsTheLabelSays() {
        double sum = 0;
        constexpr int many = 2000;
        for (int i = 0; i < many; ++i) {
            const Mix mix = Mix::of({.cutmix = 1}, 0, i, QSize(40, 20));
            QCOMPARE(mix.share, Mix::whole);
            QVERIFY(mix.box.isEmpty() || QRect(0, 0, 40, 20).contains(mix.box));
            const double part = mix.box.isEmpty() ? 0 : mix.box.width() * mix.box.height() / 800.0;
            QCOMPARE(mix.kept, 1 - part);
            sum += part;
        }
        // A half before what would lie outside is left out.
        QVERIFY(sum / many > 0.2 && sum / many < 0.5);
    }

    void bothTakeTurns() {
        int cut = 0;
        for (int i = 0; i < 400; ++i)
            cut += Mix::of({.mixup = 1, .cutmix = 1}, 0, i, QSize(side, side)).share == Mix::whole ? 1 : 0;
        QVERIFY(cut > 140 && cut < 260);
    }

    void eachIsMixedWithTheNextOne_data() {
        QTest::addColumn<double>("mixup");
        QTest::addColumn<double>("cutmix");
        QTest::newRow("all over") << 1.0 << 0.0;
        QTest::newRow("a box of it") << 0.0 << 1.0;
    }
    void eachIsMixedWithTheNextOne() {
        QFETCH(double, mixup);
        QFETCH(double, cutmix);
        const Seen all = seen({mixup, cutmix, 7}, 4, 1, 5);  // two epochs
        QCOMPARE(all.labels.size(), 40U);
        QCOMPARE(all.counted, 8);
        Sampler sampler(7, samplesOfSet, true);
        for (std::size_t i = 0; i < all.labels.size(); ++i) {
            const MixedLabel &label = all.labels[i];
            QCOMPARE(static_cast<qint64>(label.own), sampler.sampleAt(static_cast<qint64>(i)));
            QCOMPARE(static_cast<qint64>(label.other), sampler.sampleAt(static_cast<qint64>(i) + 1));
            double sum = 0;
            for (std::size_t p = 0; p < pixels; ++p)
                sum += std::to_integer<int>(all.pixels[i * pixels + p]);
            const double own = levelOf(static_cast<qint64>(label.own)),
                         other = levelOf(static_cast<qint64>(label.other));
            const double expected = label.kept * own + (1 - label.kept) * other;
            QVERIFY(std::abs(sum / pixels - expected) <= (cutmix > 0 ? 1e-9 : 0.5));
        }
    }

    void microBatchesAndWhereOneBeginsChangeNothing() {
        const Mixing mixing{0.4, 1, 7};
        const Seen all = seen(mixing, 8, 1, 5);
        QCOMPARE(all.pixels.size(), 40 * pixels);
        for (const int microBatch : {1, 2, 4})
            QCOMPARE(seen(mixing, microBatch, 1, 5).pixels, all.pixels);
        const Seen again = seen(mixing, 2, 3, 3);
        QVERIFY(std::equal(again.pixels.begin(), again.pixels.end(), all.pixels.begin() + 16 * pixels));
        QVERIFY(seen({0.4, 1, 8}, 8, 1, 5).pixels != all.pixels);
    }

    void oneSampleIsWhatItsRoundHas() {
        const Mixing mixing{0.4, 1, 7};
        const Seen all = seen(mixing, 8, 1, 5);
        Sampler sampler(7, samplesOfSet, true);
        const GreySamples data;
        std::vector<std::byte> one(pixels);
        for (const qint64 position : {0, 19, 33}) {
            QVERIFY(readMixed(data, mixing, sampler, position, one));
            QVERIFY(std::equal(one.begin(), one.end(),
                               all.pixels.begin() + static_cast<std::ptrdiff_t>(position) * std::ptrdiff_t{pixels}));
        }
    }
};

QTEST_GUILESS_MAIN(MixingTest)
#include "mixing_test.moc"
