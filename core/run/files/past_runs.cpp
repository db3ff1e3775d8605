#include "core/run/files/past_runs.h"

#include <utility>

#include "core/run/files/event_file.h"
#include "core/run/files/run_folder.h"
#include "core/run/files/state_words.h"

namespace hearth {

PastRuns::PastRuns(QString runsFolder, Read read) : m_folder(std::move(runsFolder)), m_read(std::move(read)) {}

std::optional<RunInfo> PastRuns::readFolder(const QString &folder, const std::atomic<bool> &cancelled) {
    auto info = readRun(folder, &cancelled);
    if (!info)
        return info;
    if (!isFinalState(info->state))
        info->state = QStringLiteral("interrupted");
    info->resumable = mustBeResumable(folder, *info).has_value();
    return info;
}

const RunInfo *PastRuns::find(const QString &id) const {
    const auto at = m_known.find(id);
    return at == m_known.end() ? nullptr : &at->second;
}

QStringList PastRuns::unknown(const QStringList &ids) const {
    QStringList left = ids;
    left.removeIf([this](const QString &id) { return m_known.contains(id); });
    return left;
}

void PastRuns::know(const QStringList &ids, QObject *context, std::function<void()> done) {
    if (unknown(ids).isEmpty()) {
        done();
        return;
    }
    m_questions.push_back({ids, context, std::move(done)});
    if (m_questions.size() == 1)
        readNext();
}

void PastRuns::readNext() {
    const auto work = [read = m_read, folder = m_folder,
                       ids = unknown(m_questions.front().ids)](const std::atomic<bool> &cancelled) -> Result<Found> {
        Found found;
        for (const QString &id : ids) {
            if (cancelled)
                break;
            if (const auto info = read(folder + QLatin1Char('/') + id, cancelled))
                found[id] = *info;
        }
        return found;
    };
    m_reading = std::make_unique<BackgroundTask>();
    m_reading->start<Found>(
        &m_context, [work, cancelled = m_reading->cancelled()] { return work(*cancelled); },
        [this](const Found &found) { take(found); }, [](const Error &) {});
}

void PastRuns::take(const Found &found) {
    // What was put meanwhile is newer.
    m_known.insert(found.begin(), found.end());
    const Question answered = std::move(m_questions.front());
    m_questions.pop_front();
    if (!m_questions.empty())
        readNext();
    if (answered.context)
        answered.done();
}

}  // namespace hearth
