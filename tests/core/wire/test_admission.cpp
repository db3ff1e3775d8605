#include <QTest>

#include "core/wire/admission_gate.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

QHostAddress host(int number) {
    return QHostAddress(quint32(0x0a000000 + number));
}

constexpr AdmissionGate::Clock::time_point start{1h};

/// Strangers at addresses of their own, from 10.0.1.0 on, until all common places are taken; the oldest first.
std::vector<quint64> fill(AdmissionGate &gate) {
    std::vector<quint64> places;
    for (int i = 0; i < AdmissionGate::maximumStrangers; ++i)
        places.push_back(gate.admit(host(256 + i), Standing::Stranger).place.value_or(0));
    return places;
}

}  // namespace

class TestAdmission : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void oneAddressGetsTwoPlaces() {
        AdmissionGate gate;
        const auto first = gate.admit(host(1), Standing::Stranger);
        QVERIFY(first.place);
        QVERIFY(gate.admit(host(1), Standing::Stranger).place);
        const auto third = gate.admit(host(1), Standing::Stranger);
        QVERIFY(!third.place);
        QVERIFY(!third.evict);
        QVERIFY(!third.reason.isEmpty());
        QVERIFY(gate.admit(host(2), Standing::Stranger).place);
        gate.leave(*first.place);
        QVERIFY(gate.admit(host(1), Standing::Stranger).place);
    }

    void theSameMachineCannotComeTwiceAsIpv4AndMappedIpv6() {
        AdmissionGate gate;
        QVERIFY(gate.admit(host(1), Standing::Stranger).place);
        QVERIFY(gate.admit(QHostAddress(QStringLiteral("::ffff:10.0.0.1")), Standing::Stranger).place);
        QVERIFY(!gate.admit(host(1), Standing::Stranger).place);
    }

    void aKnownAddressGetsTwoPlacesTheNewestOnes() {
        AdmissionGate gate;
        const auto first = gate.admit(host(1), Standing::Known);
        QVERIFY(gate.admit(host(1), Standing::Known).place);
        const auto third = gate.admit(host(1), Standing::Known);
        QVERIFY(third.place);
        QCOMPARE(third.evict, first.place);
    }

    void localConnectionsAreBoundOnlyByTheTotal() {
        AdmissionGate gate;
        const QHostAddress local(QHostAddress::LocalHost);
        const auto first = gate.admit(local, Standing::Local);
        for (int i = 1; i < AdmissionGate::maximumStrangers; ++i) {
            const auto decision = gate.admit(local, Standing::Local);
            QVERIFY(decision.place);
            QVERIFY(!decision.evict);
        }
        QCOMPARE(gate.admit(local, Standing::Local).evict, first.place);
        for (int i = 0; i < 2 * int(AdmissionGate::handshakesAtOnce); ++i)
            QVERIFY(gate.beginHandshake(*gate.admit(local, Standing::Local).place, start));
    }

    void theOldestThatHasSaidNothingMakesRoom() {
        AdmissionGate gate;
        const auto places = fill(gate);
        QVERIFY(gate.beginHandshake(places[0], start));
        QVERIFY(gate.beginHandshake(places[2], start));
        const auto newer = gate.admit(host(1), Standing::Stranger);
        QVERIFY(newer.place);
        QCOMPARE(newer.evict, std::optional(places[1]));
        QCOMPARE(gate.admit(host(2), Standing::Stranger).evict, std::optional(places[3]));
    }

    void whereAllHaveSaidHelloTheOldestMakesRoom() {
        AdmissionGate gate;
        const auto places = fill(gate);
        for (const quint64 place : places)
            QVERIFY(gate.beginHandshake(place, start));
        QCOMPARE(gate.admit(host(1), Standing::Stranger).evict, std::optional(places[0]));
    }

    void strangersBeginTwentyHandshakesAtOnceAndThenTenASecond() {
        AdmissionGate gate;
        const auto begin = [&gate](int number, std::chrono::milliseconds at, Standing standing = Standing::Stranger) {
            const auto decision = gate.admit(host(number), standing);
            const bool begun = gate.beginHandshake(*decision.place, start + at);
            gate.leave(*decision.place);
            return begun;
        };
        for (int i = 0; i < int(AdmissionGate::handshakesAtOnce); ++i)
            QVERIFY(begin(i, 0ms));
        QVERIFY(!begin(99, 50ms));
        QVERIFY(begin(200, 50ms, Standing::Known));
        QVERIFY(begin(99, 150ms));
        QVERIFY(!begin(98, 190ms));
        int begun = 0;
        for (int i = 0; i < 10000; ++i)
            begun += begin(i, 200ms + i * 1ms) ? 1 : 0;
        QVERIFY2(begun >= 99 && begun <= 101, qPrintable(QString::number(begun)));
    }

    void whoHasLeftBeginsNoHandshake() {
        AdmissionGate gate;
        const auto decision = gate.admit(host(1), Standing::Stranger);
        gate.leave(*decision.place);
        QVERIFY(!gate.beginHandshake(*decision.place, start));
    }

    void pairedDevicesHavePlacesOfTheirOwn() {
        AdmissionGate gate;
        const auto strangers = fill(gate);
        std::vector<quint64> known;
        for (int i = 0; i < AdmissionGate::placesForKnown; ++i) {
            const auto decision = gate.admit(host(i), Standing::Known);
            QVERIFY(decision.place);
            QVERIFY(!decision.evict);
            known.push_back(*decision.place);
        }
        // However many strangers come, they push out each other.
        for (int i = 0; i < 100; ++i) {
            const auto decision = gate.admit(host(1000 + i), Standing::Stranger);
            QVERIFY(decision.evict);
            QVERIFY(std::find(known.begin(), known.end(), *decision.evict) == known.end());
        }
    }

    void aPairedDeviceBeyondThosePlacesPushesOutAStranger() {
        AdmissionGate gate;
        fill(gate);
        for (int i = 0; i < AdmissionGate::maximumTotal; ++i) {
            const auto decision = gate.admit(host(i), Standing::Known);
            QVERIFY(decision.place);
            QCOMPARE(decision.evict.has_value(), i >= AdmissionGate::placesForKnown);
        }
        // Now all are paired devices'.
        const auto stranger = gate.admit(host(1000), Standing::Stranger);
        QVERIFY(!stranger.place);
        QVERIFY(!stranger.reason.isEmpty());
        QVERIFY(gate.admit(host(200), Standing::Known).evict);
    }
};

QTEST_GUILESS_MAIN(TestAdmission)
#include "test_admission.moc"
