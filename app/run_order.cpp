#include "app/run_order.h"

#include <QFileInfo>

#include "core/base/json_reader.h"
#include "core/data/dataset.h"
#include "core/model/catalogue.h"

namespace hearth {

Result<Job> readJob(const QString &path) {
    return path.isEmpty() ? Result<Job>(Job()) : Job::load(path);
}

Result<RunOrder> makeOrder(const Job &job, const OrderFiles &files) {
    RunOrder order;
    Job resolved = job;
    const auto model = loadModel(job.model);
    if (!model)
        return tl::unexpected(model.error());
    order.model = model->toJson();
    resolved.model = model->name;

    if (!builtinDatasets().contains(job.data)) {
        const QFileInfo file(job.data);
        if (!file.isFile()) {
            return fail(QStringLiteral("data.unknown"),
                        QStringLiteral("There is no data set \"%1\".").arg(job.data.left(80)),
                        QStringLiteral("It is neither a built-in name nor a readable file."),
                        didYouMean(job.data, builtinDatasets()));
        }
        resolved.data = file.absoluteFilePath();
    }
    if (!files.plan.isEmpty()) {
        const auto plan = readJsonFile(files.plan);
        if (!plan)
            return tl::unexpected(plan.error());
        order.plan = *plan;
    }
    if (!files.weights.isEmpty()) {
        const QFileInfo file(files.weights);
        if (!file.isFile() || !file.isReadable()) {
            return fail(QStringLiteral("weights.unreadable"),
                        QStringLiteral("The weights %1 cannot be read.").arg(files.weights), QString(),
                        QStringLiteral("Check the name; \"hearth model %1 --init SEED --save FILE\" makes such a file.")
                            .arg(job.model));
        }
        order.weightsPath = file.absoluteFilePath();
    }
    if (!files.save.isEmpty()) {
        const QFileInfo file(files.save);
        const QFileInfo folder(file.absolutePath());
        // Found out now rather than after hours of training.
        if (!folder.isDir() || !folder.isWritable() || file.isDir()) {
            return fail(QStringLiteral("save.unwritable"),
                        QStringLiteral("The weights could not be saved as %1.").arg(files.save),
                        QStringLiteral("The folder does not exist or is not yours to write."),
                        QStringLiteral("Choose another file with --save."));
        }
        order.savePath = file.absoluteFilePath();
    }
    order.job = resolved.toJson();
    return order;
}

}  // namespace hearth
