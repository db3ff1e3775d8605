// What training may take of a device: the rules, their file, and where power comes from.
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include "core/home/device_info.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

DeviceLimits withHours(const char *text) {
    DeviceLimits limits;
    limits.hours = *DailyHours::fromText(QString::fromLatin1(text));
    return limits;
}

QTime at(const char *text) {
    return QTime::fromString(QString::fromLatin1(text), QStringLiteral("HH:mm"));
}

}  // namespace

class DeviceLimitsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void hours_data() {
        QTest::addColumn<QByteArray>("hours");
        QTest::addColumn<QByteArray>("time");
        QTest::addColumn<bool>("inside");
        QTest::newRow("by day: the first minute is in it") << QByteArray("08:00-18:30") << QByteArray("08:00") << true;
        QTest::newRow("by day: the minute before is not") << QByteArray("08:00-18:30") << QByteArray("07:59") << false;
        QTest::newRow("by day: the last minute is in it") << QByteArray("08:00-18:30") << QByteArray("18:29") << true;
        QTest::newRow("by day: the end is not") << QByteArray("08:00-18:30") << QByteArray("18:30") << false;
        QTest::newRow("over midnight: in the evening") << QByteArray("22:00-07:00") << QByteArray("23:59") << true;
        QTest::newRow("over midnight: in the morning") << QByteArray("22:00-07:00") << QByteArray("00:00") << true;
        QTest::newRow("over midnight: the end is not in it")
            << QByteArray("22:00-07:00") << QByteArray("07:00") << false;
        QTest::newRow("over midnight: by day it is not") << QByteArray("22:00-07:00") << QByteArray("12:00") << false;
        QTest::newRow("until midnight: the last minute is in it")
            << QByteArray("20:00-00:00") << QByteArray("23:59") << true;
        QTest::newRow("until midnight: midnight is not") << QByteArray("20:00-00:00") << QByteArray("00:00") << false;
    }

    void hours() {
        QFETCH(QByteArray, hours);
        QFETCH(QByteArray, time);
        QFETCH(bool, inside);
        const DeviceLimits limits = withHours(hours.constData());
        QCOMPARE(limits.hours->contains(at(time.constData())), inside);
        QCOMPARE(limits.hours->toText(), QString::fromLatin1(hours));
        QCOMPARE(restOf(limits, at(time.constData()), PowerSource::Mains), inside ? Rest::None : Rest::OutOfHours);
    }

    void hoursThatCannotBeMeant_data() {
        QTest::addColumn<QString>("text");
        for (const char *text : {"", "22:00", "22:00-", "24:00-07:00", "22:60-07:00", "22:00-22:00", "22:00-07:00 ",
                                 "-1:00-07:00", "22.00-07.00", "a:bc-d:ef", "22:00-07:00\n"})
            QTest::addRow("\"%s\"", text) << QString::fromLatin1(text);
    }

    void hoursThatCannotBeMeant() {
        QFETCH(QString, text);
        const auto hours = DailyHours::fromText(text);
        QVERIFY(!hours);
        QCOMPARE(hours.error().code, QStringLiteral("limits.bad-hours"));
        QVERIFY(!hours.error().advice.isEmpty());
    }

    void whyADeviceRests() {
        DeviceLimits limits = withHours("22:00-07:00");
        limits.onlyOnMains = true;
        QCOMPARE(restOf(limits, at("23:00"), PowerSource::Mains), Rest::None);
        QCOMPARE(restOf(limits, at("23:00"), PowerSource::Battery), Rest::OnBattery);
        QCOMPARE(restOf(limits, at("12:00"), PowerSource::Battery), Rest::OutOfHours);
        limits.paused = true;
        QCOMPARE(restOf(limits, at("23:00"), PowerSource::Mains), Rest::Paused);
        QCOMPARE(restOf({}, at("23:00"), PowerSource::Battery), Rest::None);
        for (const bool alone : {false, true}) {
            DeviceLimits ofCard;
            ofCard.cardAlone = alone;
            QCOMPARE(restOf(ofCard, at("12:00"), PowerSource::Mains, true), alone ? Rest::CardTaken : Rest::None);
            QCOMPARE(restOf(ofCard, at("12:00"), PowerSource::Mains), Rest::None);
        }
        for (const Rest rest : {Rest::None, Rest::Paused, Rest::OnBattery, Rest::OutOfHours, Rest::CardTaken}) {
            QCOMPARE(restFromWord(toWord(rest)), rest);
            QCOMPARE(restCause(rest, {}).isEmpty(), rest == Rest::None);
        }
        QVERIFY(restCause(Rest::OutOfHours, withHours("22:00-07:00")).contains(QLatin1String("from 22:00 to 07:00")));
    }

    void devicesThatRestAreToldWithTheirCauses() {
        DeviceInfo ready, night, away;
        ready.name = QStringLiteral("ready");
        ready.state = DeviceState::Ready;
        night.name = QStringLiteral("night");
        night.state = DeviceState::Resting;
        night.rest = Rest::OutOfHours;
        night.limits.hours = DailyHours{22 * 60, 7 * 60};
        away.name = QStringLiteral("away");
        QCOMPARE(restCauses({ready, away}), QString());
        QCOMPARE(restCauses({ready, night, away}), QStringLiteral("night: It is to train from 22:00 to 07:00."));
    }

    void whenToLookAgain() {
        DeviceLimits limits;
        QVERIFY(!nextLook(limits, at("12:00")));
        limits = withHours("22:00-07:00");
        QCOMPARE(nextLook(limits, at("21:59")), 60s);
        QCOMPARE(nextLook(limits, at("06:58")), 120s);
        const auto later = nextLook(limits, at("12:00"));  // the clock may be set meanwhile
        QVERIFY(later && *later > 0s && *later <= 10min);
        QVERIFY(*nextLook(limits, at("22:00")) > 0s);
        limits.onlyOnMains = true;
        QVERIFY(*nextLook(limits, at("12:00")) <= 10s);
        limits.paused = true;
        QVERIFY(!nextLook(limits, at("12:00")));
    }

    void aPauseEndsByItself() {
        const QDateTime now(QDate(2026, 11, 30), QTime(18, 0));
        DeviceLimits limits;
        QVERIFY(!pauseLeft(limits, now));
        limits.pause({});
        QVERIFY(!pauseLeft(limits, now));
        limits.pause(now.addSecs(60).toSecsSinceEpoch());
        QCOMPARE(pauseLeft(limits, now), 60s);
        QCOMPARE(pauseLeft(limits, now.addSecs(60)), 0s);
        limits.pause(now.addDays(1).toSecsSinceEpoch());
        QVERIFY(*pauseLeft(limits, now) <= 10min);  // the clock may be set meanwhile
        limits.resume();
        QVERIFY(limits.isNone());
    }

    void theEndOfAPauseIsTold() {
        const QDateTime now(QDate(2026, 11, 30), QTime(18, 0));
        const auto text = [&now](const QDateTime &end) { return pauseEndText(end.toSecsSinceEpoch(), now); };
        QCOMPARE(text(now.addSecs(40 * 60)), QStringLiteral("18:40"));
        QCOMPARE(text(now.addSecs(13 * 3600)), QStringLiteral("07:00"));
        QCOMPARE(text(now.addDays(2)), QStringLiteral("2026-12-02 18:00"));
        DeviceLimits limits;
        const qint64 end = QDateTime::currentSecsSinceEpoch() + 3600;
        limits.pause(end);
        QCOMPARE(restCause(Rest::Paused, limits), QStringLiteral("It is paused until %1.").arg(pauseEndText(end)));
    }

    void theyAreKept() {
        DeviceLimits limits = withHours("22:00-07:00");
        limits.memoryBytes = 3LL << 30;
        limits.threads = 2;
        limits.onlyOnMains = true;
        limits.pause(1'800'000'000);
        limits.withoutCard = true;
        limits.cardPercent = 50;
        limits.cardWatts = 120;
        limits.cardAlone = true;
        QVERIFY(saveLimits(path(), limits));
        QVERIFY(*loadLimits(path()) == limits);
        QVERIFY(saveLimits(path(), {}));
        QVERIFY(loadLimits(path())->isNone());
    }

    void withoutAFileThereAreNone() { QVERIFY(loadLimits(path())->isNone()); }

    void aDamagedFileIsNoFreedom_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut short") << QByteArray(R"({"format":"hearth-limits/1","paused":tr)");
        QTest::newRow("of another format") << QByteArray(R"({"format":"hearth-limits/2"})");
        QTest::newRow("an unknown limit") << QByteArray(R"({"format":"hearth-limits/1","gpus":1})");
        QTest::newRow("an end without a pause") << QByteArray(R"({"format":"hearth-limits/1","paused_until":1})");
        QTest::newRow("memory below any worker") << QByteArray(R"({"format":"hearth-limits/1","memory_bytes":1})");
        QTest::newRow("more than the card") << QByteArray(R"({"format":"hearth-limits/1","card_percent":101})");
        QTest::newRow("negative threads") << QByteArray(R"({"format":"hearth-limits/1","threads":-1})");
        QTest::newRow("hours that are none") << QByteArray(R"({"format":"hearth-limits/1","hours":"always"})");
    }

    void aDamagedFileIsNoFreedom() {
        QFETCH(QByteArray, text);
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
        file.close();
        const auto limits = loadLimits(path());
        QVERIFY(!limits);
        QCOMPARE(limits.error().code, QStringLiteral("limits.damaged"));
        QVERIFY(!limits.error().cause.english().trimmed().isEmpty());
    }

    void aLinkIsNotFollowed() {
        QVERIFY(saveLimits(path(), withHours("22:00-07:00")));
        const QString link = m_folder->filePath(QStringLiteral("link.json"));
        QVERIFY(QFile::link(path(), link));
        QCOMPARE(loadLimits(link).error().code, QStringLiteral("limits.damaged"));
    }

    void whereThePowerComesFrom_data() {
        QTest::addColumn<QStringList>("files");  // "supply/name=content"
        QTest::addColumn<QByteArray>("power");
        const QByteArray none, mains = "mains", battery = "battery";
        const QStringList discharging{QStringLiteral("BAT0/type=Battery"), QStringLiteral("BAT0/status=Discharging\n")};
        QTest::newRow("a board without any") << QStringList{} << none;
        QTest::newRow("a desktop that is plugged in")
            << QStringList{QStringLiteral("AC/type=Mains"), QStringLiteral("AC/online=1")} << none;
        QTest::newRow("a battery alone that discharges") << discharging << battery;
        QTest::newRow("a battery that is being charged")
            << QStringList{QStringLiteral("BAT0/type=Battery"), QStringLiteral("BAT0/status=Charging")} << mains;
        QTest::newRow("unplugged") << discharging +
                                          QStringList{QStringLiteral("AC/type=Mains"), QStringLiteral("AC/online=0")}
                                   << battery;
        QTest::newRow("plugged in, and too weak for the load")
            << discharging + QStringList{QStringLiteral("AC/type=Mains"), QStringLiteral("AC/online=1\n")} << mains;
        QTest::newRow("charged by USB") << discharging + QStringList{QStringLiteral("usb/type=USB"),
                                                                     QStringLiteral("usb/online=1")}
                                        << mains;
        QTest::newRow("a mouse with a battery")
            << discharging + QStringList{QStringLiteral("BAT0/scope=Device")} << none;
    }

    void whereThePowerComesFrom() {
        QFETCH(QStringList, files);
        QFETCH(QByteArray, power);
        for (const QString &each : files) {
            const QString name = m_folder->filePath(each.section(QLatin1Char('='), 0, 0));
            QVERIFY(QDir().mkpath(QFileInfo(name).path()));
            QFile file(name);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(each.section(QLatin1Char('='), 1).toLatin1());
        }
        const auto source = powerSource(m_folder->path());
        const QByteArray told = !source ? "" : *source == PowerSource::Battery ? "battery" : "mains";
        QCOMPARE(told, power);
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  private:
    QString path() const { return m_folder->filePath(QStringLiteral("limits.json")); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(DeviceLimitsTest)
#include "device_limits_test.moc"
