// The record on a device comes back as it was written, and a strange one is refused: an uninstall removes what it
// names.
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "core/install/install_record.h"

using namespace hearth;

namespace {

InstallRecord record() {
    InstallRecord record;
    record.isComplete = true;
    record.version = QStringLiteral("0.1.0");
    record.sha256 = QString(64, QLatin1Char('b'));
    record.package = PackageWay::Apt;
    record.service = ServiceWay::User;
    record.stateDir = QStringLiteral("/home/anna/.local/share/hearth");
    record.agentPort = 5000;
    record.fingerprint = QString(64, QLatin1Char('a'));
    record.madePackage = false;
    record.isUpdate = true;
    record.madeTrust = false;
    record.madeLinger = true;
    record.wasEnabled = record.wasActive = true;
    record.nameBefore = QStringLiteral("attic");
    record.newPackages = {QStringLiteral("libtorch1.13"), QStringLiteral("libqt6core6")};
    record.copy = QStringLiteral("/tmp/tmp.aB3dE");
    return record;
}

}  // namespace

class InstallRecordTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void itComesBackAsItWas() {
        const auto read = InstallRecord::parse(record().toJson());
        QVERIFY2(read, qPrintable(read ? QString() : read.error().toString()));
        QCOMPARE(read->toJson(), record().toJson());
        QCOMPARE(read->copy, QStringLiteral("/tmp/tmp.aB3dE"));
    }

    void strangeOnesAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("another format") << QStringLiteral("format") << QJsonValue(QStringLiteral("x/1"));
        QTest::newRow("an unknown way") << QStringLiteral("service") << QJsonValue(QStringLiteral("cron"));
        QTest::newRow("a state folder that is everything")
            << QStringLiteral("state") << QJsonValue(QStringLiteral("/"));
        QTest::newRow("a state folder elsewhere")
            << QStringLiteral("state") << QJsonValue(QStringLiteral("/home/anna"));
        QTest::newRow("a state folder by way of another")
            << QStringLiteral("state") << QJsonValue(QStringLiteral("/home/anna/../b/.local/share/hearth"));
        QTest::newRow("somebody's state folder for the service of the system, whose folder root removes")
            << QStringLiteral("service") << QJsonValue(QStringLiteral("system"));
        QTest::newRow("a relative one") << QStringLiteral("state") << QJsonValue(QStringLiteral(".local/share/hearth"));
        QTest::newRow("a fingerprint that is none")
            << QStringLiteral("fingerprint") << QJsonValue(QStringLiteral("xyz"));
        QTest::newRow("an option among the packages")
            << QStringLiteral("new_packages") << QJsonValue(QJsonArray{QStringLiteral("--force-yes")});
        QTest::newRow("a copy that is everything") << QStringLiteral("copy") << QJsonValue(QStringLiteral("/"));
        QTest::newRow("a copy by way of another folder")
            << QStringLiteral("copy") << QJsonValue(QStringLiteral("/tmp/tmp.a/../../home"));
        QTest::newRow("no port") << QStringLiteral("agent_port") << QJsonValue(0);
        QTest::newRow("a key that nobody knows") << QStringLiteral("more") << QJsonValue(1);
    }

    void strangeOnesAreRefused() {
        QFETCH(QString, key);
        QFETCH(QJsonValue, value);
        QJsonObject object = QJsonDocument::fromJson(record().toJson()).object();
        object[key] = value;
        QVERIFY(!InstallRecord::parse(QJsonDocument(object).toJson()));
    }

    void whatIsNoJsonIsRefused() {
        QVERIFY(!InstallRecord::parse(""));
        QVERIFY(!InstallRecord::parse("{"));
    }
};

QTEST_GUILESS_MAIN(InstallRecordTest)
#include "install_record_test.moc"
