// The learning rate over a run; the numbers are those of torch.optim.lr_scheduler.
#include <QTest>
#include <cmath>

#include "core/model/rate_schedule.h"
#include "tests/core/base/quoted_json.h"

using namespace hearth;

namespace {

RateSchedule scheduleOf(const QByteArray &text) {
    return RateSchedule::fromJson(test::quotedJson(text), QStringLiteral("test"), {}).value();
}

}  // namespace

class RateScheduleTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void factorsAreTorchs_data();
    void factorsAreTorchs();
    void itEndsWithTheRun();
    void stepsOfARoundHaveTheirOwn();
    void itSurvivesJson();
    void whatAKindHasNotIsAnError();
};

void RateScheduleTest::factorsAreTorchs_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("rounds");
    QTest::addColumn<QList<double>>("factors");
    QTest::newRow("constant") << QByteArray("{'kind':'constant'}") << qint64{3} << QList<double>{1, 1, 1};
    QTest::newRow("warmed up") << QByteArray("{'kind':'constant','warmup_rounds':3}") << qint64{5}
                               << QList<double>{0.25, 0.5, 0.75, 1, 1};
    QTest::newRow("linear (LinearLR)") << QByteArray("{'kind':'linear','last':0.2}") << qint64{8}
                                       << QList<double>{1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3};
    QTest::newRow("cosine (CosineAnnealingLR)")
        << QByteArray("{'kind':'cosine','last':0.1}") << qint64{8}
        << QList<double>{1,    0.9657457896300791, 0.8681980515339464, 0.7222075445642905,
                         0.55, 0.3777924554357097, 0.2318019484660537, 0.134254210369921};
    QTest::newRow("cosine after a warm-up (SequentialLR)")
        << QByteArray("{'kind':'cosine','warmup_rounds':3}") << qint64{10}
        << QList<double>{0.25,
                         0.5,
                         0.75,
                         1.0,
                         0.9504844339512095,
                         0.8117449009293668,
                         0.6112604669781572,
                         0.38873953302184283,
                         0.18825509907063326,
                         0.04951556604879048};
    QTest::newRow("steps (StepLR)") << QByteArray("{'kind':'steps','every':3,'drop':0.5}") << qint64{8}
                                    << QList<double>{1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25};
    QTest::newRow("one cycle (OneCycleLR)") << QByteArray("{'kind':'one-cycle'}") << qint64{10}
                                            << QList<double>{0.04,
                                                             0.52,
                                                             1.0,
                                                             0.9504846320134737,
                                                             0.8117456539497631,
                                                             0.6112620219362893,
                                                             0.38874197806371075,
                                                             0.18825834605023697,
                                                             0.049519367986526286,
                                                             4e-06};
}

void RateScheduleTest::factorsAreTorchs() {
    QFETCH(QByteArray, text);
    QFETCH(qint64, rounds);
    QFETCH(QList<double>, factors);
    const RateSchedule schedule = scheduleOf(text);
    for (qsizetype i = 0; i < factors.size(); ++i) {
        const double factor = schedule.factor(i + 1, rounds);
        QVERIFY2(std::abs(factor - factors[i]) < 1e-14,
                 qPrintable(QStringLiteral("round %1: %2").arg(i + 1).arg(factor, 0, 'g', 17)));
    }
}

void RateScheduleTest::itEndsWithTheRun() {
    for (const char *text : {"{'kind':'cosine'}", "{'kind':'one-cycle'}", "{'kind':'linear','last':0.5}"})
        QCOMPARE(scheduleOf(text).factor(12, 10), scheduleOf(text).factor(10, 10));
    QVERIFY(std::isfinite(scheduleOf("{'kind':'one-cycle'}").factor(1, 1)));
}

/// Of 10 rounds of 4 steps: lengths stay as they are in rounds, and every step has a factor of its own.
void RateScheduleTest::stepsOfARoundHaveTheirOwn() {
    const RateSchedule steps = scheduleOf("{'kind':'steps','every':3,'drop':0.5,'warmup_rounds':2}").inSteps(4);
    QCOMPARE(steps.factor(1, 40), 1.0 / 9);
    QCOMPARE(steps.factor(8, 40), 8.0 / 9);
    QCOMPARE(steps.factor(9, 40), 1.0);
    QCOMPARE(steps.factor(20, 40), 1.0);
    QCOMPARE(steps.factor(21, 40), 0.5);
    const RateSchedule cosine = scheduleOf("{'kind':'cosine'}");
    QCOMPARE(cosine.inSteps(4).factor(21, 40), cosine.factor(6, 10));
    QVERIFY(cosine.inSteps(4).factor(22, 40) < cosine.factor(6, 10));
}

void RateScheduleTest::itSurvivesJson() {
    for (const char *text : {"{'kind':'cosine','last':0.1,'warmup_rounds':7}", "{'kind':'steps','every':9,'drop':0.3}",
                             "{'kind':'one-cycle'}", "{'kind':'constant'}"}) {
        const RateSchedule schedule = scheduleOf(text);
        QCOMPARE(RateSchedule::fromJson(schedule.toJson(), QStringLiteral("again"), {}).value(), schedule);
    }
}

void RateScheduleTest::whatAKindHasNotIsAnError() {
    const auto wrong = RateSchedule::fromJson(
        {{QStringLiteral("kind"), QStringLiteral("one-cycle")}, {QStringLiteral("warmup_rounds"), 3}},
        QStringLiteral("job.json"), QStringLiteral("/schedule"));
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().toString().contains(QStringLiteral("/schedule/warmup_rounds")),
             qPrintable(wrong.error().toString()));
}

QTEST_GUILESS_MAIN(RateScheduleTest)
#include "rate_schedule_test.moc"
