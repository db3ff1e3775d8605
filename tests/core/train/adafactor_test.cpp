// Adafactor: a step is the paper's, and any plan, loss of a device and move of layers gives what a plain loop does.
#include "core/model/layer_state.h"
#include "core/model/training_memory.h"
#include "core/plan/memory.h"
#include "core/profile/declared_facts.h"
#include "tests/core/train/recovery_cases.h"

using namespace hearth;
using namespace hearth::recovery;

namespace {

constexpr int count = 20;

TrainingSpec training(bool withMean) {
    TrainingSpec spec;
    spec.precision = Precision::Float64;
    spec.rounds = count;
    spec.optimizer = OptimizerSpec::defaultOf(OptimizerSpec::Kind::Adafactor);
    spec.optimizer.weightDecay = 0.01;
    if (withMean) {
        spec.optimizer.beta1 = 0.9;
        spec.optimizer.ema = 0.8;
        spec.schedule = {.kind = RateSchedule::Kind::Cosine, .warmupRounds = 3, .last = 0.1};
    }
    return spec;
}

const ReferenceRun &plainly(const Model &model, bool withMean) {
    static std::map<std::pair<QString, bool>, ReferenceRun> runs;
    ReferenceRun &run = runs[{model.name, withMean}];
    if (run.losses.empty())
        run = trainPlainly(model, training(withMean), padded(), {batches().begin(), batches().begin() + count});
    return run;
}

void compareWith(LoopbackHome &home, const PlainCoordinator &coordinator, const Model &model, bool withMean) {
    const ReferenceRun &expected = plainly(model, withMean);
    QVERIFY2(expected.losses.back() < expected.losses.front(), "the oracle itself does not learn");
    QVERIFY(coordinator.losses.size() >= std::size_t{count / 2});
    for (const auto &[round, loss] : coordinator.losses)
        QVERIFY(std::abs(loss - expected.losses[round - 1]) <= 1e-10 * expected.losses[round - 1]);
    for (int member = 0; member < 2; ++member) {
        const std::vector<NamedTensor> weights = home.weights(member);
        for (const NamedTensor &each : weights) {
            const auto same = std::ranges::find_if(
                expected.weights, [&](const NamedTensor &other) { return other.spec.name == each.spec.name; });
            QVERIFY(same != expected.weights.end());
            const double difference = relativeDifference(each, *same);
            QVERIFY2(difference <= 1e-10,
                     qPrintable(QStringLiteral("%1 differs by %2").arg(each.spec.name).arg(difference)));
        }
    }
}

/// One step after the other on one tensor, element by element and without factors kept apart.
struct PlainSteps {
    OptimizerSpec spec;
    qint64 count, rows, columns;
    bool isFactored;
    std::vector<double> x, rowMeans, columnMeans, whole, mean;

    PlainSteps(const OptimizerSpec &given, const Shape &shape, std::vector<double> start)
        : spec(given), x(std::move(start)), mean(x.size()) {
        isFactored = shape.size() > 1;
        columns = shape.empty() ? 1 : shape.back();
        rows = isFactored ? shape[shape.size() - 2] : 1;
        count = static_cast<qint64>(x.size()) / (rows * columns);
        rowMeans.resize(static_cast<std::size_t>(count * rows));
        columnMeans.resize(static_cast<std::size_t>(count * columns));
        whole.resize(x.size());
    }

    void step(const std::vector<double> &g, double rate, double decay, double t) {
        const double beta2 = 1 - std::pow(t, -0.8);
        std::vector<double> u(x.size());
        const auto at = [&](qint64 m, qint64 r, qint64 c) {
            return static_cast<std::size_t>((m * rows + r) * columns + c);
        };
        for (qint64 m = 0; m < count; ++m) {
            double all = 0;
            for (qint64 r = 0; r < rows; ++r) {
                double sum = 0;
                for (qint64 c = 0; c < columns; ++c)
                    sum += g[at(m, r, c)] * g[at(m, r, c)] + 1e-30;
                double &own = rowMeans[static_cast<std::size_t>(m * rows + r)];
                own = beta2 * own + (1 - beta2) * sum / double(columns);
                all += own / double(rows);
            }
            for (qint64 c = 0; c < columns; ++c) {
                double sum = 0;
                for (qint64 r = 0; r < rows; ++r)
                    sum += g[at(m, r, c)] * g[at(m, r, c)] + 1e-30;
                double &own = columnMeans[static_cast<std::size_t>(m * columns + c)];
                own = beta2 * own + (1 - beta2) * sum / double(rows);
            }
            for (qint64 r = 0; r < rows; ++r) {
                for (qint64 c = 0; c < columns; ++c) {
                    double &moment = whole[at(m, r, c)];
                    moment = isFactored ? rowMeans[static_cast<std::size_t>(m * rows + r)] *
                                              columnMeans[static_cast<std::size_t>(m * columns + c)] / all
                                        : beta2 * moment + (1 - beta2) * (g[at(m, r, c)] * g[at(m, r, c)] + 1e-30);
                    u[at(m, r, c)] = g[at(m, r, c)] / std::sqrt(moment);
                }
            }
        }
        const auto size = [](const std::vector<double> &values) {
            double sum = 0;
            for (const double value : values)
                sum += value * value;
            return std::sqrt(sum / double(values.size()));
        };
        const double shortened = std::max(1.0, size(u));
        if (spec.relativeStep)
            rate *= std::min(spec.learningRate, 1 / std::sqrt(t)) / spec.learningRate;
        const double alpha = rate * (spec.scaleParameter ? std::max(1e-3, size(x)) : 1);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double update = alpha * u[i] / shortened;
            mean[i] = spec.beta1 * mean[i] + (1 - spec.beta1) * update;
            x[i] -= alpha * decay * x[i] + mean[i];
        }
    }
};

}  // namespace

class AdafactorTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aStepIsThePapers_data() {
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<Shape>("strides");
        QTest::addColumn<double>("beta1");
        QTest::addColumn<bool>("scale");
        QTest::addColumn<bool>("relative");
        QTest::addColumn<bool>("single");
        const auto row = [](const char *name, const Shape &shape, const Shape &strides, double beta1, bool scale,
                            bool relative, bool single = false) {
            QTest::newRow(name) << shape << strides << beta1 << scale << relative << single;
        };
        row("a matrix", {13, 37}, {37, 1}, 0, true, false);
        row("a matrix with a mean of updates", {13, 37}, {37, 1}, 0.9, true, false);
        row("a matrix of one column, steps as given", {21, 1}, {1, 1}, 0, false, false);
        row("a matrix of one row, steps that fall", {1, 21}, {21, 1}, 0, true, true);
        row("a vector", {19}, {1}, 0, true, false);
        row("a vector with a mean of updates, steps that fall as given", {19}, {1}, 0.5, false, true);
        row("a single value", {}, {}, 0, true, false);
        row("weights of a convolution", {4, 3, 5, 2}, {30, 10, 2, 1}, 0.9, true, false);
        row("weights of a convolution, channels last", {4, 3, 5, 2}, {30, 1, 6, 3}, 0.9, true, false);
        row("a matrix in single precision", {13, 37}, {37, 1}, 0.9, true, false, true);
    }
    void aStepIsThePapers() {
        QFETCH(Shape, shape);
        QFETCH(Shape, strides);
        QFETCH(double, beta1);
        QFETCH(bool, scale);
        QFETCH(bool, relative);
        QFETCH(bool, single);
        TrainingSpec spec;
        spec.precision = single ? Precision::Float32 : Precision::Float64;
        spec.optimizer = OptimizerSpec::defaultOf(OptimizerSpec::Kind::Adafactor);
        spec.optimizer.learningRate = 0.9;
        spec.optimizer.weightDecay = 0.02;
        spec.optimizer.beta1 = beta1;
        spec.optimizer.scaleParameter = scale;
        spec.optimizer.relativeStep = relative;
        const qint64 elements = elementCount(shape), gap = 3, first = 5;
        // Where an element of the flat buffer lies, from its place in the shape.
        std::vector<std::size_t> places;
        for (qint64 i = 0; i < elements; ++i) {
            qint64 rest = i, place = first;
            for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d])
                place += rest % shape[d] * strides[d];
            places.push_back(static_cast<std::size_t>(place));
        }
        const qint64 all = first + elements + gap;
        const OptimizerState form = spec.optimizer.state();
        const FlatTensor before{{0, first}, {first}, {1}, 0};
        const FlatTensor tensor{{first, all}, shape, strides, MatrixForm::of(before.shape).moments()};
        const FlatOptimizer optimizer(spec, {before, tensor});
        const qint64 kept = form.copies * all + tensor.moments + MatrixForm::of(shape).moments();
        Flat p(single, all), g(single, all), state(single, kept);
        std::vector<double> start;
        for (qint64 i = 0; i < elements; ++i) {
            start.push_back(p.set(places[static_cast<std::size_t>(i)], 0.3 * std::sin(double(7 * i + 1))));
        }
        PlainSteps plain(spec.optimizer, shape, start);
        for (quint64 t = 1; t <= 6; ++t) {
            std::vector<double> gradient;
            for (qint64 i = 0; i < elements; ++i)
                gradient.push_back(g.set(places[static_cast<std::size_t>(i)],
                                         i % 5 == 4 ? 0 : std::cos(double(i) * double(t) + 0.5) * double(1 + i % 3)));
            optimizer.step(p.bytes(), g.bytes(), state.bytes(), all, t);
            plain.step(gradient, spec.optimizer.learningRate, shape.size() > 1 ? spec.optimizer.weightDecay : 0,
                       double(t));
        }
        double apart = 0, size = 0, moved = 0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            apart += std::pow(p.get(places[i]) - plain.x[i], 2);
            moved += std::pow(p.get(places[i]) - start[i], 2);
            size += std::pow(plain.x[i], 2);
        }
        QVERIFY(moved > 1e-6 * size);
        QVERIFY2(std::sqrt(apart / size) <= (single ? 1e-5 : 1e-13), qPrintable(QString::number(apart / size)));
        for (qint64 i = 0; i < gap; ++i)
            QCOMPARE(p.get(static_cast<std::size_t>(first + elements + i)), 0.0);
    }

    void aRunEqualsAPlainLoop_data() {
        QTest::addColumn<TestPlan>("plan");
        QTest::addColumn<bool>("withMean");
        QTest::addColumn<bool>("tied");
        QTest::newRow("one device") << one << false << false;
        QTest::newRow("three stages") << three << false << false;
        QTest::newRow("one device, then a group of two, a mean and an average") << groupLast << true << false;
        QTest::newRow("three stages, two groups of two") << groups << false << false;
        QTest::newRow("three stages, two groups of two, a mean and an average") << groups << true << false;
        QTest::newRow("tied tensors cut apart in three stages") << three << false << true;
        QTest::newRow("tied tensors, three stages, two groups of two, a mean") << groups << true << true;
    }
    void aRunEqualsAPlainLoop() {
        QFETCH(TestPlan, plan);
        QFETCH(bool, withMean);
        QFETCH(bool, tied);
        const Model &model = tied ? tiedModel() : narrowCnn();
        LoopbackHome home(5);
        PlainCoordinator coordinator(home, model, training(withMean), padded(), batches());
        QCOMPARE(coordinator.start(plan), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        compareWith(home, coordinator, model, withMean);
        QCOMPARE(coordinator.halt(), QString());
        compareCopies(home, coordinator, model, training(withMean).optimizer.state());
    }

    void aLostDeviceLeavesNoTrace_data() {
        using Source = PlainCoordinator::Source;
        QTest::addColumn<TestPlan>("first");
        QTest::addColumn<TestPlan>("second");
        QTest::addColumn<int>("lost");
        QTest::addColumn<Backups>("backups");
        QTest::addColumn<bool>("withMean");
        QTest::addColumn<bool>("tied");
        QTest::addColumn<Source>("source");
        QTest::newRow("the second of three stages, its copy takes over")
            << three << zeroTwo << 1 << ofThree << false << false << Source::Peers;
        QTest::newRow("the last of three stages, on to a group, a mean")
            << three << group << 2 << ofThree << true << false << Source::Peers;
        QTest::newRow("a member of a group, without any copy")
            << groupLast << zeroTwo << 1 << Backups() << false << false << Source::Peers;
        QTest::newRow("the first of three stages, all by way of the coordinator, a mean")
            << three << oneTwo << 0 << ofThree << true << false << Source::Coordinator;
        QTest::newRow("the last of three stages, all by way of the coordinator")
            << three << group << 2 << ofThree << false << false << Source::CoordinatorBeforeDeploy;
        QTest::newRow("tied tensors, the second of three stages")
            << three << zeroTwo << 1 << ofThree << true << true << Source::Peers;
    }
    void aLostDeviceLeavesNoTrace() {
        QFETCH(TestPlan, first);
        QFETCH(TestPlan, second);
        QFETCH(int, lost);
        QFETCH(Backups, backups);
        QFETCH(bool, withMean);
        QFETCH(bool, tied);
        QFETCH(PlainCoordinator::Source, source);
        const Model &model = tied ? tiedModel() : narrowCnn();
        LoopbackHome home(3);
        PlainCoordinator coordinator(home, model, training(withMean), padded(), batches());
        coordinator.snapshotEvery = 2;
        coordinator.keepEvery = 4;
        coordinator.backups = backups;
        QCOMPARE(coordinator.start(first), QString());
        QCOMPARE(coordinator.runTo(4), QString());
        QVERIFY(home.waitFor([&] { return home.copies.size() == backups.size(); }));
        for (int device = 0; device < home.devices(); ++device)
            home.note(device, QStringLiteral("commit"), {{QLatin1String("version"), 4}});
        int frames = 0;
        home.onFrame = [&](int, int, const TensorFrame &frame) {
            frames += frame.header.kind == TensorKind::Replica ? 0 : 1;
        };
        QCOMPARE(coordinator.runUntil([&] { return frames >= 20; }, count), QString());
        home.lose(lost);
        QCOMPARE(coordinator.halt(), QString());
        QVERIFY(coordinator.newestWhole() >= 4);
        coordinator.backups.clear();
        coordinator.keepEvery = 0;
        coordinator.source = source;
        QCOMPARE(coordinator.goOn(second), QString());
        QCOMPARE(coordinator.runTo(count), QString());
        compareWith(home, coordinator, model, withMean);
    }

    /// Counted by hand: a state's bytes, what the planner takes for it, and what a stage has.
    void onlyRowsAndColumnsAreKept() {
        const Model &model = tiedModel();
        const OptimizerState state = training(false).optimizer.state();
        const std::vector<LayerFacts> plain = declaredFacts(model, DType::Float64);
        std::vector<LayerFacts> facts = plain;
        addSecondMoments(facts, model, DType::Float64, state);
        qint64 states = 0;
        for (std::size_t l = 0; l < model.layers.size(); ++l) {
            const qint64 with = LayerStateLayout::of(model.layers[l], DType::Float64, state).bytes;
            const qint64 without = LayerStateLayout::of(model.layers[l], DType::Float64, {}).bytes;
            QCOMPARE(facts[l].bufferBytes - plain[l].bufferBytes, with - without);
            states += with;
        }
        // 64 by 64 and a bias; 48 by 64, 64 by 48 and their biases; what is twice in a layer counts once.
        const qint64 stem = qint64{8} * (64 + 64 + 64), a = qint64{8} * (48 + 64 + 48 + 64 + 48 + 64);
        QCOMPARE(facts[0].bufferBytes, stem);
        QCOMPARE(facts[1].bufferBytes, a);
        PlanningProblem problem;
        const auto bytesOf = [&problem](const std::vector<LayerFacts> &layers, int kept) {
            problem.layers = layers;
            problem.keptStates = kept;
            return [memory = MemoryModel(problem)](int first, int last) {
                return memory.stageBytes({.firstLayer = first, .lastLayer = last});
            };
        };
        QCOMPARE(bytesOf(facts, 0)(0, 2) - bytesOf(plain, 0)(0, 2), double(stem + a));
        QCOMPARE(bytesOf(facts, 1)(0, 5) - bytesOf(facts, 0)(0, 5), double(states));
        // A tied tensor counts once: 64 by 64 in b and 10 by 64 in the head, and biases.
        QCOMPARE(8 * factoredMoments(model), stem + a + qint64{8} * (64 + 64 + 64 + 48 + 64 + 64 + 64 + 10 + 64 + 10));
    }

  private:
    /// Memory of either precision.
    class Flat {
      public:
        Flat(bool single, qint64 count)
            : m_single(single), m_bytes(static_cast<std::size_t>(count) * (single ? 4 : 8)) {}
        std::byte *bytes() { return m_bytes.data(); }
        /// What it is then, rounded.
        double set(std::size_t i, double value) {
            if (m_single)
                reinterpret_cast<float *>(m_bytes.data())[i] = static_cast<float>(value);
            else
                reinterpret_cast<double *>(m_bytes.data())[i] = value;
            return get(i);
        }
        double get(std::size_t i) const {
            return m_single ? double(reinterpret_cast<const float *>(m_bytes.data())[i])
                            : reinterpret_cast<const double *>(m_bytes.data())[i];
        }

      private:
        bool m_single;
        std::vector<std::byte> m_bytes;
    };

    /// Tied tensors and all that is kept of them are the same, bit for bit, in every layer that has them, and so are
    /// the states of a group's members.
    static void compareCopies(LoopbackHome &home, const PlainCoordinator &coordinator, const Model &model,
                              const OptimizerState &state) {
        std::map<int, std::vector<QByteArray>> states;
        for (const auto &[device, halted] : coordinator.halted()) {
            for (const HeldState &held : halted.states) {
                if (held.version != coordinator.version)
                    continue;
                const auto read = home.states(device, held.firstLayer, held.lastLayer, held.version);
                QVERIFY(read);
                for (std::size_t i = 0; i < read->size(); ++i) {
                    const Buffer &buffer = *(*read)[i];
                    states[held.firstLayer + static_cast<int>(i)].emplace_back(
                        reinterpret_cast<const char *>(buffer.data()), buffer.size());
                }
            }
        }
        QCOMPARE(states.size(), model.layers.size());
        const auto partsOf = [&](const TensorRef &place) {
            const auto layout =
                LayerStateLayout::of(model.layers[static_cast<std::size_t>(place.layer)], DType::Float64, state);
            QByteArray bytes;
            for (const LayerStateLayout::Part &part : layout.parts) {
                if (part.tensor == place.tensor)
                    bytes += states[place.layer].front().mid(part.offset, part.bytes);
            }
            return bytes;
        };
        for (const auto &[layer, copies] : states) {
            for (const QByteArray &copy : copies)
                QVERIFY2(copy == copies.front(), qPrintable(QString::number(layer)));
            const auto &specs = model.layers[static_cast<std::size_t>(layer)].shape.tensors;
            for (std::size_t i = 0; i < specs.size(); ++i) {
                if (specs[i].tiedTo && !isRepeat(specs, i))
                    QVERIFY2(partsOf({layer, static_cast<int>(i)}) == partsOf(*specs[i].tiedTo),
                             qPrintable(specs[i].name));
            }
        }
    }
};

QTEST_GUILESS_MAIN(AdafactorTest)
#include "adafactor_test.moc"
