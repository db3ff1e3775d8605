// Which samples a round takes never changes, or no run could be repeated.
#include <QCryptographicHash>
#include <QTest>
#include <QtEndian>
#include <algorithm>
#include <numeric>

#include "core/data/sampler.h"

using namespace hearth;

namespace {

std::vector<qint64> order(quint64 seed, qint64 epoch, qint64 samples, bool shuffle = true) {
    const EpochOrder made(seed, epoch, samples, shuffle);
    std::vector<qint64> out;
    for (qint64 i = 0; i < samples; ++i)
        out.push_back(made.at(i));
    return out;
}

using List = std::vector<qint64>;

}  // namespace

class SamplerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void ordersNeverChange_data();
    void ordersNeverChange();
    void aLargeOrderNeverChanges();
    void everyEpochTakesEverySampleOnce();
    void fileOrderIsKeptWithoutShuffle();
    void roundsTakeTheirPositions();
    void anyRoundCanBeReplayed();
    void epochsAreWholeInRounds_data();
    void epochsAreWholeInRounds();
};

// Golden values from an independent implementation in Python.
void SamplerTest::ordersNeverChange_data() {
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<qint64>("epoch");
    QTest::addColumn<List>("expected");
    QTest::newRow("seed 1, first epoch") << quint64{1} << qint64{0} << List{4, 0, 9, 7, 2, 1, 5, 8, 3, 6};
    QTest::newRow("seed 1, second epoch") << quint64{1} << qint64{1} << List{5, 2, 3, 1, 4, 0, 6, 7, 8, 9};
    QTest::newRow("seed 2, first epoch") << quint64{2} << qint64{0} << List{1, 3, 7, 5, 0, 6, 9, 8, 4, 2};
}

void SamplerTest::ordersNeverChange() {
    QFETCH(quint64, seed);
    QFETCH(qint64, epoch);
    QTEST(order(seed, epoch, 10), "expected");
}

void SamplerTest::aLargeOrderNeverChanges() {
    QByteArray bytes;
    for (const qint64 index : order(1, 0, 60000)) {
        char little[4];
        qToLittleEndian(static_cast<quint32>(index), little);
        bytes.append(little, 4);
    }
    QCOMPARE(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex(),
             QByteArray("43d204f98bc03c2ae6b771dea1da530ffc6be45c6a788e702e8f4c00c3be678b"));
}

void SamplerTest::everyEpochTakesEverySampleOnce() {
    List all(1000);
    std::iota(all.begin(), all.end(), 0);
    for (qint64 epoch = 0; epoch < 3; ++epoch) {
        List taken = order(4, epoch, 1000);
        QVERIFY(taken != all);
        std::sort(taken.begin(), taken.end());
        QCOMPARE(taken, all);
    }
    QCOMPARE(order(4, 0, 1), List{0});
}

void SamplerTest::fileOrderIsKeptWithoutShuffle() {
    QCOMPARE(order(1, 5, 4, false), (List{0, 1, 2, 3}));
    Sampler sampler(1, 4, false);
    QCOMPARE(sampler.indicesOfRound(2, 3), (List{3, 0, 1}));
}

void SamplerTest::roundsTakeTheirPositions() {
    Sampler sampler(1, 10, true);
    const List first = order(1, 0, 10), second = order(1, 1, 10);
    QCOMPARE(sampler.indicesOfRound(1, 4), List(first.begin(), first.begin() + 4));
    QCOMPARE(sampler.indicesOfRound(3, 4), (List{first[8], first[9], second[0], second[1]}));
    // A batch larger than the data set spans several epochs.
    const List wide = sampler.indicesOfRound(1, 25);
    QCOMPARE(wide.size(), std::size_t{25});
    QCOMPARE(wide[10], second[0]);
    QCOMPARE(wide[20], order(1, 2, 10)[0]);
}

void SamplerTest::anyRoundCanBeReplayed() {
    Sampler forward(3, 7, true);
    std::vector<List> rounds;
    for (qint64 round = 1; round <= 12; ++round)
        rounds.push_back(forward.indicesOfRound(round, 5));
    Sampler again(3, 7, true);
    for (const qint64 round : {12, 1, 7, 2, 11, 3})
        QCOMPARE(again.indicesOfRound(round, 5), rounds[static_cast<std::size_t>(round - 1)]);
}

void SamplerTest::epochsAreWholeInRounds_data() {
    QTest::addColumn<qint64>("epochs");
    QTest::addColumn<qint64>("samples");
    QTest::addColumn<qint64>("batch");
    QTest::addColumn<qint64>("rounds");
    QTest::newRow("an exact fit") << qint64{1} << qint64{60} << qint64{20} << qint64{3};
    QTest::newRow("the last round reaches on") << qint64{1} << qint64{60000} << qint64{128} << qint64{469};
    QTest::newRow("two epochs share a round") << qint64{2} << qint64{3} << qint64{4} << qint64{2};
}

void SamplerTest::epochsAreWholeInRounds() {
    QFETCH(qint64, epochs);
    QFETCH(qint64, samples);
    QFETCH(qint64, batch);
    QTEST(Sampler::roundsOfEpochs(epochs, samples, batch), "rounds");
}

QTEST_GUILESS_MAIN(SamplerTest)
#include "sampler_test.moc"
