// Supervised children: whatever they do, the parent lives and can say what happened.
#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <csignal>

#include "core/agent/child_process.h"
#include "tests/core/base/no_files_left.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

QString fakeChild() {
    return QStringLiteral(HEARTH_FAKE_CHILD);
}

qsizetype loggedOfFake = 0;

void countLogged(QtMsgType, const QMessageLogContext &, const QString &message) {
    loggedOfFake += message.startsWith(QLatin1String("The fake")) ? message.size() : 0;
}

}  // namespace

class ChildProcessTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aCallIsAnswered() {
        ChildProcess child(QStringLiteral("The fake"));
        child.start(fakeChild(), {});
        std::optional<Result<QCborMap>> answer;
        child.call(QStringLiteral("echo"), {{QStringLiteral("x"), 7}}, std::chrono::minutes(1), this,
                   [&](const Result<QCborMap> &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QVERIFY(*answer);
        QCOMPARE((**answer)[QStringLiteral("x")].toInteger(), 7);
    }

    void itsEnvironmentIsOursWithDefaults() {
        qputenv("HEARTH_TEST_SET_BY_A_PERSON", "active");
        ChildProcess child(QStringLiteral("The fake"));
        child.setDefault(QStringLiteral("HEARTH_TEST_SET_BY_A_PERSON"), QStringLiteral("passive"));
        child.setDefault(QStringLiteral("HEARTH_TEST_SET_BY_NOBODY"), QStringLiteral("4"));
        child.start(fakeChild(), {});
        std::optional<Result<QCborMap>> answer;
        child.call(QStringLiteral("echo"), {}, std::chrono::minutes(1), this,
                   [&](const Result<QCborMap> &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QFile file(QStringLiteral("/proc/%1/environ").arg(child.pid()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList environment = file.readAll().split('\0');
        QVERIFY(environment.contains("HEARTH_TEST_SET_BY_A_PERSON=active"));
        QVERIFY(environment.contains("HEARTH_TEST_SET_BY_NOBODY=4"));
        QVERIFY(environment.contains("PATH=" + qgetenv("PATH")));
    }

    void itsEndIsToldOnceWithItsLastOutput_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("an exit status") << QStringList{QStringLiteral("exit"), QStringLiteral("3")}
                                        << QStringLiteral("child.failed") << QStringLiteral("the file is broken");
        QTest::newRow("memory that ran out")
            << QStringList{QStringLiteral("exhaust")} << QStringLiteral("child.out-of-memory")
            << QStringLiteral("1152921504606846976 bytes");
        QTest::newRow("an end that nobody asked for") << QStringList{QStringLiteral("exit"), QStringLiteral("0")}
                                                      << QStringLiteral("child.ended") << QStringLiteral("broken");
        QTest::newRow("a crash") << QStringList{QStringLiteral("signal"), QString::number(SIGFPE)}
                                 << QStringLiteral("child.crashed") << QStringLiteral("about to fall");
        QTest::newRow("a kill") << QStringList{QStringLiteral("signal"), QString::number(SIGKILL)}
                                << QStringLiteral("child.killed") << QStringLiteral("about to fall");
    }

    void itsEndIsToldOnceWithItsLastOutput() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, code);
        QFETCH(QString, words);
        ChildProcess child(QStringLiteral("The fake"));
        QSignalSpy ended(&child, &ChildProcess::ended);
        child.start(fakeChild(), arguments);
        QVERIFY(ended.count() == 1 || ended.wait(patience));
        const auto error = ended.first().first().value<Error>();
        QCOMPARE(error.code, code);
        QVERIFY2(error.toString().contains(words), qPrintable(error.toString()));
        QVERIFY(error.what.startsWith(QStringLiteral("The fake")));
        QVERIFY(!child.isRunning());
        QTest::qWait(0);
        QCOMPARE(ended.count(), 1);
    }

    void oneThatComplainsWithoutEndDoesNotFillTheLog() {
        ChildProcess child(QStringLiteral("The fake"));
        QSignalSpy ended(&child, &ChildProcess::ended);
        loggedOfFake = 0;
        const QtMessageHandler before = qInstallMessageHandler(countLogged);
        child.start(fakeChild(), {QStringLiteral("chatter")});
        const bool hasEnded = ended.count() == 1 || ended.wait(patience);
        qInstallMessageHandler(before);
        QVERIFY(hasEnded);
        QVERIFY(loggedOfFake > 0);
        QVERIFY2(loggedOfFake < 2 * ChildProcess::mostLoggedBytes, qPrintable(QString::number(loggedOfFake)));
        const auto error = ended.first().first().value<Error>();
        QVERIFY2(error.toString().contains(QStringLiteral("the last picture")), qPrintable(error.toString()));
    }

    void aProgramThatIsNotThereIsAnError() {
        ChildProcess child(QStringLiteral("The fake"));
        QSignalSpy ended(&child, &ChildProcess::ended);
        child.start(QStringLiteral("/nowhere/at/all"), {});
        std::vector<QString> answers;
        const auto ask = [&] {
            child.call(QStringLiteral("echo"), {}, std::chrono::minutes(10), this,
                       [&](const Result<QCborMap> &result) { answers.push_back(result.error().code); });
        };
        ask();  // before it is known, and afterwards
        QVERIFY(ended.count() == 1 || ended.wait(patience));
        QCOMPARE(ended.first().first().value<Error>().code, QStringLiteral("child.not-started"));
        ask();
        QTRY_COMPARE_WITH_TIMEOUT(answers.size(), std::size_t(2), patience);
        for (const QString &code : answers)
            QCOMPARE(code, QStringLiteral("child.not-started"));
    }

    void aProcessThatTheSystemCannotMakeIsAnErrorAlsoOnceItIsLetGo() {
        auto child = std::make_unique<ChildProcess>(QStringLiteral("The fake"));
        QSignalSpy ended(child.get(), &ChildProcess::ended);
        {
            const NoFilesLeft none;
            child->start(fakeChild(), {});
        }
        QCOMPARE(ended.count(), 1);
        std::optional<Result<QCborMap>> answer;
        child->call(QStringLiteral("echo"), {}, std::chrono::minutes(10), this,
                    [&](const Result<QCborMap> &result) { answer = result; });
        child.reset();
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        const Error &error = answer->error();
        QCOMPARE(error.code, QStringLiteral("child.not-started"));
        QVERIFY(!error.cause.isEmpty());
        QVERIFY2(error.advice.contains(QStringLiteral("Close other programs")), qPrintable(error.toString()));
    }

    void aCallThatKillsTheChildFailsWithItsEnd() {
        ChildProcess child(QStringLiteral("The fake"));
        child.start(fakeChild(), {});
        std::optional<Result<QCborMap>> answer;
        child.call(QStringLiteral("die"), {}, std::chrono::minutes(1), this,
                   [&](const Result<QCborMap> &result) { answer = result; });
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QCOMPARE(answer->error().code, QStringLiteral("child.failed"));
        QVERIFY(answer->error().toString().contains(QStringLiteral("in the middle of a call")));
    }

    void whatTheChildSaidItselfComesFirst() {
        ChildProcess child(QStringLiteral("The fake"));
        QSignalSpy ended(&child, &ChildProcess::ended);
        child.start(fakeChild(), {});
        std::optional<Result<QCborMap>> answer;
        child.call(QStringLiteral("explain"), {}, std::chrono::minutes(1), this,
                   [&](const Result<QCborMap> &result) { answer = result; });
        QVERIFY(ended.wait(patience));
        QCOMPARE(ended.first().first().value<Error>().code, QStringLiteral("worker.out-of-memory"));
        QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
        QCOMPARE(answer->error().code, QStringLiteral("worker.out-of-memory"));
    }

    void aPoliteStopIsTheEndOfItsInput() {
        ChildProcess child(QStringLiteral("The fake"));
        QSignalSpy ended(&child, &ChildProcess::ended);
        child.start(fakeChild(), {});
        child.stop(std::chrono::minutes(1));
        QVERIFY(ended.wait(patience));
        QVERIFY(child.end()->requested);
        QCOMPARE(child.end()->kind, ChildEnd::Kind::Exited);
        QCOMPARE(child.end()->code, 0);
    }

    void oneThatHangsIsKilledAfterTheGrace() {
        ChildProcess child(QStringLiteral("The fake"));
        QSignalSpy ended(&child, &ChildProcess::ended);
        child.start(fakeChild(), {QStringLiteral("hang")});
        child.stop(std::chrono::milliseconds(50));
        QVERIFY(ended.wait(patience));
        QCOMPARE(child.end()->kind, ChildEnd::Kind::Signalled);
        QCOMPARE(child.end()->code, SIGKILL);
        QVERIFY(child.end()->requested);
        QVERIFY(!child.end()->outOfMemory);
    }

    void noChildStaysWithoutItsObject() {
        qint64 pid = 0;
        {
            ChildProcess child(QStringLiteral("The fake"));
            child.start(fakeChild(), {QStringLiteral("hang")});
            pid = child.pid();
            QVERIFY(pid > 0);
        }
        QCOMPARE(::kill(static_cast<pid_t>(pid), 0), -1);
    }

    void wantOfMemoryIsNamed() {
        ChildEnd end;
        end.kind = ChildEnd::Kind::Signalled;
        end.code = SIGKILL;
        end.outOfMemory = true;
        const Error error = describeEnd(QStringLiteral("The worker on local-2"), end);
        QCOMPARE(error.code, QStringLiteral("child.out-of-memory"));
        QVERIFY(error.what.contains(QStringLiteral("memory ran out")));
        QVERIFY(!error.advice.isEmpty());
    }

    void lastOutputIsShortAndPrintable() {
        ChildEnd end;
        end.code = 1;
        end.lastOutput = QByteArray("\x1b[31m") + QByteArray(100000, 'x') + "\n\n  the end \n";
        const Error error = describeEnd(QStringLiteral("The worker"), end);
        QVERIFY(error.cause.english().size() < 1000);
        QVERIFY(error.cause.contains(QStringLiteral("the end")));
        QVERIFY(!error.cause.contains(QChar(0x1b)));
    }
};

QTEST_GUILESS_MAIN(ChildProcessTest)
#include "child_process_test.moc"
