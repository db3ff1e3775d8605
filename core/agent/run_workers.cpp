#include "core/agent/run_workers.h"

#include <QPointer>
#include <QStringList>
#include <utility>

#include "core/agent/own_place.h"
#include "core/home/announcement.h"
#include "core/home/worker_start.h"

namespace hearth {
namespace {

Error unreachable(const QString &name, const Sentence &cause) {
    return {QStringLiteral("device.lost"), sentence("The device %1 cannot be reached.").arg(name), cause,
            sentence("Check that it is on and in the network.")};
}

Error tooOld(const QString &name) {
    return {QStringLiteral("device.too-old"), sentence("%1 cannot serve its part of the data.").arg(name),
            sentence("Its version of Hearth is too old for that."), sentence("Update Hearth on it.")};
}

}  // namespace

void RunWorkers::serveLinks() {
    serveLinks(m_workers);
    serveLinks(m_holders);
}

void RunWorkers::serveLinks(ProcessHost &host) {
    m_links.handle(host.kind() + QStringLiteral(".start"), [this, &host](const Fingerprint &from, const QCborMap &args,
                                                                         const Reply &reply) {
        if (const auto willing = mustTake(host); !willing) {
            reply.fail(willing.error());
            return;
        }
        host.start(args[QStringLiteral("run")].toString(), args[QStringLiteral("coordinator")].toString(), from.toHex(),
                   this, [this, reply](Result<QCborMap> result) {
                       if (!result)
                           return reply.fail(result.error());
                       (*result)[QStringLiteral("sees")] = placesOfOthers();
                       reply.ok(*result);
                   });
    });
    m_links.handle(host.kind() + QStringLiteral(".stop"),
                   [&host](const Fingerprint &from, const QCborMap &args, const Reply &reply) {
                       host.stop(args[QStringLiteral("run")].toString(), from.toHex());
                       reply.ok();
                   });
}

/// A device that rests computes nothing. The data that it holds are needed all the same, and cost it little.
Result<void> RunWorkers::mustTake(const ProcessHost &host) const {
    return &host == &m_holders ? m_limits.mustStay() : m_limits.mustTakeWork();
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

void RunWorkers::start(ProcessHost &host, const RunHost &run, const QString &device, const Reply &reply) {
    if (run.coordinator().isEmpty())
        reply.fail({host.kind() + QStringLiteral(".too-early"), sentence("The coordinator has no key yet."), {}, {}});
    else if (device == m_devices.own().toHex())
        startHere(host, run, reply);
    else
        startOnAnother(host.kind(), run, device, reply);
}

void RunWorkers::startHere(ProcessHost &host, const RunHost &run, const Reply &reply) {
    if (const auto willing = mustTake(host); !willing) {
        reply.fail(willing.error());
        return;
    }
    host.start(run.id(), run.coordinator(), ProcessHost::localOwner(), this,
               [this, &host, reply](Result<QCborMap> result) {
                   if (!result) {
                       reply.fail(result.error());
                       return;
                   }
                   // Over the network's address it would be gone whenever the Wi-Fi is.
                   const OwnPlace place = OwnPlace::now(host.settings().listenHost);
                   (*result)[QStringLiteral("address")] = place.here;
                   (*result)[QStringLiteral("for_others")] = place.forOthers;
                   (*result)[QStringLiteral("sees")] = placesOfOthers();
                   reply.ok(*result);
               });
}

void RunWorkers::startOnAnother(const QString &kind, const RunHost &run, const QString &device, const Reply &reply) {
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
    link->call(kind + QStringLiteral(".start"), args, WorkerStart::onAnother, this,
               [this, device, reply, link = QPointer(link)](Result<QCborMap> result) {
                   const DeviceInfo *now = m_devices.find(device);
                   const DeviceInfo info = now ? *now : DeviceInfo();
                   if (!result) {
                       const bool cut = !link || !link->channel() || !link->channel()->isOpen();
                       const bool unknown = result.error().code == QLatin1String("rpc.unknown-op");
                       reply.fail(cut       ? unreachable(info.name, result.error().toSentence())
                                  : unknown ? tooOld(info.name)
                                            : result.error());
                       return;
                   }
                   // The place is where we see the device; its process ids mean something only on this machine.
                   (*result)[QStringLiteral("address")] = info.host();
                   result->remove(QStringLiteral("for_others"));  // it has no say in where third ones look for it
                   if (info.agentPid == 0)
                       result->remove(QStringLiteral("pid"));
                   reply.ok(*result);
               });
}

void RunWorkers::stop(ProcessHost &host, const QString &run, const QString &device) {
    if (device == m_devices.own().toHex()) {
        host.stop(run, ProcessHost::localOwner());
        return;
    }
    const auto id = Fingerprint::fromHex(device);
    Rpc *link = id ? m_links.rpc(*id) : nullptr;
    if (!link)
        return;
    QCborMap args;
    args[QStringLiteral("run")] = run;
    link->call(host.kind() + QStringLiteral(".stop"), args, Rpc::shortDeadline, this, [](const Result<QCborMap> &) {});
}

void RunWorkers::stopAll(const QString &run) {
    QStringList devices{m_devices.own().toHex()};
    for (const auto &[device, known] : m_devices.others())
        devices << device;
    for (const QString &device : std::as_const(devices)) {
        stopWorker(run, device);
        stopHolder(run, device);
    }
}

}  // namespace hearth
