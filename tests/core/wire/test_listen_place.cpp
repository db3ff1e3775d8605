// Where processes listen, as command lines say it.
#include <QTest>

#include "core/wire/listen_place.h"

using namespace hearth;

class TestListenPlace : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void portsAreARange_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("last");
        QTest::newRow("a range") << QStringLiteral("47601-47632") << 47601 << 47632;
        QTest::newRow("one port") << QStringLiteral("47601") << 47601 << 47601;
        QTest::newRow("any port") << QStringLiteral("0-0") << 0 << 0;
        for (const char *wrong : {"", "-", "5-", "-5", "5-4", "1-2-3", "1-65536", "a-b"})
            QTest::newRow(wrong) << QString::fromLatin1(wrong) << -1 << -1;
    }
    void portsAreARange() {
        QFETCH(QString, text);
        QFETCH(int, first);
        QFETCH(int, last);
        const auto range = PortRange::of(text);
        QCOMPARE(range ? int{range->first} : -1, first);
        QCOMPARE(range ? int{range->last} : -1, last);
    }

    void addressesMayHaveBrackets() {
        QCOMPARE(listenAddressOf(QStringLiteral("192.168.1.7")), QHostAddress(QStringLiteral("192.168.1.7")));
        QCOMPARE(listenAddressOf(QStringLiteral("[::1]")), QHostAddress(QHostAddress::LocalHostIPv6));
        for (const char *any : {"", "::", "[::]"})
            QCOMPARE(listenAddressOf(QString::fromLatin1(any)), QHostAddress(QHostAddress::Any));
        QVERIFY(listenAddressOf(QStringLiteral("attic")).isNull());
    }
};

QTEST_GUILESS_MAIN(TestListenPlace)
#include "test_listen_place.moc"
