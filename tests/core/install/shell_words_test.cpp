// Words must reach a program on another computer as they are: proven with real shells.
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTest>

#include "core/install/shell_words.h"

using namespace hearth;

namespace {

/// What the shell hands to a program for this command line: each word with a zero byte behind it.
QByteArray asTaken(const QString &shell, const QByteArray &command) {
    QProcess process;
    process.start(shell, {QStringLiteral("-c"), QString::fromUtf8(command)});
    process.waitForFinished();
    return process.readAllStandardOutput();
}

QByteArray expected(const QStringList &words) {
    QByteArray bytes;
    for (const QString &word : words)
        bytes += word.toUtf8() + '\0';
    return bytes;
}

}  // namespace

class ShellWordsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void wordsArriveAsTheyAre_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("plain") << QStringList{QStringLiteral("a"), QStringLiteral("b")};
        QTest::newRow("nothing at all") << QStringList{QString()};
        QTest::newRow("spaces and tabs") << QStringList{QStringLiteral(" a  b\t")};
        QTest::newRow("quotes of all kinds") << QStringList{QStringLiteral("it's"), QStringLiteral("\"x\""),
                                                            QStringLiteral("'"), QStringLiteral("''''")};
        QTest::newRow("a command to be substituted")
            << QStringList{QStringLiteral("$(touch x)"), QStringLiteral("`id`")};
        QTest::newRow("variables, globs and braces") << QStringList{QStringLiteral("$HOME ${PATH} * ? [a] {a,b} ~")};
        QTest::newRow("separators") << QStringList{QStringLiteral("; & | && || > < \\ ! # %")};
        QTest::newRow("line ends") << QStringList{QStringLiteral("a\nb\r\n")};
        QTest::newRow("an option") << QStringList{QStringLiteral("--help"), QStringLiteral("-n")};
        QTest::newRow("other scripts") << QStringList{QStringLiteral("größe 木 🔥")};
    }

    void wordsArriveAsTheyAre() {
        QFETCH(QStringList, words);
        const auto command = shellCommand(QStringList{QStringLiteral("printf"), QStringLiteral("%s\\0")} + words);
        QVERIFY(command);
        QCOMPARE(asTaken(QStringLiteral("sh"), *command), expected(words));
        QCOMPARE(asTaken(QStringLiteral("bash"), *command), expected(words));
    }

    void anyWordArrivesAsItIs() {
        QRandomGenerator random(7);
        const QString letters = QStringLiteral("ab '\"\\$`!*?[]{}()<>|&;#~=%\n\t-");
        QStringList words;
        for (int i = 0; i < 500; ++i) {
            QString word;
            for (int length = random.bounded(12); length > 0; --length)
                word += letters[random.bounded(letters.size())];
            words << word;
        }
        const auto command = shellCommand(QStringList{QStringLiteral("printf"), QStringLiteral("%s\\0")} + words);
        QVERIFY(command);
        QCOMPARE(asTaken(QStringLiteral("sh"), *command), expected(words));
    }

    void aZeroByteIsRefused() {
        const auto quoted = shellQuoted(QStringLiteral("a") + QChar(0) + QStringLiteral("b"));
        QVERIFY(!quoted);
        QCOMPARE(quoted.error().code, QStringLiteral("install.bad-word"));
    }
};

QTEST_GUILESS_MAIN(ShellWordsTest)
#include "shell_words_test.moc"
