#include "core/train/state_sender.h"

#include <QSet>
#include <algorithm>

#include "core/wire/state_chunks.h"
#include "core/wire/stream_channel.h"

namespace hearth {

StateSender::StateSender(Route route, RoundUnderWay roundUnderWay, QObject *parent)
    : QObject(parent), m_route(std::move(route)), m_roundUnderWay(std::move(roundUnderWay)) {
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

bool StateSender::maySend(Job &job, const Channel &channel) const {
    if (job.purpose == Purpose::Move)
        return channel.queuedBytes() < Channel::highMark;
    if (job.allowed == 0)
        job.allowed = job.pace.chunks(std::chrono::steady_clock::now(), undeliveredBytes(channel), m_roundUnderWay());
    if (job.allowed == 0)
        return false;
    --job.allowed;
    return true;
}

bool StateSender::advance(Job &job, Channel &channel) {
    for (; job.entry < job.parcel.entries.size(); ++job.entry, job.chunk = 0) {
        const auto &[layer, state] = job.parcel.entries[job.entry];
        const int count = stateChunkCount(state->size());
        for (; job.chunk < count; ++job.chunk) {
            if (!maySend(job, channel))
                return false;
            channel.sendTensor(stateChunkHeader({layer, job.parcel.version, job.chunk, count}, state->size(), job.term),
                               stateChunkPayload(state, job.chunk));
        }
    }
    return true;
}

}  // namespace hearth
