// Summaries of past runs are read beside the event loop, once.
#include <QDir>
#include <QSemaphore>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>

#include "core/run/files/event_file.h"
#include "core/run/files/past_runs.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

QString nameOf(const QString &folder) {
    return QFileInfo(folder).fileName();
}

}  // namespace

class PastRunsTest : public QObject {
    Q_OBJECT

    static RunInfo named(const QString &id, qint64 rounds = 0) {
        RunInfo info;
        info.id = id;
        info.rounds = rounds;
        return info;
    }

  private Q_SLOTS:
    void theLoopTurnsWhileAFileIsRead() {
        QSemaphore mayRead;
        QThread *reader = nullptr;
        PastRuns runs(QStringLiteral("/runs"), [&](const QString &folder, const std::atomic<bool> &) {
            reader = QThread::currentThread();
            mayRead.acquire();
            return std::optional(named(nameOf(folder), 7));
        });
        bool known = false;
        runs.know({QStringLiteral("a")}, this, [&] { known = true; });
        // Were it this thread that reads, nothing would ever let it.
        QTimer::singleShot(0, this, [&] { mayRead.release(); });
        QTRY_VERIFY_WITH_TIMEOUT(known, patience);
        QVERIFY(reader != QThread::currentThread());
        QCOMPARE(runs.find(QStringLiteral("a"))->rounds, 7);
    }

    void eachIsReadOnce() {
        std::atomic<int> reads{0};
        PastRuns runs(QStringLiteral("/runs"), [&](const QString &folder, const std::atomic<bool> &) {
            ++reads;
            return std::optional(named(nameOf(folder)));
        });
        int answers = 0;
        const QStringList ids{QStringLiteral("a"), QStringLiteral("b")};
        runs.know(ids, this, [&] { ++answers; });
        runs.know(ids, this, [&] { ++answers; });
        QTRY_COMPARE_WITH_TIMEOUT(answers, 2, patience);
        QCOMPARE(reads.load(), 2);
        runs.know(ids, this, [&] { ++answers; });
        QCOMPARE(answers, 3);  // at once
    }

    void whatCameMeanwhileIsNewer() {
        QSemaphore mayRead;
        PastRuns runs(QStringLiteral("/runs"), [&](const QString &folder, const std::atomic<bool> &) {
            mayRead.acquire();
            return std::optional(named(nameOf(folder), 1));
        });
        bool known = false;
        runs.know({QStringLiteral("a")}, this, [&] { known = true; });
        runs.put(named(QStringLiteral("a"), 2));
        mayRead.release();
        QTRY_VERIFY_WITH_TIMEOUT(known, patience);
        QCOMPARE(runs.find(QStringLiteral("a"))->rounds, 2);
    }

    void whoeverHasGoneIsNotAnsweredAndTheNextOneIs() {
        PastRuns runs(QStringLiteral("/runs"),
                      [](const QString &, const std::atomic<bool> &) { return std::optional<RunInfo>(); });
        auto gone = std::make_unique<QObject>();
        bool answered = false, next = false;
        runs.know({QStringLiteral("a")}, gone.get(), [&] { answered = true; });
        runs.know({QStringLiteral("a")}, this, [&] { next = true; });
        gone.reset();
        QTRY_VERIFY_WITH_TIMEOUT(next, patience);
        QVERIFY(!answered);
        QVERIFY(!runs.find(QStringLiteral("a")));
    }

    void anEndDoesNotWaitForALongFile() {
        auto runs = std::make_unique<PastRuns>(
            QStringLiteral("/runs"), [](const QString &, const std::atomic<bool> &cancelled) -> std::optional<RunInfo> {
                while (!cancelled)
                    QThread::yieldCurrentThread();
                return {};
            });
        runs->know({QStringLiteral("a")}, this, [] { QFAIL("it was cancelled"); });
        runs.reset();
    }

    void aRunWithoutALastWordWasInterrupted() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("a")));
        QFile events(eventsPath(folder.filePath(QStringLiteral("a"))));
        QVERIFY(events.open(QIODevice::WriteOnly));
        events.write("{\"seq\":1,\"t\":0,\"event\":\"state\",\"state\":\"training\"}\n");
        events.close();
        PastRuns runs(folder.path());
        bool known = false;
        runs.know({QStringLiteral("a"), QStringLiteral("none")}, this, [&] { known = true; });
        QTRY_VERIFY_WITH_TIMEOUT(known, patience);
        QCOMPARE(runs.find(QStringLiteral("a"))->state, QStringLiteral("interrupted"));
        QVERIFY(!runs.find(QStringLiteral("a"))->resumable);
        QVERIFY(!runs.find(QStringLiteral("none")));
    }

    void aRunThatFinishedMayGoOnWhereItHasRoundsLeft_data() {
        QTest::addColumn<QByteArray>("why");
        QTest::addColumn<bool>("resumable");
        QTest::newRow("it ended early") << QByteArray(",\"why\":\"The loss has not fallen.\"") << true;
        QTest::newRow("all rounds are done") << QByteArray() << false;
    }

    void aRunThatFinishedMayGoOnWhereItHasRoundsLeft() {
        QFETCH(QByteArray, why);
        QFETCH(bool, resumable);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("a/checkpoints/7")));
        const std::pair<const char *, QByteArray> files[]{
            {"job.json", "{}"},
            {"model.json", "{}"},
            {"events.jsonl", R"({"seq":1,"t":0,"event":"state","state":"finished")" + why + "}\n"}};
        for (const auto &[name, content] : files) {
            QFile file(folder.filePath(QStringLiteral("a/") + QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(content), content.size());
        }
        PastRuns runs(folder.path());
        bool known = false;
        runs.know({QStringLiteral("a")}, this, [&] { known = true; });
        QTRY_VERIFY_WITH_TIMEOUT(known, patience);
        QCOMPARE(runs.find(QStringLiteral("a"))->resumable, resumable);
        QCOMPARE(RunInfo::fromCbor(runs.find(QStringLiteral("a"))->toCbor()).endedEarly, resumable);
    }
};

QTEST_GUILESS_MAIN(PastRunsTest)
#include "past_runs_test.moc"
