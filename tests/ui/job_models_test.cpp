// Models on the Job page: those that come along, those that a person opens, what is told of them.
#include <QDialog>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QRadioButton>
#include <QSettings>
#include <QUrl>

#include "core/model/catalogue.h"
#include "core/predict/layer_work.h"
#include "core/profile/profile_store.h"
#include "core/run/job_data.h"
#include "core/run/job_estimate.h"
#include "tests/ui/job_page_fixture.h"
#include "tests/ui/model_folder.h"
#include "ui/job/model_facts.h"
#include "ui/job/model_families.h"
#include "ui/shell/window_memory.h"
#include "ui/words/format.h"

using namespace hearth;

class JobModelsTest : public JobPageFixture {
    Q_OBJECT

    void drop(const QString &path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(find<QWidget>("jobPage"), &enter);
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(find<QWidget>("jobPage"), &drop);
    }
    QString writeFolder(const QString &name) const { return writeModelFolder(m_folder->filePath(name)); }
    /// This computer has measured the model of the job.
    void measure() {
        m_home->folder = m_folder->path();
        QVERIFY(ProfileStore(m_folder->filePath(QStringLiteral("profiles")))
                    .save(profileOf(*loadModel(QStringLiteral("fashion-cnn")))));
        goTo("railHome");
        goTo("railJob");
    }
    /// What is told of the whole job, once it is.
    QString whole() const { return text("modelFacts").section(QLatin1Char('\n'), 4); }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openJobPage(); }
    void cleanup() { endWindow(); }

    void everyBuiltInModelBelongsToAFamily() {
        QStringList listed;
        for (const ModelFamily &family : modelFamilies()) {
            QVERIFY(!family.what.isEmpty());
            listed << family.models;
        }
        listed.sort();
        QCOMPARE(listed, builtinModels());
    }

    void eachModelSaysWhatItTakesAndNothingIsInvented() {
        const QStringList models = builtinModels();
        for (const QString &name : models) {
            const auto model = loadModel(name);
            const auto memory = [&] { return number("modelAll-", name); };
            QTRY_VERIFY2_WITH_TIMEOUT(!memory().isEmpty(), qPrintable(name), 10 * patience);
            QCOMPARE(number("modelParameters-", name), formatShortCount(model->parameterCount()));
            QCOMPARE(memory(),
                     formatBytes(leastBytes(trainingMemory(*model), Job().optimizer.state(), usualRuntimeBytes)));
        }
        QVERIFY2(text("modelFacts").contains(QLatin1String("not measured here yet")), qPrintable(text("modelFacts")));
        QVERIFY(text("modelFacts").startsWith(QLatin1String("5 layers, ")));
    }

    void whatTrainsLessTakesLess() {
        const ModelFacts facts = readModelFacts(QStringLiteral("bert-small"), DType::Float32);
        const auto bytes = [&facts](TrainedPart part) { return leastBytes(*facts.part(part).memory, {1}, 0); };
        QVERIFY(bytes(TrainedPart::Lora) < bytes(TrainedPart::All));
        QVERIFY(bytes(TrainedPart::Head) < bytes(TrainedPart::Lora));
        QTRY_VERIFY_WITH_TIMEOUT(!number("modelLora-", QStringLiteral("bert-small")).isEmpty(), 10 * patience);
        // What cannot be trained so says why.
        QTRY_COMPARE_WITH_TIMEOUT(number("modelLora-", QStringLiteral("fashion-cnn")), QStringLiteral("–"), patience);
        QVERIFY(find<QLabel>("modelLora-fashion-cnn")->toolTip().contains(QLatin1String("takes no adapters")));
        QVERIFY(!number("modelHead-", QStringLiteral("fashion-cnn")).isEmpty());
    }

    void aMeasuredModelTellsTimeAndMemory() {
        const auto model = loadModel(QStringLiteral("fashion-cnn"));
        const ModelProfile profile = profileOf(*model);
        m_home->folder = m_folder->path();
        QVERIFY(ProfileStore(m_folder->filePath(QStringLiteral("profiles"))).save(profile));
        goTo("railHome");
        goTo("railJob");
        QTRY_VERIFY2_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("for one round on this computer")),
                                  qPrintable(text("modelFacts")), patience);
        const QString least = text("modelFacts").section(QLatin1Char('\n'), 2, 2);
        QVERIFY2(least.startsWith(QLatin1String("about ")), qPrintable(least));
        QVERIFY(least.endsWith(QLatin1String(" of memory to train on this computer alone")));
        // What a worker takes to start is counted as soon as one has told it.
        DeviceProfile device;
        device.device = profile.device;
        device.runtimeBytes = qint64{1} << 40;
        QVERIFY(ProfileStore(m_folder->filePath(QStringLiteral("profiles"))).saveDevice(device));
        goTo("railHome");
        goTo("railJob");
        QTRY_COMPARE_WITH_TIMEOUT(text("modelFacts").section(QLatin1Char('\n'), 2, 2),
                                  QStringLiteral("1.0\u00a0TiB of memory to train on this computer alone"), patience);
        find<QRadioButton>("model-resnet18")->click();
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("not measured here yet")), patience);
        find<QRadioButton>("model-fashion-cnn")->click();
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("for one round on this")), patience);
        // Another precision, or another number of threads, was not measured.
        m_home->list.front().threads += 1;
        m_home->set(m_home->list);
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("not measured here yet")), patience);
    }

    void theWholeJobOnThisComputerIsToldWhereItsLengthIsKnown() {
        measure();
        QTRY_VERIFY2_WITH_TIMEOUT(whole().contains(QStringLiteral("± 20 % for the whole job on this computer alone "
                                                                  "(rounds: 500; without evaluations)")),
                                  qPrintable(whole()), patience);
        const QString before = whole();
        type("jobRounds", QStringLiteral("1000"));
        QTRY_VERIFY2_WITH_TIMEOUT(whole().contains(QLatin1String("(rounds: 1,000;")), qPrintable(whole()), patience);
        QVERIFY(whole().section(QLatin1Char('('), 0, 0) != before.section(QLatin1Char('('), 0, 0));
    }

    void aJobThatMayEndEarlyTakesAtMostSoLong() {
        measure();
        QTRY_VERIFY2_WITH_TIMEOUT(whole().startsWith(QLatin1String("about ")), qPrintable(whole()), patience);
        type("jobPatience", QStringLiteral("3"));
        QTRY_VERIFY2_WITH_TIMEOUT(whole().startsWith(QLatin1String("at most about ")), qPrintable(whole()), patience);
    }

    void theWholeJobCountsWhatAPassTrainsOn() {
        measure();
        JobDraft &draft = m_window->jobDraft();
        draft.setByEpochs(true);
        type("jobValidation", QStringLiteral("0.2"));
        const auto data = dataOf(job(), *loadModel(chosen()));
        QVERIFY(data);
        const qint64 rounds = job().totalRounds(data->data->count(Split::Train));
        QTRY_VERIFY2_WITH_TIMEOUT(whole().contains(QStringLiteral("(rounds: %1;").arg(formatCount(rounds))),
                                  qPrintable(whole()), patience);
        // Nobody reads all of several sets here.
        draft.addData(QStringLiteral("another"));
        QTRY_VERIFY2_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("60,000")) && whole().isEmpty(),
                                  qPrintable(whole()), patience);
    }

    void allFactsHaveTheirRoomBeforeTheyAreThere() {
        const auto *facts = find<QLabel>("modelFacts");
        const int before = facts->minimumHeight();
        measure();
        QTRY_VERIFY_WITH_TIMEOUT(!whole().isEmpty(), patience);
        QCOMPARE(facts->minimumHeight(), before);
        QVERIFY(before >= facts->heightForWidth(facts->width()));
    }

    void aModelThatWasNotMeasuredIsPredicted() {
        m_home->folder = m_folder->path();
        for (const char *name : {"fashion-cnn", "mobilenetv2", "vit-tiny"}) {
            const auto model = loadModel(QLatin1String(name));
            ModelProfile profile = profileOf(*model);
            profile.times = {{1, 16, 128}, {}, {}};
            for (const LayerWork &work : layerWork(*model, DType::Float32)) {
                auto &forward = profile.times.forward.emplace_back();
                auto &backward = profile.times.backward.emplace_back();
                for (const int samples : profile.times.batch) {
                    forward.push_back(3 * work.seconds(samples));
                    backward.push_back(6 * work.seconds(samples));
                }
            }
            QVERIFY(ProfileStore(m_folder->filePath(QStringLiteral("profiles"))).save(profile));
        }
        goTo("railHome");
        goTo("railJob");
        find<QRadioButton>("model-resnet18")->click();
        QTRY_VERIFY2_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("alone: predicted, not measured")),
                                  qPrintable(text("modelFacts")), patience);
        QVERIFY2(text("modelFacts").contains(QChar(0xb1)), qPrintable(text("modelFacts")));
    }

    void theLeastMemoryCountsAWorkerAndWhatItTookHere() {
        const auto model = loadModel(QStringLiteral("mobilenetv2"));
        const Job job;
        const auto line = [this] { return number("modelAll-", QStringLiteral("mobilenetv2")); };
        const auto said = [&](qint64 runtime) {
            return formatBytes(leastBytes(trainingMemory(*model), job.optimizer.state(), runtime));
        };
        QTRY_COMPARE_WITH_TIMEOUT(line(), said(usualRuntimeBytes), 10 * patience);
        DeviceProfile device;
        device.device = m_home->list.front().id;
        device.runtimeBytes = 300'000'000;
        m_home->folder = m_folder->path();
        QVERIFY(ProfileStore(m_folder->filePath(QStringLiteral("profiles"))).saveDevice(device));
        goTo("railHome");
        goTo("railJob");
        QTRY_COMPARE_WITH_TIMEOUT(line(), said(device.runtimeBytes), patience);
    }

    void aModelThatTheDataDoNotFitIsToldAndAskedAbout() {
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QStringLiteral("28×28")), patience);
        QVERIFY(!find<QLabel>("jobFit")->isVisible());
        find<QRadioButton>("model-resnet50")->click();
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("jobFit")->isVisible(), patience);
        QVERIFY2(text("jobFit").startsWith(
                     QLatin1String("The model resnet50 and the data fashion-mnist do not fit each other.")),
                 qPrintable(text("jobFit")));
        QCOMPARE(started().model, Job().model);
        QVERIFY(!m_controller->started);
        QCOMPARE(m_questions->doubts.size(), std::size_t{1});
        QCOMPARE(m_questions->doubts.front().code, QStringLiteral("job.misfit"));
        m_questions->startsAnyway = true;
        QCOMPARE(started().model, QStringLiteral("resnet50"));
        find<QRadioButton>("model-fashion-cnn")->click();
        QVERIFY(!find<QLabel>("jobFit")->isVisible());
        QCOMPARE(started().model, QStringLiteral("fashion-cnn"));
        QCOMPARE(m_questions->doubts.size(), std::size_t{2});
    }

    void aChosenModelIsTrained() {
        find<QRadioButton>("model-mobilenetv2")->click();
        QCOMPARE(started().model, QStringLiteral("mobilenetv2"));
    }

    void aModelOfAFileGetsARowAndABadOneSaysWhy() {
        m_questions->file = write(QStringLiteral("mine.json"), "{\"format\":\"hearth-model/1\"}");
        click("jobModelFile");
        QVERIFY(find<QRadioButton>("model-mine.json")->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(text("modelError").contains(QLatin1String("mine.json")), patience);
        QCOMPARE(number("modelParameters-", QStringLiteral("mine.json")), QStringLiteral("Not usable"));
        QVERIFY(!find<QLabel>("modelFacts")->isVisible());
        QCOMPARE(chosen(), m_questions->file);
        find<QRadioButton>("model-fashion-cnn")->click();
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("modelFacts")->isVisible(), patience);
        QVERIFY(!find<QLabel>("modelError")->isVisible());
    }

    void aModelIsOpenedBesideTheWindow() {
        m_questions->file = writeFolder(QStringLiteral("bert")) + QStringLiteral("/config.json");
        click("jobModelFile");
        // Nothing of it was read before the click was over.
        QCOMPARE(text("modelFacts"), QStringLiteral("Reading …"));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("layers")), patience);
        QCOMPARE(chosen(), m_folder->filePath(QStringLiteral("bert")));
    }

    void anAmpersandOfANameIsShown() {
        m_questions->file = writeFolder(QStringLiteral("q&a")) + QStringLiteral("/config.json");
        click("jobModelFile");
        const auto *choice = find<QRadioButton>("model-q&a");
        QCOMPARE(choice->text(), QStringLiteral("q&&a"));
        QCOMPARE(choice->accessibleName(), QStringLiteral("q&a"));
    }

    void whatIsNewOrUnusedInAFolderIsTold() {
        m_questions->file = writeFolder(QStringLiteral("bert")) + QStringLiteral("/model.safetensors");
        click("jobModelFile");
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("modelNotes")->isVisible(), patience);
        const QString notes = text("modelNotes");
        QVERIFY2(notes.contains(QLatin1String("2 are new and begin at random: classifier.weight, classifier.bias")),
                 qPrintable(notes));
        QVERIFY2(notes.contains(QLatin1String("1 of the file are not used: nobodys.weight")), qPrintable(notes));
        find<QRadioButton>("model-fashion-cnn")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("modelNotes")->isVisible(), patience);
    }

    void whatADescriptionLeavesOpenStandsBehindTheName() {
        find<QRadioButton>("model-bert-small")->click();
        auto *options = find<QLineEdit>("modelOptions");
        enter("modelOptions", QStringLiteral("sequence=64, classes=3"));
        QCOMPARE(chosen(), QStringLiteral("bert-small:sequence=64,classes=3"));
        QCOMPARE(find<QRadioButton>("model-bert-small")->accessibleName(),
                 QStringLiteral("bert-small, sequence=64,classes=3"));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("gives 3")), patience);
        // They stay with it when another one is tried in between.
        find<QRadioButton>("model-gpt2")->click();
        QCOMPARE(options->text(), QString());
        find<QRadioButton>("model-bert-small")->click();
        QCOMPARE(chosen(), QStringLiteral("bert-small:sequence=64,classes=3"));
        enter("modelOptions", QStringLiteral("sequence"));
        QVERIFY(text("modelOptionsReason").contains(QLatin1String("name=value")));
        QCOMPARE(chosen(), QStringLiteral("bert-small:sequence=64,classes=3"));
        enter("modelOptions", QStringLiteral("sequence=100000"));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelError").contains(QLatin1String("sequence")), patience);
        enter("modelOptions", {});
        QCOMPARE(chosen(), QStringLiteral("bert-small"));
    }

    void wrongOptionsStayUntilAnotherModelIsChosen() {
        const auto *options = find<QLineEdit>("modelOptions");
        find<QRadioButton>("model-bert-small")->click();
        enter("modelOptions", QStringLiteral("sequence"));
        type("jobBatch", QStringLiteral("64"));
        QCOMPARE(options->text(), QStringLiteral("sequence"));
        QVERIFY(find<QLabel>("modelOptionsReason")->isVisible());
        find<QRadioButton>("model-resnet18")->click();
        QCOMPARE(options->text(), QString());
        QVERIFY(!find<QLabel>("modelOptionsReason")->isVisible());
        QVERIFY(!options->property("wrong").toBool());
    }

    void whatIsTypedCountsWhenAButtonIsClicked() {
        find<QRadioButton>("model-bert-small")->click();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        auto *options = find<QLineEdit>("modelOptions");
        options->setFocus();
        QTest::keyClicks(options, QStringLiteral("classes=3"));
        QCOMPARE(chosen(), QStringLiteral("bert-small"));
        click("jobDuplicate");
        QCOMPARE(chosen(), QStringLiteral("bert-small:classes=3"));
    }

    void modelsThatWereOpenedStayInTheList() {
        m_questions->file = write(QStringLiteral("first.json"), "{}");
        click("jobModelFile");
        m_questions->file = write(QStringLiteral("second.json"), "{}");
        click("jobModelFile");
        find<QRadioButton>("model-first.json")->click();
        const QStringList opened{m_folder->filePath(QStringLiteral("second.json")),
                                 m_folder->filePath(QStringLiteral("first.json"))};
        QCOMPARE(m_window->jobDraft().openedModels(), opened);
        // From one start of the window to the next; one that is gone may be on a disk that is not plugged in.
        QSettings settings(m_folder->filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        QVERIFY(WindowMemory(*m_window, settings).save());
        QVERIFY(QFile::remove(opened.front()));
        endWindow();
        makeWindow();
        WindowMemory(*m_window, settings).restore();
        QCOMPARE(m_window->jobDraft().openedModels(), opened);
        QVERIFY(m_window->findChild<QRadioButton *>(QStringLiteral("model-second.json")) != nullptr);
    }

    void aModelIsDroppedOnThePage_data() {
        QTest::addColumn<QStringList>("urls");
        QTest::addColumn<bool>("taken");
        QTest::newRow("a file") << QStringList{QStringLiteral("file:///models/mine.onnx")} << true;
        QTest::newRow("a folder") << QStringList{QStringLiteral("file:///models/bert")} << true;
        QTest::newRow("two files") << QStringList{QStringLiteral("file:///a.onnx"), QStringLiteral("file:///b.onnx")}
                                   << false;
        QTest::newRow("a page of the web") << QStringList{QStringLiteral("https://example.org/mine.onnx")} << false;
        QTest::newRow("a text") << QStringList() << false;
    }
    void aModelIsDroppedOnThePage() {
        QFETCH(QStringList, urls);
        QFETCH(bool, taken);
        auto *page = find<QWidget>("jobPage");
        QMimeData data;
        QList<QUrl> list;
        for (const QString &url : urls)
            list << QUrl(url);
        if (list.isEmpty())
            data.setText(QStringLiteral("a text"));
        else
            data.setUrls(list);
        const QString before = text("jobDropHint");
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.setAccepted(false);
        QCoreApplication::sendEvent(page, &enter);
        QCOMPARE(enter.isAccepted(), taken);
        QCOMPARE(text("jobDropHint") != before, taken);
        if (!taken)
            return;
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(page, &leave);
        QCOMPARE(text("jobDropHint"), before);
        QCoreApplication::sendEvent(page, &enter);
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(page, &drop);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->jobDraft().choices().model, list.front().toLocalFile(), patience);
        QCOMPARE(text("jobDropHint"), before);
    }

    void dataThatAreDroppedAreNoModel_data() {
        QTest::addColumn<QString>("name");
        for (const char *name :
             {"table.csv", "table.tsv", "rows.jsonl", "story.txt", "notes.md", "pair.npz", "cifar-10.tar.gz"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void dataThatAreDroppedAreNoModel() {
        QFETCH(QString, name);
        const QString model = m_window->jobDraft().choices().model, path = m_folder->filePath(name);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"a\": 1, \"b\": \"x\"}\n") > 0);
        file.close();
        drop(path);
        QCOMPARE(text("jobDropHint"), QStringLiteral("Looking at it …"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QDialog *>(QStringLiteral("addDataDialog")) != nullptr, patience);
        QCOMPARE(find<QLineEdit>("addDataPath")->text(), path);
        QCOMPARE(m_window->jobDraft().choices().model, model);
        find<QDialog>("addDataDialog")->reject();
    }

    void aDescriptionOfDataThatIsDroppedIsTheData() {
        const QString model = m_window->jobDraft().choices().model,
                      path = m_folder->filePath(QStringLiteral("mine.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"format\": \"hearth-data/1\"}") > 0);
        file.close();
        drop(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->jobDraft().choices().data, QStringList{path}, patience);
        QCOMPARE(m_window->jobDraft().choices().model, model);
    }

    void aFolderWithoutANetworkNamesWhatIsMissing() {
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("empty")));
        m_window->jobDraft().setModel(m_folder->filePath(QStringLiteral("empty")));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelError").contains(QLatin1String("has no config.json")), patience);
        writeFolder(QStringLiteral("empty/snapshot"));
        m_window->jobDraft().setModel(m_folder->path() + QStringLiteral("/empty/"));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelError").contains(QLatin1String("\"snapshot\"")), patience);
    }
};

QTEST_MAIN(JobModelsTest)
#include "job_models_test.moc"
