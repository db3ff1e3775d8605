#include "core/run/weights_collector.h"
#include "core/base/cbor.h"
#include "core/protocol/transfer_progress.h"
#include "core/wire/state_chunks.h"

#include <QCborArray>
#include <algorithm>
#include <utility>

namespace hearth {

WeightsCollector::WeightsCollector(const Model &model, DType dtype, Deployment deployment, quint64 version,
                                   const RunDeadlines &deadlines, QObject *parent)
    : QuietStep(deadlines.weights, parent),
      m_dtype(dtype),
      m_deployment(std::move(deployment)),
      m_version(version),
      m_deadlines(deadlines) {
    for (const Layer &layer : model.layers) {
        std::vector<NamedTensor> tensors;
        for (const TensorSpec &spec : layer.shape.tensors) {
            tensors.push_back({spec, dtype, nullptr});
            m_missing += spec.tiedTo ? 0 : 1;  // comes with the first of its layers
        }
        m_tensors.push_back(std::move(tensors));
    }
}

void WeightsCollector::tooQuiet() {
    if (const quint64 now = receivedBytes(); now - std::exchange(m_received, now) >= leastProgress) {
        m_quiet.start();  // one tensor may take that long
        return;
    }
    giveUp({QStringLiteral("run.weights-quiet"), sentence("The weights do not arrive."),
            sentence("%1 {1|tensor is|tensors are} still missing and nothing came for %2 seconds.")
                .arg(m_missing)
                .arg(m_deadlines.weights.count() / 1000),
            sentence("Check the network to the devices that the plan uses.")});
}

void WeightsCollector::start(const std::vector<WorkerSession *> &workers) {
    m_workers = workers;
    m_received = receivedBytes();
    m_quiet.start();
    m_open = m_deployment.stages.size();
    for (WorkerSession *worker : workers) {
        const std::vector<const Deployment::Stage *> stages = stagesOf(*worker);
        if (stages.empty())
            continue;
        connect(worker, &WorkerSession::tensorReceived, this,
                [this, worker](const TensorFrame &frame) { take(*worker, frame); });
        qint64 largest = stateChunkBytes;
        for (const Deployment::Stage *stage : stages) {
            for (int layer = stage->firstLayer; layer < stage->lastLayer; ++layer) {
                for (const NamedTensor &tensor : m_tensors[static_cast<std::size_t>(layer)])
                    largest = std::max(largest, tensor.spec.elements() * byteSize(m_dtype));
            }
        }
        worker->setTensorLimit(static_cast<quint64>(largest));
        for (const Deployment::Stage *stage : stages)
            ask(*worker, *stage);
    }
}

std::vector<const Deployment::Stage *> WeightsCollector::stagesOf(const WorkerSession &worker) const {
    std::vector<const Deployment::Stage *> own;
    for (const Deployment::Stage &stage : m_deployment.stages) {
        if (stage.members.front().device == worker.address().fingerprint.toHex())
            own.push_back(&stage);
    }
    return own;
}

quint64 WeightsCollector::receivedBytes() const {
    quint64 bytes = 0;
    for (WorkerSession *worker : m_workers)
        bytes += worker->channel().bytesReceived();
    return bytes;
}

void WeightsCollector::ask(WorkerSession &worker, const Deployment::Stage &stage) {
    const QCborMap args{{QStringLiteral("layers"), QCborArray{stage.firstLayer, stage.lastLayer}}};
    worker.callWhileMoving(
        QStringLiteral("weights.get"), args, m_deadlines.weights, this, [this, &worker](const Result<QCborMap> &reply) {
            if (!reply) {
                giveUp(reply.error());
                return;
            }
            const auto version = static_cast<quint64>(integerOf((*reply)[QStringLiteral("version")], -1));
            if (version != m_version) {
                giveUp(
                    namedFor(worker.device(),
                             {QStringLiteral("run.bad-version"),
                              sentence("The worker gave the weights of another round."),
                              sentence("They are of version %1, wanted were those of %2.").arg(version).arg(m_version),
                              {}}));
                return;
            }
            --m_open;
            completeWhenDone();
        });
}

void WeightsCollector::take(const WorkerSession &worker, const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    if (isOver() || header.kind != TensorKind::Replica || isStateChunk(header) || header.term != m_deployment.term)
        return;
    m_quiet.start();
    const bool mine = std::ranges::any_of(stagesOf(worker), [&](const Deployment::Stage *stage) {
        return header.stage >= stage->firstLayer && header.stage < stage->lastLayer;
    });
    std::vector<NamedTensor> none;
    auto &layer = mine ? m_tensors[header.stage] : none;
    const bool known = header.slot < layer.size();
    const bool fits = known && !layer[header.slot].data && !layer[header.slot].spec.tiedTo && header.dtype == m_dtype &&
                      std::ranges::equal(header.dims, layer[header.slot].spec.shape,
                                         [](quint32 a, qint64 b) { return static_cast<qint64>(a) == b; });
    if (!fits) {
        giveUp(namedFor(
            worker.device(),
            {QStringLiteral("run.bad-weights"), sentence("The worker sent a tensor that is not its own."),
             sentence("Tensor %1 of layer %2 has another owner, shape or type.").arg(header.slot).arg(header.stage),
             sentence("Install the same version of Hearth on every device.")}));
        return;
    }
    layer[header.slot].data = frame.payload;
    --m_missing;
    completeWhenDone();
}

void WeightsCollector::completeWhenDone() {
    if (isOver() || m_missing > 0 || m_open > 0)
        return;
    close();
    std::vector<NamedTensor> all;
    for (const auto &layer : m_tensors)
        std::ranges::copy_if(layer, std::back_inserter(all),
                             [](const NamedTensor &tensor) { return !tensor.spec.tiedTo; });
    Q_EMIT finished(all);
}

}  // namespace hearth
