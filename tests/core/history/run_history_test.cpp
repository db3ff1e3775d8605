// History beside an event loop.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/history/run_history.h"
#include "tests/core/base/patience.h"
#include "tests/core/history/run_writer.h"

using namespace hearth;

class RunHistoryTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<RunHistory> m_history;

    QString runs() const { return m_dir->filePath(QStringLiteral("runs")); }
    /// Until nothing is left to be read.
    void refresh() {
        QSignalSpy ended(m_history.get(), &RunHistory::progressed);
        m_history->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!ended.isEmpty() && ended.constLast().at(1).toLongLong() == 0, patience);
    }

  private Q_SLOTS:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        m_history = std::make_unique<RunHistory>(m_dir->filePath(QStringLiteral("history.sqlite")));
        m_history->setFolders({runs()});
    }
    void cleanup() { m_history.reset(); }

    void nothingIsOpenedBeforeTheFirstQuestion() {
        QVERIFY(!m_history->isKnown());
        QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("history.sqlite"))));
        refresh();
        QVERIFY(m_history->isKnown());
        QVERIFY(m_history->runs().empty());
    }

    void runsAndTheirDetailsComeByThemselves() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        refresh();
        QCOMPARE(m_history->runs().size(), std::size_t{1});
        QVERIFY(m_history->find(QStringLiteral("a")) != nullptr);
        QVERIFY(m_history->find(QStringLiteral("b")) == nullptr);
        QList<std::vector<RunDetails>> answers;
        connect(m_history.get(), &RunHistory::detailsFound, this,
                [&answers](const std::vector<RunDetails> &found) { answers << found; });
        // The first question is overtaken, and what is not there is left out.
        m_history->findDetails({QStringLiteral("b")});
        m_history->findDetails({QStringLiteral("b"), QStringLiteral("a")});
        QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 1, patience);
        QCOMPARE(answers[0].size(), std::size_t{1});
        QCOMPARE(answers[0][0].summary.id, QStringLiteral("a"));
        QCOMPARE(answers[0][0].loss.size(), std::size_t{1});
    }

    void twoRefreshesInARowMissNothing() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        m_history->refresh();
        run.round(1, 2);
        refresh();
        QTRY_COMPARE_WITH_TIMEOUT(m_history->runs().at(0).rounds, 1, patience);
    }

    void aLookThatFindsNothingNewTellsTheListOnce() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        refresh();
        const QSignalSpy changed(m_history.get(), &RunHistory::runsChanged);
        refresh();
        QCOMPARE(changed.size(), 1);
    }

    void aBrokenIndexIsSaidAndTheRunsAreThere() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        QFile broken(m_dir->filePath(QStringLiteral("history.sqlite")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("nonsense nonsense nonsense");
        broken.close();
        QSignalSpy noticed(m_history.get(), &RunHistory::noticed);
        QSignalSpy failed(m_history.get(), &RunHistory::failed);
        refresh();
        QCOMPARE(noticed.size(), 1);
        QCOMPARE(failed.size(), 0);
        QCOMPARE(m_history->runs().size(), std::size_t{1});
    }

    void roundsAreExportedOrTheReasonIsTold() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        refresh();
        QSignalSpy exported(m_history.get(), &RunHistory::exported);
        QSignalSpy ended(m_history.get(), &RunHistory::exportEnded);
        QSignalSpy failed(m_history.get(), &RunHistory::failed);
        const QString path = m_dir->filePath(QStringLiteral("a.csv"));
        m_history->exportRuns(RunExport::Rounds, {QStringLiteral("a")}, path);
        QVERIFY(m_history->isExporting());
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
        QCOMPARE(exported.size(), 1);
        QVERIFY(QFile::exists(path));
        m_history->exportRuns(RunExport::Rounds, {QStringLiteral("a")}, m_dir->filePath(QStringLiteral("none/a.csv")));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 2, patience);
        QCOMPARE(exported.size(), 1);
        QCOMPARE(failed.size(), 1);
        QVERIFY(!m_history->isExporting());
    }

    void anExportTellsHowFarItIs() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.rounds(1000);
        refresh();
        QList<double> parts;
        connect(m_history.get(), &RunHistory::exportProgressed, this, [&parts](double part) { parts << part; });
        QSignalSpy ended(m_history.get(), &RunHistory::exportEnded);
        m_history->exportRuns(RunExport::Rounds, {QStringLiteral("a")}, m_dir->filePath(QStringLiteral("a.csv")));
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
        QCOMPARE(parts.size(), 100);
        QVERIFY(std::is_sorted(parts.begin(), parts.end()));
        QCOMPARE(parts.constLast(), 1.0);
    }

    void whoAsksDuringAnExportIsAnsweredAtOnce() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.round(1, 2);
        refresh();
        // Zeros behind its events, as after a disk that failed: to read so many takes a minute.
        QVERIFY(QFile::resize(runs() + QStringLiteral("/a/events.jsonl"), qint64{64} << 30));
        QSignalSpy ended(m_history.get(), &RunHistory::exportEnded);
        QSignalSpy found(m_history.get(), &RunHistory::detailsFound);
        m_history->exportRuns(RunExport::Rounds, {QStringLiteral("a")}, m_dir->filePath(QStringLiteral("a.csv")));
        m_history->findDetails({QStringLiteral("a")});
        QTRY_COMPARE_WITH_TIMEOUT(found.size(), 1, patience);
        QVERIFY(m_history->isExporting());
        QVERIFY(ended.isEmpty());
        m_history->cancelExport();
        QTRY_COMPARE_WITH_TIMEOUT(ended.size(), 1, patience);
        QVERIFY(!QFile::exists(m_dir->filePath(QStringLiteral("a.csv"))));
    }

    void aRunThatIsDeletedLeavesTheListAndComesBack() {
        for (const QString &id : {QStringLiteral("a"), QStringLiteral("b")}) {
            RunWriter run(runs(), id);
            run.begin();
            run.round(1, 2);
        }
        refresh();
        const RunSummary before = *m_history->find(QStringLiteral("a"));
        QSignalSpy changed(m_history.get(), &RunHistory::deletedChanged);
        // The second time it is gone already.
        m_history->deleteRuns({before.folder, before.folder});
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, patience);
        QVERIFY(m_history->find(QStringLiteral("a")) == nullptr);
        QVERIFY(m_history->find(QStringLiteral("b")) != nullptr);
        QCOMPARE(m_history->deletedRuns().size(), std::size_t{1});
        QCOMPARE(m_history->deletedRuns()[0].id, QStringLiteral("a"));
        QCOMPARE(m_history->deletedRuns()[0].bytes, before.bytes);
        m_history->restoreRuns();
        QVERIFY(m_history->deletedRuns().empty());
        const auto roundsOfIt = [this] {
            const RunSummary *run = m_history->find(QStringLiteral("a"));
            return run != nullptr ? run->rounds : 0;
        };
        QTRY_COMPARE_WITH_TIMEOUT(roundsOfIt(), 1, patience);
        QCOMPARE(m_history->find(QStringLiteral("a"))->folder, before.folder);
    }

    void whatIsDeletedInTheMiddleOfReadingStaysGone() {
        RunWriter large(runs(), QStringLiteral("a"));
        large.begin();
        large.rounds(60000);
        RunWriter other(runs(), QStringLiteral("b"));
        other.begin();
        QSignalSpy changed(m_history.get(), &RunHistory::runsChanged);
        m_history->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), patience);
        QSignalSpy deleted(m_history.get(), &RunHistory::deletedChanged);
        m_history->deleteRuns({runs() + QStringLiteral("/a")});
        QTRY_COMPARE_WITH_TIMEOUT(deleted.size(), 1, patience);
        refresh();
        QCOMPARE(m_history->runs().size(), std::size_t{1});
        QCOMPARE(m_history->runs()[0].id, QStringLiteral("b"));
    }

    void whatCannotBeDeletedIsSaidAndStays() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        QFile inTheWay(m_dir->filePath(QStringLiteral("deleted-runs")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        refresh();
        QSignalSpy failed(m_history.get(), &RunHistory::failed);
        QSignalSpy changed(m_history.get(), &RunHistory::deletedChanged);
        m_history->deleteRuns({m_history->runs().at(0).folder});
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(failed[0][0].value<Error>().code, QStringLiteral("run.not-deleted"));
        QVERIFY(m_history->deletedRuns().empty());
        QVERIFY(m_history->find(QStringLiteral("a")) != nullptr);
    }

    void whatCannotBeRestoredCanBeTriedAgain() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        refresh();
        QSignalSpy changed(m_history.get(), &RunHistory::deletedChanged);
        m_history->deleteRuns({m_history->runs().at(0).folder});
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, patience);
        const RunWriter inItsPlace(runs(), QStringLiteral("a"));
        QSignalSpy failed(m_history.get(), &RunHistory::failed);
        m_history->restoreRuns();
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
        QCOMPARE(failed[0][0].value<Error>().code, QStringLiteral("run.not-restored"));
        QCOMPARE(m_history->deletedRuns().size(), std::size_t{1});
        QVERIFY(QDir(runs() + QStringLiteral("/a")).removeRecursively());
        m_history->restoreRuns();
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(run.path()).size() > 0, patience);
        QCOMPARE(failed.size(), 1);
    }

    void whatWasDeletedBeforeIsRemovedForGoodAndNothingElse() {
        for (const QString &id : {QStringLiteral("a"), QStringLiteral("b")}) {
            RunWriter run(runs(), id);
            run.begin();
        }
        const auto before = deleteRun(runs() + QStringLiteral("/a"));
        QVERIFY(before);
        m_history->removeDeleted(runs());
        QSignalSpy changed(m_history.get(), &RunHistory::deletedChanged);
        m_history->deleteRuns({runs() + QStringLiteral("/b")});
        QTRY_VERIFY_WITH_TIMEOUT(!QFileInfo::exists(before->place), patience);
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, patience);
        QVERIFY(QFileInfo::exists(m_history->deletedRuns().at(0).place + QStringLiteral("/events.jsonl")));
    }

    void itEndsInTheMiddleOfReading() {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.rounds(60000);
        QSignalSpy changed(m_history.get(), &RunHistory::runsChanged);
        m_history->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), patience);
        m_history.reset();
        m_history = std::make_unique<RunHistory>(m_dir->filePath(QStringLiteral("history.sqlite")));
        m_history->setFolders({runs()});
        refresh();
        QCOMPARE(m_history->runs().at(0).rounds, 60000);
    }
};

QTEST_GUILESS_MAIN(RunHistoryTest)
#include "run_history_test.moc"
