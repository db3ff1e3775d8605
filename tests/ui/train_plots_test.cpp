// The plots of the Train page by mouse and keys: one time axis, one cursor, silence; and the files that the page
// writes.
#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTemporaryDir>
#include <QWheelEvent>

#include "tests/core/base/patience.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/widgets.h"
#include "ui/shell/window_memory.h"
#include "ui/train/live_plot.h"
#include "ui/train/train_page.h"
#include "ui/train/train_plots.h"
#include "ui/words/format.h"

using namespace hearth;

class TrainPlotsTest : public WindowFixture {
    Q_OBJECT

    qint64 m_now = 0;

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
    /// A page that comes into sight is brought up to date at once.
    void playAll() const {
        play();
        goTo("railHome");
        goTo("railTrain");
    }
    QString subtitle() const { return plain(find<ElidedLabel>("trainPageSubtitle")->fullText()); }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        makeWindow();
        m_now = 1000;
        find<TrainPage>("trainPage")->setClock([this] { return m_now; });
        m_window->show();
        goTo("railTrain");
    }
    void cleanup() { endWindow(); }

    void aRateThatChangesHasAPlot() {
        playAll();
        QVERIFY(!find<QWidget>("ratePlot")->isVisible());
        QVERIFY(!find<QWidget>("normPlot")->isVisible());
        for (int i = 0; i < 6; ++i) {
            event::Round round;
            round.round = 1000 + i;
            round.term = 2;
            round.loss = 10 - i;
            round.learningRate = i < 3 ? 0.1 : 0.01;
            round.gradientNorm = 2.5;
            m_controller->send({m_events.back().seq + 1 + static_cast<quint64>(i), m_events.back().t + i, round, {}});
        }
        find<TrainPlots>("trainPlots")->refresh(0);
        QVERIFY(find<QWidget>("ratePlot")->isVisible());
        QVERIFY(find<QWidget>("normPlot")->isVisible());
        const std::vector<QPointF> rates = find<LivePlot>("ratePlot")->points(0);
        QCOMPARE(rates.front().y(), 0.1);
        QCOMPARE(rates.back().y(), 0.01);
    }

    void devicesWithAGraphicsCardHaveItsCurves() {
        playAll();
        const auto plots = {"cardBusyPlot", "cardMemoryPlot", "cardCelsiusPlot", "cardWattsPlot"};
        for (const char *plot : plots)
            QVERIFY2(!find<QWidget>(plot)->isVisible(), plot);
        for (int i = 0; i < 3; ++i) {
            event::Round round;
            round.round = 1000 + i;
            round.term = 2;
            round.loss = 1;
            round.devices[m_home->list[0].id] = {};
            round.devices[m_home->list[1].id].card = {97, 3.0 * (1 << 30), std::nullopt, 168.25};
            m_controller->send({m_events.back().seq + 1 + static_cast<quint64>(i), m_events.back().t + i, round, {}});
        }
        find<TrainPlots>("trainPlots")->refresh(0);
        for (const char *plot : plots)
            QCOMPARE(find<QWidget>(plot)->isVisible(), QLatin1String(plot) != QLatin1String("cardCelsiusPlot"));
        auto *memory = find<LivePlot>("cardMemoryPlot");
        QCOMPARE(memory->curveCount(), 1);
        QCOMPARE(memory->curveName(0), m_home->list[1].name);
        QCOMPARE(memory->points(0).back().y(), 3.0);
        QCOMPARE(find<LivePlot>("cardWattsPlot")->points(0).back().y(), 168.25);
    }

    void theLossIsShownByPowersOfTen() {
        playAll();
        auto *plot = find<LivePlot>("lossPlot");
        const auto smoothed = plot->points(1), raw = plot->points(0);
        QCOMPARE(smoothed.size(), raw.size());
        QVERIFY(smoothed.front() == raw.front() && smoothed.back() != raw.back());
        QVERIFY(!plot->isLogScale());
        click("plotLogScale");
        QVERIFY(plot->isLogScale());
        QCOMPARE(plot->points(0), raw);
        click("plotLogScale");
        QVERIFY(!plot->isLogScale());
    }

    void theLossIsSmoothedAsStronglyAsWished_data() {
        QTest::addColumn<int>("steps");  // of the slider
        QTest::addColumn<int>("rounds");
        QTest::addColumn<QString>("said");
        QTest::newRow("as usual") << 0 << 9 << "over 9 rounds";
        QTest::newRow("more") << 2 << 81 << "over 81 rounds";
        QTest::newRow("not at all") << -2 << 1 << "not smoothed";
    }
    void theLossIsSmoothedAsStronglyAsWished() {
        QFETCH(int, steps);
        QFETCH(int, rounds);
        QFETCH(QString, said);
        auto *slider = find<QSlider>("plotSmoothing");
        auto *plot = find<LivePlot>("lossPlot");
        const auto verify = [&] {
            const auto raw = plot->points(0), smoothed = plot->points(1);
            QCOMPARE(smoothed.size(), raw.size());
            double mean = raw.front().y();
            for (std::size_t i = 0; i < raw.size(); ++i) {
                mean += 2.0 / (rounds + 1) * (raw[i].y() - mean);
                QCOMPARE(smoothed[i].x(), raw[i].x());
                QVERIFY2(std::abs(smoothed[i].y() - mean) < 1e-9, qPrintable(QString::number(i)));
            }
        };
        const auto turn = [&](int by) {
            for (int step = 0; step < std::abs(by); ++step)
                QTest::keyClick(slider, by > 0 ? Qt::Key_Right : Qt::Key_Left);
        };
        // Of what there is, and of what comes.
        play(QStringLiteral("recovering"));
        QVERIFY(plot->points(0).size() > 10);
        turn(steps);
        verify();
        playAll();
        verify();
        QCOMPARE(plain(find<ElidedLabel>("plotSmoothed")->fullText()), said);
        turn(-steps);
        QVERIFY(slider->value() == 2);
    }

    void theSmoothingIsRemembered() {
        auto *slider = find<QSlider>("plotSmoothing");
        const int usual = slider->value();
        slider->setValue(usual + 1);
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        QVERIFY(WindowMemory(*m_window, settings).save());
        slider->setValue(usual);
        WindowMemory(*m_window, settings).restore();
        QCOMPARE(slider->value(), usual + 1);
        QCOMPARE(m_window->run().series().lossSmoothing(), 27);
        settings.setValue(QStringLiteral("window/lossSmoothing"), QStringLiteral("much"));
        WindowMemory(*m_window, settings).restore();
        QCOMPARE(slider->value(), usual + 1);
    }

    void theBestEvaluationIsMarked() {
        play();
        constexpr int onLoss = 4, onAccuracy = 5;
        auto *plot = find<LivePlot>("lossPlot");
        quint64 seq = 1000;
        const auto send = [&](double t, const RunEventBody &body) { m_controller->send({++seq, t, body, {}}); };
        const auto round = [&](double t, qint64 number, quint32 term) {
            event::Round done;
            done.round = number;
            done.term = term;
            done.loss = 1;
            send(t, done);
        };
        QVERIFY(plot->points(onLoss).empty());
        round(20, 61, 2);
        send(21, event::Evaluation{61, 0.9, 0.25});
        QVERIFY(plot->points(onLoss).empty());  // its weights are on their way
        round(22, 62, 2);
        send(23, event::Best{61, 0.25, 0.9, 1});
        QCOMPARE(plot->points(onLoss), std::vector{QPointF(21, 0.25)});
        QCOMPARE(plot->points(onAccuracy), std::vector{QPointF(21, 90)});
        // Undone by a loss, and done again.
        round(30, 60, 3);
        QVERIFY(plot->points(onLoss).empty() && plot->points(onAccuracy).empty());
        round(31, 61, 3);
        send(32, event::Evaluation{61, 0.9, 0.25});
        QCOMPARE(plot->points(onLoss), std::vector{QPointF(32, 0.25)});
        send(33, event::Evaluation{62, 0.91, 0.2});
        send(34, event::Best{62, 0.2, 0.91, 1});
        QCOMPARE(plot->points(onLoss), std::vector{QPointF(33, 0.2)});
        m_controller->open(QStringLiteral("another"));
        QVERIFY(plot->points(onLoss).empty() && plot->points(onAccuracy).empty());
    }

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
        LivePlot plot(QStringLiteral("many"), QStringLiteral("Many"));
        plot.resize(500, height);
        plot.show();
        for (int i = 0; i < curves; ++i) {
            const QString name = QStringLiteral("device-%1").arg(i, 2, 10, QLatin1Char('0'));
            const int curve = plot.addCurve(name, &Theme::accent, LivePlot::Look::Thin);
            plot.addPoint(curve, 1, i + 1);
            plot.addPoint(curve, 9, i + 1);
        }
        plot.replot(0, 10);
        auto *inner = plot.findChild<QWidget *>(QStringLiteral("manyPlot"));
        // Its margins are known once it is drawn.
        const QImage before = inner->grab().toImage();
        plot.setCursor(5);
        const QImage with = inner->grab().toImage();
        QVERIFY(with != before);
        // It stays when the curves are drawn anew.
        plot.replot(0, 10);
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
        QCOMPARE(span->currentIndex(), -1);
        QCOMPARE(span->placeholderText(), formatWholeSeconds(*time().span()));
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

    void aPauseIsAHoleInTheCurves() {
        play();
        const RunSeries &series = m_window->run().series();
        event::Round round;
        round.term = 1;
        round.roundS = 0.1;
        round.samplesPerS = 100;
        round.round = 61;
        m_controller->send({1000, 20, event::State{QStringLiteral("paused")}, {}});
        m_controller->send({1001, 60, event::State{QStringLiteral("training")}, {}});
        m_controller->send({1002, 60.1, round, {}});
        QVERIFY(series.measured().read(0, 100, 800).back().breakBefore);
        QVERIFY(!series.measured().at(40));
        // Nothing was paused, and still no round accounts for the time.
        round.round = 62;
        m_controller->send({1003, 90, round, {}});
        QVERIFY(series.loss().read(0, 100, 800).back().breakBefore);
        round.round = 63;
        m_controller->send({1004, 90.2, round, {}});
        QVERIFY(!series.loss().read(0, 100, 800).back().breakBefore);
    }

    void compressionIsPlottedWhereThereIsSome() {
        play();
        const auto plot = [this] { return find<QWidget>("compressionPlot"); };
        QVERIFY(plot()->parentWidget()->isHidden());
        QTRY_VERIFY_WITH_TIMEOUT(find<LivePlot>("trafficPlot")->curveCount() > 1, patience);
        const int traffic = find<LivePlot>("trafficPlot")->curveCount();
        event::Round round;
        round.term = 1;
        round.roundS = 0.5;
        round.round = 61;
        round.savedBytes = 2'000'000;
        round.links = {{m_window->run().devices().ids()[0], m_window->run().devices().ids()[1], 1'000'000}};
        m_controller->send({1000, 20, round, {}});
        const QString eight = QStringLiteral("bfp8"), none = QStringLiteral("none");
        m_controller->send({1001, 20, event::CodecCheck{61, 2.02, 2, {{0, eight, none, 0.006, 0}}}, {}});
        const RunSeries &series = m_window->run().series();
        QCOMPARE(series.saved().at(20)->mean, 4e6);
        QCOMPARE(series.lossOff().at(20)->mean, 1.0);
        QCOMPARE(series.cutErrors().size(), std::size_t(1));  // of the way that is compressed
        QCOMPARE(series.cutErrors().begin()->second.at(20)->mean, 0.6);
        QTRY_VERIFY_WITH_TIMEOUT(!plot()->parentWidget()->isHidden(), patience);
        QCOMPARE(find<LivePlot>("compressionPlot")->curveCount(), 2);
        QCOMPARE(find<LivePlot>("trafficPlot")->curveCount(), traffic + 1);
        m_controller->open(QStringLiteral("another"));
        QTRY_VERIFY_WITH_TIMEOUT(plot()->parentWidget()->isHidden(), patience);
    }

    void weightsAreSavedWhereTheUserSays() {
        auto *save = find<QAction>("trainSaveWeights");
        QVERIFY(!save->isEnabled());
        playAll();
        QVERIFY(save->isEnabled());
        m_questions->file = QString();
        save->trigger();
        QVERIFY(m_controller->calls.isEmpty());
        m_questions->file = QStringLiteral("/somewhere/mine.safetensors");
        save->trigger();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("save /somewhere/mine.safetensors"));
        QVERIFY(subtitle().contains(QStringLiteral("saving the weights")));
        m_controller->tellSaved(m_questions->file);
        QVERIFY(subtitle().endsWith(QStringLiteral("weights saved as mine.safetensors")));
        Q_EMIT m_controller->failed({});
        QVERIFY(!subtitle().contains(QStringLiteral("mine")));
    }

    void theBestWeightsAreSavedOnceThereAreSome() {
        auto *save = find<QAction>("trainSaveBest");
        playAll();
        Q_EMIT find<QMenu>("trainFilesMenu")->aboutToShow();
        QVERIFY(!save->isEnabled());
        m_controller->send({1000, 100, event::Best{50, 0.4123, 0.9, 1}, {}});
        Q_EMIT find<QMenu>("trainFilesMenu")->aboutToShow();
        QCOMPARE(save->toolTip(), QStringLiteral("After round 50, with a loss of 0.4123"));
        m_questions->file = QStringLiteral("/somewhere/best.safetensors");
        save->trigger();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("save best /somewhere/best.safetensors"));
    }

    void allPlotsAreSavedAsAPicture() {
        auto *save = find<QAction>("trainSavePicture");
        QVERIFY(!save->isEnabled());
        playAll();
        Q_EMIT find<QMenu>("trainFilesMenu")->aboutToShow();
        QVERIFY(save->isEnabled());
        const QTemporaryDir folder;
        m_questions->file = folder.filePath(QStringLiteral("plots.png"));
        save->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(subtitle().endsWith(QStringLiteral("picture saved as plots.png")), patience);
        const QImage picture(m_questions->file);
        const QSize seen = find<QWidget>("plotScroll")->size();
        QVERIFY(picture.width() > 2 * seen.width() * 9 / 10);
        // Those out of sight are in it, too.
        QVERIFY(picture.height() > 2 * 2 * seen.height());
        const QRgb background = picture.pixel(2, 2);
        int drawn = 0;
        for (int y = picture.height() * 6 / 7; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x)
                drawn += picture.pixel(x, y) != background ? 1 : 0;
        }
        QVERIFY2(drawn > 5000, qPrintable(QString::number(drawn)));
        // None reaches beyond it.
        for (int y = 0; y < picture.height(); ++y)
            QCOMPARE(picture.pixel(picture.width() - 1, y), background);
    }

    void aPictureThatCannotBeWrittenIsSaid() {
        playAll();
        m_questions->file = QStringLiteral("/nowhere/at/all.png");
        find<QAction>("trainSavePicture")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("errorPanel")->isVisible(), patience);
        QVERIFY(text("errorWhat").contains(QStringLiteral("all.png")));
    }

    void aTraceIsForTheNextRunAlone() {
        auto *trace = find<QAction>("trainTrace");
        m_questions->file = QStringLiteral("/somewhere/trace.json");
        trace->trigger();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("trace /somewhere/trace.json"));
        QVERIFY(trace->isChecked());
        QVERIFY(trace->text().contains(QStringLiteral("trace.json")));
        trace->trigger();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("trace "));
        QVERIFY(!trace->isChecked());
        trace->trigger();
        Q_EMIT m_controller->startingChanged(true);
        QVERIFY(!trace->isChecked());
    }
};

QTEST_MAIN(TrainPlotsTest)
#include "train_plots_test.moc"
