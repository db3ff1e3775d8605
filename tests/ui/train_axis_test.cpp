// The plots of the Train page by time, by round and by epoch.
#include <QComboBox>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "tests/ui/train_fixture.h"
#include "ui/shell/window_memory.h"

using namespace hearth;

class TrainAxisTest : public TrainFixture {
    Q_OBJECT

    static constexpr int roundsPerEpoch = 10;

    TrainPlots *plots() const { return find<TrainPlots>("trainPlots"); }
    TimeWindow &window() const { return plots()->window(); }
    LivePlot *lossPlot() const { return find<LivePlot>("lossPlot"); }
    static bool hasHole(const std::vector<QPointF> &drawn) {
        return std::ranges::any_of(drawn, [](const QPointF &point) { return std::isnan(point.y()); });
    }
    /// As the next run will tell it; 0: it does not.
    void setTrainingSamples(qint64 samples) { std::get<event::Run>(m_events.front().body).trainingSamples = samples; }
    void choose(AxisKind kind) const {
        auto *axes = find<QComboBox>("plotAxis");
        const int steps = static_cast<int>(kind) - axes->currentIndex();
        for (int step = 0; step < std::abs(steps); ++step)
            QTest::keyClick(axes, steps > 0 ? Qt::Key_Down : Qt::Key_Up);
        QCOMPARE(axes->currentIndex(), static_cast<int>(kind));
    }
    void send(quint64 seq, double t, const RunEventBody &body) const { m_controller->send({seq, t, body, {}}); }
    static event::Round round(qint64 number, quint32 term) {
        event::Round done;
        done.round = number;
        done.term = term;
        done.roundS = 0.1;
        done.loss = 0.25;
        return done;
    }

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        setTrainingSamples(roundsPerEpoch * 128);
        beginPage();
    }
    void cleanup() { endWindow(); }

    void theLossComesFirst() { QCOMPARE(plots()->plots().front(), lossPlot()); }

    void pointsAreWhereTheirRoundIs_data() {
        QTest::addColumn<AxisKind>("kind");
        QTest::addColumn<double>("perRound");
        QTest::newRow("by round") << AxisKind::Round << 1.0;
        QTest::newRow("by epoch") << AxisKind::Epoch << 1.0 / roundsPerEpoch;
    }
    void pointsAreWhereTheirRoundIs() {
        QFETCH(AxisKind, kind);
        QFETCH(double, perRound);
        playAll();
        choose(kind);
        for (const char *name : {"lossPlot", "throughputPlot"}) {
            const auto points = find<LivePlot>(name)->points(0);
            QCOMPARE(points.size(), std::size_t{60});
            for (std::size_t i = 0; i < points.size(); ++i)
                QCOMPARE(points[i].x(), static_cast<double>(i + 1) * perRound);
        }
        // An evaluation is at the round that it came after, however long it took.
        const auto evaluated = lossPlot()->points(2);
        QCOMPARE(evaluated.size(), std::size_t{3});
        for (std::size_t i = 0; i < evaluated.size(); ++i)
            QCOMPARE(evaluated[i].x(), static_cast<double>(20 * (i + 1)) * perRound);
        QCOMPARE(window().from(), 0.0);
        QVERIFY(window().to() > 60 * perRound && window().to() < 62 * perRound);
    }

    void theCursorReadsTheRoundAndWhatCameAfterIt() {
        playAll();
        choose(AxisKind::Round);
        window().setCursor(40.4);
        const QStringList speed = find<LivePlot>("throughputPlot")->readout();
        QCOMPARE(speed.first(), QStringLiteral("Round 40"));
        for (const char *line : {"Round 40", "loss  0.6816", "loss, evaluated  0.6110"})
            QVERIFY2(lossPlot()->readout().contains(QLatin1String(line)),
                     qPrintable(lossPlot()->readout().join(QLatin1Char('\n'))));
        // The newest, too.
        window().setCursor(60);
        QVERIFY(lossPlot()->readout().contains(QStringLiteral("loss, evaluated  0.5290")));
        QVERIFY(find<QWidget>("lossPlotPlot")->accessibleDescription().contains(QStringLiteral("Round 60")));
        window().setCursor(60.9);
        QVERIFY(lossPlot()->readout().contains(QStringLiteral("loss  0.4802")));
        window().setCursor(61);
        QVERIFY(lossPlot()->readout().contains(QStringLiteral("loss  –")));
        // It stays where it is by every axis.
        window().setCursor(40);
        choose(AxisKind::Epoch);
        QCOMPARE(lossPlot()->readout().first(), QStringLiteral("Epoch 4.00"));
        choose(AxisKind::Time);
        QCOMPARE(*window().cursor(), 10.9191);
        QVERIFY(lossPlot()->readout().contains(QStringLiteral("loss  0.6816")));
    }

    void anEvaluationBeforeTheFirstRoundIsReadAtRoundZero() {
        play(QStringLiteral("training"));
        send(1000, 20, event::Evaluation{0, 0.5, 0.25});
        plots()->refresh(0);
        choose(AxisKind::Round);
        window().setCursor(0);
        QCOMPARE(lossPlot()->readout().first(), QStringLiteral("Round 0"));
        for (const QString &words :
             {lossPlot()->readout().join(QLatin1Char('\n')), find<QWidget>("lossPlotPlot")->accessibleDescription()})
            QVERIFY2(words.contains(QLatin1String("loss, evaluated  0.2500")), qPrintable(words));
    }

    void anArrowKeyLeadsToAnotherRound_data() {
        QTest::addColumn<AxisKind>("kind");
        QTest::addColumn<double>("unit");
        QTest::addColumn<QString>("next");
        QTest::addColumn<QString>("before");
        QTest::newRow("by round") << AxisKind::Round << 1.0 << "Round 41"
                                  << "Round 39";
        QTest::newRow("by epoch") << AxisKind::Epoch << 1.0 / roundsPerEpoch << "Epoch 4.10"
                                  << "Epoch 3.90";
    }
    void anArrowKeyLeadsToAnotherRound() {
        QFETCH(AxisKind, kind);
        QFETCH(double, unit);
        QFETCH(QString, next);
        QFETCH(QString, before);
        playAll();
        choose(kind);
        window().setCursor(40.4 * unit);
        QTest::keyClick(find<QWidget>("lossPlotPlot"), Qt::Key_Right);
        QCOMPARE(lossPlot()->readout().first(), next);
        for (int press = 0; press < 2; ++press)
            QTest::keyClick(find<QWidget>("lossPlotPlot"), Qt::Key_Left);
        QCOMPARE(lossPlot()->readout().first(), before);
        QCOMPARE(*window().cursor(), 39 * unit);
    }

    void zoomPanAndFollowWorkByEveryAxis_data() {
        QTest::addColumn<AxisKind>("kind");
        QTest::addColumn<double>("firstSpan");
        QTest::addColumn<QString>("firstName");
        QTest::newRow("by time") << AxisKind::Time << 60.0 << "Last minute";
        QTest::newRow("by round") << AxisKind::Round << 100.0 << "Last 100 rounds";
        QTest::newRow("by epoch") << AxisKind::Epoch << 1.0 << "Last epoch";
    }
    void zoomPanAndFollowWorkByEveryAxis() {
        QFETCH(AxisKind, kind);
        QFETCH(double, firstSpan);
        QFETCH(QString, firstName);
        const auto press = [this](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
            QTest::keyClick(find<QWidget>("lossPlotPlot"), key, modifiers);
        };
        playAll();
        choose(kind);
        const double whole = window().to() - window().from(), end = window().to();
        press(Qt::Key_Plus);
        QVERIFY(window().span() && window().follows());
        QVERIFY(window().to() - window().from() < whole);
        QVERIFY(window().to() <= end);
        const double before = window().from();
        press(Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(window().from() < before);
        QVERIFY(!window().follows() && !find<QPushButton>("plotFollow")->isChecked());
        press(Qt::Key_End);
        QVERIFY(window().follows());
        press(Qt::Key_Home);
        QVERIFY(!window().span());
        auto *span = find<QComboBox>("plotSpan");
        QCOMPARE(span->currentText(), QStringLiteral("Whole run"));
        for (int step = span->currentIndex(); step > 0; --step)
            QTest::keyClick(span, Qt::Key_Up);
        QCOMPARE(plain(span->currentText()), firstName);
        QCOMPARE(*window().span(), firstSpan);
    }

    void aPartThatSomebodyZoomedToSaysHowMuchItIs() {
        playAll();
        choose(AxisKind::Round);
        QTest::keyClick(find<QWidget>("lossPlotPlot"), Qt::Key_Plus);
        QCOMPARE(find<QComboBox>("plotSpan")->currentText(), QStringLiteral("48 rounds"));
    }

    void whatIsShownStaysInSightByAnotherAxis() {
        playAll();
        choose(AxisKind::Round);
        window().setSpan(20);
        window().pan(-20);
        choose(AxisKind::Time);
        QVERIFY(window().from() <= 6.9542 && window().to() >= 10.9191 && !window().follows());
        choose(AxisKind::Round);
        QVERIFY(window().from() <= 20 && window().to() >= 40 && window().to() < 60);
    }

    void roundsThatARecoveryRepeatsAreDrawnOnce() {
        playAll();
        choose(AxisKind::Round);
        send(1000, 20, event::Lost{m_home->list[1].id, 61, {}});
        plots()->refresh(0);
        QVERIFY(std::ranges::count(lossPlot()->markPlaces(), 60.0) == 1);
        send(1001, 21, event::State{QStringLiteral("recovering")});
        send(1002, 24, event::State{QStringLiteral("training")});
        send(1003, 25, round(51, 2));
        plots()->refresh(0);
        const auto points = lossPlot()->points(0);
        QCOMPARE(points.size(), std::size_t{51});
        QCOMPARE(points.back(), QPointF(51, 0.25));
        // No round is missing, and the loss happened where the run goes on.
        QVERIFY(!hasHole(lossPlot()->drawnPoints(0)));
        QVERIFY(std::ranges::count(lossPlot()->markPlaces(), 60.0) == 0);
        QVERIFY(std::ranges::count(lossPlot()->markPlaces(), 50.0) > 0);
        choose(AxisKind::Time);
        QVERIFY(hasHole(lossPlot()->drawnPoints(0)));
        QVERIFY(std::ranges::count(lossPlot()->markPlaces(), 20.0) == 1);
    }

    void missingRoundsAreAHoleByEveryAxis_data() {
        QTest::addColumn<AxisKind>("kind");
        QTest::newRow("by time") << AxisKind::Time;
        QTest::newRow("by round") << AxisKind::Round;
        QTest::newRow("by epoch") << AxisKind::Epoch;
    }
    void missingRoundsAreAHoleByEveryAxis() {
        QFETCH(AxisKind, kind);
        playAll();
        choose(kind);
        QVERIFY(!hasHole(lossPlot()->drawnPoints(0)));
        send(1000, 16, round(75, 1));
        plots()->refresh(0);
        QVERIFY(hasHole(lossPlot()->drawnPoints(0)));
    }

    void aPauseTakesNoRoomByRound() {
        playAll();
        choose(AxisKind::Round);
        send(1000, 20, event::State{QStringLiteral("paused")});
        send(1001, 60, event::State{QStringLiteral("training")});
        send(1002, 60.1, round(61, 1));
        plots()->refresh(0);
        QCOMPARE(lossPlot()->points(0).back().x(), 61.0);
        QVERIFY(!hasHole(lossPlot()->drawnPoints(0)));
        choose(AxisKind::Time);
        QVERIFY(hasHole(lossPlot()->drawnPoints(0)));
    }

    void silenceMakesNoRounds() {
        play(QStringLiteral("training"));
        for (std::size_t i = 56; i < 75; ++i)
            m_controller->send(m_events[i]);
        const auto growth = [this] {
            plots()->refresh(0);
            const double before = window().to();
            plots()->refresh(12);
            return window().to() - before;
        };
        QVERIFY(growth() > 0);
        choose(AxisKind::Round);
        QCOMPARE(growth(), 0.0);
    }

    void roundsOfSeveralStepsTakeSoMuchMoreOfAnEpoch() {
        auto &run = std::get<event::Run>(m_events.front().body);
        const QJsonObject job = run.job;
        run.job[QStringLiteral("local_steps")] = QJsonObject{{QStringLiteral("every"), 5}};
        playAll();
        run.job = job;
        QVERIFY(m_window->run().job());
        QCOMPARE(m_window->run().job()->roundSamples(), 5 * 128);
        choose(AxisKind::Epoch);
        QCOMPARE(lossPlot()->points(0).back().x(), 60 * 5.0 / roundsPerEpoch);
    }

    void aRunThatDoesNotTellItsEpochsIsShownByRound() {
        setTrainingSamples(0);
        playAll();
        auto *axes = find<QComboBox>("plotAxis");
        choose(AxisKind::Round);
        QTest::keyClick(axes, Qt::Key_Down);
        QCOMPARE(axes->currentIndex(), static_cast<int>(AxisKind::Round));
        QVERIFY(axes->itemData(static_cast<int>(AxisKind::Epoch), Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("how many samples")));
        // One who wished for epochs gets them as soon as there are some.
        plots()->setAxis(AxisKind::Epoch);
        QCOMPARE(axes->currentText(), QStringLiteral("By round"));
        QCOMPARE(lossPlot()->points(0).back().x(), 60.0);
        setTrainingSamples(roundsPerEpoch * 128);
        playAll();
        QCOMPARE(axes->currentText(), QStringLiteral("By epoch"));
        QCOMPARE(lossPlot()->points(0).back().x(), 6.0);
        QVERIFY(axes->itemData(static_cast<int>(AxisKind::Epoch), Qt::ToolTipRole).toString().isEmpty());
    }

    void anotherRunIsShownByTheSameAxis() {
        playAll();
        choose(AxisKind::Round);
        window().setSpan(20);
        m_controller->open(QStringLiteral("another"));
        plots()->refresh(0);
        QCOMPARE(find<QComboBox>("plotAxis")->currentText(), QStringLiteral("By round"));
        QCOMPARE(*window().span(), 20.0);
        playAll();
        QCOMPARE(window().from(), 40.0);
        QVERIFY(window().to() > 60);
    }

    void theAxisIsRemembered_data() { pointsAreWhereTheirRoundIs_data(); }
    void theAxisIsRemembered() {
        QFETCH(AxisKind, kind);
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        plots()->setAxis(kind);
        QVERIFY(WindowMemory(*m_window, settings).save());
        plots()->setAxis(AxisKind::Time);
        WindowMemory(*m_window, settings).restore();
        QVERIFY(plots()->axis() == kind);
        settings.setValue(QStringLiteral("window/plotAxis"), QStringLiteral("sideways"));
        WindowMemory(*m_window, settings).restore();
        QVERIFY(plots()->axis() == kind);
    }

    void aDayIsDrawnInFewPoints() {
        constexpr int day = 86'400, width = 800;
        TimeSeries rounds, loss;
        for (int i = 1; i <= day; ++i) {
            rounds.append(1.1 * i, i);
            loss.append(1.1 * i, i == day / 2 ? 100 : 1);
        }
        LivePlot plot(QStringLiteral("day"), QStringLiteral("Day"));
        plot.resize(width, 300);
        plot.show();
        plot.setSeries(plot.addCurve(QStringLiteral("loss"), &Theme::accent, LivePlot::Look::Thin), &loss);
        plot.showPart(PlotStretch(PlotAxis(AxisKind::Round, rounds, 1), 0, day));
        const auto drawn = plot.drawnPoints(0);
        QVERIFY2(drawn.size() > 100 && drawn.size() <= std::size_t{4} * width,
                 qPrintable(QString::number(drawn.size())));
        QVERIFY(std::ranges::is_sorted(drawn, {}, &QPointF::x));
        const auto peak = std::ranges::max_element(drawn, {}, &QPointF::y);
        QCOMPARE(peak->y(), 100.0);
        QVERIFY(std::abs(peak->x() - day / 2.0) < day / 80.0);
    }
};

QTEST_MAIN(TrainAxisTest)
#include "train_axis_test.moc"
