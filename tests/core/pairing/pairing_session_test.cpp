// The protocol of pairing, step by step, without sockets and without waiting.
#include <QTest>

#include "tests/core/pairing/session_pair.h"

using namespace hearth;
using namespace std::chrono_literals;
using State = PairingSession::State;

class PairingSessionTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void bothShowTheSameDigitsAndTrustWhenBothConfirm_data() {
        QTest::addColumn<bool>("initiatorFirst");
        QTest::newRow("the initiator confirms first") << true;
        QTest::newRow("the responder confirms first") << false;
    }
    void bothShowTheSameDigitsAndTrustWhenBothConfirm() {
        QFETCH(bool, initiatorFirst);
        SessionPair pair;
        pair.carryAll();
        QCOMPARE(pair.a.session.state(), State::Asking);
        QCOMPARE(pair.b.session.state(), State::Waiting);
        QCOMPARE(pair.a.session.peerName(), QStringLiteral("nano"));
        QCOMPARE(pair.b.session.peerName(), QStringLiteral("laptop"));
        QCOMPARE(pair.b.session.peerPort(), quint16(47600));
        QVERIFY(!pair.a.session.isAttempt() && !pair.b.session.isAttempt());
        pair.accept();
        QCOMPARE(pair.a.session.state(), State::Compare);
        QCOMPARE(pair.b.session.state(), State::Compare);
        QCOMPARE(pair.a.session.code(), pair.b.session.code());
        QCOMPARE(pair.a.session.code().size(), 6);
        SessionEnd &first = initiatorFirst ? pair.a : pair.b;
        SessionEnd &second = initiatorFirst ? pair.b : pair.a;
        pair.confirm(first);
        pair.carryAll();
        QCOMPARE(first.session.state(), State::Confirmed);
        QCOMPARE(second.session.state(), State::Compare);
        QVERIFY(pair.nobodyTrusts());
        pair.confirm(second);
        pair.carryAll();
        QCOMPARE(pair.a.session.state(), State::Paired);
        QCOMPARE(pair.b.session.state(), State::Paired);
        QVERIFY(pair.a.trusts && pair.b.trusts);
        QVERIFY(pair.a.closed && pair.b.closed);
    }

    void confirmationsThatCrossPair() {
        SessionPair pair;
        pair.accept();
        pair.confirm(pair.a);
        pair.confirm(pair.b);
        pair.carryAll();
        QVERIFY(pair.a.trusts && pair.b.trusts);
        QCOMPARE(pair.a.session.state(), State::Paired);
        QCOMPARE(pair.b.session.state(), State::Paired);
    }

    void withSomebodyInTheMiddleTheDigitsDiffer() {
        // Each end holds a session with a key of the one in the middle, who plays both roles by the rules.
        SessionPair left, right;
        left.b.session = PairingSession(PairingRole::Responder, {someKey(1), someKey(8)},
                                        someSelf(QStringLiteral("nano"), 'm'), left.now);
        left.a.session = PairingSession(PairingRole::Initiator, {someKey(1), someKey(8)},
                                        someSelf(QStringLiteral("laptop"), 'a'), left.now);
        right.a.session = PairingSession(PairingRole::Initiator, {someKey(9), someKey(2)},
                                         someSelf(QStringLiteral("laptop"), 'm'), right.now);
        right.b.session = PairingSession(PairingRole::Responder, {someKey(9), someKey(2)},
                                         someSelf(QStringLiteral("nano"), 'b'), right.now);
        for (SessionPair *each : {&left, &right}) {
            each->a.out.clear();
            each->a.carryOut(each->a.session.start(), each->now);
            each->accept();
        }
        QCOMPARE(left.a.session.state(), State::Compare);
        QCOMPARE(right.b.session.state(), State::Compare);
        QVERIFY(left.a.session.code() != right.b.session.code());
    }

    void messagesOfAnotherSessionAreWorthNothing() {
        // What the first session has sent is repeated to a responder that has other keys or another nonce.
        SessionPair first;
        first.carryAll();
        first.b.carryOut(first.b.session.accept(first.now), first.now);
        SessionPair second;
        second.b.session = PairingSession(PairingRole::Responder, {someKey(7), someKey(2)},
                                          someSelf(QStringLiteral("nano"), 'c'), second.now);
        second.carryAll();
        second.b.carryOut(second.b.session.accept(second.now), second.now);
        const QByteArray reveal = encodePairingMessage(PairingReveal{QByteArray(pairingNonceBytes, 'a')});
        second.b.carryOut(second.b.session.receive(reveal, second.now), second.now);
        QCOMPARE(second.b.session.state(), State::Failed);
        QCOMPARE(second.b.session.error().code, QStringLiteral("pairing.broken"));
    }

    void aNonceThatWasNotCommittedToIsRefused() {
        SessionPair pair;
        pair.carryAll();
        pair.b.carryOut(pair.b.session.accept(pair.now), pair.now);
        pair.b.carryOut(
            pair.b.session.receive(encodePairingMessage(PairingReveal{QByteArray(pairingNonceBytes, 'x')}), pair.now),
            pair.now);
        QCOMPARE(pair.b.session.state(), State::Failed);
        QVERIFY(pair.b.session.isAttempt());
        QVERIFY(pair.b.session.code().isEmpty());
        QVERIFY(pair.b.closed);
    }

    void whatComesOutOfTurnEndsTheSession_data() {
        QTest::addColumn<bool>("toInitiator");
        QTest::addColumn<int>("steps");  // 0: nothing was said; 1: introduced; 2: digits; 3: confirmed here
        QTest::addColumn<QByteArray>("message");
        const QByteArray nonce(pairingNonceBytes, 'z');
        const auto add = [&](const char *name, bool toInitiator, int steps, const PairingMessage &message) {
            QTest::newRow(name) << toInitiator << steps << encodePairingMessage(message);
        };
        add("a nonce before the introduction", true, 0, PairingNonce{nonce});
        add("digits confirmed before there are any", true, 1, PairingConfirm{});
        add("digits confirmed before a person accepted", false, 1, PairingConfirm{});
        add("stored before anybody confirmed", true, 2, PairingStored{});
        add("stored before the other person confirmed", false, 2, PairingStored{});
        add("stored when only this end has confirmed", false, 3, PairingStored{});
        add("a second introduction", false, 1, PairingHello{QStringLiteral("x"), 1, QByteArray(32, 'c')});
        add("a second introduction of the responder", true, 1, PairingHello{QStringLiteral("x"), 1, {}});
        add("an initiator without a commitment", false, 0, PairingHello{QStringLiteral("x"), 1, {}});
        add("a responder that commits", true, 0, PairingHello{QStringLiteral("x"), 1, QByteArray(32, 'c')});
        add("another nonce when the digits stand", true, 2, PairingNonce{nonce});
        add("another reveal when the digits stand", false, 2, PairingReveal{nonce});
        add("a reveal before anything was accepted", false, 1, PairingReveal{nonce});
        add("a nonce to the responder", false, 1, PairingNonce{nonce});
        QTest::newRow("garbage") << false << 1 << QByteArray("\xff\x00garbage", 9);
        QTest::newRow("nothing") << true << 2 << QByteArray();
    }
    void whatComesOutOfTurnEndsTheSession() {
        QFETCH(bool, toInitiator);
        QFETCH(int, steps);
        QFETCH(QByteArray, message);
        SessionPair pair;
        SessionEnd &end = toInitiator ? pair.a : pair.b;
        if (steps >= 1)
            pair.carryAll();
        if (steps >= 2)
            pair.accept();
        if (steps >= 3)
            pair.confirm(end);
        end.carryOut(end.session.receive(message, pair.now), pair.now);
        QCOMPARE(end.session.state(), State::Failed);
        QCOMPARE(end.session.error().code, QStringLiteral("pairing.broken"));
        QVERIFY(end.closed);
        pair.carryAll();
        QVERIFY(pair.nobodyTrusts());
        QVERIFY((toInitiator ? pair.b : pair.a).session.isOver() || steps == 0);
    }

    void aSecondConfirmationIsNone() {
        SessionPair pair;
        pair.accept();
        pair.confirm(pair.a);
        const QByteArray again = pair.a.out.back();
        pair.carryAll();
        pair.b.carryOut(pair.b.session.receive(again, pair.now), pair.now);
        QCOMPARE(pair.b.session.state(), State::Failed);
        pair.carryAll();
        QVERIFY(pair.nobodyTrusts());
    }

    void aMismatchEndsBoth_data() {
        QTest::addColumn<bool>("initiator");
        QTest::addColumn<bool>("otherConfirmed");
        QTest::newRow("said at the initiator") << true << false;
        QTest::newRow("said at the responder") << false << false;
        QTest::newRow("said at the initiator after the other end had confirmed") << true << true;
        QTest::newRow("said at the responder after the other end had confirmed") << false << true;
    }
    void aMismatchEndsBoth() {
        QFETCH(bool, initiator);
        QFETCH(bool, otherConfirmed);
        SessionPair pair;
        pair.accept();
        SessionEnd &here = initiator ? pair.a : pair.b;
        SessionEnd &there = initiator ? pair.b : pair.a;
        if (otherConfirmed)
            pair.confirm(there);
        pair.confirm(here, false);
        pair.carryAll();
        QCOMPARE(here.session.error().code, QStringLiteral("pairing.mismatch"));
        QCOMPARE(there.session.error().code, QStringLiteral("pairing.mismatch"));
        QVERIFY(pair.nobodyTrusts());
        QVERIFY(here.session.isAttempt() && there.session.isAttempt());
    }

    void whoCancelsEndsBoth_data() {
        QTest::addColumn<bool>("initiator");
        QTest::addColumn<int>("steps");
        for (const bool initiator : {true, false}) {
            const auto name = [&](const char *when) {
                return QStringLiteral("%1, %2")
                    .arg(QLatin1String(initiator ? "initiator" : "responder"), QLatin1String(when))
                    .toUtf8();
            };
            QTest::newRow(name("while a person is waited for").constData()) << initiator << 1;
            QTest::newRow(name("while the digits stand").constData()) << initiator << 2;
            QTest::newRow(name("after its own confirmation").constData()) << initiator << 3;
        }
    }
    void whoCancelsEndsBoth() {
        QFETCH(bool, initiator);
        QFETCH(int, steps);
        SessionPair pair;
        pair.carryAll();
        if (steps >= 2)
            pair.accept();
        SessionEnd &here = initiator ? pair.a : pair.b;
        SessionEnd &there = initiator ? pair.b : pair.a;
        if (steps >= 3)
            pair.confirm(here);
        here.carryOut(here.session.cancel(), pair.now);
        pair.carryAll();
        QCOMPARE(here.session.error().code, QStringLiteral("pairing.cancelled"));
        QCOMPARE(there.session.error().code, QStringLiteral("pairing.cancelled-there"));
        QVERIFY(pair.nobodyTrusts());
    }

    void itIsTooLateToCancelWhatBothHaveConfirmed() {
        SessionPair pair;
        pair.accept();
        pair.confirm(pair.b);
        pair.carryAll();
        pair.confirm(pair.a);
        QCOMPARE(pair.a.session.state(), State::Acknowledging);
        pair.a.carryOut(pair.a.session.cancel(), pair.now);
        QCOMPARE(pair.a.session.state(), State::Acknowledging);
        pair.carryAll();
        QCOMPARE(pair.a.session.state(), State::Paired);
    }

    void timePasses_data() {
        QTest::addColumn<int>("steps");
        QTest::addColumn<int>("seconds");
        QTest::addColumn<bool>("over");
        QTest::newRow("a silent stranger is given up soon") << 0 << 5 << true;
        QTest::newRow("a person has a minute to accept") << 1 << 59 << false;
        QTest::newRow("and no more") << 1 << 60 << true;
        QTest::newRow("the digits stand for the rest of it") << 2 << 59 << false;
        QTest::newRow("and then go") << 2 << 60 << true;
        QTest::newRow("one confirmation does not make it longer") << 3 << 60 << true;
    }
    void timePasses() {
        QFETCH(int, steps);
        QFETCH(int, seconds);
        QFETCH(bool, over);
        SessionPair pair;
        if (steps >= 1)
            pair.carryAll();
        if (steps >= 2)
            pair.accept();
        if (steps >= 3) {
            pair.confirm(pair.a);
            pair.carryAll();
        }
        pair.pass(std::chrono::seconds(seconds));
        QCOMPARE(pair.a.session.isOver(), over);
        QCOMPARE(pair.b.session.isOver(), over);
        if (over) {
            // It was no person who kept the other end waiting.
            QCOMPARE(pair.a.session.error().code,
                     steps == 0 ? QStringLiteral("pairing.silent") : QStringLiteral("pairing.late"));
            QVERIFY(pair.a.session.code().isEmpty());
        }
        pair.carryAll();
        QVERIFY(pair.nobodyTrusts());
    }

    void acceptingDoesNotMakeItLonger() {
        SessionPair pair;
        pair.carryAll();
        pair.pass(50s);
        pair.accept();
        QCOMPARE(pair.a.session.state(), State::Compare);
        QVERIFY(pair.a.session.timeLeft(pair.now) <= 10s);
        pair.pass(10s);
        QCOMPARE(pair.a.session.state(), State::Failed);
    }

    void anInitiatorThatKeepsItsNonceBackIsGivenUp() {
        SessionPair pair;
        pair.carryAll();
        pair.b.carryOut(pair.b.session.accept(pair.now), pair.now);
        pair.b.out.clear();  // the initiator has it, and says nothing
        QCOMPARE(pair.b.session.state(), State::Reveal);
        pair.pass(5s);
        QCOMPARE(pair.b.session.state(), State::Failed);
        QVERIFY(pair.b.session.isAttempt());
        QCOMPARE(pair.b.session.error().code, QStringLiteral("pairing.silent"));
        QVERIFY(pair.b.session.error().cause.contains(QStringLiteral("5 s")));
    }

    void aConnectionThatBreaksLeavesNobodyTrusted_data() {
        QTest::addColumn<int>("steps");
        QTest::newRow("before the introduction") << 0;
        QTest::newRow("while a person is waited for") << 1;
        QTest::newRow("while the digits stand") << 2;
        QTest::newRow("after one confirmation") << 3;
    }
    void aConnectionThatBreaksLeavesNobodyTrusted() {
        QFETCH(int, steps);
        SessionPair pair;
        if (steps >= 1)
            pair.carryAll();
        if (steps >= 2)
            pair.accept();
        if (steps >= 3)
            pair.confirm(pair.a);
        for (SessionEnd *end : {&pair.a, &pair.b}) {
            end->carryOut(end->session.disconnected(), pair.now);
            QCOMPARE(end->session.state(), State::Failed);
            QCOMPARE(end->session.error().code, QStringLiteral("pairing.lost"));
        }
        QVERIFY(pair.nobodyTrusts());
    }

    void aBreakAfterOneEndHasStoredPutsItOnTrial() {
        SessionPair pair;
        pair.accept();
        pair.confirm(pair.a);
        pair.carryAll();
        pair.confirm(pair.b);  // stores; its confirmation never arrives
        QVERIFY(pair.b.trusts);
        pair.b.carryOut(pair.b.session.disconnected(), pair.now);
        pair.a.carryOut(pair.a.session.disconnected(), pair.now);
        QCOMPARE(pair.b.session.state(), State::OnTrial);
        QCOMPARE(pair.b.session.error().code, QStringLiteral("pairing.unsure"));
        QCOMPARE(pair.a.session.state(), State::Failed);
        QVERIFY(!pair.a.trusts);
    }

    void silenceAfterStoringPutsOnTrial() {
        SessionPair pair;
        pair.accept();
        pair.confirm(pair.a);
        pair.carryAll();
        pair.confirm(pair.b);
        pair.now += 5s;
        pair.b.carryOut(pair.b.session.tick(pair.now), pair.now);
        QCOMPARE(pair.b.session.state(), State::OnTrial);
        QVERIFY(pair.b.closed);
    }

    void anEndThatCannotStoreUndoesTheOther() {
        SessionPair pair;
        pair.accept();
        pair.a.canStore = fail(QStringLiteral("file.unwritable"), QStringLiteral("The disk is full."));
        pair.confirm(pair.a);
        pair.confirm(pair.b);
        pair.carryAll();
        QCOMPARE(pair.a.session.error().code, QStringLiteral("pairing.not-stored"));
        QVERIFY(pair.a.session.error().cause.contains(QStringLiteral("disk is full")));
        QCOMPARE(pair.b.session.error().code, QStringLiteral("pairing.not-stored-there"));
        QVERIFY(pair.nobodyTrusts());
    }

    void nothingHappensAfterTheEnd() {
        SessionPair pair;
        pair.accept();
        pair.confirm(pair.a, false);
        pair.carryAll();
        for (SessionEnd *end : {&pair.a, &pair.b}) {
            const Error error = end->session.error();
            end->carryOut(end->session.confirm(true, pair.now), pair.now);
            end->carryOut(end->session.accept(pair.now), pair.now);
            end->carryOut(end->session.receive(encodePairingMessage(PairingConfirm{}), pair.now), pair.now);
            end->carryOut(end->session.disconnected(), pair.now);
            end->carryOut(end->session.cancel(), pair.now);
            QVERIFY(end->out.empty());
            QCOMPARE(end->session.error(), error);
        }
        pair.pass(600s);
        QVERIFY(pair.nobodyTrusts());
    }
};

QTEST_GUILESS_MAIN(PairingSessionTest)
#include "pairing_session_test.moc"
