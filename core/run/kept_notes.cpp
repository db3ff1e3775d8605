#include "core/run/kept_notes.h"

#include <utility>

namespace hearth {

KeptNotes::KeptNotes(AgentLink &agent) : m_agent(agent) {
    connect(&agent, &AgentLink::workerExited, this, [this, &agent](const QString &id, const Error &error) {
        keep([&agent, id, error] { Q_EMIT agent.workerExited(id, error); }, QStringLiteral("exited ") + id);
    });
    connect(&agent, &AgentLink::deviceChanged, this, [this, &agent](const DeviceInfo &device) {
        keep([&agent, device] { Q_EMIT agent.deviceChanged(device); }, QStringLiteral("changed ") + device.id);
    });
    connect(&agent, &AgentLink::placesSeen, this,
            [this, &agent](const QString &id, const QMap<QString, QString> &places) {
                keep([&agent, id, places] { Q_EMIT agent.placesSeen(id, places); }, QStringLiteral("places ") + id);
            });
    connect(&agent, &AgentLink::deviceRemoved, this, [this, &agent](const QString &id) {
        keep([&agent, id] { Q_EMIT agent.deviceRemoved(id); }, QStringLiteral("removed ") + id);
    });
    connect(&agent, &AgentLink::command, this, [this, &agent](const QCborMap &command) {
        keep([&agent, command] { Q_EMIT agent.command(command); }, std::nullopt);
    });
}

void KeptNotes::keep(std::function<void()> tell, const std::optional<QString> &about) {
    if (about)
        std::erase_if(m_notes, [&](const Note &note) { return note.about == about; });
    m_notes.push_back({std::move(tell), about});
}

void KeptNotes::release() {
    m_agent.disconnect(this);
    for (const Note &note : std::exchange(m_notes, {}))
        note.tell();
}

}  // namespace hearth
