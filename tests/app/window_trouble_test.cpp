// The real window over its real controller, without an agent: files that are damaged, or gone, are told in place.
#include <QAbstractItemView>
#include <QDir>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include "app/window_home_source.h"
#include "app/window_run_controller.h"
#include "core/agent/agent_client.h"
#include "tests/core/base/patience.h"
#include "tests/ui/fake_home.h"
#include "ui/base/rail.h"
#include "ui/shell/main_window.h"
#include "ui/words/format.h"

using namespace hearth;

class WindowTroubleTest : public QObject {
    Q_OBJECT

    struct Opened {
        AgentClient client;
        AgentHomeSource home{client};
        AgentRunController controller;
        FakeQuestions questions;
        MainWindow window;

        explicit Opened(const QString &stateDir) : controller(client, stateDir), window(home, controller, questions) {
            home.begin(false, stateDir, {}, 0);
            controller.begin(stateDir);
            window.show();
        }
        QString text(const char *name) const { return window.findChild<QLabel *>(QLatin1String(name))->text(); }
        bool isShown(const char *name) const { return window.findChild<QWidget *>(QLatin1String(name))->isVisible(); }
    };
    std::unique_ptr<Language> m_language;
    std::unique_ptr<QTemporaryDir> m_state;

    QString write(const QString &name, const QByteArray &content) const {
        QFile file(m_state->filePath(name));
        if (!QDir().mkpath(QFileInfo(file).path()) || !file.open(QIODevice::WriteOnly) || file.write(content) < 0)
            qFatal("cannot write %s", qPrintable(name));
        return file.fileName();
    }
    QString addRun() const {
        QFile recorded(QStringLiteral(HEARTH_UI_TEST_DATA "/recorded_run.jsonl"));
        return recorded.open(QIODevice::ReadOnly)
                   ? write(QStringLiteral("runs/20261121-094500-7c1e/events.jsonl"), recorded.readAll())
                   : QString();
    }

  private Q_SLOTS:
    void initTestCase() { m_language = std::make_unique<Language>(QLocale(QLocale::English)); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { m_state = std::make_unique<QTemporaryDir>(); }

    void aBrokenIndexOfHistoryIsToldThereAndNoRunIsLost() {
        QVERIFY(!addRun().isEmpty());
        write(QStringLiteral("history.sqlite"), QByteArray(5000, '?'));
        Opened opened(m_state->path());
        opened.window.showPlace(HistoryPlace);
        QTRY_VERIFY_WITH_TIMEOUT(opened.isShown("historyNotice"), patience);
        QVERIFY2(opened.text("historyNoticeText").contains(QLatin1String("built anew")),
                 qPrintable(opened.text("historyNoticeText")));
        const auto *table = opened.window.findChild<QAbstractItemView *>(QStringLiteral("runsTable"));
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 1, patience);
    }

    void aJobWhoseFilesAreGoneSaysSoInsteadOfStarting_data() {
        QTest::addColumn<bool>("model");
        QTest::newRow("its model") << true;
        QTest::newRow("its data set") << false;
    }
    void aJobWhoseFilesAreGoneSaysSoInsteadOfStarting() {
        QFETCH(bool, model);
        Opened opened(m_state->path());
        Job job;
        (model ? job.model : job.data.front()) = m_state->filePath(QStringLiteral("gone.json"));
        opened.controller.start(job, std::nullopt, {});
        QTRY_VERIFY_WITH_TIMEOUT(opened.isShown("errorPanel"), patience);
        QVERIFY2(opened.text("errorWhat").contains(QLatin1String("gone.json")), qPrintable(opened.text("errorWhat")));
        QVERIFY(opened.window.run().isEmpty());
    }

    void weightsThatAreGoneSaySoInsteadOfStarting() {
        Opened opened(m_state->path());
        opened.controller.start(Job(), std::nullopt,
                                StartWeights{QStringLiteral("gone"), QStringLiteral("gone"),
                                             m_state->filePath(QStringLiteral("runs/gone"))});
        QTRY_VERIFY_WITH_TIMEOUT(opened.isShown("errorPanel"), patience);
        const QString what = opened.text("errorWhat").remove(zeroWidthSpace);
        QVERIFY2(what.contains(QLatin1String("runs/gone/weights.safetensors")), qPrintable(what));
        QVERIFY(opened.window.run().isEmpty());
    }

    void aRecordThatIsDamagedShowsWhatIsLeftAndSaysSo() {
        QFile events(addRun());
        QVERIFY(events.open(QIODevice::ReadWrite));
        const QByteArray lines = events.readAll();
        QVERIFY(events.seek(lines.indexOf("\"event\":\"round\"")));
        events.write("#########");
        events.close();
        Opened opened(m_state->path());
        opened.controller.openRecord(events.fileName());
        QTRY_VERIFY_WITH_TIMEOUT(opened.isShown("errorPanel"), patience);
        QVERIFY2(opened.text("errorWhat").contains(QLatin1String("events.jsonl")),
                 qPrintable(opened.text("errorWhat")));
        QVERIFY(!opened.window.run().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!opened.window.run().isLive(), patience);
    }

    void aRecordThatIsNoneLeavesTheWindowAsItWas() {
        Opened opened(m_state->path());
        opened.controller.openRecord(write(QStringLiteral("film.jsonl"), QByteArray(3000, '\x1f')));
        QTRY_VERIFY_WITH_TIMEOUT(opened.isShown("errorPanel"), patience);
        QVERIFY(opened.window.run().isEmpty());
    }
};

QTEST_MAIN(WindowTroubleTest)
#include "window_trouble_test.moc"
