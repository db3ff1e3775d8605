#include "app/run_order.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <tuple>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/data/data_registry.h"
#include "core/history/weights_export.h"
#include "core/model/import/hugging_face.h"
#include "core/model/import/initial_weights.h"
#include "core/model/import/open_model.h"
#include "core/model/model_name.h"
#include "core/run/job_file.h"

namespace hearth {
namespace {

/// What a new run and one that goes on take alike: plan, where to save, how to sum.
Result<void> takeFiles(const OrderFiles &files, RunOrder &order) {
    if (!files.plan.isEmpty()) {
        const auto plan = readJsonFile(files.plan);
        if (!plan)
            return tl::unexpected(plan.error());
        order.plan = *plan;
    }
    for (const auto &[given, path, code, what, option] :
         {std::tuple{&files.save, &order.savePath, "save.unwritable", sentence("The weights could not be saved as %1."),
                     "--save"},
          std::tuple{&files.trace, &order.tracePath, "trace.unwritable",
                     sentence("The trace could not be written to %1."), "--trace"}}) {
        if (given->isEmpty())
            continue;
        // Found out now rather than after hours of training.
        auto writable = mustBeWritable(*given, QLatin1String(code), what.arg(*given),
                                       sentence("Choose another file with %1.").arg(QLatin1String(option)));
        if (!writable)
            return writable;
        *path = QFileInfo(*given).absoluteFilePath();
    }
    if (!files.trustedFabric.isEmpty())
        order.options[QStringLiteral("trusted_fabric")] = files.trustedFabric;
    if (!files.safety.isEmpty())
        order.options[QStringLiteral("safety")] = files.safety;
    return {};
}

/// Where a run finds the weights that a network came with. The last ones are kept, for a run that begins later, or with
/// the same ones: all trials of a sweep need one file. Those of before make room.
Result<QString> keepInitialWeights(const ImportedModel &opened, const Job &job) {
    const QDir folder(initialWeightsFolder());
    if (!folder.mkpath(QStringLiteral("."))) {
        return fail(QStringLiteral("file.unwritable"), sentence("The folder %1 could not be made.").arg(folder.path()),
                    {}, sentence("Check the permissions."));
    }
    const auto key = initialWeightsKey(opened, job.seed, dtypeOf(job.precision));
    if (!key)
        return tl::unexpected(key.error());
    const QString path = folder.filePath(QString::fromLatin1(*key) + QStringLiteral(".safetensors"));
    const QDateTime now = QDateTime::currentDateTime(), old = now.addDays(-1);
    // One that is here is whole, and needed for another day.
    QFile kept(path);
    const bool isHere = kept.open(QIODevice::ReadWrite | QIODevice::ExistingOnly) &&
                        kept.setFileTime(now, QFileDevice::FileModificationTime);
    kept.close();
    for (const QFileInfo &file : folder.entryInfoList({QStringLiteral("*.safetensors")}, QDir::Files)) {
        if (file.lastModified() < old)
            QFile::remove(file.filePath());
    }
    if (isHere)
        return path;
    if (auto saved = saveInitialWeights(opened, job.seed, dtypeOf(job.precision), path); !saved)
        return tl::unexpected(saved.error());
    return path;
}

/// Where the network came from, with the options of its head: a Hugging Face folder that somebody brought, also by way
/// of a run before. Empty of others.
QString originOf(const QString &model) {
    ModelName name = ModelName::split(model);
    const QFileInfo file(name.base);
    if (isHuggingFaceFolder(name.base)) {
        name.base = file.absoluteFilePath();
        return name.text();
    }
    return file.fileName() == QLatin1String("model.json") ? originOfRun(file.absolutePath()) : QString();
}

/// What is here by its path; what is on another device has its name there, which is not known here.
Result<QStringList> resolvedData(const Job &job) {
    QStringList resolved = job.data;
    const auto sources = job.dataSources();
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (!sources[i].isHere() || builtinDatasets().contains(sources[i].name))
            continue;
        const auto path = pathOfDataset(sources[i].name);
        if (!path)
            return tl::unexpected(path.error());
        resolved[static_cast<qsizetype>(i)] = *path;
    }
    return resolved;
}

}  // namespace

Result<Job> readJob(const QString &path) {
    return path.isEmpty() ? Result<Job>(Job()) : openJob(path);
}

Result<RunOrder> makeOrder(const Job &job, const OrderFiles &files) {
    RunOrder order;
    Job resolved = job;
    auto opened = openModel(job.model);
    if (!opened)
        return tl::unexpected(opened.error());
    auto network = networkOf(job, opened->model);
    if (!network)
        return tl::unexpected(network.error());
    opened->model = std::move(*network);
    order.model = opened->model.toJson();
    resolved.model = opened->model.name;
    if (const QString origin = originOf(job.model); !origin.isEmpty())
        order.options[QStringLiteral("origin")] = origin;

    auto data = resolvedData(job);
    if (!data)
        return tl::unexpected(data.error());
    resolved.data = std::move(*data);
    if (!files.weights.isEmpty()) {
        const QFileInfo file(files.weights);
        if (!file.isFile() || !file.isReadable()) {
            return fail(QStringLiteral("weights.unreadable"),
                        sentence("The weights %1 cannot be read.").arg(files.weights), QString(),
                        sentence("Check the name; \"hearth model %1 --init SEED --save FILE\" makes such a file.")
                            .arg(job.model));
        }
        order.weightsPath = file.absoluteFilePath();
        if (files.partial)
            order.options[QStringLiteral("partial_weights")] = true;
    } else if (opened->weights && files.needsWeights) {
        const auto path = keepInitialWeights(*opened, job);
        if (!path)
            return tl::unexpected(path.error());
        order.weightsPath = *path;
    }
    if (auto taken = takeFiles(files, order); !taken)
        return tl::unexpected(taken.error());
    order.job = resolved.toJson();
    return order;
}

Result<RunOrder> makeResumeOrder(const QString &run, const OrderFiles &files) {
    RunOrder order;
    order.resume = run;
    if (auto taken = takeFiles(files, order); !taken)
        return tl::unexpected(taken.error());
    return order;
}

}  // namespace hearth
