#include <QHostAddress>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <memory>

#include "core/home/link_watch.h"
#include "core/run/heart_monitor.h"
#include "core/wire/rpc.h"
#include "core/wire/stream_channel.h"
#include "core/wire/tls_listener.h"
#include "tests/core/base/patience.h"
#include "tests/core/base/standstill.h"

using namespace hearth;

namespace {

/// The worker's end: beats, or not.
class Heart : public QObject {
  public:
    /// Several in the time in which a doubt must be answered.
    static constexpr std::chrono::milliseconds pace{20};

    explicit Heart(const Fingerprint &coordinator) : identity(*Identity::generate(QStringLiteral("worker"))) {
        listener = std::make_unique<TlsListener>(
            identity, [coordinator](const Fingerprint &peer) { return peer == coordinator; });
        port = *listener->listen(QHostAddress(QHostAddress::LocalHost), 0, 0);
        connect(listener.get(), &TlsListener::channelReady, this, [this](Channel *opened) {
            channel.reset(opened);
            ++connections;
            connect(opened, &Channel::controlReceived, this, [this](const QCborMap &message) {
                ++probes;
                if (beats)
                    channel->sendControl(message);
            });
        });
        connect(&timer, &QTimer::timeout, this, &Heart::beat);
        timer.start(pace);
    }
    void beat() {
        if (channel && beats)
            channel->sendControl({{QStringLiteral("beat"), 1}});
    }
    WorkerAddress address() const { return {identity.fingerprint(), QStringLiteral("127.0.0.1"), 1, 0}; }

    Identity identity;
    std::unique_ptr<TlsListener> listener;
    std::unique_ptr<Channel> channel;
    QTimer timer;
    quint16 port = 0;
    int connections = 0, probes = 0;
    bool beats = true;
};

/// A worker that is watched from the beginning, and all that is said of it.
struct Watched {
    static inline const QString device = QStringLiteral("nano");

    explicit Watched(const Identity &own)
        : heart(own.fingerprint()),
          monitor(std::make_unique<HeartMonitor>(own)),
          suspected(monitor.get(), &HeartMonitor::suspected),
          revived(monitor.get(), &HeartMonitor::revived),
          silent(monitor.get(), &HeartMonitor::silent) {
        monitor->watch(device, heart.address(), heart.port);
    }
    /// Connected, and nothing was said.
    bool isWell() const { return heart.connections > 0 && suspected.isEmpty() && silent.isEmpty(); }
    /// It was said to be in trouble, and the machine stood still for long enough: a doubt has a tick for its answer.
    bool isExcused(Tries &tries) const {
        if (!silent.isEmpty())
            return machine.excuses(LinkWatch::probePatience, tries);
        return !suspected.isEmpty() && machine.excuses(LinkWatch::tick - Heart::pace, tries);
    }

    Standstill machine;
    Heart heart;
    std::unique_ptr<HeartMonitor> monitor;
    QSignalSpy suspected, revived, silent;
};

}  // namespace

class TestHeartMonitor : public QObject {
    Q_OBJECT
    const Identity own = *Identity::generate(QStringLiteral("coordinator"));

    /// One that is connected, or called silent before.
    std::unique_ptr<Watched> watched(Tries &tries) const {
        for (;;) {
            auto worker = std::make_unique<Watched>(own);
            (void)QTest::qWaitFor([&] { return worker->heart.connections > 0 || !worker->silent.isEmpty(); }, patience);
            if (!worker->isExcused(tries))
                return worker;
        }
    }

  private Q_SLOTS:
    void aWorkerThatBeatsIsLeftAlone() {
        Tries tries;
        std::unique_ptr<Watched> worker;
        do {
            worker = watched(tries);
            // A doubt is answered by a beat.
            worker->monitor->doubt(Watched::device);
            QTest::qWait(1500);
        } while (worker->isExcused(tries));
        QVERIFY2(worker->suspected.isEmpty(), "It was suspected although it beat.");
        QVERIFY2(worker->silent.isEmpty(), "It was lost although it beat.");
        QVERIFY(worker->isWell());
    }
    void oneThatStopsIsSuspectedAskedAndLost() {
        Tries tries;
        std::unique_ptr<Watched> worker;
        do {
            worker = watched(tries);
            QVERIFY(worker->isWell());
            worker->heart.beats = false;
            QTRY_COMPARE_WITH_TIMEOUT(worker->silent.count(), 1, patience);
            // Where the monitor was late itself, the silence counts anew.
        } while (worker->suspected.count() > 1 && worker->machine.excuses(LinkWatch::lateness, tries));
        QCOMPARE(worker->suspected.count(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(worker->heart.probes > 0, patience);  // it may lie in the socket yet
        QCOMPARE(worker->silent[0][0].toString(), Watched::device);
        QVERIFY(worker->silent[0][1].toDouble() >= 1.5);
    }
    void oneThatAnswersAgainIsRevived() {
        Tries tries;
        std::unique_ptr<Watched> worker;
        do {
            worker = watched(tries);
            QVERIFY(worker->isWell());
            // At once: it has not long.
            connect(worker->monitor.get(), &HeartMonitor::suspected, &worker->heart, [heart = &worker->heart] {
                heart->beats = true;
                heart->beat();
            });
            worker->heart.beats = false;
            QTRY_VERIFY_WITH_TIMEOUT(!worker->revived.isEmpty() || !worker->silent.isEmpty(), patience);
        } while (!worker->silent.isEmpty() && worker->isExcused(tries));
        QVERIFY2(worker->silent.isEmpty(), "It was lost although it answered.");
        QCOMPARE(worker->revived.count(), 1);
    }
    void aConnectionThatEndsIsMadeAnew() {
        Tries tries;
        std::unique_ptr<Watched> worker;
        int before = 0;
        do {
            worker = watched(tries);
            QVERIFY(worker->isWell());
            before = worker->heart.connections;
            worker->heart.channel->close({QStringLiteral("test"), QStringLiteral("Closed."), {}, {}});
            QTRY_VERIFY_WITH_TIMEOUT(worker->heart.connections > before || !worker->silent.isEmpty(), patience);
        } while (!worker->silent.isEmpty() && worker->isExcused(tries));
        QVERIFY2(worker->silent.isEmpty(), "It was lost although it answers.");
        QVERIFY(worker->heart.connections > before);
    }
    void nobodyThereIsALoss() {
        Heart heart(own.fingerprint());
        heart.listener.reset();
        HeartMonitor monitor(own);
        QSignalSpy silent(&monitor, &HeartMonitor::silent);
        monitor.watch(Watched::device, heart.address(), heart.port);
        QTRY_COMPARE_WITH_TIMEOUT(silent.count(), 1, patience);
    }
    void theConnectionsEndWithTheMonitor() {
        Tries tries;
        const auto worker = watched(tries);
        QVERIFY(worker->isWell());
        worker->heart.beats = false;
        QTRY_VERIFY_WITH_TIMEOUT(worker->heart.probes > 0, patience);  // the monitor's end is open, too
        worker->monitor.reset();
        QTRY_VERIFY_WITH_TIMEOUT(!worker->heart.channel->isOpen(), patience);
    }
    void aForgottenWorkerIsNoLoss() {
        Tries tries;
        const auto worker = watched(tries);
        QVERIFY(worker->isWell());
        worker->monitor->forget(Watched::device);
        worker->heart.beats = false;
        QTest::qWait(2500);
        QCOMPARE(worker->silent.count(), 0);
    }
};

QTEST_GUILESS_MAIN(TestHeartMonitor)
#include "test_heart_monitor.moc"
