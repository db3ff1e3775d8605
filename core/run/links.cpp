#include "core/run/links.h"

#include "core/run/heart_monitor.h"

namespace hearth {

std::unique_ptr<HeartMonitor> WorkerConnector::heartMonitor() {
    return nullptr;
}

}  // namespace hearth
