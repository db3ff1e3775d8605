// Two real agents pair over loopback and real TLS, and forget each other again.
#include <QDateTime>
#include <QFile>
#include <QTcpServer>

#include "agent_program.h"
#include "core/base/private_file.h"
#include "core/home/announcement.h"
#include "core/wire/tls_dial.h"
#include "pairing_home.h"
#include "tests/core/base/held_port.h"

using namespace hearth;
using namespace std::chrono_literals;

class PairingAgentsTest : public QObject, protected TwoHomes {
    Q_OBJECT

    PairingService &one() { return m_one.agent->trust().pairing(); }
    PairingService &two() { return m_two.agent->trust().pairing(); }
    DeviceState seenByOne() const { return m_one.stateOf(m_two.agent->fingerprint().toHex()); }

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() { QVERIFY(startHomes()); }
    void cleanup() { endHomes(); }

    void twoDevicesPairAndLink() {
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QCOMPARE(one().status().phase, PairingPhase::Connecting);
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
        QCOMPARE(two().status().name, QStringLiteral("one"));
        QCOMPARE(two().status().fingerprint, m_one.agent->fingerprint().toHex());
        QVERIFY(two().status().incoming);
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Asking, patience);
        QCOMPARE(one().status().name, QStringLiteral("two"));
        QVERIFY(acceptShown(two()));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Compare, patience);
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::Compare, patience);
        QCOMPARE(one().status().code, two().status().code);
        QVERIFY(one().status().secondsLeft > 30 && one().status().secondsLeft <= 60);
        QVERIFY(!isTrusted(*m_one.agent) && !isTrusted(*m_two.agent));
        QVERIFY(confirmShown(one(), true));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::WaitingForOther, patience);
        QVERIFY(!isTrusted(*m_one.agent) && !isTrusted(*m_two.agent));
        QVERIFY(confirmShown(two(), true));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Paired, patience);
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::Paired, patience);
        QTRY_COMPARE_WITH_TIMEOUT(seenByOne(), DeviceState::Ready, patience);
        QTRY_COMPARE_WITH_TIMEOUT(m_two.stateOf(m_one.agent->fingerprint().toHex()), DeviceState::Ready, patience);
        QVERIFY(one().status().code.isEmpty());
        // What is there at the next start.
        const auto kept = TrustStore::load(m_one.agent->stateDir() + QStringLiteral("/trust.json"));
        QVERIFY(kept && kept->trusts(m_two.agent->fingerprint()));
        QCOMPARE(kept->find(m_two.agent->fingerprint())->name, QStringLiteral("two"));
        QVERIFY(kept->find(m_two.agent->fingerprint())->addresses.contains(m_two.agent->address()));
    }

    void aNameThatLooksLikeOnesOwnHasDigitsBesideIt_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("the very same") << QStringLiteral("one");
        QTest::newRow("with a Cyrillic letter") << QStringLiteral("\u043ene");
        QTest::newRow("with wide letters") << QStringLiteral("\uff2fNE");
    }
    void aNameThatLooksLikeOnesOwnHasDigitsBesideIt() {
        QFETCH(QString, name);
        QVERIFY(m_two.agent->home().rename(QStringLiteral("two"), name));
        const Fingerprint key = m_two.agent->fingerprint();
        const QString shown = name + QStringLiteral(" (%1)").arg(key.toHex().left(8));
        QVERIFY(two().start({targetOf(*m_one.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::WantsToPair, patience);
        QCOMPARE(one().status().name, shown);
        pairNow(two(), one());
        QCOMPARE(one().status().name, shown);
        QCOMPARE(TrustStore::load(m_one.agent->stateDir() + QStringLiteral("/trust.json"))->find(key)->name, shown);
    }

    void aNameWithAnotherKeyIsRefusedAndTold_data() {
        QTest::addColumn<QStringList>("addresses");
        QTest::addColumn<QString>("code");
        QTest::newRow("at the place of the former device")
            << QStringList{QStringLiteral("127.0.0.1:1")} << QStringLiteral("device.key-changed");
        QTest::newRow("elsewhere") << QStringList() << QStringLiteral("pairing.name-taken");
    }
    void aNameWithAnotherKeyIsRefusedAndTold() {
        QFETCH(QStringList, addresses);
        QFETCH(QString, code);
        const Fingerprint former = Identity::generate(QStringLiteral("former"))->fingerprint();
        QVERIFY(m_two.agent->trust().add({QStringLiteral("One"), former, addresses}));
        AgentClient client;
        QVERIFY(m_two.connectTo(client));
        std::optional<PairingStatus> told;
        bool isSubscribed = false;
        connect(&client, &AgentClient::pairingChanged, this, [&] { isSubscribed = true; });
        connect(&client, &AgentClient::pairingRefused, this, [&](const PairingStatus &stranger) { told = stranger; });
        client.subscribe();
        QTRY_VERIFY_WITH_TIMEOUT(isSubscribed, patience);
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QTRY_VERIFY_WITH_TIMEOUT(told.has_value(), patience);
        QVERIFY(told->error.has_value());
        QCOMPARE(told->error->code, code);
        QCOMPARE(told->name, QStringLiteral("One"));
        QCOMPARE(told->fingerprint, m_one.agent->fingerprint().toHex());
        QCOMPARE(two().status().phase, PairingPhase::None);
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Failed, patience);
        QVERIFY(one().status().error->advice.contains(QStringLiteral("hearth-agent distrust")));
    }

    void theLocalSocketTellsAllOfIt() {
        AgentClient first, second;
        QVERIFY(m_one.connectTo(first) && m_two.connectTo(second));
        PairingStatus left, right;
        connect(&first, &AgentClient::pairingChanged, this, [&](const PairingStatus &status) { left = status; });
        connect(&second, &AgentClient::pairingChanged, this, [&](const PairingStatus &status) { right = status; });
        first.subscribe();
        second.subscribe();
        first.startPairing({m_two.agent->address()}, QString(), this, [](const auto &) {});
        QTRY_COMPARE_WITH_TIMEOUT(right.phase, PairingPhase::WantsToPair, patience);
        second.acceptPairing(right.fingerprint, this, [](const auto &) {});
        QTRY_COMPARE_WITH_TIMEOUT(left.phase, PairingPhase::Compare, patience);
        QTRY_COMPARE_WITH_TIMEOUT(right.phase, PairingPhase::Compare, patience);
        QCOMPARE(left.code, right.code);
        first.confirmPairing(true, left.code, this, [](const auto &) {});
        second.confirmPairing(true, right.code, this, [](const auto &) {});
        QTRY_COMPARE_WITH_TIMEOUT(left.phase, PairingPhase::Paired, patience);
        QTRY_COMPARE_WITH_TIMEOUT(right.phase, PairingPhase::Paired, patience);
        QTRY_COMPARE_WITH_TIMEOUT(seenByOne(), DeviceState::Ready, patience);

        QStringList removed;
        connect(&first, &AgentClient::deviceRemoved, this, [&](const QString &id) { removed << id; });
        std::optional<Result<QCborMap>> forgotten;
        first.forget(QStringLiteral("two"), this, [&](const auto &result) { forgotten = result; });
        QTRY_VERIFY_WITH_TIMEOUT(forgotten.has_value(), patience);
        QVERIFY(*forgotten);
        QTRY_COMPARE_WITH_TIMEOUT(removed, QStringList{m_two.agent->fingerprint().toHex()}, patience);
    }

    void onlyWhatThePersonHasSeenCounts() {
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
        const Fingerprint another = Identity::generate(QStringLiteral("another"))->fingerprint();
        QCOMPARE(two().accept(another).error().code, QStringLiteral("pairing.changed"));
        QCOMPARE(two().status().phase, PairingPhase::WantsToPair);
        AgentClient client;
        QVERIFY(m_two.connectTo(client));
        std::optional<Result<QCborMap>> blind;
        client.call(QStringLiteral("pair.accept"), {}, 1min, this, [&](const auto &result) { blind = result; });
        QTRY_VERIFY_WITH_TIMEOUT(blind.has_value(), patience);
        QVERIFY(!*blind);
        QVERIFY(acceptShown(two()));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Compare, patience);
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::Compare, patience);
        const QString code = one().status().code;
        const QString wrong = code == QLatin1String("000000") ? QStringLiteral("000001") : QStringLiteral("000000");
        for (const bool match : {true, false}) {
            QCOMPARE(one().confirm(match, wrong).error().code, QStringLiteral("pairing.changed"));
            QCOMPARE(one().confirm(match, QString()).error().code, QStringLiteral("pairing.changed"));
            QCOMPARE(one().status().phase, PairingPhase::Compare);
        }
        QVERIFY(one().confirm(true, code));
        QVERIFY(two().confirm(true, code));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Paired, patience);
    }

    void bothPeopleMayBegin() {
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QVERIFY(two().start({targetOf(*m_one.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Compare, patience);
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::Compare, patience);
        QCOMPARE(one().status().code, two().status().code);
    }

    void bothBeginAndOneReachesNobody_data() {
        QTest::addColumn<bool>("hangs");
        QTest::newRow("its dial is never answered") << true;
        QTest::newRow("its dial is refused after the other end has come") << false;
    }
    void bothBeginAndOneReachesNobody() {
        QFETCH(bool, hangs);
        PairingLimits limits = unhurriedLimits();
        if (hangs)
            limits.held = 0ms;
        const Identity key = *Identity::generate(QStringLiteral("blocked"));
        PairingService blocked(key, *IgnoreList::load(m_folder->filePath(QStringLiteral("l"))),
                               {[] { return QStringLiteral("blocked"); }, [] { return quint16(47600); },
                                [](const PairedDevice &) { return Result<void>(); }, [](const Fingerprint &) {},
                                [](const Fingerprint &, bool) {},
                                [](const Fingerprint &, const QString &) { return std::optional<Error>(); },
                                [](const Fingerprint &, const QString &name) { return name; }});
        blocked.setLimits(limits);
        one().setLimits(limits);
        TlsListener listener(key, [](const Fingerprint &) { return false; });
        listener.setHandshakeDeadline(10min);
        listener.setStrangers([](const Fingerprint &, const QHostAddress &) { return true; });
        bool came = false;
        connect(&listener, &TlsListener::strangerReady, this, [&](StrangerLink *link) {
            blocked.take(link);
            came = true;
        });
        const quint16 port = listener.listen(QHostAddress::LocalHost, 0, 0).value_or(0);
        QTcpServer silent;  // takes connections and never says a word
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        QVERIFY(blocked.start({{QStringLiteral("127.0.0.1"), silent.serverPort()}}));
        QVERIFY(silent.hasPendingConnections() || silent.waitForNewConnection(patience));
        QVERIFY(one().start({{QStringLiteral("127.0.0.1"), port}}));
        QTRY_VERIFY_WITH_TIMEOUT(came, patience);
        if (!hangs)
            delete silent.nextPendingConnection();
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Compare, patience);
        QTRY_COMPARE_WITH_TIMEOUT(blocked.status().phase, PairingPhase::Compare, patience);
        QCOMPARE(one().status().code, blocked.status().code);
    }

    void whoBeginsTowardsTheOneThatWaitsAccepts() {
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
        QVERIFY(two().start({targetOf(*m_one.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Compare, patience);
    }

    void severalAddressesAreTriedInTurn() {
        const quint16 closed = heldPort();
        QVERIFY(one().start({{QStringLiteral("127.0.0.1"), closed}, targetOf(*m_two.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
    }

    void anotherDeviceThanTheChosenOneIsPassedOver() {
        PlayedHome three = PlayedHome::start(*m_folder, QStringLiteral("three"));
        const QString chosen = announcedPrefix(m_two.agent->fingerprint());
        QVERIFY(one().start({targetOf(*three.agent), targetOf(*m_one.agent), targetOf(*m_two.agent)}, chosen));
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
        QCOMPARE(one().attempts(), 1);
        QVERIFY(one().cancel());

        QVERIFY(one().start({targetOf(*three.agent)}, chosen));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Failed, patience);
        QCOMPARE(one().status().error->code, QStringLiteral("pairing.other-key"));
        QCOMPARE(one().attempts(), 1);
        QCOMPARE(three.agent->trust().pairing().status().phase, PairingPhase::None);
    }

    void announcedAddressesAreDialledAtHomeOnly() {
        AgentClient client;
        QVERIFY(m_one.connectTo(client));
        std::optional<Result<PairingStatus>> answer;
        const QString chosen = announcedPrefix(m_two.agent->fingerprint());
        client.startPairing({QStringLiteral("8.8.8.8:47600"), m_two.agent->address()}, chosen, this,
                            [&](const auto &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(!*answer);
        QCOMPARE(answer->error().code, QStringLiteral("pairing.no-home-address"));
        QCOMPARE(one().status().phase, PairingPhase::None);
    }

    void aPauseOutlivesTheAgent() {
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("paused")));
        const QString state = m_folder->filePath(QStringLiteral("paused"));
        QVERIFY(QFile::setPermissions(state, QFile::Permissions(0x7700)));
        QVERIFY(savePrivateJson(state + QStringLiteral("/pairing-pause.json"),
                                {{QStringLiteral("format"), QStringLiteral("hearth-pairing-pause/1")},
                                 {QStringLiteral("failures"), 20},
                                 {QStringLiteral("last_ms"), QDateTime::currentMSecsSinceEpoch()}}));
        PlayedHome paused = PlayedHome::start(*m_folder, QStringLiteral("paused"));
        const auto begun = paused.agent->trust().pairing().start({targetOf(*m_two.agent)});
        QVERIFY(!begun);
        QCOMPARE(begun.error().code, QStringLiteral("pairing.wait"));
    }

    void nobodyThereIsSaid() {
        const quint16 closed = heldPort();
        QVERIFY(one().start({{QStringLiteral("127.0.0.1"), closed}}));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Failed, patience);
        QCOMPARE(one().status().error->code, QStringLiteral("wire.nobody-listens"));
        QVERIFY(one().cancel());
        QCOMPARE(one().status().phase, PairingPhase::None);
        QCOMPARE(one().cancel().error().code, QStringLiteral("pairing.none"));
    }

    void itselfIsNobodyToPairWith() {
        QVERIFY(one().start({targetOf(*m_one.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Failed, patience);
        QCOMPARE(one().status().error->code, QStringLiteral("pairing.self"));
    }

    void whatMakesNoSenseNowIsAnError() {
        QCOMPARE(acceptShown(one()).error().code, QStringLiteral("pairing.none"));
        QCOMPARE(confirmShown(one(), true).error().code, QStringLiteral("pairing.none"));
        QCOMPARE(one().start({}).error().code, QStringLiteral("pairing.no-address"));
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QCOMPARE(one().start({targetOf(*m_two.agent)}).error().code, QStringLiteral("pairing.active"));
    }

    void anIgnoredDeviceIsRefusedAlsoAfterARestart() {
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
        QVERIFY(m_two.agent->home().ignore(m_one.agent->fingerprint().toHex()));
        QCOMPARE(two().status().phase, PairingPhase::None);
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Failed, patience);
        const auto port = splitAddress(m_two.agent->address())->port;
        m_two = {};
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"), port);
        QVERIFY(m_two.agent);
        QSignalSpy changed(&m_two.agent->trust(), &TrustService::pairingChanged);
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Failed, patience);
        QVERIFY(changed.isEmpty());
        QCOMPARE(m_two.agent->home().nearby().ignored.size(), std::size_t(1));
        QCOMPARE(m_two.agent->home().nearby().ignored.front().name, QStringLiteral("one"));
        // A person who begins from there takes it back.
        QVERIFY(two().start({targetOf(*m_one.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::WantsToPair, patience);
        pairNow(two(), one());
        QVERIFY(two().mayPair(m_one.agent->fingerprint()));
        QVERIFY(m_two.agent->home().nearby().ignored.empty());
    }

    void anIgnoredDeviceIsTakenBackByTheFirstDigitsOfItsKey() {
        const QString prefix = m_one.agent->fingerprint().toHex().left(16);
        QSignalSpy nearby(&m_two.agent->home(), &HomeService::nearbyChanged);
        QVERIFY(m_two.agent->home().ignore(prefix));
        QTRY_COMPARE_WITH_TIMEOUT(nearby.size(), 1, patience);
        QVERIFY(!two().mayPair(m_one.agent->fingerprint()));
        QVERIFY(one().start({targetOf(*m_two.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Failed, patience);
        QVERIFY(m_two.agent->home().unignore(prefix));
        QVERIFY(two().mayPair(m_one.agent->fingerprint()));
        QTRY_COMPARE_WITH_TIMEOUT(nearby.size(), 2, patience);
        QCOMPARE(m_two.agent->home().unignore(prefix).error().code, QStringLiteral("ignore.unknown"));
    }

    void whoCannotBeIgnoredIsSaid() {
        QCOMPARE(m_two.agent->home().ignore(QStringLiteral("abc")).error().code, QStringLiteral("ignore.no-key"));
        QCOMPARE(m_two.agent->home().ignore(m_two.agent->fingerprint().toHex().left(16)).error().code,
                 QStringLiteral("ignore.own-key"));
        pair(one(), two(), *m_two.agent);
        QCOMPARE(m_two.agent->home().ignore(m_one.agent->fingerprint().toHex().left(16)).error().code,
                 QStringLiteral("ignore.trusted"));
    }

    void aForgottenDeviceIsOutAtOnce() {
        pair(one(), two(), *m_two.agent);
        QTRY_COMPARE_WITH_TIMEOUT(seenByOne(), DeviceState::Ready, patience);
        QSignalSpy removed(&m_one.agent->book(), &DeviceBook::removed);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("two")));
        QCOMPARE(removed.count(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(m_two.stateOf(m_one.agent->fingerprint().toHex()), DeviceState::Lost, patience);
        qInfo("The link had ended after %lld ms.", timer.elapsed());
        QCOMPARE(m_one.agent->devices().size(), std::size_t(1));
        // It is told why, and that stays: not that the connection ended, nor that it is not accepted any more.
        const auto words = [this] { return m_two.device(m_one.agent->fingerprint().toHex()).lastError; };
        QSignalSpy refused(&m_one.agent->home(), &HomeService::strangerRefused);
        QTRY_VERIFY_WITH_TIMEOUT(refused.count() >= 2, patience);
        QVERIFY2(words().contains(QStringLiteral("has removed this device")), qPrintable(words()));
        const auto port = splitAddress(m_two.agent->address())->port;
        m_two = {};
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"), port);
        QVERIFY2(words().contains(QStringLiteral("has removed this device")), qPrintable(words()));
        QVERIFY(!m_one.agent->trust().forget(QStringLiteral("two")));
        QCOMPARE(m_one.agent->trust().forget(QStringLiteral("one")).error().code, QStringLiteral("device.self"));
        // Paired again, it is back.
        pair(two(), one(), *m_one.agent);
        QTRY_COMPARE_WITH_TIMEOUT(seenByOne(), DeviceState::Ready, patience);
        QTRY_COMPARE_WITH_TIMEOUT(words(), QString(), patience);
    }

    void theRestOfTheHomeLearnsOfIt() {
        PlayedHome three = PlayedHome::start(*m_folder, QStringLiteral("three"));
        pair(one(), two(), *m_two.agent);
        pair(one(), three.agent->trust().pairing(), *three.agent);
        pair(two(), three.agent->trust().pairing(), *three.agent);
        const QString id = three.agent->fingerprint().toHex();
        QTRY_COMPARE_WITH_TIMEOUT(m_two.stateOf(id), DeviceState::Ready, patience);
        QTRY_COMPARE_WITH_TIMEOUT(seenByOne(), DeviceState::Ready, patience);
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("three")));
        QTRY_VERIFY_WITH_TIMEOUT(m_two.device(id).id.isEmpty(), patience);
        const auto kept = TrustStore::load(m_two.agent->stateDir() + QStringLiteral("/trust.json"));
        QVERIFY(kept && !kept->trusts(three.agent->fingerprint()) && kept->trusts(m_one.agent->fingerprint()));
        // The device that was removed has lost nobody but those who removed it, and removes nobody by itself.
        QCOMPARE(three.agent->devices().size(), std::size_t(3));
    }

    void aDeviceThatWasOffLearnsOfItWhenItComesBack() {
        PlayedHome three = PlayedHome::start(*m_folder, QStringLiteral("three"));
        pair(one(), two(), *m_two.agent);
        pair(two(), three.agent->trust().pairing(), *three.agent);
        pair(one(), three.agent->trust().pairing(), *three.agent);
        const QString id = three.agent->fingerprint().toHex();
        const auto port = splitAddress(m_two.agent->address())->port;
        m_two = {};
        QVERIFY(m_one.agent->trust().forget(QStringLiteral("three")));
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"), port);
        QTRY_VERIFY_WITH_TIMEOUT(m_two.device(id).id.isEmpty(), patience);
    }

    void theWorkersOfAForgottenDeviceEndAtOnce_data() {
        QTest::addColumn<bool>("byOwner");
        QTest::newRow("forgotten where the run is") << true;
        QTest::newRow("forgotten where the worker is") << false;
    }
    void theWorkersOfAForgottenDeviceEndAtOnce() {
        QFETCH(bool, byOwner);
        pair(one(), two(), *m_two.agent);
        QTRY_COMPARE_WITH_TIMEOUT(seenByOne(), DeviceState::Ready, patience);
        AgentClient client;
        QVERIFY(m_one.connectTo(client));
        const auto run = startRun(client, playedOrder("worker", m_two.agent->fingerprint().toHex()));
        QVERIFY(run);
        const Follower follower(client, *run);
        QVERIFY(follower.waitFor("worker"));
        QVERIFY(follower.workerPid() > 0);
        QTRY_COMPARE_WITH_TIMEOUT(m_two.agent->limits().foreignWorkers(), 1, patience);
        QElapsedTimer timer;
        timer.start();
        if (byOwner) {
            QVERIFY(m_one.agent->trust().forget(QStringLiteral("two")));
            QVERIFY(follower.waitFor("removed"));
        } else {
            QVERIFY(m_two.agent->trust().forget(QStringLiteral("one")));
            QTRY_COMPARE_WITH_TIMEOUT(m_two.agent->limits().foreignWorkers(), 0, patience);
        }
        qInfo("It was out after %lld ms.", timer.elapsed());
        QVERIFY(m_one.agent->runs().isLive(*run));
    }
};

QTEST_GUILESS_MAIN(PairingAgentsTest)
#include "pairing_agents_test.moc"
