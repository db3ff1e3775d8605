// `hearth predict RUN …`: what a trained network says of pictures, rows and texts that it never saw.
#include <QFileInfo>
#include <QJsonObject>
#include <algorithm>
#include <memory>

#include "app/cli/agent_session.h"
#include "app/cli/answer_printer.h"
#include "app/cli/command.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_folder.h"
#include "core/inference/continuation.h"
#include "core/inference/home_answers.h"
#include "ui/run/event_sentences.h"

namespace hearth {
namespace {

/// Null: this computer answers.
std::unique_ptr<AnswerSource> answersOf(const AskedRun &run, const CommandArguments &line) {
    return line.isSet(QStringLiteral("home")) ? std::make_unique<HomeAnswers>(run, stateDirOf(line)) : nullptr;
}

/// The line goes before the first answer comes.
void tell(ProgressLine &progress, const QString &state) {
    const bool answers = state == QLatin1String("paused") || state == QLatin1String("training");
    progress.show(answers ? QString() : preparingText(state));
}

/// As they come; the first error of telling them ends it.
Result<bool> ask(RunInference &inference, const std::shared_ptr<SampleSource> &source, AnswerPrinter &printer,
                 StopSignals &stops) {
    return waitFor<bool>(
        [&](QObject *context, const std::function<void(Result<bool>)> &settle) {
            QObject::connect(&inference, &RunInference::answered, context, [&printer, settle](const Answer &answer) {
                if (auto told = printer.add(answer); !told)
                    settle(tl::unexpected(told.error()));
            });
            QObject::connect(&inference, &RunInference::finished, context, [settle] { settle(true); });
            QObject::connect(&inference, &RunInference::failed, context,
                             [settle](const Error &error) { settle(tl::unexpected(error)); });
            inference.ask(source);
        },
        &stops);
}

int answerAll(const AskedRun &run, std::unique_ptr<AnswerSource> answers,
              const std::vector<std::shared_ptr<SampleSource>> &sources, const AnswerPrinter::Form &form) {
    AnswerPrinter printer(run, form);
    if (auto begun = printer.begin(sources.front()->columns()); !begun)
        return printError(begun.error());
    StopSignals stops;
    ProgressLine progress;
    RunInference inference(run, std::move(answers));
    QObject::connect(&inference, &RunInference::prepares, [&progress](const QString &state) { tell(progress, state); });
    std::optional<Error> wrong;
    for (const auto &source : sources) {
        if (const auto done = ask(inference, source, printer, stops); !done) {
            wrong = done.error();
            break;
        }
    }
    if (auto told = printer.finish(wrong); !told)
        return printError(told.error());
    if (wrong)
        return endedBy(*wrong);
    if (printer.count() == 0) {
        return printError({QStringLiteral("predict.nothing"),
                           sentence("There is nothing to ask in these files."),
                           {},
                           sentence("Name a file with rows of values below its row of names.")});
    }
    return printer.hasAnswers() ? Done : Failed;
}

/// A text each, or two that belong together.
Result<std::vector<std::shared_ptr<SampleSource>>> textsOf(const AskedRun &run, const QStringList &texts) {
    const qsizetype columns = run.columns().size();
    if (run.takes != AskedRun::Takes::Texts) {
        return fail(QStringLiteral("predict.no-texts"), sentence("This network takes no texts."), {},
                    run.takes == AskedRun::Takes::Prompts
                        ? sentence("Give it the beginning of one: hearth predict RUN --prompt TEXT")
                        : sentence("Name files: hearth predict RUN FILE …"));
    }
    if (texts.size() % columns != 0) {
        return fail(QStringLiteral("predict.no-pair"), sentence("This network takes two texts at once."),
                    sentence("They are called %1 and %2.").arg(run.columns()[0], run.columns()[1]),
                    sentence("Say --text twice."));
    }
    std::vector<std::shared_ptr<SampleSource>> sources;
    for (qsizetype i = 0; i < texts.size(); i += columns)
        sources.push_back(run.typed(texts.mid(i, columns)));
    return sources;
}

void printText(const QString &text) {
    for (const QString &line : text.split(u'\n'))
        printLine(line);
}

int continuePrompt(const AskedRun &run, std::unique_ptr<AnswerSource> answers, const QString &runName,
                   const QString &prompt, const Continuation::Choice &choice, bool json) {
    if (run.takes != AskedRun::Takes::Prompts) {
        return printError({QStringLiteral("predict.no-prompts"),
                           sentence("This network continues no texts."),
                           {},
                           sentence("Only a network that was trained on plain texts does.")});
    }
    StopSignals stops;
    ProgressLine progress;
    Continuation continuation(run, std::move(answers));
    QObject::connect(&continuation, &Continuation::prepares,
                     [&progress](const QString &state) { tell(progress, state); });
    const auto done = waitFor<bool>(
        [&](QObject *context, const std::function<void(Result<bool>)> &settle) {
            QObject::connect(&continuation, &Continuation::finished, context, [settle] { settle(true); });
            QObject::connect(&continuation, &Continuation::failed, context,
                             [settle](const Error &error) { settle(tl::unexpected(error)); });
            if (auto started = continuation.start(prompt, choice); !started)
                settle(tl::unexpected(started.error()));
        },
        &stops);
    if (!done)
        return endedBy(done.error());
    if (json) {
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-continuation/1")},
                   {QStringLiteral("run"), runName},
                   {QStringLiteral("prompt"), prompt},
                   {QStringLiteral("text"), continuation.text()},
                   {QStringLiteral("tokens"), continuation.tokens()}});
    } else {
        printText(prompt + continuation.text());
    }
    return Done;
}

void declarePrediction(CommandArguments &line) {
    line.positional(QStringLiteral("RUN"), QStringLiteral("as \"hearth runs\" lists it"));
    line.positional(QStringLiteral("FILE…"),
                    QStringLiteral("pictures, or folders of them; tables; files with a text in each line"), false);
    line.textValue(QStringLiteral("text"), QStringLiteral("TEXT"),
                   QStringLiteral("ask about a text; of two that belong together, twice"));
    line.textValue(QStringLiteral("prompt"), QStringLiteral("TEXT"),
                   QStringLiteral("have a language model continue it"));
    line.value(QStringLiteral("tokens"), QStringLiteral("N"), QStringLiteral("of a prompt: add at most N (100)"));
    line.value(QStringLiteral("temperature"), QStringLiteral("T"),
               QStringLiteral("of a prompt: draw by chance; without it always the likeliest"));
    line.value(QStringLiteral("seed"), QStringLiteral("S"), QStringLiteral("of that chance (1)"));
    line.value(QStringLiteral("csv"), QStringLiteral("FILE"), QStringLiteral("write a table: a row for each answer"));
    line.value(QStringLiteral("top"), QStringLiteral("N"), QStringLiteral("tell the N likeliest classes (3)"));
    line.flag(QStringLiteral("best"), QStringLiteral("ask with the weights of its best evaluation, not the last ones"));
    line.flag(QStringLiteral("home"),
              QStringLiteral("the home's devices compute together, for a network too large for this one"));
    declareAgentOptions(line);
}

/// Whether this table would take the place of a file that is asked about.
bool isAskedAbout(const QString &table, const QStringList &files) {
    const QString place = QFileInfo(table).canonicalFilePath();
    return !place.isEmpty() && std::ranges::any_of(files, [&place](const QString &file) {
        return QFileInfo(file).canonicalFilePath() == place;
    });
}

/// Files, texts or a prompt: one of them.
Result<void> checkQuestion(const CommandArguments &line) {
    const int asked = (line.wordCount() > 1 ? 1 : 0) + (line.isSet(QStringLiteral("text")) ? 1 : 0) +
                      (line.isSet(QStringLiteral("prompt")) ? 1 : 0);
    if (asked != 1) {
        return fail(QStringLiteral("cli.question"),
                    asked == 0 ? sentence("There is nothing to ask.") : sentence("That is more than one question."), {},
                    sentence("Name files, or say --text TEXT or --prompt TEXT."));
    }
    const QString csv = QStringLiteral("csv"), prompt = QStringLiteral("prompt");
    for (const QString &option : {csv, QStringLiteral("top")}) {
        if (line.isSet(prompt) && line.isSet(option))
            return fail(QStringLiteral("usage.wrong"), sentence("--%1 does not go with --%2.").arg(option, prompt));
    }
    for (const QString &option : {QStringLiteral("tokens"), QStringLiteral("temperature"), QStringLiteral("seed")}) {
        if (line.isSet(option) && !line.isSet(prompt))
            return fail(QStringLiteral("usage.wrong"), sentence("--%1 goes with --%2 only.").arg(option, prompt));
    }
    if (line.isSet(csv) && isAskedAbout(line.get(csv), line.wordsFrom(1))) {
        return fail(QStringLiteral("usage.wrong"),
                    sentence("The answers would overwrite %1, which is asked about.").arg(line.get(csv)), {},
                    sentence("Choose another file with %1.").arg(QLatin1String("--csv")));
    }
    return {};
}

int runPredict(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("predict"));
    declarePrediction(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto most = line.integer(QStringLiteral("top"), 1, 1000, 3);
    const auto tokens = line.integer(QStringLiteral("tokens"), 1, Continuation::mostTokens, 100);
    const auto temperature = line.positive(QStringLiteral("temperature"), 100, 0);
    const auto seed = line.integer(QStringLiteral("seed"), 0, qint64{1} << 53, 1);
    for (const auto &wrong : {checkQuestion(line), most.map([](qint64) {}), tokens.map([](qint64) {}),
                              temperature.map([](double) {}), seed.map([](qint64) {})}) {
        if (!wrong)
            return line.wrongUsage(wrong.error());
    }
    const RunWeights which = line.isSet(QStringLiteral("best")) ? RunWeights::Best : RunWeights::Last;
    const auto run = folderOfRun(stateDirOf(line), line.word(0)).and_then([&](const QString &folder) {
        return AskedRun::open(folder, which);
    });
    if (!run)
        return printError(run.error());
    noteWeights(run->folder, which);
    if (line.isSet(QStringLiteral("prompt"))) {
        return continuePrompt(*run, answersOf(*run, line), line.word(0), line.get(QStringLiteral("prompt")),
                              {static_cast<int>(*tokens), *temperature, static_cast<quint64>(*seed)},
                              line.isSet(QStringLiteral("json")));
    }
    const auto sources = line.isSet(QStringLiteral("text"))
                             ? textsOf(*run, line.all(QStringLiteral("text")))
                             : run->files(line.wordsFrom(1)).map([](const std::shared_ptr<SampleSource> &source) {
                                   return std::vector{source};
                               });
    if (!sources)
        return printError(sources.error());
    return answerAll(
        *run, answersOf(*run, line), *sources,
        {line.word(0), line.isSet(QStringLiteral("json")), line.get(QStringLiteral("csv")), static_cast<int>(*most)});
}

const CommandRegistration predictRegistration({QStringLiteral("predict"), QStringLiteral("RUN [FILE…]"),
                                               QStringLiteral("ask a trained network"), runPredict});

}  // namespace
}  // namespace hearth
