// Runs whose cuts are compressed: they learn like those that are not, and what is computed again is the same.
#include <QTest>
#include <cmath>

#include "core/model/catalogue.h"
#include "tests/core/train/loopback_home.h"

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
};

/// fashion-cnn, whose samples are cut anew between the stages: 0-4 | 5-7 becomes 0-1 | 2-7.
Trained train(const Codec &codec) {
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    TrainingSpec training;
    training.rounds = rounds;
    training.optimizer.learningRate = 0.02;
    InputTransform input;
    input.pad = {2, 2};
    LoopbackHome home(4);
    Trained result;
    home.onFrame = [&](int, int, const TensorFrame &frame) {
        if (frame.header.kind == TensorKind::Activation || frame.header.kind == TensorKind::Gradient)
            result.cutBytes += static_cast<qint64>(frame.header.encodedBytes);
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
    return result;
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
        // The same run again, as after a loss: bit for bit.
        const Trained again = train(*codecByName(codec));
        QCOMPARE(again.losses, lossy.losses);
        QCOMPARE(again.weights.size(), lossy.weights.size());
        for (std::size_t i = 0; i < again.weights.size(); ++i)
            QVERIFY2(std::ranges::equal(again.weights[i].data->bytes(), lossy.weights[i].data->bytes()),
                     qPrintable(again.weights[i].spec.name));
    }

  private:
    Trained m_exact;
};

QTEST_GUILESS_MAIN(CodecTest)
#include "codec_test.moc"
