// `hearth export RUN`: what was trained, and how, in the forms that other programs read.
#include <QFileInfo>
#include <map>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/export_rounds.h"
#include "app/cli/run_folder.h"
#include "core/history/weights_export.h"

namespace hearth {
namespace {

const QString bestFlag = QStringLiteral("best");

Result<WeightsSource> sourceOf(const CommandArguments &words) {
    const QString word = words.word(0), from = words.get(QStringLiteral("from"));
    const RunWeights which = words.isSet(bestFlag) ? RunWeights::Best : RunWeights::Last;
    if (QFileInfo(word).isFile() && which == RunWeights::Last)
        return WeightsSource{word, {}, from};
    const auto folder = folderOfRun(stateDirOf(words), word);
    if (!folder && folder.error().code != QLatin1String("run.unknown"))
        return tl::unexpected(folder.error());
    const auto saved = folder.and_then([which](const QString &path) { return savedWeights(path, which); });
    if (saved)
        return WeightsSource{*saved, *folder, from.isEmpty() ? originOfRun(*folder) : from};
    if (folder && which == RunWeights::Best)
        return tl::unexpected(saved.error());
    return fail(QStringLiteral("run.no-weights"), sentence("There are no weights of \"%1\".").arg(word.left(200)),
                sentence("It is neither a file nor a run of this computer that has saved its weights."),
                sentence("\"hearth runs\" lists the runs; \"hearth save RUN FILE\" saves those of one under way."));
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
                QStringLiteral("write the Hugging Face folder that the network came from once more"));
    words.value(QStringLiteral("peft"), QStringLiteral("FOLDER"),
                QStringLiteral("write LoRA alone, as Hugging Face's PEFT reads it"));
    words.value(QStringLiteral("from"), QStringLiteral("MODEL"),
                QStringLiteral("where the network came from, with the options that the job names, if the run does not "
                               "say it or it lies elsewhere"));
    words.flag(QStringLiteral("merge"), QStringLiteral("make LoRA's adapters a part of the network's own weights"));
    words.flag(bestFlag, QStringLiteral("the weights of the run's best evaluation, not the last ones"));
    for (const RoundsOption &option : roundsOptions())
        words.value(QLatin1String(option.name), QLatin1String(option.place), QLatin1String(option.help));
    declareAgentOptions(words);
    if (const auto status = words.parse(arguments))
        return *status;
    std::map<QString, WeightsForm> forms;
    for (const auto &[name, form] : {std::pair{"onnx", WeightsForm::Onnx},
                                     {"safetensors", WeightsForm::Safetensors},
                                     {"hugging-face", WeightsForm::HuggingFace},
                                     {"peft", WeightsForm::Peft}}) {
        if (words.isSet(QLatin1String(name)))
            forms[QLatin1String(name)] = form;
    }
    const std::vector<RoundsOption> rounds = roundsIn(words);
    if (forms.empty() && rounds.empty()) {
        return words.wrongUsage({QStringLiteral("usage.wrong"),
                                 sentence("Say what to write."),
                                 {},
                                 sentence("Give --onnx FILE or --csv FILE, for instance; --help names all forms.")});
    }
    for (const QString &option : {QStringLiteral("merge"), bestFlag, QStringLiteral("from")}) {
        if (forms.empty() && words.isSet(option)) {
            return words.wrongUsage({QStringLiteral("usage.wrong"),
                                     sentence("--%1 goes with a form of the weights only.").arg(option),
                                     {},
                                     sentence("Give --onnx FILE, for instance, or leave it out.")});
        }
    }
    QJsonObject written;
    const auto tell = [&](const QString &form, const QString &path) {
        written[form] = QFileInfo(path).absoluteFilePath();
        if (!words.isSet(QStringLiteral("json")))
            printLine(QStringLiteral("Written to %1.").arg(path));
    };
    const Result<WeightsSource> source = forms.empty() ? WeightsSource{} : sourceOf(words);
    if (!source)
        return printError(source.error());
    const Result<QString> run = rounds.empty() ? Result<QString>(QString()) : idOfRun(stateDirOf(words), words.word(0));
    if (!run)
        return printError(run.error());
    const bool needsOrigin = forms.contains(QStringLiteral("hugging-face")) || forms.contains(QStringLiteral("peft")) ||
                             (forms.contains(QStringLiteral("onnx")) && source->runFolder.isEmpty());
    if (needsOrigin && source->from.isEmpty()) {
        return words.wrongUsage(
            {QStringLiteral("usage.wrong"),
             sentence("Say where the network came from."),
             {},
             sentence("For instance: hearth export RUN --hugging-face new --from bert-base-uncased:classes=3")});
    }
    const LoraUse lora = words.isSet(QStringLiteral("merge")) ? LoraUse::Merged : LoraUse::Beside;
    for (const auto &[name, form] : forms) {
        const QString path = words.get(name);
        QString beside;
        if (const auto done = exportWeights(*source, form, lora, path, &beside); !done)
            return printError(done.error());
        tell(name, path);
        if (!beside.isEmpty())
            tell(name + QStringLiteral("-data"), beside);
    }
    if (!source->runFolder.isEmpty())
        noteWeights(source->runFolder, words.isSet(bestFlag) ? RunWeights::Best : RunWeights::Last);
    for (const RoundsOption &option : rounds) {
        const QString name = QLatin1String(option.name), path = words.get(name);
        if (const auto done = exportRounds(option, stateDirOf(words), *run, path); !done)
            return printError(done.error());
        tell(name, path);
    }
    if (words.isSet(QStringLiteral("json")))
        printJson(written);
    return Done;
}

const CommandRegistration exportRegistration(
    {QStringLiteral("export"),
     QStringLiteral(
         "RUN --onnx FILE | --safetensors FILE | --hugging-face FOLDER | --peft FOLDER [--merge] [--best] | --csv FILE | "
         "--devices-csv FILE | --jsonl FILE | --tensorboard FOLDER | --report FILE | --card FILE"),
     QStringLiteral("what was trained, and how, for other programs"), runExport});

}  // namespace
}  // namespace hearth
