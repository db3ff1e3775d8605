#include <unistd.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryFile>
#include <QTest>

#include "core/base/terminal.h"

using namespace hearth;

class TestTerminal : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatSteersATerminalIsGone_data() {
        QTest::addColumn<QString>("told");
        QTest::addColumn<QString>("shown");
        QTest::newRow("words stay as they are")
            << QStringLiteral("Größe 7 µs · 電 😀 …") << QStringLiteral("Größe 7 µs · 電 😀 …");
        QTest::newRow("an escape sequence")
            << QStringLiteral("a\x1b[2J\x1b]0;title\x07z") << QStringLiteral("a [2J ]0;title z");
        QTest::newRow("the eight-bit form of one") << QStringLiteral("a\u009b2Jz") << QStringLiteral("a 2Jz");
        QTest::newRow("line ends of every kind")
            << QStringLiteral("a\r\nhearth: done\vb\u2028c\u2029d\u0085e") << QStringLiteral("a  hearth: done b c d e");
        QTest::newRow("backspaces and delete") << QStringLiteral("no\b\byes\x7f") << QStringLiteral("no  yes ");
        QTest::newRow("turns of direction")
            << QStringLiteral("a\u202eb\u2066c\u2069\u200fd\u061c") << QStringLiteral("abcd");
        QTest::newRow("what hides") << QStringLiteral("a\u200bb\u00adc\ufeffd") << QStringLiteral("abcd");
        QTest::newRow("what scripts need") << QStringLiteral("a\u200cb\u200dc") << QStringLiteral("a\u200cb\u200dc");
        QTest::newRow("hidden letters beyond the first plane")
            << QStringLiteral("a\U000E0041\U000E007Fb") << QStringLiteral("ab");
        QTest::newRow("half a character")
            << QStringLiteral("a") + QChar(0xd83d) + QStringLiteral("b") << QStringLiteral("a\ufffdb");
        QTest::newRow("nothing") << QString() << QString();
    }
    void whatSteersATerminalIsGone() {
        QFETCH(QString, told);
        QTEST(terminalText(told), "shown");
        QTemporaryFile file;
        QVERIFY(file.open());
        std::FILE *stream = ::fdopen(::dup(file.handle()), "w");
        writeLine(stream, told);
        std::fclose(stream);
        QFETCH(QString, shown);
        QVERIFY(file.seek(0));
        QCOMPARE(file.readAll(), shown.toUtf8() + '\n');
    }

    void jsonSaysTheSameWithoutIt() {
        const QJsonObject object{
            {QStringLiteral("library"), QStringLiteral("torch \x1b[2J \u009b \x7f \u202e \U000E0041 ü 😀 \\ \"")},
            {QStringLiteral("n\u2028"), 7}};
        const QByteArray told = QJsonDocument(object).toJson(QJsonDocument::Compact);
        const QByteArray shown = terminalJson(told);
        QCOMPARE(QJsonDocument::fromJson(shown).object(), object);
        const QString text = QString::fromUtf8(shown);
        QCOMPARE(terminalText(text), text);
        QVERIFY(text.contains(QStringLiteral("ü 😀")));
        // Of a file that somebody has written who did not mean JSON.
        QCOMPARE(terminalJson("\x1b[2J{\n}"), QByteArray("\\u001b[2J{\\u000a}"));
    }
};

QTEST_GUILESS_MAIN(TestTerminal)
#include "test_terminal.moc"
