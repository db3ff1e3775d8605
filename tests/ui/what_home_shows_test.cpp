// Every state that Home and its devices can be in, as a person sees it.
#include <QGraphicsItem>
#include <QTableView>

#include "tests/ui/states_fixture.h"
#include "ui/base/rail.h"
#include "ui/home/device_table_model.h"
#include "ui/home/home_view.h"
#include "ui/words/moment.h"

using namespace hearth;

namespace {

constexpr qint64 moment = 1'764'000'000'000;

NearbyDevice stranger(const QString &name) {
    NearbyDevice device;
    device.prefix = QStringLiteral("00000000000000aa");
    device.name = name;
    device.addresses = {QStringLiteral("192.168.1.9:47600")};
    device.hosts = {name + QStringLiteral(".local")};
    device.version = 1;
    device.state = NearbyState::Found;
    device.since = moment;
    return device;
}

}  // namespace

class WhatHomeShowsTest : public StatesFixture {
    Q_OBJECT

    static QString sinceThen() {
        return plain(QStringLiteral("since ") + formatMoment(QDateTime::fromMSecsSinceEpoch(moment)));
    }
    /// The second device, in the list and with its details.
    void chooseSecond() {
        tell();
        goTo("railHome");
        click("showList");
        auto *table = find<QTableView>("deviceTable");
        table->setCurrentIndex(table->model()->index(1, 0));
    }
    Enter second(const std::function<void(DeviceInfo &)> &change) {
        return [this, change] {
            device(2).since = moment;
            change(device(2));
            chooseSecond();
        };
    }
    Enter secondIs(DeviceState state) {
        return second([state](DeviceInfo &device) { device.state = state; });
    }
    /// In a run that trains.
    Enter secondInRun(const std::function<void()> &happens) {
        return [this, happens] {
            play(QStringLiteral("training"));
            for (int number = 1; number <= 3; ++number)
                device(number).state = DeviceState::Training;
            happens();
            chooseSecond();
        };
    }
    Enter around(const Nearby &nearby) {
        return [this, nearby] { m_home->setNearby(nearby); };
    }
    static Nearby found(std::vector<NearbyDevice> devices, DiscoveryState state = DiscoveryState::Running) {
        Nearby nearby{std::move(devices), {}};
        nearby.status.state = state;
        return nearby;
    }
    static Seen says(const QString &state, const QString &cell) {
        return {{{QStringLiteral("detailState"), state}, {QStringLiteral("deviceTable"), cell}}, {}, {}, {}};
    }

    void addStatesOfTheHome() {
        const QString start = QStringLiteral("homeStart"), add = QStringLiteral("homeAdd");
        const QString subtitle = QStringLiteral("homePageSubtitle"), ready = QStringLiteral("statusDevices");
        addState("its agent is being sought",
                 [this] {
                     m_home->set({});
                     m_home->setWaiting(QStringLiteral("Looking …"));
                 },
                 {{{subtitle, QStringLiteral("Looking …")},
                   {ready, QStringLiteral("Looking …")},
                   {QStringLiteral("homePageEmpty"), QStringLiteral("No devices yet")}},
                  {QStringLiteral("homePageEmptyLink")},
                  {{start, QStringLiteral("Looking …")}, {add, QStringLiteral("has to answer first")}},
                  {}});
        addState("only this computer", [this] { m_home->set({device(1)}); },
                 {{{subtitle, QStringLiteral("Only this computer so far")},
                   {ready, QStringLiteral("1 of 1 device ready")},
                   {QStringLiteral("statusRun"), QStringLiteral("No run")}},
                  {start, add},
                  {},
                  {QStringLiteral("homePageEmpty"), QStringLiteral("wantsToPair")}});
        addState("several devices", [] {},
                 {{{subtitle, QStringLiteral("3 devices that trust each other")},
                   {ready, QStringLiteral("3 of 3 devices ready")},
                   {start, QStringLiteral("Start training")}},
                  {start, add},
                  {},
                  {}});
        addState("no device is ready",
                 [this] {
                     for (int number = 1; number <= 3; ++number)
                         device(number).state = DeviceState::Lost;
                     tell();
                 },
                 {{{ready, QStringLiteral("0 of 3 devices ready")}},
                  {},
                  {{start, QStringLiteral("No device is ready.")}},
                  {}});
        addState("all devices rest",
                 [this] {
                     for (int number = 1; number <= 3; ++number) {
                         device(number).state = DeviceState::Resting;
                         device(number).rest = Rest::OutOfHours;
                         device(number).limits.hours = DailyHours{22 * 60, 7 * 60};
                     }
                     tell();
                 },
                 {{{ready, QStringLiteral("0 of 3 devices ready")}}, {start}, {}, {}});
        addState(
            "a run is under way", [this] { play(QStringLiteral("training")); },
            {{{start, QStringLiteral("Watch training")}, {QStringLiteral("statusRun"), QStringLiteral("Training")}},
             {start},
             {},
             {}});
        addState("a demo",
                 [this] {
                     m_home->demo = true;
                     Q_EMIT m_home->demoChanged();
                     tell();
                 },
                 {{{subtitle, QStringLiteral("It ends with this window.")}},
                  {start},
                  {},
                  {add, QStringLiteral("nearbyView")}});
    }
    void addStatesNearby() {
        const QString list = QStringLiteral("nearbyView"), empty = QStringLiteral("nearbyEmpty");
        const QString pair = QStringLiteral("pairNearby-00000000000000aa");
        addState("a device is found nearby", around(found({stranger(QStringLiteral("nano-9"))})),
                 {{{list, QStringLiteral("nano-9")}, {list, sinceThen()}},
                  {pair, QStringLiteral("ignoreNearby-00000000000000aa"), QStringLiteral("openAssistant")},
                  {},
                  {empty}});
        NearbyDevice clone = stranger(QStringLiteral("nano-9"));
        clone.state = NearbyState::Clone;
        clone.hosts << QStringLiteral("evil.local");
        addState("two computers announce one key", around(found({clone})),
                 {{{list, QStringLiteral("nano-9.local, evil.local")}}, {}, {}, {empty}});
        NearbyDevice later = stranger(QStringLiteral("nano-9"));
        later.version = 7;
        addState("one that speaks another version", around(found({later})),
                 {{{list, QStringLiteral("another version")}}, {}, {}, {empty}});
        Nearby ignored = found({});
        ignored.ignored = {{QStringLiteral("00000000000000aa"), QStringLiteral("nano-9"), moment}};
        addState("one that is ignored", around(ignored),
                 {{{QStringLiteral("openIgnored"), QStringLiteral("Ignored devices (1)")}},
                  {QStringLiteral("openIgnored")},
                  {},
                  {pair}});
        addState("nobody is found", around(found({})),
                 {{{empty, QStringLiteral("No devices yet.")}}, {QStringLiteral("openAssistant")}, {}, {}});
        addState("nobody is looked for", around(found({}, DiscoveryState::Off)),
                 {{{empty, QStringLiteral("discovery is turned off")}}, {QStringLiteral("openAssistant")}, {}, {}});
        addState("the Avahi daemon is not there", around(found({}, DiscoveryState::Absent)),
                 {{{empty, QStringLiteral("(Avahi) is off")}}, {QStringLiteral("openAssistant")}, {}, {}});
        addState("the Avahi daemon refuses", around(found({}, DiscoveryState::Failed)),
                 {{{empty, QStringLiteral("refuses")}}, {QStringLiteral("openAssistant")}, {}, {}});
        addState("a device wants to pair",
                 [this] {
                     PairingStatus status;
                     status.phase = PairingPhase::WantsToPair;
                     status.name = QStringLiteral("nano-9");
                     status.fingerprint = QString(64, QLatin1Char('a'));
                     status.address = QStringLiteral("192.168.1.9");
                     m_home->fakePairing.become(status);
                 },
                 {{{QStringLiteral("wantsToPairText"), QStringLiteral("“nano-9” wants to pair")}},
                  {QStringLiteral("wantsToPairAccept"), QStringLiteral("wantsToPairIgnore")},
                  {},
                  {}});
    }
    void addStatesOfADevice() {
        const QString state = QStringLiteral("detailState"), error = QStringLiteral("detailError");
        const QString install = QStringLiteral("detailInstall"), since = QStringLiteral(" · ") + sinceThen();
        const QString pause = QStringLiteral("pauseDevice"), limits = QStringLiteral("changeLimits");
        Seen seen = says(QStringLiteral("Ready") + since, QStringLiteral("Ready"));
        seen.enabled = {pause, limits, QStringLiteral("detailForget")};
        seen.hidden = {install};
        addState("a device is ready", secondIs(DeviceState::Ready), seen);
        addState("a device trains", secondIs(DeviceState::Training),
                 says(QStringLiteral("Training") + since, QStringLiteral("Training")));
        addState("a device is about to leave", secondIs(DeviceState::Leaving),
                 says(QStringLiteral("Leaving") + since, QStringLiteral("Leaving")));
        addState("a device rests", second([](DeviceInfo &device) {
                     device.state = DeviceState::Resting;
                     device.rest = Rest::OnBattery;
                 }),
                 says(QStringLiteral("Resting: runs on its battery") + since, QStringLiteral("Resting")));
        seen = says(QStringLiteral("Paired · has not answered yet"), QStringLiteral("Paired"));
        seen.enabled = {install, QStringLiteral("detailForget")};
        addState("a device is paired and was not there yet", second([](DeviceInfo &device) {
                     DeviceInfo nothing;
                     nothing.id = device.id;
                     nothing.name = device.name;
                     device = nothing;
                 }),
                 seen);
        seen = says(QStringLiteral("Lost") + since, QStringLiteral("Lost"));
        seen.texts.append({error, QStringLiteral("The connection ended")});
        seen.texts.append({install, QStringLiteral("Install again …")});
        seen.enabled = {install};
        seen.disabled = {{pause, QString()}, {limits, QString()}};
        addState("a device is lost", second([](DeviceInfo &device) {
                     device.state = DeviceState::Lost;
                     device.lastError = QStringLiteral("The connection ended: it is gone.");
                 }),
                 seen);
        seen = says(QStringLiteral("Lost"), QStringLiteral("Lost"));
        seen.texts.append({error, QStringLiteral("another key")});
        addState("somebody with another key is at its place", second([](DeviceInfo &device) {
                     device.state = DeviceState::Lost;
                     device.alarm = QStringLiteral("At 14:03 a device with another key answered at its address.");
                 }),
                 seen);
        seen = says(QStringLiteral("Ready"), QStringLiteral("Ready"));
        seen.texts.append({install, QStringLiteral("Update …")});
        addState("its agent is too old", second([](DeviceInfo &device) { device.version = QStringLiteral("0.0.1"); }),
                 seen);
        seen = says(QStringLiteral("Ready"), QStringLiteral("Ready"));
        seen.texts.append({QStringLiteral("detailLimits"), QStringLiteral("Set by another version of Hearth")});
        seen.disabled = {{pause, QString()}, {limits, QString()}};
        addState("its limits are those of a later version",
                 second([](DeviceInfo &device) { device.limitsKnown = false; }), seen);
        seen = says(QStringLiteral("Ready"), QStringLiteral("Ready"));
        seen.texts.append({QStringLiteral("detailKind"), QStringLiteral("Laptop, on battery")});
        seen.texts.append({QStringLiteral("detailAddress"), QStringLiteral(" (in use)\n192.168.100.200:47600")});
        addState(
            "a laptop that runs on its battery, and may be at several addresses", second([](DeviceInfo &device) {
                device.kind = DeviceKind::Laptop;
                device.onBattery = true;
                device.otherAddresses = {QStringLiteral("192.168.100.200:47600"), QStringLiteral("nano-2.local:47600")};
            }),
            seen);
        seen = says(QStringLiteral("this computer"), QStringLiteral("(this computer)"));
        seen.hidden = {install, QStringLiteral("detailForget")};
        addState(
            "this computer itself",
            [this] {
                chooseSecond();
                auto *table = find<QTableView>("deviceTable");
                table->setCurrentIndex(table->model()->index(0, 0));
            },
            seen);
        addState(
            "a device is being measured",
            [this] {
                MeasureStatus now{true, false, {}};
                now.progress[id(2)] = {4, 40};
                m_home->fakeMeasuring.become(now);
                chooseSecond();
            },
            says(QStringLiteral("Measuring"), QStringLiteral("Measuring: 4 of 40")));
    }
    void addStatesInARun() {
        addState("a device does not answer a run", secondInRun([this] { send(event::Suspect{id(2)}); }),
                 says(QStringLiteral("Does not answer"), QStringLiteral("Does not answer")));
        addState("a run has lost a device", secondInRun([this] {
                     send(event::Lost{id(2), 1, {}});
                 }),
                 says(QStringLiteral("Lost"), QStringLiteral("Lost")));
        addState("a device has left a run", secondInRun([this] { send(event::Left{id(2)}); }),
                 says(QStringLiteral("Left"), QStringLiteral("Left")));
        addState("a device is back in a run", secondInRun([this] { send(event::Joined{id(2)}); }),
                 says(QStringLiteral("Back"), QStringLiteral("Back")));
        addState("a device has become slow", secondInRun([this] {
                     for (qint64 round = 1; round <= 60; ++round)
                         send(roundWith(round, round <= 30 ? 0.05 : 0.2), 30.0 + static_cast<double>(round));
                 }),
                 says(QStringLiteral("Slow · for "), QStringLiteral("Slow")));
        addState("a slow device is as fast again as before", secondInRun([this] {
                     for (qint64 round = 1; round <= 90; ++round)
                         send(roundWith(round, round > 30 && round <= 60 ? 0.2 : 0.05),
                              30.0 + static_cast<double>(round));
                 }),
                 says(QStringLiteral("Training"), QStringLiteral("Training")));
    }
    /// In which the second device computes for so long.
    event::Round roundWith(qint64 number, double seconds) const {
        event::Round round{number, 1, static_cast<quint64>(number), 1.5, 0.2, 0.2, 640, {}, {}};
        for (int each = 1; each <= 3; ++each)
            round.devices[id(each)].computeS = each == 2 ? seconds : 0.05;
        return round;
    }

    void addStates() override {
        addStatesOfTheHome();
        addStatesNearby();
        addStatesOfADevice();
        addStatesInARun();
    }

  private Q_SLOTS:
    void whoeverPointsAtADeviceReadsSinceWhen() {
        openWindow();
        secondIs(DeviceState::Lost)();
        const QString lost = QStringLiteral("Lost · ") + sinceThen();
        const QModelIndex cell = find<QTableView>("deviceTable")->model()->index(1, DeviceTableModel::State);
        QCOMPARE(plain(cell.data(Qt::ToolTipRole).toString()), lost);
        QStringList tips;
        for (const QGraphicsItem *item : find<HomeView>("homeView")->scene()->items()) {
            if (!item->toolTip().isEmpty())
                tips << plain(item->toolTip());
        }
        QCOMPARE(tips, QStringList{lost});
    }
};

QTEST_MAIN(WhatHomeShowsTest)
#include "what_home_shows_test.moc"
