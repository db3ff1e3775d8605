// ONNX files that are damaged, hostile or beyond what Hearth computes: each is a clear error, and takes little memory.
#include <onnx/onnx_pb.h>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <tuple>

#include "core/model/import/onnx.h"

using namespace hearth;

namespace {

using Proto = ONNX_NAMESPACE::ModelProto;

constexpr qint64 nameless = -2;

/// -1: a dimension called "batch" that is left open.
void addInput(Proto &model, const char *name, std::initializer_list<qint64> dims, int type = 1) {
    auto *input = model.mutable_graph()->add_input();
    input->set_name(name);
    auto *tensor = input->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    for (const qint64 dim : dims) {
        auto *added = tensor->mutable_shape()->add_dim();
        if (dim >= 0)
            added->set_dim_value(dim);
        else if (dim != nameless)
            added->set_dim_param("batch");
    }
}

ONNX_NAMESPACE::NodeProto *addNode(Proto &model, const char *type, std::initializer_list<const char *> inputs,
                                   const char *output) {
    auto *node = model.mutable_graph()->add_node();
    node->set_op_type(type);
    node->set_name(std::string("the ") + type);
    for (const char *input : inputs)
        node->add_input(input);
    node->add_output(output);
    return node;
}

ONNX_NAMESPACE::TensorProto *addTensor(Proto &model, const char *name, std::initializer_list<qint64> dims,
                                       qint64 bytes) {
    auto *tensor = model.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(ONNX_NAMESPACE::TensorProto::FLOAT);
    for (const qint64 dim : dims)
        tensor->add_dims(dim);
    tensor->set_raw_data(std::string(static_cast<std::size_t>(bytes), '\0'));
    return tensor;
}

void addWholes(Proto &model, const char *name, std::initializer_list<qint64> values) {
    auto *tensor = model.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(ONNX_NAMESPACE::TensorProto::INT64);
    tensor->add_dims(static_cast<qint64>(values.size()));
    for (const qint64 value : values)
        tensor->add_int64_data(value);
}

/// batch×4 → 3 logits, by one matrix.
Proto linear() {
    Proto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(17);
    addInput(model, "x", {-1, 4});
    model.mutable_graph()->add_output()->set_name("y");
    addTensor(model, "w", {4, 3}, 48);
    addNode(model, "MatMul", {"x", "w"}, "y");
    return model;
}

void addText(ONNX_NAMESPACE::NodeProto *node, const char *name, const char *value) {
    auto *attribute = node->add_attribute();
    attribute->set_name(name);
    attribute->set_type(ONNX_NAMESPACE::AttributeProto::STRING);
    attribute->set_s(value);
}

/// batch×1×3×3 → batch×1×9×9, by the nearest elements.
void resize(Proto &model, const char *place, const char *rounding) {
    model.mutable_graph()->clear_input();
    addInput(model, "x", {-1, 1, 3, 3});
    addWholes(model, "sizes", {1, 1, 9, 9});
    auto *node = addNode(model, "Resize", {"x", "", "", "sizes"}, "large");
    addText(node, "coordinate_transformation_mode", place);
    addText(node, "nearest_mode", rounding);
}

void setExternal(ONNX_NAMESPACE::TensorProto *tensor, const char *location) {
    tensor->clear_raw_data();
    tensor->set_data_location(ONNX_NAMESPACE::TensorProto::EXTERNAL);
    auto *entry = tensor->add_external_data();
    entry->set_key("location");
    entry->set_value(location);
}

}  // namespace

class OnnxRefusalsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatCannotBeImportedSaysWhy_data() {
        QTest::addColumn<std::function<void(Proto &)>>("spoil");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("said");
        const auto row = [](const char *name, const char *code, const char *said, std::function<void(Proto &)> spoil) {
            QTest::newRow(name) << std::move(spoil) << QString::fromLatin1(code) << QString::fromUtf8(said);
        };
        const auto instead = [](std::function<void(Proto &)> change) {
            return [change = std::move(change)](Proto &model) {
                model.mutable_graph()->clear_node();
                change(model);
            };
        };
        row("an unknown operator names node and operator", "onnx.unsupported", "the node \"the Unique\" (Unique)",
            instead([](Proto &model) { addNode(model, "Unique", {"x"}, "y"); }));
        row("an operator of another domain", "onnx.unsupported", "\"com.microsoft\"",
            instead([](Proto &model) { addNode(model, "Gelu", {"x"}, "y")->set_domain("com.microsoft"); }));
        row("a loop", "onnx.unsupported", "while the network runs", instead([](Proto &model) {
                auto *node = addNode(model, "Loop", {"x"}, "y");
                node->add_attribute()->set_name("body");
                node->mutable_attribute(0)->mutable_g()->set_name("body");
            }));
        row("a node in a circle", "onnx.unsupported", "comes from no node before it", instead([](Proto &model) {
                addNode(model, "Add", {"x", "b"}, "a");
                addNode(model, "Relu", {"a"}, "b");
            }));
        row("a name that is there twice", "onnx.unsupported", "is there twice", instead([](Proto &model) {
                addNode(model, "Relu", {"x"}, "y");
                addNode(model, "Relu", {"x"}, "y");
            }));
        row("an old operator set", "onnx.opset", "version 9",
            [](Proto &model) { model.mutable_opset_import(0)->set_version(9); });
        row("no graph", "onnx.malformed", "no graph", [](Proto &model) { model.clear_graph(); });
        row("an output that no node gives", "onnx.output", "No node gives it",
            [](Proto &model) { model.mutable_graph()->mutable_output(0)->set_name("z"); });
        row("an input without its size", "onnx.input", "Its dimension 1 is not a number", [](Proto &model) {
            model.mutable_graph()->clear_input();
            addInput(model, "x", {-1, nameless});
        });
        row("an input whose size has a name", "onnx.input", "net.onnx:batch=N", [](Proto &model) {
            model.mutable_graph()->clear_input();
            addInput(model, "x", {-1, -1});
        });
        row("weights that do not fit", "onnx.unsupported", "do not fit", [](Proto &model) {
            model.mutable_graph()->mutable_initializer(0)->set_dims(0, 3),
                model.mutable_graph()->mutable_initializer(0)->set_dims(1, 4);
        });
        row("a tensor with too few bytes", "onnx.malformed", "has 48 bytes, but its type and shape 4×4 need 64",
            [](Proto &model) { model.mutable_graph()->mutable_initializer(0)->set_dims(1, 4); });
        row("dimensions whose product overflows", "onnx.malformed", "not valid or too large", [](Proto &model) {
            model.mutable_graph()->mutable_initializer(0)->set_dims(0, qint64{1} << 40);
            model.mutable_graph()->mutable_initializer(0)->set_dims(1, qint64{1} << 40);
        });
        row("an input of endless size", "onnx.input", "is not a number from 1", [](Proto &model) {
            model.mutable_graph()->clear_input();
            addInput(model, "x", {-1, qint64{1} << 40});
        });
        row("an input whose dimensions are endless together", "onnx.input", "too many elements", [](Proto &model) {
            model.mutable_graph()->clear_input();
            addInput(model, "x", {-1, 1 << 20, 1 << 20, 1 << 20, 1 << 20});
            model.mutable_graph()->clear_node();
            addWholes(model, "shape", {-1, 4});
            addNode(model, "Reshape", {"x", "shape"}, "y");
        });
        row("an endless batch", "onnx.input", "Its dimension 0 is not a number", [](Proto &model) {
            model.mutable_graph()->clear_input();
            addInput(model, "x", {qint64{1} << 62, 4});
        });
        row("a constant that is cut along an axis twice", "onnx.unsupported", "names an axis twice",
            instead([](Proto &model) {
                addWholes(model, "n", {1, 2, 3, 4});
                addWholes(model, "from", {1, 1});
                addWholes(model, "to", {4, 4});
                addWholes(model, "axes", {0, 0});
                addNode(model, "Slice", {"n", "from", "to", "axes"}, "part");
            }));
        row("a constant whose axes are swapped with themselves", "onnx.unsupported", "permutation is not valid",
            instead([](Proto &model) {
                addWholes(model, "n", {1, 2, 3, 4});
                addWholes(model, "sides", {2, 2});
                addNode(model, "Reshape", {"n", "sides"}, "square");
                auto *permutation = addNode(model, "Transpose", {"square"}, "swapped")->add_attribute();
                permutation->set_name("perm");
                permutation->set_type(ONNX_NAMESPACE::AttributeProto::INTS);
                permutation->add_ints(0);
                permutation->add_ints(0);
            }));
        row("a constant of endless size", "onnx.unsupported", "too large", [](Proto &model) {
            addWholes(model, "n", {1 << 20, 1 << 20, 1 << 20});
            addNode(model, "ConstantOfShape", {"n"}, "c");
        });
        row("many large constants", "onnx.unsupported", "too large", [](Proto &model) {
            addWholes(model, "n", {1 << 12, 1 << 12});
            for (int i = 0; i < 40; ++i)
                addNode(model, "ConstantOfShape", {"n"}, qPrintable(QString::number(i)));
        });
        row("a sum over the batch", "onnx.unsupported", "works along the batch", instead([](Proto &model) {
                addWholes(model, "axes", {0});
                addNode(model, "ReduceSum", {"x", "axes"}, "y");
            }));
        row("samples that are moved among each other", "onnx.unsupported", "with any batch", instead([](Proto &model) {
                addWholes(model, "shape", {3, -1});
                addNode(model, "Reshape", {"x", "shape"}, "y");
            }));
        row("a node that takes what it gives", "onnx.unsupported", "comes from no node before it",
            instead([](Proto &model) { addNode(model, "Relu", {"y"}, "y"); }));
        row("slopes that fit no channel", "onnx.unsupported", "(PRelu)", instead([](Proto &model) {
                addTensor(model, "slopes", {7, 1}, 28);
                addNode(model, "PRelu", {"x", "slopes"}, "y");
            }));
        row("no slopes", "onnx.unsupported", "It has no slopes",
            instead([](Proto &model) { addNode(model, "PRelu", {"x"}, "y"); }));
        row("whole numbers that are to fade", "onnx.unsupported", "(Selu)", instead([](Proto &model) {
                model.mutable_graph()->clear_input();
                addInput(model, "x", {-1, 4}, ONNX_NAMESPACE::TensorProto::INT64);
                addNode(model, "Selu", {"x"}, "y");
            }));
        row("something repeated without end", "onnx.unsupported", "(Expand)", instead([](Proto &model) {
                addWholes(model, "n", {1, 1 << 20, 1 << 20, 1});
                addNode(model, "Expand", {"x", "n"}, "y");
            }));
        row("something repeated beside the batch", "onnx.unsupported", "(Expand)", instead([](Proto &model) {
                addWholes(model, "n", {1, 3});
                addNode(model, "Expand", {"x", "n"}, "y");
            }));
        row("constants that have no elements where they should", "onnx.malformed", "bytes", [](Proto &model) {
            addTensor(model, "c", {2, 2}, 0);
            addNode(model, "Equal", {"c", "c"}, "same");
        });
        row("rows of weights that are not there", "onnx.unsupported", "It takes nothing", instead([](Proto &model) {
                addWholes(model, "from", {4});
                addWholes(model, "to", {9});
                addNode(model, "Slice", {"w", "from", "to"}, "part");
            }));
        for (const auto &[name, place, rounding] :
             {std::tuple("the nearest elements between corners", "align_corners", "round_prefer_floor"),
              std::tuple("the nearest elements, rounded up", "half_pixel", "ceil"),
              std::tuple("the nearest elements of the left edges", "asymmetric", "round_prefer_floor")}) {
            row(name, "onnx.unsupported", "nearest and bilinear do not",
                instead([place = place, rounding = rounding](Proto &model) { resize(model, place, rounding); }));
        }
        row("a transposed convolution that pads by its output", "onnx.unsupported",
            "not that of torch.nn.ConvTranspose2d", instead([](Proto &model) {
                model.mutable_graph()->clear_input();
                addInput(model, "x", {-1, 1, 7, 7});
                addTensor(model, "kernel", {1, 1, 3, 3}, 36);
                auto *node = addNode(model, "ConvTranspose", {"x", "kernel"}, "y");
                addText(node, "auto_pad", "SAME_UPPER");
                auto *strides = node->add_attribute();
                strides->set_name("strides");
                strides->set_type(ONNX_NAMESPACE::AttributeProto::INTS);
                strides->add_ints(2);
                strides->add_ints(2);
            }));
        row("a million nodes", "onnx.malformed", "more than 100000 nodes", [](Proto &model) {
            for (int i = 0; i < 1'000'000; ++i)
                model.mutable_graph()->add_node();
        });
        row("a node of many bytes", "onnx.malformed", "A node has", [](Proto &model) {
            model.mutable_graph()->mutable_node(0)->set_doc_string(std::string(std::size_t{3} << 20, 'x'));
        });
        row("a name of many bytes", "onnx.malformed", "A name has more than",
            [](Proto &model) { model.mutable_graph()->mutable_node(0)->set_output(0, std::string(100'000, 'x')); });
        row("a tensor of names", "onnx.malformed", "elements of type 8",
            [](Proto &model) { model.mutable_graph()->mutable_initializer(0)->set_data_type(8); });
        row("external data, which this has no folder for", "onnx.malformed", "no folder to look in",
            [](Proto &model) { setExternal(model.mutable_graph()->mutable_initializer(0), "w.bin"); });
    }

    void whatCannotBeImportedSaysWhy() {
        QFETCH(std::function<void(Proto &)>, spoil);
        QFETCH(QString, code);
        QFETCH(QString, said);
        Proto model = linear();
        spoil(model);
        const std::string bytes = model.SerializeAsString();
        const auto imported = importOnnx(std::as_bytes(std::span(bytes)), QStringLiteral("net.onnx"));
        QVERIFY(!imported);
        QCOMPARE(imported.error().code, code);
        QVERIFY2(imported.error().toString().contains(said), qPrintable(imported.error().toString()));
        QVERIFY(imported.error().toString().contains(QStringLiteral("net.onnx")));
    }

    void whatRepeatsEveryElementIsTheNearest() {
        Proto model = linear();
        model.mutable_graph()->clear_node();
        resize(model, "half_pixel", "round_prefer_ceil");
        addTensor(model, "all", {81, 3}, 972);
        addNode(model, "Flatten", {"large"}, "flat");
        addNode(model, "MatMul", {"flat", "all"}, "y");
        const std::string bytes = model.SerializeAsString();
        const auto imported = importOnnx(std::as_bytes(std::span(bytes)), QStringLiteral("net.onnx"));
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        QCOMPARE(imported->model.layers.front().ops.front().kind, QStringLiteral("upsample"));
    }

    /// Its value under the root is no mean: an input has nothing before it.
    void aRootOfAnInputIsNoNorm() {
        Proto model = linear();
        model.mutable_graph()->clear_node();
        addTensor(model, "tiny", {}, 4)->set_raw_data(std::string("\xac\xc5\x27\x37", 4));  // 1e-5
        addNode(model, "Add", {"x", "tiny"}, "more");
        addNode(model, "Sqrt", {"more"}, "root");
        addNode(model, "Div", {"x", "root"}, "even");
        addNode(model, "MatMul", {"even", "w"}, "y");
        const std::string bytes = model.SerializeAsString();
        const auto imported = importOnnx(std::as_bytes(std::span(bytes)), QStringLiteral("net.onnx"));
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
    }

    void sizesThatAreLeftOpenAreSaidByName() {
        Proto model = linear();
        model.mutable_graph()->clear_input();
        addInput(model, "x", {nameless, -1});
        const std::string bytes = model.SerializeAsString();
        const auto opened = [&](const QString &name, qint64 size) {
            return importOnnx(std::as_bytes(std::span(bytes)), QStringLiteral("net.onnx"), {{{name, size}}});
        };
        const auto imported = opened(QStringLiteral("batch"), 4);
        QVERIFY2(imported, imported ? "" : qPrintable(imported.error().toString()));
        QCOMPARE(imported->model.inputs.front().shape, Shape{4});
        QVERIFY(!opened(QStringLiteral("batch"), 5));
        const auto other = opened(QStringLiteral("tokens"), 4);
        QVERIFY(!other);
        QCOMPARE(other.error().code, QStringLiteral("onnx.input"));
    }

    void filesCutShortAnywhereAreRefused() {
        const std::string bytes = linear().SerializeAsString();
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            const auto imported =
                importOnnx(std::as_bytes(std::span(bytes.data(), length)), QStringLiteral("net.onnx"));
            QVERIFY2(!imported, qPrintable(QString::number(length)));
        }
    }

    void moreOpsThanANetworkMayHaveAreRefused() {
        Proto model = linear();
        model.mutable_graph()->mutable_node(0)->set_output(0, "0");
        constexpr int nodes = 90'000;
        for (int i = 0; i < nodes; ++i)
            addNode(model, i % 3 ? "Relu" : "Softmax", {qPrintable(QString::number(i))},
                    qPrintable(QString::number(i + 1)));
        model.mutable_graph()->mutable_output(0)->set_name(std::to_string(nodes));
        const std::string bytes = model.SerializeAsString();
        const auto imported = importOnnx(std::as_bytes(std::span(bytes)), QStringLiteral("net.onnx"));
        QVERIFY(!imported);
        QVERIFY2(imported.error().toString().contains(QStringLiteral("more than 32768 ops")),
                 qPrintable(imported.error().toString()));
    }

    void externalDataStayInTheFolder_data() {
        QTest::addColumn<QString>("location");
        QTest::addColumn<QString>("said");
        QTest::newRow("above it") << QStringLiteral("../w.bin") << QStringLiteral("must lie in the folder");
        QTest::newRow("up and down again")
            << QStringLiteral("sub/../../w.bin") << QStringLiteral("must lie in the folder");
        QTest::newRow("an absolute path") << QStringLiteral("/etc/passwd") << QStringLiteral("must lie in the folder");
        QTest::newRow("by a link") << QStringLiteral("link.bin") << QStringLiteral("A link is not followed");
        QTest::newRow("in a linked folder")
            << QStringLiteral("linked/w.bin") << QStringLiteral("A link is not followed");
        QTest::newRow("a folder") << QStringLiteral("sub") << QStringLiteral("no such file");
        QTest::newRow("nothing") << QString() << QStringLiteral("must lie in the folder");
        QTest::newRow("fewer bytes than the tensor has")
            << QStringLiteral("short.bin") << QStringLiteral("has 40 bytes");
    }

    void externalDataStayInTheFolder() {
        QFETCH(QString, location);
        QFETCH(QString, said);
        QTemporaryDir outside;
        const QString folder = outside.filePath(QStringLiteral("in"));
        QVERIFY(QDir().mkpath(folder + QStringLiteral("/sub")));
        const auto write = [](const QString &path, qint64 bytes) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(QByteArray(bytes, '\0')) == bytes;
        };
        QVERIFY(write(outside.filePath(QStringLiteral("w.bin")), 48));
        QVERIFY(write(folder + QStringLiteral("/short.bin"), 40));
        QVERIFY(QFile::link(outside.filePath(QStringLiteral("w.bin")), folder + QStringLiteral("/link.bin")));
        QVERIFY(QFile::link(outside.path(), folder + QStringLiteral("/linked")));
        Proto model = linear();
        setExternal(model.mutable_graph()->mutable_initializer(0), qPrintable(location));
        QFile file(folder + QStringLiteral("/net.onnx"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const std::string bytes = model.SerializeAsString();
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        file.close();
        const auto imported = importOnnx(file.fileName());
        QVERIFY(!imported);
        QVERIFY2(imported.error().toString().contains(said), qPrintable(imported.error().toString()));
    }
};

QTEST_GUILESS_MAIN(OnnxRefusalsTest)
#include "onnx_refusals_test.moc"
