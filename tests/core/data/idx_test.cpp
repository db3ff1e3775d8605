#include "core/data/idx.h"

#include <QBuffer>
#include <QTest>

#include "idx_file.h"

using namespace hearth;

namespace {

Result<IdxArray> read(QByteArray content) {
    QBuffer buffer(&content);
    buffer.open(QIODevice::ReadOnly);
    return readIdx(buffer, QStringLiteral("x-idx3-ubyte.gz"));
}

}  // namespace

class IdxTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void validFilesAreRead_data();
    void validFilesAreRead();
    void malformedFilesAreRefused_data();
    void malformedFilesAreRefused();
};

void IdxTest::validFilesAreRead_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<std::vector<qint64>>("shape");
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray large(9 << 20, 'x');
    QTest::newRow("plain labels") << idx({3}, "abc") << std::vector<qint64>{3} << QByteArray("abc");
    QTest::newRow("gzip images") << gzip(idx({2, 1, 2}, "abcd")) << std::vector<qint64>{2, 1, 2} << QByteArray("abcd");
    QTest::newRow("colour images") << idx({1, 3, 1, 1}, "rgb") << std::vector<qint64>{1, 3, 1, 1} << QByteArray("rgb");
    QTest::newRow("more than one piece") << gzip(idx({9, 1 << 20}, large)) << std::vector<qint64>{9, 1 << 20} << large;
    const QByteArray whole = idx({4}, "abcd");
    QTest::newRow("two gzip members") << gzip(whole.left(6)) + gzip(whole.mid(6)) << std::vector<qint64>{4}
                                      << QByteArray("abcd");
}

void IdxTest::validFilesAreRead() {
    QFETCH(QByteArray, content);
    const auto array = read(content);
    QVERIFY2(array, array ? "" : qPrintable(array.error().toString()));
    QTEST(array->shape, "shape");
    QTEST(array->bytes, "bytes");
}

void IdxTest::malformedFilesAreRefused_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("word");
    const QString malformed = QStringLiteral("data.malformed"), cut = QStringLiteral("data.cut-short");
    const auto row = [](const char *name, const QByteArray &content, const QString &code, const char *word) {
        QTest::newRow(name) << content << code << QString::fromLatin1(word);
    };
    const QByteArray good = idx({2, 3}, "abcdef");
    const QByteArray packed = gzip(good);
    row("an empty file", QByteArray(), cut, "0 of 4");
    row("a text file", "hello world", malformed, "68 65 6c");
    row("floats instead of bytes", QByteArray("\0\0\x0d\x01\0\0\0\x01\0\0\0\0", 12), malformed, "00 00 0d");
    row("no dimensions", QByteArray("\0\0\x08\0", 4), malformed, "0 dimensions");
    row("too many dimensions", QByteArray("\0\0\x08\x7f", 4), malformed, "127 dimensions");
    row("cut in the sizes", good.left(9), cut, "9 of 12");
    row("cut in the data", good.left(15), cut, "15 of 18");
    row("a size of zero", idx({2, 0}, ""), malformed, "size of 0");
    row("a size of 4 billion squared", idx({0xffffffff, 0xffffffff}, ""), malformed, "size of 4294967295");
    row("a huge claim and no data", idx({4000000000}, "abc"), cut, "of 4000000008");
    row("bytes behind the end", good + "x", malformed, "behind the 6");
    row("gzip cut in the data", packed.left(14), cut, "");
    row("gzip cut in its checksum", packed.left(packed.size() - 3), cut, "");
    row(
        "gzip with a wrong checksum",
        [&packed] {
            QByteArray wrong = packed;
            wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);
            return wrong;
        }(),
        malformed, "damaged");
    row(
        "gzip with damaged data",
        [&packed] {
            QByteArray wrong = packed;
            wrong[10] = static_cast<char>(0xff);
            return wrong;
        }(),
        malformed, "damaged");
}

void IdxTest::malformedFilesAreRefused() {
    QFETCH(QByteArray, content);
    QFETCH(QString, word);
    const auto array = read(content);
    QVERIFY(!array);
    QTEST(array.error().code, "code");
    QVERIFY2(array.error().toString().contains(word), qPrintable(array.error().toString()));
    QVERIFY(array.error().what.contains(QStringLiteral("x-idx3-ubyte.gz")));
}

QTEST_GUILESS_MAIN(IdxTest)
#include "idx_test.moc"
