// `hearth export RUN`: what was trained, and how, in the forms that other programs read.
#include <QFileInfo>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/export_rounds.h"
#include "core/base/json_reader.h"
#include "core/model/import/hugging_face.h"
#include "core/model/import/onnx.h"
#include "core/model/import/onnx_export.h"
#include "core/model/import/open_model.h"
#include "core/model/import/peft.h"
#include "core/model/merge_adapters.h"
#include "core/model/model_name.h"
#include "core/model/safetensors.h"
#include "core/run/files/run_folder.h"

namespace hearth {
namespace {

const QString bestFlag = QStringLiteral("best");

/// What a person named: weights, and where the network that they belong to is described.
struct Source {
    QString weightsPath;
    QString runFolder;  // empty: a file of weights
    QString from;       // as a job would name the network; may be empty for a run
};

Result<Source> sourceOf(const CommandArguments &words) {
    const QString word = words.word(0), from = words.get(QStringLiteral("from"));
    const RunWeights which = words.isSet(bestFlag) ? RunWeights::Best : RunWeights::Last;
    if (QFileInfo(word).isFile() && which == RunWeights::Last)
        return Source{word, {}, from};
    const QString folder = stateDirOf(words) + QStringLiteral("/runs/") + word;
    const auto saved = savedWeights(folder, which);
    const bool isName = !word.contains(QLatin1Char('/'));
    if (isName && saved)
        return Source{*saved, folder, from};
    if (isName && which == RunWeights::Best && QFileInfo(folder).isDir())
        return tl::unexpected(saved.error());
    return fail(QStringLiteral("run.no-weights"), sentence("There are no weights of \"%1\".").arg(word.left(200)),
                sentence("It is neither a file nor a run of this computer that has saved its weights."),
                sentence("\"hearth runs\" lists the runs; \"hearth save RUN FILE\" saves those of one under way."));
}

/// As the run trained it, or as its description elsewhere has it.
Result<Model> modelOf(const Source &source) {
    if (source.runFolder.isEmpty())
        return openModel(source.from).transform([](ImportedModel opened) { return std::move(opened.model); });
    const QString path = source.runFolder + QStringLiteral("/model.json");
    return readJsonFile(path).and_then([&](const QJsonObject &object) { return Model::fromJson(object, path); });
}

std::vector<NamedTensor> withoutConstants(std::vector<NamedTensor> weights) {
    std::erase_if(weights, [](const NamedTensor &tensor) { return isOnnxConstant(tensor.spec.name); });
    return weights;
}

/// With `merge` of the network alone.
Result<void> writeOnnx(const Source &source, std::vector<NamedTensor> weights, bool merge, const QString &path) {
    auto model = modelOf(source);
    if (model && merge)
        model = withoutLora(*model);
    if (!model)
        return tl::unexpected(model.error());
    const DType dtype = !weights.empty() && weights.front().dtype == DType::Float64 ? DType::Float64 : DType::Float32;
    auto layers = weightsForModel(*model, std::move(weights), dtype, source.weightsPath);
    if (!layers)
        return tl::unexpected(layers.error());
    std::vector<NamedTensor> all;
    for (std::vector<NamedTensor> &layer : *layers)
        std::move(layer.begin(), layer.end(), std::back_inserter(all));
    return exportOnnx(*model, all, path);
}

/// A Hugging Face folder, or what PEFT reads beside one.
Result<void> writeFolder(const Source &source, const QString &form, const std::vector<NamedTensor> &weights,
                         const QString &path) {
    const ModelName from = ModelName::split(source.from);
    const auto options = HeadOptions::fromJson(from.options, source.from);
    if (!options)
        return tl::unexpected(options.error());
    if (form == QLatin1String("hugging-face"))
        return exportHuggingFace(from.base, *options, weights, path);
    const auto model = modelOf(source);
    return model ? exportPeft(from.base, *options, *model, weights, path) : tl::unexpected(model.error());
}

/// Adapters that a form has no place for. Bottlenecks are ops of an ONNX file as any others.
Result<void> checkPlace(const std::vector<NamedTensor> &weights, const QString &form, bool merge) {
    const auto some = [&](bool (*is)(const QString &)) {
        return std::ranges::any_of(weights, [&](const NamedTensor &tensor) { return is(tensor.spec.name); });
    };
    const bool folder = form == QLatin1String("hugging-face"), onnx = form == QLatin1String("onnx");
    if (folder && some(isBottleneckTensor)) {
        return fail(QStringLiteral("adapters.no-place"), sentence("A Hugging Face folder has no place for adapters."),
                    sentence("These weights have bottlenecks, which cannot be merged."),
                    sentence("An ONNX file has them as a part of the network: --onnx FILE."));
    }
    if ((folder || onnx) && !merge && some(isLoraTensor)) {
        return fail(QStringLiteral("adapters.no-place"), sentence("These weights have LoRA beside the network's own."),
                    folder ? sentence("A Hugging Face folder has no place for it.")
                           : sentence("An ONNX file has the network alone."),
                    sentence("Add --merge, which makes it a part of them, or write it for PEFT: --peft FOLDER."));
    }
    return {};
}

/// With `merge`, LoRA's adapters become a part of the weights; PEFT takes them as they are.
Result<void> write(const Source &source, const QString &form, bool merge, const QString &path) {
    auto weights = readSafetensors(source.weightsPath);
    if (!weights)
        return tl::unexpected(weights.error());
    if (auto fits = checkPlace(*weights, form, merge); !fits)
        return fits;
    if (merge && form != QLatin1String("peft")) {
        weights =
            modelOf(source).and_then([&](const Model &model) { return mergedWeights(model, std::move(*weights)); });
        if (!weights)
            return tl::unexpected(weights.error());
    }
    if (form == QLatin1String("onnx"))
        return writeOnnx(source, std::move(*weights), merge, path);
    if (form == QLatin1String("safetensors"))
        return writeSafetensors(path, withoutConstants(std::move(*weights)));
    return writeFolder(source, form, *weights, path);
}

QString roundOf(const QString &weights) {
    const auto metadata = readSafetensorsMetadata(weights).value_or(std::map<QString, QString>());
    const auto round = metadata.find(QStringLiteral("round"));
    return round == metadata.end() ? QString() : round->second;
}

/// Which weights of a run were written, and that it has better ones.
void tellWeights(const Source &source, bool best) {
    const QString round = roundOf(source.weightsPath);
    if (source.runFolder.isEmpty() || round.isEmpty())
        return;
    const auto kept = savedWeights(source.runFolder, RunWeights::Best);
    if (best)
        printNote(QStringLiteral("These are the weights of the best evaluation, after round %1.").arg(round));
    else if (kept && roundOf(*kept) != round)
        printNote(QStringLiteral("These are the last weights, after round %1. Those of the best evaluation, after "
                                 "round %2: --best.")
                      .arg(round, roundOf(*kept)));
}

std::vector<RoundsOption> roundsIn(const CommandArguments &words) {
    std::vector<RoundsOption> asked = roundsOptions();
    std::erase_if(asked, [&words](const RoundsOption &option) { return !words.isSet(QLatin1String(option.name)); });
    return asked;
}

int runExport(const QStringList &arguments) {
    CommandArguments words(QStringLiteral("export"));
    words.positional(QStringLiteral("RUN"), QStringLiteral("as \"hearth runs\" lists it, or a file of its weights"));
    words.value(QStringLiteral("onnx"), QStringLiteral("FILE"),
                QStringLiteral("write an ONNX file that computes what the network gives"));
    words.value(QStringLiteral("safetensors"), QStringLiteral("FILE"),
                QStringLiteral("write the weights, under the names that they came with"));
    words.value(QStringLiteral("hugging-face"), QStringLiteral("FOLDER"),
                QStringLiteral("write a Hugging Face folder, with --from"));
    words.value(QStringLiteral("peft"), QStringLiteral("FOLDER"),
                QStringLiteral("write LoRA alone, as Hugging Face's PEFT reads it, with --from"));
    words.value(QStringLiteral("from"), QStringLiteral("MODEL"),
                QStringLiteral("where the network came from, with the options that the job names"));
    words.flag(QStringLiteral("merge"), QStringLiteral("make LoRA's adapters a part of the network's own weights"));
    words.flag(bestFlag, QStringLiteral("the weights of the run's best evaluation, not the last ones"));
    for (const RoundsOption &option : roundsOptions())
        words.value(QLatin1String(option.name), QLatin1String(option.place), QLatin1String(option.help));
    declareAgentOptions(words);
    if (const auto status = words.parse(arguments))
        return *status;
    QStringList forms;
    for (const char *form : {"onnx", "safetensors", "hugging-face", "peft"}) {
        if (words.isSet(QLatin1String(form)))
            forms << QLatin1String(form);
    }
    const std::vector<RoundsOption> rounds = roundsIn(words);
    if (forms.isEmpty() && rounds.empty()) {
        return words.wrongUsage({QStringLiteral("usage.wrong"),
                                 sentence("Say what to write."),
                                 {},
                                 sentence("Give --onnx FILE or --csv FILE, for instance; --help names all forms.")});
    }
    QJsonObject written;
    const auto tell = [&](const QString &form, const QString &path) {
        written[form] = QFileInfo(path).absoluteFilePath();
        if (!words.isSet(QStringLiteral("json")))
            printLine(QStringLiteral("Written to %1.").arg(path));
    };
    const Result<Source> source = forms.isEmpty() ? Source{} : sourceOf(words);
    if (!source)
        return printError(source.error());
    const bool needsOrigin = forms.contains(QLatin1String("hugging-face")) || forms.contains(QLatin1String("peft")) ||
                             (forms.contains(QLatin1String("onnx")) && source->runFolder.isEmpty());
    if (needsOrigin && source->from.isEmpty()) {
        return words.wrongUsage(
            {QStringLiteral("usage.wrong"),
             sentence("Say where the network came from."),
             {},
             sentence("For instance: hearth export RUN --hugging-face new --from bert-base-uncased:classes=3")});
    }
    for (const QString &form : std::as_const(forms)) {
        const QString path = words.get(form);
        if (const auto done = write(*source, form, words.isSet(QStringLiteral("merge")), path); !done)
            return printError(done.error());
        tell(form, path);
    }
    if (!forms.isEmpty())
        tellWeights(*source, words.isSet(bestFlag));
    for (const RoundsOption &option : rounds) {
        const QString name = QLatin1String(option.name), path = words.get(name);
        if (const auto done = exportRounds(option, stateDirOf(words), words.word(0), path); !done)
            return printError(done.error());
        tell(name, path);
    }
    if (words.isSet(QStringLiteral("json")))
        printJson(written);
    return Done;
}

const CommandRegistration registration(
    {QStringLiteral("export"),
     QStringLiteral(
         "RUN --onnx FILE | --safetensors FILE | --hugging-face FOLDER | --peft FOLDER [--merge] [--best] | --csv FILE | "
         "--devices-csv FILE | --jsonl FILE | --tensorboard FOLDER | --report FILE | --card FILE"),
     QStringLiteral("what was trained, and how, for other programs"), runExport});

}  // namespace
}  // namespace hearth
