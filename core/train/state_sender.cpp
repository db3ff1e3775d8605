#include "core/train/state_sender.h"

#include <QSet>
#include <algorithm>

#include "core/base/thread_time.h"
#include "core/wire/state_chunks.h"

namespace hearth {
namespace {

/// Of a move: enough for a link never to wait, and no more, since what is queued can no longer be packed when the link
/// turns out to be slow.
qint64 mostQueued(double linkBytesPerSecond) {
    constexpr double seconds = 0.05;  // many times SendPace::interval, also where the processor is busy
    constexpr qint64 least = 4 * stateChunkBytes;
    if (linkBytesPerSecond <= 0)
        return Channel::lowMark;
    return std::clamp(static_cast<qint64>(std::min(linkBytesPerSecond * seconds, double{Channel::highMark})), least,
                      Channel::highMark);
}

}  // namespace

StateSender::StateSender(Route route, RoundUnderWay roundUnderWay, QObject *parent, LinkRate linkRate)
    : QObject(parent),
      m_route(std::move(route)),
      m_roundUnderWay(std::move(roundUnderWay)),
      m_linkRate(std::move(linkRate)) {
    connect(&m_timer, &QTimer::timeout, this, &StateSender::pump);
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setSingleShot(true);
}

void StateSender::send(StateParcel parcel, Purpose purpose, quint32 term, Done done, std::chrono::milliseconds spread) {
    int chunks = 0;
    for (const StateParcel::Entry &entry : parcel.entries)
        chunks += stateChunkCount(entry.state->size());
    m_jobs.push_back({std::move(parcel), purpose, term, std::move(done)});
    m_jobs.back().pace.setLeastPause(SendPace::Time::duration(spread) / std::max(chunks, 1));
    QMetaObject::invokeMethod(this, &StateSender::pump, Qt::QueuedConnection);
}

void StateSender::drop(const std::function<bool(Purpose)> &which) {
    for (auto job = m_jobs.begin(); job != m_jobs.end();) {
        const auto next = std::next(job);
        if (which(job->purpose))
            finish(job, fail(QStringLiteral("worker.superseded"), sentence("A newer plan took its place.")));
        job = next;
    }
}

bool StateSender::isSending(Purpose purpose) const {
    return std::any_of(m_jobs.begin(), m_jobs.end(), [&](const Job &job) { return job.purpose == purpose; });
}

void StateSender::finish(std::list<Job>::iterator job, const Result<void> &result) {
    if (job->done) {
        QMetaObject::invokeMethod(
            this, [done = std::move(job->done), result] { done(result); }, Qt::QueuedConnection);
    }
    m_jobs.erase(job);
}

void StateSender::pump() {
    QSet<QString> served;
    m_timer.stop();
    SendPace::Time::duration wait = SendPace::longestWait;
    for (auto job = m_jobs.begin(); job != m_jobs.end();) {
        const auto next = std::next(job);
        if (!served.contains(job->parcel.to)) {
            Channel *channel = m_route(job->parcel.to);
            if (!channel)
                finish(job,
                       fail(QStringLiteral("worker.peer-unreachable"), sentence("A device did not reach another one."),
                            sentence("The connection to %1 ended while it was sent states of layers.")
                                .arg(job->parcel.to)));
            else if (advance(*job, *channel))
                finish(job, {});
            else {
                served.insert(job->parcel.to);
                wait = std::min(wait, waitOf(*job));
            }
        }
        job = next;
    }
    if (!m_jobs.empty())
        m_timer.start(std::chrono::ceil<std::chrono::milliseconds>(wait));
}

SendPace::Time::duration StateSender::waitOf(const Job &job) const {
    if (job.purpose == Purpose::Move)
        return SendPace::interval;
    return job.pace.wait(std::chrono::steady_clock::now(), m_roundUnderWay());
}

/// Links that have nothing to deliver tell nothing; they are as fast as they were.
double StateSender::rateOf(const Job &job, const Channel &channel) {
    const double now = m_linkRate(channel);
    double &known = m_rates[job.parcel.to];
    return known = now > 0 ? now : known;
}

bool StateSender::maySend(Job &job, const Channel &channel) {
    if (job.purpose == Purpose::Move)
        return channel.queuedBytes() < mostQueued(rateOf(job, channel));
    if (job.allowed == 0)
        job.allowed = job.pace.chunks(std::chrono::steady_clock::now(), undeliveredBytes(channel), m_roundUnderWay());
    if (job.allowed == 0)
        return false;
    --job.allowed;
    return true;
}

bool StateSender::advance(Job &job, Channel &channel) {
    for (; job.entry < job.parcel.entries.size(); ++job.entry, job.chunk = 0) {
        const int count = stateChunkCount(job.parcel.entries[job.entry].state->size());
        for (; job.chunk < count; ++job.chunk) {
            if (!maySend(job, channel))
                return false;
            sendChunk(job, channel);
        }
    }
    return true;
}

void StateSender::sendChunk(const Job &job, Channel &channel) {
    const auto &[layer, state] = job.parcel.entries[job.entry];
    TensorHeader header = stateChunkHeader({layer, job.parcel.version, job.chunk, stateChunkCount(state->size())},
                                           state->size(), job.term);
    Payload payload = stateChunkPayload(state, job.chunk);
    if (m_packing.packsNext(rateOf(job, channel))) {
        const qsizetype raw = payload.size;
        const auto began = threadTime();
        packStateChunk(header, payload);
        m_packing.packed(raw, payload.size, threadTime() - began);
    }
    channel.sendTensor(header, std::move(payload));
}

}  // namespace hearth
