#include "core/pairing/pairing_session.h"

#include <algorithm>

#include "core/base/sentence.h"
#include "core/pairing/pairing_error.h"

namespace hearth {

PairingSession::PairingSession(PairingRole role, const PairingKeys &keys, Self self, Time now, PairingTimes times)
    : m_role(role),
      m_keys(keys),
      m_self(std::move(self)),
      m_times(times),
      m_end(now + times.whole),
      m_step(now + times.step) {}

bool PairingSession::isOver() const {
    return m_state == State::Paired || m_state == State::OnTrial || m_state == State::Failed;
}

const Fingerprint &PairingSession::peer() const {
    return m_role == PairingRole::Initiator ? m_keys.responder : m_keys.initiator;
}

std::chrono::milliseconds PairingSession::timeLeft(Time now) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(m_end - now);
    return std::max(left, std::chrono::milliseconds(0));
}

void PairingSession::enter(State state, Time now, bool person) {
    m_state = state;
    // What a person does has only the end of the whole as its deadline.
    m_step = person ? m_end : now + m_times.step;
}

PairingSession::Todo PairingSession::start() {
    PairingHello hello{m_self.name, m_self.port, {}};
    // The responder speaks when it has heard whom it speaks to.
    if (m_role == PairingRole::Responder)
        return {};
    hello.commitment = pairingCommitment(m_keys, m_self.nonce);
    return {{encodePairingMessage(hello)}};
}

PairingSession::Todo PairingSession::receive(const QByteArray &message, Time now) {
    if (isOver())
        return {};
    const auto decoded = decodePairingMessage(message);
    if (!decoded)
        return broken(decoded.error().cause);
    return std::visit([this, now](const auto &each) { return take(each, now); }, *decoded);
}

PairingSession::Todo PairingSession::take(const PairingHello &hello, Time now) {
    const bool isInitiator = m_role == PairingRole::Initiator;
    if (m_state != State::Introduction || hello.commitment.isEmpty() != isInitiator)
        return broken(sentence("It introduced itself out of turn."));
    m_peerName = hello.name;
    m_peerPort = hello.port;
    m_commitment = hello.commitment;
    if (isInitiator) {
        enter(State::Asking, now, true);
        return {};
    }
    enter(State::Waiting, now, true);
    return {{encodePairingMessage(PairingHello{m_self.name, m_self.port, {}})}};
}

PairingSession::Todo PairingSession::accept(Time now) {
    if (m_state != State::Waiting)
        return {};
    // From here on the initiator can compute the digits, and leave when they do not suit it.
    m_isAttempt = true;
    enter(State::Reveal, now);
    return {{encodePairingMessage(PairingNonce{m_self.nonce})}};
}

PairingSession::Todo PairingSession::take(const PairingNonce &nonce, Time now) {
    if (m_state != State::Asking)
        return broken(sentence("It sent a number out of turn."));
    m_isAttempt = true;
    Todo todo = compare(m_self.nonce, nonce.nonce, now);
    todo.send << encodePairingMessage(PairingReveal{m_self.nonce});
    return todo;
}

PairingSession::Todo PairingSession::take(const PairingReveal &reveal, Time now) {
    if (m_state != State::Reveal)
        return broken(sentence("It revealed a number out of turn."));
    if (!keepsCommitment(m_commitment, m_keys, reveal.nonce))
        return broken(sentence("It revealed another number than the one it had committed to."));
    return compare(reveal.nonce, m_self.nonce, now);
}

PairingSession::Todo PairingSession::compare(const QByteArray &initiator, const QByteArray &responder, Time now) {
    m_code = pairingCode(m_keys, initiator, responder);
    enter(State::Compare, now, true);
    return {};
}

PairingSession::Todo PairingSession::confirm(bool match, Time now) {
    if (m_state != State::Compare)
        return {};
    if (!match)
        return fail(ownEnd(PairingEnd::Mismatch), PairingEnd::Mismatch);
    const QByteArrayList send{encodePairingMessage(PairingConfirm{})};
    if (m_peerConfirmed)
        return bothConfirmed(send);
    enter(State::Confirmed, now, true);
    return {send};
}

PairingSession::Todo PairingSession::take(const PairingConfirm &, Time) {
    if ((m_state != State::Compare && m_state != State::Confirmed) || m_peerConfirmed)
        return broken(sentence("It confirmed out of turn."));
    m_peerConfirmed = true;
    return m_state == State::Confirmed ? bothConfirmed({}) : Todo{};
}

PairingSession::Todo PairingSession::bothConfirmed(QByteArrayList send) {
    m_state = State::Storing;
    return {std::move(send), true};
}

PairingSession::Todo PairingSession::stored(const Result<void> &result, Time now) {
    if (m_state != State::Storing)
        return {};
    if (!result) {
        Error error = ownEnd(PairingEnd::NotStored);
        error.cause = result.error().toSentence();
        return fail(error, PairingEnd::NotStored);
    }
    enter(State::Acknowledging, now);
    return {{encodePairingMessage(PairingStored{})}};
}

PairingSession::Todo PairingSession::take(const PairingStored &, Time) {
    if (m_state != State::Acknowledging)
        return broken(sentence("It stored out of turn."));
    m_state = State::Paired;
    Todo todo;
    todo.close = true;
    return todo;
}

PairingSession::Todo PairingSession::take(PairingEnd end, Time) {
    m_endedBy = end;
    const bool takesBack = m_state == State::Acknowledging;
    Todo todo = fail(theirEnd(end), std::nullopt);
    todo.unstore = takesBack;
    return todo;
}

PairingSession::Todo PairingSession::cancel(PairingEnd why) {
    // Both have confirmed by then: what is decided is settled by the other end's word or by the first link.
    if (isOver() || m_state == State::Storing || m_state == State::Acknowledging)
        return {};
    return fail(ownEnd(why), why);
}

PairingSession::Todo PairingSession::disconnected() {
    if (isOver())
        return {};
    if (m_state == State::Acknowledging) {
        m_state = State::OnTrial;
        m_error = pairingUnsure();
        return {};
    }
    return fail(pairingLost(), std::nullopt);
}

PairingSession::Todo PairingSession::tick(Time now) {
    if (isOver() || now < m_step)
        return {};
    if (m_state == State::Acknowledging) {
        Todo todo = disconnected();
        todo.close = true;
        return todo;
    }
    return fail(now < m_end ? pairingSilent(m_times.step) : ownEnd(PairingEnd::Late), PairingEnd::Late);
}

PairingSession::Todo PairingSession::broken(const Sentence &cause) {
    const bool takesBack = m_state == State::Acknowledging;
    Error error = ownEnd(PairingEnd::Broken);
    error.cause = cause;
    Todo todo = fail(error, PairingEnd::Broken);
    todo.unstore = takesBack;
    return todo;
}

PairingSession::Todo PairingSession::fail(const Error &error, std::optional<PairingEnd> tell) {
    m_state = State::Failed;
    m_error = error;
    m_code.clear();
    Todo todo;
    todo.close = true;
    if (tell)
        todo.send << encodePairingMessage(*tell);
    return todo;
}

}  // namespace hearth
