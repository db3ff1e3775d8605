#include <QSignalSpy>
#include <QTest>

#include "core/run/membership.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Three devices, without a coordinator.
struct Members {
    Members() {
        home.directory = std::move(*RunDirectory::create(home.request.directory));
        RunDeadlines limits = quick();
        log.emplace(*home.directory, home.agent, [] {});
        membership.emplace(home.request.id, home.request.devices, home.agent, home.connector, limits, *log);
        for (const DeviceInfo &device : home.request.devices)
            membership->markStarted(device.id);
    }
    void join(int number) {
        const WorkerAddress address{key(2, static_cast<quint8>(number)), QStringLiteral("127.0.0.1"), 1000, 0, {}};
        auto [mine, theirs] = makeLoopbackPair(key(9, 9), address.fingerprint);
        others.push_back(std::move(theirs));
        membership->add(std::make_unique<WorkerSession>(home.request.devices[static_cast<std::size_t>(number - 1)],
                                                        address, std::move(mine), quick().exitReason));
    }
    QStringList here() const {
        QStringList ids;
        for (const WorkerSession *worker : membership->workers())
            ids << worker->id();
        return ids;
    }

    Home home{3};
    std::vector<std::unique_ptr<Channel>> others;
    std::optional<RunLog> log;
    std::optional<Membership> membership;
};

}  // namespace

class TestMembership : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void workersAreInTheOrderOfTheirDevices() {
        Members run;
        run.join(3);
        run.join(1);
        run.join(2);
        QCOMPARE(run.here(), (QStringList{Home::id(1), Home::id(2), Home::id(3)}));
    }
    void whyAWorkerWentDecidesWhatBecomesOfIt_data() {
        QTest::addColumn<int>("why");
        QTest::addColumn<bool>("isStopped");
        QTest::addColumn<bool>("mayHaveStates");
        QTest::addColumn<bool>("isAskedForAnother");
        QTest::newRow("one that is silent is left alone") << int(Departure::Silent) << false << true << false;
        QTest::newRow("one that ended is asked for anew") << int(Departure::Ended) << true << false << true;
        QTest::newRow("one that was released is not") << int(Departure::Released) << true << false << false;
    }
    void whyAWorkerWentDecidesWhatBecomesOfIt() {
        QFETCH(int, why);
        QFETCH(bool, isStopped);
        QFETCH(bool, mayHaveStates);
        QFETCH(bool, isAskedForAnother);
        Members run;
        run.join(1);
        run.join(2);
        run.membership->leaving().begin(Home::id(2));
        QSignalSpy removed(&*run.membership, &Membership::removed);
        run.membership->remove(Home::id(2), static_cast<Departure>(why));
        QCOMPARE(run.here(), QStringList{Home::id(1)});
        QCOMPARE(removed.count(), 1);
        QVERIFY(run.membership->leaving().isEmpty());
        QCOMPARE(run.home.agent.stopped.contains(Home::id(2)), isStopped);
        QCOMPARE(run.membership->awaitsStates(), mayHaveStates);
        if (isAskedForAnother)
            QVERIFY(comes([&] { return run.home.agent.started.contains(Home::id(2)); }));
        run.membership->remove(Home::id(2), Departure::Ended);
        QCOMPARE(removed.count(), 1);
    }
    void whoWasSentAwayIsNotExpected() {
        Members run;
        run.join(1);
        run.membership->leaving().sendAway(Home::id(1));
        run.membership->remove(Home::id(1), Departure::Silent);
        QVERIFY(!run.membership->awaitsStates());
        run.membership->expect(Home::id(1));
        QVERIFY(!run.membership->takeReturned(Home::id(1)));
    }
    void whoCannotBeSparedStays() {
        Members run;
        run.join(1);
        run.join(2);
        run.membership->leaving().begin(Home::id(1));  // its device rests
        run.membership->leaving().begin(Home::id(2));
        run.membership->leaving().sendAway(Home::id(2));
        QCOMPARE(run.membership->keepSentAway(), QStringList{Home::name(2)});
        QCOMPARE(run.membership->leaving().all(), QSet<QString>{Home::id(1)});
        QVERIFY(!run.membership->leaving().isSentAway(Home::id(2)));
    }
    void absentIsWhoHasNoWorkerOrIsAboutToGo() {
        Members run;
        run.join(1);
        run.join(2);
        run.membership->leaving().begin(Home::id(2));
        PlanningProblem problem;
        for (int number = 1; number <= 3; ++number) {
            problem.devices.emplace_back();
            problem.devices.back().id = Home::id(number);
        }
        QCOMPARE(run.membership->absentOf(problem), (QSet<QString>{Home::id(2), Home::id(3)}));
    }
    void aLinkIsBrokenUntilOneOfItsEndsJoinsAnew() {
        Members run;
        run.join(1);
        run.join(2);
        BrokenLinks &links = run.membership->brokenLinks();
        links.add(Home::id(1), Home::id(2));
        links.add(Home::id(1), Home::id(3));
        QVERIFY(links.contains(Home::id(2), Home::id(1)));
        run.membership->remove(Home::id(2), Departure::Released);
        QVERIFY(links.contains(Home::id(1), Home::id(2)));
        run.join(2);
        QVERIFY(!links.contains(Home::id(1), Home::id(2)));
        QVERIFY(links.contains(Home::id(3), Home::id(1)));
    }
    void whatADeviceComputedWithAtFirstIsKnown() {
        Members run;
        run.join(1);
        QCOMPARE(run.membership->firstLibrary(Home::id(1), QStringLiteral("other")), QString());
        QCOMPARE(run.membership->firstLibrary(Home::id(2), QStringLiteral("other")), QStringLiteral("other"));
    }
    void atTheEndAllThatWereAskedForAreStopped() {
        Members run;
        run.join(1);
        run.membership->stopAll();
        QVERIFY(run.here().isEmpty());
        run.home.agent.stopped.sort();
        QCOMPARE(run.home.agent.stopped, (QStringList{Home::id(1), Home::id(2), Home::id(3)}));
    }
    void nothingIsRecordedOnceTheLogIsClosed() {
        Members run;
        QVERIFY(run.log->record(event::Joined{Home::id(1)}));
        run.log->close();
        QVERIFY(!run.log->record(event::Joined{Home::id(2)}));
        QCOMPARE(count(run.home, "joined"), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestMembership)
#include "test_membership.moc"
