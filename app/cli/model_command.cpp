// `hearth model MODEL`: what a model is made of, and its initial weights.
#include <QJsonArray>
#include <QLocale>
#include <array>

#include "app/cli/command.h"
#include "app/cli/model_memory.h"
#include "app/cli/table.h"
#include "core/base/sentence.h"
#include "core/model/catalogue.h"
#include "core/model/cut_slots.h"
#include "core/model/import/open_model.h"
#include "core/model/init.h"
#include "core/model/model_name.h"
#include "core/model/safetensors.h"
#include "core/model/training_spec.h"

namespace hearth {
namespace {

/// What crosses a cut, in float32.
QJsonArray toJson(const std::vector<Slot> &slots) {
    QJsonArray array;
    for (const Slot &slot : slots) {
        array.append(QJsonObject{{QStringLiteral("dtype"), safetensorsName(slot.dtype)},
                                 {QStringLiteral("shape"), shapeJson(slot.shape)},
                                 {QStringLiteral("bytes"), slot.bytes()},
                                 {QStringLiteral("needs_gradient"), slot.needsGradient}});
    }
    return array;
}

/// "64×8×8", and of several what is no float32: "32 I64 + 32×512".
QString slotsText(const std::vector<Slot> &slots) {
    QStringList texts;
    for (const Slot &slot : slots) {
        const QString shape = slot.shape.empty() ? QStringLiteral("1") : shapeText(slot.shape);
        texts << (slot.dtype == DType::Float32 ? shape
                                               : QStringLiteral("%1 %2").arg(shape, safetensorsName(slot.dtype)));
    }
    return texts.join(QStringLiteral(" + "));
}

/// Per sample, in float32.
qint64 keptBytes(const Layer &layer) {
    qint64 elements = 0;
    for (const Op &op : layer.ops)
        elements += op.kept();
    return elements * byteSize(DType::Float32);
}

QJsonObject describe(const Model &model, std::size_t index) {
    const Layer &layer = model.layers[index];
    const LayerShape &shape = layer.shape;
    QJsonArray tensors;
    for (const TensorSpec &tensor : shape.tensors) {
        tensors.append(QJsonObject{{QStringLiteral("name"), tensor.name},
                                   {QStringLiteral("shape"), shapeJson(tensor.shape)},
                                   {QStringLiteral("buffer"), tensor.role == TensorRole::Statistics}});
    }
    return {{QStringLiteral("name"), layer.name},
            {QStringLiteral("kind"), layer.kind},
            {QStringLiteral("inputs"), toJson(cutSlots(model, index, DType::Float32))},
            {QStringLiteral("outputs"), toJson(cutSlots(model, index + 1, DType::Float32))},
            {QStringLiteral("kept_bytes"), keptBytes(layer)},
            {QStringLiteral("output_bytes"), shape.outputBytes(DType::Float32)},
            {QStringLiteral("parameters"), shape.parameterCount()},
            {QStringLiteral("parameter_bytes"), shape.parameterBytes(DType::Float32)},
            {QStringLiteral("buffer_bytes"), shape.bufferBytes(DType::Float32)},
            {QStringLiteral("macs"), shape.macs},
            {QStringLiteral("flops"), shape.flops},
            {QStringLiteral("minimum_samples"), shape.minimumSamples},
            {QStringLiteral("tensors"), tensors}};
}

qint64 totalMacs(const Model &model) {
    qint64 macs = 0;
    for (const Layer &layer : model.layers)
        macs += layer.shape.macs;
    return macs;
}

QJsonObject describe(const Model &model) {
    QJsonArray layers;
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        layers.append(describe(model, i));
    return {{QStringLiteral("format"), QStringLiteral("hearth-model-summary/1")},
            {QStringLiteral("model"), model.toJson()},
            {QStringLiteral("sha256"), QString::fromLatin1(model.sha256())},
            {QStringLiteral("parameters"), model.parameterCount()},
            {QStringLiteral("macs"), totalMacs(model)},
            {QStringLiteral("layers"), layers}};
}

void printForPeople(const Model &model) {
    const QLocale locale;
    const auto size = [&locale](qint64 bytes) { return locale.formattedDataSize(bytes, 1); };
    qint64 bytes = 0;
    QList<QStringList> rows{{QStringLiteral("layer"), QStringLiteral("kind"), QStringLiteral("crosses behind"),
                             QStringLiteral("bytes"), QStringLiteral("parameters"), QStringLiteral("bytes"),
                             QStringLiteral("kept"), QStringLiteral("multiply-adds")}};
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const Layer &layer = model.layers[i];
        const LayerShape &shape = layer.shape;
        bytes += shape.parameterBytes(DType::Float32);
        rows.append({layer.name, layer.kind, slotsText(cutSlots(model, i + 1, DType::Float32)),
                     size(shape.outputBytes(DType::Float32)), locale.toString(shape.parameterCount()),
                     size(shape.parameterBytes(DType::Float32)), size(keptBytes(layer)), locale.toString(shape.macs)});
    }
    printLine(Sentence::filled(QStringLiteral("%1: input %2, %3 {3|class|classes}, %4 {4|layer|layers}"),
                               {model.name, slotsText(cutSlots(model, 0, DType::Float32)),
                                QString::number(model.classes), QString::number(model.layers.size())}));
    printLine(Sentence::filled(
        QStringLiteral("%1 {1|parameter|parameters} (%2 in float32), %3 {3|multiply-add|multiply-adds} per sample"),
        {locale.toString(model.parameterCount()), size(bytes), locale.toString(totalMacs(model))}));
    printLine(QStringLiteral("sha256 %1").arg(QString::fromLatin1(model.sha256())));
    printLine(QString());
    printTable(rows);
}

struct Saved {
    QString sha256;
    QJsonObject json;
};

Result<Saved> saveInitialWeights(const Model &model, quint64 seed, const QString &path) {
    const std::vector<NamedTensor> weights = initialise(model, seed, DType::Float32);
    const QString sha256 = QString::fromLatin1(weightsSha256(weights));
    const auto written = writeSafetensors(path, weights,
                                          {{QStringLiteral("model"), model.name},
                                           {QStringLiteral("model_sha256"), QString::fromLatin1(model.sha256())},
                                           {QStringLiteral("seed"), QString::number(seed)},
                                           {QStringLiteral("version"), QStringLiteral("0")}});
    if (!written)
        return tl::unexpected(written.error());
    return Saved{sha256, QJsonObject{{QStringLiteral("file"), path},
                                     {QStringLiteral("seed"), static_cast<qint64>(seed)},
                                     {QStringLiteral("tensors"), static_cast<qint64>(weights.size())},
                                     {QStringLiteral("sha256"), sha256}}};
}

/// Options that are part of the model's name, as they may also be given.
constexpr std::array nameOptions{"image", "sequence", "answer", "classes"};

QString namedModel(const CommandArguments &words) {
    ModelName name = ModelName::split(words.word(0));
    for (const char *option : nameOptions) {
        const QString value = words.get(QLatin1String(option));
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        if (!value.isEmpty())
            name.options[QLatin1String(option)] = isNumber ? QJsonValue(number) : QJsonValue(value);
    }
    return name.text();
}

/// Rows of --memory; an empty list where it was not asked for.
Result<std::vector<MemoryRow>> memoryOf(const CommandArguments &words, const Model &model, int batch) {
    if (!words.isSet(QStringLiteral("memory")))
        return std::vector<MemoryRow>();
    const QString kind = words.get(QStringLiteral("adapters"));
    if (kind.isEmpty())
        return memoryRows(model, batch, memoryKinds());
    return memoryRows(model, batch, {kind == QLatin1String("none") ? memoryKinds().first() : kind});
}

int runModel(const QStringList &arguments) {
    CommandArguments words(QStringLiteral("model"));
    words.positional(
        QStringLiteral("MODEL"),
        QStringLiteral("a built-in model (%1), a hearth-model/1 file, an ONNX file, or a Hugging Face folder")
            .arg(builtinModels().join(QStringLiteral(", "))));
    for (const char *option : nameOptions) {
        words.value(QLatin1String(option), QStringLiteral("N"),
                    QStringLiteral("as %1=N behind the model's name and a colon").arg(QLatin1String(option)));
    }
    words.flag(QStringLiteral("memory"), QStringLiteral("print what training takes, whole and by adapters"));
    words.value(QStringLiteral("batch"), QStringLiteral("N"), QStringLiteral("for so many samples at once (16)"));
    words.value(QStringLiteral("adapters"), QStringLiteral("KIND"),
                QStringLiteral("only this row: none, bottleneck or lora"));
    words.flag(QStringLiteral("json"), QStringLiteral("print one JSON object"));
    words.value(QStringLiteral("init"), QStringLiteral("SEED"),
                QStringLiteral("make the initial weights of this seed"));
    words.value(QStringLiteral("save"), QStringLiteral("FILE"), QStringLiteral("write them there as safetensors"));
    if (const auto status = words.parse(arguments))
        return *status;
    const auto seed = words.integer(QStringLiteral("init"), 0, TrainingSpec::maximumSeed, 1);
    if (!seed)
        return words.wrongUsage(seed.error());
    if (words.isSet(QStringLiteral("init")) != words.isSet(QStringLiteral("save"))) {
        return words.wrongUsage({QStringLiteral("usage.wrong"), sentence("--init and --save belong together."),
                                 QString(),
                                 sentence("For instance: hearth model fashion-cnn --init 1 --save w.safetensors")});
    }
    const auto batch = words.integer(QStringLiteral("batch"), 1, 1 << 20, 16);
    if (!batch)
        return words.wrongUsage(batch.error());
    for (const QString &option : {QStringLiteral("batch"), QStringLiteral("adapters")}) {
        if (words.isSet(option) && !words.isSet(QStringLiteral("memory")))
            return words.wrongUsage({QStringLiteral("usage.wrong"),
                                     sentence("--%1 goes with --%2 only.").arg(option, QStringLiteral("memory")),
                                     {},
                                     {}});
    }
    if (const QString kind = words.get(QStringLiteral("adapters"), QStringLiteral("none"));
        !QStringList{QStringLiteral("none"), QStringLiteral("bottleneck"), QStringLiteral("lora")}.contains(kind)) {
        return words.wrongUsage({QStringLiteral("usage.wrong"),
                                 sentence("--adapters takes none, bottleneck or lora."),
                                 sentence("\"%1\" is none of them.").arg(kind.left(60)),
                                 {}});
    }
    const auto opened = openModel(namedModel(words));
    if (!opened)
        return printError(opened.error());
    const Model *model = &opened->model;
    for (const Sentence &note : opened->notes)
        printNote(note);
    const auto memory = memoryOf(words, *model, static_cast<int>(*batch));
    if (!memory)
        return printError(memory.error());
    QJsonObject summary = describe(*model);
    if (words.isSet(QStringLiteral("memory"))) {
        QJsonArray rows;
        for (const MemoryRow &row : *memory)
            rows.append(row.toJson());
        summary[QStringLiteral("memory")] =
            QJsonObject{{QStringLiteral("batch"), *batch}, {QStringLiteral("rows"), rows}};
    }
    if (words.isSet(QStringLiteral("save"))) {
        const auto saved = saveInitialWeights(*model, static_cast<quint64>(*seed), words.get(QStringLiteral("save")));
        if (!saved)
            return printError(saved.error());
        summary[QStringLiteral("weights")] = saved->json;
        printNote(QStringLiteral("Saved the initial weights of seed %1 (sha256 %2).").arg(*seed).arg(saved->sha256));
    }
    if (words.isSet(QStringLiteral("json"))) {
        printJson(summary);
    } else if (words.isSet(QStringLiteral("memory"))) {
        printMemory(*model, static_cast<int>(*batch), *memory);
    } else {
        printForPeople(*model);
    }
    return Done;
}

const CommandRegistration modelRegistration({QStringLiteral("model"),
                                             QStringLiteral("MODEL [--memory [--batch N]] [--init SEED --save FILE]"),
                                             QStringLiteral("layers, shapes and bytes of a model; its initial weights"),
                                             runModel});

}  // namespace
}  // namespace hearth
