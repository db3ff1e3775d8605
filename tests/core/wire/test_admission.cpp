#include <QTest>

#include "core/wire/admission_gate.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {
QHostAddress host(int number) {
    return QHostAddress(quint32(0x0a000000 + number));
}
}  // namespace

class TestAdmission : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void oneAddressGetsTwoPlaces() {
        AdmissionGate gate;
        const AdmissionGate::Clock::time_point now{};
        const auto first = gate.admit(host(1), now);
        QVERIFY(first.place);
        QVERIFY(gate.admit(host(1), now).place);
        const auto third = gate.admit(host(1), now);
        QVERIFY(!third.place);
        QVERIFY(!third.reason.isEmpty());
        QVERIFY(gate.admit(host(2), now).place);
        gate.leave(*first.place);
        QVERIFY(gate.admit(host(1), now).place);
    }

    void theSameMachineCannotComeTwiceAsIpv4AndMappedIpv6() {
        AdmissionGate gate;
        const AdmissionGate::Clock::time_point now{};
        QVERIFY(gate.admit(host(1), now).place);
        QVERIFY(gate.admit(QHostAddress(QStringLiteral("::ffff:10.0.0.1")), now).place);
        QVERIFY(!gate.admit(host(1), now).place);
    }

    void loopbackIsBoundOnlyByTheTotal() {
        AdmissionGate gate;
        const AdmissionGate::Clock::time_point now{};
        for (int i = 0; i < AdmissionGate::maximumTotal; ++i)
            QVERIFY(gate.admit(QHostAddress(QStringLiteral("127.0.0.1")), now).place);
        QVERIFY(!gate.admit(QHostAddress(QStringLiteral("127.0.0.1")), now).place);
    }

    void twentyComeInASecond() {
        AdmissionGate gate;
        const AdmissionGate::Clock::time_point start{};
        for (int i = 0; i < AdmissionGate::maximumPerSecond; ++i) {
            const auto decision = gate.admit(host(i), start + i * 10ms);
            QVERIFY(decision.place);
            gate.leave(*decision.place);
        }
        QVERIFY(!gate.admit(host(99), start + 500ms).place);
        QVERIFY(gate.admit(host(99), start + 1000ms).place);
        QVERIFY(!gate.admit(host(98), start + 1005ms).place);
    }

    void pairedDevicesHavePlacesOfTheirOwn() {
        AdmissionGate gate;
        AdmissionGate::Clock::time_point now{};
        QList<QHostAddress> known;
        for (int i = 0; i < AdmissionGate::placesForKnown + 1; ++i)
            known << host(200 + i);
        gate.setKnownAddresses(known);
        for (int i = 0; i < AdmissionGate::maximumTotal; ++i)
            QVERIFY(gate.admit(host(i), now).place);
        QVERIFY(!gate.admit(host(99), now).place);
        std::optional<quint64> oldest;
        for (int i = 0; i < AdmissionGate::placesForKnown; ++i) {
            const auto decision = gate.admit(host(200 + i), now);
            QVERIFY(decision.place);
            QVERIFY(!decision.evict);
            if (!oldest)
                oldest = decision.place;
        }
        const auto last = gate.admit(host(200 + AdmissionGate::placesForKnown), now);
        QVERIFY(last.place);
        QCOMPARE(last.evict, oldest);
    }
};

QTEST_GUILESS_MAIN(TestAdmission)
#include "test_admission.moc"
