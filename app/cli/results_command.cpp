// `hearth results`: what a run gets right and wrong: by class, which classes it takes for which, the hardest samples.
#include <QFileInfo>
#include <QJsonArray>
#include <cmath>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "app/cli/table.h"
#include "core/base/sentence.h"
#include "core/history/run_results.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr qint64 pairsShown = 10, mostShown = 100'000;

/// Where this computer has the data as they were.
QString fileOf(const RunResults &results, qint64 sample) {
    return results.samples ? results.samples->fileOf(sample) : QString();
}

/// A label or an answer; null where there is none.
QJsonValue said(const RunResults &results, double value) {
    if (!std::isfinite(value))
        return {};
    return results.answers == LossFacts::Answers::Numbers ? QJsonValue(value)
                                                          : QJsonValue(results.className(static_cast<int>(value)));
}

QString saidText(const RunResults &results, double value) {
    const QJsonValue what = said(results, value);
    return what.isNull() ? QStringLiteral("–") : what.isString() ? what.toString() : formatNumber(value);
}

QJsonValue orNull(double value) {
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue();
}

QJsonObject toJson(const QString &run, const RunResults &results) {
    const EvaluationDetails &details = results.details;
    QJsonArray classes, confused, hardest;
    for (const auto &[number, each] : details.classes) {
        classes << QJsonObject{{QStringLiteral("class"), results.className(number)},
                               {QStringLiteral("right"), each.right},
                               {QStringLiteral("labelled"), each.labelled},
                               {QStringLiteral("answered"), each.answered}};
    }
    for (const auto &pair : details.mostConfused()) {
        const EvaluationDetails::Confusion &confusion = details.confused.at(pair);
        QJsonArray samples;
        for (const JudgedSample &one : confusion.examples)
            samples << one.sample;
        confused << QJsonObject{{QStringLiteral("label"), results.className(pair.first)},
                                {QStringLiteral("answer"), results.className(pair.second)},
                                {QStringLiteral("count"), confusion.count},
                                {QStringLiteral("samples"), samples}};
    }
    for (const JudgedSample &one : details.hardest) {
        QJsonObject told{{QStringLiteral("sample"), one.sample},
                         {QStringLiteral("loss"), orNull(one.loss)},
                         {QStringLiteral("label"), said(results, one.label)},
                         {QStringLiteral("answer"), said(results, one.answer)},
                         {QStringLiteral("certainty"), orNull(one.certainty)}};
        if (const QString file = fileOf(results, one.sample); !file.isEmpty())
            told[QStringLiteral("file")] = file;
        hardest << told;
    }
    return {{QStringLiteral("format"), QStringLiteral("hearth-results/1")},
            {QStringLiteral("run"), run},
            {QStringLiteral("round"), details.round},
            {QStringLiteral("split"), details.split},
            {QStringLiteral("samples"), details.samples},
            {QStringLiteral("classes"), classes},
            {QStringLiteral("confused"), confused},
            {QStringLiteral("hardest"), hardest}};
}

void printClasses(const RunResults &results) {
    const EvaluationDetails &details = results.details;
    if (details.classes.empty())
        return;
    QList<QStringList> rows{{QStringLiteral("CLASS"), QStringLiteral("SAMPLES"), QStringLiteral("RIGHT"),
                             QStringLiteral("OF ITS SAMPLES"), QStringLiteral("OF ITS ANSWERS")}};
    const auto share = [](qint64 part, qint64 all) {
        return all > 0 ? formatPercent(static_cast<double>(part) / static_cast<double>(all)) : QStringLiteral("–");
    };
    for (const auto &[number, each] : details.classes) {
        rows << QStringList{results.className(number), formatCount(each.labelled), formatCount(each.right),
                            share(each.right, each.labelled), share(each.right, each.answered)};
    }
    printTable(rows, 1);
}

void printConfused(const RunResults &results, qint64 most) {
    const EvaluationDetails &details = results.details;
    if (details.confused.empty())
        return;
    QList<QStringList> rows{
        {QStringLiteral("LABEL"), QStringLiteral("TAKEN FOR"), QStringLiteral("TIMES"), QStringLiteral("SAMPLES")}};
    for (const auto &pair : details.mostConfused()) {
        if (rows.size() > most)
            break;
        const EvaluationDetails::Confusion &confusion = details.confused.at(pair);
        QStringList samples;
        for (const JudgedSample &one : confusion.examples)
            samples << QString::number(one.sample);
        rows << QStringList{results.className(pair.first), results.className(pair.second), formatCount(confusion.count),
                            samples.mid(0, 3).join(QLatin1Char(' '))};
    }
    printLine({});
    printTable(rows, 2);
}

void printHardest(const RunResults &results) {
    QList<QStringList> rows{{QStringLiteral("HARDEST"), QStringLiteral("LABEL"), QStringLiteral("ANSWER"),
                             QStringLiteral("CERTAIN"), QStringLiteral("LOSS"), QStringLiteral("FILE")}};
    for (const JudgedSample &one : results.details.hardest) {
        rows << QStringList{QString::number(one.sample),
                            saidText(results, one.label),
                            saidText(results, one.answer),
                            std::isfinite(one.certainty) ? formatPercent(one.certainty) : QStringLiteral("–"),
                            std::isfinite(one.loss) ? formatLoss(one.loss) : QStringLiteral("–"),
                            fileOf(results, one.sample)};
    }
    printLine({});
    printTable(rows);
}

int runResults(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("results"));
    line.positional(QStringLiteral("RUN"), QStringLiteral("a run, as \"hearth runs\" lists it"));
    line.value(QStringLiteral("pairs"), QStringLiteral("N"),
               QStringLiteral("how many pairs of classes that are confused to show; 10 unless told"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto pairs = line.integer(QStringLiteral("pairs"), 0, mostShown, pairsShown);
    if (!pairs)
        return line.wrongUsage(pairs.error());
    const auto folder = folderOfRun(stateDirOf(line), line.word(0));
    if (!folder)
        return printError(folder.error());
    const auto results = RunResults::load(*folder);
    if (!results)
        return printError(results.error());
    const QString run = QFileInfo(*folder).fileName();
    if (line.isSet(QStringLiteral("json"))) {
        printJson(toJson(run, *results));
        return Done;
    }
    printLine(Sentence::filled(
        QStringLiteral("After round %1, of %2 {2|sample|samples} of the %3 set:"),
        {formatCount(results->details.round), formatCount(results->details.samples), results->details.split}));
    printLine({});
    printClasses(*results);
    printConfused(*results, *pairs);
    printHardest(*results);
    if (results->unseen)
        printNote(results->unseen->toString());
    return Done;
}

const CommandRegistration resultsRegistration({QStringLiteral("results"), QStringLiteral("RUN [--pairs N]"),
                                               QStringLiteral("show what a run gets right and wrong"), runResults});

}  // namespace
}  // namespace hearth
