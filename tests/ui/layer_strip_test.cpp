// The strip of layers draws again what a plan changes, and nothing else.
#include <QBackingStore>
#include <QImage>
#include <QJsonArray>
#include <QJsonObject>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QTest>
#include <functional>
#include <memory>

#include "ui/plan/layer_strip.h"

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
};

QTEST_MAIN(LayerStripTest)
#include "layer_strip_test.moc"
