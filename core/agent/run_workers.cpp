#include "core/agent/run_workers.h"

#include <QPointer>

#include "core/home/announcement.h"
#include "core/home/worker_start.h"

namespace hearth {
namespace {

Error unreachable(const QString &name, const Sentence &cause) {
    return {QStringLiteral("device.lost"), sentence("The device %1 cannot be reached.").arg(name), cause,
            sentence("Check that it is on and in the network.")};
}

}  // namespace

void RunWorkers::serveLinks() {
    m_links.handle(
        QStringLiteral("worker.start"), [this](const Fingerprint &from, const QCborMap &args, const Reply &reply) {
            if (const auto willing = m_limits.mustTakeWork(); !willing) {
                reply.fail(willing.error());
                return;
            }
            m_workers.start(args[QStringLiteral("run")].toString(), args[QStringLiteral("coordinator")].toString(),
                            from.toHex(), this, [this, reply](Result<QCborMap> result) {
                                if (!result)
                                    return reply.fail(result.error());
                                (*result)[QStringLiteral("sees")] = placesOfOthers();
                                reply.ok(*result);
                            });
        });
    m_links.handle(QStringLiteral("worker.stop"),
                   [this](const Fingerprint &from, const QCborMap &args, const Reply &reply) {
                       m_workers.stop(args[QStringLiteral("run")].toString(), from.toHex());
                       reply.ok();
                   });
}

QCborMap RunWorkers::placesOfOthers() const {
    QCborMap places;
    for (const auto &[id, device] : m_devices.others()) {
        const auto key = Fingerprint::fromHex(id);
        if (key && m_links.isLinked(*key))
            places[id] = device.host();
    }
    return places;
}

void RunWorkers::start(const RunHost &run, const QString &device, const Reply &reply) {
    if (run.coordinator().isEmpty()) {
        reply.fail({QStringLiteral("worker.too-early"), sentence("The coordinator has no key yet."), {}, {}});
        return;
    }
    if (device == m_devices.own().toHex()) {
        if (const auto willing = m_limits.mustTakeWork(); !willing) {
            reply.fail(willing.error());
            return;
        }
        m_workers.start(run.id(), run.coordinator(), WorkerHost::localOwner(), this,
                        [this, reply](Result<QCborMap> result) {
                            if (!result) {
                                reply.fail(result.error());
                                return;
                            }
                            (*result)[QStringLiteral("address")] = m_devices.self().host();
                            (*result)[QStringLiteral("sees")] = placesOfOthers();
                            reply.ok(*result);
                        });
        return;
    }
    const auto id = Fingerprint::fromHex(device);
    const DeviceInfo *known = m_devices.find(device);
    Rpc *link = id ? m_links.rpc(*id) : nullptr;
    if (!link || !known) {
        reply.fail(unreachable(known ? known->name : device.left(Announcement::prefixDigits),
                               sentence("Its agent does not answer.")));
        return;
    }
    QCborMap args;
    args[QStringLiteral("run")] = run.id();
    args[QStringLiteral("coordinator")] = run.coordinator();
    link->call(QStringLiteral("worker.start"), args, WorkerStart::onAnother, this,
               [this, device, reply, link = QPointer(link)](Result<QCborMap> result) {
                   const DeviceInfo *now = m_devices.find(device);
                   const DeviceInfo info = now ? *now : DeviceInfo();
                   if (!result) {
                       const bool cut = !link || !link->channel() || !link->channel()->isOpen();
                       reply.fail(cut ? unreachable(info.name, result.error().toSentence()) : result.error());
                       return;
                   }
                   // The place is where we see the device; its process ids mean something only on this machine.
                   (*result)[QStringLiteral("address")] = info.host();
                   if (info.agentPid == 0)
                       result->remove(QStringLiteral("pid"));
                   reply.ok(*result);
               });
}

void RunWorkers::stop(const QString &run, const QString &device) {
    if (device == m_devices.own().toHex()) {
        m_workers.stop(run, WorkerHost::localOwner());
        return;
    }
    const auto id = Fingerprint::fromHex(device);
    Rpc *link = id ? m_links.rpc(*id) : nullptr;
    if (!link)
        return;
    QCborMap args;
    args[QStringLiteral("run")] = run;
    link->call(QStringLiteral("worker.stop"), args, Rpc::shortDeadline, this, [](const Result<QCborMap> &) {});
}

void RunWorkers::stopAll(const QString &run) {
    stop(run, m_devices.own().toHex());
    for (const auto &[device, known] : m_devices.others())
        stop(run, device);
}

}  // namespace hearth
