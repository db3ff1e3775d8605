// The History page: which runs it lists, and what it shows of them.
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>

#include "tests/core/base/patience.h"
#include "tests/ui/history_fixture.h"

using namespace hearth;

class HistoryPageTest : public HistoryFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endPage(); }

    void withoutRunsThePageSaysSoAndLeadsToTheFirst() {
        show();
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("historyPageEmpty")->isVisible(), patience);
        QVERIFY(!find<QPushButton>("historyOpen")->isVisible());
        QVERIFY(text("historyPageSubtitle").isEmpty());
        click("historyPageEmptyLink");
        QCOMPARE(place(), static_cast<int>(TrainPlace));
    }

    void everyRunIsListedAlsoTheCrashedOne() {
        showThree();
        QTRY_COMPARE_WITH_TIMEOUT(column(RunsTableModel::State).count(QStringLiteral("Interrupted")), 1, patience);
        QCOMPARE(column(RunsTableModel::State).count(QStringLiteral("Finished")), 2);
        QCOMPARE(rowOf(QStringLiteral("crashed")), 2);
        const QList<QString> rounds = column(RunsTableModel::Rounds);
        QVERIFY(rounds.contains(QString::number(roundsIn(RecordedRun::load()))));
        QVERIFY(rounds.contains(QString::number(roundsIn(RecordedRun::load(QStringLiteral("lossy_run"))))));
        // The newest is chosen, so that the page is not half empty.
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Model")), QStringList{QStringLiteral("fashion-cnn")}, patience);
    }

    void whatIsShownOfARunEqualsItsEvents() {
        showThree();
        choose({QStringLiteral("late")});
        const std::vector<RunEvent> told = RecordedRun::load(QStringLiteral("lossy_run"));
        RunModel live;
        for (const RunEvent &one : told)
            live.add(one);
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Rounds")), QStringList{QString::number(live.completedRounds())},
                                  patience);
        QCOMPARE(facts(QStringLiteral("Last loss")),
                 QStringList{QLocale().toString(live.rounds().back().loss, 'f', 4)});
        QCOMPARE(facts(QStringLiteral("Lost devices")), QStringList{QStringLiteral("1")});
        QCOMPARE(facts(QStringLiteral("Recoveries")), QStringList{QStringLiteral("1")});
        const auto points = find<CurvePlot>("historyLoss")->points(0);
        QCOMPARE(points.size(), live.rounds().size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            QCOMPARE(points[i].x(), static_cast<double>(live.rounds()[i].round));
            QCOMPARE(points[i].y(), live.rounds()[i].loss);
        }
        click("historyByTime");
        QCOMPARE(find<CurvePlot>("historyLoss")->points(0).back().x(), live.rounds().back().t);
        QCOMPARE(find<CurvePlot>("historyAccuracy")->points(0).size(), live.evaluations().size());
        QCOMPARE(find<CurvePlot>("historyAccuracy")->points(0).back().y(), live.evaluations().back().accuracy * 100);
        QCOMPARE(find<CurvePlot>("historySpeed")->points(0).front().y(), live.rounds().front().samplesPerSecond);
        click("historyByRound");
        QCOMPARE(find<CurvePlot>("historyLoss")->points(0).back().x(), static_cast<double>(live.rounds().back().round));
    }

    void theEventsAreTheSentencesOfTheTrainPage() {
        showThree();
        choose({QStringLiteral("late")});
        RunModel live;
        for (const RunEvent &one : RecordedRun::load(QStringLiteral("lossy_run")))
            live.add(one);
        QStringList wanted;
        for (const EventSentence &sentence : live.log().sentences()) {
            // Routine, and the curve of accuracies, are told elsewhere.
            if (!sentence.folds && !sentence.text.startsWith(QLatin1String("Evaluated")))
                wanted << sentence.text;
        }
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Recoveries")), QStringList{QStringLiteral("1")}, patience);
        click("historyShowEvents");
        QVERIFY(events()->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(events()->model()->rowCount(), static_cast<int>(wanted.size()), patience);
        for (int row = 0; row < wanted.size(); ++row)
            QCOMPARE(events()->model()->index(row, 0).data().toString(), wanted[row]);
        click("historyShowCurves");
        QVERIFY(!events()->isVisible());
    }

    void longNamesAreShortenedInTheirMiddle() {
        showThree();
        QCOMPARE(table()->textElideMode(), Qt::ElideMiddle);
        QVERIFY2(!table()->wordWrap(), "a wrapped name is shortened twice");
    }

    void aRunUnderWayGrowsBeforeTheEyes() {
        const std::vector<RunEvent> told = RecordedRun::load();
        showLive();
        QTRY_COMPARE_WITH_TIMEOUT(column(RunsTableModel::State), QStringList{QStringLiteral("Training")}, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!facts(QStringLiteral("Rounds")).isEmpty(), patience);
        const QStringList before = facts(QStringLiteral("Rounds"));
        QFile recorded(QStringLiteral(HEARTH_UI_TEST_DATA "/recorded_run.jsonl"));
        QVERIFY(recorded.open(QIODevice::ReadOnly));
        const QByteArrayList lines = recorded.readAll().split('\n');
        m_runs->write(QStringLiteral("live"), lines.mid(60).join('\n'));
        tellLive(false);
        QTRY_COMPARE_WITH_TIMEOUT(column(RunsTableModel::State), QStringList{QStringLiteral("Finished")}, patience);
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Rounds")), QStringList{QString::number(roundsIn(told))},
                                  patience);
        QVERIFY(before != facts(QStringLiteral("Rounds")));
    }

    void aRunThatNobodyWorksOnIsNotShownAsUnderWay() {
        showLive();
        // As after a power cut: no event tells of it.
        tellLive(false);
        QCOMPARE(column(RunsTableModel::State), QStringList{QStringLiteral("Interrupted")});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("State")), QStringList{QStringLiteral("Interrupted")}, patience);
    }

    void theBestWeightsAndAnEarlyEndAreTold() {
        QByteArray lines;
        quint64 seq = 0;
        for (const RunEventBody &body :
             {RunEventBody(event::Run{QStringLiteral("ended"), {}, Job().toJson(), {}}),
              RunEventBody(event::Evaluation{100, 0.87, 0.41}), RunEventBody(event::Best{100, 0.41, 0.87, 1}),
              RunEventBody(event::State{QStringLiteral("finished"), QStringLiteral("The loss has not fallen.")})}) {
            ++seq;
            lines += eventLine(seq, static_cast<double>(seq), body) + '\n';
        }
        m_runs->write(QStringLiteral("ended"), lines);
        show();
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Ended early")),
                                  QStringList{QStringLiteral("The loss has not fallen.")}, patience);
        QCOMPARE(facts(QStringLiteral("Best weights")),
                 QStringList{QStringLiteral("after round 100: loss 0.4100, 87.0 % correct")});
    }

    void aFactIsCopiedAsItIs_data() {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("by keyboard") << true;
        QTest::newRow("from the menu") << false;
    }
    void aFactIsCopiedAsItIs() {
        QFETCH(bool, byKey);
        const QString id = QStringLiteral("20261121-094500-abcd");
        m_runs->add(id, QStringLiteral("recorded_run"));
        show();
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Run")), QStringList{id}, patience);
        QLabel *shown = nullptr;
        for (QLabel *label : find<FactsView>("historyFacts")->findChildren<QLabel *>()) {
            if (label->accessibleName() == QStringLiteral("Run: ") + id)
                shown = label;
        }
        QVERIFY(shown != nullptr && shown->text() != id);
        shown->setSelection(0, static_cast<int>(shown->text().size()));
        QGuiApplication::clipboard()->clear();
        if (byKey)
            QTest::keyClick(shown, Qt::Key_C, Qt::ControlModifier);
        else
            shown->actions().constFirst()->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), id);
    }

    void theListIsSearchedAndFiltered() {
        showThree();
        QTRY_COMPARE_WITH_TIMEOUT(column(RunsTableModel::State).count(QStringLiteral("Interrupted")), 1, patience);
        auto *words = find<QLineEdit>("historyWords");
        words->setText(QStringLiteral("no such run"));
        QCOMPARE(table()->model()->rowCount(), 0);
        QCOMPARE(text("historyPageSubtitle"), QStringLiteral("0 of 3 runs shown"));
        words->clear();
        auto *states = find<QComboBox>("historyStates");
        states->setCurrentIndex(3);
        QCOMPARE(column(RunsTableModel::State), QStringList{QStringLiteral("Interrupted")});
        states->setCurrentIndex(0);
        QCOMPARE(table()->model()->rowCount(), 3);
    }

    void theSearchIsReachedFromTheKeyboard_data() {
        QTest::addColumn<bool>("inList");
        QTest::newRow("from the list") << true;
        QTest::newRow("from a page that was just shown") << false;
    }
    void theSearchIsReachedFromTheKeyboard() {
        QFETCH(bool, inList);
        showThree();
        QVERIFY(showActive(*m_window));
        m_window->showPlace(HomePlace);
        find<QWidget>("pages")->setFocus();
        m_window->showPlace(HistoryPlace);
        if (inList)
            table()->setFocus();
        QTest::keyClick(m_window->focusWidget(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(find<QLineEdit>("historyWords")->hasFocus());
    }

    void aClickOnATitleSorts() {
        showThree();
        table()->sortByColumn(RunsTableModel::Rounds, Qt::AscendingOrder);
        QCOMPARE(rowOf(QStringLiteral("crashed")), 0);
        table()->sortByColumn(RunsTableModel::Started, Qt::DescendingOrder);
        QCOMPARE(rowOf(QStringLiteral("crashed")), 2);
    }

    void aRunThatIsGoneLeavesTheList() {
        showThree();
        choose({QStringLiteral("late")});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Recoveries")), QStringList{QStringLiteral("1")}, patience);
        QVERIFY(QDir(m_runs->folder() + QStringLiteral("/late")).removeRecursively());
        m_controller->refreshRuns();
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 2, patience);
        // What is left is chosen.
        QTRY_VERIFY_WITH_TIMEOUT(
            !facts(QStringLiteral("Rounds")).isEmpty() && facts(QStringLiteral("Recoveries")).isEmpty(), patience);
    }

    void damagedRunsAreListedWithWhatIsLeft() {
        m_runs->write(QStringLiteral("noise"), QByteArray(3000, 'x') + '\n');
        m_runs->write(QStringLiteral("nothing"), QByteArray());
        m_runs->add(QStringLiteral("half"), QStringLiteral("recorded_run"), 50);
        m_runs->write(QStringLiteral("half"), "{\"seq\":51,\"t\":9,\"eve");
        show();
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 3, patience);
        choose({QStringLiteral("noise")});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Unreadable lines")), QStringList{QStringLiteral("1")},
                                  patience);
        QVERIFY(!find<QPushButton>("historyStartAgain")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("historyLossNothing")->isVisible(), patience);
        choose({QStringLiteral("half")});
        QTRY_VERIFY_WITH_TIMEOUT(!facts(QStringLiteral("Seed")).isEmpty(), patience);
        QVERIFY(facts(QStringLiteral("Unreadable lines")).isEmpty());
    }
};

QTEST_MAIN(HistoryPageTest)
#include "history_page_test.moc"
