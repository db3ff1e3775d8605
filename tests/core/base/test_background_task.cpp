// Work in a thread of its own: what is told of its end, and to whom.
#include <QTest>
#include <memory>
#include <thread>

#include "core/base/background_task.h"
#include "tests/core/base/patience.h"

using namespace hearth;

class BackgroundTaskTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whoGivesUpIsToldOfTheEnd() {
        BackgroundTask task;
        int done = 0;
        QString failure;
        start(task, done, failure);
        QVERIFY(task.isRunning());
        task.giveUp();
        QTRY_COMPARE_WITH_TIMEOUT(failure, QStringLiteral("test.given-up"), patience);
        QCOMPARE(done, 0);
        QVERIFY(!task.isRunning());
    }
    void nobodyIsToldOfAnEndAfterTheTask() {
        auto task = std::make_unique<BackgroundTask>();
        int done = 0;
        QString failure;
        start(*task, done, failure);
        task.reset();
        QCoreApplication::processEvents();
        QCOMPARE(failure, QString());
        QCOMPARE(done, 0);
    }
    void workThatGivesUpTooLateIsDone() {
        BackgroundTask task;
        int done = 0;
        task.start<int>(
            this, [] { return Result<int>(7); }, [&done](int result) { done = result; }, [](const Error &) {});
        task.giveUp();
        QTRY_COMPARE_WITH_TIMEOUT(done, 7, patience);
    }

  private:
    /// Work that only ends when somebody gives up.
    void start(BackgroundTask &task, int &done, QString &failure) {
        task.start<int>(
            this,
            [cancelled = task.cancelled()]() -> Result<int> {
                while (!*cancelled)
                    std::this_thread::yield();
                return fail(QStringLiteral("test.given-up"), sentence("Nothing was done."));
            },
            [&done](int result) { done = result; }, [&failure](const Error &error) { failure = error.code; });
    }
};

QTEST_GUILESS_MAIN(BackgroundTaskTest)
#include "test_background_task.moc"
