// Discovery where there is no Avahi: it says so, waits, and holds up nobody. With real daemons it is tested in the lab.
#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/discovery/avahi_discovery.h"
#include "tests/core/base/patience.h"

using namespace hearth;

class AvahiDiscoveryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { qputenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=" + m_bus.toUtf8()); }  // it is read once

    void withoutABusItSaysSo() {
        AvahiDiscovery discovery;
        DiscoveryStatus latest;
        connect(&discovery, &DiscoverySource::statusChanged, this,
                [&](const DiscoveryStatus &status) { latest = status; });
        discovery.start({QStringLiteral("nano"), 47600, {"v=1"}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(latest.state, DiscoveryState::Absent, patience);
        QVERIFY(!latest.cause.isEmpty());
        QVERIFY(latest.announcedAs.isEmpty());
        discovery.stop();
        discovery.stop();  // once more does no harm
    }

    // Last: its thread waits for an answer until this process ends.
    void aBusThatNeverAnswersHoldsUpNobody() {
        QLocalServer bus;
        QVERIFY(bus.listen(m_bus));
        QSignalSpy connected(&bus, &QLocalServer::newConnection);
        AvahiDiscovery discovery;
        discovery.start({QStringLiteral("nano"), 47600, {"v=1"}, {}});
        QVERIFY(connected.wait(patience));  // it has begun to wait
        discovery.stop();
    }

  private:
    const QTemporaryDir m_folder;
    const QString m_bus = m_folder.filePath(QStringLiteral("bus"));
};

QTEST_GUILESS_MAIN(AvahiDiscoveryTest)
#include "avahi_discovery_test.moc"
