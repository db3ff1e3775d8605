// What stands behind the window, over real agents.
#pragma once

#include <QTemporaryDir>
#include <QTest>

#include "app/window_demo_switches.h"
#include "app/window_home_source.h"
#include "app/window_homes.h"
#include "app/window_run_controller.h"
#include "core/agent/agent_client.h"

namespace hearth {

/// `own`, the folder of the own home, outlives it.
struct WindowParts {
    static constexpr int slow = 60'000;  // a loaded machine, sanitizers: only a hang is caught

    const QTemporaryDir &own;
    AgentClient client;
    AgentHomeSource home{client};
    AgentRunController controller{client, own.path()};
    ProcessSwitches switches{home};
    WindowHomes homes{{client, home, controller, switches}, own.path()};

    explicit WindowParts(const QTemporaryDir &folder) : own(folder) {}
    /// A demo of one device; false where it does not come.
    bool enterDemo() {
        homes.enterDemo(1);
        return QTest::qWaitFor([this] { return home.waitingFor().isEmpty(); }, slow);
    }
};

}  // namespace hearth
