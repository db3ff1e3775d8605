// Signs of life over real sockets.
#include <QCborMap>
#include <QTest>
#include <latch>
#include <thread>

#include "core/train/heartbeat.h"
#include "core/wire/tls_dial.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

Result<std::unique_ptr<Channel>> dial(const Identity &self, quint16 port, const Fingerprint &worker) {
    std::optional<Result<std::unique_ptr<Channel>>> opened;
    QObject context;
    dialTls(self, QStringLiteral("127.0.0.1"), port, worker, defaultDialDeadline, &context,
            [&](Result<std::unique_ptr<Channel>> result) { opened = std::move(result); });
    if (!QTest::qWaitFor([&] { return opened.has_value(); }, 20000))
        return fail(QStringLiteral("test.no-answer"), QStringLiteral("No connection."));
    return std::move(*opened);
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

    void beatsCountAndTellTheTerm() {
        auto channel = dial(m_coordinator, m_heartbeat->port(), m_worker.fingerprint());
        QVERIFY2(channel, channel ? "" : qPrintable(channel.error().toString()));
        std::vector<QCborMap> beats;
        connect(channel->get(), &Channel::controlReceived, this,
                [&](const QCborMap &message) { beats.push_back(message); });
        QTRY_VERIFY_WITH_TIMEOUT(beats.size() >= 2, patience);
        m_heartbeat->setTerm(7);
        QTRY_COMPARE_WITH_TIMEOUT(beats.back()[QLatin1String("term")].toInteger(), 7, patience);
        for (std::size_t i = 0; i < beats.size(); ++i)
            QCOMPARE(beats[i][QLatin1String("beat")].toInteger(), static_cast<qint64>(i + 1));
    }

    void probesAreAnsweredInOrder() {
        auto channel = dial(m_coordinator, m_heartbeat->port(), m_worker.fingerprint());
        QVERIFY(channel);
        std::vector<qint64> answers;
        connect(channel->get(), &Channel::controlReceived, this, [&](const QCborMap &message) {
            if (message.contains(QLatin1String("probe")))
                answers.push_back(message[QLatin1String("probe")].toInteger());
        });
        for (const qint64 number : {3, 1, 2})
            (*channel)->sendControl({{QLatin1String("probe"), number}});
        (*channel)->sendControl({{QLatin1String("nonsense"), 1}});
        QTRY_COMPARE_WITH_TIMEOUT(answers, (std::vector<qint64>{3, 1, 2}), patience);
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
        auto channel = dial(m_coordinator, port, m_worker.fingerprint());
        qint64 answer = 0;
        if (channel) {
            connect(channel->get(), &Channel::controlReceived, this, [&](const QCborMap &message) {
                if (message.contains(QLatin1String("probe")))
                    answer = message[QLatin1String("probe")].toInteger();
            });
            (*channel)->sendControl({{QLatin1String("probe"), 9}});
            (void)QTest::qWaitFor([&] { return answer != 0; }, 20000);
        }
        release.count_down();
        program.join();
        QCOMPARE(answer, 9);
    }

    void aNewerConnectionTakesTheOldOnesPlace() {
        auto first = dial(m_coordinator, m_heartbeat->port(), m_worker.fingerprint());
        QVERIFY(first);
        bool closed = false;
        connect(first->get(), &Channel::closed, this, [&] { closed = true; });
        auto second = dial(m_coordinator, m_heartbeat->port(), m_worker.fingerprint());
        QVERIFY(second);
        int beats = 0;
        connect(second->get(), &Channel::controlReceived, this, [&](const QCborMap &) { ++beats; });
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
