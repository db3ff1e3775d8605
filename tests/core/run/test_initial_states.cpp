#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/base/at.h"
#include "core/model/catalogue.h"
#include "core/model/init.h"
#include "core/model/layer_state.h"
#include "core/model/safetensors.h"
#include "core/run/initial_states.h"

using namespace hearth;

/// Version 0 as blobs.
class TestInitialStates : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void tensorsAreThoseOfTheSeed_data();
    void tensorsAreThoseOfTheSeed();
    void givenWeightsTakeTheirPlace();
    void theyAreAWholeCheckpoint();
};

namespace {

TrainingSpec trainingOf(Precision precision, OptimizerSpec::Kind kind, double momentum) {
    TrainingSpec training;
    training.precision = precision;
    training.optimizer.kind = kind;
    training.optimizer.momentum = momentum;
    training.seed = 5;
    return training;
}

/// Every tensor lies where the layout says, and every buffer of the optimizer is zero.
bool holdsExactly(const Model &model, const TrainingSpec &training, const LayerStates &states,
                  const std::vector<std::vector<NamedTensor>> &tensors) {
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const auto layout =
            LayerStateLayout::of(model.layers[l], dtypeOf(training.precision), training.optimizer.state());
        if (states[l]->size() != layout.bytes)
            return false;
        for (const auto &part : layout.parts) {
            const auto bytes =
                states[l]->bytes().subspan(static_cast<std::size_t>(part.offset), static_cast<std::size_t>(part.bytes));
            const auto expected = tensors[l][at(part.tensor)].data->bytes();
            const bool right =
                part.optimizer < 0
                    ? std::equal(bytes.begin(), bytes.end(), expected.begin(), expected.end())
                    : std::all_of(bytes.begin(), bytes.end(), [](std::byte each) { return each == std::byte{0}; });
            if (!right)
                return false;
        }
    }
    return true;
}

std::vector<std::vector<NamedTensor>> seeded(const Model &model, quint64 seed, DType dtype) {
    std::vector<std::vector<NamedTensor>> layers;
    for (std::size_t l = 0; l < model.layers.size(); ++l)
        layers.push_back(initialise(model, static_cast<int>(l), seed, dtype));
    return layers;
}

}  // namespace

void TestInitialStates::tensorsAreThoseOfTheSeed_data() {
    QTest::addColumn<bool>("isDouble");
    QTest::addColumn<bool>("isAdam");
    QTest::addColumn<double>("momentum");
    QTest::newRow("plain SGD") << false << false << 0.0;
    QTest::newRow("momentum in double precision") << true << false << 0.9;
    QTest::newRow("Adam") << false << true << 0.0;
}

void TestInitialStates::tensorsAreThoseOfTheSeed() {
    QFETCH(bool, isDouble);
    QFETCH(bool, isAdam);
    QFETCH(double, momentum);
    const auto training = trainingOf(isDouble ? Precision::Float64 : Precision::Float32,
                                     isAdam ? OptimizerSpec::Kind::Adam : OptimizerSpec::Kind::Sgd, momentum);
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    QVERIFY(model);
    const LayerStates states = initialStates(*model, training);
    QCOMPARE(states.size(), model->layers.size());
    QVERIFY(holdsExactly(*model, training, states, seeded(*model, 5, dtypeOf(training.precision))));
    QVERIFY(!holdsExactly(*model, training, states, seeded(*model, 6, dtypeOf(training.precision))));
}

void TestInitialStates::givenWeightsTakeTheirPlace() {
    const auto training = trainingOf(Precision::Float32, OptimizerSpec::Kind::Sgd, 0.9);
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    const auto given = seeded(*model, 99, DType::Float32);
    QVERIFY(holdsExactly(*model, training, initialStates(*model, training, given), given));
}

void TestInitialStates::theyAreAWholeCheckpoint() {
    QTemporaryDir run;
    const auto training = trainingOf(Precision::Float32, OptimizerSpec::Kind::Adam, 0);
    const auto model = loadModel(QStringLiteral("fashion-cnn"));
    const CheckpointStore store(run.path(),
                                {QStringLiteral("run"), {}, *model, training.precision, training.optimizer.state()});
    QVERIFY(store.write(0, 0, initialStates(*model, training)));
    const auto found = store.readNewest().checkpoint;
    QVERIFY(found);
    QVERIFY(holdsExactly(*model, training, found->states, seeded(*model, 5, DType::Float32)));
    const QString path = store.folderOf(0) + QStringLiteral("/weights.safetensors");
    QCOMPARE(weightsSha256(*readSafetensors(path)), weightsSha256(initialise(*model, 5, DType::Float32)));
}

QTEST_APPLESS_MAIN(TestInitialStates)
#include "test_initial_states.moc"
