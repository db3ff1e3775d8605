// What an agent tells of a run that has not begun.
#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "core/run/links.h"

namespace hearth {

/// While the data of a run are opened on other devices, and until its coordinator begins, what that will have to hear
/// waits here. Lives in the thread of `agent`, which outlives it.
class KeptNotes : public QObject {
  public:
    explicit KeptNotes(AgentLink &agent);
    /// Tells all of it once more, in its order, and keeps nothing from then on. Who listens for this object does not
    /// hear it.
    void release();

  private:
    AgentLink &m_agent;
    std::vector<std::function<void()>> m_notes;
};

}  // namespace hearth
