// Data and numbers on the Job page.
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QSet>
#include <QTableWidget>
#include <QTemporaryDir>

#include "core/base/block_codecs.h"
#include "core/data/data_registry.h"
#include "tests/ui/job_page_fixture.h"

using namespace hearth;

class JobPageTest : public JobPageFixture {
    Q_OBJECT

    void pick(const char *box, int index) const {
        auto *combo = find<QComboBox>(box);
        combo->setCurrentIndex(index);
        Q_EMIT combo->activated(index);
    }

  private Q_SLOTS:
    void initTestCase() { beginTests(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openJobPage(); }
    void cleanup() { endWindow(); }

    void theSheetShowsRealSamples() {
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("60,000 pictures to train")), patience);
        QVERIFY(text("jobDataNote").contains(QStringLiteral("28×28")));
        QCOMPARE(text("jobData"),
                 QStringLiteral("fashion-mnist, in /usr/share/datasets/fashion-mnist on this computer"));
        const auto *sheet = find<QWidget>("sampleSheet");
        QVERIFY(sheet->accessibleDescription().contains(QLatin1String("Sneaker"), Qt::CaseInsensitive));
        const QImage image = find<QWidget>("sampleSheet")->grab().toImage();
        QSet<QRgb> colours;
        for (int x = 0; x < image.width(); ++x)
            colours.insert(image.pixel(x, 10));
        QVERIFY2(colours.size() > 10, qPrintable(QString::number(colours.size())));
    }

    void trainingPicturesAreVariedAsChosen() {
        QTRY_VERIFY_WITH_TIMEOUT(find<QComboBox>("jobVary")->isVisible(), patience);
        QVERIFY2(text("jobVaryNote").contains(QLatin1String("the same every time")), qPrintable(text("jobVaryNote")));
        pick("jobVary", 1);
        QCOMPARE(job().augment.shift, 2);
        QVERIFY2(text("jobVaryNote").contains(QLatin1String("2 pixels")), qPrintable(text("jobVaryNote")));
        find<QCheckBox>("jobMirror")->click();
        QVERIFY(job().augment.flip);
        pick("jobVary", 3);
        QVERIFY(job().augment.flip);
        QCOMPARE(job().augment.randomOps, 2);
        QCOMPARE(job().augment.cutmix, 1.0);
        pick("jobFit", 3);
        QCOMPARE(job().fit, std::optional(PictureFit::Stretch));
        QCOMPARE(started().augment, job().augment);
        goTo("railJob");
        Job other = job();
        other.augment.colour = 0.33;
        m_window->jobDraft().setJob(other);
        QCOMPARE(find<QComboBox>("jobVary")->currentIndex(), 4);
        QVERIFY2(text("jobVaryNote").contains(QLatin1String("33")), qPrintable(text("jobVaryNote")));
        pick("jobVary", 0);
        QCOMPARE(find<QComboBox>("jobVary")->count(), 4);
        find<QCheckBox>("jobMirror")->click();
        QVERIFY(job().augment.isNone());
    }

    void aPartIsSetApartForValidation() {
        type("jobValidation", QStringLiteral("0.1"));
        QCOMPARE(job().validation, 0.1);
        type("jobValidation", QStringLiteral("0.00001"));
        QVERIFY2(text("jobValidationReason").contains(QLatin1String("Too small")),
                 qPrintable(text("jobValidationReason")));
    }

    void dataThatAreGoneAreToldInPlace() {
        m_questions->file = m_folder->filePath(QStringLiteral("gone.json"));
        click("jobDataFile");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("gone.json")), patience);
        QCOMPARE(find<QLabel>("jobDataNote")->property("role").toString(), QStringLiteral("wrong"));
        click("jobDataBuiltin");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("60,000")), patience);
    }

    void aDataSetThatIsRemovedMeanwhileIsToldInPlace() {
        // IDX: two pictures of 4×4 pixels, and their classes.
        const QByteArray images = QByteArray::fromHex("00000803000000020000000400000004") + QByteArray(32, 'U');
        const QByteArray labels = QByteArray::fromHex("00000801000000020001");
        const QString pictures = write(QStringLiteral("pictures"), images);
        write(QStringLiteral("labels"), labels);
        const QByteArray split = "{\"images\":\"pictures\",\"labels\":\"labels\"}";
        m_questions->file =
            write(QStringLiteral("mine.json"),
                  "{\"format\":\"hearth-data/1\",\"name\":\"mine\",\"classes\":[\"a\",\"b\"],\"train\":" + split +
                      ",\"test\":" + split + "}");
        click("jobDataFile");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").startsWith(QLatin1String("2 pictures to train")), patience);
        goTo("railHome");
        QVERIFY(QFile::remove(pictures));
        goTo("railJob");
        QTRY_COMPARE_WITH_TIMEOUT(find<QLabel>("jobDataNote")->property("role").toString(), QStringLiteral("wrong"),
                                  patience);
        QVERIFY2(text("jobDataNote").contains(QLatin1String("pictures")), qPrintable(text("jobDataNote")));
        QVERIFY(find<QWidget>("sampleSheet")->accessibleDescription().isEmpty());
        write(QStringLiteral("pictures"), images);
        goTo("railHome");
        goTo("railJob");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").startsWith(QLatin1String("2 pictures to train")), patience);
        QCOMPARE(find<QLabel>("jobDataNote")->property("role").toString(), QStringLiteral("small"));
    }

    void aFolderOfPicturesGetsANameAndTellsWhatIsLeftOut() {
        const QString name = QStringLiteral("holiday");
        makeHoliday();
        write(QStringLiteral("holiday/sea/broken.jpg"), "no picture");
        m_questions->folder = m_folder->filePath(QStringLiteral("holiday"));
        click("jobDataAdd");
        click("addDataFolder");
        QCOMPARE(find<QLineEdit>("addDataName")->text(), name);
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(find<QListWidget>("addDataBroken")->isVisible(), patience);
        QVERIFY(
            find<QListWidget>("addDataBroken")->item(0)->text().startsWith(QLatin1String("sea/broken.jpg: It is no")));
        QVERIFY2(text("addDataTold").contains(QLatin1String("1 file cannot be used")), qPrintable(text("addDataTold")));
        click("addDataAdd");
        m_questions->startsAnyway = true;  // the network knows more classes
        QCOMPARE(started().dataText(), name);
        goTo("railJob");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("of any size, in 2 classes: hills, sea")),
                                 patience);
        const QString note = text("jobDataNote");
        QVERIFY2(note.contains(QLatin1String("1 file is left out")), qPrintable(note));
        QVERIFY2(note.contains(QStringLiteral("“Check or remove …”")), qPrintable(note));
        QVERIFY(find<QWidget>("sampleSheet")->accessibleDescription().contains(QLatin1String("hills")));
        // It has a name now, and is found again behind it.
        click("jobDataBuiltin");
        click("jobDataKnown");
        auto *menu = find<QMenu>("jobDataMenu");
        QCOMPARE(menu->actions().size(), 4);  // and a line, to add it, and to check or remove it
        const QAction *add = menu->actions().at(2);
        QCOMPARE(add->menu()->actions().size(), 1);
        add->menu()->actions().front()->trigger();
        QCOMPARE(job().data, (QStringList{Job().data.front(), name}));
        QVERIFY2(text("jobData").contains(name) && text("jobData").contains(QLatin1String("fashion-mnist")),
                 qPrintable(text("jobData")));
        menu->actions().front()->trigger();
        menu->close();
        QCOMPARE(started().dataText(), name);
    }

    void aFolderWithoutANameIsShownAsWell() {
        makeHoliday();
        m_questions->file = m_folder->filePath(QStringLiteral("holiday"));
        click("jobDataFile");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("of any size, in 2 classes: hills, sea")),
                                 patience);
        const auto *sheet = find<QWidget>("sampleSheet");
        QVERIFY(sheet->accessibleDescription().startsWith(QLatin1String("Picture 1: ")));
        // What is in it now is seen when somebody comes back, though its pictures are known.
        for (const QString &kind : {QStringLiteral("sea"), QStringLiteral("hills")})
            QVERIFY(QDir(m_folder->filePath(QStringLiteral("holiday/") + kind)).removeRecursively());
        QVERIFY(QDir(m_folder->filePath(QStringLiteral("holiday"))).removeRecursively());
        goTo("railHome");
        goTo("railJob");
        QTRY_COMPARE_WITH_TIMEOUT(find<QLabel>("jobDataNote")->property("role").toString(), QStringLiteral("wrong"),
                                  patience);
        QVERIFY(sheet->accessibleDescription().isEmpty());
    }

    void aPathThatIsTypedGivesTheName() {
        click("jobDataAdd");
        auto *path = find<QLineEdit>("addDataPath");
        path->clear();
        QTest::keyClicks(path, QStringLiteral("/home/me/seaside"));
        QCOMPARE(find<QLineEdit>("addDataName")->text(), QStringLiteral("seaside"));
        find<QLineEdit>("addDataName")->clear();
        QTest::keyClicks(find<QLineEdit>("addDataName"), QStringLiteral("sea"));
        QTest::keyClicks(path, QStringLiteral("/2026"));
        QCOMPARE(find<QLineEdit>("addDataName")->text(), QStringLiteral("sea"));
        click("addDataClose");
    }

    void aTableIsChosenAsWellAndNothingIsAddedUnlessAsked() {
        m_questions->file = write(QStringLiteral("table.csv"), "file,label\n");
        const QStringList before = registeredDatasets();
        click("jobDataAdd");
        click("addDataFile");
        QCOMPARE(find<QLineEdit>("addDataName")->text(), QStringLiteral("table"));
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(text("addDataTold").contains(QLatin1String("There are no files in it")), patience);
        click("addDataClose");
        QCOMPARE(registeredDatasets(), before);
    }

    void ofATableTheColumnToLearnIsChosen() {
        QByteArray rows = "kind,width,height\n";
        for (int i = 0; i < 60; ++i)
            rows +=
                (i % 2 ? "a," : "b,") + QByteArray::number(i * 31 % 101) + ',' + QByteArray::number(i * 7 % 23) + '\n';
        m_questions->file = write(QStringLiteral("plants.csv"), rows);
        click("jobDataAdd");
        click("addDataFile");
        auto *label = find<QComboBox>("addDataLabel");
        QTRY_VERIFY_WITH_TIMEOUT(label->isVisible(), patience);
        QCOMPARE(label->currentText(), QStringLiteral("height"));
        QVERIFY(!find<QLineEdit>("addDataTokenizer")->isVisible());
        QCOMPARE(find<QTableWidget>("addDataRows")->item(0, 0)->text(), QStringLiteral("b"));
        label->setCurrentIndex(0);
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(registeredDatasets().contains(QLatin1String("plants")), patience);
        goTo("railJob");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("in 2 classes: a, b")), patience);
    }

    void textsGetTheTokenizerOfAFolder() {
        QByteArray rows = "text,label\n";
        for (int i = 0; i < 60; ++i)
            rows += (i % 2 ? "sun " : "rain ") + QByteArray::number(i) + (i % 2 ? ",good\n" : ",bad\n");
        m_questions->file = write(QStringLiteral("weather.csv"), rows);
        m_questions->folder =
            QFileInfo(write(QStringLiteral("vocab.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\nsun\nrain\n")).path();
        click("jobDataAdd");
        click("addDataFile");
        QTRY_VERIFY_WITH_TIMEOUT(find<QLineEdit>("addDataTokenizer")->isVisible(), patience);
        click("addDataTokenizerFolder");
        QCOMPARE(find<QLineEdit>("addDataTokenizer")->text(), QDir::toNativeSeparators(m_questions->folder));
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(registeredDatasets().contains(QLatin1String("weather")), patience);
        const auto data = loadDataset(QStringLiteral("weather"));
        QVERIFY(data);
        QCOMPARE((*data)->labelNames(), QStringList({QStringLiteral("bad"), QStringLiteral("good")}));
        QVERIFY((*data)->parts().front().range->most < 6);
        QVERIFY(unregisterDataset(QStringLiteral("weather")));
    }

    void whatIsLearntOfPlainTextsIsTold() {
        m_questions->folder = m_folder->filePath(QStringLiteral("reviews"));
        for (const char *folder : {"train", "test"}) {
            QVERIFY(QDir(m_questions->folder).mkpath(QLatin1String(folder)));
            write(QStringLiteral("reviews/%1/one.txt").arg(QLatin1String(folder)), QByteArray(500, 'a'));
        }
        write(QStringLiteral("reviews/train/latin.txt"), "gr\xfc\xdf dich");
        click("jobDataAdd");
        click("addDataFolder");
        QTRY_VERIFY_WITH_TIMEOUT(text("addDataTold").startsWith(QLatin1String("A language model learns to")), patience);
        click("addDataAdd");
        QTRY_VERIFY_WITH_TIMEOUT(find<QListWidget>("addDataBroken")->isVisible(), patience);
        QVERIFY2(text("addDataTold").startsWith(QLatin1String("3 samples to train and 3 to test are added.")),
                 qPrintable(text("addDataTold")));
        click("addDataAdd");
        QVERIFY(unregisterDataset(QStringLiteral("reviews")));
    }

    void theOptimizerBringsItsOwnNumbers() {
        QVERIFY(find<QLineEdit>("jobMomentum")->isVisible());
        QVERIFY(!find<QLineEdit>("jobBeta1")->isVisible());
        pick("jobOptimizer", 1);
        QVERIFY(!find<QLineEdit>("jobMomentum")->isVisible());
        QVERIFY(find<QLineEdit>("jobBeta1")->isVisible());
        QCOMPARE(find<QLineEdit>("jobLearningRate")->text(), QStringLiteral("0.001"));
        type("jobBeta2", QStringLiteral("0.99"));
        const Job job = started();
        QCOMPARE(job.optimizer.kind, OptimizerSpec::Kind::Adam);
        QCOMPARE(job.optimizer.beta2, 0.99);
        QCOMPARE(job.optimizer.learningRate, 0.001);
    }

    void adafactorBringsItsOwnChoices() {
        QVERIFY(!find<QCheckBox>("jobScaleParameter")->isVisible());
        pick("jobOptimizer", 1);
        pick("jobOptimizer", 3);
        QVERIFY(find<QLineEdit>("jobBeta1")->isVisible());
        QCOMPARE(find<QLineEdit>("jobBeta1")->text(), QStringLiteral("0"));
        QVERIFY(!find<QLineEdit>("jobBeta2")->isVisible());
        QVERIFY(!find<QCheckBox>("jobNesterov")->isVisible());
        find<QCheckBox>("jobScaleParameter")->click();
        find<QCheckBox>("jobRelativeStep")->click();
        OptimizerSpec expected = OptimizerSpec::defaultOf(OptimizerSpec::Kind::Adafactor);
        expected.scaleParameter = false;
        expected.relativeStep = true;
        QCOMPARE(started().optimizer, expected);
    }

    void aScheduleBringsItsOwnNumbers() {
        QVERIFY(find<QLineEdit>("jobWarmupRounds")->isVisible());
        QVERIFY(!find<QLineEdit>("jobLastRate")->isVisible());
        pick("jobSchedule", 2);
        QVERIFY(find<QLineEdit>("jobLastRate")->isVisible());
        QVERIFY(!find<QLineEdit>("jobDrop")->isVisible());
        type("jobLastRate", QStringLiteral("0.1"));
        type("jobWarmupRounds", QStringLiteral("50"));
        pick("jobOptimizer", 2);
        const Job job = started();
        QCOMPARE(job.schedule, (RateSchedule{.kind = RateSchedule::Kind::Cosine, .warmupRounds = 50, .last = 0.1}));
        QCOMPARE(job.optimizer, OptimizerSpec::defaultOf(OptimizerSpec::Kind::AdamW));
    }

    void compressionIsChosenAndSaysWhatItCosts() {
        QCOMPARE(started().codec, CodecChoice::None);
        QVERIFY(text("jobCodecNote").contains(QStringLiteral("Exact")));
        QVERIFY(text("jobSeedReason").contains(QStringLiteral("any devices")));
        pick("jobCodec", 1);
        QVERIFY(!text("jobCodecNote").contains(QStringLiteral("Exact")));
        QVERIFY(!text("jobSeedReason").contains(QStringLiteral("any devices")));
        QCOMPARE(started().codec, CodecChoice::Auto);
        pick("jobCodec", 2);
        QCOMPARE(started().codec, CodecChoice::Strong);
        QVERIFY(text("jobCodecNote").contains(QStringLiteral("less accurate")));
    }

    void gradientsAreRoundedOnlyWhereThatIsChosen() {
        QCOMPARE(started().gradientCodec, &noCodec());
        QVERIFY(text("jobGradientNote").contains(QStringLiteral("Exact")));
        find<QCheckBox>("jobGradientCodec")->click();
        QCOMPARE(started().gradientCodec, &bfp8Codec);
        QVERIFY(text("jobGradientNote").contains(QStringLiteral("8 bits")));
        QVERIFY(!text("jobSeedReason").contains(QStringLiteral("any devices")));
    }

    void precisionIsChosenAndSaysWhatItMeans() {
        QCOMPARE(started().precision, Precision::Float32);
        pick("jobPrecision", 1);
        QVERIFY(text("jobPrecisionNote").contains(QStringLiteral("Devices that are faster in bfloat16")));
        QVERIFY(!text("jobSeedReason").contains(QStringLiteral("any devices")));
        QCOMPARE(started().precision, Precision::Bfloat16);
        QVERIFY(find<QComboBox>("jobCodec")->isEnabled());
        pick("jobPrecision", 2);
        QCOMPARE(started().precision, Precision::Float64);
        QVERIFY(!find<QComboBox>("jobCodec")->isEnabled());
    }

    void nesterovsFormNeedsMomentum() {
        QTest::mouseClick(find<QCheckBox>("jobNesterov"), Qt::LeftButton);
        QVERIFY(started().optimizer.nesterov);
        type("jobMomentum", QStringLiteral("0"));
        QVERIFY(!find<QPushButton>("jobStart")->isEnabled());
    }

    void lengthIsToldInRoundsOrPasses() {
        pick("jobLength", 1);
        QVERIFY(!find<QLineEdit>("jobRounds")->isVisible());
        type("jobEpochs", QStringLiteral("3"));
        Job job = started();
        QCOMPARE(job.epochs.value_or(0), 3);
        QVERIFY(!job.rounds);
        pick("jobLength", 0);
        type("jobRounds", QStringLiteral("250"));
        job = started();
        QCOMPARE(job.rounds.value_or(0), 250);
        QVERIFY(!job.epochs);
        QVERIFY(job.validate());
    }

    void anEarlyEndAndTheBestWeightsAreChosen() {
        Job job = started();
        QCOMPARE(job.patience, 0);
        QVERIFY(job.keepBest);
        QCOMPARE(job.bestBy, BestBy::Loss);
        type("jobPatience", QStringLiteral("5"));
        pick("jobBestBy", 1);
        QTest::mouseClick(find<QCheckBox>("jobKeepBest"), Qt::LeftButton);
        job = started();
        QCOMPARE(job.patience, 5);
        QVERIFY(!job.keepBest);
        QCOMPARE(job.bestBy, BestBy::Accuracy);
        type("jobEvaluateEvery", QStringLiteral("0"));
        QCOMPARE(text("jobPatienceReason"), QStringLiteral("The run is never evaluated."));
        QVERIFY(!find<QPushButton>("jobStart")->isEnabled());
    }

    void wrongNumbersAreMarkedWhereTheyStand_data() {
        QTest::addColumn<int>("optimizer");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("reason");
        QTest::newRow("a micro-batch that does not divide") << 0 << "jobMicroBatch"
                                                            << "48"
                                                            << "Must divide the 128 samples of a round.";
        QTest::newRow("half a sample") << 0 << "jobBatch"
                                       << "12.5"
                                       << "This is not a whole number.";
        QTest::newRow("no weight decay at all") << 0 << "jobWeightDecay"
                                                << "none"
                                                << "This is not a number.";
        QTest::newRow("momentum of one") << 0 << "jobMomentum"
                                         << "1"
                                         << "Must lie between 0 and 0.999999.";
        QTest::newRow("beta of one") << 1 << "jobBeta1"
                                     << "1"
                                     << "Must lie between 0 and 0.999999.";
        QTest::newRow("an epsilon of zero") << 1 << "jobEpsilon"
                                            << "0"
                                            << "Must be above 0 and at most 1.";
        QTest::newRow("infinity") << 0 << "jobLearningRate"
                                  << "inf"
                                  << "This is not a number.";
    }
    void wrongNumbersAreMarkedWhereTheyStand() {
        QFETCH(int, optimizer);
        QFETCH(QString, field);
        QFETCH(QString, value);
        QFETCH(QString, reason);
        pick("jobOptimizer", optimizer);
        auto *edit = m_window->findChild<QLineEdit *>(field);
        const QString before = edit->text();
        edit->setText(value);
        QCOMPARE(m_window->findChild<QLabel *>(field + QStringLiteral("Reason"))->text(), reason);
        QCOMPARE(edit->accessibleDescription(), reason);
        QVERIFY(edit->property("wrong").toBool());
        QVERIFY(!find<QPushButton>("jobStart")->isEnabled());
        QVERIFY(!find<QPushButton>("jobSave")->isEnabled());
        edit->setText(before);
        QVERIFY(!edit->property("wrong").toBool());
        QVERIFY(find<QPushButton>("jobStart")->isEnabled());
    }

    void wrongNumbersThatAreNotUsedDoNotMatter() {
        type("jobMomentum", QStringLiteral("nonsense"));
        QVERIFY(!find<QPushButton>("jobStart")->isEnabled());
        pick("jobOptimizer", 1);
        QVERIFY(find<QPushButton>("jobStart")->isEnabled());
    }
};

QTEST_MAIN(JobPageTest)
#include "job_page_test.moc"
