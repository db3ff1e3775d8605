// The other end of a pairing breaks off after this one has stored it: the first link settles who is trusted.
#include <QSslSocket>
#include <QTcpServer>

#include "core/wire/tls_config.h"
#include "tests/core/base/held_port.h"
#include "tests/security/attacker.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

/// A device that plays its part up to the last message, and may or may not have stored the pairing.
struct Broken {
    Identity identity = *Identity::generate(QStringLiteral("nano"));
    bool hasStored = false;
    int linked = 0;
    TlsListener listener{identity, [this](const Fingerprint &) { return hasStored; }};
    quint16 port = 0;
    std::vector<std::unique_ptr<Channel>> channels;

    Broken() {
        listener.setHandshakeDeadline(10min);
        QObject::connect(&listener, &TlsListener::channelReady, &listener, [this](Channel *channel) {
            channels.emplace_back(channel);
            ++linked;
            QObject::connect(channel, &Channel::controlReceived, channel, [this, channel](const QCborMap &message) {
                if (message[QStringLiteral("k")].toString() != QLatin1String("call"))
                    return;
                DeviceInfo info;
                info.id = identity.fingerprint().toHex();
                info.name = QStringLiteral("nano");
                channel->sendControl({{QStringLiteral("k"), QStringLiteral("ok")},
                                      {QStringLiteral("id"), message[QStringLiteral("id")]},
                                      {QStringLiteral("a"), QCborMap{{QStringLiteral("device"), info.toCbor()}}}});
            });
        });
        port = heldPort();
        if (!listener.listen(QHostAddress::LocalHost, port, port))
            qFatal("nobody can listen on port %d", port);
    }

    /// Leaves the agent with a pairing of which it does not know whether it is stored here.
    bool breakOff(const PlayedHome &home) {
        PairingService &pairing = home.agent->trust().pairing();
        const auto reaches = [&](PairingPhase phase) {
            return QTest::qWaitFor([&] { return pairing.status().phase == phase; }, patience);
        };
        Attacker end(*home.agent, identity);
        end.send(PairingHello{QStringLiteral("nano"), port, pairingCommitment(end.keys(), end.nonce())});
        if (!reaches(PairingPhase::WantsToPair) || !acceptShown(pairing) || !end.gets<PairingNonce>())
            return false;
        end.send(PairingReveal{end.nonce()});
        if (!reaches(PairingPhase::Compare))
            return false;
        end.send(PairingConfirm{});
        if (!confirmShown(pairing, true) || !end.gets<PairingStored>())
            return false;
        end.leave();
        return reaches(PairingPhase::Failed);
    }
};

/// Has the device's key, and ends every connection without a word: as a device that restarts, or that is crowded.
struct Silent : QTcpServer {
    explicit Silent(const Identity &key) : identity(key) {}
    Identity identity;
    int met = 0;

  protected:
    void incomingConnection(qintptr descriptor) override {
        auto *socket = new QSslSocket(this);
        socket->setSslConfiguration(tlsConfiguration(identity));
        QObject::connect(socket, &QSslSocket::sslErrors, socket,
                         [socket](const QList<QSslError> &errors) { ignoreSelfSigned(*socket, errors); });
        QObject::connect(socket, &QSslSocket::encrypted, this, [this, socket] {
            ++met;
            socket->disconnectFromHost();
        });
        socket->setSocketDescriptor(descriptor);
        socket->startServerEncryption();
    }
};

}  // namespace

class PairingTrialTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;

    QString trials() const { return m_home.agent->stateDir() + QStringLiteral("/trials.json"); }
    bool isOnTrial(const Fingerprint &device) const {
        const auto list = DeviceList::load(trials(), QStringLiteral("hearth-trials/1"));
        return list && list->contains(device);
    }

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = PlayedHome::start(*m_folder, QStringLiteral("home"));
    }
    void cleanup() { m_home = {}; }

    void whoHasStoredItIsPaired() {
        Broken other;
        other.hasStored = true;
        QVERIFY(other.breakOff(m_home));
        QCOMPARE(m_home.agent->trust().pairing().status().error->code, QStringLiteral("pairing.unsure"));
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(other.identity.fingerprint().toHex()), DeviceState::Ready, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!isOnTrial(other.identity.fingerprint()), patience);
        QVERIFY(isTrusted(*m_home.agent));
    }

    void whoHasNotStoredItIsTakenBack() {
        Broken other;
        QSignalSpy removed(&m_home.agent->book(), &DeviceBook::removed);
        QVERIFY(other.breakOff(m_home));
        QTRY_COMPARE_WITH_TIMEOUT(removed.count(), 1, patience);
        QVERIFY(!isTrusted(*m_home.agent));
        QVERIFY(!isOnTrial(other.identity.fingerprint()));
        QCOMPARE(m_home.agent->devices().size(), std::size_t(1));
        QCOMPARE(other.linked, 0);
    }

    void whoSaysNothingHasRefusedNothing() {
        Broken other;
        other.listener.close();
        Silent silent(other.identity);
        QVERIFY(silent.listen(QHostAddress::LocalHost, other.port));
        QVERIFY(other.breakOff(m_home));
        const Fingerprint device = other.identity.fingerprint();
        QTRY_VERIFY_WITH_TIMEOUT(silent.met >= 3, patience);  // what came of the first is known by then
        QVERIFY(isTrusted(*m_home.agent));
        QVERIFY(isOnTrial(device));
        silent.close();
        other.hasStored = true;
        QVERIFY(other.listener.listen(QHostAddress::LocalHost, other.port, other.port));
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(device.toHex()), DeviceState::Ready, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!isOnTrial(device), patience);
    }

    void whoWasTrustedBeforeIsNotPutOnTrial() {
        Broken other;
        other.hasStored = true;
        QVERIFY(other.breakOff(m_home));
        const Fingerprint device = other.identity.fingerprint();
        QTRY_COMPARE_WITH_TIMEOUT(m_home.stateOf(device.toHex()), DeviceState::Ready, patience);
        QTRY_VERIFY_WITH_TIMEOUT(!isOnTrial(device), patience);
        m_home.agent->trust().pairing().setLimits(withoutPauses());
        QVERIFY(m_home.agent->trust().pairing().cancel());  // the result is read
        // Paired once more, and broken off once more, while it is linked: no other link will follow.
        QVERIFY(other.breakOff(m_home));
        QCOMPARE(m_home.agent->trust().pairing().status().error->code, QStringLiteral("pairing.unsure"));
        QVERIFY(!isOnTrial(device));
        QVERIFY(isTrusted(*m_home.agent));
    }

    void aTrialOutlivesTheAgent() {
        auto other = std::make_unique<Broken>();
        other->listener.close();
        QVERIFY(other->breakOff(m_home));
        const Fingerprint device = other->identity.fingerprint();
        QVERIFY(isTrusted(*m_home.agent));
        QVERIFY(isOnTrial(device));
        m_home = {};
        m_home = PlayedHome::start(*m_folder, QStringLiteral("home"));
        QVERIFY(m_home.agent);
        QVERIFY(isOnTrial(device));
        QSignalSpy removed(&m_home.agent->book(), &DeviceBook::removed);
        QVERIFY(other->listener.listen(QHostAddress::LocalHost, other->port, other->port));
        QTRY_COMPARE_WITH_TIMEOUT(removed.count(), 1, patience);
        QVERIFY(!isTrusted(*m_home.agent));
    }
};

QTEST_GUILESS_MAIN(PairingTrialTest)
#include "pairing_trial_test.moc"
