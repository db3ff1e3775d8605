// `hearth export RUN`: trained weights back to where the network came from.
#include <QFileInfo>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "core/model/import/hugging_face.h"
#include "core/model/model_name.h"
#include "core/model/safetensors.h"

namespace hearth {
namespace {

/// The weights that a run saved at its end, or a file of weights.
Result<QString> weightsOf(const CommandArguments &words) {
    const QString word = words.word(0);
    if (QFileInfo(word).isFile())
        return word;
    const QString path = stateDirOf(words) + QStringLiteral("/runs/") + word + QStringLiteral("/weights.safetensors");
    if (!word.contains(QLatin1Char('/')) && QFileInfo(path).isFile())
        return path;
    return fail(QStringLiteral("run.no-weights"), sentence("There are no weights of \"%1\".").arg(word.left(200)),
                sentence("It is neither a file nor a run of this computer that has saved its weights."),
                sentence("\"hearth runs\" lists the runs; \"hearth save RUN FILE\" saves those of one under way."));
}

Result<void> exportToFolder(const CommandArguments &words, const QString &to) {
    const ModelName from = ModelName::split(words.get(QStringLiteral("from")));
    const auto options = HeadOptions::fromJson(from.options, from.text());
    if (!options)
        return tl::unexpected(options.error());
    const auto path = weightsOf(words);
    if (!path)
        return tl::unexpected(path.error());
    const auto weights = readSafetensors(*path);
    if (!weights)
        return tl::unexpected(weights.error());
    return exportHuggingFace(from.base, *options, *weights, to);
}

int runExport(const QStringList &arguments) {
    CommandArguments words(QStringLiteral("export"));
    words.positional(QStringLiteral("RUN"), QStringLiteral("as \"hearth runs\" lists it, or a file of its weights"));
    words.value(QStringLiteral("hugging-face"), QStringLiteral("FOLDER"),
                QStringLiteral("write a Hugging Face folder, with --from"));
    words.value(QStringLiteral("from"), QStringLiteral("MODEL"),
                QStringLiteral("the folder that the network came from, with the options that the job names"));
    declareAgentOptions(words);
    if (const auto status = words.parse(arguments))
        return *status;
    const QString to = words.get(QStringLiteral("hugging-face"));
    if (to.isEmpty() || !words.isSet(QStringLiteral("from"))) {
        return words.wrongUsage(
            {QStringLiteral("usage.wrong"),
             sentence("Say what to write, and where the network came from."),
             {},
             sentence("For instance: hearth export RUN --hugging-face new --from bert-base-uncased:classes=3")});
    }
    if (const auto written = exportToFolder(words, to); !written)
        return printError(written.error());
    if (words.isSet(QStringLiteral("json")))
        printJson({{QStringLiteral("folder"), QFileInfo(to).absoluteFilePath()}});
    else
        printLine(QStringLiteral("Written to %1.").arg(to));
    return Done;
}

const CommandRegistration registration({QStringLiteral("export"),
                                        QStringLiteral("RUN --hugging-face FOLDER --from MODEL"),
                                        QStringLiteral("trained weights as what the network came as"), runExport});

}  // namespace
}  // namespace hearth
