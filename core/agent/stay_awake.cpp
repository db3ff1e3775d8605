#include "core/agent/stay_awake.h"

#include <QLoggingCategory>
#include <utility>

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(awakeLog, "hearth.home.awake")

// A cat whose input has ended is gone in milliseconds.
constexpr std::chrono::milliseconds catEndsWithin{300};

}  // namespace

StayAwake::StayAwake(QString program, std::chrono::milliseconds after, QObject *parent)
    : QObject(parent), m_program(std::move(program)) {
    m_after.setSingleShot(true);
    m_after.setInterval(after);
    connect(&m_after, &QTimer::timeout, this, &StayAwake::letGo);
}

StayAwake::~StayAwake() {
    if (!m_child)
        return;
    m_child->disconnect(this);
    m_child->stop();
    m_child->waitForEnd(catEndsWithin);
}

void StayAwake::want(bool wanted) {
    if (m_program.isEmpty() || std::exchange(m_wanted, wanted) == wanted)
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
    // Its end is told later: by then it is not ours any more.
    if (ChildProcess *child = std::exchange(m_child, nullptr))
        child->stop();
}

void StayAwake::hold() {
    auto *child = new ChildProcess(m_program, this);
    m_child = child;
    connect(child, &ChildProcess::ended, this, [this, child](const Error &reason) { ended(child, reason); });
    // Of sleep alone, which also stops what logind does when nobody touches the computer. For a lock on several things
    // logind before systemd 257 asks polkit about the lid switch instead, which our rule does not allow.
    child->start(m_program,
                 {QStringLiteral("--what=sleep"), QStringLiteral("--mode=block"), QStringLiteral("--who=Hearth"),
                  QStringLiteral("--why=A neural network is trained"), QStringLiteral("cat")});
}

void StayAwake::ended(ChildProcess *child, const Error &reason) {
    child->deleteLater();  // we are inside its signal
    if (child != m_child)
        return;
    m_child = nullptr;
    if (std::exchange(m_told, true))
        return;
    qCWarning(awakeLog, "This computer may suspend while it trains, for nothing keeps it awake. %s",
              qUtf8Printable(Sentence::joined({reason.what, reason.cause}).english()));
}

}  // namespace hearth
