#include "core/run/tls_connector.h"

#include "core/run/heart_monitor.h"
#include "core/wire/tls_dial.h"

namespace hearth {

void TlsConnector::connectTo(const WorkerAddress &worker, std::chrono::milliseconds deadline, QObject *context,
                             ConnectedFn done) {
    dialTls(m_identity, worker.address, worker.port, worker.fingerprint, deadline, context, std::move(done));
}

std::unique_ptr<HeartMonitor> TlsConnector::heartMonitor() {
    return std::make_unique<HeartMonitor>(m_identity);
}

}  // namespace hearth
