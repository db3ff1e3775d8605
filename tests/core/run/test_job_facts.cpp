// Which jobs have the same plans.
#include <QTest>

#include "core/base/block_codecs.h"
#include "core/run/job_facts.h"

using namespace hearth;

class TestJobFacts : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aPlanIsOneForAJobThatPlannersAreToldTheSameOf_data() {
        QTest::addColumn<Job>("other");
        QTest::addColumn<bool>("same");
        const auto row = [](const char *name, bool same, auto change) {
            Job job;
            change(job);
            QTest::newRow(name) << job << same;
        };
        row("the same job", true, [](Job &) {});
        row("another learning rate", true, [](Job &job) { job.optimizer.learningRate = 0.1; });
        row("another length and seed", true, [](Job &job) {
            job.rounds = 7;
            job.seed = 2;
        });
        row("other data", true, [](Job &job) { job.data = {QStringLiteral("mnist")}; });
        row("pictures that are turned", true, [](Job &job) { job.augment.flip = true; });
        row("another network", false, [](Job &job) { job.model = QStringLiteral("resnet18"); });
        row("frozen layers", false, [](Job &job) { job.freeze = {QStringLiteral("conv1")}; });
        row("another batch", false, [](Job &job) { job.batch = 64; });
        row("a micro-batch", false, [](Job &job) { job.microBatch = 16; });
        row("no momentum", false, [](Job &job) { job.optimizer.momentum = 0; });
        row("Adam", false, [](Job &job) { job.optimizer = OptimizerSpec::defaultOf(OptimizerSpec::Kind::Adam); });
        row("an average of the weights", false, [](Job &job) { job.optimizer.ema = 0.999; });
        row("float64", false, [](Job &job) { job.precision = Precision::Float64; });
        row("bfloat16", false, [](Job &job) { job.precision = Precision::Bfloat16; });
        row("asynchronous", false, [](Job &job) { job.asynchronous = Asynchrony(); });
        row("local steps", false, [](Job &job) { job.localSteps = LocalSteps(); });
        row("compressed cuts", false, [](Job &job) { job.codec = CodecChoice::Auto; });
        row("rounded gradients", false, [](Job &job) { job.gradientCodec = &bfp8Codec; });
        row("mixed pictures", false, [](Job &job) { job.augment.mixup = 0.2; });
    }
    void aPlanIsOneForAJobThatPlannersAreToldTheSameOf() {
        QFETCH(Job, other);
        QFETCH(bool, same);
        QCOMPARE(haveSamePlans(Job(), other), same);
        QCOMPARE(haveSamePlans(other, Job()), same);
        QVERIFY(haveSamePlans(other, other));
    }
    void optimizersThatKeepOtherMomentsHaveOtherPlans() {
        Job plain, factored;
        plain.optimizer.momentum = 0;
        factored.optimizer = OptimizerSpec::defaultOf(OptimizerSpec::Kind::Adafactor);
        QCOMPARE(factored.state().copies, plain.state().copies);
        QVERIFY(!haveSamePlans(plain, factored));
    }
};

QTEST_GUILESS_MAIN(TestJobFacts)
#include "test_job_facts.moc"
