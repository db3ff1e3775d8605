#include <QTest>
#include <limits>

#include "core/protocol/term_origins.h"

using namespace hearth;

class TermOriginsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatCountsIsBeforeAllThatWasDoneAgain();
    void goesToJsonAndBack();
    void refusesWhatIsNoSuchList();
};

void TermOriginsTest::whatCountsIsBeforeAllThatWasDoneAgain() {
    constexpr quint64 everything = std::numeric_limits<quint64>::max();
    TermOrigins origins;
    QCOMPARE(origins.newestAfter(0), everything);
    origins.begin(1, 0);
    origins.begin(2, 40);
    origins.begin(4, 20);  // rounds 21 to 40 are done again
    origins.begin(5, 60);
    QCOMPARE(origins.newestAfter(0), quint64(0));
    QCOMPARE(origins.newestAfter(1), quint64(20));
    QCOMPARE(origins.newestAfter(2), quint64(20));
    QCOMPARE(origins.newestAfter(3), quint64(20));
    QCOMPARE(origins.newestAfter(4), quint64(60));
    QCOMPARE(origins.newestAfter(5), everything);
}

void TermOriginsTest::goesToJsonAndBack() {
    TermOrigins origins;
    origins.begin(1, 0);
    origins.begin(3, 7);
    QCOMPARE(TermOrigins::fromJson(origins.toJson()), std::optional(origins));
    QCOMPARE(TermOrigins::fromJson({}), std::optional(TermOrigins()));
}

void TermOriginsTest::refusesWhatIsNoSuchList() {
    QVERIFY(!TermOrigins::fromJson({QJsonArray{1}}));
    QVERIFY(!TermOrigins::fromJson({QJsonArray{-1, 2}}));
    QVERIFY(!TermOrigins::fromJson({QJsonArray{2, 0}, QJsonArray{2, 5}}));
    QVERIFY(!TermOrigins::fromJson({QStringLiteral("1, 0")}));
}

QTEST_GUILESS_MAIN(TermOriginsTest)
#include "term_origins_test.moc"
