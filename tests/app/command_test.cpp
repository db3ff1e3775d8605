// Words of the command line: what is understood, and what is refused with which advice.
#include <QTest>

#include "app/cli/command.h"

using namespace hearth;

namespace {

int runNothing(const QStringList &) {
    return Done;
}

const CommandRegistration last({QStringLiteral("zebra"), QString(), QStringLiteral("do nothing"), runNothing});
const CommandRegistration first({QStringLiteral("ant"), QStringLiteral("WORD"), QStringLiteral("do nothing"),
                                 runNothing});

void declare(CommandArguments &line) {
    line.positional(QStringLiteral("WORD"), QStringLiteral("needed"));
    line.positional(QStringLiteral("MORE"), QStringLiteral("not needed"), false);
    line.flag(QStringLiteral("json"), QStringLiteral("a flag"));
    line.value(QStringLiteral("rounds"), QStringLiteral("R"), QStringLiteral("a number"));
    line.textValue(QStringLiteral("note"), QStringLiteral("TEXT"), QStringLiteral("a text"));
}

}  // namespace

class CommandTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void commandsAreListedByName() {
        QCOMPARE(commandNames(), (QStringList{QStringLiteral("ant"), QStringLiteral("zebra")}));
        QVERIFY(findCommand(QStringLiteral("ant")));
        QVERIFY(!findCommand(QStringLiteral("bee")));
    }

    void wordsThatMakeSenseAreTaken_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QStringList>("positional");
        QTest::addColumn<bool>("json");
        QTest::addColumn<qint64>("rounds");
        const auto list = [](const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
        QTest::newRow("the needed word alone") << list("a") << list("a") << false << qint64(9);
        QTest::newRow("both words") << list("a b") << list("a b") << false << qint64(9);
        QTest::newRow("an option with a space") << list("a --rounds 5") << list("a") << false << qint64(5);
        QTest::newRow("an option with an equals sign") << list("--rounds=5 a") << list("a") << false << qint64(5);
        QTest::newRow("a flag before the word") << list("--json a") << list("a") << true << qint64(9);
        QTest::newRow("the last of two values counts")
            << list("a --rounds 5 --rounds 6") << list("a") << false << qint64(6);
        QTest::newRow("a word that looks like an option")
            << list("--json -- --rounds") << list("--rounds") << true << qint64(9);
        QTest::newRow("a text that is empty") << list("a --note=") << list("a") << false << qint64(9);
    }

    void wordsThatMakeSenseAreTaken() {
        QFETCH(QStringList, words);
        QFETCH(QStringList, positional);
        QFETCH(bool, json);
        QFETCH(qint64, rounds);
        CommandArguments line(QStringLiteral("ant"));
        declare(line);
        QVERIFY(!line.parse(words));
        QCOMPARE(line.wordCount(), positional.size());
        for (int i = 0; i < positional.size(); ++i)
            QCOMPARE(line.word(i), positional[i]);
        QCOMPARE(line.isSet(QStringLiteral("json")), json);
        QCOMPARE(line.integer(QStringLiteral("rounds"), 1, 10, 9).value(), rounds);
    }

    void namesOfAListAreTakenWithoutSpaces_data() {
        QTest::addColumn<QString>("given");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("one name") << QStringLiteral("one") << QStringList{QStringLiteral("one")};
        QTest::newRow("spaces around names, and in one")
            << QStringLiteral(" one , Anna's box") << QStringList{QStringLiteral("one"), QStringLiteral("Anna's box")};
        QTest::newRow("a comma that nothing follows") << QStringLiteral("one, ") << QStringList{QStringLiteral("one")};
        QTest::newRow("commas alone") << QStringLiteral(" , ,") << QStringList();
    }

    void namesOfAListAreTakenWithoutSpaces() {
        QFETCH(QString, given);
        QFETCH(QStringList, names);
        CommandArguments line(QStringLiteral("ant"));
        declare(line);
        QVERIFY(!line.parse({QStringLiteral("a"), QStringLiteral("--rounds"), given}));
        const auto list = line.list(QStringLiteral("rounds"));
        QCOMPARE(list.has_value(), !names.isEmpty());
        QCOMPARE(list.value_or(QStringList()), names);
        QCOMPARE(line.list(QStringLiteral("note")).value(), QStringList());
        if (!list)
            QVERIFY(list.error().toString().contains(QStringLiteral("--rounds")));
    }

    void wrongWordsAreWrongUsage_data() {
        QTest::addColumn<QStringList>("words");
        const auto list = [](const char *text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
        QTest::newRow("an unknown option") << list("a --jason");
        QTest::newRow("an unknown short option") << list("a -x");
        QTest::newRow("an option without its value") << list("a --rounds");
        QTest::newRow("a flag with a value") << list("a --json=yes");
        QTest::newRow("one word too many") << list("a b c");
        QTest::newRow("the needed word missing") << QStringList();
        QTest::newRow("the needed word empty") << QStringList{QString()};
        QTest::newRow("a word that need not be, and is empty") << list("a ");
        QTest::newRow("an option that is empty") << list("a --rounds=");
        QTest::newRow("an option that is followed by nothing") << list("a --rounds ");
        QTest::newRow("an option that is empty the first time") << list("a --rounds= --rounds=5");
    }

    void wrongWordsAreWrongUsage() {
        QFETCH(QStringList, words);
        CommandArguments line(QStringLiteral("ant"));
        declare(line);
        const auto status = line.parse(words);
        QVERIFY(status);
        QCOMPARE(*status, int(WrongUsage));
    }

    void helpIsNoError() {
        CommandArguments line(QStringLiteral("ant"));
        declare(line);
        const auto status = line.parse({QStringLiteral("--help")});
        QVERIFY(status);
        QCOMPARE(*status, int(Done));
        for (const char *word : {"hearth ant WORD", "--rounds R", "MORE", "--help"})
            QVERIFY2(line.usage().contains(QLatin1String(word)), word);
    }

    void numbersOutsideTheirRangeAreNamed_data() {
        QTest::addColumn<QString>("value");
        for (const char *value : {"0", "11", "-1", "x", " ", "1.5", "99999999999999999999"})
            QTest::newRow(value) << QString::fromLatin1(value);
    }

    void numbersOutsideTheirRangeAreNamed() {
        QFETCH(QString, value);
        CommandArguments line(QStringLiteral("ant"));
        declare(line);
        QVERIFY(!line.parse({QStringLiteral("a"), QStringLiteral("--rounds=") + value}));
        const auto number = line.integer(QStringLiteral("rounds"), 1, 10, 9);
        QVERIFY(!number);
        QVERIFY(number.error().toString().contains(QStringLiteral("--rounds")));
        QVERIFY(number.error().toString().contains(QStringLiteral("from 1 to 10")));
    }
};

QTEST_GUILESS_MAIN(CommandTest)
#include "command_test.moc"
