#include "core/run/kept_notes.h"

#include <utility>

namespace hearth {

KeptNotes::KeptNotes(AgentLink &agent) : m_agent(agent) {
    const auto keep = [this](std::function<void()> note) { m_notes.push_back({std::move(note)}); };
    connect(&agent, &AgentLink::workerExited, this, [&agent, keep](const QString &id, const Error &error) {
        keep([&agent, id, error] { Q_EMIT agent.workerExited(id, error); });
    });
    connect(&agent, &AgentLink::deviceChanged, this, [&agent, keep](const DeviceInfo &device) {
        keep([&agent, device] { Q_EMIT agent.deviceChanged(device); });
    });
    connect(&agent, &AgentLink::placesSeen, this,
            [this, &agent](const QString &id, const QMap<QString, QString> &places) {
                std::erase_if(m_notes, [&](const Note &note) { return note.placesOf == id; });
                m_notes.push_back({[&agent, id, places] { Q_EMIT agent.placesSeen(id, places); }, id});
            });
    connect(&agent, &AgentLink::deviceRemoved, this,
            [&agent, keep](const QString &id) { keep([&agent, id] { Q_EMIT agent.deviceRemoved(id); }); });
    connect(&agent, &AgentLink::command, this,
            [&agent, keep](const QCborMap &command) { keep([&agent, command] { Q_EMIT agent.command(command); }); });
}

void KeptNotes::release() {
    m_agent.disconnect(this);
    for (const Note &note : std::exchange(m_notes, {}))
        note.tell();
}

}  // namespace hearth
