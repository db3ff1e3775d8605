// Two devices pair by their programs, as scripts and people without a window do it, and forget each other.
#include <pty.h>
#include <unistd.h>
#include <QJsonArray>
#include <memory>

#include "tests/integration/program.h"

/// Of the first attempt that led to nothing; milliseconds.
constexpr int pauseOfStrangers = 2000;

class PairingProgramsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_temporary, m_kept;
    std::unique_ptr<Program> m_one, m_two;
    QString m_address;  // of the second

    QString state(const char *name) const { return m_kept->filePath(QString::fromLatin1(name)); }
    std::unique_ptr<Program> startAgent(const char *name) {
        auto agent = std::make_unique<Program>(*m_temporary);
        agent->start("hearth-agent",
                     {QStringLiteral("--state"), state(name), QStringLiteral("--name"), QString::fromLatin1(name),
                      QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"), QStringLiteral("--no-mdns")});
        return QTest::qWaitFor([&] { return !agent->events().isEmpty(); }, slow) ? std::move(agent) : nullptr;
    }
    /// The digits that this end shows; empty where it ended before.
    static QByteArray digits(Program &end) {
        QByteArray code;
        const auto shown = [&] {
            for (const QJsonObject &line : end.events()) {
                if (line[QLatin1String("pairing")].toString() == QLatin1String("compare"))
                    code = line[QLatin1String("code")].toString().toLatin1();
            }
            return !code.isEmpty() || !end.isRunning();
        };
        return QTest::qWaitFor(shown, slow) ? code : QByteArray();
    }
    void beginBoth(Program &dialler, Program &taker) {
        taker.start("hearth-agent", {QStringLiteral("pair"), QStringLiteral("--state"), state("two"),
                                     QStringLiteral("--json"), QStringLiteral("--yes-code"), QStringLiteral("-")});
        dialler.start("hearth", {QStringLiteral("pair"), m_address, QStringLiteral("--state"), state("one"),
                                 QStringLiteral("--json"), QStringLiteral("--yes-code"), QStringLiteral("-")});
    }
    QJsonArray devices(const char *name) {
        Program command(*m_temporary);
        command.start("hearth",
                      {QStringLiteral("devices"), QStringLiteral("--state"), state(name), QStringLiteral("--json")});
        return command.finish() == 0 ? command.events().value(0)[QLatin1String("devices")].toArray() : QJsonArray();
    }

  private Q_SLOTS:
    void init() {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_kept = std::make_unique<QTemporaryDir>();
        m_one = startAgent("one");
        m_two = startAgent("two");
        QVERIFY(m_one && m_two);
        m_address = m_two->events().first()[QLatin1String("address")].toString();
    }
    void cleanup() {
        for (Program *agent : {m_one.get(), m_two.get()}) {
            agent->signal(SIGTERM);
            QCOMPARE(agent->finish(), 0);
        }
        m_one.reset();
        m_two.reset();
    }

    void eachEndConfirmsTheDigitsOfTheOther() {
        Program dialler(*m_temporary), taker(*m_temporary);
        beginBoth(dialler, taker);
        const QByteArray left = digits(dialler), right = digits(taker);
        QCOMPARE(left.size(), 6);
        QCOMPARE(left, right);
        dialler.write(right + '\n');
        taker.write(left.left(3) + ' ' + left.mid(3) + '\n');
        QCOMPARE(dialler.finish(), 0);
        QCOMPARE(taker.finish(), 0);
        QVERIFY2(dialler.errors().contains(QStringLiteral("##")), qPrintable(dialler.errors()));
        QTRY_COMPARE_WITH_TIMEOUT(devices("one").size(), 2, slow);
        QTRY_COMPARE_WITH_TIMEOUT(devices("one")[1].toObject()[QLatin1String("state")].toString(),
                                  QStringLiteral("ready"), slow);
        Program forget(*m_temporary);
        forget.start("hearth",
                     {QStringLiteral("forget"), QStringLiteral("two"), QStringLiteral("--state"), state("one")});
        QCOMPARE(forget.finish(), 0);
        QCOMPARE(devices("one").size(), 1);
        Program again(*m_temporary);
        again.start("hearth",
                    {QStringLiteral("forget"), QStringLiteral("two"), QStringLiteral("--state"), state("one")});
        QCOMPARE(again.finish(), 1);
        QVERIFY(again.errors().contains(QStringLiteral("There is no device")));
    }

    void otherDigitsPairNobody() {
        Program dialler(*m_temporary), taker(*m_temporary);
        beginBoth(dialler, taker);
        const QByteArray right = digits(taker);
        QCOMPARE(right.size(), 6);
        taker.write(right + '\n');
        QByteArray wrong = right;
        wrong[5] = wrong[5] == '0' ? '1' : '0';
        dialler.write(wrong + '\n');
        QCOMPARE(dialler.finish(), 1);
        QCOMPARE(taker.finish(), 1);
        QVERIFY2(dialler.errors().contains(QStringLiteral("did not match")), qPrintable(dialler.errors()));
        QVERIFY2(taker.errors().contains(QStringLiteral("do not match")), qPrintable(taker.errors()));
        QCOMPARE(devices("one").size(), 1);
    }

    void aKeyPressedBeforeTheQuestionIsNoAnswer() {
        int keyboard = -1, terminal = -1;
        QCOMPARE(::openpty(&keyboard, &terminal, nullptr, nullptr, nullptr), 0);
        Program dialler(*m_temporary), taker(*m_temporary);
        taker.useTerminal(terminal);
        QCOMPARE(::write(keyboard, "y\n", 2), 2);
        taker.start("hearth-agent", {QStringLiteral("pair"), QStringLiteral("--state"), state("two")});
        dialler.start("hearth", {QStringLiteral("pair"), m_address, QStringLiteral("--state"), state("one"),
                                 QStringLiteral("--json"), QStringLiteral("--yes-code"), QStringLiteral("-")});
        const QByteArray code = digits(dialler);
        QCOMPARE(code.size(), 6);
        dialler.write(code + '\n');
        QTRY_VERIFY_WITH_TIMEOUT(taker.errors().contains(QStringLiteral("show the same digits?")), slow);
        QCOMPARE(::write(keyboard, "n\n", 2), 2);
        QCOMPARE(taker.finish(), 1);
        QCOMPARE(dialler.finish(), 1);
        QVERIFY2(dialler.errors().contains(QStringLiteral("do not match")), qPrintable(dialler.errors()));
        ::close(keyboard);
        ::close(terminal);
    }

    void whoeverInterruptsEndsBoth() {
        Program dialler(*m_temporary), taker(*m_temporary);
        beginBoth(dialler, taker);
        QVERIFY(!digits(taker).isEmpty());
        QVERIFY(!digits(dialler).isEmpty());  // before, it may not know yet that there is a pairing to cancel
        dialler.signal(SIGINT);
        QCOMPARE(dialler.finish(), 130);
        QCOMPARE(taker.finish(), 1);
        QVERIFY2(taker.errors().contains(QStringLiteral("cancelled on the other device")), qPrintable(taker.errors()));
    }

    void whoWaitsIsToldHowToForgetTheFormerDevice() {
        // The first device, as the second one knew it before it was set up anew.
        Program former(*m_temporary);
        former.start("hearth-agent",
                     {QStringLiteral("init"), QStringLiteral("--state"), state("former"), QStringLiteral("--name"),
                      QStringLiteral("one"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:9")});
        QCOMPARE(former.finish(), 0);
        QFile file(m_kept->filePath(QStringLiteral("former.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(former.output().toUtf8());
        file.close();
        Program trust(*m_temporary);
        trust.start("hearth-agent",
                    {QStringLiteral("trust"), file.fileName(), QStringLiteral("--state"), state("two")});
        QCOMPARE(trust.finish(), 0);
        QCOMPARE(devices("two").size(), 2);

        Program taker(*m_temporary);
        taker.start("hearth-agent", {QStringLiteral("pair"), QStringLiteral("--state"), state("two"),
                                     QStringLiteral("--yes-code"), QStringLiteral("1")});
        QTRY_VERIFY_WITH_TIMEOUT(taker.errors().contains(QStringLiteral("Waiting for a device")), slow);
        const QString command = QStringLiteral("hearth-agent distrust --state '%1' one").arg(state("two"));
        const auto isTold = [&] { return taker.errors().contains(command); };
        QString refused;
        // Until the taker, which has only said that it waits, listens to its agent.
        QElapsedTimer timer;
        timer.start();
        for (bool told = false; !told && !timer.hasExpired(slow); told = QTest::qWaitFor(isTold, pauseOfStrangers)) {
            Program dialler(*m_temporary);
            dialler.start("hearth", {QStringLiteral("pair"), m_address, QStringLiteral("--state"), state("one"),
                                     QStringLiteral("--yes-code"), QStringLiteral("1")});
            QCOMPARE(dialler.finish(), 1);
            refused += dialler.errors();
        }
        QVERIFY2(isTold(), qPrintable(taker.errors()));
        QVERIFY2(refused.contains(QStringLiteral("of this name with another key")), qPrintable(refused));
        QVERIFY(taker.isRunning());

        Program distrust(*m_temporary);
        distrust.start("hearth-agent",
                       {QStringLiteral("distrust"), QStringLiteral("--state"), state("two"), QStringLiteral("one")});
        QCOMPARE(distrust.finish(), 0);
        QCOMPARE(devices("two").size(), 1);
        taker.signal(SIGINT);
        QCOMPARE(taker.finish(), 1);
    }

    void withoutATerminalItIsRefused_data() {
        QTest::addColumn<bool>("daemon");
        QTest::newRow("hearth pair") << false;
        QTest::newRow("hearth-agent pair") << true;
    }
    void withoutATerminalItIsRefused() {
        QFETCH(bool, daemon);
        Program end(*m_temporary);
        end.start(daemon ? "hearth-agent" : "hearth",
                  {QStringLiteral("pair"), m_address, QStringLiteral("--state"), state("one")});
        QCOMPARE(end.finish(), 1);
        QVERIFY2(end.errors().contains(QStringLiteral("--yes-code")), qPrintable(end.errors()));
    }

    void aWordThatIsNoAddressIsWrongUsage() {
        Program end(*m_temporary);
        end.start("hearth", {QStringLiteral("pair"), QStringLiteral("a b:c"), QStringLiteral("--state"), state("one"),
                             QStringLiteral("--yes-code"), QStringLiteral("1")});
        QCOMPARE(end.finish(), 2);
    }
};

QTEST_GUILESS_MAIN(PairingProgramsTest)
#include "pairing_programs_test.moc"
