#include "core/agent/card_monitor.h"

#include <QLoggingCategory>
#include <utility>

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(cardLog, "hearth.home.card")

}  // namespace

CardMonitor::CardMonitor(QObject *parent) : QObject(parent) {
    connect(&m_timer, &QTimer::timeout, this, &CardMonitor::look);
}

CardMonitor::~CardMonitor() {
    m_task.reset();
    if (!m_wattsBefore)
        return;
    if (const auto nvml = Nvml::open())
        (void)nvml->limitWatts(m_uuid, *m_wattsBefore);
}

void CardMonitor::watch(std::chrono::milliseconds interval) {
    if (interval.count() == 0) {
        m_timer.stop();
    } else if (!m_timer.isActive() || m_timer.intervalAsDuration() != interval) {
        m_timer.start(interval);
        look();
    }
    if (!m_timer.isActive() || interval != often)
        m_nvml.reset();  // a reading that is under way has its own hold on it
}

/// In the reading's thread. A limit that was refused is not asked for again until another one is wanted.
void CardMonitor::setPower(Look &look, const QString &uuid, int wanted) {
    if (!look.nvml || !look.reading || wanted == look.setWatts)
        return;
    look.setWatts = wanted;
    look.powerTrouble = {};
    if (wanted == 0) {
        if (const auto before = std::exchange(look.wattsBefore, std::nullopt))
            (void)look.nvml->limitWatts(uuid, *before);
        return;
    }
    const auto set = look.nvml->limitWatts(uuid, wanted);
    if (!set)
        look.powerTrouble = set.error().toSentence();
    else if (!look.wattsBefore)
        look.wattsBefore = look.reading->wattsLimit;
}

void CardMonitor::look() {
    if (m_task && m_task->isRunning()) {
        m_again = true;
        return;
    }
    m_task = std::make_unique<BackgroundTask>();
    m_task->start<Look>(
        this,
        [look = Look{std::exchange(m_nvml, nullptr), {}, m_setWatts, m_wattsBefore, m_powerTrouble}, uuid = m_uuid,
         wanted = m_wantedWatts]() mutable -> Result<Look> {
            if (!look.nvml)
                look.nvml = Nvml::open();
            look.reading = look.nvml ? look.nvml->read(uuid) : std::nullopt;
            setPower(look, uuid, wanted);
            return look;
        },
        [this](const Look &found) {
            m_reading = found.reading;
            m_setWatts = found.setWatts;
            m_wattsBefore = found.wattsBefore;
            if (m_powerTrouble != found.powerTrouble && !found.powerTrouble.isEmpty())
                qCWarning(cardLog, "%s", qUtf8Printable(found.powerTrouble.english()));
            m_powerTrouble = found.powerTrouble;
            if (m_timer.isActive() && m_timer.intervalAsDuration() == often)
                m_nvml = found.nvml;
            if (std::exchange(m_again, false))
                look();
            Q_EMIT looked();
        },
        [](const Error &) {});
}

}  // namespace hearth
