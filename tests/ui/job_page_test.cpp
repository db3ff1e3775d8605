// The Job page: models, data, numbers, and files of jobs.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QJsonDocument>
#include <QLineEdit>
#include <QMimeData>
#include <QRadioButton>
#include <QSet>
#include <QSettings>
#include <QTemporaryDir>
#include <QUrl>

#include "core/model/catalogue.h"
#include "core/profile/profile_store.h"
#include "core/run/job_estimate.h"
#include "tests/core/base/patience.h"
#include "tests/ui/full_disk.h"
#include "tests/ui/model_folder.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/rail.h"
#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/job/model_facts.h"
#include "ui/job/model_families.h"
#include "ui/shell/window_memory.h"
#include "ui/words/format.h"

using namespace hearth;

class JobPageTest : public WindowFixture {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    void type(const char *field, const QString &value) const { find<QLineEdit>(field)->setText(value); }
    QString subtitle() const {
        return m_window->findChild<ElidedLabel *>(QStringLiteral("jobPageSubtitle"))->fullText();
    }
    Job started() const {
        m_controller->started.reset();
        goTo("railJob");
        click("jobStart");
        return m_controller->started.value_or(Job());
    }
    QString chosen() const { return m_window->jobDraft().job().model; }
    void pick(const char *box, int index) const {
        auto *combo = find<QComboBox>(box);
        combo->setCurrentIndex(index);
        Q_EMIT combo->activated(index);
    }
    QString number(const char *what, const QString &model) const {
        return text(qPrintable(QLatin1String(what) + model));
    }
    QString writeFolder(const QString &name) const { return writeModelFolder(m_folder->filePath(name)); }
    QString write(const QString &name, const QByteArray &content) const {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
        return file.fileName();
    }

    /// As this computer may have measured it.
    ModelProfile profileOf(const Model &model) const {
        ModelProfile profile;
        profile.device = m_home->list.front().id;
        profile.model = model.name;
        profile.modelSha256 = QString::fromLatin1(model.sha256());
        profile.library = QStringLiteral("libtorch 1.13.1");
        profile.precision = QStringLiteral("float32");
        profile.threads = m_home->list.front().threads;
        profile.times.batch = {1, 128};
        for (const Layer &layer : model.layers) {
            LayerFacts facts;
            facts.name = layer.name;
            facts.outputBytes = facts.gradientBytes = facts.savedBytes = 4096;
            facts.parameterBytes = facts.trainableBytes = 1 << 20;
            profile.layers.push_back(facts);
            profile.times.forward.push_back({0.001, 0.1});
            profile.times.backward.push_back({0.002, 0.1});
        }
        return profile;
    }
    const Job &job() const { return m_window->jobDraft().job(); }
    void enter(const char *line, const QString &value) const {
        type(line, value);
        Q_EMIT find<QLineEdit>(line)->editingFinished();
    }
    /// What one device needs at least for the job, worked out from its network.
    QString leastOfJob() const {
        const auto network = networkOf(job(), *loadModel(chosen()));
        return formatBytes(leastBytes(trainingMemory(*network), job().optimizer.stateFactor(), usualRuntimeBytes));
    }
    void pickModel(const char *row) const {
        find<QRadioButton>(row)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!text("trainedLoraMemory").isEmpty(), 10 * patience);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        makeWindow();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        goTo("railJob");
    }
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
                     formatBytes(leastBytes(trainingMemory(*model), Job().optimizer.stateFactor(), usualRuntimeBytes)));
        }
        QVERIFY2(text("modelFacts").contains(QLatin1String("not measured here yet")), qPrintable(text("modelFacts")));
        QVERIFY(text("modelFacts").startsWith(QLatin1String("5 layers, ")));
    }

    void whatTrainsLessTakesLess() {
        const ModelFacts facts = readModelFacts(QStringLiteral("bert-small"), DType::Float32);
        const auto bytes = [&facts](TrainedPart part) { return leastBytes(*facts.part(part).memory, 1, 0); };
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

    void whatIsTrainedIsChosen() {
        pickModel("model-bert-small");
        QVERIFY(find<QRadioButton>("trainedAll")->isChecked());
        QVERIFY(!find<QLineEdit>("trainedRank")->isVisible() && !find<QLineEdit>("trainedFreeze")->isVisible());
        find<QRadioButton>("trainedLora")->click();
        QCOMPARE(job().adapters, std::optional(AdapterSpec()));
        QCOMPARE(job().freeze, QStringList());
        QCOMPARE(find<QLineEdit>("trainedTargets")->placeholderText(), QStringLiteral("As usual: *.query, *.value"));
        type("trainedRank", QStringLiteral("4"));
        type("trainedAlpha", QStringLiteral("8"));
        type("trainedDropout", QStringLiteral("0.05"));
        enter("trainedTargets", QStringLiteral("*.query,  *.key"));
        AdapterSpec lora;
        lora.rank = 4;
        lora.alpha = 8;
        lora.dropout = 0.05;
        lora.targets = QStringList{QStringLiteral("*.query"), QStringLiteral("*.key")};
        QCOMPARE(job().adapters, std::optional(lora));
        find<QRadioButton>("trainedBottleneck")->click();
        QVERIFY(!find<QLineEdit>("trainedRank")->isVisible());
        type("trainedFeatures", QStringLiteral("16"));
        QCOMPARE(job().adapters->kind, AdapterSpec::Kind::Bottleneck);
        QCOMPARE(job().adapters->features, 16);
        find<QRadioButton>("trainedHead")->click();
        QVERIFY(!job().adapters);
        QCOMPARE(job().freeze, (QStringList{QStringLiteral("*"), QStringLiteral("!classifier")}));
        enter("trainedFreeze", QStringLiteral("*, !classifier, !bert.pooler.dense"));
        QCOMPARE(job().freeze.size(), 3);
        // What was written comes back with its choice.
        find<QRadioButton>("trainedLora")->click();
        QCOMPARE(job().adapters, std::optional(lora));
        QCOMPARE(job().freeze, QStringList());
        QCOMPARE(started().adapters, std::optional(lora));
        goTo("railJob");
        find<QRadioButton>("trainedAll")->click();
        QVERIFY(!job().adapters && job().freeze.isEmpty());
    }

    void memoryFollowsWhatIsTrained() {
        pickModel("model-bert-small");
        for (const char *choice : {"trainedLora", "trainedBottleneck", "trainedHead", "trainedAll"}) {
            find<QRadioButton>(choice)->click();
            const QString label = QLatin1String(choice) + QStringLiteral("Memory");
            QTRY_COMPARE_WITH_TIMEOUT(text(qPrintable(label)), leastOfJob(), patience);
        }
        find<QRadioButton>("trainedLora")->click();
        type("trainedRank", QStringLiteral("512"));
        QTRY_COMPARE_WITH_TIMEOUT(text("trainedLoraMemory"), leastOfJob(), patience);
        QTRY_COMPARE_WITH_TIMEOUT(number("modelLora-", QStringLiteral("bert-small")), leastOfJob(), patience);
        QVERIFY2(text("trainedNote").startsWith(QLatin1String("Weights ")), qPrintable(text("trainedNote")));
    }

    void timeFollowsWhatIsTrained() {
        Job lora;
        lora.adapters.emplace();
        const auto network = networkOf(lora, *loadModel(QStringLiteral("bert-small")));
        m_home->folder = m_folder->path();
        QVERIFY(ProfileStore(m_folder->filePath(QStringLiteral("profiles"))).save(profileOf(*network)));
        pickModel("model-bert-small");
        find<QRadioButton>("trainedLora")->click();
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("for one round on this")), patience);
        find<QRadioButton>("trainedAll")->click();
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("not measured here yet")), patience);
    }

    void whatCannotBeTrainedSoIsToldInPlaceAndNotStarted() {
        pickModel("model-bert-small");
        find<QRadioButton>("trainedLora")->click();
        enter("trainedTargets", QStringLiteral("*.nobody"));
        QTRY_VERIFY_WITH_TIMEOUT(text("trainedNote").contains(QLatin1String("\"*.nobody\" fits nothing")), patience);
        QCOMPARE(text("trainedLoraMemory"), QStringLiteral("–"));
        started();
        QVERIFY(!m_controller->started);
        goTo("railJob");
        type("trainedRank", QStringLiteral("0"));
        QVERIFY(!m_window->jobDraft().isValid());
        // A network of layers takes no adapters.
        find<QRadioButton>("model-fashion-cnn")->click();
        QTRY_VERIFY_WITH_TIMEOUT(text("trainedNote").contains(QLatin1String("takes no adapters")), patience);
        find<QRadioButton>("trainedAll")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!find<QRadioButton>("trainedLora")->isEnabled(), patience);
    }

    void theHeadIsThatOfTheChosenModel() {
        pickModel("model-bert-small");
        find<QRadioButton>("trainedHead")->click();
        QCOMPARE(job().freeze.back(), QStringLiteral("!classifier"));
        pickModel("model-resnet18");
        QTRY_COMPARE_WITH_TIMEOUT(
            job().freeze, readModelFacts(QStringLiteral("resnet18"), DType::Float32).part(TrainedPart::Head).freeze,
            patience);
        pickModel("model-bert-small");
        QTRY_COMPARE_WITH_TIMEOUT(job().freeze.back(), QStringLiteral("!classifier"), patience);
    }

    void settingsThatNoLineSaysStayAsInTheFile() {
        Job odd;
        odd.model = QStringLiteral("bert-small");
        odd.adapters.emplace();
        odd.adapters->targets = QStringList{QStringLiteral("*.query"), QStringLiteral("a, b")};
        odd.freeze = QStringList{QStringLiteral("*"), QStringLiteral(" !x ")};
        const QString path = write(QStringLiteral("odd.json"), QJsonDocument(odd.toJson()).toJson());
        QVERIFY(m_window->jobDraft().open(path));
        QVERIFY(find<QRadioButton>("trainedLora")->isChecked());
        QVERIFY(find<QLineEdit>("trainedTargets")->isReadOnly() && find<QLineEdit>("trainedFreeze")->isReadOnly());
        Q_EMIT find<QLineEdit>("trainedTargets")->editingFinished();
        type("trainedRank", QStringLiteral("3"));
        click("jobSave");
        odd.adapters->rank = 3;
        QCOMPARE(*Job::load(path), odd);
    }

    void aFolderWithoutANetworkNamesWhatIsMissing() {
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("empty")));
        m_window->jobDraft().setModel(m_folder->filePath(QStringLiteral("empty")));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelError").contains(QLatin1String("has no config.json")), patience);
        writeFolder(QStringLiteral("empty/snapshot"));
        m_window->jobDraft().setModel(m_folder->path() + QStringLiteral("/empty/"));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelError").contains(QLatin1String("\"snapshot\"")), patience);
    }

    void theLeastMemoryCountsAWorkerAndWhatItTookHere() {
        const auto model = loadModel(QStringLiteral("mobilenetv2"));
        const Job job;
        const auto line = [this] { return number("modelAll-", QStringLiteral("mobilenetv2")); };
        const auto said = [&](qint64 runtime) {
            return formatBytes(leastBytes(trainingMemory(*model), job.optimizer.stateFactor(), runtime));
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
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QStringLiteral("28×28")), 20000);
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
        const auto enter = [options](const QString &value) {
            options->setText(value);
            Q_EMIT options->editingFinished();
        };
        enter(QStringLiteral("sequence=64, classes=3"));
        QCOMPARE(chosen(), QStringLiteral("bert-small:sequence=64,classes=3"));
        QCOMPARE(find<QRadioButton>("model-bert-small")->accessibleName(),
                 QStringLiteral("bert-small, sequence=64,classes=3"));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelFacts").contains(QLatin1String("gives 3")), patience);
        // They stay with it when another one is tried in between.
        find<QRadioButton>("model-gpt2")->click();
        QCOMPARE(options->text(), QString());
        find<QRadioButton>("model-bert-small")->click();
        QCOMPARE(chosen(), QStringLiteral("bert-small:sequence=64,classes=3"));
        enter(QStringLiteral("sequence"));
        QVERIFY(text("modelOptionsReason").contains(QLatin1String("name=value")));
        QCOMPARE(chosen(), QStringLiteral("bert-small:sequence=64,classes=3"));
        enter(QStringLiteral("sequence=100000"));
        QTRY_VERIFY_WITH_TIMEOUT(text("modelError").contains(QLatin1String("sequence")), patience);
        enter({});
        QCOMPARE(chosen(), QStringLiteral("bert-small"));
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
        // From one start of the window to the next, but for those that are gone.
        QSettings settings(m_folder->filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        QVERIFY(WindowMemory(*m_window, settings).save());
        QVERIFY(QFile::remove(opened.front()));
        endWindow();
        makeWindow();
        WindowMemory(*m_window, settings).restore();
        QCOMPARE(m_window->jobDraft().openedModels(), opened.mid(1));
        QVERIFY(m_window->findChild<QRadioButton *>(QStringLiteral("model-first.json")) != nullptr);
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
        QCOMPARE(m_window->jobDraft().choices().model, list.front().toLocalFile());
    }

    void theSheetShowsRealSamples() {
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("60,000 pictures to train")), 20000);
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

    void dataThatAreGoneAreToldInPlace() {
        m_questions->file = m_folder->filePath(QStringLiteral("gone.json"));
        click("jobDataFile");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("gone.json")), 20000);
        QCOMPARE(find<QLabel>("jobDataNote")->property("role").toString(), QStringLiteral("wrong"));
        click("jobDataBuiltin");
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").contains(QLatin1String("60,000")), 20000);
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
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").startsWith(QLatin1String("2 pictures to train")), 20000);
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
        QTRY_VERIFY_WITH_TIMEOUT(text("jobDataNote").startsWith(QLatin1String("2 pictures to train")), 20000);
        QCOMPARE(find<QLabel>("jobDataNote")->property("role").toString(), QStringLiteral("small"));
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

    void aJobIsSavedOpenedAndDuplicated() {
        type("jobBatch", QStringLiteral("64"));
        type("jobSeed", QStringLiteral("7"));
        find<QCheckBox>("jobShuffle")->click();
        QCOMPARE(subtitle(), QStringLiteral("A job of yours that is not saved yet"));
        m_questions->file = m_folder->filePath(QStringLiteral("mine"));
        click("jobSave");
        QCOMPARE(subtitle(), QStringLiteral("mine.json · saved"));
        QVERIFY(!find<QPushButton>("jobSave")->isEnabled());
        const auto saved = Job::load(m_folder->filePath(QStringLiteral("mine.json")));
        QVERIFY(saved);
        QCOMPARE(saved->batch, 64);
        QCOMPARE(saved->seed, quint64{7});
        QVERIFY(!saved->shuffle);

        type("jobBatch", QStringLiteral("32"));
        QCOMPARE(subtitle(), QStringLiteral("mine.json · changed, not saved"));
        QCOMPARE(find<QLineEdit>("jobBatch")->accessibleDescription(), QStringLiteral("changed"));
        click("jobDuplicate");
        QCOMPARE(subtitle(), QStringLiteral("A copy that is not saved yet"));
        m_questions->file = m_folder->filePath(QStringLiteral("second.json"));
        click("jobSave");
        QCOMPARE(Job::load(m_questions->file)->batch, 32);
        QCOMPARE(Job::load(m_folder->filePath(QStringLiteral("mine.json")))->batch, 64);

        m_questions->file = m_folder->filePath(QStringLiteral("mine.json"));
        click("jobOpen");
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("64"));
        QVERIFY(!find<QCheckBox>("jobShuffle")->isChecked());
        QCOMPARE(started(), *saved);
    }

    void changesThatAreNotSavedAreNotDroppedUnasked() {
        m_questions->file = m_folder->filePath(QStringLiteral("mine.json"));
        click("jobSave");
        click("jobOpen");
        QCOMPARE(m_questions->askedAboutUnsaved, 0);
        type("jobBatch", QStringLiteral("64"));
        m_questions->unsaved = UnsavedAnswer::Cancel;
        click("jobOpen");
        QCOMPARE(m_questions->askedAboutUnsaved, 1);
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("64"));
        m_questions->unsaved = UnsavedAnswer::Discard;
        click("jobOpen");
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("128"));
        // Saved into the file that it came from, which is the one that is opened.
        type("jobBatch", QStringLiteral("32"));
        m_questions->unsaved = UnsavedAnswer::Save;
        click("jobOpen");
        QCOMPARE(Job::load(m_questions->file)->batch, 32);
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("32"));
    }

    void aSavedJobIsSavedAgainWithoutAQuestion() {
        m_questions->file = m_folder->filePath(QStringLiteral("mine.json"));
        click("jobSave");
        m_questions->file.clear();
        type("jobBatch", QStringLiteral("16"));
        click("jobSave");
        QCOMPARE(Job::load(m_folder->filePath(QStringLiteral("mine.json")))->batch, 16);
    }

    void aBadFileIsToldAndTheJobStays_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("word");
        QTest::newRow("no JSON") << QByteArray("{\"batch\":") << "bad.json";
        QTest::newRow("an unknown key") << QByteArray("{\"format\":\"hearth-job/1\",\"bach\":1}") << "bach";
        QTest::newRow("a plan") << QByteArray("{\"format\":\"hearth-plan/1\"}") << "format";
    }
    void aBadFileIsToldAndTheJobStays() {
        QFETCH(QByteArray, content);
        QFETCH(QString, word);
        type("jobBatch", QStringLiteral("64"));
        m_questions->file = write(QStringLiteral("bad.json"), content);
        click("jobOpen");
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QVERIFY2((text("errorWhat") + text("errorWhy")).contains(word), qPrintable(text("errorWhat")));
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("64"));
    }

    void aFullDiskIsToldAndNothingIsLost() {
        m_questions->file = m_folder->filePath(QStringLiteral("mine.json"));
        click("jobSave");
        type("jobBatch", QStringLiteral("64"));
        {
            const FullDisk full;
            click("jobSave");
        }
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QVERIFY2(text("errorWhat").contains(QLatin1String("mine.json")), qPrintable(text("errorWhat")));
        QCOMPARE(subtitle(), QStringLiteral("mine.json · changed, not saved"));
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("64"));
        QCOMPARE(Job::load(m_questions->file)->batch, 128);
        click("jobSave");
        QCOMPARE(Job::load(m_questions->file)->batch, 64);
    }

    void aFolderThatCannotBeWrittenIsTold() {
        m_questions->file = m_folder->filePath(QStringLiteral("no/such/folder/job.json"));
        click("jobSave");
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QCOMPARE(subtitle(), QStringLiteral("What to train, on which data, and for how long"));
    }
};

QTEST_MAIN(JobPageTest)
#include "job_page_test.moc"
