#include "core/run/files/kept_runs.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "core/base/files.h"
#include "core/home/state_dir.h"
#include "core/run/files/event_file.h"

namespace hearth {
namespace {

Error notKept(const QString &run, const QString &cause) {
    return {QStringLiteral("run.not-kept"), sentence("The run %1 of the demo could not be kept.").arg(run),
            cause + QLatin1Char('.'), sentence("Free some space, and check who owns the folder.")};
}

/// Plain files of a folder and of those below it; links are not followed. A folder that is not there has none.
Result<void> keepFolder(const QString &from, const QString &to, const QString &run) {
    const QFileInfo info(from);
    if (!info.isDir() || info.isSymLink())
        return {};
    if (auto made = makePrivateFolder(to); !made)
        return made;
    for (const QString &name : QDir(from).entryList(QDir::Files | QDir::NoSymLinks)) {
        QFile file(from + QLatin1Char('/') + name);
        if (!file.copy(to + QLatin1Char('/') + name))
            return tl::unexpected(notKept(run, file.errorString()));
    }
    for (const QString &name : QDir(from).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks)) {
        if (auto kept = keepFolder(from + QLatin1Char('/') + name, to + QLatin1Char('/') + name, run); !kept)
            return kept;
    }
    return {};
}

Result<void> keepRun(const QString &from, const QString &to, const QString &run) {
    if (auto made = makePrivateFolder(to); !made)
        return made;
    const QStringList story{QStringLiteral("*.json"), QStringLiteral("events.jsonl"),
                            QStringLiteral("weights.safetensors"), QStringLiteral("best.safetensors")};
    // The events come last: without them a folder is no run, so a copy that broke off is never listed.
    QStringList names = QDir(from).entryList(story, QDir::Files | QDir::NoSymLinks);
    names.removeOne(QStringLiteral("events.jsonl"));
    for (const QString &name : names) {
        QFile file(from + QLatin1Char('/') + name);
        if (!file.copy(to + QLatin1Char('/') + name))
            return tl::unexpected(notKept(run, file.errorString()));
    }
    // data.json names it.
    const QString tokenizer = QStringLiteral("/tokenizer");
    if (auto kept = keepFolder(from + tokenizer, to + tokenizer, run); !kept)
        return kept;
    const QString events = QStringLiteral("/events.jsonl"), unfinished = QStringLiteral("/events.part");
    QFile file(from + events);
    if (!file.copy(to + unfinished))
        return tl::unexpected(notKept(run, file.errorString()));
    if (!QFile::rename(to + unfinished, to + events))
        return tl::unexpected(notKept(run, QStringLiteral("The events could not be renamed")));
    return closeRun(to, std::nullopt, QStringLiteral("stopped"));
}

}  // namespace

Result<void> keepRuns(const QString &fromStateDir, const QString &toStateDir) {
    const QString from = fromStateDir + QStringLiteral("/runs/");
    const QStringList runs = listRuns(from);
    if (runs.isEmpty())
        return {};
    const auto state = openStateDir(toStateDir);
    if (!state)
        return tl::unexpected(state.error());
    const QString to = *state + QStringLiteral("/runs/");
    if (auto made = makePrivateFolder(to); !made)
        return made;
    Result<void> outcome;
    for (const QString &run : runs) {
        // What only measured or planned is nothing to come back to.
        RunInfo info;
        applyEvent(info, EventReader(eventsPath(from + run), 1).next(1).value(0));
        if (QFile::exists(to + run) || !info.only.isEmpty())
            continue;
        const auto kept = keepRun(from + run, to + run, run);
        if (!kept) {
            QDir(to + run).removeRecursively();
            if (outcome)
                outcome = kept;
        }
    }
    return outcome;
}

}  // namespace hearth
