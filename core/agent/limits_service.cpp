#include "core/agent/limits_service.h"

#include <QDateTime>
#include <QTime>
#include <utility>

#include "core/agent/answer.h"
#include "core/base/cbor.h"
#include "core/home/device_choice.h"

namespace hearth {
namespace {

// For the other agent to write one small file.
constexpr std::chrono::milliseconds setDeadline{5000};
// A card that sleeps wakes up within two; a driver that hangs keeps nobody waiting.
constexpr std::chrono::milliseconds lookDeadline{3000};
// For people who look whether a laptop is plugged in.
constexpr std::chrono::milliseconds powerShown = std::chrono::seconds(30);
// A game between two levels goes on soon.
constexpr std::chrono::seconds cardQuiet{30};
// Less of the card's time is a desktop that draws its windows.
constexpr double busyPercent = 10;

Result<DeviceLimits> limitsIn(const QCborMap &args) {
    return DeviceLimits::fromJson(args[QStringLiteral("limits")].toMap().toJsonObject(), QStringLiteral("the limits"));
}

}  // namespace

LimitsService::LimitsService(const AgentOptions &options, const DeviceLimits &limits, DeviceBook &devices,
                             HomeLinks &links, WorkerHost &workers)
    : m_path(options.stateDir + QStringLiteral("/limits.json")),
      m_memoryGiven(options.memoryBytes > 0),
      m_host(hostResources()),
      m_cards(options.cardAnswer),
      m_limits(limits),
      m_devices(devices),
      m_links(links),
      m_workers(workers),
      m_power(powerSource()) {
    m_threads = options.threads > 0 ? options.threads : m_host.cores;
    m_memoryBytes = m_memoryGiven ? options.memoryBytes : m_host.memoryBytes;
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LimitsService::follow);
    m_leaveTimer.setSingleShot(true);
    connect(&m_leaveTimer, &QTimer::timeout, this, &LimitsService::left);
    connect(&m_workers, &WorkerHost::exited, this, [this] {
        if (m_leaving && foreignWorkers() == 0)
            m_leaveTimer.start(0);
    });
    if (options.usesCard)
        findCard();
}

void LimitsService::findCard() {
    m_lookTimer.setSingleShot(true);
    connect(&m_lookTimer, &QTimer::timeout, this, &LimitsService::takeStarts);
    connect(&m_workers, &WorkerHost::cardTroubleChanged, this, &LimitsService::changed);
    connect(&m_workers, &WorkerHost::wanted, this, [this] {
        if (!m_workers.share().card || !m_monitor.reading())
            return;
        m_workers.holdStarts();
        m_lookTimer.start(lookDeadline);
        m_monitor.look();
    });
    connect(&m_workers, &WorkerHost::busyChanged, this, [this] {
        watchCard();
        m_monitor.look();
    });
    connect(&m_monitor, &CardMonitor::looked, this, &LimitsService::cardLooked);
    connect(&m_cards, &CardFinder::known, this, [this] {
        if (const auto &card = m_cards.card())
            m_monitor.setCard(card->uuid);
        // The first look at it lets workers start.
        m_lookTimer.start(lookDeadline);
        m_monitor.look();
    });
    m_cards.ask();
    if (m_cards.isKnown())
        m_monitor.look();
    else
        m_workers.holdStarts();
}

/// Where the card is not ours, nor waited for, it may sleep.
void LimitsService::watchCard() {
    const bool onCard = m_workers.isBusy() && m_workers.share().card;
    m_monitor.limitWatts(onCard ? m_limits.cardWatts : 0);
    m_monitor.watch(onCard                                 ? CardMonitor::often
                    : m_limits.cardAlone && m_cards.card() ? CardMonitor::seldom
                                                           : std::chrono::milliseconds(0));
}

/// Where our own workers are not in its list, as inside a container, it tells nothing of others.
bool LimitsService::othersCompute(const CardReading &reading) const {
    const std::vector<qint64> own = m_workers.cardPids();
    const auto isOwn = [&own](const CardReading::Program &each) {
        return std::ranges::find(own, each.pid) != own.end();
    };
    if (!own.empty() && std::ranges::none_of(reading.programs, isOwn))
        return false;
    return std::ranges::any_of(reading.programs, [&](const CardReading::Program &each) {
        return !isOwn(each) && (each.busyPercent ? *each.busyPercent >= busyPercent : each.computes);
    });
}

void LimitsService::cardLooked() {
    if (!m_cards.isKnown())
        return;
    if (const auto &reading = m_monitor.reading()) {
        if (othersCompute(*reading))
            m_cardTaken.setRemainingTime(cardQuiet);
        if (!m_workers.isBusy())
            m_cardOthers = static_cast<qint64>(reading->load.memoryBytes.value_or(0));
        m_workers.tellCard(reading->load);
    }
    takeStarts();
    const qint64 bytes = m_workers.share().usableBytes();
    if (card() == m_toldCard && bytes == m_toldBytes)
        return;
    m_toldCard = card();
    m_toldBytes = bytes;
    Q_EMIT changed();
}

void LimitsService::takeStarts() {
    m_lookTimer.stop();
    m_cardKnown = m_cards.isKnown();
    follow();
    watchCard();
    m_workers.takeStarts();
}

void LimitsService::serveLinks() {
    m_links.handle(QStringLiteral("limits.set"), [this](const Fingerprint &, const QCborMap &args, const Reply &reply) {
        answer(reply, limitsIn(args).and_then([&](const DeviceLimits &limits) {
            const qint64 now = QDateTime::currentSecsSinceEpoch();
            // An end that is only sent back was told by this clock.
            return set(limits.pausedUntil == m_limits.pausedUntil
                           ? limits
                           : limits.byClock(integerOf(args[QStringLiteral("now")], now), now));
        }));
    });
    follow();
}

void LimitsService::serve(Rpc &rpc) {
    rpc.handle(QStringLiteral("limits.set"), [this](const QCborMap &args, const Reply &reply) {
        const auto limits = limitsIn(args);
        if (!limits)
            return reply.fail(limits.error());
        setOf(args[QStringLiteral("device")].toString(), *limits, this,
              [reply](const Result<void> &result) { answer(reply, result); });
    });
    rpc.handle(QStringLiteral("leave"), [this](const QCborMap &, const Reply &reply) {
        QCborMap result;
        result[QStringLiteral("workers")] = foreignWorkers();
        reply.ok(result);
        leave();
    });
}

DeviceState LimitsService::state() const {
    return m_leaving              ? DeviceState::Leaving
           : m_rest != Rest::None ? DeviceState::Resting
           : m_workers.isBusy()   ? DeviceState::Training
                                  : DeviceState::Ready;
}

void LimitsService::noteState() {
    if (std::exchange(m_state, state()) != m_state)
        m_since = QDateTime::currentMSecsSinceEpoch();
}

Result<void> LimitsService::set(const DeviceLimits &limits) {
    if (limits == m_limits)
        return {};
    const auto left = pauseLeft(limits, QDateTime::currentDateTime());
    if (left && left->count() <= 0 && limits.pausedUntil != m_limits.pausedUntil) {
        return fail(QStringLiteral("limits.pause-over"), sentence("The device was not paused."),
                    sentence("The pause would have ended at %1.").arg(pauseEndText(*limits.pausedUntil)),
                    sentence("Give it an end that is still to come."));
    }
    if (auto saved = saveLimits(m_path, limits); !saved)
        return saved;
    m_limits = limits;
    follow();
    watchCard();
    Q_EMIT changed();
    return {};
}

void LimitsService::setOf(const QString &device, const DeviceLimits &limits, QObject *context,
                          std::function<void(Result<void>)> done) {
    const auto known = device.isEmpty() ? Result<DeviceInfo>(m_devices.self()) : deviceNamed(m_devices.all(), device);
    if (!known || known->self) {
        done(known.and_then([&](const DeviceInfo &) { return set(limits); }));
        return;
    }
    // All of them are set at once: what cannot be read would be lost.
    if (!known->limitsKnown) {
        done(fail(QStringLiteral("limits.unknown"), sentence("The limits of %1 were not changed.").arg(known->name),
                  sentence("It has limits that this version of Hearth does not understand."),
                  sentence("Change them on that device, or install the same version on both.")));
        return;
    }
    const auto key = Fingerprint::fromHex(known->id);
    Rpc *rpc = key ? m_links.rpc(*key) : nullptr;
    if (!rpc) {
        done(fail(QStringLiteral("limits.device-away"), sentence("The limits of %1 were not changed.").arg(known->name),
                  sentence("It cannot be reached now."), sentence("Switch it on, or change them on that device.")));
        return;
    }
    QCborMap args;
    args[QStringLiteral("limits")] = QCborMap::fromJsonObject(limits.toJson());
    args[QStringLiteral("now")] = QDateTime::currentSecsSinceEpoch();
    rpc->call(QStringLiteral("limits.set"), args, setDeadline, context, [done](const Result<QCborMap> &result) {
        done(result ? Result<void>() : Result<void>(tl::unexpected(result.error())));
    });
}

std::optional<GraphicsCard> LimitsService::card() const {
    const auto &found = m_cards.card();
    const auto &seen = m_monitor.reading();
    if (!m_cardKnown || (!found && !seen && m_cards.cause().isEmpty()))
        return std::nullopt;
    GraphicsCard card;
    if (found) {
        card = {found->name,
                found->memoryBytes,
                {},
                m_limits.withoutCard ? sentence("Its limits say so.") : m_workers.cardTrouble(),
                m_monitor.powerTrouble()};
    } else {
        if (seen)
            card = {seen->name, seen->memoryBytes, {}, {}, {}};
        card.cause = m_cards.cause().isEmpty() ? sentence("Hearth's program for graphics cards is not installed here.")
                                               : m_cards.cause();
    }
    if (seen) {
        card.driver = seen->driver;
        card.wattsLimit = seen->wattsLimit;
    }
    return card;
}

WorkerShare LimitsService::share() const {
    WorkerShare share;
    share.threads = m_limits.threads > 0 ? std::min(m_limits.threads, m_threads) : m_threads;
    share.enforceMemory = m_limits.memoryBytes > 0 && m_limits.memoryBytes < m_memoryBytes;
    share.memoryBytes = share.enforceMemory ? m_limits.memoryBytes : m_memoryBytes;
    // Where nobody has said what others may take, a quarter of the machine is not for them.
    share.memoryForOthers = m_memoryGiven || share.enforceMemory ? share.memoryBytes : share.memoryBytes / 4 * 3;
    if (m_limits.withoutCard || !m_cards.card())
        return share;
    share.card = m_cards.card();
    const qint64 all = share.card->memoryBytes, left = std::max<qint64>(0, all - m_cardOthers);
    share.cardBytes = m_limits.cardPercent > 0 ? std::min(left, all / 100 * m_limits.cardPercent) : left;
    return share;
}

void LimitsService::follow() {
    m_workers.setShare(share());
    auto pause = pauseLeft(m_limits, QDateTime::currentDateTime());
    if (pause && pause->count() <= 0) {
        m_limits.resume();
        pause.reset();
        // Where it cannot be saved, it ends again at the next start.
        (void)saveLimits(m_path, m_limits);
    }
    const QTime now = QTime::currentTime();
    const auto power = powerSource();
    auto next = nextLook(m_limits, now);
    if (pause)
        next = std::min(next.value_or(*pause), *pause);
    if (power)
        next = std::min(next.value_or(powerShown), powerShown);
    if (next)
        m_timer.start(*next);
    else
        m_timer.stop();
    const Rest rest =
        restOf(m_limits, now, power.value_or(PowerSource::Mains), m_limits.cardAlone && !m_cardTaken.hasExpired());
    const bool restIsOther = std::exchange(m_rest, rest) != rest, powerIsOther = std::exchange(m_power, power) != power;
    if (restIsOther || powerIsOther)
        Q_EMIT changed();
    if (restIsOther)
        Q_EMIT restChanged();
}

Result<void> LimitsService::mustTakeWork() const {
    if (auto stays = mustStay(); !stays)
        return stays;
    if (m_rest == Rest::None)
        return {};
    return fail(QStringLiteral("device.resting"), sentence("The device %1 takes no work now.").arg(m_devices.ownName()),
                restCause(m_rest, m_limits), sentence("Take another device, or change its limits."));
}

Result<void> LimitsService::mustStay() const {
    if (!m_leaving)
        return {};
    return fail(QStringLiteral("device.leaving"), sentence("The device %1 is about to leave.").arg(m_devices.ownName()),
                sentence("Its agent has been told to end."), sentence("Take another device."));
}

void LimitsService::leave() {
    if (m_leaving)
        return;
    m_leaving = true;
    m_links.notifyAll(QStringLiteral("leaving"), {});
    Q_EMIT leaving();
    m_leaveTimer.start(foreignWorkers() > 0 ? leaveDeadline : std::chrono::milliseconds(0));
}

}  // namespace hearth
