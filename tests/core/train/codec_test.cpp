// Runs whose cuts are compressed: they learn like those that are not, and what is computed again is the same.
#include <QCborArray>
#include <QTest>
#include <cmath>

#include "core/base/chunk_packing.h"
#include "core/model/catalogue.h"
#include "core/model/cut_slots.h"
#include "core/model/graph_builder.h"
#include "tests/core/train/loopback_home.h"
#include "tests/core/train/test_devices.h"

using namespace hearth;

namespace {

constexpr int batchSize = 16;
constexpr int rounds = 30;

const std::vector<SampleBatch> &batches() {
    static const std::vector<SampleBatch> all = [] {
        std::vector<SampleBatch> made;
        for (int r = 0; r < rounds; ++r)
            made.push_back(syntheticBatch(batchSize, 10, static_cast<quint64>(r) + 1));
        return made;
    }();
    return all;
}

struct Trained {
    std::vector<double> losses;
    std::vector<NamedTensor> weights;
    qint64 cutBytes = 0;
    QList<RoundReport> reports;  // of the last round
};

/// fashion-cnn, whose samples are cut anew between the stages: 0-4 | 5-7 becomes 0-1 | 2-7.
Trained train(const Codec &codec, const WorkerOptions &options = {}) {
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    TrainingSpec training;
    training.rounds = rounds;
    training.optimizer.learningRate = 0.02;
    InputTransform input;
    input.pad = {2, 2};
    LoopbackHome home(4, options);
    Trained result;
    home.onFrame = [&](int, int, const TensorFrame &frame) {
        if (frame.header.kind == TensorKind::Activation || frame.header.kind == TensorKind::Gradient)
            result.cutBytes += frame.payload->size();
    };
    Deployment deployment = home.deployment(*model, {8, {{0, 2, {{0, 5}, {1, 3}}, 3}, {2, 5, {{2, 2}, {3, 6}}, 1}}},
                                            batchSize, training, input);
    deployment.stages.front().codec = {&codec, &codec};
    if (const auto deployed = home.deploy(deployment); !deployed) {
        qWarning().noquote() << deployed.error().toString();
        return {};
    }
    for (int r = 1; r <= rounds; ++r) {
        home.feed(static_cast<quint32>(r), batches()[static_cast<std::size_t>(r - 1)]);
        if (!home.waitForRound(static_cast<quint32>(r)))
            return {};
        result.losses.push_back(home.loss(static_cast<quint32>(r)));
    }
    result.weights = home.weights();
    result.reports = home.reports(rounds);
    return result;
}

constexpr int length = 6, width = 16, vocabulary = 20;

/// Layers: words, attention, head. A mask crosses the first cut beside what has a gradient.
Model maskedNetwork() {
    GraphBuilder net(QStringLiteral("masked"));
    const QString tokens = net.wholeInput(QStringLiteral("tokens"), {length}),
                  mask = net.wholeInput(QStringLiteral("mask"), {length});
    const QString x = net.embedding(QStringLiteral("words"), tokens, vocabulary, width);
    const QString q = net.linear(QStringLiteral("self.q"), x, width),
                  k = net.linear(QStringLiteral("self.k"), x, width, false),
                  v = net.linear(QStringLiteral("self.v"), x, width);
    const QString y =
        net.add(QStringLiteral("self.attend"), "attention", {q, k, v, mask}, {{QStringLiteral("heads"), 2}});
    net.output(net.linear(QStringLiteral("head"), net.sum(QStringLiteral("self.sum"), y, x), vocabulary));
    auto model = Model::fromJson(net.description(), QStringLiteral("the test"));
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

/// Each token's label is the token itself. The mask hides the last one.
SampleBatch maskedBatch(int size) {
    std::vector<qint64> mask;
    SampleBatch batch;
    for (int i = 0; i < size * length; ++i) {
        batch.labels.push_back(i % vocabulary);
        mask.push_back(i % length + 1 < length ? 1 : 0);
    }
    for (const auto *values : {&batch.labels, &mask})
        batch.parts.push_back(
            {Slot{DType::Int64, {length}, false}, QByteArray(reinterpret_cast<const char *>(values->data()),
                                                             static_cast<qsizetype>(values->size() * sizeof(qint64)))});
    batch.label = {length};
    return batch;
}

}  // namespace

class CodecTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { m_exact = train(noCodec()); }

    void aRunLearnsWithCompressedCuts_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<double>("fewerBytes");
        QTest::addColumn<double>("apart");  // of the first round's loss, in any round
        QTest::newRow("bf16") << "bf16" << 1.9 << 0.01;
        QTest::newRow("bfp8") << "bfp8" << 3.5 << 0.01;
        QTest::newRow("bfp4") << "bfp4" << 6.0 << 0.05;
    }

    void aRunLearnsWithCompressedCuts() {
        QFETCH(QString, codec);
        QFETCH(double, fewerBytes);
        QFETCH(double, apart);
        QCOMPARE(m_exact.losses.size(), std::size_t(rounds));
        const Trained lossy = train(*codecByName(codec));
        QCOMPARE(lossy.losses.size(), m_exact.losses.size());
        QVERIFY(lossy.losses != m_exact.losses);
        for (std::size_t r = 0; r < lossy.losses.size(); ++r)
            QVERIFY2(
                std::abs(lossy.losses[r] - m_exact.losses[r]) <= apart * m_exact.losses[0],
                qPrintable(
                    QStringLiteral("round %1: %2, not %3").arg(r + 1).arg(lossy.losses[r]).arg(m_exact.losses[r])));
        QVERIFY(lossy.losses.back() < 0.1 * lossy.losses.front());
        QVERIFY2(double(m_exact.cutBytes) >= fewerBytes * double(lossy.cutBytes),
                 qPrintable(QStringLiteral("%1 of %2 bytes").arg(lossy.cutBytes).arg(m_exact.cutBytes)));
        if (!bitsRepeat())
            return;
        // The same run again, as after a loss: bit for bit.
        const Trained again = train(*codecByName(codec));
        QCOMPARE(again.losses, lossy.losses);
        QCOMPARE(again.weights.size(), lossy.weights.size());
        for (std::size_t i = 0; i < again.weights.size(); ++i)
            QVERIFY2(std::ranges::equal(again.weights[i].data->bytes(), lossy.weights[i].data->bytes()),
                     qPrintable(again.weights[i].spec.name));
    }

    /// Behind every level, over links that are slow enough: not a bit is another.
    void packingChangesNoValue_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<double>("fewerBytes");
        QTest::newRow("none") << "none" << 1.4;  // also without gradients that come to nothing
        QTest::newRow("bf16") << "bf16" << 1.3;
        QTest::newRow("bfp8") << "bfp8" << 1.1;
    }

    void packingChangesNoValue() {
        QFETCH(QString, codec);
        QFETCH(double, fewerBytes);
        if (!bitsRepeat())
            QSKIP("A card adds in any order.");
        WorkerOptions options;
        options.linkRate = [](const Channel &) { return 1e5; };
        const Codec &level = *codecByName(codec);
        const Trained plain = &level == &noCodec() ? m_exact : train(level), packed = train(level, options);
        QCOMPARE(packed.losses.size(), std::size_t(rounds));
        QCOMPARE(packed.losses, plain.losses);
        for (std::size_t i = 0; i < packed.weights.size(); ++i)
            QVERIFY2(std::ranges::equal(packed.weights[i].data->bytes(), plain.weights[i].data->bytes()),
                     qPrintable(packed.weights[i].spec.name));
        QVERIFY2(double(plain.cutBytes) >= fewerBytes * double(packed.cutBytes),
                 qPrintable(QStringLiteral("%1 of %2 bytes").arg(packed.cutBytes).arg(plain.cutBytes)));
        for (const RoundReport &report : plain.reports)
            QVERIFY(report.packing.empty());
        QCOMPARE(packed.reports.size(), 4);
        qint64 saved = 0, left = 0;
        const CutWay back = &level == &noCodec() ? CutWay::Active : CutWay::Backward;
        for (const RoundReport &report : packed.reports) {
            saved += report.savedBytes;
            QCOMPARE(report.packing.size(), std::size_t(1));
            for (const CutPacking &own : report.packing) {
                QCOMPARE(own.cut, 0);
                QVERIFY(own.codec == &level);
                QVERIFY(own.way == CutWay::Forward || own.way == back);
                left += own.encoded - own.packed;
            }
        }
        QVERIFY(left > 0 && left <= saved);
        if (&level == &noCodec())
            QCOMPARE(left, saved);
    }

    /// As over a link that is too fast for that: the first tensors say it, and every round from then on.
    void whatPackingWouldLeaveIsToldWhereItDoesNotPay() {
        WorkerOptions options;
        options.linkRate = [](const Channel &) { return 0.9 * ChunkPacking::fastLink; };
        const Trained tried = train(noCodec(), options);
        QCOMPARE(tried.reports.size(), 4);
        for (const RoundReport &report : tried.reports) {
            QCOMPARE(report.savedBytes, 0);
            QCOMPARE(report.packing.size(), std::size_t(1));
            QVERIFY(report.packing[0].packed < report.packing[0].encoded);
        }
    }

    void ofACutCountsWhatItsCodecWrote_data() {
        QTest::addColumn<QString>("codec");
        QTest::newRow("with none all of it, the mask too") << "none";
        QTest::newRow("with a lossy one without the mask, which has no gradient") << "bf16";
    }
    void ofACutCountsWhatItsCodecWrote() {
        QFETCH(QString, codec);
        const Model model = maskedNetwork();
        const std::vector<Slot> slots = cutSlots(model, 1, DType::Float32);
        const qint64 whole = forwardBytes(slots), values = backwardBytes(slots);
        QVERIFY(values > 0 && values < whole);
        constexpr int samples = 128;
        WorkerOptions options;
        options.linkRate = [](const Channel &) { return 1e5; };
        LoopbackHome home(2, options);
        const auto layers = static_cast<int>(model.layers.size());
        Deployment deployment = home.deployment(
            model, {samples, {{0, 1, {{0, samples}}, 1}, {1, layers, {{1, samples}}, 1}}}, samples, {}, {});
        deployment.sampleTypes = {DType::Int64, DType::Int64};
        deployment.stages.front().codec = {codecByName(codec), codecByName(codec)};
        const auto deployed = home.deploy(deployment);
        QVERIFY2(deployed, qPrintable(deployed ? QString() : deployed.error().toString()));
        constexpr quint32 last = 4;  // nobody knows how fast the link is before something has crossed it
        for (quint32 round = 1; round <= last; ++round) {
            home.feed(round, maskedBatch(samples));
            QVERIFY(home.waitForRound(round));
        }
        std::map<bool, CutPacking> told;  // by whether it is forward
        for (const RoundReport &report : home.reports(last)) {
            for (const CutPacking &own : report.packing)
                told[own.way == CutWay::Forward] = own;
        }
        QCOMPARE(told.size(), std::size_t(2));
        const bool isLossy = codec != QLatin1String("none");
        QCOMPARE(told[true].encoded, samples * (isLossy ? values / 2 : whole));
        QCOMPARE(told[false].encoded, samples * (isLossy ? values / 2 : values));
        for (const auto &[isForward, own] : told) {
            QVERIFY(own.codec == codecByName(codec));
            QVERIFY(own.packed < own.encoded);
        }
    }

    /// From one round to the next, while workers go on; and what a checked round says is what a run without would do.
    void codecsChangeBetweenRoundsAndAreChecked_data() {
        QTest::addColumn<QString>("codec");
        QTest::addColumn<double>("least");  // relative error of activations, and ...
        QTest::addColumn<double>("most");
        QTest::newRow("none") << "none" << 0. << 0.;
        QTest::newRow("bfp8") << "bfp8" << 0.002 << 0.015;
        QTest::newRow("bfp4") << "bfp4" << 0.04 << 0.2;
        QTest::newRow("two bits") << "bfp2" << 0.3 << 1.;
    }

    void codecsChangeBetweenRoundsAndAreChecked() {
        QFETCH(QString, codec);
        QFETCH(double, least);
        QFETCH(double, most);
        constexpr quint32 before = gentleRounds, checked = gentleRounds + 1, after = gentleRounds + 2;
        const auto model = loadModel(QStringLiteral("fashion-cnn"));
        InputTransform input;
        input.pad = {2, 2};
        TrainingSpec training;
        training.rounds = 1000;
        training.optimizer.learningRate = 0.02;
        // Three stages, the middle one a group that recomputes; one micro-batch, whose loss is the round's.
        const TestPlan plan{
            batchSize, {{0, 2, {{0, batchSize}}, 3}, {2, 3, {{1, 10}, {2, 6}}, 2, true}, {3, 5, {{3, batchSize}}, 1}}};
        const CutCodec lossy{codecByName(codec), codecByName(codec)};
        LoopbackHome exact(4), home(4);
        for (LoopbackHome *each : {&exact, &home}) {
            Deployment deployment = each->deployment(*model, plan, batchSize, training, input);
            deployment.firstRound = before;
            QVERIFY(each->deploy(deployment));
            each->feed(before, batches()[0]);
            QVERIFY(each->waitForRound(before));
        }
        const auto change = [&](quint32 term, const std::vector<CodecChange> &changes) {
            return home.call(0, QStringLiteral("codecs"),
                             {{QStringLiteral("term"), qint64{term}},
                              {QStringLiteral("changes"), QCborArray::fromJsonArray(toJson(changes))}});
        };
        const quint32 term = home.deployed().term;
        QVERIFY(!change(term + 1, {{checked, {lossy, lossy}}}));
        QVERIFY(!change(term, {{checked, {lossy}}}));        // of two cuts
        QVERIFY(!change(term, {{before, {lossy, lossy}}}));  // done
        for (int device = 0; device < 4; ++device) {
            QVERIFY(home.call(device, QStringLiteral("codecs"),
                              {{QStringLiteral("term"), qint64{term}},
                               {QStringLiteral("changes"),
                                QCborArray::fromJsonArray(toJson({{checked, {lossy, lossy}}, {after, {{}, {}}}}))}}));
        }
        qint64 rawFrames = 0;
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            rawFrames += frame.header.kind == TensorKind::Check ? 1 : 0;
        };
        for (LoopbackHome *each : {&exact, &home}) {
            each->feed(checked, batches()[1]);
            QVERIFY(each->waitForRound(checked));
        }
        CutCheck sum;
        qint64 saved = 0, checks = 0;
        for (const RoundReport &report : home.reports(checked)) {
            saved += report.savedBytes;
            checks += static_cast<qint64>(report.checks.size());
            const CutCheck own = report.checks.empty() ? CutCheck{} : report.checks.front();
            sum.forward += own.forward;
            sum.backward += own.backward;
            sum.codedLoss += own.codedLoss;
            sum.rawLoss += own.rawLoss;
        }
        const bool isLossy = codec != QLatin1String("none");
        QCOMPARE(checks, isLossy ? 4 : 0);
        QCOMPARE(rawFrames, isLossy ? 4 : 0);  // to two members, and from them
        QCOMPARE(saved > 0, isLossy);
        QVERIFY2(sum.forward.relative() >= least && sum.forward.relative() <= most,
                 qPrintable(QString::number(sum.forward.relative())));
        if (isLossy) {
            QVERIFY(sum.backward.relative() >= least);
            QCOMPARE(sum.codedLoss / batchSize, home.loss(checked));
            QCOMPARE(sum.rawLoss / batchSize, exact.loss(checked));
            QVERIFY(sum.codedLoss != sum.rawLoss);
        }
        home.feed(after, batches()[2]);
        QVERIFY(home.waitForRound(after));
        for (const RoundReport &report : home.reports(after)) {
            QCOMPARE(report.savedBytes, 0);
            QVERIFY(report.checks.empty());
        }
    }

  private:
    Trained m_exact;
};

QTEST_GUILESS_MAIN(CodecTest)
#include "codec_test.moc"
