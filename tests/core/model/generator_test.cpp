// The generator's bits are part of what a run means: they must never change.
#include <QTest>
#include <bit>

#include "core/base/generator.h"

using hearth::Generator;

class GeneratorTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void wordsNeverChange_data();
    void wordsNeverChange();
    void childrenDependOnTheOrderOfTheirLabels();
    void symmetricValuesAreExactInFloat32();
    void belowStaysBelowAndReachesEverything();
    void aChangedBitOfTheSeedChangesHalfOfTheBits();
};

// Golden values from an independent implementation in Python.
void GeneratorTest::wordsNeverChange_data() {
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<quint64>("counter");
    QTest::addColumn<quint64>("word");
    const quint64 largest = ~quint64{0};
    QTest::newRow("seed 0 begins") << quint64{0} << quint64{0} << quint64{0x4ab3ecb26f2987aa};
    QTest::newRow("seed 0 goes on") << quint64{0} << quint64{1} << quint64{0xfa18f70a45eef800};
    QTest::newRow("seed 1 begins") << quint64{1} << quint64{0} << quint64{0x717d479152d838f0};
    QTest::newRow("a counter beyond 32 bits") << quint64{1} << quint64{12345678901} << quint64{0x6e1b09e72ed0aab0};
    QTest::newRow("the largest seed and counter") << largest << largest << quint64{0xa339695b0f070c2e};
}

void GeneratorTest::wordsNeverChange() {
    QFETCH(quint64, seed);
    QFETCH(quint64, counter);
    QTEST(quint64{Generator(seed).word(counter)}, "word");
}

void GeneratorTest::childrenDependOnTheOrderOfTheirLabels() {
    QCOMPARE(quint64{Generator(1).child(2).child(3).word(0)}, quint64{0x6c09aa4712057541});
    QVERIFY(Generator(1).child(3).child(2).word(0) != Generator(1).child(2).child(3).word(0));
    QVERIFY(Generator(1).child(2).word(0) != Generator(2).child(1).word(0));
}

void GeneratorTest::symmetricValuesAreExactInFloat32() {
    const Generator generator(7);
    double sum = 0, squares = 0;
    constexpr int count = 100000;
    for (quint64 i = 0; i < count; ++i) {
        const double value = generator.symmetric(i);
        QVERIFY(value > -1 && value < 1 && value != 0);
        QCOMPARE(static_cast<double>(static_cast<float>(value)), value);
        sum += value;
        squares += value * value;
    }
    QVERIFY(std::abs(sum / count) < 0.01);
    QVERIFY(std::abs(squares / count - 1.0 / 3.0) < 0.01);
}

void GeneratorTest::belowStaysBelowAndReachesEverything() {
    const Generator generator(3);
    std::array<int, 7> seen{};
    for (quint64 i = 0; i < 7000; ++i) {
        const quint64 value = generator.below(7, i);
        QVERIFY(value < 7);
        ++seen[value];
    }
    for (const int count : seen)
        QVERIFY2(count > 850 && count < 1150, qPrintable(QString::number(count)));
    QCOMPARE(quint64{generator.below(1, 5)}, quint64{0});
}

void GeneratorTest::aChangedBitOfTheSeedChangesHalfOfTheBits() {
    for (int bit = 0; bit < 64; ++bit) {
        int changed = 0;
        for (quint64 seed = 0; seed < 200; ++seed)
            changed += std::popcount(Generator(seed).word(0) ^ Generator(seed ^ (quint64{1} << bit)).word(0));
        const double mean = changed / 200.0;
        QVERIFY2(mean > 30 && mean < 34, qPrintable(QStringLiteral("bit %1: %2").arg(bit).arg(mean)));
    }
}

QTEST_GUILESS_MAIN(GeneratorTest)
#include "generator_test.moc"
