// Layers whose names begin alike are folded into blocks that can be read.
#include <QTest>
#include <functional>

#include "ui/plan/layer_blocks.h"

using namespace hearth;

namespace {

QStringList words(const char *list) {
    return QString::fromLatin1(list).split(QLatin1Char(' '));
}

QStringList namesOf(const std::vector<const LayerBlock *> &shown) {
    QStringList names;
    for (const LayerBlock *block : shown)
        names << block->name;
    return names;
}

/// "encoder.block.0.attention", "encoder.block.0.dense", "encoder.block.1.attention", …
QStringList transformer(int blocks) {
    QStringList names{QStringLiteral("embedding")};
    for (int i = 0; i < blocks; ++i) {
        for (const char *part : {"attention", "dense"})
            names << QStringLiteral("encoder.block.%1.%2").arg(i).arg(QLatin1String(part));
    }
    return names << QStringLiteral("head");
}

QStringList numbered(int count) {
    QStringList names;
    for (int i = 0; i < count; ++i)
        names << QStringLiteral("features.%1").arg(i);
    return names;
}

}  // namespace

class LayerBlocksTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsShown_data() {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<int>("room");
        QTest::addColumn<QStringList>("shown");
        QTest::newRow("no layer") << QStringList() << 8 << QStringList(QString());
        QTest::newRow("one layer") << words("only") << 8 << words("only");
        QTest::newRow("layers that all have room") << words("a.0 a.1 b") << 3 << words("a.0 a.1 b");
        QTest::newRow("neighbours that begin alike") << words("a.0 a.1 b") << 2 << words("a b");
        QTest::newRow("neighbours alone: the same beginning further on is another block")
            << words("a.0 a.1 b a.2 a.3") << 3 << words("a b a");
        QTest::newRow("numbers behind letters") << words("conv1 conv2 conv3 dense1") << 2 << words("conv dense1");
        QTest::newRow("slashes") << words("/body/Add /body/Mul /head/Gemm") << 2 << words("/body /head/Gemm");
        QTest::newRow("a beginning that all have is not a block of its own")
            << words("net.a.0 net.a.1 net.b") << 2 << words("net.a net.b");
        QTest::newRow("layers of the same name") << words("x x x") << 3 << words("x x x");
        QTest::newRow("one name that another goes on from") << words("a a.0 a.1") << 3 << words("a a.0 a.1");
        QTest::newRow("the blocks of a transformer")
            << transformer(3) << 5 << words("embedding encoder.block.0 encoder.block.1 encoder.block.2 head");
        QTest::newRow("no room at all") << transformer(3) << 0 << words("embedding encoder.block head");
    }
    void whatIsShown() {
        QFETCH(QStringList, names);
        QFETCH(int, room);
        const LayerBlock root = layerBlocks(names);
        QTEST(namesOf(shownBlocks(root, room)), "shown");
    }

    void manyNeighboursAreGathered_data() {
        QTest::addColumn<int>("count");
        for (const int count : {25, 40, 400, 1024})
            QTest::addRow("%d layers", count) << count;
    }
    void manyNeighboursAreGathered() {
        QFETCH(int, count);
        const LayerBlock root = layerBlocks(numbered(count));
        const auto shown = shownBlocks(root, 30);
        QVERIFY2(shown.size() <= 30, qPrintable(QString::number(shown.size())));
        int next = 0;
        const std::function<void(const LayerBlock &)> check = [&](const LayerBlock &block) {
            QVERIFY(static_cast<int>(block.parts.size()) <= LayerBlock::mostParts);
            QVERIFY(!block.name.isEmpty());
            if (block.isLayer()) {
                QCOMPARE(block.first, next++);
                QCOMPARE(block.last, next);
            }
            for (const LayerBlock &part : block.parts)
                check(part);
        };
        check(root);
        QCOMPARE(next, count);
    }

    void gatheredNeighboursSayFromWhereToWhere() {
        const LayerBlock root = layerBlocks(numbered(32));
        QCOMPARE(namesOf(shownBlocks(root, 2)),
                 (QStringList{QStringLiteral("features.0–15"), QStringLiteral("features.16–31")}));
    }

    void whatAPersonUnfoldsIsUnfoldedWhateverTheRoom() {
        const LayerBlock root = layerBlocks(transformer(3));
        const BlockChoices choices{{{3, 5}, true}};
        QCOMPARE(
            namesOf(shownBlocks(root, 0, choices)),
            words("embedding encoder.block.0 encoder.block.1.attention encoder.block.1.dense encoder.block.2 head"));
    }

    void whatAPersonFoldsStaysFoldedAndLeavesItsRoomToOthers() {
        const LayerBlock root = layerBlocks(transformer(3));
        const BlockChoices choices{{{1, 3}, false}};
        QCOMPARE(namesOf(shownBlocks(root, 100, choices)),
                 words("embedding encoder.block.0 encoder.block.1.attention encoder.block.1.dense "
                       "encoder.block.2.attention encoder.block.2.dense head"));
    }

    void aPartKnowsTheBlockAroundIt() {
        const LayerBlock root = layerBlocks(transformer(3));
        const auto shown = shownBlocks(root, 100);
        const LayerBlock *around = blockAround(root, *shown[1]);
        QVERIFY(around != nullptr);
        QCOMPARE(around->name, QStringLiteral("encoder.block.0"));
        QCOMPARE(blockAround(root, *around)->name, QStringLiteral("encoder.block"));
        QCOMPARE(blockAround(root, *shown[0]), &root);
        QVERIFY(blockAround(root, root) == nullptr);
    }
};

QTEST_GUILESS_MAIN(LayerBlocksTest)
#include "layer_blocks_test.moc"
