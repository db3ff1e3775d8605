// A device that was just taken in is measured, at the end of the install wizard and of pairing.
#include "ui/home/first_measurement.h"

#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "tests/core/base/patience.h"
#include "tests/ui/fake_installation.h"
#include "tests/ui/run_fixture.h"
#include "tests/ui/stored_measurements.h"
#include "ui/home/install_dialog.h"
#include "ui/home/measurements.h"
#include "ui/home/pairing_dialog.h"
#include "ui/words/format.h"

using namespace hearth;

class FirstMeasurementTest : public RunFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        speakEnglish();
        m_known = RecordedRun::devices(m_events);
        for (DeviceInfo &device : m_known)
            device.state = DeviceState::Ready;
        m_known[1].name = QStringLiteral("nano-1");
    }
    void cleanupTestCase() { m_language.reset(); }

    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_run = std::make_unique<RunModel>();
        m_home = std::make_unique<InstallingHome>();
        m_home->demo = false;
        m_home->folder = m_folder->path();
        m_home->list = {m_known[0]};
        m_measurements = std::make_unique<Measurements>(*m_home, *m_run);
    }
    void cleanup() {
        m_dialog.reset();
        m_measurements.reset();
        m_home.reset();
        m_run.reset();
        m_folder.reset();
    }

    void anInstalledDeviceIsMeasuredAsSoonAsItAnswers() {
        install();
        QVERIFY(find<QWidget>("firstMeasurement")->isVisible());
        QCOMPARE(said(), QStringLiteral("nano-1 is measured as soon as it answers …"));
        m_home->set({m_known[0], lost()});
        QVERIFY(calls().isEmpty());
        m_home->set({m_known[0], m_known[1]});
        // This computer, too: there is nothing to compare with yet.
        QCOMPARE(
            calls(),
            QStringList{QStringLiteral("start fashion-cnn %1,%2").arg(m_known[1].id.left(4), m_known[0].id.left(4))});
        MeasureStatus now{true, false, {}};
        now.progress[m_known[1].id] = {3, 40};
        m_home->fakeMeasuring.become(now);
        QCOMPARE(said(), QStringLiteral("Measuring the devices: 3 of 40 steps"));
        QCOMPARE(find<QProgressBar>("firstMeasurementBar")->value(), 3);
        QVERIFY(storeMeasurement(m_folder->path(), QStringLiteral("fashion-cnn"), m_known[0], 0.004));
        QVERIFY(storeMeasurement(m_folder->path(), QStringLiteral("fashion-cnn"), m_known[1], 0.002));
        m_home->fakeMeasuring.end();
        QTRY_COMPARE_WITH_TIMEOUT(
            said(),
            QStringLiteral("nano-1 is measured: 500 samples/s · 2.0 × this computer, with the model "
                           "fashion-cnn."),
            patience);
        QVERIFY(!find<QPushButton>("skipMeasuring")->isVisible());
    }

    void itCanBeSkipped_data() {
        QTest::addColumn<bool>("isThere");
        QTest::newRow("before it answers") << false;
        QTest::newRow("while it is measured") << true;
    }

    void itCanBeSkipped() {
        QFETCH(bool, isThere);
        install();
        if (isThere)
            m_home->set({m_known[0], m_known[1]});
        QTest::mouseClick(find<QPushButton>("skipMeasuring"), Qt::LeftButton);
        QCOMPARE(calls().contains(QStringLiteral("cancel")), isThere);
        QVERIFY(said().startsWith(QStringLiteral("nano-1 was not measured.")));
        // And not begun later.
        const auto before = calls().size();
        m_home->set({m_known[0], m_known[1]});
        QCOMPARE(calls().size(), before);
    }

    void whatGoesWrongIsSaidThere() {
        install();
        m_home->set({m_known[0], m_known[1]});
        m_home->fakeMeasuring.fail({QStringLiteral("data.missing"), QStringLiteral("There are no data."),
                                    QStringLiteral("They are not installed."), QStringLiteral("Install them.")});
        QCOMPARE(said(), QStringLiteral("nano-1 was not measured: There are no data. They are not installed. Install "
                                        "them."));
    }

    void whatWasBrokenOffElsewhereIsSaid() {
        install();
        m_home->set({m_known[0], m_known[1]});
        m_home->fakeMeasuring.end();
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith(QStringLiteral("nano-1 was not measured.")), patience);
    }

    void besideARunNothingIsMeasured() {
        for (const RunEvent &one : m_events) {
            m_run->add(one);
            if (m_run->state() == QLatin1String("training"))
                break;
        }
        install();
        m_home->set({m_known[0], m_known[1]});
        QVERIFY(calls().isEmpty());
        QVERIFY2(said().contains(QStringLiteral("A run is under way")), qPrintable(said()));
    }

    void whoeverBeganToPairMeasures_data() {
        QTest::addColumn<bool>("incoming");
        QTest::newRow("this end began") << false;
        QTest::newRow("the other end began") << true;
    }

    void whoeverBeganToPairMeasures() {
        QFETCH(bool, incoming);
        auto *dialog = new PairingDialog(m_home->fakePairing, new FirstMeasurement(*m_home, *m_measurements));
        m_dialog.reset(dialog);
        dialog->show();
        PairingStatus status;
        status.phase = PairingPhase::Paired;
        status.incoming = incoming;
        status.name = QStringLiteral("nano-1");
        status.fingerprint = m_known[1].id;
        m_home->fakePairing.become(status);
        m_home->set({m_known[0], m_known[1]});
        QCOMPARE(find<QWidget>("firstMeasurement")->isVisible(), !incoming);
        QCOMPARE(calls().size(), incoming ? 0 : 1);
        // Nothing of it is cut off.
        QVERIFY(dialog->height() >= dialog->layout()->totalHeightForWidth(dialog->width()));
        // It goes on where the dialog is closed.
        dialog->close();
        QVERIFY(!calls().contains(QStringLiteral("cancel")));
    }

  private:
    DeviceInfo lost() const {
        DeviceInfo device = m_known[1];
        device.state = DeviceState::Lost;
        return device;
    }
    void install() {
        m_dialog = std::make_unique<InstallDialog>(*m_home, m_questions, m_measurements.get());
        m_dialog->show();
        find<QLineEdit>("installHost")->setText(QStringLiteral("anna@nano-1"));
        QTest::mouseClick(find<QPushButton>("installGo"), Qt::LeftButton);
        QVERIFY(!find<QWidget>("firstMeasurement")->isVisible());
        Q_EMIT m_home->installation->finished(
            {QStringLiteral("nano-1"), m_known[1].id, QString(), QString(), InstallEffect::NewDevice, {}});
    }
    template <class Widget>
    Widget *find(const char *name) const {
        auto *widget = m_dialog->findChild<Widget *>(QLatin1String(name));
        if (widget == nullptr)
            qFatal("no widget is called %s", name);
        return widget;
    }
    QString said() const { return find<QLabel>("firstMeasurementText")->text().remove(zeroWidthSpace); }
    const QStringList &calls() const { return m_home->fakeMeasuring.calls; }

    std::vector<DeviceInfo> m_known;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunModel> m_run;
    std::unique_ptr<InstallingHome> m_home;
    std::unique_ptr<Measurements> m_measurements;
    FakeQuestions m_questions;
    std::unique_ptr<QDialog> m_dialog;
};

QTEST_MAIN(FirstMeasurementTest)
#include "first_measurement_test.moc"
