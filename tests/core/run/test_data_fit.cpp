// What is said of a network and data that were not made for each other.
#include <QTest>

#include "core/data/data_registry.h"
#include "core/model/catalogue.h"
#include "core/run/job_data.h"
#include "core/run/job_fit.h"
#include "core/run/whole_job.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;

namespace {

/// Rows of a table.
DataShape tableRows(qint64 numbers, int classes) {
    const Slot row{DType::Float32, {numbers}, false}, label{classes > 0 ? DType::Int64 : DType::Float32, {}, false};
    return {{numbers}, classes, {{QStringLiteral("features"), row, {}}}, label};
}

}  // namespace

class TestDataFit : public QObject, private test::PictureFolder {
    Q_OBJECT
  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(QStringLiteral("home")).toUtf8());
    }

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
        row("pictures for a model of texts, whose classes are fewer as well", "bert-small", {{3, 32, 32}, 10},
            "job.input", "The data are pictures, and the model takes none.");
        row("pictures for a model of tables, whose classes are fewer as well", "mlp", {{1, 28, 28}, 11}, "job.input",
            "The data are pictures, and the model takes none.");
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
        QCOMPARE(misfit ? misfit->error.code : QString(), code);
        if (misfit) {
            QVERIFY2(misfit->error.cause.contains(tells), qPrintable(misfit->error.cause));
            QVERIFY(misfit->error.what.contains(model) && !misfit->error.advice.isEmpty());
        }
    }

    void aJobIsFittedToItsData_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<DataShape>("data");
        QTest::addColumn<QString>("fitted");
        QTest::addColumn<QString>("loss");
        const auto row = [](const char *name, const char *model, const DataShape &data, const char *fitted,
                            const char *loss = "cross-entropy") {
            QTest::newRow(name) << QString::fromLatin1(model) << data << QString::fromLatin1(fitted)
                                << QString::fromLatin1(loss);
        };
        row("more classes", "fashion-cnn", {{1, 28, 28}, 12}, "fashion-cnn:classes=12");
        row("fewer classes", "mobilenetv2", {{3, 200, 300}, 2, {}, {DType::Int64, {}, false}, true},
            "mobilenetv2:classes=2");
        row("other options stay", "vit-tiny:dropout=0.1", {{3, 32, 32}, 12}, "vit-tiny:classes=12,dropout=0.1");
        row("a network for photographs stays one", "resnet50", {{3, 224, 224}, 10}, "resnet50:classes=10,image=224");
        row("a table of classes", "mlp", tableRows(7, 5), "mlp:classes=5,features=7");
        row("a table of quantities", "mlp:hidden=32", tableRows(7, 0), "mlp:classes=1,features=7,hidden=32",
            "mean-squared-error");
    }
    void aJobIsFittedToItsData() {
        QFETCH(QString, model);
        QFETCH(DataShape, data);
        QFETCH(QString, fitted);
        QFETCH(QString, loss);
        const auto before = loadModel(model);
        QVERIFY(before);
        Job job;
        job.model = model;
        const auto misfit = misfitOf(job, *before, data);
        QVERIFY(misfit);
        const auto made = fittedTo(job, *before, data);
        QVERIFY(made);
        QCOMPARE(made->job.model, fitted);
        QCOMPARE(made->job.loss, loss);
        QVERIFY(!made->changes.isEmpty());
        const auto after = loadModel(made->job.model);
        QVERIFY2(after, after ? "" : qPrintable(after.error().toString()));
        QVERIFY(!misfitOf(made->job, *after, data));
        QVERIFY(!fittedTo(made->job, *after, data));
        // The same is what the sentence says.
        QVERIFY2(misfit->error.advice.contains(QStringLiteral("Press \"Fit to these data\"")),
                 qPrintable(misfit->error.advice));
        QVERIFY2(misfit->error.advice.contains(QStringLiteral("\"model\":\"%1\"").arg(fitted)),
                 qPrintable(misfit->error.advice));
        QCOMPARE(misfit->error.advice.contains(QStringLiteral("\"loss\":\"mean-squared-error\"")), loss != job.loss);
    }

    void whatHoldsForClassesAloneIsLeftOutWithQuantities() {
        const auto model = loadModel(QStringLiteral("mlp"));
        QVERIFY(model);
        Job job;
        job.model = model->name;
        job.labelSmoothing = 0.1;
        job.bestBy = BestBy::Accuracy;
        job.augment.flip = true;
        const auto made = fittedTo(job, *model, tableRows(7, 0));
        QVERIFY(made);
        QCOMPARE(made->job.labelSmoothing, 0.0);
        QCOMPARE(made->job.bestBy, BestBy::Loss);
        QVERIFY(made->job.augment.isNone());
        QVERIFY(made->job.validate());
        QCOMPARE(made->changes.size(), 6);
    }

    void anotherNetworkIsNamedWhereNoOptionHelps_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<DataShape>("data");
        QTest::addColumn<QStringList>("named");
        const auto texts = [](const char *one, const char *other) {
            return QStringList{QString::fromLatin1(one), QString::fromLatin1(other)};
        };
        QTest::newRow("a table for a network of pictures")
            << QStringLiteral("fashion-cnn") << tableRows(7, 5) << texts("model mlp and", "mlp:classes=5,features=7");
        QTest::newRow("quantities for a network of pictures")
            << QStringLiteral("fashion-cnn") << tableRows(7, 0)
            << texts("mlp:classes=1,features=7", "\"loss\":\"mean-squared-error\"");
        QTest::newRow("pictures for a network of tables")
            << QStringLiteral("mlp") << DataShape{{1, 28, 28}, 3} << texts("model resnet18 and", "resnet18:classes=3");
        QTest::newRow("pictures of more classes for a network of texts")
            << QStringLiteral("bert-small") << DataShape{{3, 32, 32}, 10}
            << texts("model resnet18 and", "resnet18:classes=10");
        QTest::newRow("texts with labels for a language model")
            << QStringLiteral("gpt2")
            << DataShape{{128},
                         3,
                         {{QStringLiteral("tokens"), {DType::Int64, {128}, false}, {}}},
                         {DType::Int64, {}, false},
                         true}
            << texts("model bert-small and", "bert-small:classes=3");
    }
    void anotherNetworkIsNamedWhereNoOptionHelps() {
        QFETCH(QString, model);
        QFETCH(DataShape, data);
        QFETCH(QStringList, named);
        const auto loaded = loadModel(model);
        QVERIFY(loaded);
        Job job;
        job.model = model;
        QVERIFY(!fittedTo(job, *loaded, data));
        const auto misfit = misfitOf(job, *loaded, data);
        QVERIFY(misfit);
        for (const QString &each : named)
            QVERIFY2(misfit->error.advice.contains(each), qPrintable(misfit->error.advice));
    }

    void labelsThatNoLossTakesHaveNoCure_data() {
        QTest::addColumn<DType>("type");
        QTest::newRow("bytes") << DType::UInt8;
        QTest::newRow("halves") << DType::Float16;
    }
    void labelsThatNoLossTakesHaveNoCure() {
        const auto model = loadModel(QStringLiteral("fashion-cnn"));
        QVERIFY(model);
        QFETCH(DType, type);
        const DataShape data{{1, 28, 28}, 10, {}, {type, {}, false}};
        const Job job;
        QVERIFY(!fittedTo(job, *model, data));
        const auto input = inputFor(job, *model, data);
        QVERIFY(!input);
        QCOMPARE(input.error().code, QStringLiteral("job.labels"));
        QCOMPARE(input.error().advice.english(), QStringLiteral("Choose another loss, or save the labels as int64."));
    }

    void ofSeveralSetsTheOptionIsNamed() {
        const auto model = loadModel(QStringLiteral("fashion-cnn"));
        QVERIFY(model);
        Job job;
        job.data << QStringLiteral("pets");
        const DataShape data{{1, 28, 28}, 12};
        QVERIFY(!fittedTo(job, *model, data));
        const auto misfit = misfitOf(job, *model, data);
        QVERIFY(misfit);
        QVERIFY2(misfit->error.advice.contains(QStringLiteral("Write classes=12 under")),
                 qPrintable(misfit->error.advice));
    }

    void ofANetworkWhoseFolderIsNotToldTheOptionIsNamed_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<QString>("code");
        QTest::newRow("more classes") << 12 << QStringLiteral("job.classes");
        QTest::newRow("fewer classes") << 3 << QStringLiteral("job.misfit");
    }
    void ofANetworkWhoseFolderIsNotToldTheOptionIsNamed() {
        const auto model = loadModel(QStringLiteral("fashion-cnn"));
        QVERIFY(model);
        QFETCH(int, classes);
        Job job;
        job.model = QStringLiteral("brought-from-somewhere");
        const auto misfit = misfitOf(job, *model, {{1, 28, 28}, classes});
        QVERIFY(misfit && !misfit->fitted);
        QTEST(misfit->error.code, "code");
        QVERIFY2(misfit->error.advice.contains(QStringLiteral("\"FOLDER:classes=%1\"").arg(classes)),
                 qPrintable(misfit->error.advice));
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

    void textsOfWhichNoSampleCanBeMadeAreNamed_data() {
        QTest::addColumn<int>("train");
        QTest::addColumn<int>("test");
        QTest::addColumn<QString>("tells");
        QTest::newRow("enough of both") << 3000 << 3000 << QString();
        QTest::newRow("too little to test with")
            << 3000 << 600 << QStringLiteral("The texts to test with are too short for one sample of 1024 tokens.");
        QTest::newRow("too little to train with")
            << 600 << 3000 << QStringLiteral("The texts to train with are too short for one sample of 1024 tokens.");
    }
    void textsOfWhichNoSampleCanBeMadeAreNamed() {
        QFETCH(int, train);
        QFETCH(int, test);
        QFETCH(QString, tells);
        const QString book = QStringLiteral("book");
        save(QStringLiteral("book/train.txt"), QByteArray(train, 'a'));
        save(QStringLiteral("book/test.txt"), QByteArray(test, 'b'));
        QVERIFY(registerDataset(book, path(book), false));
        Job job;
        job.model = QStringLiteral("gpt2:sequence=1024");
        const auto model = loadModel(job.model);
        QVERIFY(model);
        const auto data = dataOf(job, *model, DataPlace{book, 0, {}});
        QCOMPARE(data ? QString() : data.error().cause.english(), tells);
    }

    void samplesAreCountedAsARunTakesThem_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<double>("validation");
        QTest::newRow("texts of the model's length") << QStringLiteral("gpt2:sequence=64") << 0.0;
        QTest::newRow("a validation set apart") << QStringLiteral("gpt2:sequence=128") << 0.2;
        QTest::newRow("both") << QStringLiteral("gpt2:sequence=64") << 0.2;
    }
    void samplesAreCountedAsARunTakesThem() {
        QFETCH(QString, model);
        QFETCH(double, validation);
        const QString book = QStringLiteral("book");
        save(QStringLiteral("book/train.txt"), QByteArray(30'000, 'a'));
        save(QStringLiteral("book/test.txt"), QByteArray(3000, 'b'));
        const auto loaded = registerDataset(book, path(book), false);
        QVERIFY(loaded);
        Job job;
        job.model = model;
        job.validation = validation;
        const auto network = loadModel(job.model);
        QVERIFY(network);
        const auto taken = dataOf(job, *network, DataPlace{book, 0, {}});
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().toString()));
        const CountedSamples counted = countedIn(job, *network, *loaded);
        QCOMPARE(counted.training, taken->data->count(Split::Train));
        QCOMPARE(counted.evaluation, taken->data->count(validation > 0 ? Split::Validation : Split::Test));
        QVERIFY(counted.training != (*loaded)->count(Split::Train));
    }

    void samplesThatNoRunCanTakeAreNotCounted() {
        const QString book = QStringLiteral("book");
        save(QStringLiteral("book/train.txt"), QByteArray(600, 'a'));
        save(QStringLiteral("book/test.txt"), QByteArray(3000, 'b'));
        const auto loaded = registerDataset(book, path(book), false);
        QVERIFY(loaded);
        const auto network = loadModel(QStringLiteral("gpt2:sequence=1024"));
        QVERIFY(network);
        const CountedSamples counted = countedIn({}, *network, *loaded);
        QCOMPARE(counted.training, 0);
        QCOMPARE(counted.evaluation, 0);
    }

    void scaledNumbersAreNoAnswersOfYesOrNo() {
        QByteArray rows("x,y\n");
        for (int i = 0; i < 60; ++i)
            rows += QByteArray::number(i % 7 / 2.0) + ',' + QByteArray::number(i / 59.0) + '\n';
        save(QStringLiteral("rows.csv"), rows);
        QVERIFY(registerDataset(QStringLiteral("rows"), path(QStringLiteral("rows.csv")), false));
        Job job;
        job.model = QStringLiteral("mlp:features=1,classes=1");
        const auto model = loadModel(job.model);
        QVERIFY(model);
        for (const bool yesOrNo : {true, false}) {
            job.loss = yesOrNo ? QStringLiteral("binary-cross-entropy") : QStringLiteral("mean-squared-error");
            const auto data = dataOf(job, *model, DataPlace{QStringLiteral("rows"), 0, {}});
            QCOMPARE(data ? QString() : data.error().code, yesOrNo ? QStringLiteral("job.labels") : QString());
        }
    }

    void oneClassIsRefusedUnlessOtherDataHaveMore_data() {
        QTest::addColumn<QStringList>("data");
        QTest::addColumn<QString>("cause");
        const QString cats = QStringLiteral("cats"), dogs = QStringLiteral("dogs");
        QTest::newRow("alone") << QStringList{cats}
                               << QStringLiteral(
                                      "All samples are in one class, \"cats\", and there is nothing to tell apart.");
        QTest::newRow("joined with another") << QStringList{cats, dogs} << QString();
    }
    void oneClassIsRefusedUnlessOtherDataHaveMore() {
        QFETCH(QStringList, data);
        for (const QString &name : data) {
            QByteArray rows("x,y\n");
            for (int i = 0; i < 60; ++i)
                rows += QByteArray::number(i * 31 % 61) + ',' + name.toUtf8() + '\n';
            save(name + QStringLiteral(".csv"), rows);
            const auto added = registerDataset(name, path(name + QStringLiteral(".csv")), false);
            QVERIFY2(added, added ? "" : qPrintable(added.error().toString()));
        }
        Job job;
        job.data = data;
        job.model = QStringLiteral("mlp:features=1,classes=2");
        const auto model = loadModel(job.model);
        QVERIFY(model);
        const auto taken = dataOf(job, *model);
        QTEST(taken ? QString() : taken.error().cause.english(), "cause");
        if (taken)
            QCOMPARE(taken->data->labelNames(), data);
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
