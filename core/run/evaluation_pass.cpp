#include "core/run/evaluation_pass.h"

#include <algorithm>
#include <numeric>

namespace hearth {

/// Labels of an evaluation have a slot of their own: kind and stage are those of activations.
constexpr quint16 evaluationLabelSlot = 255;

EvaluationPass::EvaluationPass(std::shared_ptr<const Dataset> data, FeedLayout layout, quint64 version,
                               const RunDeadlines &deadlines, QObject *parent)
    : QuietStep(deadlines.roundQuiet, parent),
      m_data(std::move(data)),
      m_layout(std::move(layout)),
      m_version(version),
      m_deadlines(deadlines),
      m_samples(m_data->count(Split::Test)),
      m_microBatches((m_samples + m_layout.microBatch - 1) / m_layout.microBatch) {
    m_layout.whenOpened(this, [this] { schedule(); });
}

void EvaluationPass::tooQuiet() {
    giveUp(
        {QStringLiteral("run.evaluation-quiet"), QStringLiteral("The evaluation does not get on."),
         QStringLiteral("No device has reported anything for %1 seconds.").arg(m_deadlines.roundQuiet.count() / 1000),
         QStringLiteral("Look at the devices that the plan uses, and start again.")});
}

void EvaluationPass::start(const std::vector<WorkerSession *> &workers) {
    m_quiet.start();
    for (const FeedTarget &target : m_layout.labels) {
        WorkerSession *worker = target.worker;
        connect(worker, &WorkerSession::evaluationDone, this,
                [this, worker](const EvaluationPart &part) { take(*worker, part); });
    }
    for (WorkerSession *worker : workers) {
        connect(worker, &WorkerSession::progressed, this, [this] {
            if (m_quiet.isActive())
                m_quiet.start();
        });
    }
    m_open = workers.size();
    const QCborMap args{{QStringLiteral("version"), static_cast<qint64>(m_version)},
                        {QStringLiteral("samples"), m_samples},
                        {QStringLiteral("micro_batch"), m_layout.microBatch}};
    for (WorkerSession *worker : workers) {
        worker->call(QStringLiteral("evaluate"), args, m_deadlines.hello, this, [this](const Result<QCborMap> &reply) {
            if (!reply)
                giveUp(reply.error());
            else if (--m_open == 0)
                schedule();
        });
    }
}

void EvaluationPass::schedule() {
    if (m_scheduled || isOver() || m_open > 0)
        return;
    m_scheduled = true;
    QMetaObject::invokeMethod(
        this, [this] { step(); }, Qt::QueuedConnection);
}

void EvaluationPass::step() {
    m_scheduled = false;
    if (isOver() || m_next >= m_microBatches || m_next >= m_done + ahead || m_layout.isFull())
        return;
    const qint64 first = m_next * m_layout.microBatch;
    std::vector<qint64> indices(static_cast<std::size_t>(std::min<qint64>(m_layout.microBatch, m_samples - first)));
    std::iota(indices.begin(), indices.end(), first);
    TensorHeader header;
    header.kind = TensorKind::Evaluation;
    header.term = m_layout.term;
    header.round = static_cast<quint32>(m_version);
    header.version = m_version;
    header.microBatch = static_cast<quint32>(m_next);
    sendInputs(m_layout, *m_data, Split::Test, indices, header);
    header.slot = evaluationLabelSlot;
    sendLabels(m_layout, *m_data, Split::Test, indices, header);
    ++m_next;
    schedule();
}

void EvaluationPass::take(const WorkerSession &worker, const EvaluationPart &part) {
    if (isOver() || part.version != m_version)
        return;
    const bool isOne = part.microBatch >= 0 && part.microBatch < m_next;
    const qint64 first = isOne ? part.microBatch * m_layout.microBatch : 0;
    const qint64 size = isOne ? std::min<qint64>(m_layout.microBatch, m_samples - first) : 0;
    const auto begun = m_partial.find(part.microBatch);
    const qint64 before = begun == m_partial.end() ? 0 : begun->second;
    if (!isOne || part.samples < 0 || part.correct < 0 || part.correct > part.samples || part.samples > size - before) {
        giveUp(namedFor(worker.device(),
                        {QStringLiteral("run.bad-report"), QStringLiteral("The worker reports what nobody asked for."),
                         QStringLiteral("Micro-batch %1 of the evaluation has no such part.").arg(part.microBatch),
                         QStringLiteral("Install the same version of Hearth on every device.")}));
        return;
    }
    m_quiet.start();
    const qint64 reported = m_partial[part.microBatch] = before + part.samples;
    m_correct += part.correct;
    m_lossSum += part.lossSum;
    if (reported < size)
        return;
    if (++m_done < m_microBatches) {
        Q_EMIT progressed(std::min(m_samples, m_done * m_layout.microBatch));
        schedule();
        return;
    }
    close();
    const auto samples = static_cast<double>(m_samples);
    Q_EMIT finished(static_cast<double>(m_correct) / samples, m_lossSum / samples);
}

}  // namespace hearth
