// Agents keep to the limits of their devices: two of them in this process, with coordinators and workers that are
// played.
#include <QCborArray>
#include <QFile>

#include "core/wire/tls_dial.h"
#include "tests/core/agent/played_home.h"

using namespace hearth;

class AgentLimitsTest : public QObject, protected TwoHomes {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { qputenv("HEARTH_BIN_DIR", HEARTH_FAKE_BIN_DIR); }

    void init() {
        QVERIFY(startHomes());
        QVERIFY(m_one.meet(m_two));
        m_id = m_two.agent->fingerprint().toHex();
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Ready, PlayedHome::patience);
        m_client = std::make_unique<AgentClient>();
        QVERIFY(m_one.connectTo(*m_client));
    }

    void cleanup() {
        m_client.reset();
        m_channel.reset();
        endHomes();
    }

    void aPauseIsSetFromAnotherDeviceAndKept() {
        QVERIFY(set(m_id, paused()));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Resting, PlayedHome::patience);
        QCOMPARE(m_one.device(m_id).rest, Rest::Paused);
        QVERIFY(m_one.device(m_id).limits.paused);
        QCOMPARE(m_two.agent->devices()[0].state, DeviceState::Resting);

        m_two = {};
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Lost, PlayedHome::patience);
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        QCOMPARE(m_two.agent->devices()[0].state, DeviceState::Resting);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Resting, PlayedHome::patience);

        QVERIFY(set(m_id, {}));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Ready, PlayedHome::patience);
    }

    void aPauseForATimeEndsByItself() {
        DeviceLimits limits;
        limits.threads = 1;
        limits.pause(QDateTime::currentSecsSinceEpoch() + 2);
        QVERIFY(set(m_id, limits));
        limits.resume();
        QTRY_VERIFY_WITH_TIMEOUT(m_one.device(m_id).limits == limits, PlayedHome::patience);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Ready, PlayedHome::patience);
        QVERIFY(*loadLimits(m_folder->filePath(QStringLiteral("two/limits.json"))) == limits);
    }

    void aPauseLastsAsLongWhateverTheSendersClockShows_data() {
        QTest::addColumn<qint64>("ahead");
        QTest::addColumn<bool>("told");
        QTest::newRow("it is ahead") << qint64{36'000} << true;
        QTest::newRow("it is behind") << qint64{-36'000} << true;
        QTest::newRow("an older version does not tell it") << qint64{0} << false;
    }
    void aPauseLastsAsLongWhateverTheSendersClockShows() {
        QFETCH(qint64, ahead);
        QFETCH(bool, told);
        constexpr qint64 length = 3600;
        QCborMap self = m_one.device(m_id).toCbor();
        self[QStringLiteral("on_battery")] = true;  // by which it is known
        const auto link = linkAs(self);
        QVERIFY(link);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.device(m_id).onBattery, std::optional(true), PlayedHome::patience);
        const qint64 before = QDateTime::currentSecsSinceEpoch();
        const auto send = [&](const DeviceLimits &limits) {
            QCborMap args{{QStringLiteral("limits"), QCborMap::fromJsonObject(limits.toJson())}};
            if (told)
                args[QStringLiteral("now")] = before + ahead;
            bool isSet = false;
            link->call(QStringLiteral("limits.set"), args, std::chrono::minutes(1), this,
                       [&](const Result<QCborMap> &result) { isSet = result.has_value(); });
            return QTest::qWaitFor([&] { return isSet; }, PlayedHome::patience);
        };
        DeviceLimits limits;
        limits.pause(before + ahead + length);
        QVERIFY(send(limits));
        const DeviceLimits kept = m_one.agent->devices()[0].limits;
        QVERIFY(kept.pausedUntil);
        QVERIFY(*kept.pausedUntil >= before + length);
        QVERIFY(*kept.pausedUntil <= QDateTime::currentSecsSinceEpoch() + length);
        // What is sent back beside another limit ends when it would have.
        limits = kept;
        limits.threads = 1;
        QVERIFY(send(limits));
        QCOMPARE(m_one.agent->devices()[0].limits.threads, 1);
        QCOMPARE(m_one.agent->devices()[0].limits.pausedUntil, kept.pausedUntil);
    }

    void aPauseThatHasEndedIsRefused() {
        DeviceLimits limits;
        limits.pause(QDateTime::currentSecsSinceEpoch() - 60);
        for (const QString &device : {QString(), m_id}) {
            const auto refused = set(device, limits);
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, QStringLiteral("limits.pause-over"));
        }
    }

    void theEndOfAPauseIsKept_data() {
        QTest::addColumn<qint64>("left");
        QTest::addColumn<int>("state");
        QTest::newRow("it is still ahead") << qint64{3600} << static_cast<int>(DeviceState::Resting);
        QTest::newRow("it came while the agent was away") << qint64{-1} << static_cast<int>(DeviceState::Ready);
    }
    void theEndOfAPauseIsKept() {
        QFETCH(qint64, left);
        QFETCH(int, state);
        m_two = {};
        DeviceLimits limits;
        limits.pause(QDateTime::currentSecsSinceEpoch() + left);
        QVERIFY(saveLimits(m_folder->filePath(QStringLiteral("two/limits.json")), limits));
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        QCOMPARE(m_two.agent->devices()[0].state, static_cast<DeviceState>(state));
        QCOMPARE(m_two.agent->devices()[0].limits.paused, left > 0);
    }

    void aRestingDeviceLeavesItsRunsAndTakesNoNewOnes() {
        const auto run = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        QVERIFY(follower.workerPid() > 0);
        // Its threads do not take the processor while they wait for one another.
        QFile environment(QStringLiteral("/proc/%1/environ").arg(follower.workerPid()));
        QVERIFY(environment.open(QIODevice::ReadOnly));
        QVERIFY(environment.readAll().split('\0').contains("OMP_WAIT_POLICY=passive"));
        QVERIFY(set(m_id, paused()));
        QVERIFY(follower.waitFor("leaving"));
        QVERIFY(follower.lines("leaving")[0].contains(m_id.toLatin1()));

        const auto other = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(other);
        const Follower refused(*m_client, *other);
        QVERIFY(refused.waitFor("worker"));
        QVERIFY2(refused.lines("worker")[0].contains("device.resting"), refused.lines("worker")[0].constData());

        QVERIFY(set(m_id, {}));
        QVERIFY(commandRun(*m_client, *other, "evaluate"));  // the played coordinator starts its worker again
        QVERIFY(refused.waitFor("worker", 2));
        QVERIFY2(refused.workerPid(1) > 0, refused.lines("worker")[1].constData());
    }

    void theOwnRunsOfADeviceThatRestsAreToldToo() {
        const QString self = m_one.agent->fingerprint().toHex();
        const auto run = startRun(*m_client, playedOrder("wait"));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(set({}, paused()));
        QVERIFY(follower.waitFor("leaving"));
        QVERIFY(follower.lines("leaving")[0].contains(self.toLatin1()));
        QCOMPARE(m_one.agent->devices()[0].state, DeviceState::Resting);
    }

    void aRunHearsOfADeviceThatCameBackResting() {
        const auto run = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        m_two = {};
        QVERIFY(follower.waitFor("lost"));
        // No note tells of the pause: nobody is linked when it begins.
        QVERIFY(saveLimits(m_folder->filePath(QStringLiteral("two/limits.json")), paused()));
        m_two = PlayedHome::start(*m_folder, QStringLiteral("two"));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Resting, PlayedHome::patience);
        QVERIFY(follower.waitFor("leaving"));
        QVERIFY(follower.lines("leaving")[0].contains(m_id.toLatin1()));
    }

    void aDeviceThatRestsRefusesItsOwnRunsToo() {
        const QString self = m_one.agent->fingerprint().toHex();
        QVERIFY(set({}, paused()));
        const auto run = startRun(*m_client, playedOrder("worker", self));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("worker"));
        QVERIFY2(follower.lines("worker")[0].contains("device.resting"), follower.lines("worker")[0].constData());
        QVERIFY(set({}, {}));
        QVERIFY(commandRun(*m_client, *run, "evaluate"));  // the played coordinator starts its worker again
        QVERIFY(follower.waitFor("worker", 2));
        QVERIFY2(follower.workerPid(1) > 0, follower.lines("worker")[1].constData());
    }

    void threadsAndMemoryBoundWorkersThatStartLater() {
        const DeviceInfo before = m_one.device(m_id);
        DeviceLimits limits;
        limits.memoryBytes = DeviceLimits::leastMemory;
        limits.threads = 4096;  // more than there are
        QVERIFY(set(m_id, limits));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.device(m_id).memoryBytes, limits.memoryBytes, PlayedHome::patience);
        QCOMPARE(m_one.device(m_id).threads, before.threads);
        QCOMPARE(m_one.device(m_id).state, DeviceState::Ready);
        QVERIFY(set(m_id, {}));
        QTRY_COMPARE_WITH_TIMEOUT(m_one.device(m_id).memoryBytes, before.memoryBytes, PlayedHome::patience);
    }

    void aWorkerThatTakesMoreThanItMayIsEnded() {
        DeviceLimits limits;
        limits.memoryBytes = DeviceLimits::leastMemory;
        QVERIFY(set(m_id, limits));
        qputenv("HEARTH_FAKE_EATS", QByteArray::number(400 << 20));
        const auto run = startRun(*m_client, playedOrder("worker", m_id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        const bool wasLost = follower.waitFor("lost");
        qunsetenv("HEARTH_FAKE_EATS");
        QVERIFY(wasLost);
        QVERIFY2(follower.lines("lost")[0].contains("child.out-of-memory"), follower.lines("lost")[0].constData());
    }

    void aDeviceThatIsAwayKeepsWhatItHas() {
        m_two = {};
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Lost, PlayedHome::patience);
        const auto refused = set(m_id, paused());
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("limits.device-away"));
        QVERIFY(!m_one.device(m_id).limits.paused);
    }

    void limitsThatAreNotUnderstoodAreLeftAlone() {
        // As a later version may tell them.
        QCborMap told = m_one.device(m_id).toCbor();
        QVERIFY(DeviceInfo::fromCbor(told)->limitsKnown);
        QJsonObject later = paused().toJson();
        later[QStringLiteral("only_in_winter")] = true;
        told[QStringLiteral("limits")] = QCborMap::fromJsonObject(later);
        const auto info = DeviceInfo::fromCbor(told);
        QVERIFY(info && !info->limitsKnown);
        // Also one agent further, as windows and terminals hear of it.
        QVERIFY(!DeviceInfo::fromCbor(info->toCbor())->limitsKnown);
        QCOMPARE(info->toJson()[QStringLiteral("limits")].toString(), QStringLiteral("unknown"));

        const auto link = linkAs(told);
        QVERIFY(link);
        QTRY_VERIFY_WITH_TIMEOUT(!m_one.device(m_id).limitsKnown, PlayedHome::patience);
        const auto refused = set(m_id, {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("limits.unknown"));
    }

    void anOlderDeviceIsSaidToKnowNoEndOfAPause() {
        QCborMap told = m_one.device(m_id).toCbor();
        told[QStringLiteral("on_battery")] = true;  // by which it is known
        const auto link = linkAs(told);
        QVERIFY(link);
        link->handle(QStringLiteral("limits.set"), [](const QCborMap &, const Reply &reply) {
            reply.fail({QStringLiteral("json.unknown-key"), QStringLiteral("The key is unknown."), {}, {}});
        });
        QTRY_COMPARE_WITH_TIMEOUT(m_one.device(m_id).onBattery, std::optional(true), PlayedHome::patience);
        DeviceLimits limits;
        limits.pause(4'000'000'000);
        const auto refused = set(m_id, limits);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("limits.older-version"));
        QVERIFY(!refused.error().advice.isEmpty());
    }

    void aDeviceTellsWhatItIsAndNotWhereElseItMayBe() {
        QCborMap told = m_one.device(m_id).toCbor();
        told[QStringLiteral("kind")] = QStringLiteral("laptop");
        told[QStringLiteral("on_battery")] = true;
        told[QStringLiteral("other_addresses")] = QCborArray{QStringLiteral("10.66.66.66:666")};
        auto link = linkAs(told);
        QVERIFY(link);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.device(m_id).onBattery, std::optional(true), PlayedHome::patience);
        QCOMPARE(m_one.device(m_id).kind, DeviceKind::Laptop);
        QCOMPARE(m_one.device(m_id).otherAddresses, QStringList());
        // Plugged in.
        told[QStringLiteral("on_battery")] = false;
        link->notify(QStringLiteral("device.changed"), {{QStringLiteral("device"), told}});
        QTRY_COMPARE_WITH_TIMEOUT(m_one.device(m_id).onBattery, std::optional(false), PlayedHome::patience);
        // Nobody knows whether it is still plugged in.
        link.reset();
        m_channel.reset();
        QTRY_COMPARE_WITH_TIMEOUT(m_one.stateOf(m_id), DeviceState::Lost, PlayedHome::patience);
        QVERIFY(!m_one.device(m_id).onBattery);
        QCOMPARE(m_one.device(m_id).kind, DeviceKind::Laptop);
    }

    void aFloodOfWordsOfADeviceIsPassedOnAtABoundedPace() {
        QCborMap told = m_one.device(m_id).toCbor();
        told[QStringLiteral("on_battery")] = true;
        const auto link = linkAs(told);
        QVERIFY(link);
        QTRY_COMPARE_WITH_TIMEOUT(m_one.device(m_id).onBattery, std::optional(true), PlayedHome::patience);
        const QSignalSpy changed(&m_one.agent->book(), &DeviceBook::changed);
        constexpr qint64 first = 1 << 30, words = 400;
        for (qint64 word = 0; word < words; ++word) {
            told[QStringLiteral("memory_bytes")] = first + word;
            link->notify(QStringLiteral("device.changed"), {{QStringLiteral("device"), told}});
        }
        QTRY_COMPARE_WITH_TIMEOUT(m_one.device(m_id).memoryBytes, first + words - 1, PlayedHome::patience);
        QVERIFY2(changed.size() < words / 2, qPrintable(QString::number(changed.size())));
    }

    void aDeviceThatIsNotThereIsNamed() {
        QCOMPARE(set(QString(64, QLatin1Char('c')), paused()).error().code, QStringLiteral("device.unknown"));
    }

    void whatIsNoLimitIsRefused() {
        DeviceLimits tiny;
        tiny.memoryBytes = 1;
        for (const QString &device : {QString(), m_id}) {
            const auto refused = set(device, tiny);
            QVERIFY(!refused);
            QVERIFY2(refused.error().toString().contains(QLatin1String("memory_bytes")),
                     qPrintable(refused.error().toString()));
        }
    }

    void damagedLimitsKeepTheAgentFromStarting() {
        m_two = {};
        QFile file(m_folder->filePath(QStringLiteral("two/limits.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{");
        file.close();
        const auto agent = PlayedHome::startAgent(*m_folder, QStringLiteral("two"));
        QVERIFY(!agent);
        QCOMPARE(agent.error().code, QStringLiteral("limits.damaged"));
    }

  private:
    static DeviceLimits paused() {
        DeviceLimits limits;
        limits.paused = true;
        return limits;
    }

    /// The device "two", of which nothing is left but its key and what it tells of itself.
    std::unique_ptr<Rpc> linkAs(const QCborMap &device) {
        m_two = {};
        const auto identity = Identity::loadOrCreate(m_folder->filePath(QStringLiteral("two")));
        const auto at = splitAddress(m_one.agent->address());
        dialTls(*identity, at->host, at->port, m_one.agent->fingerprint(), std::chrono::minutes(1), this,
                [this](auto result) { m_channel = result ? std::move(*result) : nullptr; });
        if (!QTest::qWaitFor([this] { return m_channel != nullptr; }, PlayedHome::patience))
            return nullptr;
        auto rpc = std::make_unique<Rpc>(m_channel.get());
        rpc->call(QStringLiteral("hello"), {{QStringLiteral("device"), device}}, std::chrono::minutes(1), this,
                  [](const auto &) {});
        return rpc;
    }

    Result<void> set(const QString &device, const DeviceLimits &limits) {
        std::optional<Result<void>> answer;
        m_client->setLimits(device, limits, this, [&](const auto &r) { answer = r; });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, PlayedHome::patience))
            return fail(QStringLiteral("test.no-answer"), QStringLiteral("Nobody answered."));
        return *answer;
    }

    std::unique_ptr<AgentClient> m_client;
    std::unique_ptr<Channel> m_channel;
    QString m_id;  // of the device "two"
};

QTEST_GUILESS_MAIN(AgentLimitsTest)
#include "agent_limits_test.moc"
