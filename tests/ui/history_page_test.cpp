// Drives the History page of the real window over run folders on the disk.
#include <QComboBox>
#include <QImage>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QTableView>
#include <cmath>

#include "core/history/run_history.h"
#include "tests/ui/past_runs.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/rail.h"
#include "ui/run/facts_view.h"
#include "ui/run/runs_table_model.h"
#include "ui/train/curve_plot.h"

using namespace hearth;

class HistoryPageTest : public WindowFixture {
    Q_OBJECT

    std::unique_ptr<PastRuns> m_runs;

    QTableView *table() const { return find<QTableView>("runsTable"); }
    QStringList column(int column) const {
        QStringList texts;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            texts << plain(table()->model()->index(row, column).data().toString());
        return texts;
    }
    int rowOf(const QString &id) const {
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            if (table()->model()->index(row, 0).data(RunsTableModel::IdRole).toString() == id)
                return row;
        }
        return -1;
    }
    void show() {
        m_controller->past.setFolders({m_runs->folder()});
        goTo("railHistory");
        QTRY_VERIFY(m_controller->past.isKnown());
    }
    /// The page with a lossy run (later), a recorded one, and one that crashed in its 20th line.
    void showThree() {
        m_runs->add(QStringLiteral("early"), QStringLiteral("recorded_run"), -1,
                    {{"2026-11-21T09:45:00Z", "2026-11-19T09:45:00Z"}});
        m_runs->add(QStringLiteral("late"), QStringLiteral("lossy_run"), -1, {});
        m_runs->add(QStringLiteral("crashed"), QStringLiteral("recorded_run"), 60,
                    {{"2026-11-21T09:45:00Z", "2026-11-18T09:45:00Z"}});
        RunInfo crashed;
        crashed.id = QStringLiteral("crashed");
        m_controller->known = {crashed};
        show();
        QTRY_COMPARE(table()->model()->rowCount(), 3);
    }
    void choose(const QStringList &ids) {
        table()->clearSelection();
        for (const QString &id : ids) {
            table()->selectionModel()->select(table()->model()->index(rowOf(id), 0),
                                              QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
    }
    QStringList facts(const QString &label) const {
        QStringList values = find<FactsView>("historyFacts")->valuesOf(label);
        for (QString &value : values)
            value = plain(value);
        return values;
    }
    void trigger(const char *action) const { find<QAction>(action)->trigger(); }
    template <class Object>
    Object *find(const char *name) const {
        auto *object = m_window->findChild<Object *>(QLatin1String(name));
        if (object == nullptr)
            qFatal("nothing is called %s", name);
        return object;
    }
    const QListView *events() const { return find<QListView>("historyEvents"); }
    static qint64 roundsIn(const std::vector<RunEvent> &run) {
        qint64 last = 0;
        for (const RunEvent &one : run) {
            if (const auto *round = std::get_if<event::Round>(&one.body))
                last = round->round;
        }
        return last;
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        m_runs = std::make_unique<PastRuns>();
        makeWindow();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanup() {
        endWindow();
        m_runs.reset();
    }

    void withoutRunsThePageSaysSoAndLeadsToTheFirst() {
        show();
        QTRY_VERIFY(find<QWidget>("historyPageEmpty")->isVisible());
        QVERIFY(!find<QPushButton>("historyOpen")->isVisible());
        click("historyPageEmptyLink");
        QCOMPARE(place(), static_cast<int>(TrainPlace));
    }

    void everyRunIsListedAlsoTheCrashedOne() {
        showThree();
        QTRY_COMPARE(column(RunsTableModel::State).count(QStringLiteral("Interrupted")), 1);
        QCOMPARE(column(RunsTableModel::State).count(QStringLiteral("Finished")), 2);
        QCOMPARE(rowOf(QStringLiteral("crashed")), 2);
        const QList<QString> rounds = column(RunsTableModel::Rounds);
        QVERIFY(rounds.contains(QString::number(roundsIn(RecordedRun::load()))));
        QVERIFY(rounds.contains(QString::number(roundsIn(RecordedRun::load(QStringLiteral("lossy_run"))))));
        // The newest is chosen, so that the page is not half empty.
        QTRY_COMPARE(facts(QStringLiteral("Model")), QStringList{QStringLiteral("fashion-cnn")});
    }

    void whatIsShownOfARunEqualsItsEvents() {
        showThree();
        choose({QStringLiteral("late")});
        const std::vector<RunEvent> told = RecordedRun::load(QStringLiteral("lossy_run"));
        RunModel live;
        for (const RunEvent &one : told)
            live.add(one);
        QTRY_COMPARE(facts(QStringLiteral("Rounds")), QStringList{QString::number(live.completedRounds())});
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
    }

    void theEventsAreTheSentencesOfTheTrainPage() {
        showThree();
        choose({QStringLiteral("late")});
        RunModel live;
        for (const RunEvent &one : RecordedRun::load(QStringLiteral("lossy_run")))
            live.add(one);
        QStringList wanted;
        for (const EventSentence &sentence : live.sentences()) {
            // Routine, and the curve of accuracies, are told elsewhere.
            if (!sentence.folds && !sentence.text.startsWith(QLatin1String("Evaluated")))
                wanted << sentence.text;
        }
        QTRY_COMPARE(facts(QStringLiteral("Recoveries")), QStringList{QStringLiteral("1")});
        click("historyShowEvents");
        QVERIFY(events()->isVisible());
        QTRY_COMPARE(events()->model()->rowCount(), static_cast<int>(wanted.size()));
        for (int row = 0; row < wanted.size(); ++row)
            QCOMPARE(events()->model()->index(row, 0).data().toString(), wanted[row]);
        click("historyShowCurves");
        QVERIFY(!events()->isVisible());
    }

    void aRunUnderWayGrowsBeforeTheEyes() {
        const std::vector<RunEvent> told = RecordedRun::load();
        m_runs->add(QStringLiteral("live"), QStringLiteral("recorded_run"), 60);
        RunInfo info;
        info.id = QStringLiteral("live");
        info.live = true;
        m_controller->known = {info};
        show();
        QTRY_COMPARE(column(RunsTableModel::State), QStringList{QStringLiteral("Training")});
        QTRY_VERIFY(!facts(QStringLiteral("Rounds")).isEmpty());
        const QStringList before = facts(QStringLiteral("Rounds"));
        QFile recorded(QStringLiteral(HEARTH_UI_TEST_DATA "/recorded_run.jsonl"));
        QVERIFY(recorded.open(QIODevice::ReadOnly));
        const QByteArrayList lines = recorded.readAll().split('\n');
        m_runs->write(QStringLiteral("live"), lines.mid(60).join('\n'));
        info.live = false;
        m_controller->known = {info};
        m_controller->refreshRuns();
        QTRY_COMPARE(column(RunsTableModel::State), QStringList{QStringLiteral("Finished")});
        QTRY_COMPARE(facts(QStringLiteral("Rounds")), QStringList{QString::number(roundsIn(told))});
        QVERIFY(before != facts(QStringLiteral("Rounds")));
    }

    void theListIsSearchedAndFiltered() {
        showThree();
        QTRY_COMPARE(column(RunsTableModel::State).count(QStringLiteral("Interrupted")), 1);
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
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(words->hasFocus());
    }

    void aClickOnATitleSorts() {
        showThree();
        table()->sortByColumn(RunsTableModel::Rounds, Qt::AscendingOrder);
        QCOMPARE(rowOf(QStringLiteral("crashed")), 0);
        table()->sortByColumn(RunsTableModel::Started, Qt::DescendingOrder);
        QCOMPARE(rowOf(QStringLiteral("crashed")), 2);
    }

    void aRunIsOpenedByButtonAndByKeyboard() {
        showThree();
        choose({QStringLiteral("early")});
        click("historyOpen");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("attach early")});
        QCOMPARE(place(), static_cast<int>(TrainPlace));
        goTo("railHistory");
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Home);
        QTest::keyClick(table(), Qt::Key_Down);
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(m_controller->calls.size(), 2);
    }

    void twoRunsAreLaidOverEachOther() {
        showThree();
        QVERIFY(!find<QPushButton>("historyCompare")->isEnabled());
        choose({QStringLiteral("late"), QStringLiteral("early")});
        QVERIFY(!find<QPushButton>("historyOpen")->isEnabled());
        QVERIFY(find<QWidget>("historyHint")->isVisible());
        click("historyCompare");
        QTRY_COMPARE(facts(QStringLiteral("Rounds")).size(), 2);
        QCOMPARE(facts(QStringLiteral("Rounds")),
                 QStringList({QString::number(roundsIn(RecordedRun::load(QStringLiteral("lossy_run")))),
                              QString::number(roundsIn(RecordedRun::load()))}));
        QVERIFY(find<QLabel>("historyLegend1")->text().startsWith(QLatin1String("A: fashion-cnn")));
        QVERIFY(find<QLabel>("historyLegend2")->text().startsWith(QLatin1String("B: fashion-cnn")));
        for (const char *plot : {"historyLoss", "historySpeed"}) {
            QVERIFY(!find<CurvePlot>(plot)->points(0).empty());
            QVERIFY(!find<CurvePlot>(plot)->points(1).empty());
        }
        QVERIFY(!find<QPushButton>("historyShowEvents")->isVisible());
        // Another choice ends it.
        choose({QStringLiteral("late")});
        QTRY_COMPARE(facts(QStringLiteral("Rounds")).size(), 1);
        QVERIFY(find<QPushButton>("historyShowEvents")->isVisible());
    }

    void whatCannotBeComparedStandsBesideTheCurves() {
        showThree();
        m_runs->add(QStringLiteral("other"), QStringLiteral("recorded_run"), -1, {{"\"batch\":128,", "\"batch\":64,"}});
        m_controller->refreshRuns();
        QTRY_COMPARE(table()->model()->rowCount(), 4);
        choose({QStringLiteral("early"), QStringLiteral("other")});
        click("historyCompare");
        QTRY_COMPARE(facts(QString()).size(), 1);
        QVERIFY(facts(QString()).constFirst().contains(QLatin1String("samples in one run and")));
        choose({QStringLiteral("early"), QStringLiteral("late")});
        click("historyCompare");
        QTRY_COMPARE(facts(QStringLiteral("Batch")).size(), 2);
        QVERIFY(facts(QString()).isEmpty());
    }

    void theRoundsAreExportedAsTheEventsToldThem() {
        showThree();
        choose({QStringLiteral("early")});
        m_questions->file = m_runs->file(QStringLiteral("rounds.csv"));
        trigger("historyExportCsv");
        QTRY_VERIFY(find<QWidget>("historyNotice")->isVisible());
        QVERIFY(text("historyNoticeText").contains(QLatin1String("rounds.csv")));
        QVERIFY(!find<QWidget>("historyBusy")->isVisible());
        QFile file(m_questions->file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().replace("\r\n", "\n").split('\n');
        std::vector<const RunEvent *> rounds;
        for (const RunEvent &one : m_events) {
            if (std::holds_alternative<event::Round>(one.body))
                rounds.push_back(&one);
        }
        std::size_t at = 0;
        for (const QByteArray &line : lines.mid(1, lines.size() - 2)) {
            const QByteArrayList fields = line.split(',');
            QCOMPARE(fields.size(), 10);
            if (fields[4].isEmpty())
                continue;
            QVERIFY(at < rounds.size());
            const auto &round = std::get<event::Round>(rounds[at]->body);
            QCOMPARE(fields[0], QByteArray("early"));
            QCOMPARE(fields[1].toLongLong(), round.round);
            QCOMPARE(fields[2].toUInt(), round.term);
            QCOMPARE(fields[3].toDouble(), rounds[at]->t);
            QCOMPARE(fields[4].toDouble(), round.loss);
            QCOMPARE(fields[5].toDouble(), round.roundS);
            QCOMPARE(fields[6].toDouble(), round.predictedRoundS);
            QCOMPARE(fields[7].toDouble(), round.samplesPerS);
            ++at;
        }
        QCOMPARE(at, rounds.size());
        click("historyNoticeButton");
        QVERIFY(!find<QWidget>("historyNotice")->isVisible());
    }

    void aPictureShowsWhatIsCompared() {
        showThree();
        choose({QStringLiteral("early"), QStringLiteral("late")});
        click("historyCompare");
        QTRY_COMPARE(facts(QStringLiteral("Rounds")).size(), 2);
        m_questions->file = m_runs->file(QStringLiteral("curves.png"));
        trigger("historyExportPicture");
        QTRY_VERIFY(find<QWidget>("historyNotice")->isVisible());
        const QImage picture(m_questions->file);
        QVERIFY(picture.width() >= 2000);
        // Both curves are in it, in their colours.
        const Theme &theme = ThemeManager::instance().theme();
        for (const QColor &colour : {theme.accent, theme.info}) {
            int found = 0;
            for (int y = 0; y < picture.height(); y += 1) {
                for (int x = 0; x < picture.width(); x += 1)
                    found += picture.pixelColor(x, y) == colour ? 1 : 0;
            }
            QVERIFY2(found > 200, qPrintable(colour.name() + QString::number(found)));
        }
    }

    void whatCannotBeWrittenIsSaid_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::newRow("rounds") << QByteArray("historyExportCsv");
        QTest::newRow("picture") << QByteArray("historyExportPicture");
    }
    void whatCannotBeWrittenIsSaid() {
        QFETCH(QByteArray, action);
        showThree();
        choose({QStringLiteral("early")});
        QTRY_VERIFY(!facts(QStringLiteral("Rounds")).isEmpty() && find<QAction>(action.constData())->isEnabled());
        m_questions->file = m_runs->file(QStringLiteral("none/such.file"));
        trigger(action.constData());
        QTRY_VERIFY(find<QWidget>("errorPanel")->isVisible());
        QVERIFY(text("errorWhat").contains(QLatin1String("such.file")));
        QVERIFY(!find<QWidget>("historyBusy")->isVisible());
    }

    void aDialogThatWasCancelledExportsNothing() {
        showThree();
        choose({QStringLiteral("early")});
        trigger("historyExportCsv");
        QVERIFY(!m_controller->past.isExporting());
        QVERIFY(!find<QWidget>("historyBusy")->isVisible());
    }

    void aRunStartsAgainWithItsJobAndTheUsersPlan_data() {
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<bool>("given");
        QTest::newRow("the planner's plan is made anew") << QByteArray("first") << false;
        QTest::newRow("the user's plan is taken again") << QByteArray("user") << true;
    }
    void aRunStartsAgainWithItsJobAndTheUsersPlan() {
        QFETCH(QByteArray, reason);
        QFETCH(bool, given);
        m_runs->add(QStringLiteral("one"), QStringLiteral("recorded_run"), -1,
                    {{"\"reason\":\"first\"", "\"reason\":\"" + reason + '"'}, {"\"rounds\":60,", "\"rounds\":77,"}});
        show();
        QTRY_VERIFY(find<QPushButton>("historyStartAgain")->isEnabled());
        click("historyStartAgain");
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
        QCOMPARE(m_controller->started->rounds, std::optional<qint64>(77));
        QCOMPARE(m_controller->plan.has_value(), given);
        QCOMPARE(place(), static_cast<int>(TrainPlace));
    }

    void noSecondRunIsStartedBesideOneUnderWay() {
        showThree();
        QTRY_VERIFY(find<QPushButton>("historyStartAgain")->isEnabled());
        play(QStringLiteral("training"));
        QVERIFY(!find<QPushButton>("historyStartAgain")->isEnabled());
        QVERIFY(!find<QPushButton>("historyStartAgain")->toolTip().isEmpty());
    }

    void withoutDevicesNothingStartsAgain() {
        showThree();
        QTRY_VERIFY(find<QPushButton>("historyStartAgain")->isEnabled());
        m_home->set({});
        QVERIFY(!find<QPushButton>("historyStartAgain")->isEnabled());
        QCOMPARE(find<QPushButton>("historyStartAgain")->toolTip(), QStringLiteral("No device is ready."));
    }

    void aRunThatIsGoneLeavesTheList() {
        showThree();
        choose({QStringLiteral("late")});
        QTRY_COMPARE(facts(QStringLiteral("Recoveries")), QStringList{QStringLiteral("1")});
        QVERIFY(QDir(m_runs->folder() + QStringLiteral("/late")).removeRecursively());
        m_controller->refreshRuns();
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        // What is left is chosen.
        QTRY_VERIFY(!facts(QStringLiteral("Rounds")).isEmpty() && facts(QStringLiteral("Recoveries")).isEmpty());
    }

    void damagedRunsAreListedWithWhatIsLeft() {
        m_runs->write(QStringLiteral("noise"), QByteArray(3000, 'x') + '\n');
        m_runs->write(QStringLiteral("nothing"), QByteArray());
        m_runs->add(QStringLiteral("half"), QStringLiteral("recorded_run"), 50);
        m_runs->write(QStringLiteral("half"), "{\"seq\":51,\"t\":9,\"eve");
        show();
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        choose({QStringLiteral("noise")});
        QTRY_COMPARE(facts(QStringLiteral("Unreadable lines")), QStringList{QStringLiteral("1")});
        QVERIFY(!find<QPushButton>("historyStartAgain")->isEnabled());
        QVERIFY(find<QWidget>("historyLossNothing")->isVisible());
        choose({QStringLiteral("half")});
        QTRY_VERIFY(!facts(QStringLiteral("Seed")).isEmpty());
        QVERIFY(facts(QStringLiteral("Unreadable lines")).isEmpty());
    }
};

QTEST_MAIN(HistoryPageTest)
#include "history_page_test.moc"
