#include <QTest>

#include "core/wire/first_bytes.h"

using namespace hearth;

namespace {

constexpr qsizetype limit = 8192;

QByteArray hello(int length) {
    QByteArray bytes("\x16\x03\x01", 3);
    const int record = length - 5;
    bytes += char(record >> 8);
    bytes += char(record);
    bytes += '\x01';
    const int message = record - 4;
    bytes += char(message >> 16);
    bytes += char(message >> 8);
    bytes += char(message);
    return bytes + QByteArray(message, 'x');
}

}  // namespace

class TestFirstBytes : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aConnectionIsJudgedByItsFirstBytes_data() {
        using Kind = FirstBytes::Kind;
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<int>("needed");
        QTest::newRow("nothing yet") << QByteArray() << Kind::Incomplete << 9;
        QTest::newRow("one right byte") << hello(300).left(1) << Kind::Incomplete << 9;
        QTest::newRow("half a header") << hello(300).left(8) << Kind::Incomplete << 9;
        QTest::newRow("a header") << hello(300).left(9) << Kind::Incomplete << 300;
        QTest::newRow("all but a byte") << hello(300).left(299) << Kind::Incomplete << 300;
        QTest::newRow("a whole hello") << hello(300) << Kind::Hello << 300;
        QTest::newRow("more than a hello") << hello(300) + "abc" << Kind::Hello << 300;
        QTest::newRow("the longest hello") << hello(limit) << Kind::Hello << int(limit);
        QTest::newRow("a hello that is too long") << hello(limit + 1).left(9) << Kind::Foreign << 0;
        QTest::newRow("the longest record there is")
            << QByteArray("\x16\x03\x01\xff\xff\x01\x00\xff\xfb", 9) << Kind::Foreign << 0;
        QTest::newRow("one wrong byte") << QByteArray("G") << Kind::Foreign << 0;
        QTest::newRow("a page is asked for") << QByteArray("GET / HTTP/1.1\r\n\r\n") << Kind::Foreign << 0;
        QTest::newRow("another major version") << QByteArray("\x16\x02") << Kind::Foreign << 0;
        QTest::newRow("an alert") << QByteArray("\x15\x03\x03\x00\x02\x02\x28\x00\x00", 9) << Kind::Foreign << 0;
        QTest::newRow("another message than a hello")
            << QByteArray("\x16\x03\x01\x00\x08\x02\x00\x00\x04", 9) << Kind::Foreign << 0;
        QTest::newRow("a message longer than its record")
            << QByteArray("\x16\x03\x01\x00\x08\x01\xff\xff\xff", 9) << Kind::Foreign << 0;
        QTest::newRow("a message shorter than its record")
            << QByteArray("\x16\x03\x01\x01\x00\x01\x00\x00\x04", 9) << Kind::Foreign << 0;
        QTest::newRow("a record that has no room for a message")
            << QByteArray("\x16\x03\x01\x00\x00\x01\x00\x00\x00", 9) << Kind::Foreign << 0;
    }
    void aConnectionIsJudgedByItsFirstBytes() {
        QFETCH(QByteArray, bytes);
        QFETCH(FirstBytes::Kind, kind);
        QFETCH(int, needed);
        const FirstBytes judged = judgeFirstBytes(bytes, limit);
        QCOMPARE(judged.kind, kind);
        QCOMPARE(judged.needed, qsizetype(needed));
    }
};

QTEST_GUILESS_MAIN(TestFirstBytes)
#include "test_first_bytes.moc"
