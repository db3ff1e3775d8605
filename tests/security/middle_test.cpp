// Somebody stands between two devices that pair, with keys of its own and the connections of both.
#include "attack_log.h"
#include "attacker.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

/// Answers one device and dials the other, playing by the rules on both sides: the best that can be done there.
struct Middle {
    Identity key = *Identity::generate(QStringLiteral("middle"));
    QTemporaryDir folder;
    TlsListener listener{key, [](const Fingerprint &) { return false; }};
    PairingService left{key, *IgnoreList::load(folder.filePath(QStringLiteral("l"))), home()};
    PairingService right{key, *IgnoreList::load(folder.filePath(QStringLiteral("r"))), home()};
    quint16 port = 0;

    Middle() {
        left.setLimits(withoutPauses());
        right.setLimits(withoutPauses());
        listener.setHandshakeDeadline(10min);
        listener.setStrangers([](const Fingerprint &, const QHostAddress &) { return true; });
        QObject::connect(&listener, &TlsListener::strangerReady, &left, &PairingService::take);
        port = listener.listen(QHostAddress::LocalHost, 0, 0).value_or(0);
    }
    static PairingService::Home home() {
        return {[] { return QStringLiteral("two"); },
                [] { return quint16(47600); },
                [](const PairedDevice &) { return Result<void>(); },
                [](const Fingerprint &) {},
                [](const Fingerprint &, bool) {},
                [](const Fingerprint &, const QString &) { return std::optional<Error>(); },
                [](const Fingerprint &, const QString &name) { return name; }};
    }
};

/// Carries what one device says to the other as it is.
class Relay {
  public:
    explicit Relay(const Agent &to) : m_to(to) {
        m_listener.setHandshakeDeadline(10min);
        m_listener.setStrangers([](const Fingerprint &, const QHostAddress &) { return true; });
        QObject::connect(&m_listener, &TlsListener::strangerReady, &m_listener, [this](StrangerLink *link) {
            m_near.reset(link);
            m_near->setReceiving(false);
            const auto target = targetOf(m_to);
            dialStranger(m_key, target.host, target.port, 30s, &m_context, [this](auto far) {
                m_far = std::move(*far);
                QObject::connect(m_near.get(), &StrangerLink::received, m_far.get(), &StrangerLink::send);
                QObject::connect(m_far.get(), &StrangerLink::received, m_near.get(), &StrangerLink::send);
                m_near->setReceiving(true);
            });
        });
        port = m_listener.listen(QHostAddress::LocalHost, 0, 0).value_or(0);
    }
    quint16 port = 0;

  private:
    const Agent &m_to;
    Identity m_key = *Identity::generate(QStringLiteral("relay"));
    TlsListener m_listener{m_key, [](const Fingerprint &) { return false; }};
    QObject m_context;
    std::unique_ptr<StrangerLink> m_near, m_far;
};

}  // namespace

class MiddleTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_one, m_two;

    PairingService &one() { return m_one.agent->trust().pairing(); }
    PairingService &two() { return m_two.agent->trust().pairing(); }
    int trusting() const { return int(isTrusted(*m_one.agent)) + int(isTrusted(*m_two.agent)); }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_one = PlayedHome::start(*m_folder, QStringLiteral("one"));
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        one().setLimits(withoutPauses());
        two().setLimits(withoutPauses());
    }
    void cleanup() {
        m_one = {};
        m_two = {};
    }

    void theDigitsDifferAndNothingIsTrusted() {
        constexpr int tries = 20;
        for (int i = 0; i < tries; ++i) {
            Middle middle;
            QVERIFY(one().start({{QStringLiteral("127.0.0.1"), middle.port}}));
            QTRY_COMPARE_WITH_TIMEOUT(middle.left.status().phase, PairingPhase::WantsToPair, patience);
            QVERIFY(middle.right.start({targetOf(*m_two.agent)}));
            QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
            QVERIFY(acceptShown(two()));
            QVERIFY(acceptShown(middle.left));
            QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Compare, patience);
            QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::Compare, patience);
            QVERIFY(one().status().code != two().status().code);
            // The one in the middle confirms everything; the people see that the digits differ.
            QVERIFY(confirmShown(middle.left, true));
            QVERIFY(confirmShown(middle.right, true));
            QVERIFY(confirmShown(one(), false));
            QVERIFY(confirmShown(two(), false));
            QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::Failed, patience);
            QCOMPARE(one().status().error->code, QStringLiteral("pairing.mismatch"));
        }
        QCOMPARE(trusting(), 0);
        noteAttack("man in the middle with keys of his own", tries);
    }

    void oneCarelessPersonDoesNotHelpIt() {
        Middle middle;
        QVERIFY(one().start({{QStringLiteral("127.0.0.1"), middle.port}}));
        QTRY_COMPARE_WITH_TIMEOUT(middle.left.status().phase, PairingPhase::WantsToPair, patience);
        QVERIFY(middle.right.start({targetOf(*m_two.agent)}));
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
        QVERIFY(acceptShown(two()));
        QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::Compare, patience);
        QTRY_COMPARE_WITH_TIMEOUT(middle.right.status().phase, PairingPhase::Compare, patience);
        QVERIFY(confirmShown(middle.right, true));
        QVERIFY(confirmShown(two(), false));
        QTRY_COMPARE_WITH_TIMEOUT(middle.right.status().phase, PairingPhase::Failed, patience);
        QCOMPARE(trusting(), 0);
    }

    void whatIsCarriedOnAsItIsBreaksTheCommitment() {
        constexpr int tries = 5;
        for (int i = 0; i < tries; ++i) {
            Relay relay(*m_two.agent);
            QVERIFY(one().start({{QStringLiteral("127.0.0.1"), relay.port}}));
            QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::WantsToPair, patience);
            QVERIFY(acceptShown(two()));
            QTRY_COMPARE_WITH_TIMEOUT(two().status().phase, PairingPhase::Failed, patience);
            QCOMPARE(two().status().error->code, QStringLiteral("pairing.broken"));
            QTRY_COMPARE_WITH_TIMEOUT(one().status().phase, PairingPhase::Failed, patience);
        }
        QCOMPARE(trusting(), 0);
        noteAttack("man in the middle who carries messages on", tries);
    }
};

QTEST_GUILESS_MAIN(MiddleTest)
#include "middle_test.moc"
