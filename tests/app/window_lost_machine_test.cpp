// The machine that leads a run loses its power: agent, coordinator and worker are killed at once, with everything real.
// What the window shows of it then, and how the run goes on.
#include <QAbstractItemModel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "tests/app/played_machine.h"
#include "tests/app/window_parts.h"
#include "tests/ui/fake_home.h"
#include "ui/base/rail.h"
#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/run/runs_table_model.h"
#include "ui/shell/main_window.h"

using namespace hearth;

namespace {

constexpr int slow = 180'000;  // a loaded machine, sanitizers: only a hang is caught

}  // namespace

class WindowLostMachineTest : public QObject {
    Q_OBJECT

    /// The window of the machine that leads, as the program makes it.
    struct Opened : WindowParts {
        FakeQuestions questions;
        MainWindow window{home, controller, questions};
        QList<qint64> newRounds;  // that were told as they were done
        QStringList troubles;

        explicit Opened(const QTemporaryDir &state) : WindowParts(state) {
            connect(&controller, &RunController::event, &window, [this](const RunEvent &event) {
                if (const auto *round = std::get_if<event::Round>(&event.body); round && !controller.isReplaying())
                    newRounds << round->round;
            });
            connect(&controller, &RunController::failed, &window,
                    [this](const Error &error) { troubles << error.toString(); });
            connect(&home, &HomeSource::failed, &window, [this](const Error &error) { troubles << error.toString(); });
            window.show();
            homes.enterOwn();
        }
        ~Opened() { client.leave(); }

        const RunModel &run() const { return window.run(); }
        QString text(const char *name) const { return window.findChild<QLabel *>(QLatin1String(name))->text(); }
        QString subtitle(const char *page) const {
            return window.findChild<ElidedLabel *>(QLatin1String(page) + QStringLiteral("Subtitle"))->fullText();
        }
        QPushButton *button(const char *name) const { return window.findChild<QPushButton *>(QLatin1String(name)); }
        bool sees(int devices) const {
            return QTest::qWaitFor(
                [&] {
                    return text("statusDevices") == QStringLiteral("%1 of 2 devices ready").arg(devices) ||
                           !troubles.isEmpty();
                },
                slow);
        }
        /// Trains until it has a checkpoint and some rounds beyond it; the round of the checkpoint, or 0.
        qint64 trainsBeyondACheckpoint() {
            Job job;
            job.batch = 32;
            job.rounds = 100000;
            job.evaluateEvery = 0;
            window.setJob(job);
            button("homeStart")->click();
            if (!QTest::qWaitFor([this] { return newRounds.size() >= 3 || !troubles.isEmpty(); }, slow))
                return 0;
            client.command(run().runId(), QStringLiteral("checkpoint"), {}, &window, [](const auto &) {});
            if (!QTest::qWaitFor([this] { return run().kept().checkpoints > 0 || !troubles.isEmpty(); }, slow))
                return 0;
            const auto saved = static_cast<qint64>(run().kept().savedVersion);
            return QTest::qWaitFor([&] { return run().completedRounds() >= saved + 3 || !troubles.isEmpty(); }, slow)
                       ? saved
                       : 0;
        }
        QString stateInHistory() const {
            const auto *table = window.findChild<QTableView *>(QStringLiteral("runsTable"));
            return table->model()->index(0, RunsTableModel::State).data().toString();
        }
    };

    std::unique_ptr<Language> m_language;
    std::unique_ptr<QTemporaryDir> m_programs;
    std::unique_ptr<PlayedMachine> m_leader, m_other;
    QByteArray m_built;

  private Q_SLOTS:
    void initTestCase() {
        m_language = std::make_unique<Language>(QLocale(QLocale::English, QLocale::UnitedStates));
        m_built = qgetenv("HEARTH_BIN_DIR");
    }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        m_programs = std::make_unique<QTemporaryDir>();
        m_leader = std::make_unique<PlayedMachine>(QStringLiteral("laptop"));
        m_other = std::make_unique<PlayedMachine>(QStringLiteral("nano-1"));
        const QString leaders = m_programs->filePath(QStringLiteral("laptop"));
        const QString others = m_programs->filePath(QStringLiteral("nano-1"));
        QVERIFY(m_leader->exists() && m_other->exists());
        QVERIFY(m_leader->isRunFrom(leaders) && m_other->isRunFrom(others));
        QVERIFY(m_other->trusts(*m_leader, {}));
        const QString address = m_other->start(others);
        QVERIFY(!address.isEmpty());
        QVERIFY(m_leader->trusts(*m_other, {address}));
        // The window starts the agent of its own machine itself.
        qputenv("HEARTH_BIN_DIR", QFile::encodeName(leaders));
    }
    void cleanup() {
        qputenv("HEARTH_BIN_DIR", m_built);
        m_leader.reset();
        m_other.reset();
        m_programs.reset();
    }

    void itsRunIsInterruptedAndGoesOn_data() {
        QTest::addColumn<bool>("opened");
        QTest::addColumn<bool>("fromHistory");
        QTest::addColumn<int>("devices");
        QTest::newRow("by Train, in the window that stayed open") << false << false << 2;
        QTest::newRow("by History, in a window that is opened when the machine is back") << true << true << 2;
        QTest::newRow("without the other device, which is gone as well") << false << false << 1;
    }
    void itsRunIsInterruptedAndGoesOn() {
        QFETCH(bool, opened);
        QFETCH(bool, fromHistory);
        QFETCH(int, devices);
        const QTemporaryDir &own = m_leader->stateDir();
        auto window = std::make_unique<Opened>(own);
        QVERIFY2(window->sees(2), qPrintable(window->text("statusDevices")));
        const qint64 saved = window->trainsBeyondACheckpoint();
        QVERIFY2(saved > 0 && window->troubles.isEmpty(), qPrintable(window->troubles.join(QLatin1Char('\n'))));
        const QString id = window->run().runId();

        if (opened)
            window.reset();
        if (devices < 2)
            m_other->cutPower();
        m_leader->cutPower();
        if (opened)
            window = std::make_unique<Opened>(own);

        // Nobody has said a word: it is seen that nobody leads the run any more, and the agent is started again.
        QTRY_COMPARE_WITH_TIMEOUT(window->run().state(), QStringLiteral("interrupted"), slow);
        QVERIFY(!window->run().isLive());
        QCOMPARE(window->run().runId(), id);
        QVERIFY2(window->text("statusRun").startsWith(QLatin1String("Interrupted")),
                 qPrintable(window->text("statusRun")));
        QVERIFY2(window->subtitle("trainPage").endsWith(QLatin1String("Interrupted")),
                 qPrintable(window->subtitle("trainPage")));
        window->window.showPlace(HistoryPlace);
        QTRY_COMPARE_WITH_TIMEOUT(window->stateInHistory(), QStringLiteral("Interrupted"), slow);
        QVERIFY2(window->sees(devices), qPrintable(window->text("statusDevices")));

        // Both places offer to go on with it.
        const auto *onHistory = window->button("historyGoOn"), *onTrain = window->button("trainStart");
        QTRY_VERIFY_WITH_TIMEOUT(onHistory->isEnabled(), slow);
        QTRY_COMPARE_WITH_TIMEOUT(onTrain->text(), QStringLiteral("Resume"), slow);
        QVERIFY(onTrain->isEnabled());
        window->window.showPlace(TrainPlace);
        QVERIFY(window->button("trainStartAgain")->isVisible());
        QVERIFY(window->text("trainNoticeText").contains(QLatin1String("newest checkpoint")));
        QVERIFY2(window->troubles.isEmpty(), qPrintable(window->troubles.join(QLatin1Char('\n'))));

        // On a machine that stopped for seconds there may be one more than was waited for.
        const auto newest = static_cast<qint64>(window->run().kept().savedVersion);
        QVERIFY(newest >= saved);
        window->newRounds.clear();
        window->window.showPlace(fromHistory ? HistoryPlace : TrainPlace);
        QTest::mouseClick(window->button(fromHistory ? "historyGoOn" : "trainStart"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window->newRounds.size() >= 3 || !window->troubles.isEmpty(), slow);
        QVERIFY2(window->troubles.isEmpty(), qPrintable(window->troubles.join(QLatin1Char('\n'))));
        QCOMPARE(window->newRounds.front(), newest + 1);
        QCOMPARE(window->run().runId(), id);
        QTRY_COMPARE_WITH_TIMEOUT(window->run().state(), QStringLiteral("training"), slow);
        QTRY_VERIFY_WITH_TIMEOUT(!window->window.findChild<QWidget *>(QStringLiteral("trainNotice"))->isVisible(),
                                 slow);
        window->window.showPlace(HistoryPlace);
        QTRY_COMPARE_WITH_TIMEOUT(window->stateInHistory(), QStringLiteral("Training"), slow);
        // Each round stands once in what is shown, those that were repeated, too.
        const std::vector<RoundPoint> &rounds = window->run().rounds();
        for (std::size_t i = 0; i < rounds.size(); ++i)
            QCOMPARE(rounds[i].round, static_cast<qint64>(i) + 1);

        window->controller.stop();
        QTRY_COMPARE_WITH_TIMEOUT(window->run().state(), QStringLiteral("stopped"), slow);
    }

    void anAgentThatWasToldToEndStaysAway() {
        Opened window(m_leader->stateDir());
        QVERIFY2(window.sees(2), qPrintable(window.text("statusDevices")));
        window.client.call(QStringLiteral("leave"), {}, std::chrono::seconds(10), &window.window, [](const auto &) {});
        QTRY_COMPARE_WITH_TIMEOUT(window.troubles.size(), 1, slow);
        QVERIFY2(window.text("errorWhat").contains(QLatin1String("was stopped")), qPrintable(window.text("errorWhat")));
        QCOMPARE(window.text("statusDevices"), QStringLiteral("0 of 2 devices ready"));
        QTRY_VERIFY_WITH_TIMEOUT(m_leader->processes().isEmpty(), slow);
        QVERIFY(!window.button("homeStart")->isEnabled());
    }

    void anAgentThatDiesAgainAndAgainIsGivenUp() {
        Opened window(m_leader->stateDir());
        window.homes.setRestartWindow(std::chrono::hours(1));  // a busy machine takes longer to start it four times
        // The next one may answer before anybody looks whether there is none.
        const QSignalSpy closed(&window.client, &AgentClient::closed);
        for (int death = 0; death <= WindowHomes::maximumRestarts; ++death) {
            QVERIFY2(window.sees(2), qPrintable(window.text("statusDevices")));
            m_leader->cutPower();
            QTRY_COMPARE_WITH_TIMEOUT(closed.size(), death + 1, slow);
        }
        QTRY_COMPARE_WITH_TIMEOUT(window.troubles.size(), 1, slow);
        QVERIFY(window.window.findChild<QWidget *>(QStringLiteral("errorPanel"))->isVisible());
        QCOMPARE(window.text("statusDevices"), QStringLiteral("0 of 2 devices ready"));
        QVERIFY(m_leader->processes().isEmpty());
    }

    void anAgentThatCannotBeStartedAgainIsToldWithItsReason() {
        Opened window(m_leader->stateDir());
        QVERIFY2(window.sees(2), qPrintable(window.text("statusDevices")));
        QFile key(m_leader->stateDir().filePath(QStringLiteral("key.pem")));
        QVERIFY(key.setPermissions(QFile::ReadOwner | QFile::ReadOther));
        m_leader->cutPower();
        QTRY_COMPARE_WITH_TIMEOUT(window.troubles.size(), 1, slow);
        QVERIFY2(window.text("errorWhy").contains(QLatin1String("key.pem")), qPrintable(window.text("errorWhy")));
        QCOMPARE(window.text("statusDevices"), QStringLiteral("0 of 2 devices ready"));
    }
};

QTEST_MAIN(WindowLostMachineTest)
#include "window_lost_machine_test.moc"
