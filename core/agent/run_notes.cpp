// What runs hear of the home's devices and their processes, and what other devices hear of those here.
#include "core/agent/run_service.h"

namespace hearth {

void RunService::serveLinks() {
    connect(&m_devices, &DeviceBook::changed, this, [this](const DeviceInfo &device) {
        if (!device.self)
            tellDevice(device);
    });
    connect(&m_limits, &LimitsService::restChanged, this, [this] { tellDevice(m_devices.self()); });
    connect(&m_links, &HomeLinks::linked, this, &RunService::tellPlaces);
    connect(&m_links, &HomeLinks::unlinked, this, &RunService::deviceLost);
    m_links.onNotify(QStringLiteral("worker.sees"), [this](const Fingerprint &from, const QCborMap &args) {
        tellPlacesSeen(from.toHex(), args[QStringLiteral("sees")].toMap());
    });
    serveExits(m_workers);
    serveExits(m_holders);
    m_ofRuns.serveLinks();
}

void RunService::serveExits(const ProcessHost &host) {
    const QString kind = host.kind();
    connect(&host, &ProcessHost::exited, this,
            [this, kind](const QString &run, const QString &owner, const Error &reason, bool requested) {
                if (!requested && !m_ending)
                    exited(kind, run, owner, reason);
            });
    m_links.onNotify(kind + QStringLiteral(".exited"), [this, kind](const Fingerprint &from, const QCborMap &args) {
        if (const auto run = m_runs.find(args[QStringLiteral("run")].toString()); run != m_runs.end())
            run->second->tellExited(kind, from.toHex(), Error::fromCbor(args[QStringLiteral("error")].toMap()));
    });
}

void RunService::deviceRemoved(const QString &id) {
    m_holders.stopAllOf(id);
    for (const auto &[run, host] : m_runs)
        host->tellDeviceRemoved(id);
}

void RunService::tellDevice(const DeviceInfo &device) {
    for (const auto &[id, run] : m_runs)
        run->tellDeviceChanged(device);
}

void RunService::tellPlaces() {
    if (!m_workers.isBusy())
        return;
    const QCborMap places = m_ofRuns.placesOfOthers();
    m_links.notifyAll(QStringLiteral("worker.sees"), {{QStringLiteral("sees"), places}});
    tellPlacesSeen(m_devices.own().toHex(), places);
}

void RunService::tellPlacesSeen(const QString &device, const QCborMap &places) {
    for (const auto &[id, run] : m_runs)
        run->tellPlacesSeen(device, places);
}

void RunService::deviceLost(const Fingerprint &id, const Error &reason) {
    // What a worker has computed waits for its coordinator a while; data are there as before, and soon served again.
    m_holders.stopAllOf(id.toHex());
    const DeviceInfo *device = m_devices.find(id.toHex());
    if (!device)
        return;
    const Error lost{QStringLiteral("device.lost"),
                     sentence("The device %1 can no longer be reached.").arg(device->name), reason.toSentence(),
                     sentence("Check that it is on and in the network.")};
    for (const auto &[run, host] : m_runs) {
        host->tellExited(m_workers.kind(), device->id, lost);
        host->tellExited(m_holders.kind(), device->id, lost);
    }
}

void RunService::exited(const QString &kind, const QString &run, const QString &owner, const Error &reason) {
    if (owner == ProcessHost::localOwner()) {
        if (const auto host = m_runs.find(run); host != m_runs.end())
            host->second->tellExited(kind, m_devices.own().toHex(), reason);
        return;
    }
    QCborMap note;
    note[QStringLiteral("run")] = run;
    note[QStringLiteral("error")] = reason.toCbor();
    if (const auto device = Fingerprint::fromHex(owner))
        m_links.notify(*device, kind + QStringLiteral(".exited"), note);
}

}  // namespace hearth
