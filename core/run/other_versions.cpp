#include "core/run/other_versions.h"

#include <QCoreApplication>

#include "core/base/sentence.h"

namespace hearth {
namespace {

bool isOtherVersion(const QString &version) {
    const QString own = QCoreApplication::applicationVersion();
    return !version.isEmpty() && !own.isEmpty() && version != own;
}

/// What a worker answers that does not know what it is asked for.
bool isNotUnderstood(const Error &error) {
    return error.code.startsWith(QLatin1String("json.")) || error.code.startsWith(QLatin1String("model.")) ||
           error.code == QLatin1String("rpc.unknown-op");
}

Sentence updateAdvice() {
    return sentence(
        "Update the older of the two: another device by \"Update …\" on Home or by \"hearth install\", this one by its "
        "own package or \"app/run\".");
}

}  // namespace

bool OtherVersions::tell(const std::vector<WorkerSession *> &joined) {
    const QString own = QCoreApplication::applicationVersion();
    for (const WorkerSession *each : joined) {
        const QString &agent = each->device().version, &worker = each->hello().version;
        const QString both = agent + QLatin1Char(' ') + worker;
        if (m_told.value(each->id()) == both)
            continue;
        m_told[each->id()] = both;
        m_shutOut.remove(each->id());  // it was with the version that it had before
        const QString &name = each->device().name;
        if (isOtherVersion(worker)) {
            if (!m_log.warn({QStringLiteral("run.other-version"),
                             sentence("%1 has version %2 of Hearth, and this run has %3.").arg(name, worker, own),
                             sentence("It takes part as far as the two understand each other."), updateAdvice()}))
                return false;
        } else if (isOtherVersion(agent)) {
            if (!m_log.warn(
                    {QStringLiteral("run.other-agent"),
                     sentence("The agent of %1 has version %2 of Hearth, and this run has %3.").arg(name, agent, own),
                     sentence("It was started before Hearth was updated there, or differs from its worker."),
                     sentence("When the run is over, restart that computer, or its agent alone: \"systemctl "
                              "restart hearth-agent\" where it is a service, else \"hearth-agent leave\", and "
                              "open Hearth again.")}))
                return false;
        }
    }
    return true;
}

std::optional<Error> OtherVersions::shutOut(const WorkerSession &worker, const Error &error) {
    const QString &version = worker.hello().version;
    if (!isOtherVersion(version) || !isNotUnderstood(error))
        return std::nullopt;
    m_shutOut[worker.id()] = version;
    return Error{QStringLiteral("run.other-version"),
                 sentence("%1 cannot take part: it has version %2 of Hearth, and this run has %3.")
                     .arg(worker.device().name, version, QCoreApplication::applicationVersion()),
                 sentence("It does not understand what it is to do: %1").arg(error.what), updateAdvice()};
}

bool OtherVersions::isShutOut(const WorkerSession &worker) const {
    const auto known = m_shutOut.constFind(worker.id());
    return known != m_shutOut.constEnd() && *known == worker.hello().version;
}

}  // namespace hearth
