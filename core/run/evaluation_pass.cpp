#include "core/run/evaluation_pass.h"

#include <algorithm>
#include <cmath>

#include "core/protocol/label_slots.h"

namespace hearth {

EvaluationPass::EvaluationPass(const std::shared_ptr<const Dataset> &data, const BatchOrder &order, FeedLayout layout,
                               quint64 version, const RunDeadlines &deadlines, qint64 classes,
                               const std::optional<AskedOutputs> &asked, QObject *parent)
    : QuietStep(deadlines.roundQuiet, parent),
      m_data(data),
      m_order{version, static_cast<int>(order.end), order.microBatch,
              asked ? EvaluationOrder::Wanted::Outputs : EvaluationOrder::Wanted::Judgements,
              asked ? asked->row : std::nullopt},
      m_layout(std::move(layout)),
      m_deadlines(deadlines),
      m_classes(classes),
      m_outputsEach(asked ? asked->count : 0),
      m_outputs(static_cast<std::size_t>(order.end * m_outputsEach)),
      m_source(data, order, 1) {
    m_details.round = static_cast<qint64>(version);
    m_details.samples = m_order.samples;
    m_layout.whenOpened(this, [this] { schedule(); });
    connect(&m_source, &BatchSource::ready, this, [this] { schedule(); });
    connect(&m_source, &BatchSource::waiting, this, [this](const Error &error) {
        m_isWaiting = true;
        m_quiet.stop();
        Q_EMIT waiting(error);
    });
    connect(&m_source, &BatchSource::found, this, [this] {
        m_isWaiting = false;
        m_quiet.start();
        Q_EMIT found();
    });
}

void EvaluationPass::tooQuiet() {
    giveUp({QStringLiteral("run.evaluation-quiet"), sentence("The evaluation does not get on."),
            sentence("No device has reported anything for %1 seconds.").arg(m_deadlines.roundQuiet.count() / 1000),
            sentence("Look at the devices that the plan uses, and start again.")});
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
                noteProgress();
        });
    }
    m_open = workers.size();
    const QCborMap args = m_order.toCbor();
    for (WorkerSession *worker : workers) {
        worker->call(QStringLiteral("evaluate"), args, m_deadlines.hello, this, [this](const Result<QCborMap> &reply) {
            if (!reply)
                giveUp(reply.error());
            else if (--m_open == 0)
                schedule();
        });
    }
}

void EvaluationPass::noteProgress() {
    if (!m_isWaiting)
        m_quiet.start();
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
    if (isOver() || m_awaited.size() >= ahead || m_layout.isFull())
        return;
    const auto next = m_source.take();
    if (!next) {
        giveUp(next.error());
        return;
    }
    if (!*next)
        return;
    const Batch &batch = **next;
    const qint64 microBatch = batch.round - 1;
    TensorHeader header;
    header.kind = TensorKind::Evaluation;
    header.term = m_layout.term;
    header.round = static_cast<quint32>(m_order.version);
    header.version = m_order.version;
    header.microBatch = static_cast<quint32>(microBatch);
    sendInputs(m_layout, batch, m_data->parts(), header);
    if (m_order.wanted == EvaluationOrder::Wanted::Judgements) {
        header.slot = evaluationLabelSlot;
        sendLabels(m_layout, batch, m_data->label(), header);
    }
    const qint64 first = microBatch * m_order.microBatch;
    m_awaited[microBatch] = {first, first + batch.samples, batch.samples, batch.counted};
    m_counted += batch.counted;
    schedule();
}

bool EvaluationPass::areOutputsSound(const EvaluationPart &part, const Awaited &awaited) const {
    if (static_cast<qint64>(part.outputs.size()) != part.samples * m_outputsEach)
        return false;
    return part.outputs.empty() || (part.first >= awaited.first && part.first <= awaited.end - part.samples);
}

bool EvaluationPass::isTallySound(const EvaluationTally &tally, qint64 counted) const {
    qint64 answered = 0, labelled = 0;
    for (const auto &[number, each] : tally.classes) {
        if (number >= m_classes)
            return false;
        answered += each.answered;
        labelled += each.labelled;
    }
    return std::max({tally.correct, tally.amongFive.value_or(0), answered, labelled}) <= counted;
}

bool EvaluationPass::isJudgedSound(const JudgedSample &one, const Awaited &awaited) const {
    // Of a sample with several labels both are none.
    const auto isClass = [this](double number) {
        return std::isnan(number) || (number >= 0 && number < static_cast<double>(m_classes));
    };
    return one.sample >= awaited.first && one.sample < awaited.end &&
           (m_classes > 0 ? isClass(one.label) && isClass(one.answer) : !one.isWrong);
}

bool EvaluationPass::isSound(const EvaluationPart &part, const Awaited &awaited) const {
    return part.samples > 0 && part.samples <= awaited.samples && isTallySound(part.tally, awaited.counted) &&
           static_cast<qint64>(part.judged.size()) <= part.samples &&
           std::ranges::all_of(part.judged, [&](const JudgedSample &one) { return isJudgedSound(one, awaited); }) &&
           areOutputsSound(part, awaited);
}

void EvaluationPass::take(const WorkerSession &worker, const EvaluationPart &part) {
    if (isOver() || part.version != m_order.version)
        return;
    const auto awaited = m_awaited.find(part.microBatch);
    if (awaited == m_awaited.end() || !isSound(part, awaited->second)) {
        giveUp(namedFor(worker.device(),
                        {QStringLiteral("run.bad-report"), sentence("The worker reports what nobody asked for."),
                         sentence("Micro-batch %1 of the evaluation has no such part.").arg(part.microBatch),
                         sentence("Install the same version of Hearth on every device.")}));
        return;
    }
    noteProgress();
    m_tally.add(part.tally);
    for (const JudgedSample &one : part.judged)
        m_details.add(one);
    if (!part.outputs.empty())
        std::ranges::copy(part.outputs, m_outputs.begin() + static_cast<std::ptrdiff_t>(part.first * m_outputsEach));
    awaited->second.samples -= part.samples;
    awaited->second.counted -= part.tally.correct;
    m_done += part.samples;
    if (awaited->second.samples > 0)
        return;
    m_awaited.erase(awaited);
    if (m_done < m_order.samples) {
        Q_EMIT progressed(m_done);
        schedule();
        return;
    }
    close();
    m_details.classes = m_tally.classes;
    Q_EMIT finished();
}

}  // namespace hearth
