// Where a run's processes are found: by the coordinator of their own device, and by other devices.
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/agent/own_place.h"
#include "core/discovery/probes.h"
#include "played_device.h"

using namespace hearth;

class OwnPlaceTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    /// What a coordinator there was told of the process that it asked for on this device: the event's fields. The
    /// process id is an error's code where there is none.
    static QJsonObject askedFor(const PlayedHome &home, const char *process, const QString &device) {
        AgentClient client;
        if (!home.connectTo(client))
            return {};
        RunOrder order = playedOrder("worker", device);
        order.job[QStringLiteral("process")] = QString::fromLatin1(process);
        const Follower follower(client, startRun(client, order).value_or(QString()));
        return follower.waitFor("worker") ? QJsonDocument::fromJson(follower.lines("worker")[0]).object()
                                          : QJsonObject();
    }

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void loopbackIsForTheDeviceItselfAlone_data() {
        QTest::addColumn<QString>("listens");
        QTest::addColumn<QString>("inNetwork");
        QTest::addColumn<QString>("here");
        QTest::addColumn<QString>("forOthers");
        const QString loopback = QStringLiteral("127.0.0.1"), lan = QStringLiteral("192.168.1.5");
        QTest::newRow("on all addresses") << QStringLiteral("::") << lan << loopback << lan;
        QTest::newRow("on all of IPv4") << QStringLiteral("0.0.0.0") << lan << loopback << lan;
        QTest::newRow("without a network") << QStringLiteral("::") << QString() << loopback << QString();
        QTest::newRow("on one address") << lan << QStringLiteral("10.0.0.9") << lan << lan;
        QTest::newRow("on loopback, as all devices of a demo") << loopback << lan << loopback << loopback;
    }
    void loopbackIsForTheDeviceItselfAlone() {
        QFETCH(QString, listens);
        QFETCH(QString, inNetwork);
        const OwnPlace place = OwnPlace::of(listens, QHostAddress(inNetwork));
        QTEST(place.here, "here");
        QTEST(place.forOthers, "forOthers");
    }

    void aBridgeWithoutAWayOutIsForNobodyElse_data() {
        QTest::addColumn<QStringList>("there");
        QTest::addColumn<bool>("isInner");
        const auto list = [](const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
        QTest::newRow("no bridge") << list("br0/device") << false;
        QTest::newRow("one of containers") << list("br0/bridge br0/brif/veth1 veth1/queues") << true;
        QTest::newRow("one without ports") << list("br0/bridge br0/brif") << true;
        QTest::newRow("one with a network card")
            << list("br0/bridge br0/brif/veth1 br0/brif/eth0 veth1/queues eth0/device") << false;
        QTest::newRow("one with a VLAN") << list("br0/bridge br0/brif/eth0.5 eth0.5/lower_eth0") << false;
    }
    void aBridgeWithoutAWayOutIsForNobodyElse() {
        QFETCH(QStringList, there);
        for (const QString &path : there)
            QVERIFY(QDir(m_folder->path()).mkpath(path));
        QTEST(isInnerBridge(QStringLiteral("br0"), m_folder->path()), "isInner");
    }

    void whatListensOnAllAddressesIsNotFoundOnLoopback() {
        const QString port = QStringLiteral(":47600");
        QCOMPARE(placesForOthers(QStringLiteral("10.1.2.3"), 47600), QStringList{QStringLiteral("10.1.2.3") + port});
        for (const QString &place : placesForOthers(QStringLiteral("::"), 47600)) {
            QVERIFY2(place.endsWith(port) && !place.startsWith(QStringLiteral("127.")) &&
                         !place.startsWith(QStringLiteral("[::1]")),
                     qPrintable(place));
        }
    }

    void aCoordinatorFindsWhatRunsBesideIt_data() {
        QTest::addColumn<QString>("listens");
        QTest::addColumn<QString>("process");
        for (const char *listens : {"::", "127.0.0.1"}) {
            for (const char *process : {"worker", "holder"})
                QTest::addRow("a %s on %s", process, listens)
                    << QString::fromLatin1(listens) << QString::fromLatin1(process);
        }
    }
    void aCoordinatorFindsWhatRunsBesideIt() {
        QFETCH(QString, listens);
        QFETCH(QString, process);
        const PlayedHome home = PlayedHome::start(*m_folder, QStringLiteral("one"), 0, false,
                                                  std::chrono::milliseconds(PlayedHome::patience), listens);
        QVERIFY(home.agent);
        const QJsonObject told = askedFor(home, qPrintable(process), home.agent->fingerprint().toHex());
        QCOMPARE(told[QStringLiteral("address")].toString(), QStringLiteral("127.0.0.1"));
        const QHostAddress own = ownAddress(interfaceFacts());
        const QString network = own.isNull() ? QString() : own.toString();
        QCOMPARE(told[QStringLiteral("for_others")].toString(), listens == QLatin1String("::") ? network : listens);
    }

    void aRunHearsWhereDevicesSeeEachOther() {
        const PlayedHome home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        QVERIFY(home.agent);
        const QString own = home.agent->fingerprint().toHex();
        AgentClient client;
        QVERIFY(home.connectTo(client));
        const Follower follower(client, startRun(client, playedOrder("worker", own)).value_or(QString()));
        QVERIFY(follower.waitFor("worker"));
        PlayedDevice other("other");
        QVERIFY(home.agent->trust().add(other.file()));
        QVERIFY(other.linkWith(home));
        // This device itself, as soon as another one is linked, and that one, as soon as it says so.
        QVERIFY(follower.waitFor("sees"));
        const QJsonObject place{{own, QStringLiteral("10.0.0.9")}};
        other.say(QStringLiteral("worker.sees"), {{QStringLiteral("sees"), QCborMap::fromJsonObject(place)}});
        QVERIFY(follower.waitFor("sees", 2));
        const auto told = [&](int index) { return QJsonDocument::fromJson(follower.lines("sees")[index]).object(); };
        QCOMPARE(told(0)[QStringLiteral("id")].toString(), own);
        QCOMPARE(told(0)[QStringLiteral("places")].toObject().keys(), QStringList{other.id()});
        QCOMPARE(told(1)[QStringLiteral("id")].toString(), other.id());
        QCOMPARE(told(1)[QStringLiteral("places")].toObject(), place);
    }

    void anotherDeviceDoesNotSayWhereThirdOnesLookForIt() {
        const PlayedHome home = PlayedHome::start(*m_folder, QStringLiteral("one"));
        QVERIFY(home.agent);
        PlayedDevice other("other");
        QVERIFY(home.agent->trust().add(other.file()));
        QVERIFY(other.linkWith(home));
        other.answer(QStringLiteral("worker.start"), {{QStringLiteral("fingerprint"), QString(64, QLatin1Char('b'))},
                                                      {QStringLiteral("port"), 4711},
                                                      {QStringLiteral("pid"), 5},
                                                      {QStringLiteral("address"), QStringLiteral("10.0.0.8")},
                                                      {QStringLiteral("for_others"), QStringLiteral("10.0.0.9")}});
        const QJsonObject told = askedFor(home, "worker", other.id());
        QCOMPARE(told[QStringLiteral("worker_pid")].toString(), QStringLiteral("0"));  // of another machine
        QCOMPARE(told[QStringLiteral("for_others")].toString(), QString());
        QVERIFY(told[QStringLiteral("address")].toString() != QLatin1String("10.0.0.8"));
    }
};

QTEST_GUILESS_MAIN(OwnPlaceTest)
#include "own_place_test.moc"
