// The agent at rest, as it is most of its life: it holds little.
#include "core/base/code_pages.h"
#include "core/base/heap.h"
#include "core/home/agent.h"

namespace hearth {

void Agent::serveRest() {
    m_tidyTimer.setSingleShot(true);
    m_tidyTimer.setInterval(tidyDelay);
    connect(&m_tidyTimer, &QTimer::timeout, this, [] {
        returnFreedMemory();
        releaseCodePages();
    });
    connect(this, &Agent::deviceChanged, this, &Agent::tidySoon);
    connect(this, &Agent::deviceRemoved, this, &Agent::tidySoon);
    connect(this, &Agent::nearbyChanged, this, &Agent::tidySoon);
    connect(this, &Agent::pairingChanged, this, &Agent::tidySoon);
    connect(this, &Agent::strangerRefused, this, &Agent::tidySoon);
    connect(this, &Agent::runEnded, this, &Agent::tidySoon);
    tidySoon();
}

void Agent::tidySoon() {
    if (!m_tidyTimer.isActive())
        m_tidyTimer.start();
}

}  // namespace hearth
