#include "core/run/round_loop.h"

#include <cmath>

#include "core/base/number_text.h"
#include "core/model/loss_facts.h"
#include "core/run/fitting_plan.h"
#include "core/wire/stream_channel.h"

namespace hearth {

RoundLoop::RoundLoop(const RunRequest &request, std::shared_ptr<const Dataset> data, Membership &membership,
                     RunLog &log, const RunDeadlines &deadlines, QObject *parent)
    : QObject(parent),
      m_request(request),
      m_data(std::move(data)),
      m_membership(membership),
      m_log(log),
      m_deadlines(deadlines),
      m_slowRounds(deadlines.slowRound) {
    connect(&m_slowRounds, &SlowRounds::slow, this, &RoundLoop::warnOfSlowRound);
    m_quiet.setSingleShot(true);
    connect(&m_quiet, &QTimer::timeout, this, &RoundLoop::askWhoIsLate);
}

void RoundLoop::begin(const Deployment &deployment, FeedLayout layout, qint64 completed,
                      std::map<qint64, double> predicted) {
    m_tracker.emplace(deployment, m_membership.membersOf(deployment), completed, m_request.dataDevice);
    setPredicted(std::move(predicted));
    const Job &job = m_request.job;
    const BatchOrder order{.split = Split::Train,
                           .sampler = Sampler(job.seed, m_data->count(Split::Train), job.shuffle),
                           .batch = deployment.batch,
                           .microBatch = deployment.microBatch,
                           .count = LossFacts::byName(job.loss)->count,
                           .mixing = job.augment.mixing(job.seed)};
    m_feed.reset(new DataFeed(m_data, order, std::move(layout), completed + 1));
    connect(m_feed.get(), &DataFeed::failed, this, &RoundLoop::failed);
    connect(m_feed.get(), &DataFeed::starved, this, [this](bool now) {
        m_isStarved = now;
        noteStarved();
    });
    connect(m_feed.get(), &DataFeed::waiting, this, [this](const Error &error) {
        rest();
        Q_EMIT waiting(error);
    });
    connect(m_feed.get(), &DataFeed::found, this, [this] {
        noteProgress();
        Q_EMIT found();
    });
    connect(m_feed.get(), &DataFeed::roundBegun, this, [this](qint64 round) {
        m_tracker->begun(round, m_log.seconds());
        m_slowRounds.setPrediction(predictedOf(round));
        m_slowRounds.begun(round);
        if (!m_quiet.isActive())
            noteProgress();
    });
}

void RoundLoop::setPredicted(std::map<qint64, double> seconds) {
    m_predicted = std::move(seconds);
    // The longest: what stands still is noticed by time.
    double most = 0;
    for (const auto &[round, predicted] : m_predicted)
        most = std::max(most, predicted);
    m_progressLimit.setPrediction(most);
}

double RoundLoop::predictedOf(qint64 round) const {
    const auto next = m_predicted.upper_bound(round);
    return next == m_predicted.begin() ? 0 : std::prev(next)->second;
}

void RoundLoop::stop() {
    rest();
    m_feed.reset();
}

void RoundLoop::rest() {
    m_quiet.stop();
    m_slowRounds.rest();
}

void RoundLoop::take(const WorkerSession &worker, const RoundReport &report) {
    noteProgress();
    auto complete = m_tracker->take(worker, report, m_log.seconds());
    if (!complete) {
        Q_EMIT failed(complete.error());
        return;
    }
    if (!*complete)
        return;
    event::Round &round = **complete;
    round.predictedRoundS = predictedOf(round.round);
    if (!m_log.record(round))
        return;
    m_slowRounds.done(round.round, round.roundS);
    m_progressLimit.roundTook(round.roundS);
    m_seconds += round.roundS;
    ++m_rounds;
    const auto check = m_tracker->takeCheck();
    if (check)
        Q_EMIT checked(*check);
    // That may have ended all.
    if (m_feed && warnOfStarving(round) && warnOfLoss(round))
        Q_EMIT done(round);
}

bool RoundLoop::warnOfLoss(const event::Round &round) {
    if (std::isfinite(round.loss) || std::exchange(m_warnedOfLoss, true))
        return true;
    return m_log.record(event::Warning{sentence("Loss became NaN."),
                                       sentence("The training has diverged in round %1.").arg(countText(round.round)),
                                       sentence("Stop it, and start again with a smaller learning rate.")});
}

/// While devices have samples left, or where the data are away, nobody starves.
void RoundLoop::noteStarved() {
    const bool isAhead = begun() > completed() + (m_feed->isRoundSent() ? 0 : 1);
    m_starvedRounds.set(m_isStarved && !isAhead && !m_feed->isWaiting(), m_log.seconds());
}

bool RoundLoop::warnOfStarving(const event::Round &round) {
    noteStarved();
    const auto share = m_starvedRounds.done(m_log.seconds(), round.roundS);
    if (!share)
        return true;
    return m_log.record(event::Warning{
        sentence("Training waits for its data."),
        sentence("In %1 % of the time no device had a sample left: they are read and decoded too slowly.")
            .arg(static_cast<int>(std::lround(100 * *share))),
        m_data->isDecoded() ? sentence("Make the pictures smaller, about as large as the network takes them, or start "
                                       "the run on the device with the fastest processor.")
                            : sentence("Keep the data on a faster disk.")});
}

void RoundLoop::noteAlive() {
    if (m_quiet.isActive())
        noteProgress();
}

double RoundLoop::meanSeconds() const {
    return m_rounds > 0 ? m_seconds / static_cast<double>(m_rounds) : 0;
}

void RoundLoop::noteProgress() {
    if (m_feed && m_feed->isWaiting())
        return;
    m_alarms = 0;
    m_quietSince = m_log.seconds();
    waitForProgress();
}

/// A round may be silent for as long as the ones before suggest.
void RoundLoop::waitForProgress() {
    m_quiet.start(std::min(m_deadlines.roundQuiet, m_progressLimit.limit() * (1 + m_alarms)));
}

QString RoundLoop::lateNames() const {
    QStringList names;
    for (const WorkerSession *worker : m_tracker->missing())
        names << worker->device().name;
    return names.join(QStringLiteral(", "));
}

void RoundLoop::askWhoIsLate() {
    const double quiet = m_log.seconds() - m_quietSince;
    if (quiet * 1000 < static_cast<double>(m_deadlines.roundQuiet.count())) {
        // A false alarm costs a question; each one makes the next one later.
        ++m_alarms;
        for (const WorkerSession *worker : m_tracker->missing())
            m_membership.doubt(worker->id());
        waitForProgress();
        return;
    }
    // All that wait for the one that hangs are late. To repeat the round everybody is halted: who hangs does not
    // answer, and is lost.
    Error told{
        QStringLiteral("run.round-quiet"), sentence("Round %1 does not get on.").arg(countText(completed() + 1)),
        sentence("Nothing came for %1 seconds from %2.").arg(m_deadlines.roundQuiet.count() / 1000).arg(lateNames()),
        sentence("Look at these devices: one may be asleep, or busy with something else.")};
    const WaitingBytes longest = longestWait();
    const bool isBroken = longest.bytes > 0 && !longest.from.isEmpty();
    if (isBroken)
        told.cause = longest.toSentence();
    Q_EMIT stuck(told, quiet, isBroken ? longest.from : QString(), isBroken ? longest.to : QString());
}

Sentence RoundLoop::WaitingBytes::toSentence() const {
    return sentence("%1 wait on the link from %2 to %3.").arg(countedBytes(bytes), fromName, toName);
}

RoundLoop::WaitingBytes RoundLoop::longestWait() const {
    WaitingBytes longest;
    const auto consider = [&longest](const WaitingBytes &each) {
        if (each.bytes > longest.bytes)
            longest = each;
    };
    const DeviceInfo *data = m_membership.device(m_request.dataDevice);
    for (WorkerSession *session : m_membership.workers()) {
        const QString &name = session->device().name;
        // The data device serves its own worker over no link at all.
        if (data && data->id != session->id())
            consider({{}, session->id(), data->name, name, undeliveredBytes(session->channel())});
        for (const WorkerSession *to : m_membership.workers()) {
            consider({session->id(), to->id(), name, to->device().name,
                      session->waitingBytes().value(to->address().fingerprint.toHex())});
        }
    }
    return longest;
}

void RoundLoop::warnOfSlowRound(qint64 round) {
    const WaitingBytes longest = longestWait();
    const Sentence what = sentence("Round %1 takes more than %2 times as long as predicted (%3).")
                              .arg(countText(round))
                              .arg(SlowRounds::factor)
                              .arg(secondsText(predictedOf(round)));
    const Sentence again = sentence(
        "The run goes on. If it stays so, stop it and start again: the plan is made "
        "for links and devices as they are then.");
    if (longest.bytes > 0) {
        m_log.record(event::Warning{what, longest.toSentence(),
                                    Sentence::joined({sentence("Look at the network between the two."), again})});
    } else {
        m_log.record(event::Warning{what, sentence("Not done with it: %1.").arg(lateNames()),
                                    Sentence::joined({sentence("Look at what else is busy there."), again})});
    }
}

}  // namespace hearth
