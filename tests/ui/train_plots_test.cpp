// The plots of the Train page by mouse and keys: one axis, one cursor, silence.
#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>
#include <array>

#include "tests/ui/train_fixture.h"

using namespace hearth;

class TrainPlotsTest : public TrainFixture {
    Q_OBJECT

    TimeWindow &time() const { return find<TrainPlots>("trainPlots")->window(); }
    void press(const char *plot, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const {
        QTest::keyClick(find<QWidget>(plot), key, modifiers);
    }
    void turnWheel(const char *plot, int notches, Qt::KeyboardModifiers modifiers) const {
        auto *widget = find<QWidget>(plot);
        const QPointF at(widget->width() / 2.0, widget->height() / 2.0);
        QWheelEvent wheel(at, widget->mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(widget, &wheel);
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
    void cleanup() { endWindow(); }

    void theCursorOfOnePlotReadsAllOfThem() {
        playAll();
        QTRY_COMPARE_WITH_TIMEOUT(find<LivePlot>("computingPlot")->curveCount(), 3, patience);
        press("throughputPlotPlot", Qt::Key_Left);
        QVERIFY(time().cursor());
        const double t = *time().cursor();
        // The last round before the cursor.
        const event::Round *expected = nullptr;
        for (const RunEvent &one : m_events) {
            const auto *round = std::get_if<event::Round>(&one.body);
            if (round != nullptr && one.t <= t)
                expected = round;
        }
        QVERIFY(expected != nullptr);
        const QStringList speed = find<LivePlot>("throughputPlot")->readout();
        QVERIFY2(speed.contains(QStringLiteral("measured  ") + QLocale().toString(expected->samplesPerS, 'f', 0)),
                 qPrintable(speed.join(QLatin1Char('\n'))));
        const QStringList loss = find<LivePlot>("lossPlot")->readout();
        QVERIFY2(loss.contains(QStringLiteral("loss  ") + QLocale().toString(expected->loss, 'f', 4)),
                 qPrintable(loss.join(QLatin1Char('\n'))));
        QCOMPARE(loss.first(), speed.first());
        // One that is out of sight says it when it comes into sight.
        QVERIFY(find<LivePlot>("memoryPlot")->readout().isEmpty());
        find<QScrollArea>("plotScroll")->ensureWidgetVisible(find<QWidget>("memoryPlot"));
        QTRY_COMPARE_WITH_TIMEOUT(find<LivePlot>("memoryPlot")->readout().size(), 4, patience);
        QCOMPARE(find<LivePlot>("memoryPlot")->readout().first(), speed.first());
        QVERIFY(find<QWidget>("memoryPlotPlot")->accessibleDescription().contains(QStringLiteral("local-2")));
        press("lossPlotPlot", Qt::Key_Escape);
        QVERIFY(!time().cursor());
        QVERIFY(find<LivePlot>("throughputPlot")->readout().isEmpty());
    }

    void theBoxOfTheCursorFindsRoomInEveryPlot_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<bool>("nine");
        QTest::newRow("a low one, fewer lines") << 110 << false;
        QTest::newRow("a high one, the time and nine lines") << 500 << true;
    }
    void theBoxOfTheCursorFindsRoomInEveryPlot() {
        QFETCH(int, height);
        QFETCH(bool, nine);
        constexpr int curves = 12;
        std::array<TimeSeries, curves> series;
        LivePlot plot(QStringLiteral("many"), QStringLiteral("Many"));
        plot.resize(500, height);
        plot.show();
        for (TimeSeries &own : series) {
            const int number = plot.curveCount();
            const QString name = QStringLiteral("device-%1").arg(number, 2, 10, QLatin1Char('0'));
            own.append(1, number + 1);
            own.append(9, number + 1);
            plot.setSeries(plot.addCurve(name, &Theme::accent, LivePlot::Look::Thin), &own);
        }
        const PlotStretch stretch(PlotAxis(), 0, 10);
        plot.showPart(stretch);
        auto *inner = plot.findChild<QWidget *>(QStringLiteral("manyPlot"));
        // Its margins are known once it is drawn.
        const QImage before = inner->grab().toImage();
        plot.setCursor(5);
        const QImage with = inner->grab().toImage();
        QVERIFY(with != before);
        // It stays when the curves are drawn anew.
        plot.showPart(stretch);
        QTRY_COMPARE_WITH_TIMEOUT(inner->grab().toImage(), with, patience);
        const auto lines = static_cast<int>(plot.readout().size());
        QCOMPARE(lines == 10, nine);
        QVERIFY(lines * QFontMetrics(smallFont()).height() <= inner->height());
        // The greatest first, the least last, and how many stand between.
        QVERIFY(plot.readout()[1].startsWith(QStringLiteral("device-11")));
        QVERIFY(plot.readout().last().startsWith(QStringLiteral("device-00")));
        const int left = curves - (lines - 2);
        QVERIFY2(plot.readout().contains(QStringLiteral("%1 more").arg(left)),
                 qPrintable(plot.readout().join(QLatin1Char('\n'))));
    }

    void keysWheelAndButtonsZoomAndPan() {
        playAll();
        const double whole = time().to() - time().from();
        press("lossPlotPlot", Qt::Key_Plus);
        const double less = time().to() - time().from();
        QVERIFY(less < whole);
        QVERIFY(time().follows());
        const double before = time().from();
        press("lossPlotPlot", Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(time().from() < before);
        QVERIFY(!time().follows());
        QVERIFY(!find<QPushButton>("plotFollow")->isChecked());
        click("plotFollow");
        QVERIFY(time().follows());
        press("lossPlotPlot", Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(!time().follows());
        press("lossPlotPlot", Qt::Key_End);
        QVERIFY(time().follows());
        turnWheel("throughputPlotPlot", 1, Qt::ControlModifier);
        QVERIFY(time().to() - time().from() < less);
        press("lossPlotPlot", Qt::Key_Home);
        QVERIFY(!time().span());
        click("plotZoomIn");
        QVERIFY(time().span());
        click("plotZoomOut");
        QVERIFY(!time().span());
    }

    void aDragLooksBack() {
        playAll();
        click("plotZoomIn");
        auto *plot = find<QWidget>("throughputPlotPlot");
        const double before = time().from();
        QTest::mousePress(plot, Qt::LeftButton, {}, QPoint(200, 40));
        QTest::mouseMove(plot, QPoint(300, 40));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, QPoint(300, 40));
        QVERIFY(time().from() < before);
        QVERIFY(!time().follows());
    }

    void anotherRunIsFollowedWhereverSomebodyLookedBack() {
        playAll();
        click("plotZoomIn");
        press("lossPlotPlot", Qt::Key_Left, Qt::ShiftModifier);
        press("lossPlotPlot", Qt::Key_Left);
        QVERIFY(!time().follows() && time().cursor());
        const std::optional<double> span = time().span();
        m_controller->open(QStringLiteral("another"));
        QVERIFY(time().follows() && !time().cursor());
        QVERIFY(find<QPushButton>("plotFollow")->isChecked());
        QVERIFY(time().span() == span);
    }

    void theWheelAloneScrollsToThePlotsBelow() {
        playAll();
        auto *bar = find<QScrollArea>("plotScroll")->verticalScrollBar();
        QCOMPARE(bar->value(), 0);
        turnWheel("throughputPlotPlot", -3, Qt::NoModifier);
        QVERIFY(bar->value() > 0);
        QVERIFY(!time().span());
    }

    void aWindowIsChosenByName() {
        playAll();
        auto *span = find<QComboBox>("plotSpan");
        QCOMPARE(span->currentText(), QStringLiteral("Whole run"));
        span->setCurrentIndex(0);
        Q_EMIT span->activated(0);
        QCOMPARE(*time().span(), 60.0);
        QVERIFY(time().follows());
        // One that the wheel has made has no name.
        for (int notch = 0; notch < 20 && (!time().span() || *time().span() == 60.0); ++notch)
            press("lossPlotPlot", Qt::Key_Plus);
        press("lossPlotPlot", Qt::Key_Plus);
        QVERIFY(time().span());
        QCOMPARE(span->currentText(), formatWholeSeconds(*time().span()));
        QCOMPARE(span->currentIndex(), span->count() - 1);
        // Choosing it again changes nothing; choosing another one drops it.
        const std::optional<double> own = time().span();
        Q_EMIT span->activated(span->currentIndex());
        QCOMPARE(time().span(), own);
        const int entries = span->count();
        Q_EMIT span->activated(0);
        QCOMPARE(*time().span(), 60.0);
        QCOMPARE(span->count(), entries - 1);
    }

    void silenceIsShownAsSilence() {
        play(QStringLiteral("training"));
        m_controller->send(m_events[56]);
        QVERIFY(!subtitle().contains(QStringLiteral("ago")));
        m_now += 12'000;
        // The page asks its clock once a second.
        QTRY_VERIFY_WITH_TIMEOUT(subtitle().contains(QStringLiteral("last data 12 s ago")), patience);
        QTRY_VERIFY_WITH_TIMEOUT(time().to() >= m_events[56].t + 12, patience);
        m_controller->send({1000, 20, event::Checkpoint{1, 100}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(!subtitle().contains(QStringLiteral("ago")), patience);
    }

    void silenceIsToldWhereDataIsDue_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<bool>("told");
        QTest::newRow("recovering") << QStringLiteral("recovering") << true;
        QTest::newRow("waiting") << QStringLiteral("waiting") << false;
        QTest::newRow("paused") << QStringLiteral("paused") << false;
    }
    void silenceIsToldWhereDataIsDue() {
        QFETCH(QString, state);
        QFETCH(bool, told);
        play(QStringLiteral("training"));
        m_controller->send({1000, 30, event::State{state}, {}});
        m_now += 12'000;
        // It has the page look at its clock.
        find<TrainPage>("trainPage")->setStarting(false);
        QVERIFY2(subtitle().contains(QStringLiteral("ago")) == told, qPrintable(subtitle()));
    }
};

QTEST_MAIN(TrainPlotsTest)
#include "train_plots_test.moc"
