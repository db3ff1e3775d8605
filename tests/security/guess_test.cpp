// Strangers who try their luck: guesses, messages of other sessions, confirmations alone, crowds, names.
#include "attack_log.h"
#include "attacker.h"

using namespace hearth;
using namespace std::chrono_literals;

class GuessTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;

    PairingService &pairing() { return m_home.agent->trust().pairing(); }
    bool reaches(PairingPhase phase) {
        return QTest::qWaitFor([&] { return pairing().status().phase == phase; }, patience);
    }
    /// A session in which the digits stand. False also where its time is over before.
    bool comesToCompare(Attacker &attacker) {
        const auto reachesBefore = [&](PairingPhase phase) {
            const auto isThere = [&] { return pairing().status().phase == phase; };
            return QTest::qWaitFor([&] { return isThere() || attacker.isClosed(); }, patience) && isThere();
        };
        attacker.hello();
        if (!reachesBefore(PairingPhase::WantsToPair) || !acceptShown(pairing()) || !attacker.gets<PairingNonce>())
            return false;
        attacker.send(PairingReveal{attacker.nonce()});
        return reachesBefore(PairingPhase::Compare);
    }
    bool isClean() const { return !isTrusted(*m_home.agent) && m_home.agent->devices().size() == 1; }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("home"));
        pairing().setLimits(withoutPauses());
    }
    void cleanup() { m_home = {}; }

    void guessesAreFewAndPausesGrow() {
        PairingLimits limits = unhurriedLimits();
        limits.backoff = {100ms, 300s};
        limits.strangers = {0ms, 0ms};
        pairing().setLimits(limits);
        constexpr int tries = 60;
        int shown = 0, later = 0;
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < tries; ++i) {
            Attacker attacker(*m_home.agent);
            QVERIFY(attacker.isConnected());
            attacker.hello();
            QVERIFY(QTest::qWaitFor(
                [&] { return attacker.has<PairingEnd>() || pairing().status().phase == PairingPhase::WantsToPair; },
                patience));
            if (attacker.has<PairingEnd>()) {
                ++later;
                continue;
            }
            // A person who takes whoever comes, and looks at the digits: they are not those of anybody at hand.
            QVERIFY(acceptShown(pairing()));
            QVERIFY(attacker.gets<PairingNonce>());
            attacker.send(PairingReveal{attacker.nonce()});
            attacker.send(PairingConfirm{});
            QVERIFY(reaches(PairingPhase::Compare));
            ++shown;
            QVERIFY(confirmShown(pairing(), false));
            // The person is told, too; by now it is for most of a second.
            if (shown == 4) {
                const auto begun = pairing().start({{QStringLiteral("127.0.0.1"), 1}});
                QVERIFY(!begun);
                QCOMPARE(begun.error().code, QStringLiteral("pairing.wait"));
            }
            QVERIFY(attacker.isThrownOut());
        }
        QVERIFY(shown >= 4);
        // The n-th failure costs 100 ms · 2^(n-1): in all this time there was room for so many.
        int most = 1;
        for (qint64 spent = 0, pause = 100; spent + pause <= timer.elapsed(); pause *= 2, ++most)
            spent += pause;
        qInfo("%d of %d saw digits, %d were sent away, in %lld ms", shown, tries, later, timer.elapsed());
        QVERIFY2(shown <= most, qPrintable(QStringLiteral("%1 > %2").arg(shown).arg(most)));
        QCOMPARE(shown + later, tries);
        QVERIFY(isClean());
        noteAttack("guessing the digits", tries);
    }

    void whoLeavesWhenTheDigitsDoNotSuitHasHadItsTry() {
        PairingLimits limits = unhurriedLimits();
        limits.backoff = {300s, 300s};
        pairing().setLimits(limits);
        Attacker attacker(*m_home.agent);
        attacker.hello();
        QVERIFY(reaches(PairingPhase::WantsToPair));
        QVERIFY(acceptShown(pairing()));
        QVERIFY(attacker.gets<PairingNonce>());  // now it could compute them
        attacker.leave();
        QVERIFY(reaches(PairingPhase::Failed));
        Attacker again(*m_home.agent);
        QVERIFY(again.gets<PairingEnd>());
        QVERIFY(isClean());
        noteAttack("leaving when the digits do not suit", 2);
    }

    void strangersWhoComeAndGoGetPausesByAddress() {
        PairingLimits limits = unhurriedLimits();
        limits.strangers = {300s, 300s};
        pairing().setLimits(limits);
        Attacker attacker(*m_home.agent);
        attacker.hello();
        QVERIFY(reaches(PairingPhase::WantsToPair));
        attacker.leave();
        QVERIFY(reaches(PairingPhase::None));
        int later = 0;
        for (int i = 0; i < 20; ++i) {
            Attacker again(*m_home.agent);
            later += again.gets<PairingEnd>() ? 1 : 0;
        }
        QCOMPARE(later, 20);
        QCOMPARE(pairing().status().phase, PairingPhase::None);
        QCOMPARE(pairing().attempts(), 1);
        // A person's own start is not their business.
        QVERIFY(pairing().start({{QStringLiteral("127.0.0.1"), 1}}));
        noteAttack("wanting to pair without end", 21);
    }

    void messagesOfAnotherSessionAreWorthNothing() {
        // A whole pairing is listened to at its end, as a device that was paired and removed could, and repeated.
        Attacker first(*m_home.agent);
        QVERIFY(comesToCompare(first));
        first.send(PairingConfirm{});
        QVERIFY(pairing().cancel());
        QVERIFY(first.isThrownOut());
        const QByteArrayList script{
            encodePairingMessage(PairingHello{QStringLiteral("m"), 1, pairingCommitment(first.keys(), first.nonce())}),
            encodePairingMessage(PairingReveal{first.nonce()}), encodePairingMessage(PairingConfirm{}),
            encodePairingMessage(PairingStored{})};
        int tries = 0;
        for (const bool sameKey : {true, false}) {
            ++tries;
            Attacker again(*m_home.agent, sameKey ? std::optional(first.identity()) : std::nullopt);
            again.sendRaw(script[0]);
            QVERIFY(reaches(PairingPhase::WantsToPair));
            QVERIFY(acceptShown(pairing()));
            for (qsizetype i = 1; i < script.size(); ++i)
                again.sendRaw(script[i]);
            QVERIFY(again.isThrownOut());
            QVERIFY(reaches(PairingPhase::Failed));
        }
        QVERIFY(isClean());
        noteAttack("messages of another session", tries);
    }

    void oneConfirmationTrustsNobody_data() {
        QTest::addColumn<bool>("here");
        QTest::newRow("only the stranger confirms") << false;
        QTest::newRow("only this person confirms") << true;
    }
    void oneConfirmationTrustsNobody() {
        QFETCH(bool, here);
        PairingLimits limits = withoutPauses();
        std::unique_ptr<Attacker> attacker;
        // A busy machine may need longer up to there.
        bool stands = false;
        for (limits.times.whole = 3s; !stands && limits.times.whole < 60s; limits.times.whole *= 2) {
            pairing().setLimits(limits);
            attacker = std::make_unique<Attacker>(*m_home.agent);
            stands = comesToCompare(*attacker) && (!here || confirmShown(pairing(), true));
        }
        QVERIFY(stands);
        if (!here)
            attacker->send(PairingConfirm{});
        QVERIFY(reaches(PairingPhase::Failed));
        QCOMPARE(pairing().status().error->code, QStringLiteral("pairing.late"));
        QVERIFY(isClean());
        noteAttack("confirmed at one end only", 1);
    }

    void aStrangerCannotConfirmForThePerson() {
        int tries = 0;
        for (const PairingMessage &message : {PairingMessage(PairingConfirm{}), PairingMessage(PairingStored{}),
                                              PairingMessage(PairingNonce{QByteArray(32, 'x')})}) {
            ++tries;
            Attacker attacker(*m_home.agent);
            QVERIFY(comesToCompare(attacker));
            attacker.send(PairingConfirm{});
            attacker.send(message);
            QVERIFY(attacker.isThrownOut());
            QVERIFY(reaches(PairingPhase::Failed));
        }
        QVERIFY(isClean());
        noteAttack("confirming for the other person", tries);
    }

    void whoeverCancelsAtAnyStepLeavesNothing_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("byPerson");
        for (const bool byPerson : {true, false}) {
            const char *who = byPerson ? "a person" : "the stranger";
            QTest::addRow("%s, while it waits", who) << 0 << byPerson;
            QTest::addRow("%s, while the digits stand", who) << 1 << byPerson;
            QTest::addRow("%s, after the stranger has confirmed", who) << 2 << byPerson;
            QTest::addRow("%s, after this person has confirmed", who) << 3 << byPerson;
        }
    }
    void whoeverCancelsAtAnyStepLeavesNothing() {
        QFETCH(int, step);
        QFETCH(bool, byPerson);
        Attacker attacker(*m_home.agent);
        if (step == 0) {
            attacker.hello();
            QVERIFY(reaches(PairingPhase::WantsToPair));
        } else {
            QVERIFY(comesToCompare(attacker));
        }
        if (step == 2)
            attacker.send(PairingConfirm{});
        if (step == 3)
            QVERIFY(confirmShown(pairing(), true));
        if (byPerson)
            QVERIFY(pairing().cancel());
        else
            attacker.send(PairingEnd::Cancelled);
        QVERIFY(reaches(step == 0 ? PairingPhase::None : PairingPhase::Failed));
        QVERIFY(attacker.isThrownOut());
        QVERIFY(isClean());
        noteAttack("cancelling at each step", 1);
    }

    void twoStrangersAtOnceAreOneAndNobody() {
        Attacker first(*m_home.agent);
        first.hello(QStringLiteral("first"));
        QVERIFY(reaches(PairingPhase::WantsToPair));
        for (int i = 0; i < 10; ++i) {
            Attacker second(*m_home.agent);
            QVERIFY(second.gets<PairingEnd>());
            QCOMPARE(pairing().status().name, QStringLiteral("first"));
        }
        QVERIFY(!first.isClosed());
        QCOMPARE(pairing().attempts(), 1);
        QVERIFY(isClean());
        noteAttack("several strangers at once", 11);
    }

    void aStrangerWhoSaysNothingHoldsNoPlace() {
        PairingLimits limits = withoutPauses();
        limits.times.step = 100ms;
        pairing().setLimits(limits);
        Attacker silent(*m_home.agent);
        QVERIFY(silent.isConnected());
        QVERIFY(silent.isThrownOut());
        pairing().setLimits(withoutPauses());
        Attacker next(*m_home.agent);
        QVERIFY(comesToCompare(next));
        noteAttack("holding the only place in silence", 1);
    }

    void namesCannotSteerAnything_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("markup") << "<img src=x onerror=alert(1)><b>home</b>";
        QTest::newRow("terminal sequences") << QStringLiteral("\x1b[2J\x1b]0;owned\x07rm -rf\r\n/");
        QTest::newRow("turned text") << QStringLiteral("\u202eelttil\u202c a");
        QTest::newRow("very long") << QString(200, QLatin1Char('x'));
        QTest::newRow("a path") << "../../../etc/passwd";
        QTest::newRow("a format") << "%1 %s %n %2";
    }
    void namesCannotSteerAnything() {
        QFETCH(QString, name);
        Attacker attacker(*m_home.agent);
        attacker.hello(name);
        QVERIFY(reaches(PairingPhase::WantsToPair));
        const QString shown = pairing().status().name;
        QVERIFY(shown.size() <= 64);
        for (const QChar c : shown)
            QVERIFY2(c.isPrint() && c.category() != QChar::Other_Format, qPrintable(shown));
        QVERIFY(!shown.contains(QLatin1Char('\n')));
        noteAttack("names with markup and control characters", 1);
    }

    void theNameOfAPairedDeviceIsNotForAnotherKey_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("as it is") << "nano";
        QTest::newRow("in other letters") << "NaNo";
        QTest::newRow("with what cannot be seen") << QStringLiteral("na\u200bno ");
    }
    void theNameOfAPairedDeviceIsNotForAnotherKey() {
        QFETCH(QString, name);
        PlayedHome nano = PlayedHome::start(*m_folder, QStringLiteral("nano"));
        pair(pairing(), nano.agent->trust().pairing(), *nano.agent);
        const QString id = nano.agent->fingerprint().toHex();
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(id), DeviceState::Ready, patience);
        QVERIFY(pairing().cancel());  // the result is read
        Attacker attacker(*m_home.agent);
        attacker.hello(name);
        QVERIFY(attacker.gets<PairingEnd>());
        QVERIFY(attacker.isThrownOut());
        QCOMPARE(pairing().status().phase, PairingPhase::None);
        // It is linked with its own key: that another device is called so says nothing about it.
        const DeviceInfo shown = m_home.device(id);
        QCOMPARE(shown.alarm, QString());
        QCOMPARE(shown.lastError, QString());
        QCOMPARE(m_home.agent->devices().size(), std::size_t(2));
        noteAttack("a paired name with another key", 1);
    }

    void anEqualNameAtAnotherPlaceIsNoChangedKey() {
        const Identity nano = *Identity::generate(QStringLiteral("nano"));
        QVERIFY(
            m_home.agent->trust().add({QStringLiteral("nano"), nano.fingerprint(), {QStringLiteral("127.0.0.77:1")}}));
        Attacker attacker(*m_home.agent);
        attacker.hello(QStringLiteral("nano"));
        QVERIFY(attacker.gets<PairingEnd>());
        QVERIFY(attacker.isThrownOut());
        QCOMPARE(pairing().status().phase, PairingPhase::None);
        QCOMPARE(m_home.device(nano.fingerprint().toHex()).alarm, QString());
    }

    void anAlarmPasses() {
        AgentOptions options;
        options.stateDir = m_folder->filePath(QStringLiteral("short"));
        options.name = QStringLiteral("short");
        options.listenHost = QStringLiteral("127.0.0.1");
        options.port = 0;
        options.alarmStands = 100ms;
        const auto agent = Agent::start(options);
        QVERIFY(agent);
        const Identity nano = *Identity::generate(QStringLiteral("nano"));
        QVERIFY((*agent)->trust().add({QStringLiteral("nano"), nano.fingerprint(), {QStringLiteral("127.0.0.1:1")}}));
        QStringList alarms;
        connect(&(*agent)->book(), &DeviceBook::changed, this, [&](const DeviceInfo &device) {
            if (device.name == QLatin1String("nano"))
                alarms << device.alarm;
        });
        Attacker attacker(**agent);
        attacker.hello(QStringLiteral("nano"));
        QVERIFY(attacker.gets<PairingEnd>());
        QTRY_COMPARE_WITH_TIMEOUT(alarms.size(), 2, patience);
        QVERIFY(alarms[0].contains(QStringLiteral("another key")));
        QCOMPARE(alarms[1], QString());
    }

    void anotherKeyWhereAPairedDeviceWasIsAnAlarm() {
        PlayedHome nano = PlayedHome::start(*m_folder, QStringLiteral("nano"));
        pair(pairing(), nano.agent->trust().pairing(), *nano.agent);
        const QString id = nano.agent->fingerprint().toHex();
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(id), DeviceState::Ready, patience);
        const auto port = splitAddress(nano.agent->address())->port;
        nano = {};
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(id), DeviceState::Lost, patience);
        const PlayedHome impostor = PlayedHome::start(*m_folder, QStringLiteral("impostor"), port);
        QVERIFY(impostor.agent);
        QTRY_VERIFY_WITH_TIMEOUT(m_home.device(id).alarm.contains(QStringLiteral("another key")), patience);
        QVERIFY(m_home.device(id).alarm.contains(QStringLiteral("forget it and pair it again")));
        QVERIFY(!m_home.device(id).lastError.isEmpty());  // that it is away stands beside it
        QCOMPARE(m_home.stateOf(id), DeviceState::Lost);
        QCOMPARE(impostor.agent->devices().size(), std::size_t(1));
        noteAttack("another key at a paired address", 1);
    }
};

QTEST_GUILESS_MAIN(GuessTest)
#include "guess_test.moc"
