#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QTimer>

#include "core/run/membership.h"
#include "core/wire/stream_channel.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Three devices, without a coordinator.
struct Members {
    Members() {
        for (int number = 1; number <= 3; ++number)
            home.request.devices[static_cast<std::size_t>(number) - 1].address = place(number) + QStringLiteral(":1");
        home.directory = std::move(*RunDirectory::create(home.request.directory));
        RunDeadlines limits = quick();
        log.emplace(*home.directory, home.agent, [] {});
        membership.emplace(home.request.id, home.request.devices, home.agent, home.connector, limits, *log);
        for (const DeviceInfo &device : home.request.devices)
            membership->markStarted(device.id);
    }
    static QString place(int number) { return QStringLiteral("10.0.0.%1").arg(number); }
    void join(int number, const QMap<QString, QString> &sees = {}) {
        auto [mine, theirs] = makeLoopbackPair(key(9, 9), key(2, static_cast<quint8>(number)));
        others.push_back(std::move(theirs));
        join(number, sees, std::move(mine));
    }
    /// Over a connection that comes from that address of this machine; false where there is none.
    bool joinFrom(const QString &host, int number, const QMap<QString, QString> &sees) {
        auto socket = std::make_unique<QTcpSocket>();
        if ((!server.isListening() && !server.listen(QHostAddress::LocalHost)) || !socket->bind(QHostAddress(host)))
            return false;
        socket->connectToHost(QHostAddress::LocalHost, server.serverPort());
        if (!socket->waitForConnected())
            return false;
        join(number, sees, std::make_unique<StreamChannel>(std::move(socket)));
        return true;
    }
    void join(int number, const QMap<QString, QString> &sees, std::unique_ptr<Channel> channel) {
        WorkerAddress address{key(2, static_cast<quint8>(number)), place(number), 1000, 0, sees};
        if (number == 1)
            address.forOthers = ownPlace;
        membership->add(std::make_unique<WorkerSession>(home.request.devices[static_cast<std::size_t>(number - 1)],
                                                        address, std::move(channel), quick().exitReason));
    }
    WorkerSession &session(int number) const { return *membership->session(Home::id(number)); }
    /// Where the one is told to find the other: first, and then.
    QStringList places(int from, int to) const {
        return {session(from).placeOf(session(to)), session(from).otherPlaceOf(session(to))};
    }
    /// What its agent says of it there.
    DeviceInfo deviceAt(int number, const QString &host, DeviceState state = DeviceState::Ready) const {
        DeviceInfo device = home.request.devices[static_cast<std::size_t>(number) - 1];
        device.address = host + QStringLiteral(":1");
        device.state = state;
        return device;
    }
    QStringList here() const {
        QStringList ids;
        for (const WorkerSession *worker : membership->workers())
            ids << worker->id();
        return ids;
    }

    Home home{3};
    QTcpServer server;
    std::optional<QString> ownPlace;  // of this device, the first, where its worker is dialled elsewhere
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
    void aConnectionEndsAtTheWorkerThatIsToldSo() {
        Members run;
        for (int number = 1; number <= 3; ++number)
            run.join(number);
        QSignalSpy second(run.others[1].get(), &Channel::controlReceived);
        QSignalSpy third(run.others[2].get(), &Channel::controlReceived);
        run.membership->endLink(Home::id(2), Home::id(3));
        QVERIFY(comes([&] { return !second.isEmpty(); }));
        const QCborMap call = second.at(0).at(0).value<QCborMap>();
        QCOMPARE(call[QStringLiteral("op")].toString(), QStringLiteral("expect"));
        QCOMPARE(call[QStringLiteral("a")].toMap()[QStringLiteral("fingerprints")].toArray(),
                 (QCborArray{key(2, 1).toHex(), key(2, 2).toHex()}));
        QVERIFY(third.isEmpty());
    }
    void whoHasAnotherAddressIsFoundThere() {
        Members run;
        const QString moved = QStringLiteral("10.0.0.20"), apart = QStringLiteral("192.168.7.2");
        run.join(1, {{Home::id(2), run.place(2)}, {Home::id(3), run.place(3)}});
        run.join(2);
        run.join(3, {{Home::id(2), apart}});
        BrokenLinks &links = run.membership->brokenLinks();
        links.add(Home::id(1), Home::id(2));
        links.add(Home::id(1), Home::id(3));
        QSignalSpy mayWork(&*run.membership, &Membership::linkToTry);
        run.membership->locate(run.deviceAt(2, moved));
        QCOMPARE(mayWork.count(), 1);
        QCOMPARE(run.session(2).address().placeForOthers(), moved);
        QCOMPARE(run.session(2).address().address, run.place(2));  // connections of the worker that was there are dead
        QCOMPARE(run.membership->device(Home::id(2))->host(), moved);
        // Who saw it in the same place, and who sees it from another network.
        QCOMPARE(run.places(1, 2), (QStringList{moved, {}}));
        QCOMPARE(run.places(3, 2), (QStringList{apart, moved}));
        QCOMPARE(run.places(1, 3), (QStringList{run.place(3), {}}));
        QVERIFY(!links.contains(Home::id(1), Home::id(2)));
        QVERIFY(links.contains(Home::id(1), Home::id(3)));
        // None of its links is broken by now.
        run.membership->locate(run.deviceAt(2, QStringLiteral("10.0.0.21")));
        QCOMPARE(mayWork.count(), 1);
    }
    void onlyALinkThatIsThereTellsOfAnotherAddress_data() {
        QTest::addColumn<int>("number");
        QTest::addColumn<QString>("host");
        QTest::addColumn<DeviceState>("state");
        const QString other = QStringLiteral("10.0.0.20");
        QTest::newRow("not where the device is lost") << 2 << other << DeviceState::Lost;
        QTest::newRow("nor of the run's own device") << 1 << other << DeviceState::Ready;
        QTest::newRow("nor where it is where it was") << 2 << Members::place(2) << DeviceState::Ready;
        QTest::newRow("nor where nothing is said of it") << 2 << QString() << DeviceState::Ready;
    }
    void onlyALinkThatIsThereTellsOfAnotherAddress() {
        QFETCH(int, number);
        QFETCH(QString, host);
        QFETCH(DeviceState, state);
        Members run;
        run.join(1);
        run.join(2);
        run.membership->brokenLinks().add(Home::id(1), Home::id(2));
        run.membership->locate(run.deviceAt(number, host, state));
        QCOMPARE(run.session(number).address().address, run.place(number));
        QVERIFY(run.membership->brokenLinks().contains(Home::id(1), Home::id(2)));
    }
    void aSilentWorkerIsDialledAnewOnlyWhereItWas() {
        Members run;
        run.join(1);
        run.join(2);
        run.home.unanswered = {2};
        run.membership->remove(Home::id(2), Departure::Silent);
        QVERIFY(comes([&] { return run.home.dials[2] == 1; }));
        run.membership->locate(run.deviceAt(2, QStringLiteral("10.0.0.20")));
        passTimers();
        QCOMPARE(run.home.dials[2], 1);
        run.membership->locate(run.deviceAt(2, run.place(2)));
        QVERIFY(comes([&] { return run.home.dials[2] == 2; }));
        QCOMPARE(run.home.dialled[2], run.place(2));
    }
    void whyADeviceRestsIsToldAsItIs() {
        Members run;
        DeviceInfo device = run.deviceAt(2, run.place(2), DeviceState::Resting);
        device.rest = Rest::OnBattery;
        run.membership->update(device);
        device.rest = Rest::Paused;
        run.membership->takeRest(device);
        QCOMPARE(run.membership->device(Home::id(2))->rest, Rest::Paused);
        const Sentence causes = restCauses(run.membership->devices());
        QVERIFY(causes.english().contains(restCause(Rest::Paused, {}).english()));
        QVERIFY(!causes.english().contains(restCause(Rest::OnBattery, {}).english()));
    }
    void aDeviceTellsWhereItSeesOthers() {
        Members run;
        const QString seen = QStringLiteral("192.168.7.2");
        run.join(1, {{Home::id(2), run.place(2)}});
        run.join(2);
        BrokenLinks &links = run.membership->brokenLinks();
        links.add(Home::id(1), Home::id(2));
        links.add(Home::id(1), Home::id(3));
        QSignalSpy mayWork(&*run.membership, &Membership::linkToTry);
        run.membership->see(Home::id(1), {{Home::id(2), seen}});
        QCOMPARE(mayWork.count(), 1);
        QCOMPARE(run.places(1, 2), (QStringList{seen, run.place(2)}));
        QVERIFY(!links.contains(Home::id(1), Home::id(2)));
        QVERIFY(links.contains(Home::id(1), Home::id(3)));
        // It is no reason to try a link again that somebody sees the other where it was.
        links.add(Home::id(1), Home::id(2));
        run.membership->see(Home::id(1), {{Home::id(2), seen}});
        QVERIFY(links.contains(Home::id(1), Home::id(2)));
        QCOMPARE(mayWork.count(), 1);
        // Before it joins, too.
        run.membership->see(Home::id(3), {{Home::id(2), seen}});
        run.join(3, {{Home::id(2), QStringLiteral("10.0.0.9")}});
        QCOMPARE(run.places(3, 2), (QStringList{seen, run.place(2)}));
    }
    void whereAWorkersDeviceSeesOthersIsNewerThanWhatItToldBefore() {
        Members run;
        run.join(2);
        const QMap<QString, QString> before{{Home::id(2), QStringLiteral("192.168.7.2")}},
            now{{Home::id(2), run.place(2)}};
        run.membership->see(Home::id(3), before);
        run.membership->workerStarted(Home::id(3), {key(2, 3), run.place(3), 1000, 0, now});
        run.join(3, now);
        QCOMPARE(run.places(3, 2), (QStringList{run.place(2), {}}));
    }
    void thisDeviceIsWhereConnectionsToOthersComeFrom() {
        Members run;
        const QString first = QStringLiteral("127.0.0.2"), then = QStringLiteral("127.0.0.3");
        const QString apart = QStringLiteral("192.168.7.1");
        run.ownPlace = QStringLiteral("192.168.7.9");
        run.join(1);
        QVERIFY(run.joinFrom(first, 2, {{Home::id(1), first}}));
        QCOMPARE(run.places(2, 1), (QStringList{first, {}}));
        run.membership->remove(Home::id(2), Departure::Silent);
        QVERIFY(run.joinFrom(then, 2, {{Home::id(1), first}}));
        QCOMPARE(run.places(2, 1), (QStringList{then, {}}));
        // Its agent is linked again, over another network.
        run.membership->see(Home::id(2), {{Home::id(1), apart}});
        QCOMPARE(run.places(2, 1), (QStringList{apart, then}));
        QCOMPARE(run.places(1, 2), (QStringList{run.place(2), {}}));
    }
    /// As an agent that was started with --listen, whatever network leads to another.
    void whatListensInOnePlaceAloneIsFoundThere() {
        Members run;
        run.join(1);
        QVERIFY(run.joinFrom(QStringLiteral("127.0.0.2"), 2, {}));
        QCOMPARE(run.places(2, 1), (QStringList{run.place(1), {}}));
    }
    void aDeviceTellsOfNoMoreOthersThanAHomeHas() {
        Members run;
        const QString seen = QStringLiteral("192.168.7.2");
        for (int number = 0; number < 300; ++number)
            run.membership->see(Home::id(1), {{QStringLiteral("z%1").arg(number), seen}});
        run.join(1);
        QCOMPARE(int(run.session(1).address().sees.size()), 256);
        run.membership->see(Home::id(1), {{QStringLiteral("z0"), run.place(2)}, {QStringLiteral("z999"), seen}});
        QCOMPARE(int(run.session(1).address().sees.size()), 256);
        QCOMPARE(run.session(1).address().sees.value(QStringLiteral("z0")), run.place(2));
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

  private:
    /// All that are due have fired.
    static void passTimers() {
        QTimer last;
        last.setSingleShot(true);
        last.start(0);
        QVERIFY(comes([&last] { return !last.isActive(); }));
    }
};

QTEST_GUILESS_MAIN(TestMembership)
#include "test_membership.moc"
