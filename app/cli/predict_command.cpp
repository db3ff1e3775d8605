// `hearth predict RUN FILE …`: what a trained network says of pictures that it never saw.
#include <QEventLoop>
#include <QFileInfo>
#include <QJsonArray>
#include <algorithm>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "app/cli/table.h"
#include "core/inference/run_inference.h"
#include "core/run/files/event_file.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

/// Everything at once: a run's answers are seconds apart at most.
Result<std::vector<FileAnswer>> ask(RunInference &inference, const QStringList &files, StopSignals &stops) {
    std::vector<FileAnswer> answers;
    const auto done = waitFor<bool>(
        [&](QObject *context, const std::function<void(Result<bool>)> &settle) {
            QObject::connect(&inference, &RunInference::answered, context,
                             [&](const FileAnswer &answer) { answers.push_back(answer); });
            QObject::connect(&inference, &RunInference::finished, context, [settle] { settle(true); });
            QObject::connect(&inference, &RunInference::failed, context,
                             [settle](const Error &error) { settle(tl::unexpected(error)); });
            inference.ask(files);
        },
        &stops);
    return done.map([&](bool) { return std::move(answers); });
}

QString valueText(const RunInference &inference, double value) {
    return inference.answers() == LossFacts::Answers::Numbers ? formatNumber(value) : formatPercent(value);
}

QJsonObject toJson(const RunInference &inference, const FileAnswer &prediction, int most) {
    if (prediction.broken) {
        return {{QStringLiteral("file"), prediction.file}, {QStringLiteral("error"), coreText(*prediction.broken)}};
    }
    QJsonArray answers;
    for (const std::size_t output : prediction.likeliest(static_cast<std::size_t>(most))) {
        answers.append(QJsonObject{{QStringLiteral("class"), inference.outputName(output)},
                                   {QStringLiteral("value"), prediction.values[output]}});
    }
    return {{QStringLiteral("file"), prediction.file}, {QStringLiteral("answers"), answers}};
}

void print(const RunInference &inference, const std::vector<FileAnswer> &answers, int most) {
    QList<QStringList> rows{{QStringLiteral("File"), QStringLiteral("Answer"), QStringLiteral("Then")}};
    for (const FileAnswer &answer : answers) {
        if (answer.broken) {
            rows << QStringList{answer.file, QStringLiteral("–"), coreText(*answer.broken)};
            continue;
        }
        QStringList words;
        for (const std::size_t output : answer.likeliest(static_cast<std::size_t>(most))) {
            words << QStringLiteral("%1 %2").arg(inference.outputName(output),
                                                 valueText(inference, answer.values[output]));
        }
        const QString first = words.takeFirst();
        rows << QStringList{answer.file, first, words.join(QStringLiteral(", "))};
    }
    printTable(rows);
}

int runPredict(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("predict"));
    line.positional(QStringLiteral("RUN"), QStringLiteral("as \"hearth runs\" lists it"));
    line.positional(QStringLiteral("FILE …"), QStringLiteral("pictures, or folders of them"));
    line.value(QStringLiteral("csv"), QStringLiteral("FILE"), QStringLiteral("write a table: a row for each picture"));
    line.value(QStringLiteral("top"), QStringLiteral("N"), QStringLiteral("tell the N likeliest classes (3)"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto most = line.integer(QStringLiteral("top"), 1, 1000, 3);
    if (!most)
        return line.wrongUsage(most.error());
    const QStringList paths = line.wordsFrom(1);
    const auto inference = folderOfRun(stateDirOf(line), line.word(0)).and_then([](const QString &folder) {
        return RunInference::open(folder);
    });
    if (!inference)
        return printError(inference.error());
    const QStringList files = picturesAt(paths);
    if (files.isEmpty()) {
        return printError({QStringLiteral("predict.nothing"),
                           sentence("There are no pictures in %1.").arg(paths.join(QStringLiteral(", "))),
                           {},
                           sentence("Name pictures, or a folder that has some.")});
    }
    StopSignals stops;
    const auto answers = ask(**inference, files, stops);
    if (!answers)
        return endedBy(answers.error());
    const bool some = std::ranges::any_of(*answers, [](const FileAnswer &answer) { return !answer.broken; });
    if (line.isSet(QStringLiteral("csv"))) {
        if (auto written = writeAnswers(**inference, *answers, line.get(QStringLiteral("csv"))); !written)
            return printError(written.error());
    } else if (line.isSet(QStringLiteral("json"))) {
        QJsonArray rows;
        for (const FileAnswer &answer : *answers)
            rows.append(toJson(**inference, answer, static_cast<int>(*most)));
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-predictions/1")},
                   {QStringLiteral("run"), line.word(0)},
                   {QStringLiteral("files"), rows}});
    } else {
        print(**inference, *answers, static_cast<int>(*most));
    }
    return some ? Done : Failed;
}

const CommandRegistration registration({QStringLiteral("predict"), QStringLiteral("RUN FILE …"),
                                        QStringLiteral("ask a trained network about pictures"), runPredict});

}  // namespace
}  // namespace hearth
