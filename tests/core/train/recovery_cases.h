// What the tests of recovery share: plans of narrow-cnn, which has five layers, and the comparison with a plain loop.
#pragma once

#include <QJsonDocument>
#include <QTest>
#include <cmath>
#include <stdexcept>

#include "tests/core/train/narrow_cnn.h"
#include "tests/core/train/plain_coordinator.h"

namespace hearth::recovery {

constexpr int batchSize = 16;
constexpr int rounds = 40;

inline InputTransform padded() {
    InputTransform input;
    input.pad = {2, 2};
    return input;
}

inline TrainingSpec trainingBy(bool adam) {
    TrainingSpec training;
    training.precision = Precision::Float64;
    training.optimizer.weightDecay = 1e-3;
    if (adam) {
        training.optimizer.kind = OptimizerSpec::Kind::Adam;
        training.optimizer.learningRate = 0.001;
    } else {
        training.optimizer.learningRate = 0.02;
        training.optimizer.momentum = 0.9;
    }
    return training;
}

inline const std::vector<SampleBatch> &batches() {
    static const std::vector<SampleBatch> all = [] {
        std::vector<SampleBatch> made;
        for (int r = 0; r < 60; ++r)
            made.push_back(syntheticBatch(batchSize, 10, 100 + static_cast<quint64>(r)));
        return made;
    }();
    return all;
}

inline const TestPlan one{16, {{0, 5, {{0, 16}}}}};
inline const TestPlan two{4, {{0, 2, {{0, 4}}, 3}, {2, 5, {{1, 4}}, 1}}};
inline const TestPlan twoOther{8, {{0, 3, {{1, 8}}, 2, true}, {3, 5, {{0, 8}}, 1}}};
inline const TestPlan three{4, {{0, 1, {{0, 4}}, 4}, {1, 3, {{1, 4}}, 2}, {3, 5, {{2, 4}}, 1}}};
inline const TestPlan threeTurned{4, {{0, 2, {{2, 4}}, 4}, {2, 4, {{0, 4}}, 2}, {4, 5, {{1, 4}}, 1}}};
inline const TestPlan group{8, {{0, 5, {{0, 5}, {1, 3}}, 1}}};
inline const TestPlan groupLast{8, {{0, 2, {{0, 8}}, 3}, {2, 5, {{1, 5}, {2, 3}}, 1}}};
inline const TestPlan groupFirst{8, {{0, 3, {{0, 3}, {1, 5}}, 3}, {3, 5, {{2, 8}}, 1}}};
inline const TestPlan oneTwo{8, {{0, 2, {{1, 8}}, 3}, {2, 5, {{2, 8}}, 1}}};
inline const TestPlan zeroTwo{8, {{0, 3, {{0, 8}}, 3}, {3, 5, {{2, 8}}, 1}}};
inline const TestPlan groups{8, {{0, 2, {{0, 5}, {1, 3}}, 3}, {2, 4, {{2, 8}}, 2}, {4, 5, {{3, 2}, {4, 6}}, 1}}};
inline const TestPlan interleaved{4,
                                  {{0, 1, {{0, 4}}, 4}, {1, 2, {{1, 4}}, 4}, {2, 3, {{0, 4}}, 3}, {3, 5, {{1, 4}}, 1}}};
inline const TestPlan interleavedOther{
    8,
    {{0, 1, {{1, 8}}, 2}, {1, 2, {{2, 8}}, 2}, {2, 3, {{0, 8}}, 2}, {3, 4, {{2, 8}}, 2}, {4, 5, {{1, 8}}, 2}},
    QStringLiteral("zero-bubble")};
inline const TestPlan onlyOne{8, {{0, 5, {{1, 8}}}}};

using Backups = std::vector<PlainCoordinator::Backup>;
/// What a lone device of `three` computes, on the next one.
inline const Backups ofThree{{0, 1, 0, 1}, {1, 3, 1, 2}, {3, 5, 2, 0}};

/// Five layers. The stem's weights are those of the fourth layer, twice there, and of the head; the second layer's are
/// those of the fourth.
inline const Model &tiedModel() {
    static const Model model = [] {
        const QByteArray json =
            R"({"format": "hearth-model/1", "name": "tied", "input": [1, 32, 32], "classes": 10, "layers": [
          {"name": "stem", "kind": "graph", "ops": [
            {"name": "pool", "kind": "average-pool", "kernel": 4}, {"name": "flat", "kind": "flatten"},
            {"name": "in", "kind": "linear", "features": 64}, {"name": "relu", "kind": "relu"}]},
          {"name": "a", "kind": "graph", "ops": [
            {"name": "x", "kind": "linear", "features": 48}, {"name": "relu", "kind": "relu"},
            {"name": "y", "kind": "linear", "features": 64}, {"name": "sum", "kind": "add", "from": ["y", "input"]}]},
          {"name": "b", "kind": "graph", "ops": [
            {"name": "own", "kind": "linear", "features": 64}, {"name": "relu", "kind": "relu"}]},
          {"name": "c", "kind": "graph", "ops": [
            {"name": "x", "kind": "linear", "features": 48, "tensors": {"weight": "a.x.weight"}},
            {"name": "relu", "kind": "relu"},
            {"name": "y", "kind": "linear", "features": 64, "tensors": {"weight": "a.y.weight", "bias": "a.y.bias"}},
            {"name": "z", "kind": "linear", "features": 64, "tensors": {"weight": "stem.in.weight"}},
            {"name": "again", "kind": "linear", "features": 64, "tensors": {"weight": "stem.in.weight"}},
            {"name": "sum", "kind": "add", "from": ["again", "input"]}]},
          {"name": "head", "kind": "graph", "ops": [
            {"name": "up", "kind": "linear", "features": 64, "tensors": {"weight": "stem.in.weight"}},
            {"name": "relu", "kind": "relu"}, {"name": "out", "kind": "linear", "features": 10}]}]})";
        const auto read = Model::fromJson(QJsonDocument::fromJson(json).object(), QStringLiteral("the test"));
        return read ? *read : throw std::runtime_error(qPrintable(read.error().toString()));
    }();
    return model;
}

/// Four layers with statistics and without any state.
inline Model normalized() {
    const QByteArray json =
        R"({"format": "hearth-model/1", "name": "normalized", "input": [1, 32, 32], "classes": 10, "layers": [
      {"name": "stem", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 8, "kernel": 3, "stride": 2, "padding": 1, "bias": false},
        {"kind": "batch-norm"}, {"kind": "relu"}]},
      {"name": "pool", "kind": "sequence", "ops": [{"kind": "max-pool", "kernel": 2, "stride": 2}]},
      {"name": "body", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 16, "kernel": 3, "stride": 2, "padding": 1, "bias": false},
        {"kind": "batch-norm"}, {"kind": "relu"}]},
      {"name": "head", "kind": "sequence", "ops": [
        {"kind": "global-average-pool"}, {"kind": "flatten"}, {"kind": "linear", "features": 10}]}]})";
    const auto model = Model::fromJson(QJsonDocument::fromJson(json).object(), QStringLiteral("the test"));
    return model ? *model : throw std::runtime_error(qPrintable(model.error().toString()));
}

/// Trains that network on batches() as a TrainingSpec says by itself.
inline PlainCoordinator coordinatorOf(LoopbackHome &home) {
    return PlainCoordinator(home, narrowCnn(), TrainingSpec(), padded(), batches());
}

/// Of a halted run of `two`: the second stage moves to a third device, whose states the coordinator will send.
inline Deployment withNewcomer(const PlainCoordinator &coordinator) {
    Deployment next = coordinator.deployment({4, {{0, 2, {{0, 4}}, 3}, {2, 5, {{2, 4}}, 1}}});
    next.statesHeld = true;
    for (int layer = 2; layer < 5; ++layer)
        next.moves.push_back({layer, {}, LoopbackHome::fingerprintOf(2).toHex()});
    return next;
}

/// Losses and weights, those of another member of each group included, are those of a plain loop.
inline void compare(LoopbackHome &home, const PlainCoordinator &coordinator, bool adam) {
    static std::map<bool, ReferenceRun> references;
    ReferenceRun &expected = references[adam];
    if (expected.losses.empty())
        expected =
            trainPlainly(narrowCnn(), trainingBy(adam), padded(), {batches().begin(), batches().begin() + rounds});
    QVERIFY(coordinator.losses.size() >= std::size_t{rounds / 2});
    for (const auto &[round, loss] : coordinator.losses) {
        const double plain = expected.losses[round - 1];
        QVERIFY2(std::abs(loss - plain) <= 1e-10 * plain,
                 qPrintable(QStringLiteral("round %1: %2, not %3").arg(round).arg(loss, 0, 'g', 17).arg(plain)));
    }
    for (int member = 0; member < 2; ++member) {
        QCOMPARE(differenceOf(home.weights(member), expected.weights), QString());
    }
}

}  // namespace hearth::recovery

Q_DECLARE_METATYPE(hearth::TestPlan)
Q_DECLARE_METATYPE(hearth::PlainCoordinator::Source)
Q_DECLARE_METATYPE(std::vector<hearth::PlainCoordinator::Backup>)
