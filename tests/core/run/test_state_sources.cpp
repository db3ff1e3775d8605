#include <QTest>

#include "core/run/state_collector.h"

using namespace hearth;

namespace {

StateLayers layersOfBytes(std::initializer_list<qint64> bytes) {
    StateLayers layers;
    for (const qint64 each : bytes) {
        layers.emplace_back();
        layers.back().bytes = each;
    }
    return layers;
}

using Sources = std::map<QString, std::vector<HeldState>>;
const QString laptop = QStringLiteral("laptop"), desk = QStringLiteral("desk"), tv = QStringLiteral("tv");

}  // namespace

class TestStateSources : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theNearestHolderIsAsked() {
        const HeldByDevice held{{desk, {{7, 0, 3}}}, {laptop, {{7, 1, 2}}}, {tv, {{7, 2, 3}}}};
        const auto from = sourcesOf(layersOfBytes({4, 4, 4}), 7, held, laptop);
        QVERIFY(from);
        QCOMPARE(*from, (Sources{{desk, {{7, 0, 1}, {7, 2, 3}}}, {laptop, {{7, 1, 2}}}}));
    }

    void oneHolderIsEnoughWhereNobodyIsNear() {
        const HeldByDevice held{{desk, {{7, 0, 3}}}, {laptop, {{7, 0, 3}}}};
        QCOMPARE(*sourcesOf(layersOfBytes({4, 4, 4}), 7, held, QString()), (Sources{{desk, {{7, 0, 3}}}}));
        QCOMPARE(*sourcesOf(layersOfBytes({4, 4, 4}), 7, held, tv), (Sources{{desk, {{7, 0, 3}}}}));
    }

    void anotherVersionIsNoSource() {
        QVERIFY(!sourcesOf(layersOfBytes({4, 4}), 7, {{laptop, {{6, 0, 2}}}, {desk, {{7, 0, 1}}}}, laptop));
    }

    void layersWithoutStateNeedNobody() {
        QCOMPARE(*sourcesOf(layersOfBytes({4, 0, 4}), 7, {{desk, {{7, 0, 1}, {7, 2, 3}}}}, laptop),
                 (Sources{{desk, {{7, 0, 1}, {7, 2, 3}}}}));
    }
};

QTEST_GUILESS_MAIN(TestStateSources)
#include "test_state_sources.moc"
