// Pairing: whom the agent lets try, what becomes of those whom both people have confirmed.
#include "core/agent/trust_service.h"

#include <QDateTime>
#include <QLoggingCategory>
#include <algorithm>

#include "core/home/announcement.h"
#include "core/pairing/name_skeleton.h"
#include "core/pairing/pairing_error.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(trustLog, "hearth.home.pairing")

// A device that was paired and is not met within this time has not stored the pairing, or is gone.
constexpr std::chrono::minutes trialPatience{10};

Error notStoredThere(const QString &name) {
    return {QStringLiteral("pairing.not-stored-there"), sentence("%1 has not stored the pairing.").arg(name),
            sentence("The connection had broken at the last moment."), sentence("Pair the two again.")};
}

}  // namespace

Result<TrustStores> TrustStores::load(const QString &stateDir, const Identity &identity) {
    auto trust = TrustStore::load(stateDir + QStringLiteral("/trust.json"));
    if (!trust)
        return tl::unexpected(trust.error());
    auto removals = Removals::load(stateDir + QStringLiteral("/removals.json"), identity);
    if (!removals)
        return tl::unexpected(removals.error());
    auto ignored = IgnoreList::load(stateDir + QStringLiteral("/ignored.json"));
    if (!ignored)
        return tl::unexpected(ignored.error());
    auto trials = DeviceList::load(stateDir + QStringLiteral("/trials.json"), QStringLiteral("hearth-trials/1"));
    if (!trials)
        return tl::unexpected(trials.error());
    // A word is saved before the trust goes: one that was said is kept, whatever came in between. And a list of trusted
    // devices that comes back from a backup brings nobody back.
    while (const auto removed = removals->removedFrom(*trust)) {
        qCWarning(trustLog, "%s was removed from the home, and is trusted no more.",
                  qUtf8Printable(trust->find(*removed)->name));
        if (auto gone = trust->remove(*removed); !gone)
            return tl::unexpected(gone.error());
    }
    return TrustStores{std::move(*trust), std::move(*removals), std::move(*ignored), std::move(*trials)};
}

TrustService::TrustService(const AgentOptions &options, const Identity &identity, TrustStores &stores,
                           DeviceBook &devices, HomeLinks &links, WorkerHost &workers)
    : m_identity(identity),
      m_stores(stores),
      m_devices(devices),
      m_links(links),
      m_workers(workers),
      m_alarmStands(options.alarmStands),
      m_pairing(makePairing(options.stateDir)) {}

std::unique_ptr<PairingService> TrustService::makePairing(const QString &stateDir) {
    PairingService::Home home;
    home.name = [this] { return m_devices.ownName(); };
    home.port = [this] { return m_port; };
    home.trust = [this](const PairedDevice &device) { return addPaired(device); };
    home.distrust = [this](const Fingerprint &device) {
        if (!m_stores.onTrial.contains(device))
            return;
        if (const auto gone = m_stores.trust.remove(device); !gone)
            qCWarning(trustLog, "%s", qUtf8Printable(gone.error().toString()));
        expel(device, theirEnd(PairingEnd::NotStored));
    };
    home.done = [this](const Fingerprint &device, bool onTrial) { paired(device, onTrial); };
    home.objection = [this](const Fingerprint &who, const QString &name) -> std::optional<Error> {
        const DeviceInfo *device = namesake(who.toHex(), name);
        if (!device)
            return std::nullopt;
        const QString address = m_pairing->status().address;
        const auto known = Fingerprint::fromHex(device->id);
        // A name proves nothing: two computers may be called alike from the factory.
        if (!known || !isMissedAt(*known, address))
            return nameTaken(device->name);
        return raiseAlarm(*known, keyChanged(device->name), address);
    };
    home.shownName = [this](const Fingerprint &who, const QString &name) { return distinctNameOf(who, name); };
    auto service = std::make_unique<PairingService>(m_identity, std::move(m_stores.ignored), std::move(home));
    service->keepPauseIn(stateDir + QStringLiteral("/pairing-pause.json"));
    return service;
}

const DeviceInfo *TrustService::namesake(const QString &key, const QString &name) const {
    for (const auto &[id, device] : m_devices.others()) {
        if (id != key && QString::compare(device.name, name, Qt::CaseInsensitive) == 0)
            return &device;
    }
    return nullptr;
}

void TrustService::serveLinks() {
    servePairing();
    serveRemovals();
}

void TrustService::servePairing() {
    m_links.setStrangers(
        [this](const Fingerprint &stranger, const QHostAddress &) { return m_pairing->mayPair(stranger); });
    connect(&m_links, &HomeLinks::strangerReady, m_pairing.get(), &PairingService::take);
    connect(m_pairing.get(), &PairingService::changed, this, [this] { Q_EMIT pairingChanged(m_pairing->status()); });
    connect(m_pairing.get(), &PairingService::refused, this, [this](PairingStatus stranger) {
        if (const DeviceInfo *known = namesake(stranger.fingerprint, stranger.name))
            stranger.name = known->name;
        Q_EMIT pairingRefused(stranger);
    });
    connect(&m_links, &HomeLinks::linked, this, [this](const Fingerprint &device) {
        // It has taken this one's key, or this one its: both have stored.
        if (const auto done = m_stores.onTrial.remove(device); !done)
            qCWarning(trustLog, "%s", qUtf8Printable(done.error().toString()));
    });
    connect(&m_links, &HomeLinks::unlinked, this, [this](const Fingerprint &device) { m_justPaired.erase(device); });
    connect(&m_links, &HomeLinks::notAccepted, this, &TrustService::notAccepted);
    connect(&m_links, &HomeLinks::otherKey, this, [this](const Fingerprint &device, const QString &address) {
        if (m_links.isLinked(device))
            return;  // where it was before is another one's place now
        const QString name = m_devices.nameOf(device);
        raiseAlarm(device,
                   {QStringLiteral("device.key-changed"),
                    sentence("At %1 somebody has another key than %2, which was paired.").arg(address, name),
                    sentence("It was set up anew, another device has its address, or somebody pretends to "
                             "be it. No connection is made."),
                    sentence("If you set it up anew, forget it and pair it again.")},
                   address);
    });
    m_alarmTimer.setSingleShot(true);
    connect(&m_alarmTimer, &QTimer::timeout, this, &TrustService::endAlarms);
    m_trialTimer.setSingleShot(true);
    connect(&m_trialTimer, &QTimer::timeout, this, &TrustService::endTrials);
    if (!m_stores.onTrial.devices().empty())
        m_trialTimer.start(trialPatience);
}

void TrustService::notAccepted(const Fingerprint &device, const Error &error) {
    if (!m_stores.onTrial.contains(device)) {
        showTrouble(device, error);
        return;
    }
    qCWarning(trustLog, "Took back the trust in %s.", qUtf8Printable(announcedPrefix(device)));
    if (const auto gone = m_stores.trust.remove(device); !gone) {
        showTrouble(device, gone.error());
        return;
    }
    (void)m_stores.onTrial.remove(device);
    expel(device, notStoredThere(m_devices.nameOf(device)));
}

Result<void> TrustService::addPaired(const PairedDevice &device) {
    if (auto readmitted = readmit(device.fingerprint); !readmitted)
        return readmitted;
    // What was trusted before is not put to the proof by a pairing that may have failed.
    const bool isNew = !m_stores.trust.trusts(device.fingerprint);
    // From before the trust is there until the other end is heard: whatever happens in between, it is not forgotten.
    if (auto noted = isNew ? m_stores.onTrial.add(device.fingerprint) : Result<void>(); !noted)
        return noted;
    const QString name = distinctNameOf(device.fingerprint, device.name);
    auto added = m_stores.trust.add({device.fingerprint, name, device.addresses});
    if (!added && isNew)
        (void)m_stores.onTrial.remove(device.fingerprint);
    return added;
}

QString TrustService::distinctNameOf(const Fingerprint &device, const QString &name) const {
    QStringList others{m_devices.ownName()};
    for (const auto &[id, other] : m_devices.others()) {
        if (id != device.toHex())
            others << other.name;
    }
    const TrustedDevice *known = m_stores.trust.find(device);
    return known ? known->name : distinctName(name, device.toHex(), others);
}

void TrustService::paired(const Fingerprint &device, bool onTrial) {
    if (onTrial) {
        m_trialTimer.start(trialPatience);
    } else if (const auto done = m_stores.onTrial.remove(device); !done) {
        qCWarning(trustLog, "%s", qUtf8Printable(done.error().toString()));
    }
    const TrustedDevice *known = m_stores.trust.find(device);
    if (!known)
        return;
    const DeviceInfo *before = m_devices.find(device.toHex());
    DeviceInfo info = before ? *before : DeviceInfo();
    info.id = device.toHex();
    info.name = known->name;
    if (!m_links.isLinked(device)) {
        info.address = known->addresses.value(0);
        info.lastError = {};
    }
    info.otherAddresses = m_stores.trust.addressesBeside(device, info.address);
    m_devices.update(info);
    m_links.dialKnown();
}

void TrustService::endTrials() {
    const std::vector<Fingerprint> left = m_stores.onTrial.devices();
    for (const Fingerprint &device : left) {
        if (m_stores.trust.remove(device) && m_stores.onTrial.remove(device))
            expel(device, notStoredThere(m_devices.nameOf(device)));
    }
}

bool TrustService::isMissedAt(const Fingerprint &device, const QString &address) const {
    const auto hostOf = [](const QString &place) {
        const auto parts = splitAddress(place);
        return QHostAddress(parts ? parts->host : place);
    };
    const TrustedDevice *known = m_stores.trust.find(device);
    const DeviceInfo *info = m_devices.find(device.toHex());
    if (!known || !info || m_links.isLinked(device))
        return false;
    const QStringList places = known->addresses + QStringList{info->address};
    const QHostAddress host = hostOf(address);
    return std::any_of(places.begin(), places.end(), [&](const QString &place) {
        return host.isNull() ? place == address : hostOf(place).isEqual(host, QHostAddress::ConvertV4MappedToIPv4);
    });
}

Error TrustService::raiseAlarm(const Fingerprint &device, Error error, const QString &address) {
    const DeviceInfo *known = m_devices.find(device.toHex());
    if (!known)
        return error;
    const QString now = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hh:mm"));
    error.cause = Sentence::joined({sentence("It was met at %1 on %2.").arg(address, now), error.cause});
    DeviceInfo info = *known;
    info.alarm = error.toSentence();
    m_alarms[info.id] = QDeadlineTimer(m_alarmStands);
    if (!m_alarmTimer.isActive())
        m_alarmTimer.start(m_alarmStands);
    m_devices.update(info);
    return error;
}

void TrustService::endAlarms() {
    std::erase_if(m_alarms, [this](const auto &alarm) {
        if (!alarm.second.hasExpired())
            return false;
        if (const DeviceInfo *known = m_devices.find(alarm.first)) {
            DeviceInfo info = *known;
            info.alarm = {};
            m_devices.update(info);
        }
        return true;
    });
    if (!m_alarms.empty())
        m_alarmTimer.start(m_alarmStands);
}

void TrustService::showTrouble(const Fingerprint &device, const Error &error) {
    const DeviceInfo *known = m_devices.find(device.toHex());
    if (!known)
        return;
    DeviceInfo info = *known;
    info.lastError = removedThere(device).value_or(error.toSentence());
    m_devices.update(info);
}

}  // namespace hearth
