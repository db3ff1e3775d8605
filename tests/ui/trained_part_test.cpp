// What of a network is trained, as it is chosen on the Job page: the job, memory and time follow.
#include <QJsonDocument>
#include <QRadioButton>

#include "core/model/catalogue.h"
#include "core/profile/profile_store.h"
#include "core/run/job_estimate.h"
#include "tests/ui/job_page_fixture.h"
#include "ui/job/model_facts.h"
#include "ui/words/format.h"

using namespace hearth;

class TrainedPartTest : public JobPageFixture {
    Q_OBJECT

    /// What one device needs at least for the job, worked out from its network.
    QString leastOfJob() const {
        const auto network = networkOf(job(), *loadModel(chosen()));
        return formatBytes(leastBytes(trainingMemory(*network), job().optimizer.state(), usualRuntimeBytes));
    }
    void pickModel(const char *row) const {
        find<QRadioButton>(row)->click();
        QTRY_VERIFY_WITH_TIMEOUT(!text("trainedLoraMemory").isEmpty(), 10 * patience);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openJobPage(); }
    void cleanup() { endWindow(); }

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

    void whatWasMendedAfterARefusalIsStarted() {
        pickModel("model-bert-small");
        find<QRadioButton>("trainedLora")->click();
        enter("trainedTargets", QStringLiteral("*.nobody"));
        QTRY_VERIFY_WITH_TIMEOUT(text("trainedNote").contains(QLatin1String("\"*.nobody\" fits nothing")), patience);
        enter("trainedTargets", QStringLiteral("*.query"));
        goTo("railHome");  // while the answer is still on its way
        QCOMPARE(started().adapters->targets, std::optional(QStringList{QStringLiteral("*.query")}));
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
};

QTEST_MAIN(TrainedPartTest)
#include "trained_part_test.moc"
