// Getting started: the three ways, each from the first click to where it leads, and back.
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QTimer>

#include "core/agent/programs.h"
#include "tests/core/base/patience.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/rail.h"

using namespace hearth;

class FirstStartTest : public WindowFixture {
    Q_OBJECT

    void freshWindow() {
        makeWindow();
        m_window.reset();
        m_home->demo = false;
        m_home->fresh = true;
        m_home->list.resize(1);
        m_window = std::make_unique<MainWindow>(*m_home, *m_controller, *m_questions);
        QVERIFY(showActive(*m_window));
    }
    bool isShown() const { return find<QWidget>("firstStartPage")->isVisible(); }
    void demoAnswers() const {
        m_home->list = RecordedRun::devices(m_events);
        Q_EMIT m_home->devicesChanged();
        m_home->setWaiting({});
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { freshWindow(); }
    void cleanup() { endWindow(); }

    void aHomeWhereNothingHappenedBeginsWithTheThreeWays() {
        QVERIFY(isShown());
        for (const char *name : {"tryDemo", "addDevices", "openRunFile", "openRunFolder"})
            QVERIFY2(find<QPushButton>(name)->isVisible(), name);
        QVERIFY(!find<QToolButton>("railHome")->isChecked());
    }

    void aHomeInUseBeginsOnHome() {
        endWindow();
        makeWindow();
        m_window->show();
        QVERIFY(!isShown());
        QCOMPARE(place(), static_cast<int>(HomePlace));
    }

    void oneClickStartsTheDemoAndTrains() {
        click("tryDemo");
        QCOMPARE(m_home->calls, QStringList{QStringLiteral("enterDemo")});
        QVERIFY(find<QProgressBar>("demoProgress")->isVisible());
        QCOMPARE(text("demoWaiting"), QStringLiteral("Starting 3 devices …"));
        QVERIFY(!find<QPushButton>("tryDemo")->isVisible());
        QVERIFY(m_controller->calls.isEmpty());
        demoAnswers();
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
        QCOMPARE(*m_controller->started, Job());
        QCOMPARE(place(), static_cast<int>(TrainPlace));
        QVERIFY(find<QToolButton>("railTrain")->isChecked());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Hearth – demo home"));
    }

    void aWindowThatIsOpenedOnADemoTrainsAsSoonAsItCan() {
        m_home->setWaiting(QStringLiteral("Starting 3 devices …"));
        m_home->demo = true;
        Q_EMIT m_home->demoChanged();
        m_window->beginDemo();
        QVERIFY(m_home->calls.isEmpty());
        QVERIFY(m_controller->calls.isEmpty());
        demoAnswers();
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("start")});
        QCOMPARE(place(), static_cast<int>(TrainPlace));
    }

    void whileTheDemoStartsTheFocusStaysWhereItIs() {
        auto *begin = find<QPushButton>("tryDemo"), *add = find<QPushButton>("addDevices");
        begin->setFocus(Qt::TabFocusReason);
        QTest::keyClick(begin, Qt::Key_Return);
        QVERIFY(find<QPushButton>("cancelDemo")->hasFocus());
        add->setFocus(Qt::TabFocusReason);
        m_home->setWaiting(QStringLiteral("Starting the last device …"));
        QCOMPARE(text("demoWaiting"), QStringLiteral("Starting the last device …"));
        QVERIFY(add->hasFocus());
    }

    void aDemoThatIsGivenUpLeadsBack() {
        click("tryDemo");
        click("cancelDemo");
        QCOMPARE(m_home->calls, (QStringList{QStringLiteral("enterDemo"), QStringLiteral("leaveDemo")}));
        QVERIFY(isShown());
        QVERIFY(find<QPushButton>("tryDemo")->isVisible());
        demoAnswers();
        QVERIFY(m_controller->calls.isEmpty());
    }

    void aDemoThatIsEndedWhileItStartsIsNotWaitedFor_data() {
        QTest::addColumn<bool>("byMenu");
        QTest::newRow("by the menu") << true;
        QTest::newRow("by going on to one's own devices") << false;
    }
    void aDemoThatIsEndedWhileItStartsIsNotWaitedFor() {
        QFETCH(bool, byMenu);
        click("tryDemo");
        if (byMenu)
            choose("menuEndDemo");
        else
            click("addDevices");
        QCOMPARE(m_home->calls, (QStringList{QStringLiteral("enterDemo"), QStringLiteral("leaveDemo")}));
        choose("menuGettingStarted");
        QVERIFY(find<QPushButton>("tryDemo")->isVisible());
        QVERIFY(!find<QProgressBar>("demoProgress")->isVisible());
        // What fails in the own home is no demo's matter.
        Q_EMIT m_home->failed({QStringLiteral("x"), QStringLiteral("The agent is gone."), {}, {}});
        QCOMPARE(m_home->calls.size(), 2);
    }

    void aDemoThatFailsSaysWhyAndLeadsBack() {
        click("tryDemo");
        Q_EMIT m_home->failed({QStringLiteral("demo.slow"),
                               QStringLiteral("The embedded home did not get ready."),
                               QStringLiteral("Not all agents answered."),
                               {}});
        QCOMPARE(m_home->calls.last(), QStringLiteral("leaveDemo"));
        QVERIFY(find<QPushButton>("tryDemo")->isVisible());
        QVERIFY(find<QWidget>("errorPanel")->isVisible());
        QCOMPARE(text("errorWhat"), QStringLiteral("The embedded home did not get ready."));
    }

    void aRunOfTheHomeIsNotMistakenForTheDemos() {
        play(QStringLiteral("training"));
        choose("menuGettingStarted");
        click("tryDemo");
        QVERIFY(m_window->run().isEmpty());
    }

    void addMyDevicesLeadsToHomeAndSaysHow() {
        click("addDevices");
        QCOMPARE(place(), static_cast<int>(HomePlace));
        QVERIFY(find<QWidget>("addDevicesPanel")->isVisible());
        for (const QString &copy : {QStringLiteral("copyDeviceInit"), QStringLiteral("copyDeviceTrust")}) {
            click(qPrintable(copy));
            QCOMPARE(QApplication::clipboard()->text(),
                     find<QLineEdit>(qPrintable(copy + QLatin1String("Line")))->text());
        }
        m_questions->file = QStringLiteral("/tmp/nano-1.json");
        find<QLineEdit>("addAddress")->setText(QStringLiteral(" 192.168.1.9:47600 "));
        click("trustFile");
        QCOMPARE(m_home->calls, QStringList{QStringLiteral("trust /tmp/nano-1.json 192.168.1.9:47600")});
        QCOMPARE(text("addSaid"), QStringLiteral("nano-1 is trusted now. It appears as soon as its agent runs."));
        click("closeAddDevices");
        QVERIFY(!find<QWidget>("addDevicesPanel")->isVisible());
    }

    void theCommandForThisComputerNamesItsHome_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("command");
        QTest::newRow("the usual one") << defaultStateDir() << "hearth-agent init > computer.json";
        QTest::newRow("another one") << "/srv/home of Ann's"
                                     << "hearth-agent --state '/srv/home of Ann'\\''s' init > computer.json";
        QTest::newRow("one that was named from where the window was started")
            << "second"
            << QStringLiteral("hearth-agent --state '%1' init > computer.json")
                   .arg(QDir::current().absoluteFilePath(QStringLiteral("second")));
    }
    void theCommandForThisComputerNamesItsHome() {
        QFETCH(QString, folder);
        m_home->folder = folder;
        m_home->leaveDemo();
        click("addDevices");
        click("copyOwnInit");
        QTEST(QApplication::clipboard()->text(), "command");
        QCOMPARE(find<QLineEdit>("copyOwnInitLine")->text(), QApplication::clipboard()->text());
    }

    void installingBeginsFromThere() {
        click("addDevices");
        click("addInstall");
        QVERIFY(find<QDialog>("installDialog")->isVisible());
        find<QDialog>("installDialog")->reject();
    }

    void nothingIsTrustedWhereNoFileIsChosen() {
        click("addDevices");
        click("trustFile");
        QVERIFY(m_home->calls.isEmpty());
    }

    void aRecordedRunIsOpenedOnTrain_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::addColumn<QString>("call");
        QTest::newRow("by its file") << QByteArray("openRunFile") << "record /runs/a/events.jsonl";
        QTest::newRow("by its folder") << QByteArray("openRunFolder") << "record /runs/a";
    }
    void aRecordedRunIsOpenedOnTrain() {
        QFETCH(QByteArray, button);
        QFETCH(QString, call);
        m_questions->file = QStringLiteral("/runs/a/events.jsonl");
        m_questions->folder = QStringLiteral("/runs/a");
        click(button.constData());
        QCOMPARE(m_controller->calls, QStringList{call});
        QVERIFY(isShown());
        play();
        m_controller->end(QStringLiteral("run"));
        QCOMPARE(place(), static_cast<int>(TrainPlace));
        QVERIFY(!find<QPushButton>("trainStop")->isEnabled());
    }

    void aFileThatIsNoRunIsToldAndNothingElseChanges() {
        m_questions->file = QStringLiteral("/tmp/film.mkv");
        click("openRunFile");
        Q_EMIT m_controller->failed({QStringLiteral("record.not-a-run"),
                                     QStringLiteral("It holds no run."),
                                     {},
                                     QStringLiteral("Choose another.")});
        QVERIFY(isShown());
        QCOMPARE(text("errorWhat"), QStringLiteral("It holds no run."));
        // A run that is opened later in another way does not move the pages.
        play();
        QVERIFY(isShown());
    }

    void thePageIsReachedAgainByMenuAndEmptyHome() {
        goTo("railJob");
        QVERIFY(!isShown());
        choose("menuGettingStarted");
        QVERIFY(isShown());
        m_home->set({});
        goTo("railHome");
        click("homePageEmptyLink");
        QVERIFY(isShown());
    }

    void everyWayIsReachedByKeyboard() {
        QStringList reached;
        find<QPushButton>("tryDemo")->setFocus();
        for (int i = 0; i < 20; ++i) {
            if (m_window->focusWidget() != nullptr)
                reached << m_window->focusWidget()->objectName();
            QTest::keyClick(m_window->focusWidget(), Qt::Key_Tab);
        }
        for (const char *name : {"tryDemo", "addDevices", "openRunFile", "openRunFolder", "railMenu"})
            QVERIFY2(reached.contains(QLatin1String(name)), name);
        find<QPushButton>("tryDemo")->setFocus();
        QTest::keyClick(find<QPushButton>("tryDemo"), Qt::Key_Space);
        QCOMPARE(m_window->focusWidget()->objectName(), QStringLiteral("cancelDemo"));
    }

    void theMenuOpensAtItsButton() {
        auto *button = find<QToolButton>("railMenu");
        bool isOpen = false;
        // The click comes back when the menu is closed.
        QTimer::singleShot(0, button->menu(), [&isOpen, menu = button->menu()] {
            isOpen = menu->isVisible();
            menu->close();
        });
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(isOpen);
    }

    void endingADemoThatTrainsAsksFirst() {
        click("tryDemo");
        demoAnswers();
        play(QStringLiteral("training"));
        choose("menuEndDemo");
        QCOMPARE(m_questions->askedToEndDemo, 1);
        QCOMPARE(m_questions->endDemoRound, std::optional<qint64>(0));
        QVERIFY(m_home->demo);
        m_questions->endDemo = CloseAnswer::Close;
        choose("menuEndDemo");
        QVERIFY(!m_home->demo);
        QVERIFY(m_window->run().isEmpty());
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Hearth"));
        QCOMPARE(place(), static_cast<int>(HomePlace));
        QVERIFY(!find<QAction>("menuEndDemo")->isVisible());
    }

    void addingDevicesDoesNotEndADemoThatTrainsUnasked() {
        click("tryDemo");
        demoAnswers();
        play(QStringLiteral("training"));
        choose("menuGettingStarted");
        click("addDevices");
        QCOMPARE(m_questions->askedToEndDemo, 1);
        QVERIFY(m_home->demo);
        QVERIFY(isShown());
        m_questions->endDemo = CloseAnswer::Close;
        click("addDevices");
        QVERIFY(!m_home->demo);
        m_home->set(RecordedRun::devices(m_events));
        QVERIFY(find<QWidget>("addDevicesPanel")->isVisible());
    }

    void aDemoThatTrainsIsStoppedAndSavedBeforeItEnds_data() {
        QTest::addColumn<bool>("byMenu");
        QTest::newRow("by the menu") << true;
        QTest::newRow("by going on to one's own devices") << false;
    }
    void aDemoThatTrainsIsStoppedAndSavedBeforeItEnds() {
        QFETCH(bool, byMenu);
        click("tryDemo");
        demoAnswers();
        play(QStringLiteral("training"));
        RunInfo training;
        training.id = QStringLiteral("run");
        training.state = QStringLiteral("training");
        training.live = true;
        m_controller->known = {training};
        m_controller->refreshRuns();
        m_questions->endDemo = CloseAnswer::StopAndClose;
        if (byMenu) {
            choose("menuEndDemo");
        } else {
            choose("menuGettingStarted");
            click("addDevices");
        }
        QCOMPARE(m_controller->calls.last(), QStringLiteral("stop"));
        QVERIFY(find<QWidget>("windowNotice")->isVisible());
        QCOMPARE(text("windowNoticeText"), QStringLiteral("The demo ends once the weights are saved."));
        m_controller->send({9001, 99, event::State{QStringLiteral("stopped")}, {}});
        QCoreApplication::processEvents();
        // The home has not told yet that nothing trains there any more.
        QVERIFY(m_home->demo);
        m_controller->known[0].state = QStringLiteral("stopped");
        m_controller->refreshRuns();
        QTRY_VERIFY_WITH_TIMEOUT(!m_home->demo, patience);
        QCOMPARE(m_questions->askedToEndDemo, 1);
        QVERIFY(m_window->run().isEmpty());
        QCOMPARE(place(), static_cast<int>(HomePlace));
        m_home->set(RecordedRun::devices(m_events));
        QVERIFY(byMenu || find<QWidget>("addDevicesPanel")->isVisible());
        QVERIFY(!find<QWidget>("windowNotice")->isVisible());
    }

    void aWindowInAnotherLanguageEndsTheDemoOnceItIsSaved() {
        click("tryDemo");
        demoAnswers();
        play(QStringLiteral("training"));
        RunInfo training;
        training.id = QStringLiteral("run");
        training.state = QStringLiteral("training");
        training.live = true;
        m_controller->known = {training};
        m_controller->refreshRuns();
        m_questions->endDemo = CloseAnswer::StopAndClose;
        choose("menuEndDemo");
        auto other = std::make_unique<MainWindow>(*m_home, *m_controller, *m_questions);
        other->takeOver(*m_window);
        m_window = std::move(other);
        m_window->show();
        QVERIFY(find<QWidget>("windowNotice")->isVisible());
        QVERIFY(m_home->demo);
        m_controller->known[0].state = QStringLiteral("stopped");
        m_controller->refreshRuns();
        QTRY_VERIFY_WITH_TIMEOUT(!m_home->demo, patience);
    }

    void closingADemoThatWasBegunHereAsksAndSaysThatItEnds() {
        click("tryDemo");
        demoAnswers();
        play(QStringLiteral("training"));
        QVERIFY(!m_window->close());
        QVERIFY(m_questions->asked.at(0).demo);
    }
};

QTEST_MAIN(FirstStartTest)
#include "first_start_test.moc"
