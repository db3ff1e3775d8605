#include "core/run/halt_workers.h"

namespace hearth {

void HaltWorkers::start(const std::vector<WorkerSession *> &workers) {
    m_open = workers.size();
    if (workers.empty()) {
        m_over = true;
        QMetaObject::invokeMethod(this, &HaltWorkers::finished, Qt::QueuedConnection);
        return;
    }
    const QCborMap args{{QStringLiteral("term"), static_cast<qint64>(m_term)}};
    for (WorkerSession *worker : workers) {
        worker->call(QStringLiteral("halt"), args, m_deadlines.halt, this,
                     [this, device = worker->id()](const Result<QCborMap> &reply) {
                         if (m_over)
                             return;
                         auto held = reply.and_then([](const QCborMap &map) {
                             return heldStatesFromCbor(map[QStringLiteral("states")].toArray());
                         });
                         if (!held) {
                             m_over = true;
                             Q_EMIT refused(device, held.error());
                             return;
                         }
                         m_held[device] = std::move(*held);
                         if (--m_open == 0) {
                             m_over = true;
                             Q_EMIT finished();
                         }
                     });
    }
}

}  // namespace hearth
