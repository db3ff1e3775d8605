// "Take along": what a run reached in plain words, and the files that a person keeps of it.
#include <QAction>
#include <QCheckBox>
#include <QDialog>
#include <algorithm>

#include "core/model/adapters.h"
#include "core/model/families/bert.h"
#include "tests/core/inference/evaluated_run.h"
#include "tests/ui/history_fixture.h"
#include "ui/base/notice_bar.h"

using namespace hearth;

class TakeAlongTest : public HistoryFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endPage(); }

    void whatWasReachedIsSaidInPlainWords() {
        open();
        const QString words = plain(find<QLabel>("takeAlongReached")->text());
        QVERIFY2(words.contains(QStringLiteral("has learnt fashion-mnist in")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("Most often it takes cat for dog: once.")), qPrintable(words));
        QVERIFY(find<QCheckBox>("takeAlongBest")->isHidden());
        close();
    }

    void whyThereAreFewerRoundsThanPlannedIsSaid_data() {
        QTest::addColumn<QByteArrayList>("end");  // lines instead of the recorded ones
        QTest::addColumn<QString>("said");
        const auto state = [](const RunEventBody &body) { return eventLine(1001, 16, body) + '\n'; };
        const auto stateOf = [&](const char *name) { return state(event::State{QString::fromLatin1(name)}); };
        QTest::newRow("it did them") << QByteArrayList{stateOf("finished")} << QString();
        QTest::newRow("no evaluation was better")
            << QByteArrayList{state(event::State{QStringLiteral("finished"),
                                                 sentence("The loss has not fallen for %1 evaluations.").arg(5)})}
            << "Training ended early (planned: 60 rounds). The loss has not fallen for 5 evaluations.";
        QTest::newRow("stopped") << QByteArrayList{stateOf("stopped")} << "Training was stopped (planned: 60 rounds).";
        QTest::newRow("failed") << QByteArrayList{eventLine(1000, 16,
                                                            event::Failure{{QStringLiteral("x"), sentence("What."),
                                                                            sentence("Why."), sentence("Do.")}}) +
                                                      '\n',
                                                  stateOf("failed")}
                                << "Training failed (planned: 60 rounds). What. Why.";
        QTest::newRow("interrupted") << QByteArrayList{stateOf("interrupted")}
                                     << "Training was interrupted (planned: 60 rounds).";
        QTest::newRow("crashed") << QByteArrayList{} << "Training was interrupted (planned: 60 rounds).";
    }
    void whyThereAreFewerRoundsThanPlannedIsSaid() {
        QFETCH(QByteArrayList, end);
        QFETCH(QString, said);
        m_runs->add(QStringLiteral("ended"), QStringLiteral("recorded_run"), 100);
        m_runs->write(QStringLiteral("ended"), end.join());
        m_runs->add(QStringLiteral("late"), QStringLiteral("lossy_run"));
        RunInfo known;
        known.id = QStringLiteral("ended");
        m_controller->known = {known};
        show();
        openOf(QStringLiteral("ended"));
        const QString words = plain(find<QLabel>("takeAlongReached")->text());
        QVERIFY2(said.isEmpty() ? !words.contains(QStringLiteral("Training")) : words.contains(said),
                 qPrintable(words));
        close();
    }

    void weightsAndPagesAreWritten_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("weights") << QByteArray("takeAlongWeights") << QStringLiteral("w.safetensors") << QByteArray();
        QTest::newRow("an ONNX file") << QByteArray("takeAlongOnnx") << QStringLiteral("n.onnx") << QByteArray();
        QTest::newRow("a report") << QByteArray("takeAlongReport") << QStringLiteral("r.html")
                                  << QByteArray("<!DOCTYPE html>");
        QTest::newRow("a model card") << QByteArray("takeAlongCard") << QStringLiteral("c.md") << QByteArray("# ");
    }
    void weightsAndPagesAreWritten() {
        QFETCH(QByteArray, button);
        QFETCH(QString, file);
        QFETCH(QByteArray, begins);
        open();
        m_questions->file = m_runs->file(file);
        click(button.constData());
        QTRY_COMPARE_WITH_TIMEOUT(plain(find<QLabel>("takeAlongTold")->text()),
                                  QStringLiteral("It is in %1.").arg(m_questions->file), patience);
        QFile written(m_questions->file);
        QVERIFY(written.open(QIODevice::ReadOnly) && written.size() > 0);
        QVERIFY(written.readAll().startsWith(begins));
        close();
    }

    /// Its job names no adapters, as its network has them already.
    void loraOfARunThatWasTrainedFurtherIsMerged() {
        BertDimensions small;
        small.distilled = true;
        small.blocks = 1;
        small.width = small.inner = small.words = small.positions = 16;
        small.heads = 2;
        small.sequence = 4;
        const auto network = Model::fromJson(bertDescription(QStringLiteral("b"), small), QStringLiteral("b"));
        QVERIFY(network);
        const auto adapted = withAdapters(*network, AdapterSpec());
        QVERIFY(adapted);
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        trained.write(QStringLiteral("model.json"), adapted->toJson());
        QVERIFY(writeSafetensors(trained.folder() + QStringLiteral("/weights.safetensors"),
                                 initialise(*adapted, 5, DType::Float32)));
        showThree();
        openOf(QStringLiteral("early"));
        m_questions->file = m_runs->file(QStringLiteral("n.onnx"));
        click("takeAlongOnnx");
        QTRY_COMPARE_WITH_TIMEOUT(plain(find<QLabel>("takeAlongTold")->text()),
                                  QStringLiteral("It is in %1.").arg(m_questions->file), patience);
        QFile written(m_questions->file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray content = written.readAll();
        QVERIFY(content.contains("q_lin.weight") && !content.contains("lora"));
        close();
    }

    void whatCannotBeWrittenIsSaid() {
        open();
        QVERIFY(!find<QPushButton>("takeAlongHuggingFace")->isEnabled());
        m_questions->file = m_runs->file(QStringLiteral("nowhere/r.html"));
        click("takeAlongReport");
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("takeAlongTold")->text().contains(QStringLiteral("nowhere")) &&
                                     find<QLabel>("takeAlongTold")->property("role") == QStringLiteral("wrong"),
                                 patience);
        close();
    }

    void oneFileIsWrittenAtATime() {
        open();
        m_questions->file = m_runs->file(QStringLiteral("r.html"));
        click("takeAlongReport");
        QVERIFY(!find<QPushButton>("takeAlongReport")->isEnabled());
        QVERIFY(!find<QPushButton>("takeAlongWeights")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("takeAlongWeights")->isEnabled(), patience);
        QVERIFY(!find<QPushButton>("takeAlongHuggingFace")->isEnabled());
        close();
        QVERIFY(notice()->text().isEmpty());
    }

    void whatBecameOfAFileIsToldWhereItsDialogWasClosed_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("works");
        QTest::newRow("it was written") << QStringLiteral("r.html") << true;
        QTest::newRow("it could not be") << QStringLiteral("nowhere/r.html") << false;
    }
    void whatBecameOfAFileIsToldWhereItsDialogWasClosed() {
        QFETCH(QString, file);
        QFETCH(bool, works);
        open();
        m_questions->file = m_runs->file(file);
        click("takeAlongReport");
        close();
        QCOMPARE(notice()->text(),
                 works ? QStringLiteral("What you take along is in %1.").arg(m_questions->file) : QString());
        QCOMPARE(find<QWidget>("errorPanel")->isVisible(), !works);
        QCOMPARE(QFile::exists(m_questions->file), works);
    }

    void theFolderThatANetworkCameFromIsWrittenAgain() {
        const QString brought = m_runs->file(QStringLiteral("brought"));
        QVERIFY(QDir().mkpath(brought));
        QFile config(brought + QStringLiteral("/config.json"));
        QVERIFY(config.open(QIODevice::WriteOnly) && config.write("{\"model_type\":\"unheard-of\"}") > 0);
        config.close();
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/brought"));
        m_runs->add(QStringLiteral("brought"), QStringLiteral("recorded_run"), -1, {{format, cameFrom(brought)}});
        m_runs->add(QStringLiteral("late"), QStringLiteral("lossy_run"));
        show();
        openOf(QStringLiteral("brought"));
        m_questions->folder = m_runs->file(QStringLiteral("new"));
        click("takeAlongHuggingFace");
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("takeAlongTold")->text().contains(QStringLiteral("unheard-of")),
                                 patience);
        close();
    }

    void aFolderThatIsGoneIsNamed() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/brought"));
        const QString gone = m_runs->file(QStringLiteral("gone"));
        m_runs->add(QStringLiteral("brought"), QStringLiteral("recorded_run"), -1, {{format, cameFrom(gone)}});
        m_runs->add(QStringLiteral("late"), QStringLiteral("lossy_run"));
        show();
        openOf(QStringLiteral("brought"));
        QVERIFY(!find<QPushButton>("takeAlongHuggingFace")->isEnabled());
        const auto labels = find<QDialog>("takeAlongDialog")->findChildren<QLabel *>();
        const QString why = QStringLiteral("gone is not there.");
        QVERIFY(std::ranges::any_of(labels, [&why](const QLabel *label) { return label->text().endsWith(why); }));
        close();
    }

    void theBestWeightsAreWrittenWhereNoOthersAreThere() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        trained.saveBest();
        trained.remove(QStringLiteral("weights.safetensors"));
        showThree();
        openOf(QStringLiteral("early"));
        const auto *best = find<QCheckBox>("takeAlongBest");
        QVERIFY(best->isChecked() && !best->isEnabled());
        m_questions->file = m_runs->file(QStringLiteral("w.safetensors"));
        click("takeAlongWeights");
        QTRY_COMPARE_WITH_TIMEOUT(plain(find<QLabel>("takeAlongTold")->text()),
                                  QStringLiteral("It is in %1.").arg(m_questions->file), patience);
        QVERIFY(QFileInfo(m_questions->file).size() > 0);
        close();
    }

    void theLaterWeightsAreChosenAndSayTheirRound() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        trained.saveBest();
        trained.setRound("weights", 100);
        trained.setRound("best", 900);
        showThree();
        openOf(QStringLiteral("early"));
        auto *best = find<QCheckBox>("takeAlongBest");
        QVERIFY(best->isChecked() && best->isEnabled());
        QVERIFY(find<QLabel>("takeAlongTold")->text().contains(QStringLiteral("after round 900")));
        best->click();
        QVERIFY(find<QLabel>("takeAlongTold")->text().contains(QStringLiteral("after round 100")));
        close();
    }

    void aRunWithoutWeightsStillHasAReport() {
        showThree();
        openOf(QStringLiteral("late"));
        QVERIFY(!find<QPushButton>("takeAlongWeights")->isEnabled());
        QVERIFY(find<QPushButton>("takeAlongReport")->isEnabled());
        close();
    }

    void theEndOfARunOffersIt() {
        const QString run = std::get<event::Run>(m_events.front().body).id;
        m_runs->add(run, QStringLiteral("recorded_run"));
        m_runs->add(QStringLiteral("late"), QStringLiteral("lossy_run"));
        show();
        goTo("railTrain");
        play();
        QVERIFY(find<QPushButton>("trainTakeAlong")->isVisible());
        QVERIFY(!find<QPushButton>("trainStop")->isVisible());
        click("trainTakeAlong");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->findChild<QDialog *>(QStringLiteral("takeAlongDialog")), patience);
        QCOMPARE(place(), static_cast<int>(HistoryPlace));
        QVERIFY(plain(find<QLabel>("takeAlongReached")->text()).contains(QStringLiteral("in 60 rounds")));
        close();
    }

  private:
    static constexpr auto format = "\"format\":\"hearth-events/1\"";

    /// In place of `format`: of a run whose network came from this folder.
    static QByteArray cameFrom(const QString &folder) {
        return QByteArray(format).append(",\"origin\":\"").append(folder.toUtf8()).append('"');
    }
    NoticeBar *notice() const { return find<NoticeBar>("historyNotice"); }
    void open() {
        const TrainedRun trained(m_runs->folder() + QStringLiteral("/early"));
        trained.write(EvaluationDetails::fileName(), mistakenCats().toJson());
        showThree();
        openOf(QStringLiteral("early"));
    }
    void openOf(const QString &run) {
        QTRY_VERIFY_WITH_TIMEOUT(rowOf(run) >= 0, patience);
        choose({run});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Run")), QStringList{run}, patience);
        QTRY_VERIFY_WITH_TIMEOUT(find<QAction>("historyTakeAlong")->isEnabled(), patience);
        trigger("historyTakeAlong");
        QVERIFY(find<QDialog>("takeAlongDialog"));
    }
    void close() {
        click("takeAlongClose");
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChild<QDialog *>(QStringLiteral("takeAlongDialog")), patience);
    }
};

QTEST_MAIN(TakeAlongTest)
#include "take_along_test.moc"
