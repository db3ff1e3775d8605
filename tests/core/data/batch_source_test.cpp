#include "core/data/batch_source.h"

#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <cstring>
#include <latch>

#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

qint64 countAll(std::span<const std::byte> labels) {
    return static_cast<qint64>(labels.size() / sizeof(qint64));
}

/// Sample i is its number and padding; its label is -i.
class NumberedSamples : public Dataset {
  public:
    explicit NumberedSamples(qint64 samples, qint64 bytes = 8) : m_samples(samples) {
        m_parts = {{QStringLiteral("number"), {DType::UInt8, {bytes}, false}, {}}};
        m_label = {DType::Int64, {}, false};
    }
    qint64 count(Split split) const override { return split == Split::Train ? m_samples : m_samples / 2; }
    Result<void> readSamples(Split, std::size_t, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (indices[i] == unreadable && goneLooks > 0) {
                --goneLooks;
                return fail(QStringLiteral("data.gone"), QStringLiteral("The file x could not be read."));
            }
            if (indices[i] == unreadable && (isAway || isDamaged))
                return fail(isAway ? QStringLiteral("data.unreadable") : QStringLiteral("data.broken-picture"),
                            QStringLiteral("The file x could not be read."));
            std::memcpy(out.data() + i * static_cast<std::size_t>(sample().bytes()), &indices[i], sizeof(qint64));
        }
        samplesRead += static_cast<qint64>(indices.size());
        if (gate)
            gate->wait();
        return {};
    }
    Result<void> readLabels(Split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const qint64 label = -indices[i];
            std::memcpy(out.data() + i * sizeof label, &label, sizeof label);
        }
        return {};
    }

    bool isDecoded() const override { return decoded; }
    /// Says besides which epoch it is.
    Result<void> readEpoch(qint64 epoch, std::size_t part, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        auto read = readSamples(Split::Train, part, indices, out);
        const auto each = static_cast<std::size_t>(sample().bytes());
        for (std::size_t i = 0; i < indices.size() && each > sizeof epoch; ++i)
            std::memcpy(out.data() + i * each + sizeof epoch, &epoch, sizeof epoch);
        return read;
    }

    bool decoded = false;
    qint64 unreadable = -1;  // for one of these reasons
    bool isDamaged = false;
    std::atomic<bool> isAway = false;
    mutable std::atomic<int> goneLooks = 0;  // so many find that it is gone
    mutable std::atomic<qint64> samplesRead = 0;
    std::latch *gate = nullptr;  // every piece that is read waits for it

  private:
    qint64 m_samples;
};

std::vector<qint64> numbersOf(const Payload &bytes, qint64 samples) {
    std::vector<qint64> numbers(static_cast<std::size_t>(samples));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        std::memcpy(&numbers[i], bytes.data + static_cast<qint64>(i) * (bytes.size / samples), sizeof(qint64));
    return numbers;
}

}  // namespace

class BatchSourceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void roundsComeInPiecesAndInOrder();
    void aRoundCanBeAskedForAgain();
    void theLastPieceOfASplitIsShort();
    void nothingIsReadFarAhead();
    void anErrorComesInThePlaceOfWhatItSpoils();
    void whatIsAwayIsTriedAgain();
    void whatIsEmptyForAMomentIsNotGone();
    void whatTwoLooksFindGoneIsGone();
    void itEndsWhileItWaits();
    void decodedSamplesAreReadByEpochInSeveralThreads();
    void itEndsWhileItReads();

  private:
    static BatchOrder order(int batch, int microBatch, bool shuffle = true) {
        return {Split::Train, Sampler(7, 20, shuffle), batch, microBatch, 0, countAll};
    }
    /// The next one, which comes in time; empty where it does not.
    static Result<std::optional<Batch>> nextOrError(BatchSource &source) {
        QSignalSpy ready(&source, &BatchSource::ready);
        auto batch = source.take();
        if (batch && !*batch && ready.wait(patience))
            batch = source.take();
        return batch;
    }
    static std::optional<Batch> next(BatchSource &source) {
        auto batch = nextOrError(source);
        return batch ? *batch : std::nullopt;
    }
};

void BatchSourceTest::roundsComeInPiecesAndInOrder() {
    BatchSource source(std::make_shared<NumberedSamples>(20), order(8, 4), 1);
    Sampler sampler(7, 20, true);
    for (qint64 round = 1; round <= 10; ++round) {
        const auto indices = sampler.indicesOfRound(round, 8);
        for (int microBatch = 0; microBatch < 2; ++microBatch) {
            const auto batch = next(source);
            QVERIFY(batch);
            QCOMPARE(batch->round, round);
            QCOMPARE(batch->microBatch, microBatch);
            QCOMPARE(batch->samples, 4);
            QCOMPARE(batch->counted, qint64{8});
            std::vector<qint64> expected(indices.begin() + 4 * microBatch, indices.begin() + 4 * microBatch + 4);
            QCOMPARE(numbersOf(batch->inputs[0], 4), expected);
            for (qint64 &label : expected)
                label = -label;
            QCOMPARE(numbersOf(batch->labels, 4), expected);
        }
    }
}

void BatchSourceTest::aRoundCanBeAskedForAgain() {
    const auto data = std::make_shared<NumberedSamples>(20);
    BatchSource first(data, order(8, 8), 1);
    std::optional<Batch> third;
    for (int i = 0; i < 3; ++i)
        third = next(first);
    BatchSource again(data, order(8, 8), 3);
    const auto repeated = next(again);
    QVERIFY(third && repeated);
    QCOMPARE(repeated->round, qint64{3});
    QCOMPARE(numbersOf(repeated->inputs[0], 8), numbersOf(third->inputs[0], 8));
}

void BatchSourceTest::theLastPieceOfASplitIsShort() {
    const auto data = std::make_shared<NumberedSamples>(20);
    BatchSource source(data, BatchOrder::once(*data, Split::Test, 4, countAll), 1);
    std::vector<qint64> all;
    for (const int samples : {4, 4, 2}) {
        const auto batch = next(source);
        QVERIFY(batch);
        QCOMPARE(batch->samples, samples);
        QCOMPARE(batch->counted, qint64{samples});
        for (const qint64 number : numbersOf(batch->inputs[0], samples))
            all.push_back(number);
    }
    QCOMPARE(all, (std::vector<qint64>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    const auto after = source.take();
    QVERIFY(after && !*after);
}

void BatchSourceTest::nothingIsReadFarAhead() {
    constexpr qint64 sampleBytes = 1 << 20;
    const auto data = std::make_shared<NumberedSamples>(20, sampleBytes);
    BatchSource source(data, order(1, 1), 1);
    // The queue fills up, and one more waits for room.
    constexpr qint64 most = BatchSource::aheadBytes / sampleBytes + 1;
    for (qint64 taken = 0; taken < 50; ++taken) {
        QVERIFY(data->samplesRead <= taken + most);
        QVERIFY(next(source));
    }
}

void BatchSourceTest::anErrorComesInThePlaceOfWhatItSpoils() {
    const auto data = std::make_shared<NumberedSamples>(20);
    data->unreadable = 5;
    data->isDamaged = true;
    BatchSource source(data, order(4, 2, false), 1);
    QVERIFY(next(source));
    QVERIFY(next(source));
    const auto spoilt = nextOrError(source);
    QVERIFY(!spoilt);
    QCOMPARE(spoilt.error().what, QStringLiteral("The file x could not be read."));
    const auto after = source.take();
    QVERIFY(after && !*after);
}

void BatchSourceTest::whatIsAwayIsTriedAgain() {
    const auto data = std::make_shared<NumberedSamples>(20);
    data->unreadable = 5;
    data->isAway = true;
    BatchSource source(data, order(4, 2, false), 1);
    QSignalSpy waiting(&source, &BatchSource::waiting), found(&source, &BatchSource::found);
    QTRY_COMPARE_WITH_TIMEOUT(waiting.size(), 1, patience);
    QCOMPARE(waiting[0][0].value<Error>().what, QStringLiteral("The file x could not be read."));
    for (int i = 0; i < 2; ++i)
        QVERIFY(next(source));
    QCOMPARE(found.size(), 0);
    data->isAway = false;
    const auto batch = next(source);
    QVERIFY(batch);
    QCOMPARE(numbersOf(batch->inputs[0], 2), (std::vector<qint64>{4, 5}));
    QTRY_COMPARE_WITH_TIMEOUT(found.size(), 1, patience);
    QCOMPARE(waiting.size(), 1);
}

void BatchSourceTest::whatIsEmptyForAMomentIsNotGone() {
    const auto data = std::make_shared<NumberedSamples>(20);
    data->unreadable = 5;
    data->goneLooks = 1;
    BatchSource source(data, order(4, 2, false), 1);
    QSignalSpy waiting(&source, &BatchSource::waiting);
    for (int i = 0; i < 2; ++i)
        QVERIFY(next(source));
    const auto batch = next(source);
    QVERIFY(batch);
    QCOMPARE(numbersOf(batch->inputs[0], 2), (std::vector<qint64>{4, 5}));
    QCOMPARE(waiting.size(), 0);
}

void BatchSourceTest::whatTwoLooksFindGoneIsGone() {
    const auto data = std::make_shared<NumberedSamples>(20);
    data->unreadable = 5;
    data->goneLooks = 2;
    BatchSource source(data, order(4, 2, false), 1);
    for (int i = 0; i < 2; ++i)
        QVERIFY(next(source));
    const auto gone = nextOrError(source);
    QVERIFY(!gone);
    QCOMPARE(gone.error().code, QStringLiteral("data.gone"));
}

void BatchSourceTest::itEndsWhileItWaits() {
    const auto data = std::make_shared<NumberedSamples>(20);
    data->unreadable = 1;
    data->isAway = true;
    BatchSource source(data, order(4, 2, false), 1);
    QSignalSpy waiting(&source, &BatchSource::waiting);
    QTRY_COMPARE_WITH_TIMEOUT(waiting.size(), 1, patience);
}

void BatchSourceTest::decodedSamplesAreReadByEpochInSeveralThreads() {
    const auto data = std::make_shared<NumberedSamples>(20, 16);
    data->decoded = true;
    BatchSource source(data, order(12, 5), 1);
    Sampler sampler(7, 20, true);
    qint64 position = 0;
    while (position < 100) {
        const auto batch = next(source);
        QVERIFY(batch);
        for (int i = 0; i < batch->samples; ++i, ++position) {
            qint64 words[2];
            std::memcpy(words, batch->inputs.front().data + i * 16, sizeof words);
            QCOMPARE(words[0], sampler.sampleAt(position));
            QCOMPARE(words[1], position / 20);
        }
    }
}

void BatchSourceTest::itEndsWhileItReads() {
    const auto data = std::make_shared<NumberedSamples>(20);
    std::latch gate(1);
    data->gate = &gate;
    auto source = std::make_unique<BatchSource>(data, order(20, 20), 1);
    QTRY_VERIFY_WITH_TIMEOUT(data->samplesRead > 0, patience);
    gate.count_down();
    source.reset();
}

QTEST_GUILESS_MAIN(BatchSourceTest)
#include "batch_source_test.moc"
