// Every op, forward and backward in float64, against PyTorch in another process; and before and behind ops in place.
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

#include "tests/core/train/op_case.h"

using namespace hearth;
using test::OpCase;

namespace {

constexpr double tolerance = 1e-12;
constexpr std::int64_t samples = 3;
constexpr int skipped = 77;  // what the reference ends with where it cannot run

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
        if (!m_reference.waitForStarted())
            QSKIP("there is no Python");
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
        if (answer.isEmpty() && m_reference.exitCode() == skipped)
            QSKIP("there is no PyTorch for Python");
        QVERIFY2(!answer.isEmpty(), "the reference gave up");
        std::vector<std::int64_t> sizes{samples};
        sizes.insert(sizes.end(), own.op.outputShape.begin(), own.op.outputShape.end());
        QVERIFY2(y.sizes() == at::IntArrayRef(sizes), "the shape is not what the op's facts say");
        QVERIFY(near(y, fromJson(answer[QLatin1String("output")]), "output"));
        differentiate(y, gradient);
        QVERIFY(gradientsAreNear(own, answer, "plain"));

        // Weight gradients later.
        own.reset();
        queue.setKeeping(true);
        differentiate(function(own.call(queue)), gradient);
        queue.run([](const at::Tensor &) {});
        queue.setKeeping(false);
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
        for (const QByteArray &op : m_tried)
            kinds.removeAll(QString::fromLatin1(op.split('\'').value(3)));
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
            if (!m_reference.waitForReadyRead(120'000))
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

    void row(const char *name, const char *op, const char *shapes) {
        QTest::newRow(name) << QByteArray(op) << QByteArray(shapes);
        m_tried << QByteArray(op);
    }

    QProcess m_reference;
    QByteArrayList m_tried;
};

void OpReferenceTest::opsGiveWhatPyTorchGives_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("shapes");
    row("a rectifier", "{'kind':'relu'}", "5,3,7");
    row("a rectifier up to 6", "{'kind':'relu6'}", "5,3,7");
    row("a leaky rectifier", "{'kind':'leaky-relu','slope':0.2}", "9");
    row("silu", "{'kind':'silu'}", "5,3,7");
    row("gelu by the error function", "{'kind':'gelu'}", "5,7");
    row("gelu by a tangent", "{'kind':'gelu','approximate':'tanh'}", "5,7");
    row("a sigmoid", "{'kind':'sigmoid'}", "5,3,7");
    row("a hard swish", "{'kind':'hard-swish'}", "5,3,7");
    row("a hard sigmoid", "{'kind':'hard-sigmoid'}", "5,3,7");
    row("a tangent", "{'kind':'tanh'}", "11");
    row("elu", "{'kind':'elu','alpha':0.7}", "11");
    row("softplus", "{'kind':'softplus'}", "11");
    row("an exponential", "{'kind':'exp'}", "11");
    row("a logarithm", "{'kind':'log'}", "11");
    row("a root", "{'kind':'sqrt'}", "11");
    row("a negative", "{'kind':'neg'}", "11");
    row("an absolute value", "{'kind':'abs'}", "11");
    row("the error function", "{'kind':'erf'}", "11");
    row("a reciprocal", "{'kind':'reciprocal'}", "11");
    row("softmax over the last", "{'kind':'softmax'}", "4,7");
    row("softmax over channels", "{'kind':'softmax','axis':0}", "4,7,2");
    row("log-softmax", "{'kind':'log-softmax','axis':1}", "4,7");
    row("a clip on both sides", "{'kind':'clip','min':-1,'max':2.5}", "4,7");
    row("a clip from above", "{'kind':'clip','max':0.5}", "4,7");
    row("a power", "{'kind':'power','exponent':2.5}", "4,7");
    row("a scale and an offset", "{'kind':'scale','factor':0.3,'offset':-2}", "4,7");

    row("a sum", "{'kind':'add'}", "5,3;5,3");
    row("a sum of three, one of which is repeated", "{'kind':'add'}", "5,3;3;4,1,3");
    row("a sum whose first is repeated", "{'kind':'add'}", "3;5,3");
    row("a difference", "{'kind':'sub'}", "5,3;1,3");
    row("a product per channel", "{'kind':'mul'}", "5,3,4;5,1,1");
    row("a product of fewer dimensions", "{'kind':'mul'}", "5,3,4;4");
    row("a quotient", "{'kind':'div'}", "5,3;5,3");
    row("the larger", "{'kind':'maximum'}", "5,3;5,1");
    row("the smaller", "{'kind':'minimum'}", "5,3;5,3");
    row("a concatenation of channels", "{'kind':'concat','axis':0}", "5,3,2;1,3,2;2,3,2");
    row("a concatenation of features", "{'kind':'concat','axis':-1}", "5,3;5,1");
    row("a product of matrices", "{'kind':'matmul'}", "5,3;3,4");
    row("a product of matrices for each head", "{'kind':'matmul'}", "2,5,3;2,3,4");
    row("a product of matrices that repeats one", "{'kind':'matmul'}", "2,5,3;3,4");

    row("a slice with a step", "{'kind':'slice','axis':1,'start':1,'end':-1,'step':2}", "3,9,2");
    row("a slice to the end", "{'kind':'slice','axis':-1,'start':-2}", "3,9");
    row("a border of a constant", "{'kind':'pad','padding':[[1,0],[2,3]],'value':1.5}", "3,4");
    row("a reflected border of images", "{'kind':'pad','padding':[[0,0],[1,2],[3,0]],'mode':'reflect'}", "2,4,5");
    row("a reflected border of a list", "{'kind':'pad','padding':[[1,2]],'mode':'reflect'}", "5");
    row("a replicated border of rows", "{'kind':'pad','padding':[[0,0],[1,2]],'mode':'replicate'}", "3,4");
    row("a reshape with an open dimension", "{'kind':'reshape','shape':[2,-1,3]}", "4,3,5");
    row("a flatten", "{'kind':'flatten'}", "4,3,5");
    row("a transpose", "{'kind':'transpose','axes':[2,0,-2]}", "4,3,5");
    row("the first of a dimension", "{'kind':'select','axis':0,'index':0}", "4,3");
    row("the last of a dimension", "{'kind':'select','axis':-1,'index':-1}", "4,3");
    row("ids as real values", "{'kind':'cast','to':'real'}", "i4,3");
    row("real values as ids", "{'kind':'cast','to':'int64'}", "4,3");
    row("the first of ids", "{'kind':'slice','axis':0,'end':2}", "i4");
    row("an identity", "{'kind':'identity'}", "4,3");

    row("a mean over places", "{'kind':'mean','axes':[-1,-2]}", "3,4,5");
    row("a mean that keeps dimensions", "{'kind':'mean','axes':[1],'keep':true}", "3,4");
    row("a sum over a dimension", "{'kind':'sum','axes':[0]}", "3,4");
    row("the largest over places", "{'kind':'max','axes':[1,2],'keep':true}", "3,4,5");

    row("batch norm of images", "{'kind':'batch-norm','epsilon':0.001}", "4,3,5");
    row("batch norm of rows", "{'kind':'batch-norm'}", "4,7");
    row("batch norm of features", "{'kind':'batch-norm'}", "6");
    row("layer norm", "{'kind':'layer-norm'}", "4,7");
    row("layer norm over two dimensions", "{'kind':'layer-norm','dims':2,'epsilon':0.01}", "2,4,7");
    row("layer norm without weights", "{'kind':'layer-norm','affine':false}", "4,7");
    row("layer norm without a bias", "{'kind':'layer-norm','bias':false}", "4,7");
    row("group norm", "{'kind':'group-norm','groups':3}", "6,4,5");
    row("group norm without weights", "{'kind':'group-norm','groups':2,'affine':false}", "6,5");
    row("RMS norm", "{'kind':'rms-norm'}", "4,7");

    row("a convolution", "{'kind':'convolution','channels':5,'kernel':3,'padding':1}", "3,7,6");
    row("a pointwise convolution as a product", "{'kind':'convolution','channels':5,'kernel':1,'bias':false}",
        "40,3,3");
    row("a convolution with holes", "{'kind':'convolution','channels':4,'kernel':3,'dilation':2}", "3,7,6");
    row("a convolution in groups", "{'kind':'convolution','channels':6,'kernel':3,'groups':2,'stride':2}", "4,7,6");
    row("a convolution of another height than width",
        "{'kind':'convolution','channels':4,'kernel':[3,1],'stride':[1,2],'padding':[1,0],'dilation':[2,1]}", "3,7,6");
    row("a convolution with a border on two sides",
        "{'kind':'convolution','channels':4,'kernel':2,'stride':2,'padding':[0,0,1,1]}", "3,7,5");
    row("a convolution of rows", "{'kind':'convolution','channels':4,'kernel':3,'padding':2,'dilation':2}", "3,9");
    row("a causal convolution of rows",
        "{'kind':'convolution','channels':4,'kernel':3,'padding':[0,2,0,0],'bias':false}", "3,9");
    row("a depthwise convolution", "{'kind':'depthwise','kernel':5,'padding':2,'stride':2}", "6,7,7");
    row("a narrow depthwise convolution", "{'kind':'depthwise','kernel':3,'padding':1}", "40,2,2");
    row("a depthwise convolution with holes", "{'kind':'depthwise','kernel':3,'padding':2,'dilation':2}", "6,3,3");
    row("a depthwise convolution with a border on two sides", "{'kind':'depthwise','kernel':3,'padding':[0,0,1,1]}",
        "6,4,3");
    row("a depthwise convolution of rows", "{'kind':'depthwise','kernel':3,'padding':1}", "6,9");
    row("a transposed convolution",
        "{'kind':'transposed-convolution','channels':4,'kernel':3,'stride':2,'padding':1,"
        "'output_padding':1}",
        "3,4,5");
    row("a transposed convolution in groups with holes",
        "{'kind':'transposed-convolution','channels':6,'kernel':2,'groups':2,'dilation':2,'bias':false}", "4,4,5");
    row("a transposed convolution of rows",
        "{'kind':'transposed-convolution','channels':4,'kernel':4,'stride':3,'padding':1,'output_padding':2}", "3,5");
    row("a linear op", "{'kind':'linear','features':5}", "7");
    row("a linear op for each token", "{'kind':'linear','features':5}", "4,7");
    row("a linear op for each place", "{'kind':'linear','features':5,'bias':false}", "2,4,7");
    row("a transposed linear op", "{'kind':'linear','features':5,'transposed':true}", "4,7");
    row("a transposed linear op of a list", "{'kind':'linear','features':5,'transposed':true,'bias':false}", "7");

    row("max pooling", "{'kind':'max-pool','kernel':3,'stride':2,'padding':1}", "3,7,6");
    row("max pooling with holes, rounded up", "{'kind':'max-pool','kernel':2,'stride':2,'dilation':2,'ceil':true}",
        "3,8,7");
    row("max pooling with a border on two sides", "{'kind':'max-pool','kernel':3,'stride':2,'padding':[0,0,1,1]}",
        "3,6,6");
    row("max pooling of rows", "{'kind':'max-pool','kernel':3,'padding':1}", "3,7");
    row("average pooling", "{'kind':'average-pool','kernel':2}", "3,7,6");
    row("average pooling that does not count its border",
        "{'kind':'average-pool','kernel':[3,2],'stride':2,'padding':1,'count_padding':false}", "3,7,6");
    row("average pooling, rounded up", "{'kind':'average-pool','kernel':3,'stride':2,'padding':1,'ceil':true}",
        "3,7,6");
    row("average pooling of rows", "{'kind':'average-pool','kernel':3,'stride':2}", "3,7");
    row("global average pooling", "{'kind':'global-average-pool'}", "3,7,6");
    row("adaptive average pooling", "{'kind':'adaptive-average-pool','size':[3,2]}", "3,7,5");
    row("the nearest of an image", "{'kind':'upsample','scale':2}", "3,4,5");
    row("the nearest at an odd scale", "{'kind':'upsample','scale':[1.7,0.6]}", "3,5,5");
    row("between four places", "{'kind':'upsample','scale':[1.5,2],'mode':'bilinear'}", "3,4,5");
    row("between four places, corner to corner",
        "{'kind':'upsample','size':[7,3],'mode':'bilinear','align_corners':true}", "3,4,5");

    row("embeddings", "{'kind':'embedding','rows':11,'features':5}", "i7");
    row("embeddings with padding", "{'kind':'embedding','rows':3,'features':5,'padding':1}", "i2,7");
    row("a class token", "{'kind':'parameter','shape':[1,5]}", "7,5");
    row("sines of positions", "{'kind':'sinusoidal-positions'}", "7,6");
    row("sines of positions of odd features", "{'kind':'sinusoidal-positions'}", "7,5");
    row("rotary positions", "{'kind':'rotary','heads':3}", "7,12");
    row("rotary positions of pairs", "{'kind':'rotary','heads':2,'style':'interleaved','base':500,'offset':3}", "5,12");
    row("attention", "{'kind':'attention','heads':3}", "5,12;5,12;5,12");
    row("attention of one head", "{'kind':'attention','heads':1}", "5,4;5,4;5,4");
    row("attention of one token", "{'kind':'attention','heads':2}", "1,4;1,4;1,4");
    row("causal attention", "{'kind':'attention','heads':3,'causal':true,'scale':0.7}", "5,12;5,12;5,12");
    row("attention with shared heads of keys", "{'kind':'attention','heads':6,'kv_heads':2}", "5,24;5,8;5,8");
    row("attention to another sequence", "{'kind':'attention','heads':2}", "5,6;7,6;7,6");
    row("attention with a mask", "{'kind':'attention','heads':2}", "5,6;7,6;7,6;i7");
    row("attention with a mask for each query", "{'kind':'attention','heads':2}", "5,6;7,6;7,6;i5,7");
    row("causal attention with a mask", "{'kind':'attention','heads':2,'causal':true}", "5,6;5,6;5,6;i5");
    row("attention with T5's bias", "{'kind':'attention','heads':2,'scale':1,'relative':{}}", "70,6;70,6;70,6");
    row("causal attention with T5's bias",
        "{'kind':'attention','heads':4,'kv_heads':2,'causal':true,'relative':{'buckets':8,'max_distance':20,"
        "'bidirectional':false}}",
        "40,8;40,4;40,4");
}

QTEST_GUILESS_MAIN(OpReferenceTest)
#include "op_reference_test.moc"
