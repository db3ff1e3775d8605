// Signs of life over real sockets.
#include <QCborMap>
#include <QTest>
#include <latch>
#include <thread>

#include "core/train/heartbeat.h"
#include "tests/core/wire/patient_dial.h"

using namespace hearth;

namespace {

/// `hear` gets all that comes.
Result<std::unique_ptr<Channel>> dial(
    const Identity &self, quint16 port, const Fingerprint &worker,
    const std::function<void(const QCborMap &)> &hear = [](const QCborMap &) {}) {
    std::unique_ptr<Channel> channel;
    const auto take = [&](std::unique_ptr<Channel> opened) {
        channel = std::move(opened);
        QObject::connect(channel.get(), &Channel::controlReceived, channel.get(), hear);
    };
    return dialPatiently(self, port, worker, take).map([&] { return std::move(channel); });
}

}  // namespace

class HeartbeatTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        auto worker = Identity::generate(QStringLiteral("worker"));
        auto coordinator = Identity::generate(QStringLiteral("coordinator"));
        QVERIFY(worker && coordinator);
        m_worker = std::move(*worker);
        m_coordinator = std::move(*coordinator);
        auto started = Heartbeat::start(m_worker, m_coordinator.fingerprint(), QHostAddress::LocalHost, 0, 0);
        QVERIFY(started);
        m_heartbeat = std::move(*started);
    }

    void beatsComeByThemselves() {
        int beats = 0;
        const auto channel =
            dial(m_coordinator, m_heartbeat->port(), m_worker.fingerprint(),
                 [&](const QCborMap &message) { beats += message.contains(QLatin1String("beat")) ? 1 : 0; });
        QVERIFY2(channel, channel ? "" : qPrintable(channel.error().toString()));
        QTRY_VERIFY_WITH_TIMEOUT(beats >= 2, patience);
    }

    void everyProbeIsAnswered() {
        int answers = 0, beatsBehind = 0;
        const auto channel =
            dial(m_coordinator, m_heartbeat->port(), m_worker.fingerprint(), [&](const QCborMap &message) {
                if (message.contains(QLatin1String("probe")))
                    ++answers;
                else if (answers >= 3)
                    ++beatsBehind;
            });
        QVERIFY(channel);
        (*channel)->sendControl({{QLatin1String("nonsense"), 1}});
        for (int i = 0; i < 3; ++i)
            (*channel)->sendControl({{QLatin1String("probe"), 1}});
        QTRY_VERIFY_WITH_TIMEOUT(beatsBehind >= 2, patience);
        QCOMPARE(answers, 3);
    }

    /// The thread that owns the heartbeat is stuck from before the question until after the answer.
    void aBusyProgramLives() {
        std::latch ready(1), release(1);
        quint16 port = 0;
        std::thread program([&] {
            auto own = Heartbeat::start(m_worker, m_coordinator.fingerprint(), QHostAddress::LocalHost, 0, 0);
            port = own ? (*own)->port() : 0;
            ready.count_down();
            release.wait();
        });
        ready.wait();
        bool isAnswered = false;
        const auto channel = dial(m_coordinator, port, m_worker.fingerprint(), [&](const QCborMap &message) {
            isAnswered |= message.contains(QLatin1String("probe"));
        });
        if (channel) {
            (*channel)->sendControl({{QLatin1String("probe"), 1}});
            (void)QTest::qWaitFor([&] { return isAnswered; }, patience);
        }
        release.count_down();
        program.join();
        QVERIFY(isAnswered);
    }

    void aNewerConnectionTakesTheOldOnesPlace() {
        const auto first = dial(m_coordinator, m_heartbeat->port(), m_worker.fingerprint());
        QVERIFY(first);
        bool closed = false;
        connect(first->get(), &Channel::closed, this, [&] { closed = true; });
        int beats = 0;
        const auto second =
            dial(m_coordinator, m_heartbeat->port(), m_worker.fingerprint(), [&](const QCborMap &) { ++beats; });
        QVERIFY(second);
        QTRY_VERIFY_WITH_TIMEOUT(closed, patience);
        QTRY_VERIFY_WITH_TIMEOUT(beats >= 2, patience);
    }

    void strangersGetNothing() {
        const auto stranger = Identity::generate(QStringLiteral("stranger"));
        QVERIFY(stranger);
        const auto channel = dial(*stranger, m_heartbeat->port(), m_worker.fingerprint());
        QVERIFY(!channel);
    }

    void aTakenPortIsAnError() {
        const auto second = Heartbeat::start(m_worker, m_coordinator.fingerprint(), QHostAddress::LocalHost,
                                             m_heartbeat->port(), m_heartbeat->port());
        QVERIFY(!second);
        QCOMPARE(second.error().code, QStringLiteral("wire.port-taken"));
    }

  private:
    Identity m_worker, m_coordinator;
    std::unique_ptr<Heartbeat> m_heartbeat;
};

QTEST_GUILESS_MAIN(HeartbeatTest)
#include "heartbeat_test.moc"
