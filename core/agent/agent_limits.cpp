// The agent keeps to what the owner of its device lets training take.
#include <QTime>

#include "core/agent/agent.h"
#include "core/home/device_choice.h"

namespace hearth {
namespace {

// For the other agent to write one small file.
constexpr std::chrono::milliseconds setDeadline{5000};

QString limitsPath(const QString &stateDir) {
    return stateDir + QStringLiteral("/limits.json");
}

}  // namespace

void Agent::serveLimits() {
    m_limitsTimer.setSingleShot(true);
    connect(&m_limitsTimer, &QTimer::timeout, this, &Agent::followLimits);
    m_links->handle(
        QStringLiteral("limits.set"), [this](const Fingerprint &, const QCborMap &args, const Reply &reply) {
            const auto set = DeviceLimits::fromJson(args[QStringLiteral("limits")].toMap().toJsonObject(),
                                                    QStringLiteral("the limits"))
                                 .and_then([this](const DeviceLimits &limits) { return setLimits(limits); });
            set ? reply.ok() : reply.fail(set.error());
        });
    followLimits();
}

Result<void> Agent::setLimits(const DeviceLimits &limits) {
    if (limits == m_limits)
        return {};
    if (auto saved = saveLimits(limitsPath(m_options.stateDir), limits); !saved)
        return saved;
    m_limits = limits;
    followLimits();
    tellOfSelf();
    return {};
}

void Agent::setLimitsOf(const QString &device, const DeviceLimits &limits, QObject *context,
                        std::function<void(Result<void>)> answer) {
    const auto known = device.isEmpty() ? Result<DeviceInfo>(self()) : deviceNamed(devices(), device);
    if (!known || known->self) {
        answer(known.and_then([&](const DeviceInfo &) { return setLimits(limits); }));
        return;
    }
    // All of them are set at once: what cannot be read would be lost.
    if (!known->limitsKnown) {
        answer(fail(QStringLiteral("limits.unknown"),
                    QStringLiteral("The limits of %1 were not changed.").arg(known->name),
                    QStringLiteral("It has limits that this version of Hearth does not understand."),
                    QStringLiteral("Change them on that device, or install the same version on both.")));
        return;
    }
    const auto key = Fingerprint::fromHex(known->id);
    Rpc *rpc = key ? m_links->rpc(*key) : nullptr;
    if (!rpc) {
        answer(fail(QStringLiteral("limits.device-away"),
                    QStringLiteral("The limits of %1 were not changed.").arg(known->name),
                    QStringLiteral("It cannot be reached now."),
                    QStringLiteral("Switch it on, or change them on that device.")));
        return;
    }
    QCborMap args;
    args[QStringLiteral("limits")] = QCborMap::fromJsonObject(limits.toJson());
    rpc->call(QStringLiteral("limits.set"), args, setDeadline, context, [answer](const Result<QCborMap> &result) {
        answer(result ? Result<void>() : Result<void>(tl::unexpected(result.error())));
    });
}

void Agent::followLimits() {
    const bool someMemory = m_limits.memoryBytes > 0 && m_limits.memoryBytes < m_options.memoryBytes;
    const qint64 memory = someMemory ? m_limits.memoryBytes : m_options.memoryBytes;
    // Where nobody has said what others may take, a quarter of the machine is not for them.
    const qint64 forOthers = m_memoryGiven || someMemory ? memory : memory / 4 * 3;
    m_workers->setResources(m_limits.threads > 0 ? std::min(m_limits.threads, m_options.threads) : m_options.threads,
                            memory, forOthers, someMemory);

    const QTime now = QTime::currentTime();
    if (const auto next = nextLook(m_limits, now))
        m_limitsTimer.start(*next);
    else
        m_limitsTimer.stop();
    const Rest rest = restOf(m_limits, now, m_limits.onlyOnMains ? powerSource() : PowerSource::Mains);
    if (rest == m_rest)
        return;
    m_rest = rest;
    tellOfSelf();
    for (const auto &[id, run] : m_runs)
        run->tellDeviceChanged(self());
}

void Agent::tellOfSelf() {
    noteOwnState();
    const DeviceInfo info = self();
    QCborMap note;
    note[QStringLiteral("device")] = info.toCbor();
    m_links->notifyAll(QStringLiteral("device.changed"), note);
    Q_EMIT deviceChanged(info);
}

Result<void> Agent::mustTakeWork() const {
    if (m_leaving)
        return tl::unexpected(leavingError());
    if (m_rest == Rest::None)
        return {};
    return fail(QStringLiteral("device.resting"), QStringLiteral("The device %1 takes no work now.").arg(name()),
                restCause(m_rest), QStringLiteral("Take another device, or change its limits."));
}

}  // namespace hearth
