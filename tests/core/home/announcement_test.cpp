// What is read from an announcement, and where one may lead.
#include <QTest>

#include "core/home/announcement.h"

using namespace hearth;

namespace {

const QByteArray id = "id=0123456789abcdef";

}  // namespace

class AnnouncementTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsAnnouncedIsReadBack() {
        Announcement announcement;
        announcement.prefix = QStringLiteral("0123456789abcdef");
        QCOMPARE(announcement.toTxt(), (QByteArrayList{"v=1", id}));
        const auto read = Announcement::fromTxt(announcement.toTxt());
        QVERIFY(read);
        QCOMPARE(*read, announcement);
    }

    void onlyTheFirstDigitsOfTheKeyAreAnnounced() {
        Fingerprint fingerprint;
        fingerprint.bytes.fill(0xab);
        QCOMPARE(announcedPrefix(fingerprint),
                 QString(16, QLatin1Char('x')).replace(QStringLiteral("xx"), QStringLiteral("ab")));
        QVERIFY(isAnnouncedPrefix(announcedPrefix(fingerprint)));
    }

    void strangeRecords_data() {
        QTest::addColumn<QByteArrayList>("txt");
        QTest::addColumn<int>("version");  // 0: refused
        QTest::newRow("nothing is refused") << QByteArrayList{} << 0;
        QTest::newRow("no version is refused") << QByteArrayList{id} << 0;
        QTest::newRow("no digits are refused") << QByteArrayList{"v=1"} << 0;
        QTest::newRow("a later version is told") << QByteArrayList{"v=2", id} << 2;
        QTest::newRow("version 0 is refused") << QByteArrayList{"v=0", id} << 0;
        QTest::newRow("a negative version is refused") << QByteArrayList{"v=-1", id} << 0;
        QTest::newRow("a huge version is refused") << QByteArrayList{"v=99999999999999999999", id} << 0;
        QTest::newRow("an empty version is refused") << QByteArrayList{"v=", id} << 0;
        QTest::newRow("a key without a value is none") << QByteArrayList{"v", "id", "v=1", id} << 1;
        QTest::newRow("the first of a key counts") << QByteArrayList{"v=1", id, "v=7", "id=junk"} << 1;
        QTest::newRow("case of keys does not count") << QByteArrayList{"V=1", "ID=0123456789abcdef"} << 1;
        QTest::newRow("unknown keys are left alone") << QByteArrayList{"x=y", QByteArray(255, 'z'), "v=1", id} << 1;
        QTest::newRow("too few digits are refused") << QByteArrayList{"v=1", "id=0123456789abcde"} << 0;
        QTest::newRow("too many digits are refused") << QByteArrayList{"v=1", "id=0123456789abcdef0"} << 0;
        QTest::newRow("capital digits are refused") << QByteArrayList{"v=1", "id=0123456789ABCDEF"} << 0;
        QTest::newRow("other letters are refused") << QByteArrayList{"v=1", "id=0123456789abcdeg"} << 0;
        QTest::newRow("digits with a null byte are refused")
            << QByteArrayList{"v=1", QByteArray("id=0123456789abcde\0", 19)} << 0;
        QByteArrayList many(Announcement::maximumStrings, "x=y");
        QTest::newRow("what comes after many strings is not looked at") << many + QByteArrayList{"v=1", id} << 0;
    }
    void strangeRecords() {
        QFETCH(const QByteArrayList, txt);
        QFETCH(const int, version);
        const auto read = Announcement::fromTxt(txt);
        QCOMPARE(read ? read->version : 0, version);
        if (!read) {
            QCOMPARE(read.error().code, QStringLiteral("announcement.invalid"));
            QVERIFY(!read.error().cause.isEmpty());
        }
    }

    void names_data() {
        QTest::addColumn<QByteArray>("announced");
        QTest::addColumn<QString>("shown");
        QTest::newRow("a plain one stays") << QByteArray("nano-1") << QStringLiteral("nano-1");
        QTest::newRow("letters of all languages stay")
            << QByteArray("Küche 台所 🍲") << QString::fromUtf8("Küche 台所 🍲");
        QTest::newRow("control characters vanish")
            << QByteArray("a\x1b[31mb\nc\rd\x7f") << QStringLiteral("a [31mb c d");
        QTest::newRow("what turns the direction of a text vanishes")
            << QByteArray("a\xe2\x80\xae\x62\xe2\x81\xa6") << QStringLiteral("ab");
        QTest::newRow("markup stays as the text that it is") << QByteArray("<b>x</b>") << QStringLiteral("<b>x</b>");
        QTest::newRow("bytes that are no text are marked") << QByteArray("a\xff") << QString::fromUtf8("a\xef\xbf\xbd");
        QTest::newRow("nothing is nothing") << QByteArray(" \t\n") << QString();
        QTest::newRow("a long one is cut") << QByteArray(500, 'n') << QString(64, QLatin1Char('n'));
    }
    void names() {
        QFETCH(const QByteArray, announced);
        QFETCH(const QString, shown);
        QCOMPARE(cleanName(announced), shown);
    }

    void aCutLeavesWholeCharacters() {
        const QString name = cleanName(QByteArray(63, 'n') + "🍲");
        QVERIFY(!name.back().isHighSurrogate());
        QVERIFY(name.size() <= 64);
    }

    void whereAnAnnouncementMayLead_data() {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("isHome");
        QTest::newRow("10/8") << "10.1.2.3" << true;
        QTest::newRow("172.16/12") << "172.31.0.1" << true;
        QTest::newRow("beyond 172.16/12") << "172.32.0.1" << false;
        QTest::newRow("192.168/16") << "192.168.1.5" << true;
        QTest::newRow("link-local IPv4") << "169.254.7.7" << true;
        QTest::newRow("link-local IPv6") << "fe80::1%eth0" << true;
        QTest::newRow("unique local IPv6") << "fd12::1" << true;
        QTest::newRow("a network that this machine is in") << "203.0.113.9" << true;
        QTest::newRow("an IPv6 network that this machine is in") << "2001:db8:1::5" << true;
        QTest::newRow("another IPv6 network") << "2001:db8:2::5" << false;
        QTest::newRow("a server elsewhere") << "8.8.8.8" << false;
        QTest::newRow("a server elsewhere, mapped") << "::ffff:8.8.8.8" << false;
        QTest::newRow("this machine") << "127.0.0.1" << false;
        QTest::newRow("this machine, mapped") << "::ffff:127.0.0.1" << false;
        QTest::newRow("this machine by IPv6") << "::1" << false;
        QTest::newRow("many at once") << "224.0.0.251" << false;
        QTest::newRow("many at once by IPv6") << "ff02::fb" << false;
        QTest::newRow("everybody") << "255.255.255.255" << false;
        QTest::newRow("nobody") << "" << false;
        QTest::newRow("anywhere") << "0.0.0.0" << false;
    }
    void whereAnAnnouncementMayLead() {
        QFETCH(const QString, address);
        QFETCH(const bool, isHome);
        const QList<Subnet> subnets{{QHostAddress(QStringLiteral("203.0.113.1")), 24},
                                    {QHostAddress(QStringLiteral("2001:db8:1::1")), 64}};
        QCOMPARE(isAtHome(QHostAddress(address), subnets), isHome);
    }
};

QTEST_GUILESS_MAIN(AnnouncementTest)
#include "announcement_test.moc"
