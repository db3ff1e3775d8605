#include <QCborValue>
#include <QtTest>

#include "core/plan/held_states.h"
#include "core/profile/profile_limits.h"

using namespace hearth;

class TestHeldStates : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theyTravelAsCbor() {
        const std::vector<HeldState> sent{{0, 0, 1}, {7, 2, 5}, {0xffffffffULL, 0, ProfileLimits::layers}};
        const QByteArray bytes = heldStatesToCbor(sent).toCborValue().toCbor();
        const auto read = heldStatesFromCbor(QCborValue::fromCbor(bytes).toArray());
        QVERIFY(read);
        QCOMPARE(*read, sent);
        QVERIFY(heldStatesFromCbor({})->empty());
    }

    void nonsenseIsRefused_data() {
        QTest::addColumn<QCborArray>("row");
        QTest::newRow("nothing") << QCborArray();
        QTest::newRow("too few numbers") << QCborArray{1, 0};
        QTest::newRow("words") << QCborArray{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")};
        QTest::newRow("a negative version") << QCborArray{-1, 0, 1};
        QTest::newRow("a huge version") << QCborArray{qint64{1} << 40, 0, 1};
        QTest::newRow("a negative layer") << QCborArray{1, -1, 1};
        QTest::newRow("no layers") << QCborArray{1, 2, 2};
        QTest::newRow("layers backwards") << QCborArray{1, 3, 2};
        QTest::newRow("more layers than any model") << QCborArray{1, 0, ProfileLimits::layers + 1};
    }
    void nonsenseIsRefused() {
        QFETCH(QCborArray, row);
        const auto read = heldStatesFromCbor(QCborArray{QCborArray{1, 0, 1}, row});
        QVERIFY(!read);
        QCOMPARE(read.error().code, QStringLiteral("run.bad-states"));
    }

    void whatIsNoListIsRefused() { QVERIFY(!heldStatesFromCbor(QCborArray{5})); }

    void tooManyAreRefused() {
        QCborArray many;
        for (int i = 0; i <= 16 * ProfileLimits::layers; ++i)
            many.append(QCborArray{1, 0, 1});
        QVERIFY(!heldStatesFromCbor(many));
    }
};

QTEST_GUILESS_MAIN(TestHeldStates)
#include "test_held_states.moc"
