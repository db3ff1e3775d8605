#include "core/run/checkpoint_folder.h"

#include <utility>

namespace hearth {

CheckpointFolder::CheckpointFolder(CheckpointStore store, RunLog &log, QObject *parent)
    : QObject(parent), m_store(std::move(store)), m_log(log) {}

void CheckpointFolder::lookUp() {
    m_version = m_store.newestVersion();
}

void CheckpointFolder::setCourse(quint32 term, const TermOrigins &origins) {
    m_store.setCourse(term, origins);
    if (m_version > 0 && !origins.isEmpty())
        m_version = std::min(m_version, m_store.newestVersion());
}

void CheckpointFolder::write(quint64 version, const LayerStates &states, const Then &then) {
    // The plan may be another one by the time that the folder is free.
    whenFree([this, store = m_store, version, states, then] {
        m_next = then;
        m_writing.reset(new CheckpointTask);
        connect(m_writing.get(), &CheckpointTask::failed, this, [this](const Error &error) {
            m_writing.reset();
            if (m_log.warn(error))
                callNext();
        });
        connect(m_writing.get(), &CheckpointTask::written, this, [this](const CheckpointManifest &manifest) {
            m_writing.reset();
            if (!m_store.counts(manifest)) {
                callNext();
                return;
            }
            m_version = std::max(m_version, manifest.version);
            if (!m_log.record(event::Checkpoint{manifest.version, manifest.bytes()}))
                return;
            Q_EMIT written();
            callNext();
        });
        m_writing->write(store, version, static_cast<qint64>(version), states,
                         then ? CheckpointTask::Manner::AtOnce : CheckpointTask::Manner::BesideRounds);
    });
}

void CheckpointFolder::read(const Found &found) {
    if (m_reading) {
        m_found = found;
        return;
    }
    whenFree([this, found] {
        m_found = found;
        m_reading.reset(new CheckpointTask);
        connect(m_reading.get(), &CheckpointTask::searched, this, [this](const CheckpointSearch &search) {
            m_reading.reset();
            const Found waiting = std::exchange(m_found, nullptr);
            if (!waiting) {
                callNext();
                return;
            }
            for (const Error &error : search.skipped) {
                if (!m_log.warn(error))
                    return;
            }
            m_version = search.checkpoint ? search.checkpoint->manifest.version : 0;
            waiting(search.checkpoint ? search.checkpoint->states : LayerStates());
        });
        m_reading->readNewest(m_store);
    });
}

void CheckpointFolder::forgetWaiting() {
    m_next = nullptr;
    m_found = nullptr;
}

void CheckpointFolder::stop() {
    forgetWaiting();
    m_reading.reset();
    m_writing.reset();
}

void CheckpointFolder::whenFree(Then then) {
    if (!m_writing && !m_reading) {
        then();
        return;
    }
    if (m_writing)
        m_writing->hurry();
    m_next = std::move(then);
}

void CheckpointFolder::callNext() {
    if (const Then next = std::exchange(m_next, nullptr))
        next();
}

}  // namespace hearth
