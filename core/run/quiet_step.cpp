#include "core/run/quiet_step.h"

#include <utility>

namespace hearth {

QuietStep::QuietStep(std::chrono::milliseconds quiet, QObject *parent) : QObject(parent) {
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(quiet);
    connect(&m_quiet, &QTimer::timeout, this, [this] { tooQuiet(); });
}

bool QuietStep::close() {
    m_quiet.stop();
    return !std::exchange(m_over, true);
}

void QuietStep::giveUp(const Error &error) {
    if (close())
        Q_EMIT failed(error);
}

}  // namespace hearth
