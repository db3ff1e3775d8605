// What a person asks of the pairing, and sees of it.
#include <algorithm>
#include <cmath>

#include "core/base/host_port.h"
#include "core/base/sentence.h"
#include "core/pairing/pairing_error.h"
#include "core/pairing/pairing_service_private.h"

namespace hearth {
namespace {

using State = PairingSession::State;

constexpr std::size_t maximumTargets = 16;

tl::unexpected<Error> nothingThere(const Sentence &what) {
    return fail(QStringLiteral("pairing.none"), what, sentence("It may have ended meanwhile."),
                sentence("Start again."));
}

PairingPhase phaseOf(const PairingSession &session, bool isAccepted) {
    switch (session.state()) {
        case State::Waiting:
            return isAccepted ? PairingPhase::Connecting : PairingPhase::WantsToPair;
        case State::Asking:
            return PairingPhase::Asking;
        case State::Compare:
            return PairingPhase::Compare;
        case State::Confirmed:
        case State::Storing:
        case State::Acknowledging:
            return PairingPhase::WaitingForOther;
        case State::Paired:
            return PairingPhase::Paired;
        case State::Introduction:
        case State::Reveal:
        case State::OnTrial:
        case State::Failed:
            break;
    }
    return PairingPhase::Connecting;
}

QString addressText(const PairingService::Target &target) {
    return joinAddress(target.host, target.port);
}

}  // namespace

Result<void> PairingService::start(const std::vector<Target> &addresses, const QString &prefix) {
    if (addresses.empty() || addresses.size() > maximumTargets) {
        return fail(QStringLiteral("pairing.no-address"), sentence("There is no address to pair with."), {},
                    sentence("Give one to %1 addresses.").arg(maximumTargets));
    }
    if (m_attempt && m_attempt->isAccepted)
        return tl::unexpected(ownEnd(PairingEnd::Busy));
    if (const auto wait = m_backoff.wait(Clock::now()); wait.count() > 0) {
        return fail(
            QStringLiteral("pairing.wait"),
            sentence("Pairing pauses for %1 s.")
                .arg(static_cast<qint64>(std::ceil(static_cast<double>(wait.count()) / 1000))),
            sentence(
                "{1|The last attempt has|The last %1 attempts in a row have} failed, and the pause grows with each.")
                .arg(m_backoff.failures()),
            sentence("Wait, and then compare the digits with care."));
    }
    // Who waits here may be the very device: the digits will tell.
    const auto waits = [&](const Target &target) {
        return m_attempt && m_attempt->session && m_attempt->session->state() == State::Waiting &&
               m_attempt->link->peer().toHex().startsWith(prefix) &&
               QHostAddress(target.host) == m_attempt->link->address() && target.port == m_attempt->session->peerPort();
    };
    if (std::ranges::any_of(addresses, waits)) {
        acceptWaiting();
        return {};
    }
    if (m_attempt && m_attempt->link)
        m_attempt->link->send(encodePairingMessage(PairingEnd::Busy));
    drop();
    m_last = {};
    m_attempt = std::make_unique<Attempt>();
    m_attempt->targets = addresses;
    m_attempt->prefix = prefix;
    m_attempt->isAccepted = true;
    m_timer.start();
    dial(0);
    Q_EMIT changed();
    return {};
}

Result<void> PairingService::accept(const Fingerprint &seen) {
    if (!m_attempt || !m_attempt->session || m_attempt->session->state() != State::Waiting)
        return nothingThere(sentence("No device waits to be paired."));
    if (m_attempt->session->peer() != seen) {
        return fail(QStringLiteral("pairing.changed"),
                    sentence("Another device than the one that was shown waits to be paired now."),
                    sentence("The one that was shown has gone."),
                    sentence("Look at who it is, and accept it if it is yours."));
    }
    acceptWaiting();
    return {};
}

void PairingService::acceptWaiting() {
    m_attempt->isAccepted = true;
    carryOut(m_attempt->session->accept(Clock::now()));
}

Result<void> PairingService::confirm(bool match, const QString &seen) {
    if (!m_attempt || !m_attempt->session || m_attempt->session->state() != State::Compare)
        return nothingThere(sentence("There are no digits to confirm."));
    if (m_attempt->session->code() != seen) {
        return fail(QStringLiteral("pairing.changed"),
                    sentence("Other digits than those that were shown are to be compared now."),
                    sentence("The attempt to which they belonged has ended."),
                    sentence("Compare the digits that are shown now."));
    }
    carryOut(m_attempt->session->confirm(match, Clock::now()));
    return {};
}

Result<void> PairingService::cancel() {
    if (!m_attempt && m_last.phase == PairingPhase::None)
        return nothingThere(sentence("There is no pairing to cancel."));
    if (!m_attempt) {
        m_last = {};
        Q_EMIT changed();
        return {};
    }
    if (!m_attempt->session) {
        finish(PairingPhase::Failed, ownEnd(PairingEnd::Cancelled));
        return {};
    }
    const State state = m_attempt->session->state();
    if (state == State::Storing || state == State::Acknowledging) {
        return fail(QStringLiteral("pairing.too-late"), sentence("It is too late to cancel the pairing."),
                    sentence("Both devices have confirmed the digits."),
                    sentence("Forget the device if you have changed your mind."));
    }
    carryOut(m_attempt->session->cancel());
    return {};
}

Result<void> PairingService::ignore(const IgnoredDevice &stranger) {
    if (auto added = m_ignored.add(stranger); !added)
        return added;
    const bool waits = m_attempt && !m_attempt->isAccepted && m_attempt->session &&
                       isSameKey(m_attempt->link->peer().toHex(), stranger.key) && !m_attempt->session->isOver();
    if (waits)
        carryOut(m_attempt->session->cancel());
    Q_EMIT ignoredChanged();
    return {};
}

Result<void> PairingService::unignore(const QString &key) {
    auto removed = m_ignored.remove(key);
    if (removed)
        Q_EMIT ignoredChanged();
    return removed;
}

PairingStatus PairingService::status() const {
    const bool isShown = m_attempt && (m_attempt->isAccepted ||
                                       (m_attempt->session && m_attempt->session->state() != State::Introduction));
    if (!isShown)
        return m_last;
    const auto &attempt = *m_attempt;
    PairingStatus status;
    status.phase = PairingPhase::Connecting;
    status.incoming = attempt.role == PairingRole::Responder;
    if (!attempt.targets.empty())
        status.address = addressText(attempt.targets[attempt.tried]);
    else if (attempt.link)
        status.address = attempt.link->address().toString();
    status.name = status.address;
    auto left = std::chrono::ceil<std::chrono::milliseconds>(attempt.began + m_limits.times.whole - Clock::now());
    if (attempt.link)
        status.fingerprint = attempt.link->peer().toHex();
    if (attempt.session) {
        const PairingSession &session = *attempt.session;
        status.phase = phaseOf(session, attempt.isAccepted);
        if (!session.peerName().isEmpty())
            status.name = m_home.shownName(session.peer(), session.peerName());
        if (status.phase == PairingPhase::Compare || status.phase == PairingPhase::WaitingForOther)
            status.code = session.code();
        left = session.timeLeft(Clock::now());
    }
    status.secondsLeft = static_cast<int>(std::max<qint64>(0, (left.count() + 999) / 1000));
    return status;
}

}  // namespace hearth
