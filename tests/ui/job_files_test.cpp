// Files of jobs: saved, opened, duplicated, and what cannot be.
#include <QApplication>
#include <QCheckBox>
#include <QFileDialog>
#include <QMessageBox>
#include <QTimer>

#include "tests/ui/full_disk.h"
#include "tests/ui/job_page_fixture.h"
#include "ui/base/message_questions.h"
#include "ui/base/widgets.h"

using namespace hearth;

class JobFilesTest : public JobPageFixture {
    Q_OBJECT

    QString subtitle() const {
        return m_window->findChild<ElidedLabel *>(QStringLiteral("jobPageSubtitle"))->fullText();
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { openJobPage(); }
    void cleanup() { endWindow(); }

    void aJobIsSavedOpenedAndDuplicated() {
        type("jobBatch", QStringLiteral("64"));
        type("jobSeed", QStringLiteral("7"));
        find<QCheckBox>("jobShuffle")->click();
        QCOMPARE(subtitle(), QStringLiteral("A job of yours that is not saved yet"));
        m_questions->file = m_folder->filePath(QStringLiteral("mine.json"));
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

    void whatThePageHasNoControlForIsNamedAndKept() {
        QVERIFY(!find<QLabel>("jobFileValues")->isVisibleTo(m_window.get()));
        m_questions->file = write(QStringLiteral("mine.json"), R"({"format": "hearth-job/1", "label_smoothing": 0.1,
            "optimizer": {"kind": "sgd", "clip_norm": 1.5, "ema": 0.9999}})");
        click("jobOpen");
        QVERIFY(find<QLabel>("jobFileValues")->isVisibleTo(m_window.get()));
        QCOMPARE(text("jobFileValues"), QStringLiteral("Label smoothing: 0.1\n"
                                                       "Gradients are clipped to a norm of 1.5\n"
                                                       "Weights are averaged over time (ema 0.9999)"));
        m_window->jobDraft().setOptimizer(OptimizerSpec::Kind::AdamW);
        QCOMPARE(job().optimizer.clipNorm, 1.5);
        QCOMPARE(job().optimizer.ema, 0.9999);
        m_questions->unsaved = UnsavedAnswer::Discard;
        m_questions->file =
            write(QStringLiteral("other.json"), R"({"format": "hearth-job/1", "mode": "asynchronous"})");
        click("jobOpen");
        QCOMPARE(text("jobFileValues"), QStringLiteral("Asynchronous training: stages do not wait for each other"));
    }

    void allThatThePageHasNoControlForIsNamed() {
        m_questions->file = write(QStringLiteral("mine.json"), R"({"format": "hearth-job/1", "prompt_tokens": 30,
            "input": {"scale": 0.5, "pad": [2, 1], "repeat_channels": 3, "mean": [0.5, 0.25, 0], "std": [1, 2, 3]},
            "local_steps": {"every": 4, "outer_rate": 0.7, "outer_momentum": 0.9},
            "optimizer": {"decay": "all", "kind": "sgd", "momentum": 0.9}})");
        click("jobOpen");
        QCOMPARE(text("jobFileValues"),
                 QStringLiteral("Input, not fitted to the data: scaled by 0.5 · a border of 2 and 1 pixels · channels "
                                "repeated 3 times · mean 0.5; 0.25; 0 · standard deviation 1; 2; 3\n"
                                "Local steps: devices average their weights every 4 batches\n"
                                "Local steps: outer rate 0.7, outer momentum 0.9\n"
                                "Weight decay applies to biases and norms, too\n"
                                "Tokens that each prompt is continued by: 30"));
    }

    void ofTheInputWhatWasMadeForOtherDataIsDroppedAndTold_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("a border and a mean")
            << QByteArray(R"({"pad": [2, 2], "repeat_channels": 3, "mean": [0.5], "std": [1]})") << true;
        QTest::newRow("a border alone") << QByteArray(R"({"pad": [2, 2]})") << false;
    }
    void ofTheInputWhatWasMadeForOtherDataIsDroppedAndTold() {
        QFETCH(QByteArray, input);
        QFETCH(bool, isKept);
        const auto isDropped = [this] { return find<QLabel>("jobFileDropped")->isVisibleTo(m_window.get()); };
        m_questions->unsaved = UnsavedAnswer::Discard;
        m_questions->file = write(QStringLiteral("mine.json"), R"({"format": "hearth-job/1", "input": )" + input + '}');
        click("jobOpen");
        const auto before = job().input;
        m_window->jobDraft().setData(job().data.front());
        QCOMPARE(job().input, before);
        QVERIFY(!isDropped());
        m_window->jobDraft().setData(QStringLiteral("holiday"));
        QVERIFY(isDropped());
        QCOMPARE(job().input.has_value(), isKept);
        if (isKept) {
            QCOMPARE(job().input->mean, std::vector<double>{0.5});
            QCOMPARE(job().input->pad, InputTransform().pad);
            QCOMPARE(job().input->repeatChannels, 1);
        }
        QCOMPARE(find<QLabel>("jobFileValues")->isVisibleTo(m_window.get()), isKept);
        click("jobOpen");
        QCOMPARE(job().input, before);
        QVERIFY(!isDropped());
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

    void whatLiesBesideTheFileIsMeant() {
        const QString table = write(QStringLiteral("t.csv"), "x,y\n");
        m_questions->file = write(QStringLiteral("mine.json"), R"({"format": "hearth-job/1", "data": "t.csv"} )");
        click("jobOpen");
        QCOMPARE(job().data, QStringList{table});
        QCOMPARE(subtitle(), QStringLiteral("mine.json · saved"));
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

    /// What the page saves it must be able to open.
    void aJobWithLocalStepsIsHeldToTheirLimits() {
        Job job;
        job.localSteps = LocalSteps{};
        m_questions->file = write(QStringLiteral("local.json"), QJsonDocument(job.toJson()).toJson());
        click("jobOpen");
        QVERIFY(find<QPushButton>("jobStart")->isEnabled());
        type("jobBatch", QStringLiteral("4096"));
        QCOMPARE(text("jobBatchReason"), QStringLiteral("At most 2,048 with 32 local steps."));
        QVERIFY(!find<QPushButton>("jobSave")->isEnabled());
        type("jobBatch", QStringLiteral("2048"));
        QVERIFY(find<QPushButton>("jobSave")->isEnabled());
        type("jobMicroBatch", QStringLiteral("1024"));
        QCOMPARE(text("jobMicroBatchReason"),
                 QStringLiteral("With local steps a micro-batch is a whole batch: leave this empty."));
        type("jobMicroBatch", QString());
        click("jobSave");
        QCOMPARE(Job::load(m_questions->file)->roundSamples(), 65'536);
    }

    void choicesThatContradictEachOtherAreToldAndNotSaved_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("told");
        const auto row = [](const char *name, const char *file, const char *told) {
            QTest::newRow(name) << QByteArray(file) << QString::fromLatin1(told);
        };
        row("codecs in float64", R"({"format": "hearth-job/1", "codec": "auto", "batch": 64})", "float64");
        row("gradients that are rounded in float64",
            R"({"format": "hearth-job/1", "gradient_codec": "bfp8", "batch": 64})", "float64");
        row("relative steps of an asynchronous job",
            R"({"format": "hearth-job/1", "mode": "asynchronous", "optimizer": {"kind": "adafactor", "beta1": 0}})",
            "relative_step");
    }
    void choicesThatContradictEachOtherAreToldAndNotSaved() {
        QFETCH(QByteArray, file);
        QFETCH(QString, told);
        m_questions->file = write(QStringLiteral("mine.json"), file);
        click("jobOpen");
        const auto *refusal = find<QLabel>("jobRefusal");
        QVERIFY(!refusal->isVisible());
        JobDraft &draft = m_window->jobDraft();
        draft.setPrecision(Precision::Float64);
        draft.setRelativeStep(true);
        QVERIFY(refusal->isVisible());
        QVERIFY2(text("jobRefusal").contains(told), qPrintable(text("jobRefusal")));
        for (const char *button : {"jobSave", "jobStart"})
            QVERIFY(!find<QPushButton>(button)->isEnabled());
        QVERIFY(!draft.save(m_questions->file));
        draft.setPrecision(Precision::Float32);
        draft.setRelativeStep(false);
        QVERIFY(!refusal->isVisible());
        QVERIFY(find<QPushButton>("jobStart")->isEnabled());
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

    void whatIsReplacedIsAskedAboutByTheNameThatItGets_data() {
        QTest::addColumn<QStringList>("typed");  // one after the other, as long as files are not to be replaced
        QTest::addColumn<QString>("taken");
        QTest::addColumn<QStringList>("asked");
        const auto row = [](const char *name, const QStringList &typed, const QString &taken,
                            const QStringList &asked) { QTest::newRow(name) << typed << taken << asked; };
        const QString mine = QStringLiteral("mine"), full = QStringLiteral("mine.tar.gz");
        const QString fresh = QStringLiteral("other.tar.gz");
        row("nothing is in the way", {QStringLiteral("other")}, fresh, {});
        row("the suffix leads to a file", {mine}, full, {full});
        row("another name is chosen then", {mine, QStringLiteral("other")}, fresh, {full});
        row("a suffix that was typed stays", {QStringLiteral("mine.zip")}, QStringLiteral("mine.zip"), {});
    }
    void whatIsReplacedIsAskedAboutByTheNameThatItGets() {
        QFETCH(QStringList, typed);
        QFETCH(QString, taken);
        QFETCH(QStringList, asked);
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        write(QStringLiteral("mine.tar.gz"), "mine");
        QStringList names = typed, questions;
        QTimer person;
        connect(&person, &QTimer::timeout, this, [&] {
            QWidget *modal = QApplication::activeModalWidget();
            if (auto *box = qobject_cast<QMessageBox *>(modal)) {
                questions << box->text().section(QLatin1Char(' '), 0, 0);
                const auto role = names.isEmpty() ? QMessageBox::AcceptRole : QMessageBox::RejectRole;
                for (QAbstractButton *button : box->buttons()) {
                    if (box->buttonRole(button) == role)
                        return button->click();
                }
            } else if (auto *dialog = qobject_cast<QFileDialog *>(modal)) {
                if (names.isEmpty())
                    return dialog->reject();
                dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"))
                    ->setText(m_folder->filePath(names.takeFirst()));
                static_cast<QDialog *>(dialog)->accept();
            }
        });
        person.start(10);
        const QString filter = QStringLiteral("Bundles (*.tar.gz)");
        QCOMPARE(MessageQuestions().askSaveFile(m_window.get(), QStringLiteral("Save"), filter),
                 m_folder->filePath(taken));
        QCOMPARE(questions, asked);
    }

    void aFolderThatCannotBeWrittenIsTold() {
        m_questions->file = m_folder->filePath(QStringLiteral("no/such/folder/job.json"));
        click("jobSave");
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QCOMPARE(subtitle(), QStringLiteral("What to train, on which data, and for how long"));
    }
};

QTEST_MAIN(JobFilesTest)
#include "job_files_test.moc"
