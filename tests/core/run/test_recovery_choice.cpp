#include <QTest>
#include <random>

#include "core/model/catalogue.h"
#include "core/run/recovery_choice.h"

using namespace hearth;

namespace {

const QString a = QStringLiteral("a"), b = QStringLiteral("b"), c = QStringLiteral("c");

/// Layers l0, l1, … of so many bytes.
StateLayers layersOf(const std::vector<qint64> &bytes) {
    StateLayers layers;
    for (std::size_t l = 0; l < bytes.size(); ++l)
        layers.push_back({QStringLiteral("l%1").arg(l), bytes[l]});
    return layers;
}

Deployment::Stage stageOf(int firstLayer, int lastLayer, const QStringList &devices) {
    Deployment::Stage stage;
    stage.firstLayer = firstLayer;
    stage.lastLayer = lastLayer;
    for (qsizetype i = 0; i < devices.size(); ++i)
        stage.members.push_back({devices[i], static_cast<int>(i), 1});
    return stage;
}

bool holds(const HeldByDevice &held, const QString &device, quint64 version, int layer) {
    const auto states = held.value(device);
    return std::any_of(states.begin(), states.end(), [&](const HeldState &state) {
        return state.version == version && layer >= state.firstLayer && layer < state.lastLayer;
    });
}

int below(std::mt19937 &random, int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
}

/// Devices "0", "1", … with random ranges of versions 1 to 6.
HeldByDevice randomStates(std::mt19937 &random, int devices, int layers) {
    HeldByDevice held;
    for (int d = 0; d < devices; ++d) {
        auto &states = held[QString::number(d)];
        for (int i = below(random, 5); i > 0; --i) {
            const int first = below(random, layers);
            states.push_back(
                {static_cast<quint64>(1 + below(random, 6)), first, first + 1 + below(random, layers - first)});
        }
    }
    return held;
}

}  // namespace

/// From which version on, and what moves for it.
class TestRecoveryChoice : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theNewestWholeVersionIsTaken_data();
    void theNewestWholeVersionIsTaken();
    void whatNobodyHoldsIsNamedWithWhoHadItLast();
    void manyMissingLayersAreCounted();
    void layersOfAModelHaveTheirBytes();
    void onlyWhatIsLackedMoves();
    void bytesAreBalancedOverSenders();
    void fastPairsAreLeftToWhomTheyServeBest();
    void theDiskGivesWhatNobodyHolds();
    void whatCannotMoveIsSaid();
    void statesAreNotedOnce();
    void randomHomesAgreeWithPlainCounting();
};

void TestRecoveryChoice::theNewestWholeVersionIsTaken_data() {
    QTest::addColumn<HeldByDevice>("held");
    QTest::addColumn<std::optional<quint64>>("disk");
    QTest::addColumn<int>("version");  // -1: none
    QTest::addColumn<bool>("fromDisk");
    const std::optional<quint64> none;
    QTest::newRow("all layers at one version")
        << HeldByDevice{{a, {{7, 0, 2}}}, {b, {{7, 2, 4}}}} << none << 7 << false;
    QTest::newRow("a newer version lacks a layer")
        << HeldByDevice{{a, {{8, 0, 2}, {6, 0, 2}}}, {b, {{8, 2, 3}, {6, 2, 4}}}} << none << 6 << false;
    QTest::newRow("a copy on another device completes a version")
        << HeldByDevice{{a, {{8, 0, 2}, {8, 3, 4}}}, {b, {{8, 2, 3}}}} << none << 8 << false;
    QTest::newRow("ranges may overlap and reach beyond the model")
        << HeldByDevice{{a, {{8, 0, 3}, {8, 1, 9}}}} << none << 8 << false;
    QTest::newRow("versions of different layers do not mix")
        << HeldByDevice{{a, {{8, 0, 2}}}, {b, {{7, 2, 4}}}} << none << -1 << false;
    QTest::newRow("nobody holds anything") << HeldByDevice{} << none << -1 << false;
    QTest::newRow("the disk has what nobody holds")
        << HeldByDevice{{a, {{8, 0, 2}}}} << std::optional<quint64>(5) << 5 << true;
    QTest::newRow("initial weights are version 0") << HeldByDevice{} << std::optional<quint64>(0) << 0 << true;
    QTest::newRow("survivors hold newer ones than the disk")
        << HeldByDevice{{a, {{8, 0, 4}}}} << std::optional<quint64>(5) << 8 << false;
    QTest::newRow("the disk has a newer one than the survivors")
        << HeldByDevice{{a, {{4, 0, 4}}}} << std::optional<quint64>(5) << 5 << true;
    QTest::newRow("survivors hold all of the disk's version, so nothing is read")
        << HeldByDevice{{a, {{5, 0, 4}}}} << std::optional<quint64>(5) << 5 << false;
}

void TestRecoveryChoice::theNewestWholeVersionIsTaken() {
    QFETCH(HeldByDevice, held);
    QFETCH(std::optional<quint64>, disk);
    QFETCH(int, version);
    QFETCH(bool, fromDisk);
    const auto chosen = newestCompleteVersion(layersOf({10, 10, 10, 10}), held, disk);
    QCOMPARE(chosen.has_value(), version >= 0);
    if (!chosen) {
        QCOMPARE(chosen.error().code, QStringLiteral("recovery.no-state"));
        return;
    }
    QCOMPARE(chosen->version, static_cast<quint64>(version));
    QCOMPARE(chosen->fromDisk, fromDisk);
}

void TestRecoveryChoice::whatNobodyHoldsIsNamedWithWhoHadItLast() {
    const StateLayers layers = layersOf({10, 10, 0, 10, 10, 10});
    const HeldByDevice held{{a, {{20, 0, 1}, {18, 1, 2}}}};
    const HeldByDevice lost{{b, {{16, 3, 5}, {20, 1, 5}}}};
    const auto chosen = newestCompleteVersion(layers, held, {}, lost);
    QVERIFY(!chosen);
    QCOMPARE(chosen.error().what,
             QStringLiteral("No version of the model is whole: nobody that is left holds the state "
                            "of l1, l3, l4, l5 at version 20."));
    QCOMPARE(chosen.error().cause, QStringLiteral("l1, l3, l4: last at version 20, on b, which is lost; l5: no device "
                                                  "was known to hold it."));
    const auto older = newestCompleteVersion(layersOf({10, 10}), held, {}, {{b, {{12, 1, 2}}}});
    QVERIFY(!older);
    QCOMPARE(older.error().cause, QStringLiteral("l1: last at version 18, on a."));
    QVERIFY(!older.error().advice.isEmpty());
    // What has no state is never missing.
    QCOMPARE(newestCompleteVersion(layersOf({10, 0}), {{a, {{3, 0, 1}}}}, {}).value(), (RecoveryVersion{3, false}));
    QCOMPARE(newestCompleteVersion(layersOf({0, 0}), {}, {}).value(), RecoveryVersion());
}

void TestRecoveryChoice::manyMissingLayersAreCounted() {
    const auto chosen = newestCompleteVersion(layersOf(std::vector<qint64>(40, 1)), {}, {});
    QVERIFY(!chosen);
    QVERIFY(chosen.error().what.contains(QStringLiteral("l0, l1, l2, l3, l4, l5, l6, l7 and 32 more")));
    const auto unnamed = newestCompleteVersion({{QString(), 1}}, {}, {});
    QVERIFY(!unnamed && unnamed.error().what.contains(QStringLiteral("layer 0")));
}

void TestRecoveryChoice::layersOfAModelHaveTheirBytes() {
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    QVERIFY(model);
    for (const int buffers : {0, 1, 2}) {
        const StateLayers layers = stateLayersOf(*model, DType::Float32, {buffers});
        QCOMPARE(layers.size(), model->layers.size());
        for (std::size_t l = 0; l < layers.size(); ++l) {
            const LayerShape &shape = model->layers[l].shape;
            QCOMPARE(layers[l].name, model->layers[l].name);
            QCOMPARE(layers[l].bytes,
                     (1 + buffers) * shape.parameterBytes(DType::Float32) + shape.bufferBytes(DType::Float32));
        }
    }
}

void TestRecoveryChoice::onlyWhatIsLackedMoves() {
    const StateLayers layers = layersOf({10, 20, 0, 40});
    const HeldByDevice held{{a, {{5, 0, 2}}}, {b, {{5, 1, 4}, {4, 0, 4}}}};
    const auto moves = movesFor(layers, 5, {stageOf(0, 2, {a, b}), stageOf(2, 4, {c})}, held, {});
    QVERIFY(moves);
    const std::vector<Deployment::Move> expected{{0, a, b}, {3, b, c}};
    QCOMPARE(moves->moves, expected);
    QCOMPARE(moves->bytes, 50);
    QCOMPARE(movesFor(layers, 5, {stageOf(0, 2, {a}), stageOf(2, 4, {b})}, held, {}).value(), StateMoves());
}

void TestRecoveryChoice::bytesAreBalancedOverSenders() {
    // c takes everything; a and b hold it all but the last layer, which only a holds.
    const StateLayers layers = layersOf({30, 20, 10, 50});
    const HeldByDevice held{{a, {{5, 0, 4}}}, {b, {{5, 0, 3}}}};
    const auto moves = movesFor(layers, 5, {stageOf(0, 4, {c})}, held, {});
    QVERIFY(moves);
    // a gives its 50 first, then b 30 and 20; of equal ones the first by id.
    const std::vector<Deployment::Move> expected{{0, b, c}, {1, b, c}, {2, a, c}, {3, a, c}};
    QCOMPARE(moves->moves, expected);
    // What b sends anyhow counts.
    const auto busy = movesFor(layers, 5, {stageOf(0, 4, {c})}, held, {}, {}, {{b, 1000}});
    QVERIFY(busy);
    QVERIFY(std::all_of(busy->moves.begin(), busy->moves.end(), [](const auto &move) { return move.from == a; }));
}

void TestRecoveryChoice::fastPairsAreLeftToWhomTheyServeBest() {
    const StateLayers layers = layersOf({10, 10, 10, 10});
    const HeldByDevice held{{a, {{5, 0, 4}}}, {b, {{5, 0, 4}}}};
    const LinkRate rate = [](const QString &from, const QString &) { return from == a ? 1.0 : 3.0; };
    const auto moves = movesFor(layers, 5, {stageOf(0, 4, {c})}, held, {}, rate);
    QVERIFY(moves);
    QCOMPARE(std::count_if(moves->moves.begin(), moves->moves.end(), [](const auto &move) { return move.from == b; }),
             3);
    const LinkRate cut = [](const QString &from, const QString &) { return from == b ? 0.0 : 1.0; };
    const auto around = movesFor(layers, 5, {stageOf(0, 4, {c})}, held, {}, cut);
    QVERIFY(around);
    QVERIFY(std::all_of(around->moves.begin(), around->moves.end(), [](const auto &move) { return move.from == a; }));
}

void TestRecoveryChoice::theDiskGivesWhatNobodyHolds() {
    const StateLayers layers = layersOf({10, 20, 40});
    const HeldByDevice held{{a, {{5, 0, 1}}}};
    const auto moves = movesFor(layers, 5, {stageOf(0, 3, {a, b})}, held, 5);
    QVERIFY(moves);
    const std::vector<Deployment::Move> expected{{0, a, b}, {1, {}, a}, {1, {}, b}, {2, {}, a}, {2, {}, b}};
    QCOMPARE(moves->moves, expected);
    QCOMPARE(moves->bytes, 130);
}

void TestRecoveryChoice::whatCannotMoveIsSaid() {
    const StateLayers layers = layersOf({10, 20});
    const HeldByDevice held{{a, {{5, 0, 1}}}};
    const auto nobody = movesFor(layers, 5, {stageOf(0, 2, {a})}, held, 4);
    QVERIFY(!nobody);
    QCOMPARE(nobody.error().code, QStringLiteral("recovery.no-state"));
    QVERIFY(nobody.error().what.contains(QStringLiteral("l1")));
    const LinkRate cut = [](const QString &, const QString &) { return 0.0; };
    const auto apart = movesFor(layers, 5, {stageOf(0, 1, {b})}, held, {}, cut);
    QVERIFY(!apart);
    QCOMPARE(apart.error().code, QStringLiteral("recovery.unreachable"));
    QVERIFY(movesFor(layers, 5, {stageOf(0, 1, {b})}, held, 5, cut));  // the disk reaches everybody
}

void TestRecoveryChoice::statesAreNotedOnce() {
    HeldByDevice held;
    addHeld(&held, a, {5, 0, 2});
    addHeld(&held, a, {5, 0, 2});
    addHeld(&held, a, {6, 0, 2});
    addHeld(&held, b, {4, 0, 2});
    QCOMPARE(held, (HeldByDevice{{a, {{5, 0, 2}, {6, 0, 2}}}, {b, {{4, 0, 2}}}}));
}

void TestRecoveryChoice::randomHomesAgreeWithPlainCounting() {
    std::mt19937 random(61);
    int whole = 0, moved = 0;
    for (int round = 0; round < 2000; ++round) {
        const int layers = 2 + below(random, 6), devices = 1 + below(random, 4);
        std::vector<qint64> bytes;
        for (int l = 0; l < layers; ++l)
            bytes.push_back(below(random, 4) * 10);
        const HeldByDevice held = randomStates(random, devices, layers);
        const auto countAt = [&](quint64 version, int layer) {
            int count = 0;
            for (int d = 0; d < devices; ++d)
                count += holds(held, QString::number(d), version, layer) ? 1 : 0;
            return count;
        };
        const auto plainNewest = [&] {
            int newest = -1;
            for (int version = 1; version <= 6; ++version) {
                bool all = true, any = false;
                for (int l = 0; l < layers; ++l) {
                    const int count = countAt(static_cast<quint64>(version), l);
                    any |= count > 0;
                    all &= count >= 1 || bytes[static_cast<std::size_t>(l)] == 0;
                }
                newest = all && any ? version : newest;
            }
            return newest;
        };
        const StateLayers facts = layersOf(bytes);
        const bool hasState = std::any_of(bytes.begin(), bytes.end(), [](qint64 count) { return count > 0; });
        const auto chosen = newestCompleteVersion(facts, held, {});
        if (hasState)
            QCOMPARE(chosen ? static_cast<int>(chosen->version) : -1, plainNewest());
        if (!chosen || !hasState)
            continue;
        ++whole;
        const int cut = below(random, layers + 1);
        const QString first = QString::number(below(random, devices)), second = QStringLiteral("new");
        const std::vector<Deployment::Stage> stages{stageOf(0, cut, {first, second}), stageOf(cut, layers, {second})};
        const auto moves = movesFor(facts, chosen->version, stages, held, {});
        QVERIFY(moves);
        qint64 expected = 0;
        for (int l = 0; l < layers; ++l) {
            for (const Deployment::Member &member : stages[l < cut ? 0 : 1].members) {
                const bool needed =
                    bytes[static_cast<std::size_t>(l)] > 0 && !holds(held, member.device, chosen->version, l);
                const auto matches = std::count_if(moves->moves.begin(), moves->moves.end(), [&](const auto &move) {
                    return move.layer == l && move.to == member.device && holds(held, move.from, chosen->version, l);
                });
                QCOMPARE(matches, needed ? 1 : 0);
                expected += needed ? bytes[static_cast<std::size_t>(l)] : 0;
                moved += needed ? 1 : 0;
            }
        }
        QCOMPARE(moves->bytes, expected);
        QCOMPARE(movesFor(facts, chosen->version, stages, held, {}).value(), *moves);
    }
    QVERIFY(whole > 300);
    QVERIFY(moved > 1000);
}

QTEST_APPLESS_MAIN(TestRecoveryChoice)
#include "test_recovery_choice.moc"
