// What an agent tells of a run that has not begun.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "core/run/links.h"

namespace hearth {

/// While the data of a run are opened on other devices, and until its coordinator begins, what that will have to hear
/// waits here; of what a device can say again only the newest. Lives in the thread of `agent`, which outlives it.
class KeptNotes : public QObject {
  public:
    explicit KeptNotes(AgentLink &agent);
    /// Tells all of it once more, in its order, and keeps nothing from then on. Who listens for this object does not
    /// hear it.
    void release();

  private:
    struct Note {
        std::function<void()> tell;
        std::optional<QString> about;  // the kind and its device; nothing for a command: each counts
    };
    void keep(std::function<void()> tell, const std::optional<QString> &about);

    AgentLink &m_agent;
    std::vector<Note> m_notes;
};

}  // namespace hearth
