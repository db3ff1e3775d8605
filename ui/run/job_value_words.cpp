#include "ui/run/job_value_words.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>

#include "core/history/job_values.h"

namespace hearth {
namespace {

class JobValueWords {
    Q_DECLARE_TR_FUNCTIONS(JobValueWords)
  public:
    static QString of(const QString &path) {
        const QHash<QString, QString> names{
            {QStringLiteral("model"), tr("Model")},
            {QStringLiteral("data"), tr("Data")},
            {QStringLiteral("optimizer.kind"), tr("Optimizer")},
            {QStringLiteral("optimizer.learning_rate"), tr("Learning rate")},
            {QStringLiteral("optimizer.momentum"), tr("Momentum")},
            {QStringLiteral("optimizer.weight_decay"), tr("Weight decay")},
            {QStringLiteral("batch"), tr("Batch")},
            {QStringLiteral("micro_batch"), tr("Micro-batch")},
            {QStringLiteral("rounds"), tr("Planned rounds")},
            {QStringLiteral("epochs"), tr("Planned passes")},
            {QStringLiteral("seed"), tr("Seed")},
            {QStringLiteral("precision"), tr("Precision")},
            {QStringLiteral("codec"), tr("Compression")},
            {QStringLiteral("schedule.kind"), tr("Rate over the run")},
            {QStringLiteral("loss"), tr("Kind of loss")},
            {QStringLiteral("fit"), tr("Fitted by")},
            {QStringLiteral("augment.crop"), tr("Random part")},
            {QStringLiteral("augment.shift"), tr("Moved by pixels")},
            {QStringLiteral("augment.flip"), tr("Mirrored")},
            {QStringLiteral("augment.colour"), tr("Colours changed")},
            {QStringLiteral("augment.random_ops"), tr("RandAugment's changes")},
            {QStringLiteral("augment.magnitude"), tr("RandAugment's strength")},
            {QStringLiteral("augment.mixup"), tr("Mixup")},
            {QStringLiteral("augment.cutmix"), tr("CutMix")},
            {QStringLiteral("validation"), tr("Part for validation")},
            {QStringLiteral("evaluate_every"), tr("Evaluated every")},
            {QStringLiteral("patience"), tr("Patience")},
            {QStringLiteral("best_by"), tr("Best by")},
        };
        return names.value(path, path);
    }
};

}  // namespace

QString jobValueName(const QString &path) {
    return JobValueWords::of(path);
}

QString jobValueText(const QJsonValue &value) {
    return value.isDouble() ? QLocale().toString(value.toDouble(), 'g', 6) : valueText(value);
}

}  // namespace hearth
