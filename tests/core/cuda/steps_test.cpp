// A card's optimizer steps against the processor's, byte for byte.
#include <QTest>
#include <algorithm>
#include <optional>

#include "core/train/flat_math.h"
#include "tests/core/cuda/kernel_case.h"

using namespace hearth;

namespace {

/// Vectors of all lengths among matrices, which weight decay leaves out.
std::vector<FlatTensor> biasesIn(qint64 count) {
    std::vector<FlatTensor> tensors;
    for (qint64 first = 0; first < count;) {
        const bool isBias = random64() % 2 == 0;
        const qint64 length = std::min(count - first, 1 + qint64(random64() % (isBias ? 300 : 9000)));
        tensors.push_back({{first, first + length}, isBias ? Shape{length} : Shape{1, length}, {}});
        first += length;
    }
    return tensors;
}

Bytes rangesOf(const FlatOptimizer &flat) {
    Bytes bytes;
    for (const auto &[first, end] : flat.undecayed()) {
        const cuda::Range range{first, end};
        const auto *at = reinterpret_cast<const std::byte *>(&range);
        bytes.insert(bytes.end(), at, at + sizeof range);
    }
    return bytes;
}

}  // namespace

class CudaStepsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = whyNoCard(); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        m_stream.emplace();
    }
    void cleanupTestCase() { m_stream.reset(); }

    void optimizersTakeTheSameSteps_data() {
        QTest::addColumn<OptimizerSpec>("optimizer");
        QTest::addColumn<Precision>("precision");
        using Kind = OptimizerSpec::Kind;
        const auto rows = [](const char *name, Kind kind, double momentum, bool nesterov) {
            for (const double ema : {0.0, 0.99}) {
                for (const double decay : {0.0, 0.02}) {
                    for (const Precision precision : {Precision::Float32, Precision::Float64}) {
                        OptimizerSpec optimizer = OptimizerSpec::defaultOf(kind);
                        optimizer.momentum = momentum;
                        optimizer.nesterov = nesterov;
                        optimizer.ema = ema;
                        optimizer.weightDecay = decay;
                        QTest::addRow("%s%s%s, %s", name, ema > 0 ? " with an average" : "",
                                      decay > 0 ? " and decay" : "",
                                      precision == Precision::Float32 ? "32 bits" : "64 bits")
                            << optimizer << precision;
                    }
                }
            }
        };
        rows("SGD", Kind::Sgd, 0, false);
        rows("momentum", Kind::Sgd, 0.9, false);
        rows("Nesterov", Kind::Sgd, 0.9, true);
        rows("Adam", Kind::Adam, 0, false);
        rows("AdamW", Kind::AdamW, 0, false);
    }

    void optimizersTakeTheSameSteps() {
        QFETCH(OptimizerSpec, optimizer);
        QFETCH(Precision, precision);
        TrainingSpec training;
        training.optimizer = optimizer;
        training.precision = precision;
        training.rounds = 100;
        training.schedule.kind = RateSchedule::Kind::Cosine;
        const DType type = dtypeOf(precision);
        for (const qint64 count : sizes) {
            for (const auto &[one, other] : offsets) {
                if (count == large && one != 0)
                    continue;
                const FlatOptimizer flat(training, biasesIn(count));
                Bytes p = numbers(type, count), g = numbers(type, count);
                Bytes state(p.size() * static_cast<std::size_t>(optimizer.state().copies));
                const OnCard cardP(p, bytesOf(type, qint64(one))), cardState(state, bytesOf(type, qint64(other)));
                OnCard cardG(g, bytesOf(type, qint64(one)));
                const OnCard cardRanges(rangesOf(flat), 0);
                for (const quint64 step : {1, 2, 50}) {
                    if (count == large && step > 1)
                        break;
                    g = numbers(type, count);
                    cardG.put(g.data());
                    cuda::step(flat.factors(step), cardP.data(), cardG.data(), cardState.data(), count, realOf(type),
                               cardRanges.data<cuda::Range>(), int(flat.undecayed().size()), *m_stream);
                    flat.step(p.data(), g.data(), state.data(), count, step);
                    const QString where = placeOf(count, one, other) + QStringLiteral(", step %1").arg(step);
                    COMPARE_CARD(cardP, p, where);
                    COMPARE_CARD(cardState, state, where);
                    COMPARE_CARD(cardG, g, where);
                }
            }
        }
    }

  private:
    std::optional<CardStream> m_stream;
};

QTEST_GUILESS_MAIN(CudaStepsTest)
#include "steps_test.moc"
