// What the ops of a network say of themselves: shapes, weights, costs, and what is wrong with a description.
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "core/base/json_reader.h"
#include "core/model/op.h"

using namespace hearth;

namespace {

/// `description` has ' for ", `shapes` are per sample: "3,8,8;3,1,1", with an i before int64.
Result<Op> fitted(const QByteArray &description, const QByteArray &shapes) {
    QByteArray text = description;
    const auto object = parseJsonObject(text.replace('\'', '"'), QStringLiteral("op"));
    if (!object)
        return tl::unexpected(object.error());
    JsonReader reader(*object, QStringLiteral("op"));
    const QString kind = reader.choice("kind", detail::opKinds());
    Op op;
    if (reader.ok())
        op = detail::readOp(reader, kind);
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    for (QByteArray shape : shapes.split(';')) {
        op.inputKinds.push_back(shape.startsWith('i') ? ValueKind::Int64 : ValueKind::Real);
        Shape sizes;
        for (const QByteArray &size : shape.replace('i', "").split(','))
            sizes.push_back(size.toLongLong());
        op.inputShapes.push_back(sizes);
    }
    if (auto fits = detail::fitOp(op, QStringLiteral("The op")); !fits)
        return tl::unexpected(fits.error());
    return op;
}

Shape shapeFrom(const QByteArray &text) {
    Shape shape;
    for (const QByteArray &size : text.split(','))
        shape.push_back(size.toLongLong());
    return shape;
}

}  // namespace

class OpsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void shapesFollow_data();
    void shapesFollow() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, inputs);
        QFETCH(QByteArray, output);
        const auto own = fitted(op, inputs);
        QVERIFY2(own, own ? "" : qPrintable(own.error().toString()));
        QCOMPARE(own->outputShape, shapeFrom(output));
        // What one says of itself means the same again.
        const QByteArray text = QJsonDocument(detail::describeOp(*own)).toJson(QJsonDocument::Compact);
        const auto again = fitted(text, inputs);
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE(again->parameters, own->parameters);
        QCOMPARE(again->kind, own->kind);
        QCOMPARE(again->outputShape, own->outputShape);
    }

    void equalOpsHaveOneDescription_data();
    void equalOpsHaveOneDescription() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, inputs);
        QFETCH(QByteArray, normal);
        const auto own = fitted(op, inputs);
        QVERIFY2(own, own ? "" : qPrintable(own.error().toString()));
        QCOMPARE(QJsonDocument(detail::describeOp(*own)).toJson(QJsonDocument::Compact).replace('"', '\''), normal);
    }

    void errorsNameTheRemedy_data();
    void errorsNameTheRemedy() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, inputs);
        QFETCH(QByteArrayList, words);
        const auto own = fitted(op, inputs);
        QVERIFY(!own);
        const QString text = own.error().toString();
        for (const QByteArray &word : words)
            QVERIFY2(text.contains(QString::fromUtf8(word)), qPrintable(text));
        QVERIFY2(!own.error().cause.isEmpty() || !own.error().advice.isEmpty(), qPrintable(text));
    }

    void costsAreCountedByHand_data();
    void costsAreCountedByHand() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, inputs);
        const auto own = fitted(op, inputs);
        QVERIFY2(own, own ? "" : qPrintable(own.error().toString()));
        QTEST(own->cost.macs, "macs");
        QTEST(own->cost.flops, "flops");
        QTEST(own->kept(), "kept");
        qint64 weights = 0;
        for (const TensorSpec &tensor : detail::tensorsOf(*own, false))
            weights += tensor.elements();
        QTEST(weights, "weights");
    }

    void tensorsAreNamedAndShapedAsPyTorchs_data();
    void tensorsAreNamedAndShapedAsPyTorchs() {
        QFETCH(QByteArray, op);
        QFETCH(QByteArray, inputs);
        const auto own = fitted(op, inputs);
        QVERIFY2(own, own ? "" : qPrintable(own.error().toString()));
        QStringList tensors;
        for (const TensorSpec &tensor : detail::tensorsOf(*own, false))
            tensors << tensor.name + QLatin1Char(' ') + shapeText(tensor.shape);
        QTEST(tensors.join(QStringLiteral(", ")), "tensors");
    }

    void aTransposedWeightStartsAsWideAsAnother() {
        const auto plain = fitted("{'kind':'linear','features':3}", "5,48");
        const auto turned = fitted("{'kind':'linear','features':3,'transposed':true}", "5,48");
        QVERIFY(plain && turned);
        QCOMPARE(detail::tensorsOf(*plain, false).front().bound, 0.25);
        QCOMPARE(detail::tensorsOf(*turned, false).front().bound, 0.25);
    }

    void whatTakesIdsSaysWhatItGives() {
        QCOMPARE(fitted("{'kind':'embedding','rows':9,'features':8}", "i4")->outputKind, ValueKind::Real);
        QCOMPARE(fitted("{'kind':'slice','axis':0,'end':2}", "i4")->outputKind, ValueKind::Int64);
        QCOMPARE(fitted("{'kind':'cast','to':'real'}", "i4")->outputKind, ValueKind::Real);
        QCOMPARE(fitted("{'kind':'parameter','shape':[2]}", "i4")->outputKind, ValueKind::Real);
        QCOMPARE(fitted("{'kind':'attention','heads':1}", "5,2;5,2;5,2;i5")->outputKind, ValueKind::Real);
    }
};

void OpsTest::shapesFollow_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<QByteArray>("output");
    const auto row = [](const char *name, const char *op, const char *inputs, const char *output) {
        QTest::newRow(name) << QByteArray(op) << QByteArray(inputs) << QByteArray(output);
    };
    row("a convolution with holes", "{'kind':'convolution','channels':5,'kernel':3,'dilation':2}", "3,9,8", "5,5,4");
    row("a convolution of another height than width", "{'kind':'convolution','channels':5,'kernel':[1,3]}", "3,9,8",
        "5,9,6");
    row("a convolution with a border on two sides",
        "{'kind':'convolution','channels':5,'kernel':3,'stride':2,'padding':[0,0,1,1]}", "3,8,8", "5,4,4");
    row("a convolution of rows", "{'kind':'convolution','channels':5,'kernel':3,'padding':1,'stride':2}", "3,9", "5,5");
    row("patches of a picture", "{'kind':'convolution','channels':192,'kernel':16,'stride':16}", "3,224,224",
        "192,14,14");
    row("a transposed convolution", "{'kind':'transposed-convolution','channels':5,'kernel':2,'stride':2}", "3,4,5",
        "5,8,10");
    row("a transposed convolution of rows",
        "{'kind':'transposed-convolution','channels':5,'kernel':3,'stride':2,'padding':1,'output_padding':1}", "3,4",
        "5,8");
    row("a linear op for each token", "{'kind':'linear','features':5}", "4,7", "4,5");
    row("pooling that rounds up", "{'kind':'max-pool','kernel':3,'stride':2,'ceil':true}", "3,8,8", "3,4,4");
    row("pooling that rounds up never begins behind the border",
        "{'kind':'average-pool','kernel':2,'stride':3,'ceil':true}", "3,6,7", "3,2,3");
    row("adaptive pooling", "{'kind':'adaptive-average-pool','size':7}", "3,9,4", "3,7,7");
    row("a larger image", "{'kind':'upsample','scale':[2,1.5]}", "3,4,5", "3,8,7");
    row("broadcasting at the end", "{'kind':'mul'}", "5,3,4;3,1", "5,3,4");
    row("broadcasting both ways", "{'kind':'add'}", "1,4;3,1", "3,4");
    row("a concatenation", "{'kind':'concat','axis':-1}", "5,3;5,4;5,1", "5,8");
    row("a product of matrices", "{'kind':'matmul'}", "8,5,3;3,4", "8,5,4");
    row("a slice", "{'kind':'slice','axis':0,'start':1,'end':6,'step':2}", "9,2", "3,2");
    row("a selection", "{'kind':'select','axis':0,'index':-1}", "9,2", "2");
    row("a reshape", "{'kind':'reshape','shape':[-1,4]}", "6,2", "3,4");
    row("a transpose", "{'kind':'transpose','axes':[-1,0,1]}", "2,3,4", "4,2,3");
    row("a border", "{'kind':'pad','padding':[[0,0],[1,2]]}", "3,4", "3,7");
    row("a mean over places", "{'kind':'mean','axes':[1,-1]}", "3,4,5", "3");
    row("a mean that keeps dimensions", "{'kind':'mean','axes':[-1],'keep':true}", "3,4,5", "3,4,1");
    row("embeddings", "{'kind':'embedding','rows':100,'features':8}", "i7", "7,8");
    row("a class token", "{'kind':'parameter','shape':[1,8]}", "7,8", "1,8");
    row("attention to another sequence", "{'kind':'attention','heads':4,'kv_heads':2}", "5,32;9,16;9,16;i9", "5,32");
}

void OpsTest::equalOpsHaveOneDescription_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<QByteArray>("normal");
    const auto row = [](const char *name, const char *op, const char *inputs, const char *normal) {
        QTest::newRow(name) << QByteArray(op) << QByteArray(inputs) << QByteArray(normal);
    };
    row("a convolution as it always was",
        "{'kind':'convolution','channels':5,'kernel':[3,3],'dilation':[1,1],'padding':[1,1,1,1]}", "3,8,8",
        "{'bias':true,'channels':5,'groups':1,'kernel':3,'kind':'convolution','padding':1,'stride':1}");
    row("a row is an image of height 1", "{'kind':'convolution','channels':5,'kernel':[1,3],'padding':[0,1]}", "3,8",
        "{'bias':true,'channels':5,'groups':1,'kernel':3,'kind':'convolution','padding':1,'stride':1}");
    row("as many groups as channels are depthwise",
        "{'kind':'convolution','channels':6,'kernel':3,'groups':6,'dilation':2}", "6,8,8",
        "{'bias':true,'dilation':2,'kernel':3,'kind':'depthwise','padding':0,'stride':1}");
    row("max pooling as it always was", "{'kind':'max-pool','kernel':2,'ceil':false,'dilation':1}", "3,8,8",
        "{'kernel':2,'kind':'max-pool','padding':0,'stride':2}");
    row("average pooling as it always was", "{'kind':'average-pool','kernel':2,'padding':0,'count_padding':true}",
        "3,8,8", "{'kernel':2,'kind':'average-pool','stride':2}");
    row("adaptive pooling to one place", "{'kind':'adaptive-average-pool','size':1}", "3,8,8",
        "{'kind':'global-average-pool'}");
    row("a linear op as it always was", "{'kind':'linear','features':5,'transposed':false}", "3",
        "{'bias':true,'features':5,'kind':'linear'}");
    row("a slice from the end", "{'kind':'slice','axis':-1,'start':-2}", "3,8",
        "{'axis':1,'end':8,'kind':'slice','start':6,'step':1}");
    row("axes in any order", "{'kind':'mean','axes':[-1,0]}", "3,8", "{'axes':[0,1],'keep':false,'kind':'mean'}");
    row("an open dimension", "{'kind':'reshape','shape':[2,-1]}", "3,8", "{'kind':'reshape','shape':[2,12]}");
}

void OpsTest::errorsNameTheRemedy_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<QByteArrayList>("words");
    const auto row = [](const char *name, const char *op, const char *inputs, const QByteArrayList &words) {
        QTest::newRow(name) << QByteArray(op) << QByteArray(inputs) << words;
    };
    row("a convolution of a list", "{'kind':'convolution','channels':4,'kernel':3}", "12", {"12", "channels×length"});
    row("a kernel of three numbers", "{'kind':'convolution','channels':4,'kernel':[3,3,3]}", "3,8,8",
        {"/kernel", "[height, width]"});
    row("a padding of three numbers", "{'kind':'convolution','channels':4,'kernel':3,'padding':[1,1,1]}", "3,8,8",
        {"/padding", "[top, left, bottom, right]"});
    row("a kernel with holes that is too wide", "{'kind':'convolution','channels':4,'kernel':[1,3],'dilation':4}",
        "3,8,8", {"at least 9 in width"});
    row("a kernel that is longer than a row", "{'kind':'convolution','channels':4,'kernel':9}", "3,8",
        {"a length of at least 9"});
    row("groups that do not divide", "{'kind':'transposed-convolution','channels':4,'kernel':3,'groups':2}", "3,8,8",
        {"2 groups"});
    row("a transposed convolution with more padding than it gives",
        "{'kind':'transposed-convolution','channels':4,'kernel':2,'padding':9}", "3,4,4", {"at least one place"});
    row("more padding than half a kernel", "{'kind':'max-pool','kernel':2,'padding':2}", "3,8,8", {"half"});
    row("a linear op of nothing", "{'kind':'linear'}", "8", {"/features", "missing"});
    row("batch norm of four dimensions", "{'kind':'batch-norm'}", "2,3,4,5", {"2×3×4×5"});
    row("layer norm over more than there is", "{'kind':'layer-norm','dims':3}", "4,8", {"3 dimensions"});
    row("group norm whose groups do not divide", "{'kind':'group-norm','groups':4}", "6,8,8", {"4 groups"});
    row("shapes that do not broadcast", "{'kind':'mul'}", "3,8,8;2,8,8", {"3×8×8 and 2×8×8", "of 1 are repeated"});
    row("a concatenation of different widths", "{'kind':'concat','axis':0}", "3,8;3,7", {"dimension 0", "axis"});
    row("matrices that do not fit", "{'kind':'matmul'}", "5,3;4,3", {"…×n×k"});
    row("a product of lists", "{'kind':'matmul'}", "5;5", {"…×n×k"});
    row("an axis that is not there", "{'kind':'softmax','axis':2}", "5,3", {"dimension 2", "behind the batch"});
    row("the same axis twice", "{'kind':'mean','axes':[0,-2]}", "5,3", {"each named once"});
    row("an empty slice", "{'kind':'slice','axis':0,'start':3,'end':2}", "5,3", {"\"start\""});
    row("an element that is not there", "{'kind':'select','axis':0,'index':5}", "5,3", {"an element 5"});
    row("a reshape that loses elements", "{'kind':'reshape','shape':[4,-1]}", "5,3", {"as many elements"});
    row("a reshape with two open dimensions", "{'kind':'reshape','shape':[-1,-1]}", "5,3", {"/shape", "one may be -1"});
    row("a transpose that forgets a dimension", "{'kind':'transpose','axes':[1]}", "5,3", {"each once"});
    row("a border for another number of dimensions", "{'kind':'pad','padding':[[1,1]]}", "5,3", {"[before, after]"});
    row("a border of nonsense", "{'kind':'pad','padding':[[1],[2,-1]]}", "5,3", {"/padding"});
    row("a reflection of more than there is", "{'kind':'pad','padding':[[0,0],[3,0]],'mode':'reflect'}", "5,3",
        {"more elements than it reflects"});
    row("a clip without a bound", "{'kind':'clip'}", "5", {"\"max\""});
    row("a clip whose bounds are exchanged", "{'kind':'clip','min':2,'max':1}", "5", {"below \"min\""});
    row("an approximation that is unknown", "{'kind':'gelu','approximate':'tan'}", "5", {"Did you mean \"tanh\"?"});
    row("an image without a size", "{'kind':'upsample'}", "3,4,4", {"\"scale\""});
    row("corners of the nearest", "{'kind':'upsample','scale':2,'align_corners':true}", "3,4,4", {"bilinear"});
    row("rotary positions of odd heads", "{'kind':'rotary','heads':2}", "5,6", {"even number", "2 heads"});
    row("heads that do not divide", "{'kind':'attention','heads':4}", "5,10;5,10;5,10", {"4 heads"});
    row("heads of keys that do not divide", "{'kind':'attention','heads':4,'kv_heads':3}", "5,8;5,6;5,6",
        {"/kv_heads", "4 heads"});
    row("keys of another width", "{'kind':'attention','heads':4,'kv_heads':2}", "5,32;5,32;5,32",
        {"8 features for each of 2 heads"});
    row("keys and values of two lengths", "{'kind':'attention','heads':4}", "5,32;5,32;6,32", {"one shape"});
    row("a mask of another length", "{'kind':'attention','heads':4}", "5,32;6,32;6,32;i5", {"a mask of 6 or of 5×6"});
    row("attention of images", "{'kind':'attention','heads':1}", "5,3,2;5,3,2;5,3,2", {"tokens×features"});
    row("a misspelled key of the relative bias", "{'kind':'attention','heads':1,'relative':{'bucket':8}}",
        "5,3;5,3;5,3", {"/relative", "Did you mean \"buckets\"?"});
    row("embeddings of real values", "{'kind':'embedding','rows':9,'features':8}", "4", {"real ones", "int64"});
    row("ids where values are real", "{'kind':'linear','features':9}", "i4", {"whole numbers", "embedding"});
    row("a mask of real values", "{'kind':'attention','heads':1}", "5,2;5,2;5,2;5", {"real ones", "int64"});
    row("ids beside real values", "{'kind':'concat','axis':0}", "4;i4", {"whole numbers"});
    row("too many dimensions", "{'kind':'embedding','rows':9,'features':8}", "i1,2,1,2,1,2,1", {"7 dimensions"});
    row("more elements than any device holds", "{'kind':'parameter','shape':[1048576,1048576,1048576,1048576]}", "1",
        {"too large"});
}

void OpsTest::costsAreCountedByHand_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<double>("macs");
    QTest::addColumn<double>("flops");
    QTest::addColumn<qint64>("kept");
    QTest::addColumn<qint64>("weights");
    QTest::newRow("a convolution in groups")
        << QByteArray("{'kind':'convolution','channels':9,'kernel':[3,1],'groups':3}") << QByteArray("6,8,8")
        << 9.0 * 6 * 8 * 2 * 3 << 2 * 9.0 * 6 * 8 * 2 * 3 << qint64{6 * 64} << qint64{9 * 2 * 3 + 9};
    QTest::newRow("a transposed convolution")
        << QByteArray("{'kind':'transposed-convolution','channels':5,'kernel':2,'stride':2,'bias':false}")
        << QByteArray("3,4,4") << 48.0 * 5 * 4 << 2 * 48.0 * 5 * 4 << qint64{48} << qint64{3 * 5 * 4};
    QTest::newRow("a linear op for each token") << QByteArray("{'kind':'linear','features':5}") << QByteArray("4,7")
                                                << 4.0 * 7 * 5 << 2 * 4.0 * 7 * 5 << qint64{28} << qint64{40};
    QTest::newRow("a product of matrices") << QByteArray("{'kind':'matmul'}") << QByteArray("2,4,7;7,3")
                                           << 2.0 * 4 * 7 * 3 << 2 * 2.0 * 4 * 7 * 3 << qint64{56 + 21} << qint64{0};
    QTest::newRow("attention") << QByteArray("{'kind':'attention','heads':2,'kv_heads':1}") << QByteArray("5,8;6,4;6,4")
                               << 2 * 60.0 * 4 << 4 * 60.0 * 4 + 12 * 60 << qint64{40 + 24 + 24 + 60} << qint64{0};
    QTest::newRow("layer norm") << QByteArray("{'kind':'layer-norm'}") << QByteArray("4,7") << 0.0 << 4 * 28.0
                                << qint64{28 + 8} << qint64{14};
    QTest::newRow("a product of elements")
        << QByteArray("{'kind':'mul'}") << QByteArray("4,7;7") << 0.0 << 28.0 << qint64{35} << qint64{0};
    QTest::newRow("a view") << QByteArray("{'kind':'reshape','shape':[28]}") << QByteArray("4,7") << 0.0 << 0.0
                            << qint64{0} << qint64{0};
    QTest::newRow("embeddings") << QByteArray("{'kind':'embedding','rows':10,'features':4}") << QByteArray("i6") << 0.0
                                << 0.0 << qint64{12} << qint64{40};
    QTest::newRow("dropout") << QByteArray("{'kind':'dropout','probability':0.1}") << QByteArray("6") << 0.0 << 6.0
                             << qint64{2} << qint64{0};
}

void OpsTest::tensorsAreNamedAndShapedAsPyTorchs_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<QString>("tensors");
    const auto row = [](const char *name, const char *op, const char *inputs, const char *tensors) {
        QTest::newRow(name) << QByteArray(op) << QByteArray(inputs) << QString::fromUtf8(tensors);
    };
    row("a convolution of rows", "{'kind':'convolution','channels':4,'kernel':3}", "6,9", "weight 4×6×3, bias 4");
    row("a depthwise convolution of rows", "{'kind':'depthwise','kernel':3,'bias':false}", "6,9", "weight 6×1×3");
    row("a transposed convolution", "{'kind':'transposed-convolution','channels':4,'kernel':[3,2],'groups':2}", "6,9,9",
        "weight 6×2×3×2, bias 4");
    row("a transposed linear op", "{'kind':'linear','features':4,'transposed':true}", "6", "weight 6×4, bias 4");
    row("layer norm over two dimensions", "{'kind':'layer-norm','dims':2}", "3,4,5", "weight 4×5, bias 4×5");
    row("layer norm without a bias", "{'kind':'layer-norm','bias':false}", "3,4", "weight 4");
    row("group norm", "{'kind':'group-norm','groups':2}", "6,9,9", "weight 6, bias 6");
    row("RMS norm", "{'kind':'rms-norm'}", "3,4", "weight 4");
    row("embeddings", "{'kind':'embedding','rows':10,'features':4}", "i6", "weight 10×4");
    row("a class token", "{'kind':'parameter','shape':[1,4]}", "6,4", "weight 1×4");
    row("attention with a relative bias", "{'kind':'attention','heads':2,'relative':{}}", "5,8;5,8;5,8",
        "relative_bias 32×2");
}

QTEST_GUILESS_MAIN(OpsTest)
#include "ops_test.moc"
