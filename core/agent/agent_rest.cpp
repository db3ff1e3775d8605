// The agent at rest, as it is most of its life: it holds little.
#include "core/agent/agent.h"
#include "core/base/code_pages.h"

namespace hearth {

void Agent::serveRest() {
    m_tidy.callOnTimeout(this, &releaseCodePages);
    connect(this, &Agent::deviceChanged, this, &Agent::tidySoon);
    connect(this, &Agent::deviceRemoved, this, &Agent::tidySoon);
    connect(this, &Agent::nearbyChanged, this, &Agent::tidySoon);
    connect(this, &Agent::pairingChanged, this, &Agent::tidySoon);
    connect(this, &Agent::strangerRefused, this, &Agent::tidySoon);
    connect(this, &Agent::runEnded, this, &Agent::tidySoon);
    tidySoon();
}

void Agent::tidySoon() {
    m_tidy.soon();
}

}  // namespace hearth
