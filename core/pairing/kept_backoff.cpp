#include "core/pairing/kept_backoff.h"

#include <QDateTime>
#include <QLoggingCategory>
#include <algorithm>

#include "core/base/json_reader.h"
#include "core/base/private_file.h"

namespace hearth {
namespace {

Q_LOGGING_CATEGORY(backoffLog, "hearth.pairing.pause")

constexpr qint64 mostBackoffBytes = 4096;
constexpr qint64 latestMoment = qint64(1) << 53;
const QString format = QStringLiteral("hearth-pairing-pause/1");

}  // namespace

void KeptBackoff::keepIn(const QString &path) {
    m_path = path;
    load();
}

void KeptBackoff::setTimes(const BackoffTimes &times) {
    m_times = times;
    m_backoff = Backoff(times);
    load();
}

void KeptBackoff::fail(Time now) {
    m_backoff.fail(now);
    save();
}

void KeptBackoff::succeed() {
    if (m_backoff.failures() == 0)
        return;
    m_backoff.succeed();
    save();
}

void KeptBackoff::load() {
    if (m_path.isEmpty())
        return;
    const auto object = readPrivateJson(m_path, mostBackoffBytes);
    if (!object) {
        qCWarning(backoffLog, "%s", qUtf8Printable(object.error().toString()));
        return;
    }
    if (!*object)
        return;
    JsonReader reader(**object, m_path);
    reader.choice("format", {format});
    const auto failures = static_cast<int>(reader.integer("failures", 0, Backoff::mostFailures));
    const std::chrono::milliseconds last(reader.integer("last_ms", 0, latestMoment));
    if (const auto good = reader.finish(); !good) {
        qCWarning(backoffLog, "%s", qUtf8Printable(good.error().toString()));
        return;
    }
    const std::chrono::milliseconds age(QDateTime::currentMSecsSinceEpoch() - last.count());
    m_backoff =
        Backoff(m_times, failures,
                std::chrono::steady_clock::now() - std::clamp(age, std::chrono::milliseconds(0), m_times.forgotten));
}

void KeptBackoff::save() const {
    if (m_path.isEmpty())
        return;
    const auto saved = savePrivateJson(m_path, {{QStringLiteral("format"), format},
                                                {QStringLiteral("failures"), m_backoff.failures()},
                                                {QStringLiteral("last_ms"), QDateTime::currentMSecsSinceEpoch()}});
    if (!saved)
        qCWarning(backoffLog, "%s", qUtf8Printable(saved.error().toString()));
}

}  // namespace hearth
