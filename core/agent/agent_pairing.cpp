// The agent's part in pairing: whom it lets try, what becomes of those whom both people have confirmed.
#include <QDateTime>
#include <QLoggingCategory>
#include <algorithm>

#include "core/agent/agent.h"
#include "core/agent/agent_nearby.h"
#include "core/home/announcement.h"
#include "core/pairing/name_skeleton.h"
#include "core/pairing/pairing_error.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(log, "hearth.home.pairing")

// A device that was paired and is not met within this time has not stored the pairing, or is gone.
constexpr std::chrono::minutes trialPatience{10};

Error notStoredThere(const QString &name) {
    return {QStringLiteral("pairing.not-stored-there"), QStringLiteral("%1 has not stored the pairing.").arg(name),
            QStringLiteral("The connection had broken at the last moment."), QStringLiteral("Pair the two again.")};
}

}  // namespace

Result<Agent::Stores> Agent::Stores::load(const QString &stateDir, const Identity &identity) {
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
        qCWarning(log, "%s was removed from the home, and is trusted no more.",
                  qUtf8Printable(trust->find(*removed)->name));
        if (auto gone = trust->remove(*removed); !gone)
            return tl::unexpected(gone.error());
    }
    return Stores{std::move(*trust), std::move(*removals), std::move(*ignored), std::move(*trials)};
}

std::unique_ptr<PairingService> Agent::makePairing(IgnoreList ignored) {
    PairingService::Home home;
    home.name = [this] { return m_options.name; };
    home.port = [this] { return m_port; };
    home.trust = [this](const PairedDevice &device) { return trustPaired(device); };
    home.distrust = [this](const Fingerprint &device) {
        if (!m_onTrial.contains(device))
            return;
        if (const auto gone = m_trust.remove(device); !gone)
            qCWarning(log, "%s", qUtf8Printable(gone.error().toString()));
        expel(device, theirEnd(PairingEnd::NotStored));
    };
    home.done = [this](const Fingerprint &device, bool onTrial) { paired(device, onTrial); };
    home.objection = [this](const Fingerprint &who, const QString &name) -> std::optional<Error> {
        for (const auto &[id, device] : m_devices) {
            if (id == who.toHex() || QString::compare(device.name, name, Qt::CaseInsensitive) != 0)
                continue;
            const QString address = m_pairing->status().address;
            const auto known = Fingerprint::fromHex(id);
            // A name proves nothing: two computers may be called alike from the factory.
            if (!known || !isMissedAt(*known, address))
                return nameTaken(device.name);
            return raiseAlarm(*known, keyChanged(device.name), address);
        }
        return std::nullopt;
    };
    home.shownName = [this](const Fingerprint &who, const QString &name) { return distinctNameOf(who, name); };
    auto service = std::make_unique<PairingService>(m_identity, std::move(ignored), std::move(home));
    service->keepPauseIn(m_options.stateDir + QStringLiteral("/pairing-pause.json"));
    return service;
}

void Agent::servePairing() {
    m_links->setStrangers(
        [this](const Fingerprint &stranger, const QHostAddress &) { return m_pairing->mayPair(stranger); });
    connect(m_links.get(), &HomeLinks::strangerReady, m_pairing.get(), &PairingService::take);
    connect(m_pairing.get(), &PairingService::changed, this, [this] { Q_EMIT pairingChanged(m_pairing->status()); });
    connect(m_pairing.get(), &PairingService::ignoredChanged, this, [this] {
        if (m_nearby)
            m_nearby->refresh();
        else
            Q_EMIT nearbyChanged();
    });
    connect(m_links.get(), &HomeLinks::linked, this, [this](const Fingerprint &device) {
        // It has taken this one's key, or this one its: both have stored.
        if (const auto done = m_onTrial.remove(device); !done)
            qCWarning(log, "%s", qUtf8Printable(done.error().toString()));
    });
    connect(m_links.get(), &HomeLinks::notAccepted, this, [this](const Fingerprint &device, const Error &error) {
        if (!m_onTrial.contains(device)) {
            complain(device, error);
            return;
        }
        qCWarning(log, "Took back the trust in %s.", qUtf8Printable(announcedPrefix(device)));
        if (const auto gone = m_trust.remove(device); !gone) {
            complain(device, gone.error());
            return;
        }
        (void)m_onTrial.remove(device);
        expel(device, notStoredThere(m_devices[device.toHex()].name));
    });
    connect(m_links.get(), &HomeLinks::otherKey, this, [this](const Fingerprint &device, const QString &address) {
        if (m_links->isLinked(device))
            return;  // where it was before is another one's place now
        const QString name = m_devices[device.toHex()].name;
        raiseAlarm(device,
                   {QStringLiteral("device.key-changed"),
                    QStringLiteral("At %1 somebody has another key than %2, which was paired.").arg(address, name),
                    QStringLiteral("It was set up anew, another device has its address, or somebody pretends to "
                                   "be it. No connection is made."),
                    QStringLiteral("If you set it up anew, forget it and pair it again.")},
                   address);
    });
    m_alarmTimer.setSingleShot(true);
    connect(&m_alarmTimer, &QTimer::timeout, this, &Agent::endAlarms);
    m_trialTimer.setSingleShot(true);
    connect(&m_trialTimer, &QTimer::timeout, this, &Agent::judgeTrials);
    if (!m_onTrial.devices().empty())
        m_trialTimer.start(trialPatience);
}

Result<void> Agent::trustPaired(const PairedDevice &device) {
    if (auto readmitted = readmit(device.fingerprint); !readmitted)
        return readmitted;
    // What was trusted before is not put to the proof by a pairing that may have failed.
    const bool isNew = !m_trust.trusts(device.fingerprint);
    // From before the trust is there until the other end is heard: whatever happens in between, it is not forgotten.
    if (auto noted = isNew ? m_onTrial.add(device.fingerprint) : Result<void>(); !noted)
        return noted;
    const QString name = distinctNameOf(device.fingerprint, device.name);
    auto added = m_trust.add({device.fingerprint, name, device.addresses});
    if (!added && isNew)
        (void)m_onTrial.remove(device.fingerprint);
    return added;
}

QString Agent::distinctNameOf(const Fingerprint &device, const QString &name) const {
    QStringList others{m_options.name};
    for (const auto &[id, other] : m_devices) {
        if (id != device.toHex())
            others << other.name;
    }
    const TrustedDevice *known = m_trust.find(device);
    return known ? known->name : distinctName(name, device.toHex(), others);
}

void Agent::paired(const Fingerprint &device, bool onTrial) {
    if (onTrial) {
        m_trialTimer.start(trialPatience);
    } else if (const auto done = m_onTrial.remove(device); !done) {
        qCWarning(log, "%s", qUtf8Printable(done.error().toString()));
    }
    const TrustedDevice *known = m_trust.find(device);
    if (!known)
        return;
    DeviceInfo info = m_devices[device.toHex()];
    info.id = device.toHex();
    info.name = known->name;
    if (!m_links->isLinked(device)) {
        info.address = known->addresses.value(0);
        info.lastError.clear();
    }
    update(info);
    m_links->dialKnown();
}

Result<void> Agent::ignore(const QString &key) {
    if (!isKeyStart(key)) {
        return fail(QStringLiteral("ignore.no-key"), QStringLiteral("\"%1\" is no key of a device.").arg(key.left(80)),
                    {},
                    QStringLiteral("Give its digits, %1 at least, as \"hearth devices\" lists them.")
                        .arg(Announcement::prefixDigits));
    }
    if (isSameKey(fingerprint().toHex(), key)) {
        return fail(QStringLiteral("ignore.own-key"), QStringLiteral("A device cannot ignore itself."), {},
                    QStringLiteral("Where somebody else announces its key, look for that device."));
    }
    for (const TrustedDevice &each : m_trust.devices()) {
        if (isSameKey(each.fingerprint.toHex(), key)) {
            return fail(QStringLiteral("ignore.trusted"), QStringLiteral("%1 is a device of this home.").arg(each.name),
                        {}, QStringLiteral("Forget it first."));
        }
    }
    IgnoredDevice device{key, {}, QDateTime::currentMSecsSinceEpoch()};
    for (const NearbyDevice &each : nearby().devices) {
        if (isSameKey(each.prefix, key))
            device.name = each.name;
    }
    if (const PairingStatus status = m_pairing->status();
        !status.fingerprint.isEmpty() && isSameKey(status.fingerprint, key))
        device.name = status.name;
    return m_pairing->ignore(device);
}

Result<void> Agent::unignore(const QString &key) {
    if (isKeyStart(key) && m_pairing->ignored().contains(key))
        return m_pairing->unignore(key);
    return fail(QStringLiteral("ignore.unknown"),
                QStringLiteral("No device with the key %1 is ignored.").arg(key.left(80)), {},
                QStringLiteral("See \"hearth ignore\" for those that are."));
}

void Agent::judgeTrials() {
    const std::vector<Fingerprint> left = m_onTrial.devices();
    for (const Fingerprint &device : left) {
        if (m_trust.remove(device) && m_onTrial.remove(device))
            expel(device, notStoredThere(m_devices[device.toHex()].name));
    }
}

bool Agent::isMissedAt(const Fingerprint &device, const QString &address) const {
    const auto hostOf = [](const QString &place) {
        const auto parts = splitAddress(place);
        return QHostAddress(parts ? parts->host : place);
    };
    const TrustedDevice *known = m_trust.find(device);
    const auto at = m_devices.find(device.toHex());
    if (!known || at == m_devices.end() || m_links->isLinked(device))
        return false;
    const QStringList places = known->addresses + QStringList{at->second.address};
    const QHostAddress host = hostOf(address);
    return std::any_of(places.begin(), places.end(), [&](const QString &place) {
        return host.isNull() ? place == address : hostOf(place).isEqual(host, QHostAddress::ConvertV4MappedToIPv4);
    });
}

Error Agent::raiseAlarm(const Fingerprint &device, Error error, const QString &address) {
    const auto at = m_devices.find(device.toHex());
    if (at == m_devices.end())
        return error;
    const QString now = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hh:mm"));
    error.cause = QStringLiteral("It was met at %1 on %2.").arg(address, now) + QLatin1Char(' ') + error.cause;
    DeviceInfo info = at->second;
    info.alarm = error.toString();
    m_alarms[info.id] = QDeadlineTimer(m_options.alarmStands);
    if (!m_alarmTimer.isActive())
        m_alarmTimer.start(m_options.alarmStands);
    update(info);
    return error;
}

void Agent::endAlarms() {
    std::erase_if(m_alarms, [this](const auto &alarm) {
        if (!alarm.second.hasExpired())
            return false;
        if (const auto at = m_devices.find(alarm.first); at != m_devices.end()) {
            DeviceInfo info = at->second;
            info.alarm.clear();
            update(info);
        }
        return true;
    });
    if (!m_alarms.empty())
        m_alarmTimer.start(m_options.alarmStands);
}

void Agent::complain(const Fingerprint &device, const Error &error) {
    const auto at = m_devices.find(device.toHex());
    if (at == m_devices.end())
        return;
    DeviceInfo info = at->second;
    info.lastError = removedThere(device).value_or(error.toString());
    update(info);
}

}  // namespace hearth
