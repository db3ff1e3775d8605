#include "app/demo_options.h"

#include "app/cli/job_words.h"
#include "app/cli/order_words.h"
#include "app/cli/safety_words.h"
#include "app/cli/trusted_fabric.h"

namespace hearth {

bool hasDisplay() {
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

std::optional<int> parseDemo(const QStringList &arguments, DemoOptions &options) {
    CommandArguments line(QStringLiteral("demo"));
    line.positional(QStringLiteral("JOB"), QStringLiteral("a hearth-job/1 file; default: fashion-cnn on fashion-mnist"),
                    false);
    line.value(QStringLiteral("devices"), QStringLiteral("N"), QStringLiteral("how many devices, 1 to 64 (default 3)"));
    line.value(QStringLiteral("model"), QStringLiteral("M"), QStringLiteral("another model than the job's"));
    declareTrainingWords(line);
    line.value(QStringLiteral("rounds"), QStringLiteral("R"), QStringLiteral("how many rounds"));
    declareOrderFiles(line, QStringLiteral("save the trained weights there"));
    declareTrustedFabric(line);
    declareSafety(line);
    line.flag(QStringLiteral("headless"), QStringLiteral("stay in the terminal"));
    line.flag(QStringLiteral("json"),
              QStringLiteral("print the events, one JSON object per line (implies --headless)"));
    if (const auto status = line.parse(arguments))
        return status;

    const auto devices = line.integer(QStringLiteral("devices"), 1, 64, 3);
    if (!devices)
        return line.wrongUsage(devices.error());
    const auto rounds = line.integer(QStringLiteral("rounds"), 1, 1000000000, 0);
    if (!rounds)
        return line.wrongUsage(rounds.error());
    const auto files = orderFilesOf(line);
    if (!files)
        return line.wrongUsage(files.error());
    const auto given = trainingWordsOf(line);
    if (!given)
        return line.wrongUsage(given.error());
    auto job = readJob(line.word(0)).and_then([&](const Job &read) { return withWords(read, *given); });
    if (!job)
        return printError(job.error());
    if (line.isSet(QStringLiteral("model")))
        job->model = line.get(QStringLiteral("model"));
    if (*rounds > 0) {
        job->rounds = *rounds;
        job->epochs.reset();
    }
    options.job = *job;
    options.devices = static_cast<int>(*devices);
    options.files = *files;
    options.json = line.isSet(QStringLiteral("json"));
    options.headless = options.json || line.isSet(QStringLiteral("headless")) || !hasDisplay();
    return std::nullopt;
}

}  // namespace hearth
