// The History page: runs that are deleted, and brought back; how much disk each takes.
#include <QCoreApplication>
#include <QFileInfo>
#include <QKeyEvent>
#include <QSignalSpy>

#include "tests/core/base/patience.h"
#include "tests/ui/history_fixture.h"
#include "ui/history/runs_table.h"

using namespace hearth;

class HistoryDeleteTest : public HistoryFixture {
    Q_OBJECT

    const QString early = QStringLiteral("early"), late = QStringLiteral("late"), crashed = QStringLiteral("crashed");

    bool isThere(const QString &run) const { return QFileInfo::exists(m_runs->events(run)); }
    bool isDeleted(const QString &run) const {
        return QFileInfo::exists(m_runs->file(QStringLiteral("deleted-runs/%1/events.jsonl").arg(run)));
    }
    qint64 sizeOf(const QString &run) const { return QFileInfo(m_runs->events(run)).size(); }
    int rows() const { return table()->model()->rowCount(); }
    QString said() const { return plain(text("historyDeletedText")); }
    bool isSaid() const { return find<QWidget>("historyDeleted")->isVisible(); }
    void pressDelete() const {
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Delete);
    }
    void deleteRuns(const QStringList &ids) {
        const int before = rows();
        choose(ids);
        click("historyDelete");
        QTRY_COMPARE_WITH_TIMEOUT(rows(), before - static_cast<int>(ids.size()), patience);
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(), patience);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endPage(); }

    void everyRunSaysHowMuchDiskItTakes() {
        showThree();
        for (const QString &run : {early, late, crashed}) {
            QTRY_COMPARE_WITH_TIMEOUT(table()->model()->index(rowOf(run), RunsTableModel::Size).data().toString(),
                                      formatBytes(sizeOf(run)), patience);
        }
    }

    void theChosenRunIsDeleted_data() {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("by its button") << false;
        QTest::newRow("by keyboard") << true;
    }
    void theChosenRunIsDeleted() {
        QFETCH(bool, byKey);
        showThree();
        const qint64 bytes = sizeOf(early);
        choose({early});
        if (byKey)
            pressDelete();
        else
            click("historyDelete");
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, patience);
        QCOMPARE(rowOf(early), -1);
        QVERIFY(!isThere(early) && isDeleted(early));
        QVERIFY(isThere(late) && isThere(crashed));
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(), patience);
        QCOMPARE(said(), QStringLiteral("1 run deleted (%1).").arg(plain(formatBytes(bytes))));
    }

    void severalRunsComeBack() {
        showThree();
        const qint64 bytes = sizeOf(early) + sizeOf(late);
        deleteRuns({early, late});
        QCOMPARE(said(), QStringLiteral("2 runs deleted (%1).").arg(plain(formatBytes(bytes))));
        click("historyDeletedButton");
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, patience);
        QVERIFY(!isSaid());
        QVERIFY(isThere(early) && isThere(late));
        QVERIFY(!isDeleted(early) && !isDeleted(late));
        choose({late});
        QTRY_COMPARE_WITH_TIMEOUT(facts(QStringLiteral("Recoveries")), QStringList{QStringLiteral("1")}, patience);
    }

    void whatWasDeletedOneAfterTheOtherComesBackTogether() {
        showThree();
        deleteRuns({early});
        deleteRuns({late});
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith(QLatin1String("2 runs deleted")), patience);
        click("historyDeletedButton");
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, patience);
    }

    void theLastRunComesBackToAnEmptyPage() {
        m_runs->add(early, QStringLiteral("recorded_run"));
        show();
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, patience);
        deleteRuns({early});
        QVERIFY(find<QWidget>("historyPageEmpty")->isVisible());
        click("historyDeletedButton");
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 1, patience);
        QVERIFY(!find<QWidget>("historyPageEmpty")->isVisible());
    }

    void whoClosesTheMessageKeepsThemDeleted() {
        showThree();
        deleteRuns({early});
        click("historyDeletedClose");
        QVERIFY(!isSaid());
        QVERIFY(m_controller->past.deletedRuns().empty());
        QVERIFY(isDeleted(early));
    }

    void aWindowThatTakesThePlaceOfAnotherStillBringsThemBack() {
        showThree();
        deleteRuns({early});
        m_window = std::make_unique<MainWindow>(*m_home, *m_controller, *m_questions);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        goTo("railHistory");
        QVERIFY(isSaid());
        click("historyDeletedButton");
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 3, patience);
    }

    void theRunBesideTheDeletedOneIsChosen() {
        showThree();
        table()->selectRow(rowOf(crashed));
        pressDelete();
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, patience);
        const auto isChosen = [this](const QString &run) {
            return table()->selectionModel()->isSelected(table()->model()->index(rowOf(run), 0));
        };
        QVERIFY(isChosen(early) && !isChosen(late));
    }

    void aKeyThatIsHeldDownDeletesOnce() {
        showThree();
        QSignalSpy wanted(find<RunsTable>("runsTable"), &RunsTable::deleteWanted);
        QKeyEvent repeated(QEvent::KeyPress, Qt::Key_Delete, Qt::NoModifier, {}, true);
        QCoreApplication::sendEvent(table(), &repeated);
        QCOMPARE(wanted.size(), 0);
    }

    void aRunUnderWayStays_data() {
        QTest::addColumn<int>("lines");
        QTest::newRow("it trains") << 60;
        QTest::newRow("it has told its end, and its coordinator works on") << -1;
    }
    void aRunUnderWayStays() {
        QFETCH(int, lines);
        m_runs->add(QStringLiteral("live"), QStringLiteral("recorded_run"), lines);
        m_runs->add(late, QStringLiteral("lossy_run"));
        tellLive(true);
        show();
        QTRY_COMPARE_WITH_TIMEOUT(rows(), 2, patience);
        const auto *button = find<QPushButton>("historyDelete");
        const QString reason = QStringLiteral("A run that is under way cannot be deleted; stop it first.");
        for (const QStringList &runs : {QStringList{QStringLiteral("live")}, {QStringLiteral("live"), late}}) {
            choose(runs);
            QVERIFY(!button->isEnabled());
            QCOMPARE(button->toolTip(), reason);
        }
        pressDelete();
        QCOMPARE(text("historyNoticeText"), reason);
        choose({late});
        QVERIFY(button->isEnabled());
        choose({QStringLiteral("live")});
        tellLive(false);
        QVERIFY(button->isEnabled());
        QVERIFY(isThere(QStringLiteral("live")) && isThere(late));
    }

    void whatCannotBeDeletedIsSaidAndStays() {
        showThree();
        QFile inTheWay(m_runs->file(QStringLiteral("deleted-runs")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        choose({early});
        click("historyDelete");
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("errorPanel")->isVisible(), patience);
        QVERIFY(text("errorWhat").contains(QLatin1String("early could not be deleted")));
        QVERIFY(!isSaid());
        QCOMPARE(rows(), 3);
        QVERIFY(isThere(early));
    }

    void nothingTrainsWhereTheShownRunWasDeleted() {
        showThree();
        m_controller->open(early);
        for (const RunEvent &one : m_events)
            m_controller->send(one);
        m_controller->end(early);
        QVERIFY(!m_window->run().isEmpty());
        m_controller->calls.clear();
        deleteRuns({early});
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("close")});
        QVERIFY(m_window->run().isEmpty());
        goTo("railTrain");
        QVERIFY(find<QWidget>("trainPageEmpty")->isVisible());
    }

    void theRunBeforeIsShownInPlaceOfADeletedOne() {
        showThree();
        m_controller->open(late);
        m_controller->open(early);
        m_controller->calls.clear();
        deleteRuns({early});
        QCOMPARE(m_controller->calls, (QStringList{QStringLiteral("close"), QStringLiteral("attach late")}));
    }

    void nobodyIsLedBackToADeletedRun() {
        showThree();
        m_controller->open(late);
        m_controller->open(early);
        deleteRuns({late});
        m_controller->calls.clear();
        deleteRuns({early});
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("close")});
    }
};

QTEST_MAIN(HistoryDeleteTest)
#include "history_delete_test.moc"
