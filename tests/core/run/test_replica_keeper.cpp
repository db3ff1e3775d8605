#include <QSignalSpy>
#include <QTest>

#include "core/base/block_codecs.h"
#include "core/wire/state_chunks.h"
#include "run_parts.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// home.plan() is in force: device 1 alone in the first stage, 2 and 3 in the second. Rounds are only told of.
struct Keeper : RunParts {
    bool begins(qint64 completed = 0) {
        if (!plan())
            return false;
        replicas->planCopies(replanner->ofPresent(), current->plan());
        Deployment wanted = deployment();
        for (Deployment::Backup backup : replicas->replication().backups) {
            backup.from = membership->session(backup.from)->address().fingerprint.toHex();
            backup.to = membership->session(backup.to)->address().fingerprint.toHex();
            wanted.backups.push_back(backup);
        }
        current->setDeployment(wanted);
        for (const auto &each : home.workers)
            each->term = current->term();
        replicas->begin(current->term(), current->plan(), completed);
        replicas->settled();
        return true;
    }
    void roundsAreDone(qint64 done) { replicas->proceed(members(), done, done + 1, 0.01); }
    /// What a worker was asked to keep, once that has arrived.
    bool isAskedFor(quint64 version) {
        return comes([&] {
            return std::ranges::all_of(home.workers, [&](const auto &each) { return each->wanted == version; });
        });
    }
    void allKeep(quint64 version) {
        for (int number = 1; number <= 3; ++number)
            replicas->kept(Home::id(number), version);
    }
    void copiesArrive(quint64 version) {
        for (const auto &backup : replicas->replication().backups)
            replicas->stored(backup.to, {backup.firstLayer, backup.lastLayer, version});
    }
    std::size_t warnings() const { return count(home, "warning"); }
};

}  // namespace

class TestReplicaKeeper : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aVersionIsAskedForBeforeItsRoundBegins() {
        Keeper run;
        QVERIFY(run.begins());
        QVERIFY(!run.replicas->replication().backups.empty());  // device 1 is alone with its layers
        run.roundsAreDone(1);
        QVERIFY(run.isAskedFor(3));
        run.roundsAreDone(2);  // one at a time
        QVERIFY(run.isAskedFor(3));
    }
    /// Devices 2 and 3 are a group: what is owed there makes states of other versions incomplete.
    void whereGradientsAreRoundedOnlyWholeStatesAreKept() {
        Keeper run;
        run.home.request.job.gradientCodec = &bfp8Codec;
        QVERIFY(run.begins());
        QCOMPARE(run.replicas->snapshotEvery() % 16, 0);
        run.roundsAreDone(1);
        QVERIFY(run.isAskedFor(16));
        QCOMPARE(run.replicas->wholeAfter(run.members(), 16), qint64{16});
        QCOMPARE(run.replicas->wholeAfter(run.members(), 18), qint64{19});
        QCOMPARE(run.replicas->wholeAfter(run.members(), 19), qint64{19});
        QVERIFY(comes(
            [&] { return std::ranges::all_of(run.home.workers, [](const auto &each) { return each->exact == 19; }); }));
        run.replicas->makeWhole(run.members(), 21);
        QCOMPARE(run.replicas->wholeAfter(run.members(), 21), qint64{21});
        QVERIFY(comes(
            [&] { return std::ranges::all_of(run.home.workers, [](const auto &each) { return each->exact == 21; }); }));
        Keeper plain;
        QVERIFY(plain.begins());
        QCOMPARE(plain.replicas->wholeAfter(plain.members(), 18), qint64{18});
    }
    void completeIsWhatAllKeepAndWhatIsCopied() {
        Keeper run;
        QVERIFY(run.begins());
        run.roundsAreDone(1);
        QVERIFY(run.isAskedFor(3));
        run.allKeep(3);
        run.roundsAreDone(3);
        QVERIFY(run.replicas->holders().isEmpty());
        run.copiesArrive(3);
        QVERIFY(comes([&] { return run.home.worker(1)->committed == 3; }));
        QVERIFY(newestCompleteVersion(run.replicas->layers(), run.replicas->holders(), std::nullopt));
        HeldByDevice left = run.replicas->holders();
        left.remove(Home::id(1));
        QCOMPARE(newestCompleteVersion(run.replicas->layers(), left, std::nullopt)->version, quint64(3));
        QCOMPARE(eventOf<event::Replica>(run.home, "replica").version, quint64(3));
    }
    void nothingIsAskedForBeforeTheFirstRoundUnderAPlan() {
        Keeper run;
        QVERIFY(run.begins());
        run.replicas->halt();
        run.roundsAreDone(1);
        QVERIFY(!QTest::qWaitFor([&] { return run.home.worker(1)->wanted > 0; }, 50));
        run.replicas->settled();
        run.roundsAreDone(1);
        QVERIFY(run.isAskedFor(3));
    }
    void copiesThatDoNotArriveAreToldOnce() {
        Keeper run;
        QVERIFY(run.begins());
        const std::size_t before = run.warnings();
        qint64 done = 1;
        run.roundsAreDone(done);
        QVERIFY(run.isAskedFor(3));
        int givenUp = 0;
        for (quint64 asked = 3; givenUp < 2 && done < 5000; ++done) {
            if (done == qint64(asked))
                run.allKeep(asked);
            run.roundsAreDone(done);
            if (QTest::qWaitFor([&] { return run.home.worker(1)->wanted != asked; }, 2)) {
                asked = run.home.worker(1)->wanted;
                ++givenUp;
            }
        }
        QCOMPARE(givenUp, 2);
        QCOMPARE(run.warnings(), before + 1);
        const auto warning = lastEvent<event::Warning>(run.home, "warning");
        QVERIFY(warning.what.contains(QLatin1String("version 3")));
        const QString holder = run.replicas->replication().backups.front().to;
        QVERIFY(warning.cause.contains(run.membership->device(holder)->name));
        QVERIFY(!warning.advice.isEmpty());
    }
    void aMemberThatHeardTooLateIsNoWarning() {
        Keeper run;
        QVERIFY(run.begins());
        const std::size_t before = run.warnings();
        run.roundsAreDone(1);
        QVERIFY(run.isAskedFor(3));
        run.replicas->kept(Home::id(1), 3);
        run.roundsAreDone(3);
        QVERIFY(run.isAskedFor(5));
        QCOMPARE(run.warnings(), before);
    }
    void aCheckpointThatIsWantedIsWrittenOfTheNextCompleteVersion() {
        Keeper run;
        QVERIFY(run.begins());
        run.replicas->wantCheckpoint();
        run.roundsAreDone(1);
        QVERIFY(run.isAskedFor(3));
        run.allKeep(3);
        run.copiesArrive(3);
        run.roundsAreDone(3);
        QVERIFY(comes([&] { return run.folder->version() == 3; }));
    }
    void whatWasSentUnderAnEarlierTermIsNoPartOfACheckpoint() {
        Keeper run;
        run.current->setTerm(2);
        QVERIFY(run.begins());
        run.replicas->wantCheckpoint();
        run.roundsAreDone(1);
        QVERIFY(run.isAskedFor(3));
        run.allKeep(3);
        run.copiesArrive(3);
        // Of the first device's layer, as for a checkpoint that a loss broke off.
        const qint64 bytes = run.replicas->layers().front().bytes;
        QVERIFY(bytes > 0);
        run.home.worker(1)->channel->sendTensor(stateChunkHeader({0, 3, 0, stateChunkCount(bytes)}, bytes, 1),
                                                stateChunkPayload(Buffer::allocate(bytes), 0));
        const std::size_t before = run.warnings();
        QVERIFY(comes([&] { return run.folder->version() == 3 || run.warnings() > before; }));
        QCOMPARE(run.folder->version(), quint64(3));
    }
    void aLostHolderIsMissedUntilCopiesArePlannedAnew() {
        Keeper run;
        QVERIFY(run.begins());
        QVERIFY(!run.replicas->lacksHolder());
        run.replicas->noteHolderLost();
        QVERIFY(run.replicas->lacksHolder());
        run.replicas->planCopies(run.replanner->ofPresent(), run.current->plan());
        QVERIFY(!run.replicas->lacksHolder());
    }
    void whoseStateNobodyKeepsIsToldOncePerChange() {
        Keeper run;
        run.home.request.safety.replication = ReplicationMode::Off;
        QVERIFY(run.begins());
        QVERIFY(run.replicas->tellCopies(true));
        QCOMPARE(run.warnings(), std::size_t(0));  // as it was wanted
        QVERIFY(run.replicas->replication().backups.empty());
    }
};

QTEST_GUILESS_MAIN(TestReplicaKeeper)
#include "test_replica_keeper.moc"
