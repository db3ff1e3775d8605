// Following, zooming and panning of the plots' common axis.
#include "ui/train/time_window.h"

#include <QSignalSpy>
#include <QTest>

using namespace hearth;

class TimeWindowTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theWholeRunIsFollowedAtFirst() {
        TimeWindow window;
        window.setData(4.2, 104);
        QVERIFY(window.follows());
        QCOMPARE(window.from(), 4.0);
        QVERIFY(window.to() > 104 && window.to() < 106);
        window.setData(4.2, 200);
        QCOMPARE(window.from(), 4.0);
        QVERIFY(window.to() > 200);
    }
    void aWindowOfAMinuteFollowsTheNewest() {
        TimeWindow window;
        window.setData(0, 1000);
        window.setSpan(60);
        QCOMPARE(window.from(), 940.0);
        window.setData(0, 1010);
        QCOMPARE(window.from(), 950.0);
    }
    void aRunShorterThanItsWindowBeginsAtTheLeft() {
        TimeWindow window;
        window.setSpan(60);
        window.setData(0, 20);
        QCOMPARE(window.from(), 0.0);
        QVERIFY(window.to() > 60);
    }
    void panningBackHoldsAndPanningToTheEndFollowsAgain() {
        TimeWindow window;
        window.setData(0, 1000);
        window.setSpan(100);
        window.pan(-300);
        QVERIFY(!window.follows());
        QCOMPARE(window.from(), 600.0);
        window.setData(0, 1500);
        QCOMPARE(window.from(), 600.0);
        window.pan(-10'000);
        QCOMPARE(window.from(), 0.0);
        window.pan(10'000);
        QVERIFY(window.follows());
        QCOMPARE(window.from(), 1400.0);
    }
    void zoomingKeepsWhatIsUnderTheMouse() {
        TimeWindow window;
        window.setData(0, 1000);
        window.setSpan(200);
        window.pan(-400);
        QCOMPARE(window.from(), 400.0);
        window.zoom(0.5, 450);
        QCOMPARE(window.from(), 425.0);
        QCOMPARE(*window.span(), 100.0);
        window.zoom(2, 450);
        QCOMPARE(window.from(), 400.0);
        window.zoom(100, 450);
        QVERIFY(!window.span());
        QVERIFY(window.follows());
        window.zoom(1e-9, 450);
        QCOMPARE(*window.span(), TimeWindow::shortest);
        QVERIFY2(window.follows(), "a window that followed goes on following");
    }
    void aWindowHeldInPlaceStays() {
        TimeWindow window;
        window.setData(0, 1000);
        window.setFollows(false);
        QVERIFY2(window.follows(), "the whole run is always followed");
        window.setSpan(60);
        window.setFollows(false);
        window.setData(0, 2000);
        QCOMPARE(window.from(), 940.0);
        window.follow();
        QCOMPARE(window.from(), 1940.0);
    }
    void whatIsShownStaysByAnotherAxis() {
        const auto tenth = [](double place) { return place / 10; };
        TimeWindow window;
        window.setData(0, 1000);
        window.setSpan(200);
        window.pan(-400);
        window.setCursor(500);
        window.changeAxis(1, tenth);
        QCOMPARE(window.from(), 40.0);
        QCOMPARE(*window.span(), 20.0);
        QCOMPARE(*window.cursor(), 50.0);
        QVERIFY(!window.follows());
        window.follow();
        window.changeAxis(1, tenth);
        QVERIFY(window.follows());
        QCOMPARE(*window.span(), TimeWindow::shortest);
        QCOMPARE(window.from(), 10 - TimeWindow::shortest);
    }
    void theWholeRunStaysWholeByAnotherAxis_data() {
        QTest::addColumn<double>("span");
        QTest::addColumn<double>("scale");
        QTest::newRow("the whole run") << 0.0 << 0.1;
        QTest::newRow("a window that is longer than the run") << 2000.0 << 0.1;
        QTest::newRow("a window in which nothing happened by the other axis") << 200.0 << 0.0;
    }
    void theWholeRunStaysWholeByAnotherAxis() {
        QFETCH(double, span);
        QFETCH(double, scale);
        TimeWindow window;
        window.setData(0, 1000);
        if (span > 0)
            window.setSpan(span);
        window.changeAxis(1, [scale](double place) { return place * scale; });
        QVERIFY(!window.span());
        QVERIFY(window.follows());
    }
    void partsOfAnEpochAreItsUnit() {
        TimeWindow window;
        window.setUnit(0.1);
        window.setData(0.25, 30);
        QCOMPARE(window.from(), 0.2);
        window.zoom(1e-9, 20);
        QCOMPARE(*window.span(), 0.1 * TimeWindow::shortest);
    }
    void theCursorIsToldOnceForAll() {
        TimeWindow window;
        const QSignalSpy spy(&window, &TimeWindow::cursorChanged);
        window.setCursor(5);
        window.setCursor(5);
        window.setCursor(std::nullopt);
        QCOMPARE(spy.count(), 2);
    }
};

QTEST_APPLESS_MAIN(TimeWindowTest)
#include "time_window_test.moc"
