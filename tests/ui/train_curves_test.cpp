// What the curves of the Train page show of a run.
#include <QJsonArray>
#include <QSlider>
#include <QTemporaryDir>
#include <cmath>

#include "tests/ui/train_fixture.h"
#include "ui/shell/window_memory.h"

using namespace hearth;

class TrainCurvesTest : public TrainFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { beginPage(); }
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

    void theRateSaysWhatPartOfItStagesTake() {
        const auto name = [this] {
            find<TrainPlots>("trainPlots")->refresh(0);
            return find<LivePlot>("ratePlot")->curveName(0);
        };
        play();
        QCOMPARE(name(), QStringLiteral("learning rate"));
        m_controller->open(QStringLiteral("another"));
        for (RunEvent one : m_events) {
            if (auto *run = std::get_if<event::Run>(&one.body))
                run->job[QLatin1String("mode")] = QStringLiteral("asynchronous");
            if (auto *told = std::get_if<event::Plan>(&one.body)) {
                QJsonObject prediction = told->plan[QLatin1String("prediction")].toObject();
                prediction[QLatin1String("delays")] = QJsonArray{3, 0};
                told->plan[QLatin1String("prediction")] = prediction;
            }
            m_controller->send(one);
            if (std::holds_alternative<event::Plan>(one.body))
                break;
        }
        QCOMPARE(name(), QStringLiteral("learning rate; stages now take 1/4, 1 of it"));
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
};

QTEST_MAIN(TrainCurvesTest)
#include "train_curves_test.moc"
