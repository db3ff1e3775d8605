// Forgetting a device: here at once, and in the whole home by a word that this device signs.
#include <QLoggingCategory>
#include <algorithm>
#include <utility>

#include "core/agent/trust_service.h"
#include "core/home/device_choice.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(removalsLog, "hearth.home.removals")

const QString removalsNote = QStringLiteral("removals");
/// Of a word that its teller had when the link began.
const QString knownBefore = QStringLiteral("known");

// So long words wait for others when many come.
constexpr std::chrono::seconds removalsPause{2};

Error removedHere(const QString &name) {
    return {QStringLiteral("device.forgotten"), sentence("%1 was removed from the home.").arg(name), {}, {}};
}

}  // namespace

Result<void> TrustService::readmit(const Fingerprint &device) {
    // Until its first link after the pairing; an agent that is being installed needs a while.
    constexpr std::chrono::minutes firstLink{10};
    std::erase_if(m_justPaired, [](const auto &each) { return each.second.hasExpired(); });
    m_justPaired[device] = QDeadlineTimer(firstLink);
    takeUntaken();  // it was known before
    return m_stores.removals.readmit(device);
}

Result<void> TrustService::add(const IdentityFile &device) {
    if (device.fingerprint == m_devices.own()) {
        return fail(QStringLiteral("trust.self"), sentence("This is the identity of this very device."), QString(),
                    sentence("Give the file of another device."));
    }
    if (auto readmitted = readmit(device.fingerprint); !readmitted)
        return readmitted;
    // A name that it has here already stays.
    const QString name = m_stores.trust.nameOf(device.fingerprint, device.name);
    if (auto added = m_stores.trust.add({device.fingerprint, name, device.addresses}); !added)
        return added;
    if (!m_devices.find(device.fingerprint.toHex())) {
        DeviceInfo info;
        info.id = device.fingerprint.toHex();
        info.name = device.name;
        info.address = device.addresses.value(0);
        info.otherAddresses = m_stores.trust.addressesBeside(device.fingerprint, info.address);
        m_devices.update(info);
    }
    m_links.dialKnown();
    return {};
}

Result<void> TrustService::forget(const QString &word) {
    const auto known = deviceNamed(m_devices.all(), word);
    if (!known)
        return tl::unexpected(known.error());
    if (known->self) {
        return fail(QStringLiteral("device.self"), sentence("A device cannot forget itself."), {},
                    sentence("Forget it on the other devices of the home."));
    }
    const auto device = Fingerprint::fromHex(known->id);
    if (!device)
        return tl::unexpected(device.error());
    if (auto said = m_stores.removals.remove(*device); !said)
        return said;
    if (auto gone = m_stores.trust.remove(*device); !gone)
        return gone;
    // The device hears it, too, before its link ends.
    m_links.notifyAll(removalsNote, m_stores.removals.own().toCbor());
    expel(*device, removedHere(known->name));
    return {};
}

Result<void> TrustService::distrust(const Fingerprint &device) {
    const TrustedDevice *known = m_stores.trust.find(device);
    if (!known)
        return {};
    const QString name = known->name;
    if (auto gone = m_stores.trust.remove(device); !gone)
        return gone;
    expel(device, removedHere(name));
    return {};
}

void TrustService::expel(const Fingerprint &device, const Error &why) {
    const QString id = device.toHex();
    qCInfo(removalsLog, "%s", qUtf8Printable(why.toString()));
    m_workers.stopAllOf(id);
    m_links.forget(device, why);
    Q_EMIT expelled(id);
    (void)m_stores.onTrial.remove(device);
    m_devices.remove(id);
}

void TrustService::serveRemovals() {
    m_links.onNotify(removalsNote, [this](const Fingerprint &from, const QCborMap &told) { takeRemovals(from, told); });
    connect(&m_links, &HomeLinks::linked, this, [this](const Fingerprint &device) { tellRemovals(device); });
    m_removalsTimer.setSingleShot(true);
    connect(&m_removalsTimer, &QTimer::timeout, this, &TrustService::takeUntaken);
}

void TrustService::tellRemovals(const Fingerprint &device) {
    for (const RemovalRoster &word : m_stores.removals.words()) {
        QCborMap told = word.toCbor();
        told[knownBefore] = true;
        m_links.notify(device, removalsNote, told);
    }
}

/// Whoever passes it on, what counts is who has signed it, and whether that device is trusted now.
void TrustService::takeRemovals(const Fingerprint &from, const QCborMap &told) {
    const auto word = RemovalRoster::fromCbor(told);
    if (!word || (word->signer != m_devices.own() && !m_stores.trust.trusts(word->signer))) {
        noteTrouble(word ? QStringLiteral("A list of removed devices is of somebody who is not trusted.")
                         : word.error().toString());
        return;
    }
    const auto paired = m_justPaired.find(from);
    const bool brings = told[knownBefore].toBool() && paired != m_justPaired.end() && !paired->second.hasExpired();
    if (!m_stores.removals.isNews(*word)) {
        followRemovals();
        showRemovedThere(word->signer);
        return;
    }
    // Two of the own key may say different things under one number, and both count.
    if (word->signer == m_devices.own())
        takeUntaken();
    const Removals::Told news{*word, brings ? std::optional(from) : std::nullopt};
    const auto waiting = std::ranges::find_if(m_untaken, [&](const Removals::Told &each) {
        return each.word.signer == news.word.signer && each.paired == news.paired;
    });
    if (waiting == m_untaken.end())
        m_untaken.push_back(news);
    else if (news.word.epoch > waiting->word.epoch)
        *waiting = news;
    if (m_removalsTakes.take())
        takeUntaken();
    else if (!m_removalsTimer.isActive())
        m_removalsTimer.start(removalsPause);
}

void TrustService::takeUntaken() {
    if (m_untaken.empty())
        return;
    std::vector<Removals::Told> words = std::exchange(m_untaken, {});
    std::erase_if(words, [this](const Removals::Told &each) {
        return each.word.signer != m_devices.own() && !m_stores.trust.trusts(each.word.signer);
    });
    const auto taken = m_stores.removals.takeAll(words);
    if (taken.trouble)
        noteTrouble(taken.trouble->toString());
    for (const std::size_t place : taken.news) {
        const bool isOwn = words[place].word.signer == m_devices.own();
        m_links.notifyAll(removalsNote, (isOwn ? m_stores.removals.own() : words[place].word).toCbor());
    }
    followRemovals();
    for (const Removals::Told &each : words)
        showRemovedThere(each.word.signer);
}

void TrustService::showRemovedThere(const Fingerprint &signer) {
    const DeviceInfo *known = m_devices.find(signer.toHex());
    if (const auto why = removedThere(signer); why && known) {
        DeviceInfo info = *known;
        info.lastError = *why;
        m_devices.update(info);
    }
}

void TrustService::noteTrouble(const QString &why) {
    if (m_removalsPace.take())
        qCWarning(removalsLog, "%s", qUtf8Printable(why));
}

std::optional<Sentence> TrustService::removedThere(const Fingerprint &device) const {
    if (!m_stores.removals.hasRemoved(device, m_devices.own()))
        return std::nullopt;
    const Error why{QStringLiteral("device.forgotten-there"),
                    sentence("It has removed this device from the home."),
                    {},
                    sentence("Pair the two again if that was a mistake.")};
    return why.toSentence();
}

void TrustService::followRemovals() {
    while (const auto device = m_stores.removals.removedFrom(m_stores.trust)) {
        const QString name = m_stores.trust.find(*device)->name;
        if (const auto gone = m_stores.trust.remove(*device); !gone) {
            noteTrouble(gone.error().toString());
            return;
        }
        expel(*device, removedHere(name));
    }
}

}  // namespace hearth
