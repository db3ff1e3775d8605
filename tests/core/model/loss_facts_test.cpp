#include "core/model/loss_facts.h"

#include <QTest>

using namespace hearth;

class LossFactsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void crossEntropyTakesAClassNumberPerPlace_data() {
        QTest::addColumn<Shape>("output");
        QTest::addColumn<Shape>("label");
        QTest::newRow("one for a sample") << Shape{10} << Shape{};
        QTest::newRow("one for each token") << Shape{128, 5000} << Shape{128};
        QTest::newRow("one for each pixel") << Shape{32, 48, 21} << Shape{32, 48};
    }
    void crossEntropyTakesAClassNumberPerPlace() {
        QFETCH(Shape, output);
        QFETCH(Shape, label);
        QCOMPARE(crossEntropy().label(output), (Slot{DType::Int64, label, false}));
    }

    void whatIsIgnoredDoesNotCount() {
        const std::vector<qint64> labels{3, ignoredLabel, 0, ignoredLabel, 1};
        QCOMPARE(crossEntropy().count(std::as_bytes(std::span(labels))), qint64{3});
    }

    void anUnknownNameHasNoFacts() {
        QVERIFY(!LossFacts::byName(QStringLiteral("hinge")));
        QCOMPARE(LossFacts::names(),
                 (QStringList{QStringLiteral("cross-entropy"), QStringLiteral("binary-cross-entropy"),
                              QStringLiteral("mean-squared-error")}));
    }

  private:
    static const LossFacts &crossEntropy() { return *LossFacts::byName(QStringLiteral("cross-entropy")); }
};

QTEST_GUILESS_MAIN(LossFactsTest)
#include "loss_facts_test.moc"
