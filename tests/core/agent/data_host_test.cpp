// Data processes of one device, which are played (fake_child.cpp): who may start, replace and end them.
#include <sys/resource.h>
#include <QFile>

#include "core/agent/data_host.h"
#include "played_home.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

const QString run = QStringLiteral("20260101-120000-0001");

/// 64 of this digit: a key.
QString key(char digit) {
    return {64, QLatin1Char(digit)};
}

}  // namespace

class DataHostTest : public QObject {
    Q_OBJECT

    std::unique_ptr<DataHost> m_host;
    QStringList m_codes;  // of starts that failed, in their order
    std::vector<QCborMap> m_answers;

    void startLater(const QString &of, const QString &owner, char coordinator = 'a') {
        m_host->start(of, key(coordinator), owner, this, [this](const Result<QCborMap> &result) {
            if (result)
                m_answers.push_back(*result);
            else
                m_codes << result.error().code;
        });
    }
    /// Its process id; 0 where that failed.
    qint64 start(const QString &of, const QString &owner, char coordinator = 'a') {
        const std::size_t answered = m_answers.size();
        const qsizetype failed = m_codes.size();
        startLater(of, owner, coordinator);
        const bool isOver =
            QTest::qWaitFor([&] { return m_answers.size() > answered || m_codes.size() > failed; }, patience);
        return isOver && m_answers.size() > answered ? m_answers.back()[QStringLiteral("pid")].toInteger() : 0;
    }

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() {
        m_codes.clear();
        m_answers.clear();
        ProcessSettings settings;
        settings.listenHost = QStringLiteral("127.0.0.1");
        settings.firstPort = 4700;
        settings.lastPort = 4799;
        settings.deviceName = QStringLiteral("one");
        m_host = std::make_unique<DataHost>(settings);
    }
    void cleanup() { m_host.reset(); }

    void itIsToldItsRunItsPortsAndItsCoordinator() {
        const qint64 pid = start(run, DataHost::localOwner(), 'd');
        QVERIFY(pid > 0);
        QCOMPARE(m_answers[0][QStringLiteral("fingerprint")].toString(), key('d'));
        QCOMPARE(m_answers[0][QStringLiteral("port")].toInteger(), 4712);
        QFile started(QStringLiteral("/proc/%1/cmdline").arg(pid));
        QVERIFY(started.open(QIODevice::ReadOnly));
        const QByteArrayList words = started.readAll().split('\0');
        QCOMPARE(words.mid(1, 7),
                 QByteArrayList({"--serve", "--run", run.toLatin1(), "--listen", "127.0.0.1", "--ports", "4700-4799"}));
    }

    void itComesAfterAPersonsPrograms() {
        const qint64 pid = start(run, DataHost::localOwner());
        QVERIFY(pid > 0);
        QCOMPARE(::getpriority(PRIO_PROCESS, static_cast<id_t>(pid)), 10);
        QVERIFY(::getpriority(PRIO_PROCESS, 0) < 10);
        QFile group(QStringLiteral("/proc/%1/autogroup").arg(pid));
        if (group.open(QIODevice::ReadOnly))  // this kernel groups sessions
            QVERIFY(group.readAll().trimmed().endsWith("nice 10"));
    }

    void whatIsNotToBeStartedIsRefused_data() {
        QTest::addColumn<QString>("of");
        QTest::addColumn<QString>("coordinator");
        QTest::addColumn<QString>("code");
        QTest::newRow("a run that is a path") << QStringLiteral("../x") << key('a') << QStringLiteral("holder.bad-run");
        QTest::newRow("no coordinator") << run << QString() << QStringLiteral("holder.no-coordinator");
        QTest::newRow("data that are not there") << run << key('e') << QStringLiteral("data.none");
    }
    void whatIsNotToBeStartedIsRefused() {
        QFETCH(QString, of);
        QFETCH(QString, coordinator);
        QFETCH(QString, code);
        QString failed;
        m_host->start(of, coordinator, DataHost::localOwner(), this, [&](const Result<QCborMap> &result) {
            failed = result ? QStringLiteral("started") : result.error().code;
        });
        QTRY_COMPARE_WITH_TIMEOUT(failed, code, patience);
    }

    void aNewerStartTakesThePlaceWhenTheFormerHasEnded() {
        const QSignalSpy exited(m_host.get(), &DataHost::exited);
        const qint64 former = start(run, key('b'));
        QVERIFY(former > 0);
        startLater(run, key('b'), 'c');
        startLater(run, key('b'), 'd');
        QTRY_COMPARE_WITH_TIMEOUT(m_answers.size(), std::size_t(2), patience);
        QCOMPARE(m_codes, QStringList{QStringLiteral("holder.replaced")});
        QCOMPARE(m_answers[1][QStringLiteral("fingerprint")].toString(), key('d'));
        QVERIFY(!isAlive(former));
        QVERIFY(isAlive(m_answers[1][QStringLiteral("pid")].toInteger()));
        QVERIFY(exited.isEmpty());
    }

    void anotherDeviceNeitherStopsNorReplacesIt() {
        const QSignalSpy exited(m_host.get(), &DataHost::exited);
        const qint64 pid = start(run, key('b'));
        QVERIFY(pid > 0);
        QCOMPARE(start(run, key('c')), 0);
        QCOMPARE(m_codes, QStringList{QStringLiteral("holder.other-owner")});
        m_host->stop(run, key('c'));
        m_host->stop(run, DataHost::localOwner());
        m_host->stopAllOf(key('c'));
        QVERIFY(start(QStringLiteral("20260101-120000-0002"), key('c')) > 0);  // time in which it could have ended
        QVERIFY(isAlive(pid));
        QVERIFY(exited.isEmpty());

        m_host->stop(run, key('b'));
        QTRY_COMPARE_WITH_TIMEOUT(exited.size(), 1, patience);
        QVERIFY(exited[0][3].toBool());
        QVERIFY(!isAlive(pid));
    }

    void allOfOneDeviceEndAtOnce() {
        const qint64 first = start(run, key('b')), second = start(QStringLiteral("20260101-120000-0002"), key('b'));
        const qint64 own = start(QStringLiteral("20260101-120000-0003"), DataHost::localOwner());
        QVERIFY(first > 0 && second > 0 && own > 0);
        QCOMPARE(m_host->countForeign(), 2);
        m_host->stopAllOf(key('b'));
        QTRY_COMPARE_WITH_TIMEOUT(m_host->countForeign(), 0, patience);
        QVERIFY(!isAlive(first) && !isAlive(second) && isAlive(own));
        m_host->stopAll();
        m_host->waitForEnd(1min);
        QVERIFY(!isAlive(own));
    }

    void oneOtherDeviceHasFewOfThemHere() {
        for (std::size_t i = 0; i <= DataHost::maximumOfOther; ++i)
            startLater(QStringLiteral("20260101-120000-000%1").arg(i), key('b'));
        QTRY_COMPARE_WITH_TIMEOUT(m_answers.size(), DataHost::maximumOfOther, patience);
        QCOMPARE(m_codes, QStringList{QStringLiteral("holder.too-many")});
        QVERIFY(start(QStringLiteral("20260101-120000-0009"), key('c')) > 0);
    }

    void itsEndIsToldToWhoAskedForIt() {
        QSignalSpy exited(m_host.get(), &DataHost::exited);
        const qint64 pid = start(run, key('b'));
        QVERIFY(pid > 0);
        QCOMPARE(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
        QVERIFY(exited.wait(patience));
        QCOMPARE(exited[0][0].toString(), run);
        QCOMPARE(exited[0][1].toString(), key('b'));
        const Error reason = exited[0][2].value<Error>();
        QCOMPARE(reason.code, QStringLiteral("child.killed"));
        QVERIFY2(reason.what.contains(QStringLiteral("The data process on one")), qPrintable(reason.toString()));
        QVERIFY(!exited[0][3].toBool());
        QVERIFY(!m_host->isBusy());
    }
};

QTEST_GUILESS_MAIN(DataHostTest)
#include "data_host_test.moc"
