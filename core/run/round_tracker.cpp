#include "core/run/round_tracker.h"

#include <algorithm>

namespace hearth {

RoundTracker::RoundTracker(const Deployment &deployment, const std::vector<WorkerSession *> &workers, qint64 completed,
                           QString dataDevice)
    : m_workers(workers),
      m_term(deployment.term),
      m_batch(deployment.batch),
      m_completed(completed),
      m_firstRound(completed + 1),
      m_firstVersion(deployment.firstVersion() + static_cast<quint64>(completed + 1 - deployment.firstRound)),
      m_cuts(static_cast<int>(deployment.stages.size()) - 1),
      m_training(deployment.training),
      m_microBatch(deployment.microBatch),
      m_dataDevice(std::move(dataDevice)) {
    for (WorkerSession *worker : workers) {
        const QString key = worker->address().fingerprint.toHex();
        m_deviceOf[key] = worker->id();
    }
    passOver();
}

void RoundTracker::passOver() {
    for (WorkerSession *worker : m_workers)
        m_served[worker->id()] = worker->channel().bytesSent();
}

void RoundTracker::begun(qint64 round, double now) {
    m_rounds[round].begun = now;
}

Result<std::optional<event::Round>> RoundTracker::take(const WorkerSession &worker, const RoundReport &report,
                                                       double now) {
    if (report.term != m_term)
        return std::nullopt;  // of before a re-plan
    const auto round = m_rounds.find(report.round);
    // A member may be a round ahead of another, but the rounds of one member are in order: so are complete ones.
    const bool inOrder = round == m_rounds.begin() || std::prev(round)->second.reports.contains(worker.id());
    if (round == m_rounds.end() || !inOrder || round->second.reports.contains(worker.id()) ||
        report.version != m_firstVersion + static_cast<quint64>(report.round - m_firstRound + 1)) {
        return tl::unexpected(
            namedFor(worker.device(),
                     {QStringLiteral("run.bad-report"), sentence("The worker reports a round that nobody waits for."),
                      sentence("It reports round %1 with version %2; complete are %3.")
                          .arg(report.round)
                          .arg(report.version)
                          .arg(m_completed),
                      sentence("Install the same version of Hearth on every device.")}));
    }
    round->second.reports.emplace(worker.id(), report);
    if (round->second.reports.size() < m_workers.size())
        return std::nullopt;
    event::Round event = complete(round->second, now);
    event.round = report.round;
    event.version = report.version;
    event.learningRate =
        m_training.optimizer.learningRate * m_training.schedule.factor(report.round, m_training.rounds);
    m_check = checkOf(round->second);
    if (m_check)
        m_check->round = report.round;
    m_completed = report.round;
    m_rounds.erase(round);
    return event;
}

event::Round RoundTracker::complete(const Round &round, double now) {
    event::Round event;
    event.term = m_term;
    event.roundS = now - std::max(m_lastEnd, round.begun);
    event.samplesPerS = event.roundS > 0 ? m_batch / event.roundS : 0;
    // To a worker a pause or an evaluation before this round looks like waiting for its first input.
    const bool isFirst = m_lastEnd == 0;
    const double gap = isFirst ? 0 : std::max(0.0, round.begun - m_lastEnd);
    m_lastEnd = now;
    m_packing.clear();
    for (const auto &[device, report] : round.reports) {
        event.loss += report.loss;
        event.savedBytes += report.savedBytes;
        m_packing.insert(m_packing.end(), report.packing.begin(), report.packing.end());
        if (report.gradientNorm)
            event.gradientNorm = report.gradientNorm;  // the same of all
        const double all = report.computeSeconds + report.waitForwardSeconds + report.waitBackwardSeconds +
                           report.waitAllReduceSeconds + report.sendSeconds + report.allReduceSeconds +
                           report.optimizerSeconds;
        // Before its first round a worker waits for the others to be deployed.
        const double before = isFirst ? std::max(0.0, all - event.roundS) : gap;
        event.devices[device] = {report.computeSeconds,
                                 std::max(0.0, report.waitForwardSeconds - before),
                                 report.waitBackwardSeconds,
                                 report.waitAllReduceSeconds,
                                 report.sendSeconds,
                                 report.allReduceSeconds,
                                 report.optimizerSeconds,
                                 report.memoryBytes,
                                 report.card};
        for (auto sent = report.sent.cbegin(); sent != report.sent.cend(); ++sent) {
            const QString to = m_deviceOf.value(sent.key());
            if (!to.isEmpty() && sent.value() > 0)
                event.links.push_back({device, to, sent.value()});
        }
    }
    addServed(event);
    return event;
}

/// What the members of a stage lost is added up before it is compared.
std::optional<event::CodecCheck> RoundTracker::checkOf(const Round &round) const {
    event::CodecCheck check;
    std::vector<CodecLoss> forward(static_cast<std::size_t>(m_cuts)), backward(forward.size());
    bool isChecked = false;
    for (const auto &[device, report] : round.reports) {
        for (const CutCheck &own : report.checks) {
            isChecked = true;
            if (own.stage < m_cuts)
                forward[static_cast<std::size_t>(own.stage)] += own.forward;
            if (own.stage > 0 && own.stage <= m_cuts)
                backward[static_cast<std::size_t>(own.stage) - 1] += own.backward;
            check.loss += own.codedLoss / m_microBatch;
            check.rawLoss += own.rawLoss / m_microBatch;
        }
    }
    for (int cut = 0; cut < m_cuts; ++cut) {
        const auto index = static_cast<std::size_t>(cut);
        check.cuts.push_back({cut, {}, {}, forward[index].relative(), backward[index].relative()});
    }
    return isChecked ? std::optional(check) : std::nullopt;
}

void RoundTracker::addServed(event::Round &event) {
    for (WorkerSession *worker : m_workers) {
        const quint64 before = std::exchange(m_served[worker->id()], worker->channel().bytesSent());
        const auto bytes = static_cast<qint64>(worker->channel().bytesSent() - before);
        // Within one device nothing crosses a link.
        if (bytes <= 0 || worker->id() == m_dataDevice || m_dataDevice.isEmpty())
            continue;
        const auto link = std::find_if(event.links.begin(), event.links.end(), [&](const event::RoundLink &each) {
            return each.from == m_dataDevice && each.to == worker->id();
        });
        if (link != event.links.end())
            link->bytes += bytes;
        else
            event.links.push_back({m_dataDevice, worker->id(), bytes});
    }
}

std::vector<const WorkerSession *> RoundTracker::missing() const {
    std::vector<const WorkerSession *> late;
    const auto round = m_rounds.find(m_completed + 1);
    for (const WorkerSession *worker : m_workers) {
        if (round == m_rounds.end() || !round->second.reports.contains(worker->id()))
            late.push_back(worker);
    }
    return late;
}

}  // namespace hearth
