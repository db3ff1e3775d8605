// Where networks are cut.
#include "core/model/find_layers.h"

#include <QTest>
#include <algorithm>

using namespace hearth;

namespace {

/// Ops as findLayers() sees them: who takes from whom, who has work and who has weights.
class Network {
  public:
    explicit Network(std::vector<ValueKind> inputs) : m_kinds(std::move(inputs)), m_inputs(m_kinds.size()) {}

    int add(const QString &name, const char *kind, std::vector<int> from, double macs = 0, int tensors = 0,
            ValueKind gives = ValueKind::Real) {
        Op op;
        op.name = name;
        op.kind = QLatin1String(kind);
        for (const int value : from)
            op.inputKinds.push_back(m_kinds[static_cast<std::size_t>(value)]);
        op.from = std::move(from);
        op.cost.macs = macs;
        op.cost.flops = 2 * macs + 1;
        op.tensors = tensors;
        op.outputKind = gives;
        m_ops.push_back(std::move(op));
        m_kinds.push_back(gives);
        return static_cast<int>(m_kinds.size()) - 1;
    }
    int linear(const QString &name, int x, double macs = 100) { return add(name, "linear", {x}, macs, 2); }
    int light(const QString &name, const char *kind, std::vector<int> from) { return add(name, kind, std::move(from)); }

    std::vector<FoundLayer> layers() const { return findLayers(m_ops, m_inputs, static_cast<int>(m_kinds.size()) - 1); }
    QStringList names() const {
        QStringList names;
        for (const FoundLayer &layer : layers())
            names << layer.name;
        return names;
    }
    /// The most values that cross a cut.
    int widest() const {
        const auto last = lastTakers(m_ops, m_inputs, static_cast<int>(m_kinds.size()) - 1);
        int most = 0;
        for (const FoundLayer &layer : layers()) {
            int crossing = 0;
            for (std::size_t value = 0; value < last.size(); ++value) {
                const int made = static_cast<int>(value) - static_cast<int>(m_inputs);
                crossing += made < layer.first && last[value] >= layer.first;
            }
            most = std::max(most, layer.first == 0 ? 0 : crossing);
        }
        return most;
    }

  private:
    std::vector<Op> m_ops;
    std::vector<ValueKind> m_kinds;
    std::size_t m_inputs;
};

QString at(const char *scope, int index) {
    return QStringLiteral("%1.%2").arg(QLatin1String(scope)).arg(index);
}

/// Queries of x, keys and values of `from`; as one op, or as exporters write it.
int attention(Network &net, const QString &name, int x, int from, int mask, bool exported, int bias = -1) {
    const int q = net.linear(name + QStringLiteral(".q"), x), k = net.linear(name + QStringLiteral(".k"), from),
              v = net.linear(name + QStringLiteral(".v"), from);
    int y = 0;
    if (!exported) {
        y = net.add(name + QStringLiteral(".attend"), "attention", {q, k, v, mask}, 50);
    } else {
        const auto heads = [&](const char *part, int value) {
            const QString own = name + QLatin1Char('.') + QLatin1String(part);
            return net.light(own + QStringLiteral(".transpose"), "transpose",
                             {net.light(own + QStringLiteral(".split"), "reshape", {value})});
        };
        const int qh = heads("qh", q), kh = heads("kh", k), vh = heads("vh", v);
        const int turned = net.light(name + QStringLiteral(".turn"), "transpose", {kh});
        int scores = net.add(name + QStringLiteral(".scores"), "matmul", {qh, turned}, 50);
        scores = net.light(name + QStringLiteral(".scale"), "scale", {scores});
        scores = net.light(name + QStringLiteral(".masked"), "add", {scores, bias < 0 ? mask : bias});
        scores = net.light(name + QStringLiteral(".softmax"), "softmax", {scores});
        y = net.add(name + QStringLiteral(".mix"), "matmul", {scores, vh}, 50);
        y = net.light(name + QStringLiteral(".back"), "transpose", {y});
        y = net.light(name + QStringLiteral(".join"), "reshape", {y});
    }
    return net.linear(name + QStringLiteral(".out"), y);
}

int norm(Network &net, const QString &name, int x) {
    return net.add(name, "layer-norm", {x}, 0, 2);
}

int feedForward(Network &net, const QString &name, int x) {
    int y = net.linear(name + QStringLiteral(".up"), x);
    // As exporters write GELU.
    const int half = net.light(name + QStringLiteral(".half"), "scale", {y});
    const int erf = net.light(name + QStringLiteral(".erf"), "erf", {y});
    y = net.light(name + QStringLiteral(".gelu"), "mul", {half, erf});
    return net.linear(name + QStringLiteral(".down"), y);
}

int beforeNorm(Network &net, const QString &name, int x, int from, int mask, bool exported, int bias = -1) {
    const int normed = norm(net, name + QStringLiteral(".norm"), x);
    return net.light(name + QStringLiteral(".sum"), "add",
                     {x, attention(net, name, normed, from < 0 ? normed : from, mask, exported, bias)});
}

int feedForwardBeforeNorm(Network &net, const QString &name, int x) {
    return net.light(name + QStringLiteral(".sum"), "add",
                     {x, feedForward(net, name, norm(net, name + QStringLiteral(".norm"), x))});
}

}  // namespace

class FindLayersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aLongChainIsFinelyCut() {
        Network net({ValueKind::Real});
        int x = 0;
        QStringList expected;
        for (int i = 0; i < 20; ++i) {
            x = net.add(at("conv", i), "convolution", {x}, 100, 2);
            x = net.add(at("norm", i), "batch-norm", {x}, 0, 4);
            x = net.light(at("relu", i), "relu", {x});
            expected << at("conv", i);
        }
        QCOMPARE(net.names(), expected);
        QCOMPARE(net.layers()[3], (FoundLayer{9, 12, at("conv", 3), QStringLiteral("convolution")}));
    }

    void squeezeAndExcitationStaysWhole() {
        Network net({ValueKind::Real});
        int x = net.add(QStringLiteral("b.expand"), "convolution", {0}, 100, 2);
        x = net.light(QStringLiteral("b.act"), "silu", {x});
        int s = net.light(QStringLiteral("b.se.pool"), "mean", {x});
        s = net.add(QStringLiteral("b.se.reduce"), "convolution", {s}, 10, 2);
        s = net.add(QStringLiteral("b.se.widen"), "convolution", {s}, 10, 2);
        x = net.light(QStringLiteral("b.se.scaled"), "mul", {x, s});
        net.add(QStringLiteral("b.project"), "convolution", {x}, 100, 2);
        QCOMPARE(net.names(),
                 (QStringList{QStringLiteral("b.expand"), QStringLiteral("b.se"), QStringLiteral("b.project")}));
    }

    void blocksWithAttentionAreLayers_data() {
        QTest::addColumn<bool>("exported");
        QTest::addColumn<bool>("normedAfter");
        QTest::newRow("one op, norm before") << false << false;
        QTest::newRow("one op, norm after") << false << true;
        QTest::newRow("as exported, norm before") << true << false;
        QTest::newRow("as exported, norm after") << true << true;
    }
    void blocksWithAttentionAreLayers() {
        QFETCH(bool, exported);
        QFETCH(bool, normedAfter);
        Network net({ValueKind::Int64, ValueKind::Int64});
        const int mask = exported ? net.light(QStringLiteral("mask"), "cast", {1}) : 1;
        int x = net.add(QStringLiteral("embeddings.word"), "embedding", {0}, 0, 1);
        const int positions = net.add(QStringLiteral("embeddings.position"), "parameter", {0}, 0, 1);
        x = norm(net, QStringLiteral("embeddings.norm"),
                 net.light(QStringLiteral("embeddings.sum"), "add", {x, positions}));
        QStringList expected{QStringLiteral("embeddings")};
        for (int i = 0; i < 4; ++i) {
            const QString block = at("encoder", i);
            if (normedAfter) {
                const int y = attention(net, block + QStringLiteral(".attention"), x, x, mask, exported);
                x = norm(net, block + QStringLiteral(".norm1"),
                         net.light(block + QStringLiteral(".sum1"), "add", {x, y}));
                const int z = feedForward(net, block + QStringLiteral(".ff"), x);
                x = norm(net, block + QStringLiteral(".norm2"),
                         net.light(block + QStringLiteral(".sum2"), "add", {z, x}));
            } else {
                x = beforeNorm(net, block + QStringLiteral(".attention"), x, -1, mask, exported);
                x = feedForwardBeforeNorm(net, block + QStringLiteral(".ff"), x);
            }
            expected << block;
        }
        x = net.light(QStringLiteral("first"), "select", {x});
        net.linear(QStringLiteral("head"), x);
        QCOMPARE(net.names(), expected << QStringLiteral("head"));
        QCOMPARE(net.layers()[1].kind, QStringLiteral("attention-block"));
        QCOMPARE(net.widest(), 2);
    }

    /// An encoder's output and masks are carried along, as is a bias that the first block makes for all.
    void aDecoderIsCutByBlocks_data() {
        QTest::addColumn<int>("blocks");
        QTest::addColumn<bool>("exported");
        QTest::newRow("two blocks") << 2 << false;
        QTest::newRow("six blocks") << 6 << false;
        QTest::newRow("two blocks, as exported") << 2 << true;
        QTest::newRow("six blocks, as exported") << 6 << true;
    }
    void aDecoderIsCutByBlocks() {
        QFETCH(int, blocks);
        QFETCH(bool, exported);
        Network net({ValueKind::Int64, ValueKind::Int64, ValueKind::Int64});  // tokens, mask, tokens of the decoder
        QStringList expected{QStringLiteral("shared")};
        const auto table = [&](const char *name, int ids, int mask) {
            if (!exported)
                return -1;
            const int bias = net.add(QLatin1String(name) + QStringLiteral(".bias"), "parameter", {ids}, 0, 1);
            return net.light(QLatin1String(name) + QStringLiteral(".masked"), "add", {bias, mask});
        };
        int x = net.add(QStringLiteral("shared"), "embedding", {0}, 0, 1);
        const int mask = exported ? net.light(QStringLiteral("mask"), "cast", {1}) : 1;
        const int bias = table("encoder", 0, mask);
        for (int i = 0; i < blocks; ++i) {
            x = beforeNorm(net, at("encoder", i) + QStringLiteral(".self"), x, -1, mask, exported, bias);
            x = feedForwardBeforeNorm(net, at("encoder", i) + QStringLiteral(".ff"), x);
            expected << at("encoder", i);
        }
        const int encoded = norm(net, QStringLiteral("encoder.norm"), x);
        x = net.add(QStringLiteral("decoder.words"), "embedding", {2}, 0, 1);
        expected << QStringLiteral("decoder.words");
        const int causal = table("decoder", 2, mask);
        for (int i = 0; i < blocks; ++i) {
            x = beforeNorm(net, at("decoder", i) + QStringLiteral(".self"), x, -1, mask, exported, causal);
            x = beforeNorm(net, at("decoder", i) + QStringLiteral(".cross"), x, encoded, mask, exported);
            x = feedForwardBeforeNorm(net, at("decoder", i) + QStringLiteral(".ff"), x);
            expected << at("decoder", i);
        }
        net.linear(QStringLiteral("head"), norm(net, QStringLiteral("decoder.norm"), x));
        QCOMPARE(net.names(), expected << QStringLiteral("head"));
        QVERIFY(net.widest() <= FoundLayerLimits::slots);
    }

    void atMostFourHundredLayersAndTheCheapestAreJoined() {
        Network net({ValueKind::Real});
        int x = 0;
        for (int i = 0; i < 500; ++i)
            x = net.linear(at("fc", i), x, i < 200 ? 1 : 1000);
        const auto layers = net.layers();
        QCOMPARE(layers.size(), std::size_t{FoundLayerLimits::layers});
        int next = 0, single = 0;
        for (const FoundLayer &layer : layers) {
            QCOMPARE(layer.first, next);
            next = layer.last;
            single += layer.first >= 200 && layer.last == layer.first + 1;
        }
        QCOMPARE(next, 500);
        QCOMPARE(single, 300);
    }

    /// Each level of the way up takes what the way down gave: no place but the ends has one value.
    void aLongSpanIsCutWhereFewValuesCross() {
        Network net({ValueKind::Real});
        int x = 0;
        std::vector<int> levels;
        const auto block = [&](const QString &name, int from) {
            int y = from;
            for (int i = 0; i < 10; ++i)
                y = net.light(name + QStringLiteral(".act%1").arg(i), "relu",
                              {net.linear(name + QStringLiteral(".conv%1").arg(i), y)});
            return y;
        };
        for (int i = 0; i < 4; ++i) {
            x = block(at("down", i), x);
            levels.push_back(x);
            x = net.light(at("pool", i), "max-pool", {x});
        }
        x = block(QStringLiteral("middle"), x);
        for (int i = 0; i < 4; ++i) {
            x = net.light(at("join", i), "concat", {x, levels.back()});
            levels.pop_back();
            x = block(at("up", i), x);
        }
        const auto layers = net.layers();
        QVERIFY2(layers.size() >= 20, qPrintable(QString::number(layers.size())));
        QVERIFY(net.widest() <= FoundLayerLimits::slots);
        const auto longest =
            std::ranges::max_element(layers, {}, [](const FoundLayer &layer) { return layer.last - layer.first; });
        QVERIFY(longest->last - longest->first <= 80);  // at the bottom, where five values cross
    }

    void namesAreEachLayersOwn() {
        Network net({ValueKind::Real});
        int x = net.linear(QStringLiteral("a"), 0);
        x = net.linear(QStringLiteral("a.b"), x);
        x = net.linear(QStringLiteral("c/d"), x);
        net.linear(QStringLiteral("c/e"), x);
        QCOMPARE(net.names(), (QStringList{QStringLiteral("a"), QStringLiteral("a.b"), QStringLiteral("c/d"),
                                           QStringLiteral("c/e")}));
    }
};

QTEST_GUILESS_MAIN(FindLayersTest)
#include "find_layers_test.moc"
