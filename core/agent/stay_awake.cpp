#include "core/agent/stay_awake.h"

#include <QLoggingCategory>
#include <utility>

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(awakeLog, "hearth.home.awake")

// A cat whose input has ended is gone in milliseconds.
constexpr std::chrono::milliseconds catEndsWithin{300};

}  // namespace

std::vector<Inhibitor> usualInhibitors() {
    const QString why = QStringLiteral("A neural network is trained");
    return {
        // Of sleep alone, which also stops what logind does when nobody touches the computer. For a lock on several
        // things logind before systemd 257 asks polkit about the lid switch instead, which our rule does not allow.
        {QStringLiteral("systemd-inhibit"),
         {QStringLiteral("--what=sleep"), QStringLiteral("--mode=block"), QStringLiteral("--who=Hearth"),
          QStringLiteral("--why=") + why}},
        // GNOME asks its own session alone before it suspends a computer that nobody touches, and logind before systemd
        // 257 lets it: a lock does not hold back the user who holds it. Words apart: GNOME 43 takes no "--inhibit=".
        {QStringLiteral("gnome-session-inhibit"),
         {QStringLiteral("--inhibit"), QStringLiteral("suspend"), QStringLiteral("--app-id"),
          QStringLiteral("org.hearth.Hearth"), QStringLiteral("--reason"), why}},
    };
}

StayAwake::StayAwake(std::vector<Inhibitor> inhibitors, std::chrono::milliseconds after, QObject *parent)
    : QObject(parent), m_inhibitors(std::move(inhibitors)) {
    m_after.setSingleShot(true);
    m_after.setInterval(after);
    connect(&m_after, &QTimer::timeout, this, &StayAwake::letGo);
}

StayAwake::~StayAwake() {
    for (ChildProcess *child : m_children) {
        child->disconnect(this);
        child->stop();
    }
    for (ChildProcess *child : m_children)
        child->waitForEnd(catEndsWithin);
}

void StayAwake::want(bool wanted) {
    if (m_inhibitors.empty() || std::exchange(m_wanted, wanted) == wanted)
        return;
    if (!wanted) {
        m_after.start();
    } else if (m_after.isActive()) {
        m_after.stop();
    } else {
        hold();
    }
}

void StayAwake::letGo() {
    m_wanted = false;
    m_after.stop();
    // Their ends are told later: by then they are not ours any more.
    for (ChildProcess *child : std::exchange(m_children, {}))
        child->stop();
}

void StayAwake::hold() {
    m_refusals = {};
    for (const Inhibitor &each : m_inhibitors) {
        auto *child = new ChildProcess(each.program, this);
        m_children.push_back(child);
        connect(child, &ChildProcess::ended, this, [this, child](const Error &reason) { ended(child, reason); });
    }
    // One that cannot be started may end within start().
    const std::vector<ChildProcess *> children = m_children;
    for (std::size_t i = 0; i < children.size(); ++i)
        children[i]->start(m_inhibitors[i].program, m_inhibitors[i].arguments + QStringList{QStringLiteral("cat")});
}

void StayAwake::ended(ChildProcess *child, const Error &reason) {
    child->deleteLater();  // we are inside its signal
    if (std::erase(m_children, child) == 0)
        return;
    m_refusals = Sentence::joined({m_refusals, reason.what, reason.cause});
    if (!m_children.empty() || std::exchange(m_told, true))
        return;
    qCWarning(awakeLog, "This computer may suspend while it trains, for nothing keeps it awake. %s",
              qUtf8Printable(m_refusals.english()));
}

}  // namespace hearth
