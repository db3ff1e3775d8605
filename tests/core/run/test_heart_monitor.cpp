#include <QElapsedTimer>
#include <QHostAddress>
#include <QSignalSpy>
#include <QTest>

#include "core/home/link_watch.h"
#include "core/run/heart_monitor.h"
#include "core/wire/rpc.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_listener.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

/// The worker's end: beats, or not.
class Heart : public QObject {
  public:
    explicit Heart(const Fingerprint &coordinator) : identity(*Identity::generate(QStringLiteral("worker"))) {
        listener = std::make_unique<TlsListener>(
            identity, [coordinator](const Fingerprint &peer) { return peer == coordinator; });
        port = *listener->listen(QHostAddress(QHostAddress::LocalHost), 0, 0);
        connect(listener.get(), &TlsListener::channelReady, this, [this](Channel *opened) {
            channel.reset(opened);
            ++connections;
            sinceBeat.start();
            longestPause = {};
            connect(opened, &Channel::controlReceived, this, [this](const QCborMap &message) {
                ++probes;
                if (beats)
                    channel->sendControl(message);
            });
        });
        connect(&timer, &QTimer::timeout, this, &Heart::beat);
        timer.start(std::chrono::milliseconds(100));
    }
    void beat() {
        longestPause = pause();
        sinceBeat.restart();
        if (channel && beats)
            channel->sendControl({{QStringLiteral("beat"), 1}});
    }
    /// The longest between two beats of the newest connection, and until now.
    std::chrono::milliseconds pause() const {
        return std::max(longestPause, std::chrono::milliseconds(sinceBeat.elapsed()));
    }
    WorkerAddress address() const { return {identity.fingerprint(), QStringLiteral("127.0.0.1"), 1, 0}; }

    Identity identity;
    std::unique_ptr<TlsListener> listener;
    std::unique_ptr<Channel> channel;
    QTimer timer;
    QElapsedTimer sinceBeat;
    std::chrono::milliseconds longestPause{};
    quint16 port = 0;
    int connections = 0, probes = 0;
    bool beats = true;
};

}  // namespace

class TestHeartMonitor : public QObject {
    Q_OBJECT
    const Identity own = *Identity::generate(QStringLiteral("coordinator"));
    const QString device = QStringLiteral("nano");

    /// On a machine that stands still a handshake takes longer than a device may be silent: then it is watched again.
    bool connects(HeartMonitor &monitor, const Heart &heart) const {
        const auto watch = [&] { monitor.watch(device, heart.address(), heart.port); };
        QObject again;
        connect(&monitor, &HeartMonitor::silent, &again, watch);
        watch();
        return QTest::qWaitFor([&heart] { return heart.connections > 0; }, patience);
    }

  private Q_SLOTS:
    void aWorkerThatBeatsIsLeftAlone() {
        Heart heart(own.fingerprint());
        HeartMonitor monitor(own);
        QVERIFY(connects(monitor, heart));
        QSignalSpy suspected(&monitor, &HeartMonitor::suspected), silent(&monitor, &HeartMonitor::silent);
        // A doubt is answered by a beat.
        monitor.doubt(device);
        QTest::qWait(1500);
        // On a machine that stands still the heart does, too: then the monitor is right.
        QVERIFY2(suspected.isEmpty() || heart.pause() > LinkWatch::tick, "It was suspected although it beat.");
        QVERIFY2(silent.isEmpty() || heart.pause() > LinkWatch::probePatience, "It was lost although it beat.");
    }
    void oneThatStopsIsSuspectedAskedAndLost() {
        Heart heart(own.fingerprint());
        HeartMonitor monitor(own);
        QVERIFY(connects(monitor, heart));
        QSignalSpy suspected(&monitor, &HeartMonitor::suspected), silent(&monitor, &HeartMonitor::silent);
        heart.beats = false;
        QTRY_COMPARE_WITH_TIMEOUT(silent.count(), 1, patience);
        QCOMPARE(suspected.count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(heart.probes > 0, patience);  // it may lie in the socket yet
        QCOMPARE(silent[0][0].toString(), device);
        QVERIFY(silent[0][1].toDouble() >= 1.5);
    }
    void oneThatAnswersAgainIsRevived() {
        Heart heart(own.fingerprint());
        HeartMonitor monitor(own);
        QVERIFY(connects(monitor, heart));
        QSignalSpy revived(&monitor, &HeartMonitor::revived);
        // At once: it has not long.
        connect(&monitor, &HeartMonitor::suspected, &heart.timer, [&heart] {
            heart.beats = true;
            heart.beat();
        });
        // A machine that stands still was too late with the answer.
        connect(&monitor, &HeartMonitor::silent, &heart.timer, [&] {
            heart.beats = false;
            monitor.watch(device, heart.address(), heart.port);
        });
        heart.beats = false;
        QTRY_COMPARE_WITH_TIMEOUT(revived.count(), 1, patience);
    }
    void aConnectionThatEndsIsMadeAnew() {
        Heart heart(own.fingerprint());
        HeartMonitor monitor(own);
        QVERIFY(connects(monitor, heart));
        QSignalSpy silent(&monitor, &HeartMonitor::silent);
        const int before = heart.connections;
        QElapsedTimer since;
        since.start();
        heart.channel->close({QStringLiteral("test"), QStringLiteral("Closed."), {}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(heart.connections > before || !silent.isEmpty(), patience);
        // Only a machine that stands still needs so long for a handshake.
        QVERIFY2(silent.isEmpty() || since.elapsed() >= LinkWatch::probePatience.count(), "It was lost at once.");
    }
    void nobodyThereIsALoss() {
        Heart heart(own.fingerprint());
        heart.listener.reset();
        HeartMonitor monitor(own);
        QSignalSpy silent(&monitor, &HeartMonitor::silent);
        monitor.watch(device, heart.address(), heart.port);
        QTRY_COMPARE_WITH_TIMEOUT(silent.count(), 1, patience);
    }
    void theConnectionsEndWithTheMonitor() {
        Heart heart(own.fingerprint());
        auto monitor = std::make_unique<HeartMonitor>(own);
        QVERIFY(connects(*monitor, heart));
        heart.beats = false;
        QTRY_VERIFY_WITH_TIMEOUT(heart.probes > 0, patience);  // the monitor's end is open, too
        monitor.reset();
        QTRY_VERIFY_WITH_TIMEOUT(!heart.channel->isOpen(), patience);
    }
    void aForgottenWorkerIsNoLoss() {
        Heart heart(own.fingerprint());
        HeartMonitor monitor(own);
        QVERIFY(connects(monitor, heart));
        QSignalSpy silent(&monitor, &HeartMonitor::silent);
        monitor.forget(device);
        heart.beats = false;
        QTest::qWait(2500);
        QCOMPARE(silent.count(), 0);
    }
};

QTEST_GUILESS_MAIN(TestHeartMonitor)
#include "test_heart_monitor.moc"
