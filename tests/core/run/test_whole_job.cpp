// What a whole job takes under a plan whose round lasts 2 s, sends 1,500 bytes and has 10 samples.
#include <QJsonDocument>
#include <QTest>
#include <cmath>

#include "core/plan/problem.h"
#include "core/run/whole_job.h"

using namespace hearth;

namespace {

const QString one = QStringLiteral("one"), two = QStringLiteral("two");

Plan planOfTwo() {
    Plan plan;
    plan.batch = 10;
    plan.microBatch = 5;
    plan.stages = {{0, 1, {{one, 5}}}, {1, 2, {{two, 5}}}};
    Prediction judged;
    judged.roundSeconds = 2;
    judged.roundBytes = {{one + QLatin1Char('>') + two, 1000}, {two + QLatin1Char('>') + one, 500}};
    judged.memoryBytes = {{one, 300}, {two, 200}};
    plan.prediction = judged;
    return plan;
}

JobLength lengthOf(qint64 rounds, qint64 evaluations = 0, qint64 samples = 0) {
    return {rounds, false, evaluations, samples};
}

DeviceInfo deviceOf(const QString &id, DeviceKind kind) {
    DeviceInfo device;
    device.id = id;
    device.kind = kind;
    return device;
}

JobDevices boardAndLaptop() {
    return {{deviceOf(one, DeviceKind::Board), deviceOf(two, DeviceKind::Laptop)}};
}

void check(const Estimated &number, double least, double likely, double most) {
    QCOMPARE(number.least, least);
    QCOMPARE(number.likely, likely);
    QCOMPARE(number.most, most);
}

}  // namespace

class TestWholeJob : public QObject {
    Q_OBJECT

    static QString line(const WholeJob &job, const char *name) {
        for (const WholeJobLine &each : linesOf(job, QStringLiteral("nano"))) {
            if (qstrcmp(each.name, name) == 0)
                return each.text.english();
        }
        return {};
    }

  private Q_SLOTS:
    void aJobTellsHowLongItIs_data() {
        QTest::addColumn<QByteArray>("job");
        QTest::addColumn<qint64>("samples");
        QTest::addColumn<qint64>("rounds");
        QTest::addColumn<qint64>("evaluations");
        QTest::addColumn<QString>("text");
        QTest::newRow("rounds") << QByteArray(R"("rounds":500)") << qint64{0} << qint64{500} << qint64{5}
                                << QStringLiteral("rounds: 500; evaluations: 5");
        QTest::newRow("the last evaluation is at the end")
            << QByteArray(R"("rounds":1201)") << qint64{0} << qint64{1201} << qint64{13}
            << QStringLiteral("rounds: 1,201; evaluations: 13");
        QTest::newRow("never evaluated") << QByteArray(R"("rounds":500,"evaluate_every":0)") << qint64{0} << qint64{500}
                                         << qint64{0} << QStringLiteral("rounds: 500; evaluations: 0");
        QTest::newRow("it may end early") << QByteArray(R"("rounds":500,"patience":3)") << qint64{0} << qint64{500}
                                          << qint64{5} << QStringLiteral("rounds: 500 at most; evaluations: 5 at most");
        QTest::newRow("passes over data that were counted")
            << QByteArray(R"("epochs":2,"batch":32)") << qint64{50} << qint64{4} << qint64{1}
            << QStringLiteral("rounds: 4; evaluations: 1");
        QTest::newRow("passes over data that were not")
            << QByteArray(R"("epochs":2,"batch":32)") << qint64{0} << qint64{0} << qint64{0}
            << QStringLiteral("how long is not known: it counts passes over data whose samples nobody has counted");
    }
    void aJobTellsHowLongItIs() {
        QFETCH(QByteArray, job);
        QFETCH(qint64, samples);
        const auto read = Job::fromJson(QJsonDocument::fromJson(R"({"format":"hearth-job/1",)" + job + '}').object(),
                                        QStringLiteral("the test"));
        QVERIFY(read);
        const JobLength length = JobLength::of(*read, {samples, 0});
        QTEST(length.rounds, "rounds");
        QTEST(length.evaluations, "evaluations");
        QTEST(lengthText(length).english(), "text");
    }

    void measuredTimesMayBeAFifthOff() {
        check(WholeJob::of(lengthOf(500), planOfTwo(), {}).seconds, 1000 / 1.2, 1000, 1200);
    }

    void predictedTimesMayBeMoreOff() {
        Plan plan = planOfTwo();
        plan.prediction->relativeError = 0.5;
        const double factor = 1 + std::hypot(0.2, 0.5);
        check(WholeJob::of(lengthOf(500), plan, {}).seconds, 1000 / factor, 1000, 1000 * factor);
    }

    void aRoundThatIsPlayedLongerOrShorterIsWithinTheBounds() {
        Plan plan = planOfTwo();
        plan.prediction->playedRoundSeconds = 3;
        check(WholeJob::of(lengthOf(500), plan, {}).seconds, 1000 / 1.2, 1000, 1500 * 1.2);
        plan.prediction->playedRoundSeconds = 1;
        check(WholeJob::of(lengthOf(500), plan, {}).seconds, 500 / 1.2, 1000, 1000 * 1.2);
    }

    void anEvaluationTakesAPartOfWhatTrainingOnItsSamplesTakes() {
        // As many samples as 60 rounds have.
        const WholeJob job = WholeJob::of(lengthOf(500, 6, 100), planOfTwo(), {});
        check(job.seconds, (500 + 15) * 2 / 1.2, (500 + 20) * 2, (500 + 60) * 2 * 1.2);
        check(job.sentBytes, 500 * 1500, (500 + 30) * 1500, (500 + 60) * 1500);
    }

    void evaluationsThatCannotBeCountedAreSaidToBeLeftOut() {
        QCOMPARE(line(WholeJob::of(lengthOf(500, 6), planOfTwo(), {}), "time"),
                 QStringLiteral("about 17 min, between 14 min and 20 min, without evaluations"));
        QCOMPARE(line(WholeJob::of(lengthOf(500, 6, 1), planOfTwo(), {}), "time"),
                 QStringLiteral("about 17 min, between 14 min and 20 min"));
    }

    void energyIsThatOfTheDevicesThatThePlanUses() {
        JobDevices devices = boardAndLaptop();
        devices.known.push_back(deviceOf(QStringLiteral("three"), DeviceKind::Desktop));
        const WholeJob job = WholeJob::of(lengthOf(500), planOfTwo(), devices);
        check(job.joules, 1000 / 1.2 * 25, 1000 * 50, 1200 * 100);
        QCOMPARE(line(job, "energy"),
                 QStringLiteral("about 14 Wh, between 5.8 Wh and 33 Wh: by the usual power of such devices, not "
                                "measured"));
    }

    void agentsOfOneMachineTakeItsPowerOnce() {
        JobDevices devices = boardAndLaptop();
        for (DeviceInfo &device : devices.known) {
            device.kind = DeviceKind::Laptop;
            device.agentPid = 4711;
        }
        QCOMPARE(WholeJob::of(lengthOf(500), planOfTwo(), devices).joules.likely, 1000.0 * 40);
    }

    void aDeviceThatNobodyToldOfMayBeAny() {
        const WholeJob job = WholeJob::of(lengthOf(500), planOfTwo(), {{deviceOf(one, DeviceKind::Board)}});
        check(job.joules, 1000 / 1.2 * 10, 1000 * 50, 1200 * 260);
    }

    void whatCardsTookIsTold() {
        JobDevices devices = boardAndLaptop();
        devices.known.back().card = GraphicsCard{QStringLiteral("card"), 1, {}, {}, {}};
        devices.cardWatts[two] = 60;
        const WholeJob job = WholeJob::of(lengthOf(500), planOfTwo(), devices);
        QCOMPARE(job.joules.likely, 1000.0 * (10 + 40 + 60));
        QVERIFY(line(job, "energy")
                    .endsWith(QLatin1String("by what graphics cards took and the usual power of the "
                                            "rest")));
    }

    void whatCardsTookIsNotToldWhereItDoesNotCount_data() {
        QTest::addColumn<DeviceInfo>("device");
        DeviceInfo board = deviceOf(two, DeviceKind::Board), laptop = deviceOf(two, DeviceKind::Laptop);
        QTest::newRow("nothing is known of a card") << laptop;
        board.card = laptop.card = GraphicsCard{QStringLiteral("card"), 1, {}, {}, {}};
        QTest::newRow("the card of a board is a part of it") << board;
        laptop.card->cause = QStringLiteral("It is too old.");
        QTest::newRow("training does not compute on the card") << laptop;
    }
    void whatCardsTookIsNotToldWhereItDoesNotCount() {
        QFETCH(DeviceInfo, device);
        const WholeJob job =
            WholeJob::of(lengthOf(500), planOfTwo(), {{deviceOf(one, DeviceKind::Board), device}, {}, {{two, 60}}});
        QVERIFY(!job.areCardsMeasured);
        QVERIFY(line(job, "energy").endsWith(QLatin1String("not measured")));
    }

    void theFullestDeviceIsTheOneClosestToItsLimit_data() {
        QTest::addColumn<qint64>("limitOfOne");
        QTest::addColumn<qint64>("limitOfTwo");
        QTest::addColumn<QString>("fullest");
        QTest::addColumn<QString>("text");
        QTest::newRow("the smaller one") << qint64{1000} << qint64{400} << two
                                         << QStringLiteral("nano is the fullest: 200 bytes of 400 bytes");
        QTest::newRow("the one that needs more")
            << qint64{400} << qint64{400} << one << QStringLiteral("nano is the fullest: 300 bytes of 400 bytes");
        QTest::newRow("no limit is known")
            << qint64{0} << qint64{0} << one << QStringLiteral("nano takes most: 300 bytes");
    }
    void theFullestDeviceIsTheOneClosestToItsLimit() {
        QFETCH(qint64, limitOfOne);
        QFETCH(qint64, limitOfTwo);
        const WholeJob job =
            WholeJob::of(lengthOf(500), planOfTwo(), {boardAndLaptop().known, {{one, limitOfOne}, {two, limitOfTwo}}});
        QTEST(job.fullest.device, "fullest");
        QTEST(line(job, "memory"), "text");
    }

    void theProblemOfTheRunSaysTheLimits() {
        PlanningProblem problem;
        problem.devices = {{one, 1000}, {two, 210}};
        JobDevices devices = boardAndLaptop();
        devices.setMemory(problem);
        const WholeJob job = WholeJob::of(lengthOf(500), planOfTwo(), devices);
        QCOMPARE(job.fullest.device, two);
        QCOMPARE(job.fullest.limitBytes, qint64{210});
    }

    void whatADeviceSaysOfItsMemoryIsNoLimit() {
        JobDevices devices = boardAndLaptop();
        for (DeviceInfo &device : devices.known)
            device.memoryBytes = 1000;
        QCOMPARE(line(WholeJob::of(lengthOf(500), planOfTwo(), devices), "memory"),
                 QStringLiteral("nano takes most: 300 bytes"));
    }

    void sizesHaveOneDecimal() {
        Plan plan = planOfTwo();
        plan.prediction->memoryBytes = {{one, qint64{131'585'802}}};
        QCOMPARE(line(WholeJob::of({}, plan, {{deviceOf(one, DeviceKind::Board)}, {{one, qint64{8} << 30}}}), "memory"),
                 QStringLiteral("nano is the fullest: 125.5 MiB of 8.0 GiB"));
    }

    void aDeviceAloneSendsNothing() {
        Plan plan = planOfTwo();
        plan.prediction->roundBytes.clear();
        QCOMPARE(line(WholeJob::of(lengthOf(500), plan, {}), "sent"), QStringLiteral("nothing"));
    }

    void ofAnUnknownLengthOnlyMemoryIsTold() {
        const WholeJob job = WholeJob::of({}, planOfTwo(), boardAndLaptop());
        for (const char *name : {"time", "sent", "energy"})
            QCOMPARE(line(job, name), QString());
        QVERIFY(!line(job, "memory").isEmpty());
        const QJsonObject json = job.toJson();
        QVERIFY(json[QLatin1String("rounds")].isNull());
        QVERIFY(!json.contains(QLatin1String("time_s")));
        QCOMPARE(json[QLatin1String("memory")][QLatin1String("bytes")].toInteger(), 300);
    }

    void programsReadTheSameNumbers() {
        const QJsonObject json = WholeJob::of(lengthOf(500, 6, 100), planOfTwo(), boardAndLaptop()).toJson();
        QCOMPARE(json[QLatin1String("rounds")].toInteger(), 500);
        QCOMPARE(json[QLatin1String("evaluations")].toInteger(), 6);
        QCOMPARE(json[QLatin1String("may_end_early")].toBool(true), false);
        QCOMPARE(json[QLatin1String("time_s")][QLatin1String("likely")].toDouble(), 1040.0);
        QCOMPARE(json[QLatin1String("sent_bytes")][QLatin1String("most")].toDouble(), 560.0 * 1500);
        QCOMPARE(json[QLatin1String("energy_j")][QLatin1String("least")].toDouble(), 1030 / 1.2 * 25);
        QCOMPARE(json[QLatin1String("memory")][QLatin1String("device")].toString(), one);
        QVERIFY(!json[QLatin1String("memory")].toObject().contains(QLatin1String("limit_bytes")));
    }
};

QTEST_GUILESS_MAIN(TestWholeJob)
#include "test_whole_job.moc"
