// Runs that are deleted, brought back, and removed for good.
#include <QDir>

#include "core/history/deleted_runs.h"
#include "tests/core/history/index_fixture.h"

using namespace hearth;

class DeletedRunsTest : public IndexFixture {
    Q_OBJECT

    QString folder(const QString &id = QStringLiteral("a")) const { return runs() + QLatin1Char('/') + id; }
    QString deleted(const QString &name = QStringLiteral("a")) const {
        return m_dir->filePath(QStringLiteral("deleted-runs/")) + name;
    }
    void addRun(int rounds = 1) const {
        RunWriter run(runs(), QStringLiteral("a"));
        run.begin();
        run.rounds(rounds);
    }
    static qint64 sizeOfEvents(const QString &runFolder) {
        return QFileInfo(runFolder + QStringLiteral("/events.jsonl")).size();
    }

  private Q_SLOTS:
    void init() { begin(); }

    void aRunIsMovedAwayAndBack() {
        addRun();
        const qint64 bytes = sizeOfEvents(folder());
        const auto run = deleteRun(folder());
        QVERIFY2(run, run ? "" : qPrintable(run.error().toString()));
        QCOMPARE(run->id, QStringLiteral("a"));
        QCOMPARE(run->folder, folder());
        QCOMPARE(run->place, deleted());
        QCOMPARE(run->bytes, bytes);
        QVERIFY(!QFileInfo::exists(folder()));
        QCOMPARE(sizeOfEvents(deleted()), bytes);
        const auto restored = restoreRun(*run);
        QVERIFY2(restored, restored ? "" : qPrintable(restored.error().toString()));
        QCOMPARE(sizeOfEvents(folder()), bytes);
        QVERIFY(!QFileInfo::exists(deleted()));
    }

    void nobodyElseReadsWhatWasDeleted() {
        addRun();
        QVERIFY(deleteRun(folder()));
        const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QVERIFY(!(QFileInfo(m_dir->filePath(QStringLiteral("deleted-runs"))).permissions() & others));
    }

    void aRunOfTheSameNameLiesBesideTheOneBefore() {
        addRun(1);
        const auto first = deleteRun(folder());
        addRun(100);
        const auto second = deleteRun(folder());
        QVERIFY(first && second);
        QCOMPARE(second->place, deleted(QStringLiteral("a-2")));
        QVERIFY(sizeOfEvents(first->place) > 0 && sizeOfEvents(first->place) < sizeOfEvents(second->place));
        QVERIFY(restoreRun(*second));
        QCOMPARE(sizeOfEvents(folder()), second->bytes);
        QCOMPARE(sizeOfEvents(first->place), first->bytes);
    }

    void aRunThatCannotBeMovedStaysAsItWas() {
        addRun();
        QFile inTheWay(m_dir->filePath(QStringLiteral("deleted-runs")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        const auto run = deleteRun(folder());
        QVERIFY(!run);
        QCOMPARE(run.error().code, QStringLiteral("run.not-deleted"));
        QVERIFY(run.error().what.contains(QLatin1String("run a")));
        QVERIFY(!run.error().cause.isEmpty() && run.error().advice.contains(folder()));
        QVERIFY(sizeOfEvents(folder()) > 0);
    }

    void aRunThatIsNotThereIsNotDeleted() {
        const auto run = deleteRun(folder());
        QVERIFY(!run);
        QCOMPARE(run.error().code, QStringLiteral("run.not-deleted"));
        QVERIFY(deletedBeside(runs()).isEmpty());
    }

    void aRunWhosePlaceIsTakenIsKept() {
        addRun(1);
        const auto run = deleteRun(folder());
        addRun(100);
        const qint64 bytes = sizeOfEvents(folder());
        QVERIFY(run);
        const auto restored = restoreRun(*run);
        QVERIFY(!restored);
        QCOMPARE(restored.error().code, QStringLiteral("run.not-restored"));
        QVERIFY(restored.error().advice.contains(run->place));
        QCOMPARE(sizeOfEvents(folder()), bytes);
        QCOMPARE(sizeOfEvents(run->place), run->bytes);
    }

    void whatWasRemovedForGoodDoesNotComeBack() {
        addRun();
        const auto run = deleteRun(folder());
        QVERIFY(run);
        QCOMPARE(deletedBeside(runs()), QStringList{run->place});
        const std::atomic<bool> cancelled{false};
        QVERIFY(removeForGood({run->place}, cancelled));
        QVERIFY(deletedBeside(runs()).isEmpty());
        const auto restored = restoreRun(*run);
        QVERIFY(!restored);
        QVERIFY(restored.error().cause.contains(QLatin1String("removed for good")));
        QVERIFY(!QFileInfo::exists(folder()));
    }

    void whoGivesUpRemovesNothingMore() {
        addRun();
        const auto run = deleteRun(folder());
        QVERIFY(run);
        const std::atomic<bool> cancelled{true};
        QVERIFY(removeForGood({run->place}, cancelled));
        QCOMPARE(sizeOfEvents(run->place), run->bytes);
    }

    void theIndexForgetsADeletedRunAtOnce() {
        addRun(3);
        QCOMPARE(only().rounds, 3);
        QVERIFY(deleteRun(folder()));
        QVERIFY(m_index->forgetRun(folder()));
        const auto stored = m_index->list();
        QVERIFY(stored && stored->empty());
        QCOMPARE(m_index->details(QStringLiteral("a")).error().code, QStringLiteral("history.unknown"));
    }

    void theIndexReadsNothingMoreOfARunThatWasDeletedMeanwhile() {
        addRun(3);
        QVERIFY(m_index->beginUpdate({runs()}));
        QVERIFY(deleteRun(folder()));
        QVERIFY(m_index->forgetRun(folder()));
        const auto more = m_index->step();
        QVERIFY(more && !*more);
        QVERIFY(list().empty());
    }

    void theIndexFindsARunAgainThatCameBack() {
        addRun(3);
        const RunSummary before = only();
        const auto run = deleteRun(folder());
        QVERIFY(run);
        QVERIFY(list().empty());
        QVERIFY(restoreRun(*run));
        const RunSummary after = only();
        QCOMPARE(after.rounds, before.rounds);
        QCOMPARE(after.bytes, before.bytes);
        QCOMPARE(details().loss.size(), std::size_t{3});
    }
};

QTEST_GUILESS_MAIN(DeletedRunsTest)
#include "deleted_runs_test.moc"
