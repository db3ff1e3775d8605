// The homes behind the window, with real agents: what becomes of a demo when its window is closed.
#include <QDir>
#include <QSignalSpy>

#include "core/home/event_file.h"
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

    void weightsAreSavedTwiceWithoutWaitingForTheFirstCopy() {
        const QTemporaryDir own;
        Window window{own};
        window.controller.begin(own.path());
        QVERIFY(QDir(own.path()).mkpath(QStringLiteral("runs")));
        QFile weights(own.filePath(QStringLiteral("runs/weights.safetensors")));
        QVERIFY(weights.open(QIODevice::WriteOnly) && weights.write("weights") == 7);
        weights.close();
        const QSignalSpy saved(&window.controller, &RunController::weightsSaved);
        const QStringList files{own.filePath(QStringLiteral("a")), own.filePath(QStringLiteral("b"))};
        for (const QString &file : files)
            window.controller.saveWeights(file);
        QTRY_COMPARE(saved.size(), 2);
        for (const QString &file : files)
            QVERIFY(QFileInfo::exists(file));
    }

    void aHomeOfItsOwnEndsAtOnce() {
        const QTemporaryDir own;
        Window window{own};
        const QSignalSpy ended(&window.homes, &WindowHomes::ended);
        window.homes.end();
        QTRY_COMPARE(ended.size(), 1);
    }
};

QTEST_MAIN(WindowHomesTest)
#include "window_homes_test.moc"
