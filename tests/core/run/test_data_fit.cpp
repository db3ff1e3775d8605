// What is said of a network and data that were not made for each other.
#include <QTest>

#include "core/model/catalogue.h"
#include "core/run/data_fit.h"

using namespace hearth;

class TestDataFit : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void saysWhatDoesNotFit_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<DataShape>("data");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("tells");
        const auto row = [](const char *name, const char *model, const DataShape &data, const char *code,
                            const char *tells) {
            QTest::newRow(name) << QString::fromLatin1(model) << data << QString::fromLatin1(code)
                                << QString::fromUtf8(tells);
        };
        row("small pictures go into a network for small pictures", "fashion-cnn", {{1, 28, 28}, 10}, "", "");
        row("a narrow border is what padding is for", "mobilenetv2-cifar", {{1, 28, 28}, 10}, "", "");
        row("a network for photographs would mostly compute a border", "resnet50", {{1, 28, 28}, 100}, "job.misfit",
            "The model takes pictures of 224×224 pixels; these are 28×28");
        row("outputs that no sample has are told", "resnet50", {{3, 224, 224}, 10}, "job.misfit",
            "The model tells 100 classes apart; the data have 10.");
        row("classes that the network has no output for cannot be trained", "fashion-cnn", {{1, 28, 28}, 11},
            "job.classes", "The data have 11 classes and the model knows 10.");
        row("real numbers are no classes", "fashion-cnn", {{1, 28, 28}, 0, {}, {DType::Float32, {}, false}},
            "job.labels", "Labels are real numbers");
        row("pictures that are too large cannot go in", "fashion-cnn", {{1, 64, 64}, 10}, "job.input", "1×64×64");
    }
    void saysWhatDoesNotFit() {
        QFETCH(QString, model);
        QFETCH(DataShape, data);
        QFETCH(QString, code);
        QFETCH(QString, tells);
        const auto loaded = loadModel(model);
        QVERIFY(loaded);
        Job job;
        job.model = model;
        const auto misfit = misfitOf(job, *loaded, data);
        QCOMPARE(misfit ? misfit->code : QString(), code);
        if (misfit) {
            QVERIFY2(misfit->cause.contains(tells), qPrintable(misfit->cause));
            QVERIFY(misfit->what.contains(model) && !misfit->advice.isEmpty());
        }
    }

    void picturesOfAnySizeFitNetworksForColoursAndGrey_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("in colours") << QStringLiteral("mobilenetv2-cifar");
        QTest::newRow("in grey") << QStringLiteral("fashion-cnn");
    }
    void picturesOfAnySizeFitNetworksForColoursAndGrey() {
        QFETCH(QString, model);
        const auto loaded = loadModel(model);
        QVERIFY(loaded);
        Job job;
        job.model = model;
        DataShape data{{3, 224, 224}, 10};
        QVERIFY(!inputFor(job, *loaded, data));
        data.ownSizes = true;
        QVERIFY(!misfitOf(job, *loaded, data));
        data.ownSizes = false;
        job.fit = PictureFit::Crop;
        QVERIFY(!misfitOf(job, *loaded, data));
        job.input = InputTransform{.mean = {0.5, 0.5}, .deviation = {1, 1}};
        QCOMPARE(inputFor(job, *loaded, data).error().code, QStringLiteral("job.input"));
    }

    void onlyPicturesAreAugmented() {
        const auto model = loadModel(QStringLiteral("fashion-cnn"));
        QVERIFY(model);
        Job job;
        job.augment.flip = true;
        QVERIFY(inputFor(job, *model, {{1, 28, 28}, 10}));
        job.augment.mixup = 0.2;
        QVERIFY(inputFor(job, *model, {{1, 28, 28}, 10}));
        DataShape number{{1, 28, 28}, 0, {}, {DType::Float32, {10}, false}};
        job.loss = QStringLiteral("mean-squared-error");
        QCOMPARE(inputFor(job, *model, number).error().code, QStringLiteral("job.augment"));
        job = Job();
        job.augment.flip = true;
        const DataShape tokens{{32}, 10, {{QStringLiteral("tokens"), {DType::Int64, {32}, false}, {}}}};
        QCOMPARE(inputFor(job, *model, tokens).error().code, QStringLiteral("job.augment"));
    }

    void aBorderThatTheJobAsksForIsMeant() {
        const auto model = loadModel(QStringLiteral("resnet50"));
        QVERIFY(model);
        Job job;
        job.input = InputTransform{.scale = 1, .pad = {98, 98}, .repeatChannels = 3};
        QVERIFY(!misfitOf(job, *model, {{1, 28, 28}, 100}));
    }
};

QTEST_GUILESS_MAIN(TestDataFit)
#include "test_data_fit.moc"
