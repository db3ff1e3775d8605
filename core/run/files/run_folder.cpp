#include "core/run/files/run_folder.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/base/files.h"
#include "core/base/json_reader.h"

namespace hearth {
namespace {

bool hasCheckpoint(const QString &folder) {
    const QStringList names =
        QDir(checkpointsPath(folder)).entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    // A checkpoint that is being written has another name.
    return std::any_of(names.begin(), names.end(), [](const QString &name) {
        bool isVersion = false;
        name.toULongLong(&isVersion);
        return isVersion;
    });
}

Result<void> copyInto(QIODevice &target, const QString &from, const QString &to) {
    QFile source(from);
    if (auto opened = openPlainFile(source); !opened)
        return opened;
    constexpr qint64 piece = 1 << 20;
    const auto notCopied = [&to](const QString &reason) {
        return fail(QStringLiteral("file.unwritable"), sentence("The file %1 could not be saved.").arg(to),
                    reason + QLatin1Char('.'),
                    sentence("Free some space or choose another folder; what was there before is unchanged."));
    };
    while (!source.atEnd()) {
        const QByteArray bytes = source.read(piece);
        if (bytes.isEmpty())
            return notCopied(source.errorString());
        if (target.write(bytes) != bytes.size())
            return notCopied(target.errorString());
    }
    return {};
}

}  // namespace

QString weightsPath(const QString &folder, RunWeights which) {
    return folder +
           (which == RunWeights::Best ? QStringLiteral("/best.safetensors") : QStringLiteral("/weights.safetensors"));
}

Result<QString> savedWeights(const QString &folder, RunWeights which) {
    QString path = weightsPath(folder, which);
    if (QFileInfo(path).isFile())
        return path;
    if (which == RunWeights::Best) {
        return fail(QStringLiteral("run.no-best-weights"), sentence("The run has kept no best weights."),
                    sentence("They are kept from its first evaluation on, where its job does not say otherwise."),
                    sentence("Take its last ones."));
    }
    return fail(QStringLiteral("run.no-weights"), sentence("The run has no weights yet."),
                sentence("It saves them at its end."),
                QFileInfo(weightsPath(folder, RunWeights::Best)).isFile()
                    ? sentence("Take those of its best evaluation, with --best.")
                    : sentence("\"hearth save RUN FILE\" saves those of a run under way; one that broke off saves them "
                               "when it is resumed and stopped."));
}

bool hasWeights(const QString &folder) {
    return savedWeights(folder, RunWeights::Last) || savedWeights(folder, RunWeights::Best);
}

Result<void> copyWeights(const QString &folder, RunWeights which, const QString &to) {
    const auto from = savedWeights(folder, which);
    if (!from)
        return tl::unexpected(from.error());
    return saveFile(to, [&](QIODevice &target) { return copyInto(target, *from, to); });
}

qint64 bytesOfRun(const QString &folder) {
    QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::System | QDir::NoSymLinks,
                       QDirIterator::Subdirectories);
    qint64 bytes = 0;
    while (files.hasNext())
        bytes += files.nextFileInfo().size();
    return bytes;
}

Result<RunOrder> orderOfRun(const QString &folder, const QString &weights, const QString &only) {
    RunOrder order;
    for (const auto &[name, json] : {std::pair{"job.json", &order.job}, {"model.json", &order.model}}) {
        const auto read = readJsonFile(folder + QLatin1Char('/') + QLatin1String(name));
        if (!read)
            return tl::unexpected(read.error());
        *json = *read;
    }
    order.weightsPath = QFileInfo(weights).absoluteFilePath();
    order.options[QStringLiteral("only")] = only;
    return order;
}

QString checkpointsPath(const QString &folder) {
    return folder + QStringLiteral("/checkpoints");
}

QString spentCheckpointsPath(const QString &folder) {
    return folder + QStringLiteral("/checkpoints.spent");
}

bool isDone(const RunInfo &run) {
    return run.state == QLatin1String("finished") && !run.endedEarly;
}

Result<void> mustBeResumable(const QString &folder, const RunInfo &run) {
    const Sentence what = sentence("The run %1 cannot go on.").arg(run.id);
    if (isDone(run)) {
        return fail(QStringLiteral("run.finished"), what, sentence("It has finished all its rounds."),
                    sentence("To train its weights further, start a new run with --weights %1/weights.safetensors.")
                        .arg(folder));
    }
    for (const QString &name : {QStringLiteral("job.json"), QStringLiteral("model.json")}) {
        if (!QFileInfo(folder, name).isFile()) {
            return fail(QStringLiteral("run.no-job"), what,
                        sentence("%1 is missing in its folder %2.").arg(name, folder),
                        sentence("Start a new run with \"hearth train\"."));
        }
    }
    if (!hasCheckpoint(folder)) {
        return fail(QStringLiteral("run.no-checkpoint"), what,
                    sentence("There is no checkpoint of it in %1/checkpoints.").arg(folder),
                    sentence("Start it anew: hearth train %1/job.json").arg(folder));
    }
    return {};
}

}  // namespace hearth
