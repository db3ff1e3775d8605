// The strip of layers draws again what a plan changes, and nothing else.
#include <QBackingStore>
#include <QImage>
#include <QJsonArray>
#include <QJsonObject>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QSignalSpy>
#include <QTest>
#include <functional>
#include <memory>

#include "tests/core/plan/hand_problem.h"
#include "ui/plan/layer_strip.h"
#include "ui/words/format.h"

using namespace hearth;

namespace {

constexpr int stages = 8, layersEach = 5;

Model deepModel() {
    QJsonArray layers;
    for (int i = 0; i < stages * layersEach; ++i) {
        QJsonArray ops{
            QJsonObject{{QStringLiteral("kind"), QStringLiteral("linear")}, {QStringLiteral("features"), 8 + i}}};
        if (i == 0)
            ops.prepend(QJsonObject{{QStringLiteral("kind"), QStringLiteral("flatten")}});
        layers.append(QJsonObject{{QStringLiteral("name"), QStringLiteral("dense%1").arg(i)},
                                  {QStringLiteral("kind"), QStringLiteral("sequence")},
                                  {QStringLiteral("ops"), ops}});
    }
    const auto model = Model::fromJson({{QStringLiteral("format"), QStringLiteral("hearth-model/1")},
                                        {QStringLiteral("name"), QStringLiteral("deep")},
                                        {QStringLiteral("input"), QJsonArray{1, 4, 4}},
                                        {QStringLiteral("classes"), 8 + stages * layersEach - 1},
                                        {QStringLiteral("layers"), layers}},
                                       QStringLiteral("the test"));
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

/// A chain of dense layers "encoder.block.0.in", "encoder.block.0.out", …, and a mask that is carried to the last.
Model transformerLike(int blocks) {
    QJsonArray graph;
    const auto add = [&graph](const QString &name, const char *kind, QJsonObject node, const QJsonArray &from = {}) {
        node[QStringLiteral("name")] = name;
        node[QStringLiteral("kind")] = QLatin1String(kind);
        if (!from.isEmpty())
            node[QStringLiteral("from")] = from;
        graph.append(node);
    };
    const QJsonObject features{{QStringLiteral("features"), 8}};
    for (int i = 0; i < blocks; ++i) {
        const QString block = QStringLiteral("encoder.block.%1").arg(i);
        add(block + QStringLiteral(".in"), "linear", features);
        add(block + QStringLiteral(".out"), "linear", features);
    }
    add(QStringLiteral("seen"), "mul", {},
        {QStringLiteral("encoder.block.%1.out").arg(blocks - 1), QStringLiteral("shade")});
    add(QStringLiteral("head"), "linear", features);
    const QJsonObject picture{{QStringLiteral("name"), QStringLiteral("picture")},
                              {QStringLiteral("shape"), QJsonArray{4, 8}}};
    const QJsonObject shade{{QStringLiteral("name"), QStringLiteral("shade")},
                            {QStringLiteral("shape"), QJsonArray{4, 1}}};
    const auto model = Model::fromJson({{QStringLiteral("format"), QStringLiteral("hearth-model/1")},
                                        {QStringLiteral("name"), QStringLiteral("transformer")},
                                        {QStringLiteral("inputs"), QJsonArray{picture, shade}},
                                        {QStringLiteral("graph"), graph},
                                        {QStringLiteral("outputs"), QJsonArray{QStringLiteral("head")}}},
                                       QStringLiteral("the test"));
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

/// Two stages that meet before this layer.
Plan cutBefore(int layer, int layers) {
    Plan plan;
    plan.stages.resize(2);
    plan.stages[0].lastLayer = plan.stages[1].firstLayer = layer;
    plan.stages[1].lastLayer = layers;
    return plan;
}

Plan evenPlan() {
    Plan plan;
    for (int s = 0; s < stages; ++s) {
        PlanStage stage;
        stage.firstLayer = s * layersEach;
        stage.lastLayer = (s + 1) * layersEach;
        plan.stages.push_back(stage);
    }
    return plan;
}

/// Behind stage `stage`, to before layer `layer`.
Plan withBorder(Plan plan, std::size_t stage, int layer) {
    plan.stages[stage].lastLayer = plan.stages[stage + 1].firstLayer = layer;
    return plan;
}

}  // namespace

class LayerStripTest : public QObject {
    Q_OBJECT

    std::unique_ptr<LayerStrip> m_strip;
    QRegion m_painted;

    bool eventFilter(QObject *watched, QEvent *event) override {
        if (watched == m_strip.get() && event->type() == QEvent::Paint)
            m_painted += static_cast<QPaintEvent *>(event)->region();
        return QObject::eventFilter(watched, event);
    }
    QImage screen() const { return *static_cast<const QImage *>(m_strip->backingStore()->paintDevice()); }
    /// What is drawn again after `change`.
    QRegion paintedBy(const std::function<void()> &change) {
        m_painted = {};
        change();
        QCoreApplication::sendPostedEvents();
        QTest::qWait(0);
        return m_painted;
    }

  private Q_SLOTS:
    void init() {
        m_strip = std::make_unique<LayerStrip>();
        m_strip->setModel(deepModel());
        m_strip->setPlan(evenPlan());
        m_strip->setEditable(true);
        m_strip->resize(1600, m_strip->sizeHint().height());
        m_strip->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_strip.get()));
        m_strip->installEventFilter(this);
        paintedBy([this] { m_strip->update(); });
        QVERIFY(m_painted.contains(m_strip->rect()));
    }
    void cleanup() { m_strip.reset(); }

    void aMovedBorderIsDrawnAgainAndNothingElse() {
        const QRegion painted = paintedBy([this] { m_strip->setPlan(withBorder(evenPlan(), 3, 18)); });
        QVERIFY(!painted.isEmpty());
        // Of the two stages beside it the names above; of the layers those that change hands.
        const int left = m_strip->placeBefore(15).x(), right = m_strip->placeBefore(25).x();
        QVERIFY(painted.boundingRect().left() >= left - 2 && painted.boundingRect().right() <= right + 2);
        const int middle = m_strip->borderAt(0).y();
        QVERIFY(painted.contains(QPoint(m_strip->placeBefore(19).x() + 4, middle)));
        QVERIFY(!painted.contains(QPoint(m_strip->placeBefore(16).x() + 4, middle)));
        QVERIFY(!painted.contains(QPoint(m_strip->placeBefore(22).x() + 4, middle)));
    }

    void thePlanThatIsShownAlreadyDrawsNothing() {
        QVERIFY(paintedBy([this] { m_strip->setPlan(evenPlan()); }).isEmpty());
        QVERIFY(paintedBy([this] { m_strip->setEditable(true); }).isEmpty());
        QVERIFY(paintedBy([this] { m_strip->setLockedBorders({}); }).isEmpty());
    }

    void whatIsDrawnInPartsLooksAsIfItWereDrawnAtOnce_data() {
        QTest::addColumn<Plan>("plan");
        QTest::addColumn<bool>("dragged");
        Plan fewer = withBorder(evenPlan(), 3, 25);
        fewer.stages.erase(fewer.stages.begin() + 4);
        QTest::newRow("a border one layer further") << withBorder(evenPlan(), 3, 21) << false;
        QTest::newRow("a border far from where it was") << withBorder(evenPlan(), 0, 1) << false;
        QTest::newRow("the last border") << withBorder(evenPlan(), stages - 2, 39) << false;
        QTest::newRow("a stage less") << fewer << false;
        QTest::newRow("while the mouse drags") << withBorder(evenPlan(), 3, 22) << true;
    }
    void whatIsDrawnInPartsLooksAsIfItWereDrawnAtOnce() {
        QFETCH(Plan, plan);
        QFETCH(bool, dragged);
        const QImage before = screen();
        if (dragged)
            QTest::mousePress(m_strip.get(), Qt::LeftButton, {}, m_strip->borderAt(3));
        paintedBy([&] {
            if (dragged) {
                QMouseEvent move(QEvent::MouseMove, m_strip->placeBefore(22), m_strip->mapToGlobal(QPoint()),
                                 Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
                QCoreApplication::sendEvent(m_strip.get(), &move);
            }
            m_strip->setPlan(plan);
        });
        const QImage parts = screen();
        QVERIFY(parts != before);
        paintedBy([this] { m_strip->update(); });
        QCOMPARE(parts, screen());
    }

    void hundredsOfLayersAreReadAsBlocks() {
        const Model model = transformerLike(190);
        const auto layers = static_cast<int>(model.layers.size());
        QVERIFY2(layers > 300, qPrintable(QString::number(layers)));
        m_strip->setModel(model);
        m_strip->setPlan(cutBefore(layers / 2, layers));
        QVERIFY(m_strip->shownNames().size() <= m_strip->width() / 36);
        QVERIFY(m_strip->minimumSizeHint().width() < 1000);
        QVERIFY2(m_strip->shownNames().contains(QStringLiteral("encoder.block.0–14")),
                 qPrintable(m_strip->shownNames().join(QLatin1Char(' '))));
        // A border lies between two layers all the same, in the middle of a block as well.
        QVERIFY(m_strip->borderAt(0).x() > 0 && m_strip->borderAt(0).x() < m_strip->width());
        QSignalSpy dropped(m_strip.get(), &LayerStrip::borderDropped);
        QTest::keyClick(m_strip.get(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(dropped.count(), 1);
        QCOMPARE(dropped.front().back().toInt(), layers / 2 + 1);
    }

    void aClickUnfoldsABlockAndAClickOnOneOfItsLayersFoldsItAgain() {
        const Model model = transformerLike(190);
        const auto layers = static_cast<int>(model.layers.size());
        m_strip->setModel(model);
        m_strip->setPlan(cutBefore(layers / 2, layers));
        const QStringList before = m_strip->shownNames();
        QVERIFY(before.contains(QStringLiteral("encoder.block.0–14")));
        QTest::mouseClick(m_strip.get(), Qt::LeftButton, {}, m_strip->placeOfLayer(0));
        const int layer = 2 * 10;
        QVERIFY2(m_strip->shownNames().contains(QStringLiteral("encoder.block.10")),
                 qPrintable(m_strip->shownNames().join(QLatin1Char(' '))));
        QTest::mouseClick(m_strip.get(), Qt::LeftButton, {}, m_strip->placeOfLayer(layer));
        QVERIFY(m_strip->shownNames().contains(QStringLiteral("encoder.block.10.in")));
        const QString told = m_strip->toolTipAt(m_strip->placeOfLayer(layer));
        QVERIFY2(told.contains(QLatin1String("Click to fold encoder.block.10")), qPrintable(told));
        QTest::mouseClick(m_strip.get(), Qt::LeftButton, {}, m_strip->placeOfLayer(layer));
        QVERIFY(!m_strip->shownNames().contains(QStringLiteral("encoder.block.10.in")));
        QVERIFY(m_strip->shownNames().contains(QStringLiteral("encoder.block.10")));
    }

    void keysUnfoldBesideABorderAndFoldAgain() {
        const Model model = transformerLike(190);
        const auto layers = static_cast<int>(model.layers.size());
        m_strip->setModel(model);
        m_strip->setPlan(cutBefore(layers / 2, layers));
        const QStringList before = m_strip->shownNames();
        QTest::keyClick(m_strip.get(), Qt::Key_Down);
        QVERIFY(m_strip->shownNames() != before);
        QTest::keyClick(m_strip.get(), Qt::Key_Up);
        QCOMPARE(m_strip->shownNames(), before);
        // Of one stage nothing can be moved, but read.
        Plan whole;
        whole.stages.resize(1);
        whole.stages[0].lastLayer = layers;
        m_strip->setPlan(whole);
        m_strip->setEditable(true);
        QCOMPARE(m_strip->focusPolicy(), Qt::StrongFocus);
        QTest::keyClick(m_strip.get(), Qt::Key_Down);
        QVERIFY(m_strip->shownNames() != before);
    }

    void layersThatFitAreNeverFolded() {
        const QStringList names = m_strip->shownNames();
        QCOMPARE(names.size(), stages * layersEach);
        QTest::mouseClick(m_strip.get(), Qt::LeftButton, {}, m_strip->placeOfLayer(3));
        QCOMPARE(m_strip->shownNames(), names);
        QVERIFY(!m_strip->toolTipAt(m_strip->placeOfLayer(3)).contains(QLatin1String("fold")));
    }

    void widthsFollowTheTimesOfLayersOnceTheyAreKnown() {
        m_strip->resize(3000, m_strip->height());
        const auto widthOf = [this](int layer) {
            return m_strip->placeBefore(layer + 1).x() - m_strip->placeBefore(layer).x();
        };
        const int first = widthOf(0), last = widthOf(stages * layersEach - 1);
        QVERIFY(last > first);  // it has more operations
        QVERIFY(!m_strip->toolTipAt(m_strip->placeOfLayer(0)).contains(QLatin1String("mean of the devices")));
        std::vector<double> seconds(std::size_t{stages} * layersEach, 0.001);
        seconds.front() = 0.02;
        m_strip->setModel(deepModel(), DType::Float32, seconds);
        QVERIFY(widthOf(0) > 3 * widthOf(stages * layersEach - 1));
        QVERIFY(
            m_strip->toolTipAt(m_strip->placeOfLayer(0)).contains(formatSeconds(0.02) + QStringLiteral(" per sample")));
        m_strip->setModel(deepModel());
        QCOMPARE(widthOf(0), first);
    }

    void otherTimesLeaveUnfoldedWhatIsUnfolded() {
        const Model model = transformerLike(190);
        const auto layers = static_cast<int>(model.layers.size());
        m_strip->setModel(model);
        m_strip->setPlan(cutBefore(layers / 2, layers));
        QTest::mouseClick(m_strip.get(), Qt::LeftButton, {}, m_strip->placeOfLayer(0));
        const QStringList unfolded = m_strip->shownNames();
        QVERIFY(unfolded.contains(QStringLiteral("encoder.block.10")));
        m_strip->setModel(model, DType::Float32, std::vector<double>(model.layers.size(), 0.001));
        QCOMPARE(m_strip->shownNames(), unfolded);
    }

    void theTimeOfALayerIsTheMeanOfTheDevices() {
        // At the larger batch of 2: 6 s of the first device, 12 s of the other.
        PlanningProblem problem = test::byHand(2, {1, 0.5}, 2);
        QCOMPARE(meanLayerSeconds(problem), std::vector<double>({4.5, 4.5}));
        problem.times[1].forward[0].clear();
        problem.times[1].backward[0].clear();
        QCOMPARE(meanLayerSeconds(problem), std::vector<double>({3, 4.5}));
        problem.times[0].forward[0].clear();
        problem.times[0].backward[0].clear();
        QVERIFY(meanLayerSeconds(problem).empty());
    }

    void whatACutSaysCoversNoOtherBar() {
        const double below = m_strip->height() - 20;
        for (int layer = 1; layer < stages * layersEach; ++layer) {
            const QString told = m_strip->toolTipAt(QPointF(m_strip->placeBefore(layer).x(), below));
            QVERIFY2(told.startsWith(QStringLiteral("Crosses behind layer %1,").arg(layer)), qPrintable(told));
        }
    }

    void aCutSaysWhatCrosses() {
        const Model model = transformerLike(2);
        m_strip->setModel(model);
        m_strip->setPlan(cutBefore(1, static_cast<int>(model.layers.size())));
        const double below = m_strip->height() - 20;
        const QString told = m_strip->toolTipAt(QPointF(m_strip->borderAt(0).x(), below));
        // Where there is room its words stand beside it.
        QCOMPARE(m_strip->toolTipAt(QPointF(m_strip->borderAt(0).x() + 30, below)), told);
        const QStringList lines = told.split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].contains(QStringLiteral("144\u00a0bytes")), qPrintable(told));
        QVERIFY2(
            told.contains(QStringLiteral("encoder.block.0.in: 4×8 float32, 128\u00a0bytes, and its gradient back")),
            qPrintable(told));
        QVERIFY2(told.contains(QStringLiteral("shade: 4×1 float32, 16\u00a0bytes")), qPrintable(told));
        m_strip->setModel(model, DType::Float64);
        QVERIFY(m_strip->toolTipAt(QPointF(m_strip->borderAt(0).x(), below)).contains(QLatin1String("float64")));
    }
};

QTEST_MAIN(LayerStripTest)
#include "layer_strip_test.moc"
