// What the window stands: events that come as they should not, a crowd of devices, and being closed at any time.
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>
#include <array>
#include <random>

#include "tests/ui/window_fixture.h"
#include "ui/base/rail.h"

using namespace hearth;

class WindowRobustTest : public WindowFixture {
    Q_OBJECT

    /// Through all places, each drawn, with so many events between them.
    void sendWhileSomebodyLooks(const std::vector<RunEvent> &events) const {
        constexpr std::size_t between = 29;
        for (std::size_t i = 0; i < events.size(); ++i) {
            m_controller->send(events[i]);
            if (i % between != 0)
                continue;
            m_window->showPlace(static_cast<int>(i / between) % (HistoryPlace + 1));
            m_window->grab();
        }
    }
    /// Opened anew, the run is shown as if nothing had been.
    void replayIsWhole() const {
        m_controller->open(QStringLiteral("run"));
        for (const RunEvent &one : m_events) {
            m_controller->send(one);
            m_controller->send(one);
        }
        RunModel whole;
        replay(whole);
        const RunModel &shown = m_window->run();
        QCOMPARE(shown.rounds().size(), whole.rounds().size());
        QCOMPARE(shown.log().sentences().size(), whole.log().sentences().size());
        QCOMPARE(shown.log().marks().size(), whole.log().marks().size());
        QCOMPARE(shown.state(), whole.state());
        QCOMPARE(shown.completedRounds(), whole.completedRounds());
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        m_events = RecordedRun::load(QStringLiteral("lossy_run"));
        makeWindow();
        m_controller->problem = RecordedRun::problem();
        m_window->show();
    }
    void cleanup() { endWindow(); }

    void eventsInAnyOrderLeaveTheWindowWhole_data() {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<bool>("renumbered");
        for (unsigned seed = 1; seed <= 3; ++seed) {
            QTest::addRow("late and twice, seed %u", seed) << seed << false;
            QTest::addRow("each taken, in an order that makes no sense, seed %u", seed) << seed << true;
        }
    }
    void eventsInAnyOrderLeaveTheWindowWhole() {
        QFETCH(unsigned, seed);
        QFETCH(bool, renumbered);
        std::vector<RunEvent> events = m_events;
        events.insert(events.end(), m_events.begin(), m_events.end());
        std::mt19937 random(seed);
        std::ranges::shuffle(events, random);
        quint64 seq = 0;
        for (RunEvent &one : events)
            one.seq = renumbered ? ++seq : one.seq;
        m_controller->open(QStringLiteral("run"));
        sendWhileSomebodyLooks(events);
        replayIsWhole();
    }

    void aHomeOfTwoHundredDevicesIsShownWhole() {
        constexpr std::size_t count = 200;
        const std::vector<DeviceInfo> some = RecordedRun::devices(m_events);
        constexpr std::array states{DeviceState::Ready, DeviceState::Training, DeviceState::Resting,
                                    DeviceState::Leaving, DeviceState::Lost};
        std::vector<DeviceInfo> many;
        for (std::size_t i = 0; i < count; ++i) {
            DeviceInfo device = some[i % some.size()];
            if (i >= some.size()) {
                device.id = QStringLiteral("%1").arg(i, 64, 16, QLatin1Char('0'));
                device.name = QStringLiteral("device-%1").arg(i);
                device.self = false;
                device.state = states[i % states.size()];
            }
            many.push_back(device);
        }
        m_home->set(many);
        play();
        for (int place = HomePlace; place <= HistoryPlace; ++place) {
            m_window->showPlace(place);
            QVERIFY(!m_window->grab().isNull());
        }
        QCOMPARE(find<QTableView>("deviceTable")->model()->rowCount(), static_cast<int>(count));
        // They come and go while they are shown.
        std::mt19937 random(1);
        for (int i = 0; i < 20; ++i) {
            std::ranges::shuffle(many, random);
            m_home->set({many.begin(), many.begin() + 1 + i * 9});
        }
        m_home->set({});
        m_window->showPlace(HomePlace);
        QVERIFY(find<QWidget>("homePageEmpty")->isVisible());
    }

    void closingAsksWhereARunGoesOn_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("demo");
        QTest::addColumn<bool>("asks");
        for (const bool demo : {true, false}) {
            // One that was interrupted is taken up again by its home.
            for (const char *state : {"profiling", "planning", "training", "paused", "recovering", "interrupted"})
                QTest::addRow("%s%s", state, demo ? " in a demo" : "") << QString::fromLatin1(state) << demo << true;
            for (const char *state : {"stopped", "failed", "finished"})
                QTest::addRow("%s%s", state, demo ? " in a demo" : "") << QString::fromLatin1(state) << demo << false;
        }
    }
    void closingAsksWhereARunGoesOn() {
        QFETCH(QString, state);
        QFETCH(bool, demo);
        QFETCH(bool, asks);
        m_home->demo = demo;
        m_controller->open(QStringLiteral("run"));
        m_controller->send(m_events[0]);
        m_controller->send({2, 1, event::State{QStringLiteral("profiling")}, {}});
        m_controller->send({3, 1, event::State{state}, {}});
        QCOMPARE(m_window->close(), !asks);
        QCOMPARE(m_questions->asked.size(), asks ? std::size_t{1} : std::size_t{0});
        if (!asks)
            return;
        QVERIFY(m_window->isVisible());
        QCOMPARE(m_questions->asked[0].demo, demo);
        m_questions->answer = CloseAnswer::StopAndClose;
        QVERIFY(!m_window->close());
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("stop")});
        m_controller->send({4, 2, event::State{QStringLiteral("stopped")}, {}});
        QVERIFY(!m_window->isVisible());
    }
};

QTEST_MAIN(WindowRobustTest)
#include "window_robust_test.moc"
