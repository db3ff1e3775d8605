#include "core/run/halt_workers.h"

#include <QCborArray>
#include <algorithm>

#include "core/base/cbor.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

/// What makes no sense names no layer.
QSet<int> layersFromCbor(const QCborArray &array) {
    QSet<int> layers;
    for (qsizetype i = 0; i < std::min<qsizetype>(array.size(), ProfileLimits::layers); ++i) {
        if (const qint64 layer = integerOf(array.at(i), -1); layer >= 0 && layer < ProfileLimits::layers)
            layers.insert(static_cast<int>(layer));
    }
    return layers;
}

}  // namespace

void HaltWorkers::start(const std::vector<WorkerSession *> &workers) {
    m_open = workers.size();
    if (workers.empty()) {
        m_over = true;
        QMetaObject::invokeMethod(this, &HaltWorkers::finished, Qt::QueuedConnection);
        return;
    }
    QCborMap args{{QStringLiteral("term"), static_cast<qint64>(m_term)}};
    if (!m_origins.isEmpty())
        args[QStringLiteral("origins")] = QCborArray::fromJsonArray(m_origins.toJson());
    for (WorkerSession *worker : workers) {
        qCDebug(memberLog).noquote() << "term" << m_term << "halts" << worker->id();
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
                         m_frozen[device] = layersFromCbor((*reply)[QStringLiteral("frozen")].toArray());
                         qCDebug(memberLog).noquote() << "term" << m_term << "has halted" << device;
                         if (--m_open == 0) {
                             m_over = true;
                             Q_EMIT finished();
                         }
                     });
    }
}

}  // namespace hearth
