#include <QTest>
#include <random>

#include "core/train/thread_choice.h"

using namespace hearth;

namespace {

/// A machine of which other programs hold some cores: threads that share a core with one of them get half of it, and a
/// round ends with its slowest part.
struct Machine {
    int cores, taken;
    double seconds(int threads) const {
        const bool shares = threads > cores - taken;
        return (shares ? 2.0 : 1.0) / threads + 0.02;
    }
    int best(int most) const {
        int best = 1;
        for (int threads = 2; threads <= most; ++threads)
            best = seconds(threads) < seconds(best) ? threads : best;
        return best;
    }
};

}  // namespace

class ThreadChoiceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFastestNumberIsFound_data();
    void theFastestNumberIsFound();
    void othersComeAndGo();
    void aQuietMachineIsSeldomDisturbed();
    void oddRoundsChangeNothing();
    void oneThreadStaysOne();

  private:
    /// Seconds that `rounds` rounds take.
    static double run(ThreadChoice &choice, const Machine &machine, int rounds) {
        double sum = 0;
        for (int round = 0; round < rounds; ++round) {
            const double seconds = machine.seconds(choice.threads());
            sum += seconds;
            choice.took(seconds);
        }
        return sum;
    }
};

void ThreadChoiceTest::theFastestNumberIsFound_data() {
    QTest::addColumn<int>("cores");
    QTest::addColumn<int>("taken");
    QTest::newRow("two cores of its own") << 2 << 0;
    QTest::newRow("one of two cores is taken") << 2 << 1;
    QTest::newRow("both of two cores are taken") << 2 << 2;
    QTest::newRow("one of four cores is taken") << 4 << 1;
    QTest::newRow("four cores of its own") << 4 << 0;
    QTest::newRow("two of sixteen cores are taken") << 16 << 2;
}

void ThreadChoiceTest::theFastestNumberIsFound() {
    QFETCH(int, cores);
    QFETCH(int, taken);
    const Machine machine{cores, taken};
    ThreadChoice choice(cores);
    choice.restart();
    run(choice, machine, 40);
    const double best = 300 * machine.seconds(machine.best(cores));
    const double reached = run(choice, machine, 300);
    QVERIFY2(best >= 0.9 * reached, qPrintable(QStringLiteral("%1 of the best").arg(best / reached)));
}

void ThreadChoiceTest::othersComeAndGo() {
    ThreadChoice choice(2);
    choice.restart();
    run(choice, {2, 0}, 50);
    QCOMPARE(choice.threads(), 2);
    // Two threads on the free core and a half: one is as fast.
    const auto crowded = [](int threads) { return threads == 2 ? 4.0 : 1.0; };
    for (int round = 0; round < 50; ++round)
        choice.took(crowded(choice.threads()));
    QCOMPARE(choice.threads(), 1);
    run(choice, {2, 0}, 2 * ThreadChoice::roundsUntilMore);
    int two = 0;
    for (int round = 0; round < 50; ++round) {
        two += choice.threads() == 2;
        run(choice, {2, 0}, 1);
    }
    QVERIFY(two >= 45);
}

void ThreadChoiceTest::aQuietMachineIsSeldomDisturbed() {
    const Machine machine{2, 0};
    ThreadChoice choice(2);
    choice.restart();
    QVERIFY(run(choice, machine, 1000) < 1.01 * 1000 * machine.seconds(2));
}

void ThreadChoiceTest::oddRoundsChangeNothing() {
    ThreadChoice choice(2);
    choice.restart();
    run(choice, {2, 0}, 20);
    for (int round = 0; round < 300; ++round) {
        QCOMPARE(choice.threads(), 2);
        choice.took(round % ThreadChoice::roundsOfTrial == 0 ? 5.0 : 0.52);
    }
}

void ThreadChoiceTest::oneThreadStaysOne() {
    ThreadChoice choice(1);
    choice.restart();
    for (int round = 0; round < 300; ++round) {
        choice.took(round);
        QCOMPARE(choice.threads(), 1);
    }
}

QTEST_GUILESS_MAIN(ThreadChoiceTest)
#include "thread_choice_test.moc"
