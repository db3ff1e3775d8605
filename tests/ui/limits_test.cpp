// What training may take of a device, chosen in the window.
#include <QCheckBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QJsonObject>
#include <QMenu>
#include <QPointer>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTimeEdit>

#include "tests/ui/window_fixture.h"
#include "ui/home/device_pause.h"
#include "ui/words/moment.h"

using namespace hearth;

class LimitsTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void init() {
        makeWindow();
        m_window->show();
        for (DeviceInfo &device : m_home->list) {
            device.memoryBytes = 8LL << 30;
            device.cores = 8;
        }
        m_home->set(m_home->list);
        click("showList");
        choose(1);
    }
    void cleanup() { endWindow(); }

    void aDeviceWithoutLimitsSaysSo() {
        QCOMPARE(text("detailLimits"), QStringLiteral("None"));
        QCOMPARE(find<QPushButton>("pauseDevice")->text(), QStringLiteral("Pause …"));
    }

    void limitsAreSetInOneDialog() {
        QDialog *dialog = open();
        QVERIFY(!in<QDoubleSpinBox>(dialog, "memoryLimit")->isEnabled());
        tick(dialog, "limitMemory");
        QCOMPARE(in<QDoubleSpinBox>(dialog, "memoryLimit")->value(), 4.0);
        in<QDoubleSpinBox>(dialog, "memoryLimit")->setValue(3);
        tick(dialog, "limitThreads");
        QCOMPARE(in<QSpinBox>(dialog, "threadLimit")->value(), 4);
        in<QSpinBox>(dialog, "threadLimit")->setValue(2);
        tick(dialog, "limitMains");
        tick(dialog, "limitHours");
        QCOMPARE(in<QTimeEdit>(dialog, "hoursFrom")->time(), QTime(22, 0));
        QTest::mouseClick(in<QPushButton>(dialog, "takeLimits"), Qt::LeftButton);
        const DeviceLimits &set = m_home->list[1].limits;
        QCOMPARE(set.memoryBytes, 3LL << 30);
        QCOMPARE(set.threads, 2);
        QVERIFY(set.onlyOnMains);
        QCOMPARE(set.hours->toText(), QStringLiteral("22:00-07:00"));
        QVERIFY(m_home->list[0].limits.isNone());
        const QString told = text("detailLimits");
        for (const char *part : {"3.0", "2 threads", "mains", "10:00", "7:00"})
            QVERIFY2(told.contains(QLatin1String(part)), qPrintable(told));
    }

    void theDialogBeginsWithWhatIsSetAndLiftsIt() {
        DeviceLimits limits;
        limits.threads = 3;
        limits.hours = DailyHours{60, 120};
        limits.paused = true;
        m_home->setLimits(m_home->list[1].id, limits);
        QDialog *dialog = open();
        QVERIFY(in<QCheckBox>(dialog, "limitThreads")->isChecked());
        QCOMPARE(in<QSpinBox>(dialog, "threadLimit")->value(), 3);
        QCOMPARE(in<QTimeEdit>(dialog, "hoursTo")->time(), QTime(2, 0));
        tick(dialog, "limitThreads");
        tick(dialog, "limitHours");
        QTest::mouseClick(in<QPushButton>(dialog, "takeLimits"), Qt::LeftButton);
        DeviceLimits expected;
        expected.paused = true;  // another button's
        QVERIFY(m_home->list[1].limits == expected);
    }

    void whoIsPausedMeanwhileStaysPaused() {
        QDialog *dialog = open();
        m_home->list[1].limits.paused = true;
        m_home->set(m_home->list);
        tick(dialog, "limitMains");
        QTest::mouseClick(in<QPushButton>(dialog, "takeLimits"), Qt::LeftButton);
        QVERIFY(m_home->list[1].limits.paused && m_home->list[1].limits.onlyOnMains);
    }

    void aCardHasLimitsOfItsOwn() {
        m_home->list[1].card = GraphicsCard{QStringLiteral("NVIDIA GeForce RTX 3060"), 12LL << 30, {}, {}, {}};
        m_home->set(m_home->list);
        QDialog *dialog = open();
        QVERIFY(in<QCheckBox>(dialog, "limitUseCard")->isChecked());
        QVERIFY(!in<QSpinBox>(dialog, "cardMemoryLimit")->isEnabled());
        tick(dialog, "limitCardMemory");
        in<QSpinBox>(dialog, "cardMemoryLimit")->setValue(50);
        tick(dialog, "limitCardWatts");
        in<QSpinBox>(dialog, "cardWattsLimit")->setValue(120);
        tick(dialog, "limitCardAlone");
        QTest::mouseClick(in<QPushButton>(dialog, "takeLimits"), Qt::LeftButton);
        DeviceLimits expected;
        expected.cardPercent = 50;
        expected.cardWatts = 120;
        expected.cardAlone = true;
        QVERIFY(m_home->list[1].limits == expected);
        const QString told = text("detailLimits");
        for (const char *part : {"50 %", "120 W", "another program"})
            QVERIFY2(told.contains(QLatin1String(part)), qPrintable(told));
    }

    void aDeviceMayBeKeptOffItsCard() {
        m_home->list[1].card = GraphicsCard{QStringLiteral("NVIDIA GeForce RTX 3060"), 12LL << 30, {}, {}, {}};
        m_home->set(m_home->list);
        QDialog *dialog = open();
        tick(dialog, "limitUseCard");
        QVERIFY(!in<QSpinBox>(dialog, "cardWattsLimit")->isEnabled());
        QTest::mouseClick(in<QPushButton>(dialog, "takeLimits"), Qt::LeftButton);
        QVERIFY(m_home->list[1].limits.withoutCard);
    }

    void whatIsSetOfACardThatIsNotSeenStays() {
        DeviceLimits expected;
        expected.withoutCard = true;
        expected.cardPercent = 50;
        expected.cardWatts = 120;
        expected.cardAlone = true;
        m_home->setLimits(m_home->list[1].id, expected);
        QDialog *dialog = open();
        QVERIFY(!in<QCheckBox>(dialog, "limitUseCard")->isVisible());
        QTest::mouseClick(in<QPushButton>(dialog, "takeLimits"), Qt::LeftButton);
        QVERIFY(m_home->list[1].limits == expected);
    }

    void whatADeviceComputesOnIsSaid() {
        QVERIFY(!find<QLabel>("detailCard")->isVisible());
        m_home->list[1].card =
            GraphicsCard{QStringLiteral("NVIDIA GeForce RTX 3060"), 12LL << 30, QStringLiteral("580.159"), {}, {}};
        m_home->set(m_home->list);
        QVERIFY(find<QLabel>("detailCard")->isVisible());
        QCOMPARE(plain(text("detailCard")),
                 QStringLiteral("Computes on NVIDIA GeForce RTX 3060, 12 GiB; driver 580.159."));
        m_home->list[1].card->cause = QStringLiteral("The driver is too old.");
        m_home->set(m_home->list);
        QCOMPARE(text("detailCard"), QStringLiteral("Computes on the processor. The driver is too old."));
    }

    void twoEqualTimesAreRefusedInPlace() {
        QDialog *dialog = open();
        tick(dialog, "limitHours");
        in<QTimeEdit>(dialog, "hoursTo")->setTime(in<QTimeEdit>(dialog, "hoursFrom")->time());
        QVERIFY(in<QLabel>(dialog, "limitsWrong")->isVisible());
        QVERIFY(!in<QPushButton>(dialog, "takeLimits")->isEnabled());
        tick(dialog, "limitHours");
        QVERIFY(!in<QLabel>(dialog, "limitsWrong")->isVisible());
        QVERIFY(in<QPushButton>(dialog, "takeLimits")->isEnabled());
    }

    void whoeverCancelsChangesNothing_data() {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("by the button") << false;
        QTest::newRow("by Escape") << true;
    }
    void whoeverCancelsChangesNothing() {
        QFETCH(bool, byKey);
        const QPointer<QDialog> dialog = open();
        tick(dialog, "limitMains");
        if (byKey)
            QTest::keyClick(dialog, Qt::Key_Escape);
        else
            dialog->findChild<QPushButton *>(QStringLiteral("cancelLimits"))->click();
        QVERIFY(!dialog || !dialog->isVisible());
        QVERIFY(m_home->calls.isEmpty());
    }

    void aPauseLastsAsLongAsWasChosen_data() {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<qint64>("least");  // seconds from now; 0: it does not end by itself
        QTest::addColumn<qint64>("most");
        QTest::newRow("an hour") << QByteArray("pauseDeviceHour") << qint64{3590} << qint64{3600};
        QTest::newRow("until the morning") << QByteArray("pauseDeviceMorning") << qint64{0} << qint64{25 * 3600};
        QTest::newRow("until somebody resumes it") << QByteArray("pauseDeviceOpen") << qint64{0} << qint64{0};
    }
    void aPauseLastsAsLongAsWasChosen() {
        QFETCH(QByteArray, action);
        QFETCH(qint64, least);
        QFETCH(qint64, most);
        const qint64 before = QDateTime::currentSecsSinceEpoch();
        m_home->list[1].limits.threads = 2;
        m_home->set(m_home->list);
        click("pauseDevice");
        QVERIFY(find<QMenu>("pauseLengths")->isVisible());
        find<QAction>(action.constData())->trigger();
        find<QMenu>("pauseLengths")->close();
        const DeviceLimits &set = m_home->list[1].limits;
        QVERIFY(set.paused);
        QCOMPARE(set.threads, 2);
        QCOMPARE(set.pausedUntil.has_value(), most > 0);
        if (most > 0) {
            const qint64 now = QDateTime::currentSecsSinceEpoch();
            QVERIFY(*set.pausedUntil >= before + least && *set.pausedUntil <= now + most);
        }
        QCOMPARE(find<QPushButton>("pauseDevice")->text(), QStringLiteral("Resume"));
        click("pauseDevice");
        QVERIFY(!set.paused && !set.pausedUntil);
    }

    void theMorningIsTheNextOne() {
        const QDate day(2026, 11, 30);
        QCOMPARE(nextMorning(QDateTime(day, QTime(0, 30))), QDateTime(day, QTime(7, 0)));
        QCOMPARE(nextMorning(QDateTime(day, QTime(7, 0))), QDateTime(day.addDays(1), QTime(7, 0)));
        QCOMPARE(nextMorning(QDateTime(day, QTime(20, 0))), QDateTime(day.addDays(1), QTime(7, 0)));
    }

    void theEndOfAPauseIsSaid() {
        const QDateTime end = QDateTime::currentDateTime().addSecs(3600);
        m_home->list[1].state = DeviceState::Resting;
        m_home->list[1].rest = Rest::Paused;
        m_home->list[1].limits.pause(end.toSecsSinceEpoch());
        m_home->set(m_home->list);
        QCOMPARE(text("detailState"), QStringLiteral("Resting: paused until %1").arg(formatMoment(end)));
    }

    void aPauseThatBeganMeanwhileKeepsItsEnd() {
        QDialog *dialog = open();
        m_home->list[1].limits.pause(1'800'000'000);
        tick(dialog, "limitMains");
        QTest::mouseClick(in<QPushButton>(dialog, "takeLimits"), Qt::LeftButton);
        QCOMPARE(m_home->list[1].limits.pausedUntil, std::optional<qint64>(1'800'000'000));
    }

    void aRestingDeviceSaysWhy_data() {
        QTest::addColumn<int>("rest");
        QTest::addColumn<QString>("words");
        QTest::newRow("paused") << static_cast<int>(Rest::Paused) << QStringLiteral("Resting: paused");
        QTest::newRow("on its battery") << static_cast<int>(Rest::OnBattery)
                                        << QStringLiteral("Resting: runs on its battery");
        QTest::newRow("out of hours") << static_cast<int>(Rest::OutOfHours)
                                      << QStringLiteral("Resting: not at this hour");
        QTest::newRow("a game") << static_cast<int>(Rest::CardTaken)
                                << QStringLiteral("Resting: another program computes on its card");
    }

    void aRestingDeviceSaysWhy() {
        QFETCH(int, rest);
        QFETCH(QString, words);
        m_home->list[1].state = DeviceState::Resting;
        m_home->list[1].rest = static_cast<Rest>(rest);
        m_home->set(m_home->list);
        QCOMPARE(text("detailState"), words);
        QCOMPARE(text("statusDevices"), QStringLiteral("2 of 3 devices ready"));
        QVERIFY(find<QPushButton>("changeLimits")->isEnabled());
    }

    void aDeviceThatIsAwayCannotBeTold() {
        m_home->list[1].state = DeviceState::Lost;
        m_home->set(m_home->list);
        QVERIFY(!find<QPushButton>("pauseDevice")->isEnabled());
        QVERIFY(!find<QPushButton>("changeLimits")->isEnabled());
    }

    void limitsThatAreNotUnderstoodAreNotTouched() {
        m_home->list[1].limitsKnown = false;
        m_home->set(m_home->list);
        QVERIFY(!find<QPushButton>("pauseDevice")->isEnabled());
        QVERIFY(!find<QPushButton>("changeLimits")->isEnabled());
        QVERIFY(text("detailLimits").contains(QStringLiteral("another version")));
    }

  private:
    void choose(int row) const {
        auto *table = find<QTableView>("deviceTable");
        table->setCurrentIndex(table->model()->index(row, 0));
    }
    QDialog *open() const {
        click("changeLimits");
        return find<QDialog>("limitsDialog");
    }
    template <class Widget>
    static Widget *in(const QDialog *dialog, const char *name) {
        auto *widget = dialog->findChild<Widget *>(QLatin1String(name));
        if (widget == nullptr)
            qFatal("no widget is called %s", name);
        return widget;
    }
    static void tick(const QDialog *dialog, const char *box) { in<QCheckBox>(dialog, box)->click(); }
};

QTEST_MAIN(LimitsTest)
#include "limits_test.moc"
