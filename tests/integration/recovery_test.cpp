// A demo home whose devices die and freeze while it trains, seen from outside: by its events alone.
#include <memory>

#include "tests/integration/demo_plan.h"
#include "tests/integration/program.h"

namespace {

QString text(const QJsonObject &object, const char *key) {
    return object[QLatin1String(key)].toString();
}

}  // namespace

class RecoveryTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_kept = std::make_unique<QTemporaryDir>();
    }

    void aHomeFinishesWithoutTheDeviceThatDiedAndWithTheOneThatFroze() {
        for (hearth::Tries tries;;) {
            hearth::Standstill machine;
            Program demo(*m_temporary);
            demo.start("hearth",
                       {QStringLiteral("demo"), job(), QStringLiteral("--devices"), QStringLiteral("3"),
                        QStringLiteral("--plan"), chain(), QStringLiteral("--headless"), QStringLiteral("--json")});
            QVERIFY2(demo.waitFor("round", 1), qPrintable(demo.errors()));
            const QString dead = idOf(demo, QStringLiteral("local-2")), frozen = idOf(demo, QStringLiteral("local-3"));
            QVERIFY(usedBy(demo.events("plan").first()).contains(dead));
            const End end = killAndFreeze(demo, dead, frozen);
            if (end != End::AsWanted) {
                const bool again = end == End::TooLate
                                       ? tries.again(QStringLiteral("The run was over too early."))
                                       : hearth::machineExcuses(demo.lossesBeside({dead, frozen}), machine, tries);
                QVERIFY2(again, qPrintable(demo.lossesBeside({}) + demo.errors()));
                demo.signal(SIGINT);
                const int status = demo.finish();
                QVERIFY2(status == 0 || status == interrupted, qPrintable(demo.errors()));
                continue;
            }
            QCOMPARE(demo.finish(), 0);
            QVERIFY(demo.events("error").isEmpty());
            checkRecoveries(demo.events());
            checkRounds(demo.events("round"));
            QCOMPARE(demo.events("finished").size(), 1);
            break;
        }
        QTRY_VERIFY_WITH_TIMEOUT(nothingIsLeft(*m_temporary), slow);
    }

  private:
    static constexpr int rounds = 500;
    static constexpr int interrupted = 130;  // the status after Ctrl-C

    enum class End {
        AsWanted,
        TooLate,  // the run was over before the turn of the one or the other
        Wrong,
    };

    /// One is lost and recovered from, and then the other one lost while rounds go on, and back.
    static End killAndFreeze(Program &demo, const QString &dead, const QString &frozen) {
        const auto isOver = [&demo] { return !demo.events("finished").isEmpty(); };
        const auto comes = [&](const char *kind, qsizetype count) {
            const auto isThere = [&] { return demo.events(kind).size() >= count; };
            (void)QTest::qWaitFor([&] { return isThere() || isOver() || !demo.isRunning(); }, slow);
            return isThere();
        };
        // How soon a loss is noticed, and how fast rounds are meanwhile, is up to the machine.
        const auto endWithout = [&] { return isOver() ? End::TooLate : End::Wrong; };
        signal(demo, dead, SIGKILL);
        if (!comes("recovered", 1))
            return endWithout();
        const qsizetype before = demo.events("round").size();
        signal(demo, frozen, SIGSTOP);
        const bool goesOn = comes("lost", 2) && comes("round", before + 10);
        const End end = endWithout();
        signal(demo, frozen, SIGCONT);
        if (!goesOn)
            return end;
        if (!comes("joined", 1))
            return endWithout();
        const bool inOrder = demo.idsOf("lost").mid(0, 2) == QStringList{dead, frozen};
        return inOrder && demo.idsOf("joined").first() == frozen ? End::AsWanted : End::Wrong;
    }

    /// Whoever was lost while the plan in force needed it is recovered from, under a later term.
    static void checkRecoveries(const QList<QJsonObject> &events) {
        QJsonObject plan, lost;
        for (const QJsonObject &event : events) {
            const QString kind = text(event, "event");
            if (kind == QLatin1String("lost") && usedBy(plan).contains(text(event, "id"))) {
                lost = event;
            } else if (kind == QLatin1String("recovered")) {
                QVERIFY(event[QLatin1String("seconds")].toDouble() > 0);
                lost = {};
            } else if (kind == QLatin1String("plan")) {
                QVERIFY(event[QLatin1String("term")].toInt() > plan[QLatin1String("term")].toInt());
                QVERIFY(!usedBy(event).contains(text(lost, "id")));
                plan = event;
            }
        }
        QVERIFY(lost.isEmpty());
    }

    /// None is left out, and none is counted twice under one term.
    static void checkRounds(const QList<QJsonObject> &events) {
        int term = 0, last = 0;
        for (const QJsonObject &event : events) {
            const int round = event[QLatin1String("round")].toInt(), its = event[QLatin1String("term")].toInt();
            QVERIFY(its >= term);
            QVERIFY2(its == term ? round == last + 1 : round <= last + 1, qPrintable(QString::number(round)));
            QCOMPARE(event[QLatin1String("version")].toInt(), round);
            term = its;
            last = round;
        }
        QCOMPARE(last, rounds);
    }

    static QString idOf(Program &demo, const QString &name) {
        for (const QJsonObject &device : demo.events("device")) {
            if (text(device, "name") == name)
                return text(device, "id");
        }
        return {};
    }

    /// To the device's agent and to its newest worker.
    static void signal(Program &demo, const QString &id, int number) {
        qint64 agent = 0, worker = 0;
        for (const QJsonObject &device : demo.events("device")) {
            if (text(device, "id") == id)
                agent = std::max(agent, device[QLatin1String("agent_pid")].toInteger());
        }
        for (const QJsonObject &event : demo.events("worker")) {
            if (text(event, "id") == id)
                worker = event[QLatin1String("worker_pid")].toInteger();
        }
        QVERIFY(agent > 0 && worker > 0);
        // One that was frozen for long may have been given up by its agent's heirs, and a run may be over.
        ::kill(static_cast<pid_t>(agent), number);
        ::kill(static_cast<pid_t>(worker), number);
    }

    QString write(const char *name, const QJsonObject &object) {
        const QString path = m_kept->filePath(QLatin1String(name));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(QJsonDocument(object).toJson());
        return path;
    }

    QString job() {
        return write("job.json", {{QStringLiteral("format"), QStringLiteral("hearth-job/1")},
                                  {QStringLiteral("rounds"), rounds},
                                  {QStringLiteral("evaluate_every"), 0}});
    }

    /// Every device has a stage, so that each is missed.
    QString chain() { return write("plan.json", chainOfThree()); }

    std::unique_ptr<QTemporaryDir> m_temporary;  // must be empty at the end
    std::unique_ptr<QTemporaryDir> m_kept;
};

QTEST_GUILESS_MAIN(RecoveryTest)
#include "recovery_test.moc"
