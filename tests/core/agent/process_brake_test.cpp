// Signals reach all processes of a device and no others, and are taken back.
#include <QFile>
#include <QProcess>
#include <QTest>

#include "core/agent/process_brake.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

/// The letter of proc(5): 'T' is stopped.
char stateOf(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return '-';
    const QByteArray line = file.readAll();
    return line.at(line.lastIndexOf(')') + 2);
}

/// Clock ticks that the process has computed.
qint64 ticksOf(qint64 pid) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray line = file.readAll();
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    return fields.value(11).toLongLong() + fields.value(12).toLongLong();
}

}  // namespace

class ProcessBrakeTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QProcess> m_agent;
    qint64 m_child = 0;
    qint64 m_grandchild = 0;

  private Q_SLOTS:
    /// A shell that has a busy child, which has a sleeping one.
    void init() {
        m_agent = std::make_unique<QProcess>();
        m_agent->start(
            QStringLiteral("sh"),
            {QStringLiteral("-c"), QStringLiteral("sh -c 'sleep 1000 & echo $$ $!; while :; do :; done' & wait")});
        QVERIFY(m_agent->waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(m_agent->canReadLine(), patience);
        const QList<QByteArray> pids = m_agent->readLine().simplified().split(' ');
        m_child = pids.value(0).toLongLong();
        m_grandchild = pids.value(1).toLongLong();
        QVERIFY(m_child > 0 && m_grandchild > 0);
    }

    void cleanup() {
        for (const qint64 pid : {m_grandchild, m_child})
            QProcess::execute(QStringLiteral("kill"), {QStringLiteral("-KILL"), QString::number(pid)});
        m_agent->kill();
        m_agent->waitForFinished();
        m_agent.reset();
    }

    void descendantsAreFoundParentsFirst() {
        QCOMPARE(descendantsOf(m_agent->processId()), (std::vector<qint64>{m_child, m_grandchild}));
    }

    void freezingStopsAllAndReleasingSetsThemGoing() {
        ProcessBrake brake(m_agent->processId());
        QVERIFY(brake.freeze());
        QCOMPARE(brake.state(), ProcessBrake::State::Frozen);
        for (const qint64 pid : {m_agent->processId(), m_child, m_grandchild})
            QTRY_COMPARE_WITH_TIMEOUT(stateOf(pid), 'T', patience);
        brake.release();
        QCOMPARE(brake.state(), ProcessBrake::State::Released);
        for (const qint64 pid : {m_agent->processId(), m_child, m_grandchild})
            QTRY_VERIFY_WITH_TIMEOUT(stateOf(pid) != 'T', patience);
    }

    void whatWasStoppedRunsAgainWhenTheBrakeDies() {
        {
            ProcessBrake brake(m_agent->processId());
            QVERIFY(brake.freeze());
            QTRY_COMPARE_WITH_TIMEOUT(stateOf(m_child), 'T', patience);
        }
        QTRY_VERIFY_WITH_TIMEOUT(stateOf(m_child) != 'T', patience);
        QTRY_VERIFY_WITH_TIMEOUT(stateOf(m_agent->processId()) != 'T', patience);
    }

    void slowingStopsAndStartsWorkersAlone() {
        ProcessBrake brake(m_agent->processId());
        QVERIFY(brake.slowDown(QStringLiteral("sleep")));
        QCOMPARE(brake.state(), ProcessBrake::State::Slowed);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(m_grandchild), 'T', patience);
        QVERIFY(stateOf(m_child) != 'T');
        QTRY_VERIFY_WITH_TIMEOUT(stateOf(m_grandchild) != 'T', patience);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(m_grandchild), 'T', patience);
        brake.release();
        QTRY_VERIFY_WITH_TIMEOUT(stateOf(m_grandchild) != 'T', patience);
    }

    void aSlowedProcessStillComputes() {
        ProcessBrake brake(m_agent->processId());
        QVERIFY(brake.slowDown(QStringLiteral("sh")));
        const qint64 before = ticksOf(m_child);
        QTRY_VERIFY_WITH_TIMEOUT(ticksOf(m_child) > before, patience);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(m_child), 'T', patience);
    }

    void freezingWhatIsSlowedFreezesItWhole() {
        ProcessBrake brake(m_agent->processId());
        QVERIFY(brake.slowDown(QStringLiteral("sleep")));
        QVERIFY(brake.freeze());
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(m_child), 'T', patience);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(m_grandchild), 'T', patience);
    }

    void aProcessThatIsGoneIsLeftAlone() {
        QProcess gone;
        gone.start(QStringLiteral("true"), QStringList());
        QVERIFY(gone.waitForStarted());
        const qint64 pid = gone.processId();
        ProcessBrake brake(pid);
        QVERIFY(gone.waitForFinished());
        QVERIFY(!brake.isValid());
        QVERIFY(!brake.freeze());
        QVERIFY(!brake.slowDown(QStringLiteral("true")));
        QCOMPARE(brake.state(), ProcessBrake::State::Released);
    }
};

QTEST_GUILESS_MAIN(ProcessBrakeTest)
#include "process_brake_test.moc"
