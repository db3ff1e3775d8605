// Forgetting a device: here at once, and in the whole home by a word that this device signs.
#include <QLoggingCategory>

#include "core/home/agent.h"
#include "core/home/device_choice.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(log, "hearth.home.removals")

const QString removalsNote = QStringLiteral("removals");

Error removedHere(const QString &name) {
    return {QStringLiteral("device.forgotten"), QStringLiteral("%1 was removed from the home.").arg(name), {}, {}};
}

}  // namespace

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
    m_links->onNotify(removalsNote, [this](const Fingerprint &, const QCborMap &told) { takeRemovals(told); });
    connect(m_links.get(), &HomeLinks::linked, this, [this](const Fingerprint &device) { tellRemovals(device); });
}

void Agent::tellRemovals(const Fingerprint &device) {
    for (const RemovalRoster &word : m_removals.words())
        m_links->notify(device, removalsNote, word.toCbor());
}

/// Whoever passes it on, what counts is who has signed it, and whether that device is trusted now.
void Agent::takeRemovals(const QCborMap &told) {
    const auto word = RemovalRoster::fromCbor(told);
    if (!word || !m_trust.trusts(word->signer)) {
        qCWarning(log, "%s",
                  qUtf8Printable(word ? QStringLiteral("A list of removed devices is of somebody who is not trusted.")
                                      : word.error().toString()));
        return;
    }
    const auto news = m_removals.news(*word);
    if (!news)
        return;
    // First the trust, then the word: one that could not be followed is new again when it is heard next.
    for (const Fingerprint &device : *news) {
        if (device == word->signer)
            continue;
        if (const auto gone = m_trust.remove(device); !gone) {
            qCWarning(log, "%s", qUtf8Printable(gone.error().toString()));
            return;
        }
    }
    if (const auto kept = m_removals.take(*word); !kept)
        qCWarning(log, "%s", qUtf8Printable(kept.error().toString()));
    else
        m_links->notifyAll(removalsNote, told);
    for (const Fingerprint &device : *news) {
        if (device == fingerprint()) {
            complain(word->signer, {QStringLiteral("device.forgotten-there"),
                                    QStringLiteral("It has removed this device from the home."),
                                    {},
                                    QStringLiteral("Pair the two again if that was a mistake.")});
        } else if (const auto known = m_devices.find(device.toHex());
                   known != m_devices.end() && !m_trust.trusts(device)) {
            expel(device, removedHere(known->second.name));
        }
    }
}

}  // namespace hearth
