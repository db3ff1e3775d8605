#include "core/agent/limits_service.h"

#include <QDateTime>
#include <QTime>
#include <utility>

#include "core/agent/answer.h"
#include "core/home/device_choice.h"

namespace hearth {
namespace {

// For the other agent to write one small file.
constexpr std::chrono::milliseconds setDeadline{5000};

Result<DeviceLimits> limitsIn(const QCborMap &args) {
    return DeviceLimits::fromJson(args[QStringLiteral("limits")].toMap().toJsonObject(), QStringLiteral("the limits"));
}

}  // namespace

LimitsService::LimitsService(const AgentOptions &options, const DeviceLimits &limits, DeviceBook &devices,
                             HomeLinks &links, WorkerHost &workers)
    : m_path(options.stateDir + QStringLiteral("/limits.json")),
      m_memoryGiven(options.memoryBytes > 0),
      m_host(hostResources()),
      m_limits(limits),
      m_devices(devices),
      m_links(links),
      m_workers(workers) {
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
}

void LimitsService::serveLinks() {
    m_links.handle(QStringLiteral("limits.set"), [this](const Fingerprint &, const QCborMap &args, const Reply &reply) {
        answer(reply, limitsIn(args).and_then([this](const DeviceLimits &limits) { return set(limits); }));
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
    if (auto saved = saveLimits(m_path, limits); !saved)
        return saved;
    m_limits = limits;
    follow();
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
    rpc->call(QStringLiteral("limits.set"), args, setDeadline, context, [done](const Result<QCborMap> &result) {
        done(result ? Result<void>() : Result<void>(tl::unexpected(result.error())));
    });
}

void LimitsService::follow() {
    const bool someMemory = m_limits.memoryBytes > 0 && m_limits.memoryBytes < m_memoryBytes;
    const qint64 memory = someMemory ? m_limits.memoryBytes : m_memoryBytes;
    // Where nobody has said what others may take, a quarter of the machine is not for them.
    const qint64 forOthers = m_memoryGiven || someMemory ? memory : memory / 4 * 3;
    m_workers.setResources(m_limits.threads > 0 ? std::min(m_limits.threads, m_threads) : m_threads, memory, forOthers,
                           someMemory);

    const QTime now = QTime::currentTime();
    if (const auto next = nextLook(m_limits, now))
        m_timer.start(*next);
    else
        m_timer.stop();
    const Rest rest = restOf(m_limits, now, m_limits.onlyOnMains ? powerSource() : PowerSource::Mains);
    if (rest == m_rest)
        return;
    m_rest = rest;
    Q_EMIT changed();
    Q_EMIT restChanged();
}

Result<void> LimitsService::mustTakeWork() const {
    if (auto stays = mustStay(); !stays)
        return stays;
    if (m_rest == Rest::None)
        return {};
    return fail(QStringLiteral("device.resting"), sentence("The device %1 takes no work now.").arg(m_devices.ownName()),
                restCause(m_rest), sentence("Take another device, or change its limits."));
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
