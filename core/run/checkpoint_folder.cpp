#include "core/run/checkpoint_folder.h"

#include <utility>

namespace hearth {

CheckpointFolder::CheckpointFolder(CheckpointStore store, RunLog &log, QObject *parent)
    : QObject(parent), m_store(std::move(store)), m_log(log) {}

void CheckpointFolder::lookUp() {
    const std::vector<quint64> versions = m_store.versions();
    m_version = versions.empty() ? 0 : versions.front();
}

void CheckpointFolder::write(quint64 version, const LayerStates &states, const Then &then) {
    whenFree([this, version, states, then] {
        m_next = then;
        m_writing.reset(new CheckpointTask);
        connect(m_writing.get(), &CheckpointTask::failed, this, [this](const Error &error) {
            m_writing.reset();
            if (m_log.warn(error))
                callNext();
        });
        connect(m_writing.get(), &CheckpointTask::written, this, [this](const CheckpointManifest &manifest) {
            m_writing.reset();
            m_version = std::max(m_version, manifest.version);
            if (!m_log.record(event::Checkpoint{manifest.version, manifest.bytes()}))
                return;
            Q_EMIT written();
            callNext();
        });
        m_writing->write(m_store, version, static_cast<qint64>(version), states,
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
