#include "core/run/links.h"

#include "core/run/heart_monitor.h"

namespace hearth {

Q_LOGGING_CATEGORY(memberLog, "hearth.run.members", QtInfoMsg)

std::unique_ptr<HeartMonitor> WorkerConnector::heartMonitor() {
    return nullptr;
}

}  // namespace hearth
