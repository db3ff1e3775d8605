// When measuring will be over.
#include <QTest>

#include "core/run/measuring_pace.h"

using namespace hearth;

namespace {

const QDateTime begun(QDate(2026, 1, 2), QTime(3, 4, 5), Qt::UTC);
constexpr int layers = 10, batch = 64;
constexpr int total = layers * 7;

MeasuringPace paceOfRun() {
    Job job;
    job.batch = batch;
    MeasuringPace pace;
    pace.begin({QStringLiteral("run"), begun.toString(Qt::ISODate), job.toJson(), {}});
    return pace;
}

event::Profile of(int done) {
    return {QStringLiteral("one"), done, total};
}

}  // namespace

class TestMeasuringPace : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void measuresPowersOfTwoUpToTheBatch() {
        Job job;
        job.batch = 100;
        QCOMPARE(profiledBatches(job), (std::vector<int>{1, 2, 4, 8, 16, 32, 64, 100}));
    }

    void timesThatGrowWithTheSamplesAreForeseen() {
        MeasuringPace pace = paceOfRun();
        double t = 10;
        int measured = 0;
        pace.take(t, of(0));
        for (const int size : {1, 2, 4}) {
            QVERIFY(size > 2 || !pace.end());
            t += size;
            pace.take(t, of(layers * ++measured));
        }
        QVERIFY(pace.end());
        QCOMPARE(*pace.end(), begun.addSecs(10 + 127));
    }

    void timesThatDoNotGrowAreForeseen() {
        MeasuringPace pace = paceOfRun();
        for (int size = 0; size < 4; ++size)
            pace.take(3.0 * size, of(size * layers));
        QCOMPARE(*pace.end(), begun.addSecs(21));
    }

    void itEndsWithTheSlowestDevice() {
        MeasuringPace pace = paceOfRun();
        const auto take = [&pace](const char *id, double t, int done) {
            pace.take(t, {QString::fromLatin1(id), done, total});
        };
        for (int size = 0; size < 4; ++size) {
            take("quick", 1.0 * size, size * layers);
            take("slow", 5.0 * size, std::min(size, 1) * layers);
        }
        QVERIFY2(!pace.end(), "nothing is known of the slow one yet");
        take("slow", 10, 2 * layers);
        QCOMPARE(*pace.end(), begun.addSecs(35));
        take("slow", 11, total);
        QCOMPARE(*pace.end(), begun.addSecs(7));
        take("quick", 11, total);
        QVERIFY(!pace.end());
    }

    void whatCannotBeReadForeseesNothing() {
        MeasuringPace pace;
        pace.begin({QStringLiteral("run"), QStringLiteral("yesterday"), {}, {}});
        for (int size = 0; size < 4; ++size)
            pace.take(size, of(size * layers));
        pace.take(5, {QStringLiteral("other"), 3, 0});
        QVERIFY(!pace.end());
    }
};

QTEST_GUILESS_MAIN(TestMeasuringPace)
#include "test_measuring_pace.moc"
