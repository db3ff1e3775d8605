// Forgetting a device: here at once, and in the whole home by a word that this device signs.
#include <QLoggingCategory>

#include "core/agent/agent.h"
#include "core/home/device_choice.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(log, "hearth.home.removals")

const QString removalsNote = QStringLiteral("removals");
/// Of a word that its teller had when the link began.
const QString knownBefore = QStringLiteral("known");

Error removedHere(const QString &name) {
    return {QStringLiteral("device.forgotten"), QStringLiteral("%1 was removed from the home.").arg(name), {}, {}};
}

}  // namespace

Result<void> Agent::readmit(const Fingerprint &device) {
    // Until its first link after the pairing; an agent that is being installed needs a while.
    constexpr std::chrono::minutes firstLink{10};
    std::erase_if(m_justPaired, [](const auto &each) { return each.second.hasExpired(); });
    m_justPaired[device] = QDeadlineTimer(firstLink);
    return m_removals.readmit(device);
}

Result<void> Agent::forget(const QString &word) {
    const auto known = deviceNamed(devices(), word);
    if (!known)
        return tl::unexpected(known.error());
    if (known->self) {
        return fail(QStringLiteral("device.self"), QStringLiteral("A device cannot forget itself."), {},
                    QStringLiteral("Forget it on the other devices of the home."));
    }
    const auto device = Fingerprint::fromHex(known->id);
    if (!device)
        return tl::unexpected(device.error());
    if (auto said = m_removals.remove(*device); !said)
        return said;
    if (auto gone = m_trust.remove(*device); !gone)
        return gone;
    // The device hears it, too, before its link ends.
    m_links->notifyAll(removalsNote, m_removals.own().toCbor());
    expel(*device, removedHere(known->name));
    return {};
}

Result<void> Agent::distrust(const Fingerprint &device) {
    const TrustedDevice *known = m_trust.find(device);
    if (!known)
        return {};
    const QString name = known->name;
    if (auto gone = m_trust.remove(device); !gone)
        return gone;
    expel(device, removedHere(name));
    return {};
}

void Agent::expel(const Fingerprint &device, const Error &why) {
    const QString id = device.toHex();
    qCInfo(log, "%s", qUtf8Printable(why.toString()));
    m_workers->stopAllOf(id);
    m_links->forget(device, why);
    for (const auto &[run, host] : m_runs)
        host->tellDeviceRemoved(id);
    (void)m_onTrial.remove(device);
    if (m_devices.erase(id) > 0)
        Q_EMIT deviceRemoved(id);
}

void Agent::serveRemovals() {
    m_links->onNotify(removalsNote,
                      [this](const Fingerprint &from, const QCborMap &told) { takeRemovals(from, told); });
    connect(m_links.get(), &HomeLinks::linked, this, [this](const Fingerprint &device) { tellRemovals(device); });
}

void Agent::tellRemovals(const Fingerprint &device) {
    for (const RemovalRoster &word : m_removals.words()) {
        QCborMap told = word.toCbor();
        told[knownBefore] = true;
        m_links->notify(device, removalsNote, told);
    }
}

/// Whoever passes it on, what counts is who has signed it, and whether that device is trusted now.
void Agent::takeRemovals(const Fingerprint &from, const QCborMap &told) {
    const auto word = RemovalRoster::fromCbor(told);
    if (!word || (word->signer != fingerprint() && !m_trust.trusts(word->signer))) {
        qCWarning(log, "%s",
                  qUtf8Printable(word ? QStringLiteral("A list of removed devices is of somebody who is not trusted.")
                                      : word.error().toString()));
        return;
    }
    const auto paired = m_justPaired.find(from);
    const bool brings = told[knownBefore].toBool() && paired != m_justPaired.end() && !paired->second.hasExpired();
    const auto taken = m_removals.take(*word, brings ? std::optional(from) : std::nullopt);
    if (!taken)
        qCWarning(log, "%s", qUtf8Printable(taken.error().toString()));
    else if (*taken && word->signer == fingerprint())
        m_links->notifyAll(removalsNote, m_removals.own().toCbor());
    else if (*taken)
        m_links->notifyAll(removalsNote, word->toCbor());
    followRemovals();
    const auto known = m_devices.find(word->signer.toHex());
    if (const auto why = removedThere(word->signer); why && known != m_devices.end()) {
        DeviceInfo info = known->second;
        info.lastError = *why;
        update(info);
    }
}

std::optional<QString> Agent::removedThere(const Fingerprint &device) const {
    if (!m_removals.hasRemoved(device, fingerprint()))
        return std::nullopt;
    const Error why{QStringLiteral("device.forgotten-there"),
                    QStringLiteral("It has removed this device from the home."),
                    {},
                    QStringLiteral("Pair the two again if that was a mistake.")};
    return why.toString();
}

void Agent::followRemovals() {
    while (const auto device = m_removals.removedFrom(m_trust)) {
        const QString name = m_trust.find(*device)->name;
        if (const auto gone = m_trust.remove(*device); !gone) {
            qCWarning(log, "%s", qUtf8Printable(gone.error().toString()));
            return;
        }
        expel(*device, removedHere(name));
    }
}

}  // namespace hearth
