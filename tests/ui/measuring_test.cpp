// Measuring devices from Home: what is shown of what was measured, and of a measurement under way.
#include <QScrollArea>
#include <QTableView>
#include <QTest>

#include "tests/core/base/patience.h"
#include "tests/ui/stored_measurements.h"
#include "tests/ui/window_fixture.h"
#include "ui/home/device_card.h"
#include "ui/home/device_measured.h"
#include "ui/home/device_table_model.h"
#include "ui/home/home_view.h"
#include "ui/home/layer_chart.h"
#include "ui/home/measurements.h"
#include "ui/job/job_draft.h"

using namespace hearth;

class MeasuringTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }

    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        makeWindow();
        m_home->demo = false;
        m_home->folder = m_folder->path();
        for (DeviceInfo &device : m_home->list)
            device.state = DeviceState::Ready;
        Q_EMIT m_home->devicesChanged();
    }
    void cleanup() {
        endWindow();
        m_folder.reset();
    }

    void whatWasMeasuredIsShownAfterARestart() {
        store(0, 0.004);
        store(1, 0.002);
        QVERIFY(storeLink(m_folder->path(), device(0), device(1), 12));
        QVERIFY(storeLink(m_folder->path(), device(1), device(0), 10));
        m_window->show();
        QTRY_COMPARE_WITH_TIMEOUT(speed(0), QStringLiteral("250 samples/s"), patience);
        QCOMPARE(speed(1), QStringLiteral("500 samples/s · 2.0 × this computer"));
        QCOMPARE(speed(2), QStringLiteral("–"));
        QVERIFY(find<ElidedLabel>("homePageSubtitle")->fullText().contains(QStringLiteral("speeds with fashion-cnn")));

        choose(1);
        QCOMPARE(text("detailSpeed"), QStringLiteral("500 samples/s · 2.0 × this computer"));
        QVERIFY2(text("detailSpeedSource")
                     .startsWith(QStringLiteral("fashion-cnn, float32, 1 thread, 128 samples at a time. Measured ")),
                 qPrintable(text("detailSpeedSource")));
        QCOMPARE(
            plain(text("detailLinks")),
            QStringLiteral("to %1: 10.0 MB/s, 300 µs delay\nfrom %1: 12.0 MB/s, 300 µs delay").arg(device(0).name));
        // The slower direction is what the line tells.
        QStringList tips;
        for (const QGraphicsItem *item : find<HomeView>("homeView")->scene()->items()) {
            if (!item->toolTip().isEmpty())
                tips << item->toolTip();
        }
        QCOMPARE(tips.size(), 1);
        QCOMPARE(plain(tips.first()),
                 QStringLiteral("%1 to %2: 12.0 MB/s, 300 µs delay\n%2 to %1: 10.0 MB/s, 300 µs delay")
                     .arg(device(0).name, device(1).name));
        choose(2);
        QCOMPARE(text("detailSpeed"), QStringLiteral("Not measured yet"));
        QVERIFY(!find<QWidget>("layerChart")->isVisible());
    }

    void whoSharesTheAirIsSaidBesideTheLinks() {
        QVERIFY(storeLink(m_folder->path(), device(0), device(1), 6));
        LinkProfile shared;
        shared.media.push_back({QStringLiteral("air"), 6e6});
        for (const int number : {1, 2}) {
            shared.nics.push_back({device(number).id, std::nullopt, std::nullopt, Duplex::Half, QStringLiteral("air")});
        }
        QVERIFY(ProfileStore(m_folder->path() + QStringLiteral("/profiles"))
                    .saveSharing({device(0).id, device(1).id, device(2).id}, shared));
        m_window->show();
        choose(1);
        QTRY_COMPARE_WITH_TIMEOUT(plain(text("detailLinks")),
                                  QStringLiteral("from %1: 6.00 MB/s, 300 µs delay, half duplex\n"
                                                 "Shares the air with %2")
                                      .arg(device(0).name, device(2).name),
                                  patience);
        QStringList tips;
        for (const QGraphicsItem *item : find<HomeView>("homeView")->scene()->items())
            tips << plain(item->toolTip());
        QVERIFY(tips.contains(QStringLiteral("%1 shares the air with %2").arg(device(1).name, device(2).name)));
        QVERIFY(tips.contains(
            QStringLiteral("%1 to %2: 6.00 MB/s, 300 µs delay, half duplex").arg(device(0).name, device(1).name)));
    }

    void whatWasMeasuredInBriefTellsHowFarOffItMayBe() {
        store(0, 0.004);
        QVERIFY(predictMost(m_folder->path()));
        m_window->show();
        QTRY_COMPARE_WITH_TIMEOUT(speed(0), QStringLiteral("250 samples/s"), patience);
        choose(0);
        QVERIFY2(text("detailSpeedSource").contains(QStringLiteral(" Not all of it: the rest is predicted, ± ")),
                 qPrintable(text("detailSpeedSource")));
    }

    void speedsOfAnotherModelAreNamedAndNotMixedIn() {
        store(0, 0.004, QStringLiteral("mobilenetv2"));
        m_window->show();
        QTRY_COMPARE_WITH_TIMEOUT(speed(0), QStringLiteral("250 samples/s"), patience);
        QVERIFY(find<ElidedLabel>("homePageSubtitle")->fullText().contains(QStringLiteral("mobilenetv2")));
        // What the job would measure is not measured.
        QCOMPARE(find<QPushButton>("homeMeasure")->text(), QStringLiteral("Measure"));
        store(1, 0.002);
        m_home->fakeMeasuring.end();
        QTRY_COMPARE_WITH_TIMEOUT(speed(1), QStringLiteral("500 samples/s"), patience);
        QCOMPARE(speed(0), QStringLiteral("–"));
        // Another job, another model.
        m_window->jobDraft().setModel(QStringLiteral("mobilenetv2"));
        QTRY_COMPARE_WITH_TIMEOUT(speed(0), QStringLiteral("250 samples/s"), patience);
        QCOMPARE(speed(1), QStringLiteral("–"));
    }

    void allReadyDevicesAreMeasured() {
        m_window->show();
        click("homeMeasure");
        QCOMPARE(calls(), QStringList{QStringLiteral("start fashion-cnn ")});
        QCOMPARE(find<QPushButton>("homeMeasure")->text(), QStringLiteral("Cancel measuring"));
        QVERIFY(!find<QPushButton>("homeStart")->isEnabled());
        QVERIFY(find<QPushButton>("homeStart")->toolTip().contains(QStringLiteral("being measured")));

        MeasureStatus now{true, false, {}};
        now.progress[device(0).id] = {4, 40};
        now.progress[device(1).id] = {40, 40};
        m_home->fakeMeasuring.become(now);
        QCOMPARE(subtitle(), QStringLiteral("Measuring the devices: 44 of 80 steps"));
        QCOMPARE(cell(0, DeviceTableModel::State), QStringLiteral("Measuring: 4 of 40"));
        QCOMPARE(cell(1, DeviceTableModel::State), QStringLiteral("Measuring: 40 of 40"));
        // The far end of a link only answers.
        QCOMPARE(cell(2, DeviceTableModel::State), QStringLiteral("Ready"));
        m_home->list[2].state = DeviceState::Training;
        Q_EMIT m_home->devicesChanged();
        QCOMPARE(cell(2, DeviceTableModel::State), QStringLiteral("Measuring"));
        m_home->list[2].state = DeviceState::Ready;
        Q_EMIT m_home->devicesChanged();
        now.progress[device(0).id] = {40, 40};
        m_home->fakeMeasuring.become(now);
        QCOMPARE(subtitle(), QStringLiteral("Measuring the links …"));

        click("homeMeasure");
        QCOMPARE(calls().last(), QStringLiteral("cancel"));
        QVERIFY(!find<QPushButton>("homeMeasure")->isEnabled());
        for (int i = 0; i < 3; ++i)
            store(i, 0.004);
        m_home->fakeMeasuring.end();
        QTRY_COMPARE_WITH_TIMEOUT(find<QPushButton>("homeMeasure")->text(), QStringLiteral("Measure again"), patience);
        QVERIFY(find<QPushButton>("homeStart")->isEnabled());
        click("homeMeasure");
        QCOMPARE(calls().last(), QStringLiteral("start fashion-cnn  again"));
    }

    void oneDeviceIsMeasuredAgain() {
        store(1, 0.002);
        m_window->show();
        choose(1);
        QTRY_COMPARE_WITH_TIMEOUT(find<QPushButton>("measureDevice")->text(), QStringLiteral("Measure again"),
                                  patience);
        click("measureDevice");
        QCOMPARE(calls(), QStringList{QStringLiteral("start fashion-cnn %1 again").arg(device(1).id.left(4))});
        QCOMPARE(text("detailMeasuring"), QStringLiteral("Starting the measurement …"));
        MeasureStatus now{true, false, {}};
        now.progress[device(1).id] = {3, 40};
        m_home->fakeMeasuring.become(now);
        QCOMPARE(text("detailMeasuring"), QStringLiteral("Measuring this device: 3 of 40"));
        click("measureDevice");
        QCOMPARE(calls().last(), QStringLiteral("cancel"));
        QCOMPARE(text("detailMeasuring"), QStringLiteral("Stopping the measurement …"));
        m_home->fakeMeasuring.end();
        QVERIFY(!find<QLabel>("detailMeasuring")->isVisible());
    }

    void whyNothingCanBeMeasuredIsSaid() {
        m_window->show();
        m_home->list[1].state = DeviceState::Lost;
        m_home->list[2].state = DeviceState::Training;
        Q_EMIT m_home->devicesChanged();
        choose(1);
        QVERIFY(!find<QPushButton>("measureDevice")->isEnabled());
        QCOMPARE(text("detailWhyNotMeasure"), QStringLiteral("It takes no work now."));
        choose(2);
        QVERIFY(text("detailWhyNotMeasure").startsWith(QStringLiteral("It is training")));
        QVERIFY(find<QPushButton>("homeMeasure")->isEnabled());

        play(QStringLiteral("training"));
        QVERIFY(!find<QPushButton>("homeMeasure")->isEnabled());
        QVERIFY(find<QPushButton>("homeMeasure")->toolTip().startsWith(QStringLiteral("A run is under way")));
        choose(0);
        QVERIFY(text("detailWhyNotMeasure").startsWith(QStringLiteral("A run is under way")));
        m_controller->end(QStringLiteral("run"));
        m_window->jobDraft().setText(JobField::Batch, QStringLiteral("many"));
        QVERIFY(text("detailWhyNotMeasure").contains(QStringLiteral("correct them first")));
    }

    void whatGoesWrongIsSaid() {
        m_window->show();
        click("homeMeasure");
        m_home->fakeMeasuring.fail({QStringLiteral("measure.busy"), QStringLiteral("Nothing was measured."), {}, {}});
        QCOMPARE(text("errorWhat"), QStringLiteral("Nothing was measured."));
        QCOMPARE(find<QPushButton>("homeMeasure")->text(), QStringLiteral("Measure"));
    }

    void theChartTellsEveryLayer() {
        store(0, 0.003);
        store(1, 0.0015);
        QVERIFY(showActive(*m_window));  // focus is told of in an active window
        choose(1);
        auto *chart = find<LayerChart>("layerChart");
        QTRY_VERIFY_WITH_TIMEOUT(chart->isVisible(), patience);
        QVERIFY2(chart->text().startsWith(QStringLiteral("5 layers; longest: ")), qPrintable(chart->text()));
        QCOMPARE(chart->accessibleDescription(), chart->text());
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(chart->chosen(), std::optional<std::size_t>(0));
        // 128 samples of 1.5 ms: the first of five layers takes a fifteenth, a third of it forward.
        const QString first = plain(chart->text());
        QVERIFY2(first.contains(QStringLiteral("forward 4.27 ms, backward 8.53 ms")), qPrintable(first));
        QVERIFY2(first.contains(QStringLiteral("this computer: 8.53 ms, 17.1 ms")), qPrintable(first));
        QTest::keyClick(chart, Qt::Key_End);
        QCOMPARE(chart->chosen(), std::optional<std::size_t>(4));
        QTest::keyClick(chart, Qt::Key_Left);
        QCOMPARE(chart->chosen(), std::optional<std::size_t>(3));
        QTest::keyClick(chart, Qt::Key_Home);
        QCOMPARE(chart->chosen(), std::optional<std::size_t>(0));
        find<QPushButton>("measureDevice")->setFocus();
        QVERIFY(!chart->chosen());
        // The pointer of a display finds only what is in sight.
        find<QScrollArea>("detailScroll")->ensureWidgetVisible(chart);
        QTest::mouseMove(m_window->windowHandle(), chart->mapTo(m_window.get(), QPoint(chart->width() - 4, 20)));
        QTRY_COMPARE_WITH_TIMEOUT(chart->chosen(), std::optional<std::size_t>(4), patience);
        // This computer is compared with nobody.
        choose(0);
        QTest::keyClick(chart, Qt::Key_Home);
        QVERIFY(!chart->text().contains(QStringLiteral("this computer")));
    }

    void predictedTimesAreToldFromMeasuredOnes() {
        store(0, 0.003);
        const ProfileStore profiles(m_folder->filePath(QStringLiteral("profiles")));
        ModelProfile profile = profiles.profiles().front().profile;
        profile.times.error.assign(profile.layers.size(), std::vector<double>(profile.times.batch.size(), 0.2));
        profile.times.error[1].assign(profile.times.batch.size(), 0);
        QVERIFY(profiles.save(profile));
        QVERIFY(showActive(*m_window));
        choose(0);
        auto *chart = find<LayerChart>("layerChart");
        QTRY_VERIFY_WITH_TIMEOUT(chart->text().contains(QStringLiteral("4 predicted (outlined)")), patience);
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Home);
        QVERIFY2(plain(chart->text()).contains(QStringLiteral("predicted, ± 20 %")), qPrintable(chart->text()));
        QTest::keyClick(chart, Qt::Key_Right);
        QVERIFY(!chart->text().contains(QStringLiteral("predicted")));
    }

    void whatStandsOnACardFits() {
        store(0, 0.004);
        store(1, 0.002);
        m_window->show();
        QTRY_COMPARE_WITH_TIMEOUT(speed(1), QStringLiteral("500 samples/s · 2.0 × this computer"), patience);
        const DeviceActivity activity = activityOf(device(1), m_window->run(), measurements());
        QCOMPARE(activity.measured, (QStringList{QStringLiteral("500 samples/s · 2.0 × this computer"),
                                                 QStringLiteral("2.0 × this computer")}));
        QVERIFY(activityOf(device(1), m_window->run()).measured.isEmpty());
    }

  private:
    const DeviceInfo &device(int index) const { return m_home->list[static_cast<std::size_t>(index)]; }
    const QStringList &calls() const { return m_home->fakeMeasuring.calls; }
    QString subtitle() const { return find<ElidedLabel>("homePageSubtitle")->fullText(); }
    const Measurements *measurements() const { return m_window->findChild<Measurements *>(); }
    void store(int index, double secondsPerSample, const QString &model = QStringLiteral("fashion-cnn")) const {
        QVERIFY(storeMeasurement(m_folder->path(), model, device(index), secondsPerSample));
    }
    QString cell(int row, int column) const {
        const auto *model = find<QTableView>("deviceTable")->model();
        for (int i = 0; i < model->rowCount(); ++i) {
            if (model->index(i, 0).data(DeviceTableModel::IdRole).toString() == device(row).id)
                return model->index(i, column).data().toString();
        }
        return {};
    }
    QString speed(int row) const { return cell(row, DeviceTableModel::Speed); }
    void choose(int index) const { find<HomeView>("homeView")->select(device(index).id); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(MeasuringTest)
#include "measuring_test.moc"
