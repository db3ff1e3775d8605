#include "core/pairing/pairing_service.h"

#include <QLoggingCategory>
#include <algorithm>

#include "core/base/host_port.h"
#include "core/base/sentence.h"
#include "core/pairing/pairing_error.h"
#include "core/pairing/pairing_service_private.h"
#include "core/wire/stranger_dial.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(pairingLog, "hearth.home.pairing")

// Deadlines are looked at so often.
constexpr std::chrono::milliseconds tickPause{200};

}  // namespace

PairingService::PairingService(Identity identity, IgnoreList ignored, Home home, QObject *parent)
    : QObject(parent), m_identity(std::move(identity)), m_ignored(std::move(ignored)), m_home(std::move(home)) {
    m_timer.setInterval(tickPause);
    connect(&m_timer, &QTimer::timeout, this, &PairingService::tick);
}

PairingService::~PairingService() {
    drop();
}

void PairingService::setLimits(const PairingLimits &limits) {
    m_limits = limits;
    m_backoff.setTimes(limits.backoff);
    m_strangers = StrangerPauses(limits.strangers);
}

// ---- Who comes -----------------------------------------------------------------------------------------------------

void PairingService::take(StrangerLink *stranger) {
    std::unique_ptr<StrangerLink> link(stranger);
    if (link->peer() == m_identity.fingerprint())
        return turnAway(std::move(link), PairingEnd::Refused);
    if (cross(link))
        return;
    if (m_attempt)
        return turnAway(std::move(link), PairingEnd::Busy);
    if (m_backoff.wait(Clock::now()).count() > 0 || m_strangers.wait(link->address(), Clock::now()).count() > 0)
        return turnAway(std::move(link), PairingEnd::Later);
    adopt(std::move(link));
}

void PairingService::adopt(std::unique_ptr<StrangerLink> link) {
    const bool accepted = m_attempt && m_attempt->isAccepted;
    drop();
    m_attempt = std::make_unique<Attempt>();
    m_attempt->isAccepted = accepted;
    begin(PairingRole::Responder, std::move(link));
}

bool PairingService::cross(std::unique_ptr<StrangerLink> &link) {
    if (!m_attempt || m_attempt->role != PairingRole::Initiator)
        return false;
    const Fingerprint &from = link->peer();
    if (m_attempt->expected == from) {
        adopt(std::move(link));
        return true;
    }
    if (!m_attempt->link) {
        if (m_attempt->held || m_attempt->expected || !isWanted(from))
            return false;
        m_attempt->held = std::move(link);
        m_attempt->held->setReceiving(false);
        m_attempt->heldUntil = Clock::now() + m_limits.held;
        return true;
    }
    if (m_attempt->link->peer() != from || m_attempt->session->isAttempt())
        return false;
    // Both people have begun: the connection that the lower key dialled stays, as with the links of the home.
    if (m_identity.fingerprint() < from)
        turnAway(std::move(link), PairingEnd::Crossed);
    else
        adopt(std::move(link));
    return true;
}

void PairingService::turnAway(std::unique_ptr<StrangerLink> link, PairingEnd why) {
    link->send(encodePairingMessage(why));
    link->close();
    link.release()->deleteLater();  // we may be inside its signal
}

// ---- Dialling ------------------------------------------------------------------------------------------------------

void PairingService::dial(std::size_t index) {
    m_attempt->tried = index;
    const Target target = m_attempt->targets[index];
    QObject *context = m_attempt->dialling.get();
    dialStranger(m_identity, target.host, target.port, m_limits.dial, context,
                 [this, context](Result<std::unique_ptr<StrangerLink>> link) {
                     if (!m_attempt || m_attempt->dialling.get() != context)
                         return;  // of an attempt that has ended
                     if (link)
                         dialled(std::move(*link));
                     else
                         dialNext(link.error());
                 });
}

void PairingService::dialNext(const Error &error) {
    if (m_attempt->tried + 1 < m_attempt->targets.size()) {
        dial(m_attempt->tried + 1);
        return;
    }
    // Perhaps only this direction is blocked: who has dialled this device meanwhile may be the very one.
    if (auto held = std::move(m_attempt->held); held && held->isOpen())
        adopt(std::move(held));
    else
        finish(PairingPhase::Failed, error);
}

bool PairingService::isWanted(const Fingerprint &peer) const {
    return peer.toHex().startsWith(m_attempt->prefix);
}

void PairingService::dialled(std::unique_ptr<StrangerLink> link) {
    if (!isWanted(link->peer())) {
        const Target &target = m_attempt->targets[m_attempt->tried];
        turnAway(std::move(link), PairingEnd::Cancelled);
        dialNext({QStringLiteral("pairing.other-key"), sentence("The device that was chosen was not met."),
                  sentence("At %1 another one answers than the one that was announced.")
                      .arg(joinAddress(target.host, target.port)),
                  sentence("Look at the list of devices nearby again, or pair by an address.")});
        return;
    }
    if (link->peer() == m_identity.fingerprint()) {
        finish(PairingPhase::Failed, Error{QStringLiteral("pairing.self"),
                                           sentence("This address leads to this very device."),
                                           {},
                                           sentence("Give the address of another one.")});
        return;
    }
    auto held = std::move(m_attempt->held);
    const bool isSame = held && held->isOpen() && held->peer() == link->peer();
    if (isSame && link->peer() < m_identity.fingerprint()) {
        turnAway(std::move(link), PairingEnd::Crossed);
        adopt(std::move(held));
        return;
    }
    if (held)
        turnAway(std::move(held), isSame ? PairingEnd::Crossed : PairingEnd::Busy);
    begin(PairingRole::Initiator, std::move(link));
}

void PairingService::waitForCrossing() {
    m_attempt->expected = m_attempt->link->peer();
    m_attempt->expectedUntil = Clock::now() + m_limits.crossed;
    m_attempt->session.reset();
    m_attempt->link->disconnect(this);
    m_attempt->link->close();
    m_attempt->link.release()->deleteLater();
    Q_EMIT changed();
}

// ---- The session ---------------------------------------------------------------------------------------------------

void PairingService::begin(PairingRole role, std::unique_ptr<StrangerLink> link) {
    const bool isInitiator = role == PairingRole::Initiator;
    const Fingerprint &own = m_identity.fingerprint();
    const PairingKeys keys{isInitiator ? own : link->peer(), isInitiator ? link->peer() : own};
    m_attempt->role = role;
    m_attempt->link = std::move(link);
    m_attempt->link->setReceiving(true);
    m_attempt->session.emplace(role, keys, PairingSession::Self{m_home.name(), m_home.port(), makePairingNonce()},
                               Clock::now(), m_limits.times);
    ++m_attempts;
    StrangerLink *raw = m_attempt->link.get();
    connect(raw, &StrangerLink::received, this, &PairingService::received);
    connect(raw, &StrangerLink::closed, this, [this](const Error &reason) {
        qCInfo(pairingLog, "A pairing lost its connection: %s %s", qUtf8Printable(reason.what),
               qUtf8Printable(reason.cause));
        carryOut(reason.code == QLatin1String("wire.bad-frame") ? m_attempt->session->cancel(PairingEnd::Broken)
                                                                : m_attempt->session->disconnected());
    });
    m_timer.start();
    carryOut(m_attempt->session->start());
}

void PairingService::received(const QByteArray &message) {
    const auto before = m_attempt->session->state();
    const PairingSession::Todo todo = m_attempt->session->receive(message, Clock::now());
    if (before == PairingSession::State::Introduction && !m_attempt->session->isOver()) {
        if (!introduced())
            return;
        m_last = {};
    }
    carryOut(todo);
    if (m_attempt && m_attempt->isAccepted && m_attempt->session &&
        m_attempt->session->state() == PairingSession::State::Waiting)
        carryOut(m_attempt->session->accept(Clock::now()));
}

/// Whether the other end may call itself as it does.
bool PairingService::introduced() {
    const PairingSession &session = *m_attempt->session;
    const auto objection = m_home.objection(session.peer(), session.peerName());
    if (!objection)
        return true;
    qCWarning(pairingLog, "Not paired: %s", qUtf8Printable(objection->toString()));
    m_attempt->link->disconnect(this);
    m_attempt->link->send(encodePairingMessage(PairingEnd::Refused));
    m_attempt->link->close();
    // To a person it is an entry that never was, unless the person has asked for it; the alarm stands at the device.
    if (m_attempt->isAccepted) {
        finish(PairingPhase::Failed, objection);
        return false;
    }
    PairingStatus stranger;
    stranger.incoming = true;
    stranger.name = session.peerName();
    stranger.fingerprint = session.peer().toHex();
    stranger.address = m_attempt->link->address().toString();
    stranger.error = objection;
    m_strangers.left(m_attempt->link->address(), Clock::now());
    finish(PairingPhase::None, std::nullopt);
    Q_EMIT refused(stranger);
    return false;
}

void PairingService::carryOut(const PairingSession::Todo &todo) {
    if (m_attempt->session->endedBy() == PairingEnd::Crossed && !m_attempt->session->isAttempt() &&
        m_attempt->role == PairingRole::Initiator && m_attempt->link->peer() < m_identity.fingerprint()) {
        waitForCrossing();
        return;
    }
    for (const QByteArray &message : todo.send)
        m_attempt->link->send(message);
    if (todo.store) {
        const PairingSession &session = *m_attempt->session;
        PairedDevice device{session.peer(), session.peerName(), {}};
        const QString host = m_attempt->link->address().toString();
        if (!m_attempt->targets.empty()) {
            const Target &target = m_attempt->targets[m_attempt->tried];
            device.addresses << joinAddress(target.host, target.port);
        }
        if (session.peerPort() > 0 && !device.addresses.contains(joinAddress(host, session.peerPort())))
            device.addresses << joinAddress(host, session.peerPort());
        carryOut(m_attempt->session->stored(m_home.trust(device), Clock::now()));
        return;
    }
    if (todo.unstore)
        m_home.distrust(m_attempt->session->peer());
    if (todo.close)
        m_attempt->link->close();
    if (m_attempt->session->isOver())
        sessionOver();
    else
        Q_EMIT changed();
}

void PairingService::sessionOver() {
    const PairingSession &session = *m_attempt->session;
    const auto state = session.state();
    const Fingerprint peer = session.peer();
    if (state == PairingSession::State::Paired || state == PairingSession::State::OnTrial) {
        m_backoff.succeed();
        m_strangers.paired(m_attempt->link->address());
        // Whoever is paired is not ignored any more; where that cannot be saved, only a later pairing is refused.
        if (m_ignored.contains(peer.toHex()))
            (void)unignore(peer.toHex());
        const bool onTrial = state == PairingSession::State::OnTrial;
        finish(onTrial ? PairingPhase::Failed : PairingPhase::Paired,
               onTrial ? std::optional(session.error()) : std::nullopt);
        m_home.done(peer, onTrial);
        return;
    }
    if (session.isAttempt())
        m_backoff.fail(Clock::now());
    else if (session.role() == PairingRole::Responder)
        m_strangers.left(m_attempt->link->address(), Clock::now());
    // A stranger who went before anybody took notice leaves nothing to look at.
    if (m_attempt->isAccepted)
        finish(PairingPhase::Failed, session.error());
    else
        finish(PairingPhase::None, std::nullopt);
}

void PairingService::tick() {
    if (!m_attempt) {
        m_timer.stop();
        return;
    }
    const auto now = Clock::now();
    // This end reaches nobody, and the other one has reached it.
    if (m_attempt->held && m_attempt->held->isOpen() && !m_attempt->link && now >= m_attempt->heldUntil)
        adopt(std::move(m_attempt->held));
    else if (m_attempt->expected && now >= m_attempt->expectedUntil)
        finish(PairingPhase::Failed, pairingSilent(m_limits.crossed));
    else if (m_attempt->session)
        carryOut(m_attempt->session->tick(now));
}

void PairingService::finish(PairingPhase phase, const std::optional<Error> &error) {
    if (phase != PairingPhase::None) {
        m_last = status();
        m_last.phase = phase;
        m_last.code.clear();
        m_last.secondsLeft = 0;
        m_last.error = error;
    }
    drop();
    Q_EMIT changed();
}

void PairingService::drop() {
    m_timer.stop();
    if (!m_attempt)
        return;
    if (m_attempt->held)
        turnAway(std::move(m_attempt->held), PairingEnd::Busy);
    if (m_attempt->link) {
        m_attempt->link->disconnect(this);
        m_attempt->link->close();
        m_attempt->link.release()->deleteLater();  // we may be inside its signal
    }
    m_attempt->dialling.release()->deleteLater();  // or of its dial
    m_attempt.reset();
}

}  // namespace hearth
