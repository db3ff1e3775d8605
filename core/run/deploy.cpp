#include "core/run/deploy.h"

#include <algorithm>

namespace hearth {

Deployment deploymentOf(const Plan &plan, const std::vector<WorkerSession *> &workers) {
    const auto workerOf = [&workers](const QString &device) {
        return *std::find_if(workers.begin(), workers.end(), [&](const auto *each) { return each->id() == device; });
    };
    Deployment deployment;
    deployment.batch = plan.batch;
    deployment.microBatch = plan.microBatch;
    deployment.microBatches = plan.microBatches();
    deployment.schedule = scheduleName(plan.schedule);
    deployment.stages = deploymentStages(plan);
    for (Deployment::Stage &stage : deployment.stages) {
        for (Deployment::Member &member : stage.members) {
            const WorkerAddress &address = workerOf(member.device)->address();
            member.device = address.fingerprint.toHex();
            deployment.peers.push_back({member.device, address.address, address.port});
        }
    }
    return deployment;
}

TensorHeader replicaHeader(const NamedTensor &tensor, int layer, int slot, quint32 term) {
    TensorHeader header;
    header.kind = TensorKind::Replica;
    header.dtype = tensor.dtype;
    for (const qint64 dimension : tensor.spec.shape)
        header.dims.push_back(static_cast<quint32>(dimension));
    header.term = term;
    header.stage = static_cast<quint16>(layer);
    header.slot = static_cast<quint16>(slot);
    return header;
}

void Deploy::start(const std::vector<WorkerSession *> &workers, const std::vector<std::vector<NamedTensor>> &weights) {
    m_deployment.weightsStreamed = !weights.empty();
    m_open = workers.size();
    const QCborMap args = m_deployment.toCbor();
    for (WorkerSession *worker : workers) {
        worker->callWhileMoving(QStringLiteral("deploy"), args, m_deadlines.deploy, this,
                                [this](const Result<QCborMap> &reply) {
                                    if (m_over)
                                        return;
                                    if (!reply) {
                                        m_over = true;
                                        Q_EMIT failed(reply.error());
                                    } else if (--m_open == 0) {
                                        m_over = true;
                                        Q_EMIT finished();
                                    }
                                });
        stream(*worker, weights);
    }
}

void Deploy::stream(WorkerSession &worker, const std::vector<std::vector<NamedTensor>> &weights) const {
    const int place = m_deployment.placeOf(worker.address().fingerprint.toHex()).first;
    if (weights.empty() || place < 0)
        return;
    const Deployment::Stage &stage = m_deployment.stages[static_cast<std::size_t>(place)];
    for (int layer = stage.firstLayer; layer < stage.lastLayer; ++layer) {
        int slot = 0;
        // The queue holds references: every owner of a layer reads the same bytes.
        for (const NamedTensor &tensor : weights[static_cast<std::size_t>(layer)])
            worker.channel().sendTensor(replicaHeader(tensor, layer, slot++, m_deployment.term),
                                        Payload::of(tensor.data));
    }
}

}  // namespace hearth
