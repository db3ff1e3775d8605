// The homes behind the window, with real agents: what becomes of a demo when its window is closed.
#include <QDir>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTimer>
#include <algorithm>

#include "core/agent/agent_restart.h"
#include "core/run/files/event_file.h"
#include "core/run/run_event.h"
#include "tests/app/window_parts.h"

using namespace hearth;

namespace {

constexpr int slow = WindowParts::slow;

const QByteArray story =
    "{\"seq\":1,\"t\":0,\"event\":\"run\",\"id\":\"a-run\",\"started\":\"2026-01-01T12:00:00Z\",\"job\":{}}\n"
    "{\"seq\":2,\"t\":1,\"event\":\"state\",\"state\":\"training\"}\n";

}  // namespace

class WindowHomesTest : public QObject {
    Q_OBJECT

    struct Window : WindowParts {
        using WindowParts::WindowParts;
        /// A demo of one device that has run something; its folder.
        QString enterDemo() {
            if (!WindowParts::enterDemo())
                return {};
            const QString folder = home.stateDir() + QStringLiteral("/runs/a-run");
            QFile events(folder + QStringLiteral("/events.jsonl"));
            const bool written =
                QDir().mkpath(folder) && events.open(QIODevice::WriteOnly) && events.write(story) == story.size();
            return written ? home.stateDir() : QString();
        }
        /// Together with the own agent.
        void endWithAgent() {
            homes.end();
            (void)askAgent(own.path(), QStringLiteral("leave"), {}, std::chrono::seconds(60));
            (void)QTest::qWaitFor([this] { return !isFolderHeld(own.path()); }, slow);
        }
    };
    static bool keeps(const QTemporaryDir &own) {
        return readRun(own.filePath(QStringLiteral("runs/a-run"))).has_value();
    }

  private Q_SLOTS:
    void aDemoEndsAfterItsWindowWithoutHoldingItUp() {
        const QTemporaryDir own;
        Window window{own};
        const QString demo = window.enterDemo();
        QVERIFY(!demo.isEmpty());
        const QSignalSpy ended(&window.homes, &WindowHomes::ended);
        window.homes.end();
        // Nothing was waited for: its agents have not even been told.
        QVERIFY(QFileInfo::exists(demo));
        QVERIFY(ended.isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, slow);
        QVERIFY(!QFileInfo::exists(demo));
        QVERIFY(keeps(own));
    }

    void oneThatEndsAndOneThatIsShownAreBothWaitedFor() {
        const QTemporaryDir own;
        Window window{own};
        const QString first = window.enterDemo();
        QVERIFY(!first.isEmpty());
        const QString second = window.enterDemo();
        QVERIFY(!second.isEmpty() && second != first);
        const QSignalSpy ended(&window.homes, &WindowHomes::ended);
        window.homes.end();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, slow);
        QVERIFY(!QFileInfo::exists(first));
        QVERIFY(!QFileInfo::exists(second));
        QVERIFY(keeps(own));
    }

    void aProgramThatMustEndAtOnceKeepsTheRunsToo() {
        const QTemporaryDir own;
        QString demo;
        {
            Window window{own};
            demo = window.enterDemo();
            QVERIFY(!demo.isEmpty());
        }
        QVERIFY(!QFileInfo::exists(demo));
        QVERIFY(keeps(own));
    }

    void runsThatCannotBeKeptAreLeftBehind_data() {
        QTest::addColumn<bool>("atOnce");
        QTest::newRow("when the window is closed") << false;
        QTest::newRow("when the program must end at once") << true;
    }
    void runsThatCannotBeKeptAreLeftBehind() {
        QFETCH(const bool, atOnce);
        const QTemporaryDir own;
        QFile inTheWay(own.filePath(QStringLiteral("runs")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        QString demo, left;
        const auto remove = qScopeGuard([&left] {
            if (!left.isEmpty())
                QDir(QFileInfo(left).path()).removeRecursively();
        });
        {
            Window window{own};
            demo = window.enterDemo();
            QVERIFY(!demo.isEmpty());
            left = QString(demo).replace(QStringLiteral("/hearth-demo-"), QStringLiteral("/hearth-left-"));
            QVERIFY(left != demo);
            if (!atOnce) {
                const QSignalSpy ended(&window.homes, &WindowHomes::ended),
                    told(&window.homes, &WindowHomes::leftBehind);
                window.homes.end();
                QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, slow);
                QCOMPARE(told.size(), 1);
                QVERIFY(told.front().front().value<Error>().advice.contains(left + QStringLiteral("/runs")));
            }
        }
        QVERIFY(!QFileInfo::exists(demo));
        QVERIFY(readRun(left + QStringLiteral("/runs/a-run")));
    }

    void weightsAreSavedWithoutWaitingForTheFirstCopy() {
        const QTemporaryDir own;
        Window window{own};
        window.controller.begin(own.path());
        QVERIFY(QDir(own.path()).mkpath(QStringLiteral("runs")));
        for (const char *name : {"weights", "best"}) {
            QFile file(own.filePath(QStringLiteral("runs/%1.safetensors").arg(QLatin1String(name))));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(name) > 0);
        }
        const QSignalSpy saved(&window.controller, &RunController::weightsSaved);
        const QStringList files{own.filePath(QStringLiteral("a")), own.filePath(QStringLiteral("b"))};
        window.controller.saveWeights(files[0], RunWeights::Last);
        window.controller.saveWeights(files[1], RunWeights::Best);
        QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2, slow);
        QVERIFY(QFileInfo(files[0]).size() == 7 && QFileInfo(files[1]).size() == 4);
    }

    void aLongRunIsOpenedPieceByPieceAndWhole() {
        const QTemporaryDir own;
        Window window{own};
        const QString demo = window.enterDemo();
        QVERIFY(!demo.isEmpty());
        constexpr quint64 rounds = 50'000;
        QFile events(demo + QStringLiteral("/runs/a-run/events.jsonl"));
        QVERIFY(events.open(QIODevice::Append));
        quint64 seq = 2;
        for (quint64 i = 1; i <= rounds; ++i) {
            event::Round round;
            round.round = static_cast<qint64>(i);
            events.write(eventLine(++seq, 1, round) + '\n');
        }
        events.write(eventLine(++seq, 1, event::State{QStringLiteral("finished")}) + '\n');
        events.close();

        quint64 last = 0;
        int inOneTurn = 0, most = 0;
        bool gap = false;
        connect(&window.controller, &RunController::event, this, [&](const RunEvent &event) {
            gap = gap || event.seq != last + 1;
            last = event.seq;
            most = std::max(most, ++inOneTurn);
            QVERIFY(window.controller.isReplaying());
        });
        QTimer turn;
        connect(&turn, &QTimer::timeout, this, [&] { inOneTurn = 0; });
        turn.start(0);
        const QSignalSpy ended(&window.controller, &RunController::runEnded);
        window.controller.attach(QStringLiteral("a-run"));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, slow);
        QCOMPARE(last, seq);
        QVERIFY(!gap);
        // Whoever shows them has the loop back after each portion.
        QVERIFY2(most < 1000, qPrintable(QString::number(most)));
    }

    void theOwnAgentIsRestarted() {
        const QTemporaryDir own;
        Window window{own};
        const auto agent = [&window] {
            const auto devices = window.home.devices();
            const bool answers = window.home.waitingFor().isEmpty() && !devices.empty() && devices[0].self &&
                                 takesWork(devices[0].state);
            return answers ? devices[0].agentPid : qint64{0};
        };
        QStringList troubles;
        const auto end = qScopeGuard([&window] { window.endWithAgent(); });
        connect(&window.home, &HomeSource::failed, this, [&](const Error &error) { troubles << error.toString(); });
        window.homes.enterOwn();
        QTRY_VERIFY_WITH_TIMEOUT(agent() > 0, slow);
        const qint64 before = agent();
        QCOMPARE(window.home.agentRestart(), AgentRestart::Possible);
        window.home.restartAgent();
        QVERIFY(!window.home.waitingFor().isEmpty());
        QTRY_VERIFY2_WITH_TIMEOUT(agent() > 0 || !troubles.isEmpty(), qPrintable(troubles.join(QLatin1Char(' '))),
                                  slow);
        QVERIFY2(troubles.isEmpty(), qPrintable(troubles.join(QLatin1Char(' '))));
        QVERIFY(agent() != before);
    }

    void computersHaveBeenLookedForWhenTheAgentSaysSo() {
        const QTemporaryDir own;
        Window window{own};
        const auto end = qScopeGuard([&window] { window.endWithAgent(); });
        window.homes.enterOwn();
        QTRY_VERIFY_WITH_TIMEOUT(!window.home.devices().empty(), slow);
        QCOMPARE(window.home.computerSearch(), ComputerSearch::Looking);
        window.home.lookForComputers();
        QTRY_COMPARE_WITH_TIMEOUT(window.home.computerSearch(), ComputerSearch::Looked, slow);
    }

    void withoutAnAnswerNoComputersCanBeLookedFor() {
        const QTemporaryDir own;
        Window window{own};
        const QSignalSpy told(&window.home, &HomeSource::nearbyChanged);
        window.home.lookForComputers();
        QTRY_COMPARE_WITH_TIMEOUT(window.home.computerSearch(), ComputerSearch::Impossible, slow);
        QCOMPARE(told.size(), 1);
    }

    void aHomeOfItsOwnEndsAtOnce() {
        const QTemporaryDir own;
        Window window{own};
        const QSignalSpy ended(&window.homes, &WindowHomes::ended);
        window.homes.end();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, slow);
    }
};

QTEST_MAIN(WindowHomesTest)
#include "window_homes_test.moc"
