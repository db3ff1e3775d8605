#include "core/home/home_dialler.h"

#include <QDeadlineTimer>
#include <QLoggingCategory>
#include <QRandomGenerator>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/home/device_info.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(dialLog, "hearth.home.dial")

// Whoever announces ever new addresses makes the tables of them no larger.
constexpr qsizetype maximumRemembered = 64;

}  // namespace

struct HomeDialler::Way {
    struct Attempt {
        QString address;
        QObject *context;
    };

    QTimer nextRound;
    QTimer nextAttempt;
    std::chrono::milliseconds pause = firstPause;
    std::deque<QString> waiting;          // addresses of this round
    std::map<quint64, Attempt> underWay;  // of this round
    QString seenAt;                       // where it was linked last; empty before the first time
    QStringList hints;
    QDeadlineTimer mayHurry;               // for announcements
    QHash<QString, QDeadlineTimer> wrong;  // announced addresses of somebody else
    QHash<QString, QString> lastErrors;    // by address: each says the same again only after another

    bool isBusy() const { return !waiting.empty() || !underWay.empty(); }
    void endRound() {
        nextAttempt.stop();
        waiting.clear();
        // One of them may be calling us.
        for (const auto &[id, attempt] : std::exchange(underWay, {}))
            attempt.context->deleteLater();
    }
    ~Way() { endRound(); }
};

HomeDialler::HomeDialler(const TrustStore &trust, Dial dial, IsLinked isLinked, QObject *parent)
    : QObject(parent), m_trust(trust), m_dial(std::move(dial)), m_isLinked(std::move(isLinked)) {}

HomeDialler::~HomeDialler() = default;

HomeDialler::Way &HomeDialler::wayTo(const Fingerprint &device) {
    auto &way = m_ways[device];
    if (!way) {
        way = std::make_unique<Way>();
        way->nextRound.setSingleShot(true);
        way->nextAttempt.setSingleShot(true);
        connect(&way->nextRound, &QTimer::timeout, this, [this, device] { startRound(device); });
        connect(&way->nextAttempt, &QTimer::timeout, this, [this, device] { tryNext(device); });
    }
    return *way;
}

void HomeDialler::dialKnown() {
    for (const TrustedDevice &device : m_trust.devices()) {
        if (m_isLinked(device.fingerprint) || addressesOf(device.fingerprint).isEmpty())
            continue;
        wayTo(device.fingerprint).pause = firstPause;
        startRound(device.fingerprint);
    }
}

void HomeDialler::setSeenAt(const Fingerprint &device, const QString &address) {
    Way &way = wayTo(device);
    way.seenAt = address;
    way.lastErrors.clear();
}

void HomeDialler::setSteady(const Fingerprint &device) {
    if (const auto way = m_ways.find(device); way != m_ways.end())
        way->second->pause = firstPause;
}

void HomeDialler::setHints(const Fingerprint &device, const QStringList &addresses) {
    if (m_stopped || !m_trust.trusts(device))
        return;
    Way &way = wayTo(device);
    const QStringList before = std::exchange(way.hints, addresses.mid(0, maximumHints));
    const QStringList all = addressesOf(device);
    QStringList fresh;
    std::copy_if(way.hints.cbegin(), way.hints.cend(), std::back_inserter(fresh),
                 [&](const QString &hint) { return !before.contains(hint) && all.contains(hint); });
    // A device that has just come up is linked at once, but nobody sets the pace by announcing.
    if (fresh.isEmpty() || m_isLinked(device) || !way.mayHurry.hasExpired())
        return;
    way.mayHurry.setRemainingTime(hintPause);
    way.pause = firstPause;
    if (way.isBusy())
        joinRound(device, fresh);
    else
        startRound(device);
}

void HomeDialler::joinRound(const Fingerprint &device, const QStringList &fresh) {
    Way &way = wayTo(device);
    for (auto hint = fresh.crbegin(); hint != fresh.crend(); ++hint) {
        std::erase(way.waiting, *hint);
        const bool isTried = std::any_of(way.underWay.begin(), way.underWay.end(),
                                         [&](const auto &each) { return each.second.address == *hint; });
        if (!isTried)
            way.waiting.push_front(*hint);
    }
    way.nextAttempt.stop();
    tryNext(device, maximumAtOnce + moreAtOnce);
}

void HomeDialler::stop() {
    m_stopped = true;
    m_ways.clear();
}

void HomeDialler::startRound(const Fingerprint &device) {
    const QStringList addresses = addressesOf(device);
    Way &way = wayTo(device);
    if (m_stopped || addresses.isEmpty() || way.isBusy() || m_isLinked(device))
        return;
    way.nextRound.stop();
    way.waiting.assign(addresses.cbegin(), addresses.cend());
    tryNext(device);
}

void HomeDialler::tryNext(const Fingerprint &device, std::size_t atOnce) {
    Way &way = wayTo(device);
    if (m_isLinked(device))
        way.waiting.clear();  // it was faster
    while (!way.waiting.empty() && way.underWay.size() < atOnce) {
        const QString address = way.waiting.front();
        way.waiting.pop_front();
        const auto parts = splitAddress(address);
        if (!parts)
            continue;
        const quint64 attempt = ++m_lastAttempt;
        auto *context = new QObject(this);
        way.underWay[attempt] = {address, context};
        m_dial(parts->host, parts->port, device, context,
               [this, device, attempt](Result<std::unique_ptr<Channel>> channel) {
                   answered(device, attempt, std::move(channel));
               });
        break;
    }
    if (!way.waiting.empty() && way.underWay.size() < maximumAtOnce)
        way.nextAttempt.start(headStart);
    else if (!way.isBusy())
        dialLater(device);
}

void HomeDialler::answered(const Fingerprint &device, quint64 attempt, Result<std::unique_ptr<Channel>> channel) {
    const auto at = m_ways.find(device);
    if (at == m_ways.end() || !at->second->underWay.contains(attempt))
        return;  // another one was faster
    Way &way = *at->second;
    const Way::Attempt done = way.underWay[attempt];
    way.underWay.erase(attempt);
    done.context->deleteLater();
    if (channel) {
        way.endRound();
        Q_EMIT connected(channel->release(), done.address);
        return;
    }
    if (channel.error().code == QLatin1String("wire.wrong-identity") && way.hints.contains(done.address)) {
        if (way.wrong.size() >= maximumRemembered)
            way.wrong.clear();
        way.wrong[done.address] = QDeadlineTimer(wrongKeyPause);
    }
    noteError(way, done.address, channel.error());
    way.nextAttempt.stop();
    tryNext(device);
    if (channel.error().code == QLatin1String("wire.refused"))
        Q_EMIT notAccepted(device, channel.error());
}

void HomeDialler::noteError(Way &way, const QString &address, const Error &error) {
    if (way.lastErrors.value(address) == error.what.english())
        return;
    if (way.lastErrors.size() >= maximumRemembered)
        way.lastErrors.clear();
    way.lastErrors[address] = error.what.english();
    if (m_logPace.take())
        qCInfo(dialLog, "%s", qUtf8Printable(error.toString()));
}

void HomeDialler::forget(const Fingerprint &device) {
    m_ways.erase(device);
}

bool HomeDialler::isOnlyAnnounced(const Fingerprint &device, const QString &address) const {
    const TrustedDevice *known = m_trust.find(device);
    const auto way = m_ways.find(device);
    return !(known && known->addresses.contains(address)) && !(way != m_ways.end() && way->second->seenAt == address);
}

QStringList HomeDialler::addressesOf(const Fingerprint &device) {
    const TrustedDevice *known = m_trust.find(device);
    if (!known)
        return {};
    QStringList addresses = known->addresses;
    const auto way = m_ways.find(device);
    if (way == m_ways.end())
        return addresses;
    if (const QString &seen = way->second->seenAt; !seen.isEmpty()) {
        addresses.removeAll(seen);
        addresses.prepend(seen);
    }
    // In turn: neither do old addresses that nobody has any more keep a device waiting, nor do invented ones.
    qsizetype place = 1;
    for (const QString &hint : std::as_const(way->second->hints)) {
        if (addresses.contains(hint) || !way->second->wrong.value(hint).hasExpired())
            continue;
        addresses.insert(std::min(place, addresses.size()), hint);
        place += 2;
    }
    return addresses;
}

void HomeDialler::dialLater(const Fingerprint &device) {
    if (m_stopped || !m_trust.trusts(device))
        return;
    Way &way = wayTo(device);
    // Spread, so that a home that comes back after a power cut does not dial in step.
    const auto spread = QRandomGenerator::global()->bounded(static_cast<int>(way.pause.count() / 4) + 1);
    way.nextRound.start(way.pause + std::chrono::milliseconds(spread));
    way.pause = std::min(way.pause * 2, longestPause);
}

}  // namespace hearth
