// Every op, forward and backward in float64, against PyTorch in another process; and before and behind ops in place.
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

#include "tests/core/train/op_case.h"
#include "tests/core/train/op_rows.h"

using namespace hearth;
using test::OpCase;

namespace {

constexpr double tolerance = 1e-12;
constexpr std::int64_t samples = 3;

QJsonObject toJson(const at::Tensor &tensor) {
    const at::Tensor plain = tensor.detach().contiguous();
    QJsonArray shape;
    for (const std::int64_t size : plain.sizes())
        shape.append(static_cast<qint64>(size));
    const QByteArray data(static_cast<const char *>(plain.data_ptr()), static_cast<qsizetype>(plain.nbytes()));
    return {{QStringLiteral("shape"), shape},
            {QStringLiteral("dtype"), plain.is_floating_point() ? QStringLiteral("float64") : QStringLiteral("int64")},
            {QStringLiteral("data"), QString::fromLatin1(data.toBase64())}};
}

/// Undefined where it is null.
at::Tensor fromJson(const QJsonValue &value) {
    if (value.isNull())
        return {};
    std::vector<std::int64_t> shape;
    for (const QJsonValue size : value[QLatin1String("shape")].toArray())
        shape.push_back(size.toInteger());
    QByteArray data = QByteArray::fromBase64(value[QLatin1String("data")].toString().toLatin1());
    return at::from_blob(data.data(), shape, at::kDouble).clone();
}

/// Of the whole tensor; what is not there is zero.
double difference(const at::Tensor &actual, const at::Tensor &expected) {
    if (!actual.defined() || !expected.defined()) {
        const at::Tensor &only = actual.defined() ? actual : expected;
        return only.defined() ? only.norm().item<double>() : 0;
    }
    if (actual.sizes() != expected.sizes())
        return std::numeric_limits<double>::infinity();
    return (actual - expected).norm().item<double>() / std::max(1e-6, expected.norm().item<double>());
}

}  // namespace

class OpReferenceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        at::manual_seed(1);
        m_reference.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_reference.start(QStringLiteral(HEARTH_PYTHON), {QStringLiteral(HEARTH_OP_REFERENCE)});
        QVERIFY(m_reference.waitForStarted());
    }

    void cleanupTestCase() {
        m_reference.closeWriteChannel();
        m_reference.waitForFinished();
    }

    void opsGiveWhatPyTorchGives_data();
    void opsGiveWhatPyTorchGives() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, shapes);
        OpCase own(op, shapes, samples, at::kDouble);
        const OpRun &run = runOf(own.op.kind);
        const RunOp function = run.bind(own.op);
        WeightGradientQueue queue;

        const at::Tensor y = function(own.call(queue));
        const at::Tensor gradient = at::randn(y.sizes(), at::kDouble);
        const QJsonObject answer = ask(own, gradient);
        QVERIFY2(!answer.isEmpty(), "the reference gave up");
        std::vector<std::int64_t> sizes{samples};
        sizes.insert(sizes.end(), own.op.outputShape.begin(), own.op.outputShape.end());
        QVERIFY2(y.sizes() == at::IntArrayRef(sizes), "the shape is not what the op's facts say");
        QVERIFY(near(y, fromJson(answer[QLatin1String("output")]), "output"));
        differentiate(y, gradient);
        QVERIFY(gradientsAreNear(own, answer, "plain"));

        // Weight gradients later.
        own.reset();
        queue.keepPass();
        differentiate(function(own.call(queue)), gradient);
        queue.runPass([](const at::Tensor &) {});
        queue.doAtOnce();
        QVERIFY(gradientsAreNear(own, answer, "later"));

        // Behind an op whose output is free, and before one that works in place.
        own.reset();
        std::vector<at::Tensor> inputs;
        for (const at::Tensor &input : own.inputs)
            inputs.push_back(input.is_floating_point() ? input.mul(1) : input);
        OpCall call = own.call(queue);
        call.inputs = inputs;
        call.mayOverwrite = inputs.front().is_floating_point();
        at::Tensor between = function(call);
        if (run.outputIsFree) {
            between.mul_(2);
            differentiate(between, gradient / 2);
        } else {
            differentiate(between, gradient);
        }
        QVERIFY(gradientsAreNear(own, answer, "in place"));
        for (std::size_t i = 1; i < inputs.size(); ++i)
            QVERIFY2(at::equal(inputs[i], own.inputs[i]), "an input other than the first was overwritten");

        // Nothing that others hold lies in a free output's memory, in evaluation either.
        if (run.outputIsFree) {
            const at::NoGradGuard guard;
            for (const bool training : {true, false}) {
                OpCall again = own.call(queue);
                again.training = training;
                again.updateStatistics = false;
                const at::Tensor result = function(again);
                const auto aliases = [&](const at::Tensor &other) {
                    return other.defined() && other.storage().data() == result.storage().data();
                };
                QVERIFY(std::none_of(own.inputs.begin(), own.inputs.end(), aliases));
                QVERIFY(std::none_of(own.tensors.begin(), own.tensors.end(), aliases));
            }
        }
    }

    void everyKindIsTried() {
        QStringList kinds = hearth::detail::opKinds();
        for (const test::OpRow &row : test::opRows)
            kinds.removeAll(QString::fromLatin1(row.op).section(QLatin1Char('\''), 3, 3));
        // Random ones have tests of their own.
        kinds.removeAll(QStringLiteral("dropout"));
        kinds.removeAll(QStringLiteral("stochastic-depth"));
        QVERIFY2(kinds.isEmpty(), qPrintable(kinds.join(QStringLiteral(", "))));
    }

  private:
    QJsonObject ask(const OpCase &own, const at::Tensor &gradient) {
        QJsonArray inputs, tensors;
        for (const at::Tensor &input : own.inputs)
            inputs.append(toJson(input));
        for (const at::Tensor &tensor : own.tensors)
            tensors.append(toJson(tensor));
        const QJsonObject request{{QStringLiteral("op"), hearth::detail::describeOp(own.op)},
                                  {QStringLiteral("inputs"), inputs},
                                  {QStringLiteral("tensors"), tensors},
                                  {QStringLiteral("gradient"), toJson(gradient)}};
        m_reference.write(QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n');
        while (!m_reference.canReadLine()) {
            if (!m_reference.waitForReadyRead(500'000))
                return {};
        }
        return QJsonDocument::fromJson(m_reference.readLine()).object();
    }

    /// Tables have no gradient.
    static void differentiate(const at::Tensor &y, const at::Tensor &gradient) {
        if (y.requires_grad())
            torch::autograd::backward({y}, {gradient});
    }

    static bool near(const at::Tensor &actual, const at::Tensor &expected, const char *what) {
        const double distance = difference(actual.defined() ? actual.detach().to(at::kDouble) : actual, expected);
        if (!(distance <= tolerance))
            qWarning("%s: relative distance %g", what, distance);
        return distance <= tolerance;
    }

    static bool gradientsAreNear(const OpCase &own, const QJsonObject &answer, const char *what) {
        const QJsonArray inputs = answer[QLatin1String("inputs")].toArray();
        const QJsonArray tensors = answer[QLatin1String("tensors")].toArray();
        bool all = true;
        for (std::size_t i = 0; i < own.inputs.size(); ++i)
            all = near(own.inputs[i].grad(), fromJson(inputs[static_cast<qsizetype>(i)]), what) && all;
        for (std::size_t i = 0; i < own.tensors.size(); ++i) {
            if (own.tensors[i].requires_grad())
                all = near(own.tensors[i].grad(), fromJson(tensors[static_cast<qsizetype>(i)]), what) && all;
        }
        return all;
    }

    QProcess m_reference;
};

void OpReferenceTest::opsGiveWhatPyTorchGives_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("shapes");
    for (const test::OpRow &row : test::opRows)
        QTest::newRow(row.name) << QByteArray(row.op) << QByteArray(row.shapes);
}

QTEST_GUILESS_MAIN(OpReferenceTest)
#include "op_reference_test.moc"
