// What the window's runs take along from the command line that opened it, with an agent of this process whose
// coordinators are played.
#include <QDir>

#include "app/window_run_controller.h"
#include "tests/core/agent/played_home.h"

using namespace hearth;

class WindowOrderTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        m_client = std::make_unique<AgentClient>();
        QVERIFY(m_home.connectTo(*m_client));
        m_controller = std::make_unique<AgentRunController>(*m_client, m_folder->path());
        m_controller->begin(m_home.agent->stateDir());
    }
    void cleanup() {
        m_controller.reset();
        m_client.reset();
        m_home = {};
        m_folder.reset();
    }

    void theSecondRunDoesNotSaveOverTheFirst() {
        OrderFiles files;
        files.save = m_folder->filePath(QStringLiteral("w.safetensors"));
        m_controller->setFiles(files);
        QCOMPARE(start(), QString());
        // An order that named it still would be refused.
        QVERIFY(QDir().mkpath(files.save));
        QCOMPARE(start(), QString());
    }

    void aRunOfAnotherHomeTakesNothingOfTheDemoAlong() {
        OrderFiles files;
        files.save = m_folder->filePath(QStringLiteral("nowhere/w.safetensors"));
        m_controller->setFiles(files);
        QCOMPARE(start(), QStringLiteral("save.unwritable"));
        m_controller->begin(m_home.agent->stateDir());
        QCOMPARE(start(), QString());
    }

  private:
    /// The code of what is wrong; empty: it has begun.
    QString start() {
        QStringList outcomes;
        QObject context;
        connect(m_controller.get(), &RunController::failed, &context,
                [&outcomes](const Error &error) { outcomes << error.code; });
        connect(m_controller.get(), &RunController::runOpened, &context, [&outcomes] { outcomes << QString(); });
        m_controller->start(Job(), std::nullopt, {});
        if (!QTest::qWaitFor([&outcomes] { return !outcomes.isEmpty(); }, PlayedHome::patience))
            return QStringLiteral("no answer");
        return outcomes.front();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    std::unique_ptr<AgentClient> m_client;
    std::unique_ptr<AgentRunController> m_controller;
};

QTEST_GUILESS_MAIN(WindowOrderTest)
#include "window_order_test.moc"
