// What a coordinator asks of its agent, and what it hears, over the pipe between them.
#include <QSignalSpy>
#include <QTest>

#include "core/run/agent_rpc_link.h"
#include "core/wire/loopback_channel.h"
#include "tests/core/base/patience.h"

using namespace hearth;
using namespace std::chrono_literals;

class TestAgentRpcLink : public QObject {
    Q_OBJECT

    std::unique_ptr<Channel> m_near, m_far;
    std::unique_ptr<Rpc> m_rpc, m_agent;
    std::unique_ptr<AgentRpcLink> m_link;

  private Q_SLOTS:
    void init() {
        std::tie(m_near, m_far) = makeLoopbackPair();
        m_rpc = std::make_unique<Rpc>(m_near.get());
        m_agent = std::make_unique<Rpc>(m_far.get());
        m_link = std::make_unique<AgentRpcLink>(*m_rpc);
    }

    void aDataProcessIsAskedForAsAWorkerIs_data() {
        QTest::addColumn<QString>("port");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("and found where its agent says") << QStringLiteral("4712") << true;
        QTest::newRow("and nowhere without a port") << QStringLiteral("0") << false;
    }
    void aDataProcessIsAskedForAsAWorkerIs() {
        QFETCH(QString, port);
        QFETCH(bool, isFound);
        const QString key(64, QLatin1Char('b'));
        QString asked;
        m_agent->handle(QStringLiteral("holder.start"), [&](const QCborMap &args, const Reply &reply) {
            asked = args[QStringLiteral("device")].toString();
            reply.ok({{QStringLiteral("fingerprint"), key},
                      {QStringLiteral("address"), QStringLiteral("10.0.0.7")},
                      {QStringLiteral("port"), port.toInt()},
                      {QStringLiteral("pid"), 5}});
        });
        std::optional<Result<WorkerAddress>> answer;
        m_link->startHolder(QStringLiteral("d"), 60s, this, [&](const auto &address) { answer = address; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QCOMPARE(asked, QStringLiteral("d"));
        QCOMPARE(answer->has_value(), isFound);
        if (!isFound)
            return;
        QCOMPARE((*answer)->fingerprint.toHex(), key);
        QCOMPARE((*answer)->address, QStringLiteral("10.0.0.7"));
        QCOMPARE((*answer)->port, quint16(4712));
        QCOMPARE((*answer)->pid, qint64(5));
    }

    void whereOthersFindAWorkerMayBeElsewhere_data() {
        QTest::addColumn<QCborValue>("told");
        QTest::addColumn<QString>("place");
        QTest::newRow("where its agent says so")
            << QCborValue(QStringLiteral("192.168.1.5")) << QStringLiteral("192.168.1.5");
        QTest::newRow("or nowhere") << QCborValue(QString()) << QString();
        QTest::newRow("and is the same where it says nothing") << QCborValue() << QStringLiteral("127.0.0.1");
    }
    void whereOthersFindAWorkerMayBeElsewhere() {
        QFETCH(QCborValue, told);
        m_agent->handle(QStringLiteral("worker.start"), [&](const QCborMap &, const Reply &reply) {
            reply.ok({{QStringLiteral("fingerprint"), QString(64, QLatin1Char('b'))},
                      {QStringLiteral("address"), QStringLiteral("127.0.0.1")},
                      {QStringLiteral("for_others"), told},
                      {QStringLiteral("port"), 4711}});
        });
        std::optional<Result<WorkerAddress>> answer;
        m_link->startWorker(QStringLiteral("d"), 60s, this, [&](const auto &address) { answer = address; });
        QTRY_VERIFY_WITH_TIMEOUT(answer && *answer, patience);
        QCOMPARE((*answer)->address, QStringLiteral("127.0.0.1"));
        QTEST((*answer)->placeForOthers(), "place");
    }

    void aDataProcessIsNotWantedAnyMore() {
        QString stopped;
        m_agent->onNotify(QStringLiteral("holder.stop"),
                          [&](const QCborMap &args) { stopped = args[QStringLiteral("device")].toString(); });
        m_link->stopHolder(QStringLiteral("d"));
        QTRY_COMPARE_WITH_TIMEOUT(stopped, QStringLiteral("d"), patience);
    }

    void theEndOfEachProcessIsHeardAsItsOwn_data() {
        QTest::addColumn<QString>("note");
        QTest::newRow("of a worker") << QStringLiteral("worker.exited");
        QTest::newRow("of a data process") << QStringLiteral("holder.exited");
    }
    void theEndOfEachProcessIsHeardAsItsOwn() {
        QFETCH(QString, note);
        const QSignalSpy workers(m_link.get(), &AgentLink::workerExited),
            holders(m_link.get(), &AgentLink::holderExited);
        const bool isHolder = note == QLatin1String("holder.exited");
        const Error lost{QStringLiteral("device.lost"), sentence("It is gone."), {}, {}};
        m_agent->notify(note,
                        {{QStringLiteral("device"), QStringLiteral("d")}, {QStringLiteral("error"), lost.toCbor()}});
        const QSignalSpy &heard = isHolder ? holders : workers;
        QTRY_COMPARE_WITH_TIMEOUT(heard.size(), 1, patience);
        QCOMPARE(heard[0][0].toString(), QStringLiteral("d"));
        QCOMPARE(heard[0][1].value<Error>().code, QStringLiteral("device.lost"));
        QVERIFY((isHolder ? workers : holders).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestAgentRpcLink)
#include "test_agent_rpc_link.moc"
