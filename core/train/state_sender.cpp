#include "core/train/state_sender.h"

#include <QSet>

#include "core/wire/state_chunks.h"
#include "core/wire/stream_channel.h"

namespace hearth {

StateSender::StateSender(Route route, QObject *parent) : QObject(parent), m_route(std::move(route)) {
    connect(&m_timer, &QTimer::timeout, this, &StateSender::pump);
    m_timer.setTimerType(Qt::PreciseTimer);
}

void StateSender::send(StateParcel parcel, Purpose purpose, quint32 term, Done done) {
    m_jobs.push_back({std::move(parcel), purpose, term, std::move(done)});
    if (!m_timer.isActive())
        m_timer.start(interval);
    QMetaObject::invokeMethod(this, &StateSender::pump, Qt::QueuedConnection);
}

void StateSender::drop(const std::function<bool(Purpose)> &which) {
    for (auto job = m_jobs.begin(); job != m_jobs.end();) {
        const auto next = std::next(job);
        if (which(job->purpose))
            finish(job, fail(QStringLiteral("worker.superseded"), QStringLiteral("A newer plan took its place.")));
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
    for (auto job = m_jobs.begin(); job != m_jobs.end();) {
        const auto next = std::next(job);
        if (!served.contains(job->parcel.to)) {
            Channel *channel = m_route(job->parcel.to);
            if (!channel)
                finish(job, fail(QStringLiteral("worker.peer-unreachable"),
                                 QStringLiteral("A device did not reach another one."),
                                 QStringLiteral("The connection to %1 ended while it was sent states of layers.")
                                     .arg(job->parcel.to)));
            else if (advance(*job, *channel))
                finish(job, {});
            else
                served.insert(job->parcel.to);
        }
        job = next;
    }
    if (m_jobs.empty())
        m_timer.stop();
}

bool StateSender::isQuiet(Job &job, const Channel &channel) {
    if (undeliveredBytes(channel) > quietBytes)
        return false;
    const auto now = Clock::now();
    if (const auto sent = std::exchange(job.sentAt, std::nullopt))
        job.restsUntil = now + restFactor * std::max(Clock::duration::zero(), now - *sent - interval);
    return now >= job.restsUntil;
}

bool StateSender::advance(Job &job, Channel &channel) {
    for (; job.entry < job.parcel.entries.size(); ++job.entry, job.chunk = 0) {
        const auto &[layer, state] = job.parcel.entries[job.entry];
        const int count = stateChunkCount(state->size());
        for (; job.chunk < count; ++job.chunk) {
            const bool patient = job.purpose != Purpose::Move;
            const bool room = patient ? isQuiet(job, channel) : channel.queuedBytes() < Channel::highMark;
            if (!room)
                return false;
            if (patient)
                job.sentAt = Clock::now();
            channel.sendTensor(stateChunkHeader({layer, job.parcel.version, job.chunk, count}, state->size(), job.term),
                               stateChunkPayload(state, job.chunk));
        }
    }
    return true;
}

}  // namespace hearth
