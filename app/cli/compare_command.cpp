// `hearth compare`: runs side by side, by what differs between their jobs and by what they reached.
#include <QJsonArray>
#include <cmath>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "app/cli/table.h"
#include "core/history/job_values.h"
#include "core/history/run_index.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr int mostCompared = 10;

struct Figure {
    const char *key;
    QString title;
    double (*of)(const RunSummary &);
    QString (*text)(double);
};

const std::vector<Figure> &figures() {
    static const std::vector<Figure> all{
        {"rounds", QStringLiteral("ROUNDS"), [](const RunSummary &run) { return static_cast<double>(run.rounds); },
         [](double value) { return formatCount(static_cast<qint64>(value)); }},
        {"loss", QStringLiteral("LAST LOSS"), [](const RunSummary &run) { return run.loss; }, formatLoss},
        {"lowest_loss", QStringLiteral("LOWEST"), [](const RunSummary &run) { return run.lowestLoss; }, formatLoss},
        {"accuracy", QStringLiteral("LAST ACCURACY"), [](const RunSummary &run) { return run.accuracy; },
         formatPercent},
        {"best_accuracy", QStringLiteral("BEST"), [](const RunSummary &run) { return run.bestAccuracy; },
         formatPercent},
        {"samples_per_s", QStringLiteral("SAMPLES/S"), [](const RunSummary &run) { return run.samplesPerSecond; },
         formatNumber},
        {"seconds", QStringLiteral("DURATION"), [](const RunSummary &run) { return run.seconds; }, formatWholeSeconds},
    };
    return all;
}

QJsonObject toJson(const RunSummary &run, const QStringList &differing) {
    QJsonObject values, told{{QStringLiteral("run"), run.id},
                             {QStringLiteral("name"), run.label.name},
                             {QStringLiteral("state"), run.state},
                             {QStringLiteral("model"), run.model},
                             {QStringLiteral("data"), run.data}};
    for (const QString &path : differing) {
        if (const QJsonValue value = valueAt(run.job, path); !value.isUndefined())
            values[path] = value;
    }
    told[QStringLiteral("values")] = values;
    for (const Figure &figure : figures()) {
        const double value = figure.of(run);
        told[QLatin1String(figure.key)] = std::isfinite(value) ? QJsonValue(value) : QJsonValue(QJsonValue::Null);
    }
    return told;
}

void print(const std::vector<const RunSummary *> &runs, const QStringList &differing) {
    QStringList head{QStringLiteral("RUN")};
    for (const QString &path : differing)
        head << path.section(QLatin1Char('.'), -1).toUpper();
    const qsizetype numbers = head.size();
    for (const Figure &figure : figures())
        head << figure.title;
    QList<QStringList> rows{head};
    for (const RunSummary *run : runs) {
        QStringList row{run->label.name.isEmpty() ? run->id : run->label.name};
        for (const QString &path : differing) {
            const QJsonValue value = valueAt(run->job, path);
            row << (value.isUndefined() ? QStringLiteral("–") : valueText(value));
        }
        for (const Figure &figure : figures()) {
            const double value = figure.of(*run);
            row << (std::isfinite(value) ? figure.text(value) : QStringLiteral("–"));
        }
        rows << row;
    }
    printTable(rows, numbers);
}

int runCompare(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("compare"));
    line.positional(QStringLiteral("RUN…"),
                    QStringLiteral("two to ten, as \"hearth runs\" lists them, or their names"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    if (line.wordCount() < 2 || line.wordCount() > mostCompared) {
        return line.wrongUsage({QStringLiteral("usage.wrong"),
                                sentence("%1 {1|run|runs} cannot be compared.").arg(line.wordCount()),
                                {},
                                sentence("Name two to %1.").arg(mostCompared)});
    }
    QStringList ids;
    for (const QString &word : line.wordsFrom(0)) {
        const auto run = idOfRun(stateDirOf(line), word);
        if (!run)
            return printError(run.error());
        ids << *run;
    }
    // In memory: the window's index may be busy.
    RunIndex index;
    if (auto opened = index.open(QString()); !opened)
        return printError(opened.error());
    index.setFolders({stateDirOf(line) + QStringLiteral("/runs")});
    const auto details = index.read(ids);
    if (!details)
        return printError(details.error());
    std::vector<const RunSummary *> runs;
    for (const RunDetails &one : *details)
        runs.push_back(&one.summary);
    const QStringList differing = differingPaths(runs);
    if (line.isSet(QStringLiteral("json"))) {
        QJsonArray told;
        for (const RunSummary *run : runs)
            told << toJson(*run, differing);
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-compared/1")},
                   {QStringLiteral("differing"), QJsonArray::fromStringList(differing)},
                   {QStringLiteral("runs"), told}});
    } else {
        print(runs, differing);
    }
    return Done;
}

const CommandRegistration compareRegistration({QStringLiteral("compare"), QStringLiteral("RUN RUN… [--json]"),
                                               QStringLiteral("runs side by side: what differs, and what they reached"),
                                               runCompare});

}  // namespace
}  // namespace hearth
