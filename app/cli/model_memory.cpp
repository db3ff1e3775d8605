#include "app/cli/model_memory.h"

#include <QLocale>
#include <array>

#include "app/cli/command.h"
#include "app/cli/table.h"
#include "core/base/sentence.h"
#include "core/model/adapters.h"
#include "core/model/training_memory.h"
#include "core/model/training_spec.h"

namespace hearth {
namespace {

const QString full = QStringLiteral("full"), bottleneck = QStringLiteral("bottleneck"), lora = QStringLiteral("lora"),
              inference = QStringLiteral("inference");

/// What was published of T5-large in float32 with 16 samples of 128 tokens, GiB.
struct Published {
    const char *kind;
    const char *weights, *activations, *gradients;
};
constexpr std::array published{Published{"full", "2.75", "5.33", "2.75"},
                               Published{"bottleneck", "2.80", "4.04", "0.05"},
                               Published{"lora", "2.78", "4.31", "0.04"}, Published{"inference", "2.75", "", ""}};
constexpr int publishedBatch = 16, publishedSequence = 128;
/// Ranks that give the published sizes.
constexpr int loraRank = 32, bottleneckFeatures = 64;
constexpr double loraDropout = 0.05;

AdapterSpec specOf(const QString &kind) {
    AdapterSpec spec;
    spec.kind = kind == lora ? AdapterSpec::Kind::Lora : AdapterSpec::Kind::Bottleneck;
    spec.rank = loraRank;
    spec.dropout = loraDropout;
    spec.features = bottleneckFeatures;
    return spec;
}

MemoryRow rowOf(const QString &kind, const Model &model, int batch) {
    const TrainingMemory memory = trainingMemory(model);
    if (kind == inference)
        return {kind, memory.weights};
    const auto kept = [&memory](OptimizerSpec::Kind optimizer) {
        return memory.optimizerBytes(OptimizerSpec::defaultOf(optimizer).state());
    };
    return {kind,
            memory.weights,
            memory.activations * batch,
            memory.gradients,
            kept(OptimizerSpec::Kind::AdamW),
            kept(OptimizerSpec::Kind::Adafactor)};
}

QString titleOf(const QString &kind) {
    if (kind == lora)
        return QStringLiteral("LoRA, rank %1, dropout %2").arg(loraRank).arg(loraDropout);
    if (kind == bottleneck)
        return QStringLiteral("adapters of %1 features").arg(bottleneckFeatures);
    return kind == full ? QStringLiteral("all weights") : QStringLiteral("use only");
}

QString gib(qint64 bytes) {
    const double value = static_cast<double>(bytes) / (1 << 30);
    if (bytes == 0)
        return {};
    return value < 0.005 ? QLocale().toString(value, 'g', 1) : QLocale().toString(value, 'f', 2);
}

}  // namespace

QStringList memoryKinds() {
    return {full, bottleneck, lora, inference};
}

QJsonObject MemoryRow::toJson() const {
    return {{QStringLiteral("kind"), kind},
            {QStringLiteral("weight_bytes"), weights},
            {QStringLiteral("activation_bytes"), activations},
            {QStringLiteral("gradient_bytes"), gradients},
            {QStringLiteral("adamw_bytes"), adamw},
            {QStringLiteral("adafactor_bytes"), adafactor}};
}

Result<std::vector<MemoryRow>> memoryRows(const Model &model, int batch, const QStringList &kinds) {
    std::vector<MemoryRow> rows;
    for (const QString &kind : kinds) {
        if (kind != lora && kind != bottleneck) {
            rows.push_back(rowOf(kind, model, batch));
            continue;
        }
        const auto adapted = withAdapters(model, specOf(kind));
        if (adapted)
            rows.push_back(rowOf(kind, *adapted, batch));
        else if (kinds.size() == 1)
            return tl::unexpected(adapted.error());
    }
    return rows;
}

void printMemory(const Model &model, int batch, const std::vector<MemoryRow> &rows) {
    const bool isPublished = model.name.startsWith(QLatin1String("t5-large")) && batch == publishedBatch &&
                             model.inputShape() == Shape{publishedSequence};
    QList<QStringList> table{{QStringLiteral("what is trained"), QStringLiteral("weights"),
                              QStringLiteral("activations"), QStringLiteral("gradients"), QStringLiteral("AdamW"),
                              QStringLiteral("Adafactor")}};
    if (isPublished)
        table.front() << QStringLiteral("published");
    for (const MemoryRow &row : rows) {
        QStringList line{titleOf(row.kind),  gib(row.weights), gib(row.activations),
                         gib(row.gradients), gib(row.adamw),   gib(row.adafactor)};
        for (const Published &each : published) {
            if (isPublished && row.kind == QLatin1String(each.kind)) {
                QStringList numbers;
                for (const char *number : {each.weights, each.activations, each.gradients})
                    numbers << QLatin1String(number);
                numbers.removeAll(QString());
                line << numbers.join(QStringLiteral(" / "));
            }
        }
        table.append(line);
    }
    printLine(Sentence::filled(QStringLiteral("GiB of float32 on one device, %1 {1|sample|samples} at once:"),
                               {QString::number(batch)}));
    printTable(table);
    printLine(QString());
}

}  // namespace hearth
