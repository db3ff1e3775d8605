#include "core/history/run_report.h"

#include <QDir>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/sentence.h"
#include "core/data/data_registry.h"
#include "core/history/curve_svg.h"
#include "core/history/markdown.h"
#include "core/history/usage_section.h"
#include "core/model/import/initial_weights.h"

namespace hearth {
namespace {

using Facts = std::vector<std::pair<QString, QString>>;  // what, and how much

QString percent(double part) {
    return QString::number(100 * part, 'f', 1) + QStringLiteral(" %");
}

QString duration(double seconds) {
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 60)
        return QStringLiteral("%1 s").arg(seconds, 0, 'f', 1);
    if (whole < 3600)
        return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

// Report and card go to others, and folders are called as people are.

/// Of a path its last part; a name as it is.
QString withoutFolder(const QString &nameOrPath) {
    return nameOrPath.startsWith(QLatin1Char('/'))
               ? nameOrPath.section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty)
               : nameOrPath;
}

/// Of names and paths with commas between.
QString withoutFolders(const QString &list) {
    const QString comma = QStringLiteral(", ");
    QStringList names = list.split(comma);
    for (QString &name : names)
        name = withoutFolder(name);
    return names.join(comma);
}

/// Paths that a sentence has.
QString withoutFoldersInside(QString sentence) {
    static const QRegularExpression folders(QStringLiteral("(?<![^\\s\"'(])~?/(?:[^/\\s\"']+/)+"));
    if (const QString home = QDir::homePath(); home.size() > 1)
        sentence.replace(home, QStringLiteral("~"));
    return sentence.remove(folders);
}

/// A file of them, or where they are from.
QString weightsName(const QString &path) {
    return areInitialWeights(path) ? QStringLiteral("those that its network came with") : withoutFolder(path);
}

/// What was never told is left out.
Facts factsOf(const RunDetails &details) {
    const RunSummary &run = details.summary;
    Facts facts;
    const auto add = [&facts](const char *what, const QString &value) {
        if (!value.isEmpty())
            facts.emplace_back(QLatin1String(what), value);
    };
    const auto known = [](double value, const QString &words) { return std::isfinite(value) ? words : QString(); };
    add("Network", withoutFolder(run.model));
    add("Data", withoutFolders(run.data));
    add("State", run.state);
    if (const auto *begun = lastOf<event::Run>(details))
        add("Began with the weights", weightsName(begun->weights));
    if (const auto *state = lastOf<event::State>(details))
        add("Ended early", withoutFoldersInside(state->why));
    add("Started", run.started);
    add("Took", duration(run.seconds));
    add("Rounds", QString::number(run.rounds));
    add("Samples of a batch", run.batch > 0 ? QString::number(run.batch) : QString());
    add("Optimizer", run.optimizer);
    add("Learning rate", known(run.learningRate, QString::number(run.learningRate)));
    add("Accuracy, last", known(run.accuracy, percent(run.accuracy)));
    add("Accuracy, best", known(run.bestAccuracy, percent(run.bestAccuracy)));
    add("Loss, first", known(run.firstLoss, QString::number(run.firstLoss)));
    add("Loss, last", known(run.loss, QString::number(run.loss)));
    add("Loss, lowest", known(run.lowestLoss, QString::number(run.lowestLoss)));
    if (const auto *best = lastOf<event::Best>(details))
        add("Best weights", QStringLiteral("after round %1, loss %2").arg(best->round).arg(best->loss));
    add("Samples per second", known(run.samplesPerSecond, QString::number(run.samplesPerSecond, 'f', 1)));
    add("Energy of graphics cards", known(run.joules, QStringLiteral("%1 Wh").arg(run.joules / 3600, 0, 'g', 3)));
    add("Devices", run.devices.join(QStringLiteral(", ")));
    add("Plans", QString::number(run.plans));
    add("Devices lost", QString::number(run.losses));
    add("Recoveries", QString::number(run.recoveries));
    add("Rounds done again", QString::number(run.replayedRounds));
    return facts;
}

struct Table {
    QString caption;
    QList<QStringList> rows;  // the first is the head
};

QString share(qint64 part, qint64 all) {
    return all > 0 ? percent(static_cast<double>(part) / static_cast<double>(all)) : QStringLiteral("–");
}

/// How right it would be to give the same answer always: what an accuracy is to be compared with.
QString commonest(const RunResults &results) {
    qint64 all = 0, most = 0;
    int commonest = 0;
    for (const auto &[number, each] : results.details.classes) {
        all += each.labelled;
        if (each.labelled > most) {
            most = each.labelled;
            commonest = number;
        }
    }
    return QStringLiteral("Who always answers \"%1\", the commonest class, is right in %2.")
        .arg(results.className(commonest), share(most, all));
}

bool hasClasses(const RunResults &results) {
    return results.answers == LossFacts::Answers::Classes && !results.details.classes.empty();
}

/// By class, then the pairs that are confused most; none where answers are no classes.
QList<Table> tablesOf(const RunResults &results) {
    constexpr qsizetype mostRows = 30;
    const EvaluationDetails &details = results.details;
    if (!hasClasses(results))
        return {};
    std::vector<std::pair<int, EvaluationTally::OfClass>> worst(details.classes.begin(), details.classes.end());
    std::stable_sort(worst.begin(), worst.end(), [](const auto &a, const auto &b) {
        return a.second.labelled - a.second.right > b.second.labelled - b.second.right;
    });
    Table classes{
        Sentence::filled(
            QStringLiteral(
                "After round %1, of %2 {2|sample|samples} of the %3 set; the classes with the most mistakes first"),
            {QString::number(details.round), QString::number(details.samples), details.split}),
        {{QStringLiteral("Class"), QStringLiteral("Samples"), QStringLiteral("Right"), QStringLiteral("Of its samples"),
          QStringLiteral("Of its answers")}}};
    for (const auto &[number, each] : worst) {
        if (classes.rows.size() <= mostRows)
            classes.rows << QStringList{results.className(number), QString::number(each.labelled),
                                        QString::number(each.right), share(each.right, each.labelled),
                                        share(each.right, each.answered)};
    }
    Table confused{QStringLiteral("Taken for each other most"),
                   {{QStringLiteral("Class"), QStringLiteral("Taken for"), QStringLiteral("Times")}}};
    for (const auto &pair : details.mostConfused()) {
        if (confused.rows.size() <= mostRows / 3)
            confused.rows << QStringList{results.className(pair.first), results.className(pair.second),
                                         QString::number(details.confused.at(pair).count)};
    }
    return {classes, confused};
}

/// How the network went on with its prompts, from the first evaluation to the last; of many a few between.
Table continuedOf(const RunDetails &run) {
    constexpr std::size_t most = 12;
    std::vector<const event::Evaluation *> told;
    for (const RunEvent &event : run.events) {
        const auto *evaluation = std::get_if<event::Evaluation>(&event.body);
        if (evaluation == nullptr || evaluation->continued.empty())
            continue;
        // After a loss rounds are done again.
        while (!told.empty() && told.back()->round >= evaluation->round)
            told.pop_back();
        told.push_back(evaluation);
    }
    Table table{QStringLiteral("How the network goes on with a text"),
                {{QStringLiteral("After round"), QStringLiteral("Beginning"), QStringLiteral("The network goes on")}}};
    const std::size_t shown = std::min(most, told.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const event::Evaluation &evaluation = *told[shown > 1 ? i * (told.size() - 1) / (shown - 1) : 0];
        for (const auto &[prompt, text] : evaluation.continued)
            table.rows << QStringList{QString::number(evaluation.round), prompt, text};
    }
    return table;
}

/// Who computed which layers at the end; no rows where the run had no plan.
Table planOf(const RunDetails &run) {
    Table table{QStringLiteral("Who computed what, in the last plan"),
                {{QStringLiteral("Layers"), QStringLiteral("Devices, and their samples of each micro-batch")}}};
    QHash<QString, QString> names;
    for (const RunEvent &event : run.events) {
        if (const auto *device = std::get_if<event::Device>(&event.body))
            names[device->id] = device->name;
    }
    const auto *plan = lastOf<event::Plan>(run);
    for (const QJsonValue stage : plan ? plan->plan[QLatin1String("stages")].toArray() : QJsonArray()) {
        const QJsonArray layers = stage[QLatin1String("layers")].toArray();
        const QJsonObject shares = stage[QLatin1String("shares")].toObject();
        QStringList members;
        for (auto share = shares.begin(); share != shares.end(); ++share)
            members << QStringLiteral("%1: %2").arg(names.value(share.key(), share.key().left(8))).arg(share->toInt());
        table.rows << QStringList{QStringLiteral("%1 to %2").arg(layers[0].toInt() + 1).arg(layers[1].toInt()),
                                  members.join(QStringLiteral(", "))};
    }
    return table;
}

QList<Table> tablesOf(const RunDetails &run, const std::optional<RunResults> &results) {
    QList<Table> tables = results ? tablesOf(*results) : QList<Table>();
    if (Table plan = planOf(run); plan.rows.size() > 1)
        tables.prepend(plan);
    if (Table continued = continuedOf(run); continued.rows.size() > 1)
        tables << continued;
    return tables;
}

/// A sentence on what answers of these classes are to be compared with; empty where they are none.
QString comparedOf(const std::optional<RunResults> &results) {
    return results && hasClasses(*results) ? commonest(*results) : QString();
}

QString htmlOf(const Table &table) {
    QString text = QStringLiteral("<h2>") + table.caption.toHtmlEscaped() + QStringLiteral("</h2>\n<table>\n");
    for (const QStringList &row : table.rows) {
        text += QStringLiteral("<tr>");
        for (const QString &cell : row)
            text += QStringLiteral("<td><bdi>") + cell.toHtmlEscaped() + QStringLiteral("</bdi></td>");
        text += QStringLiteral("</tr>\n");
    }
    return text + QStringLiteral("</table>\n");
}

/// The rounds after which training went on.
std::vector<double> recoveriesOf(const RunDetails &run) {
    std::vector<double> rounds;
    for (const RunEvent &event : run.events) {
        if (const auto *recovered = std::get_if<event::Recovered>(&event.body))
            rounds.push_back(static_cast<double>(recovered->fromVersion));
    }
    return rounds;
}

QString titleOf(const RunSummary &run) {
    return run.label.name.isEmpty() ? run.id : run.label.name;
}

QString jobText(const RunSummary &run) {
    const QString modelKey = QStringLiteral("model"), dataKey = QStringLiteral("data");
    QJsonObject job = run.job;
    if (job.contains(modelKey))
        job[modelKey] = withoutFolder(job[modelKey].toString());
    const auto shown = [](const QJsonValue &data) { return withoutFolder(shownDataset(data.toString())); };
    QJsonArray all = job[dataKey].toArray();
    for (qsizetype i = 0; i < all.size(); ++i)
        all[i] = shown(all[i]);
    if (job.contains(dataKey))
        job[dataKey] = job[dataKey].isArray() ? QJsonValue(all) : QJsonValue(shown(job[dataKey]));
    return QString::fromUtf8(QJsonDocument(job).toJson(QJsonDocument::Indented)).trimmed();
}

QString markdownOf(const Table &table) {
    QString text = QStringLiteral("\n## ") + plainMarkdown(table.caption) + QStringLiteral("\n\n");
    for (qsizetype i = 0; i < table.rows.size(); ++i) {
        for (const QString &cell : table.rows[i])
            text += QStringLiteral("| ") + plainMarkdown(cell) + QLatin1Char(' ');
        text += QStringLiteral("|\n");
        if (i == 0)
            text += QStringLiteral("|---").repeated(table.rows[i].size()) + QStringLiteral("|\n");
    }
    return text;
}

constexpr const char *style = R"(
:root { color-scheme: light dark; --text: #1f2328; --back: #ffffff; --faint: #c8ccd1; --curve: #1f6feb; --mark: #bc4c00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --back: #16191d; --faint: #444c56; --curve: #6cb6ff; --mark: #f0883e; } }
body { max-width: 760px; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: var(--text);
  background: var(--back); overflow-wrap: anywhere; }
td { padding-right: 2em; vertical-align: top; }
th { text-align: left; font-weight: normal; padding-right: 2em; vertical-align: top; }
pre { white-space: pre-wrap; } svg { width: 100%; }
svg text { font-size: 12px; fill: var(--text); }
.axis { stroke: var(--faint); } .curve { stroke: var(--curve); fill: none; stroke-width: 1.5; }
.mark { stroke: var(--mark); stroke-dasharray: 4 3; }
)";

}  // namespace

QByteArray runReport(const RunDetails &run, const std::optional<RunResults> &results) {
    const QString title = titleOf(run.summary).toHtmlEscaped();
    QString page = QStringLiteral(
                       "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width\">\n<title>") +
                   title + QStringLiteral("</title>\n<style>") + QLatin1String(style) +
                   QStringLiteral("</style></head>\n<body><h1><bdi>") + title +
                   QStringLiteral("</bdi></h1>\n<table>\n");
    for (const auto &[what, value] : factsOf(run)) {
        page += QStringLiteral("<tr><th>") + what + QStringLiteral("</th><td><bdi>") + value.toHtmlEscaped() +
                QStringLiteral("</bdi></td></tr>\n");
    }
    page += QStringLiteral("</table>\n");
    const std::vector<double> marks = recoveriesOf(run);
    for (const auto &[what, curve] : {std::pair{"Loss over rounds", &run.loss},
                                      {"Accuracy over rounds", &run.accuracy},
                                      {"Samples per second over rounds", &run.speed}}) {
        const QString drawing = curveSvg(*curve, QLatin1String(what), marks);
        if (!drawing.isEmpty())
            page +=
                QStringLiteral("<h2>") + QLatin1String(what) + QStringLiteral("</h2>\n") + drawing + QLatin1Char('\n');
    }
    if (!marks.empty())
        page += QStringLiteral("<p>Dashed lines: training was interrupted, and went on from there.</p>\n");
    for (const Table &table : tablesOf(run, results))
        page += htmlOf(table);
    if (const QString compared = comparedOf(results); !compared.isEmpty())
        page += QStringLiteral("<p>") + compared.toHtmlEscaped() + QStringLiteral("</p>\n");
    page += QStringLiteral("<h2>Job</h2>\n<pre>") + jobText(run.summary).toHtmlEscaped() +
            QStringLiteral("</pre>\n</body></html>\n");
    return page.toUtf8();
}

QByteArray modelCard(const RunDetails &run, const std::optional<RunResults> &results) {
    QString card =
        QStringLiteral("# ") + plainMarkdown(titleOf(run.summary)) +
        QStringLiteral("\n\nTrained with Hearth over the devices of a home.\n\n## Training\n\n| | |\n|---|---|\n");
    for (const auto &[what, value] : factsOf(run))
        card += QStringLiteral("| ") + what + QStringLiteral(" | ") + plainMarkdown(value) + QStringLiteral(" |\n");
    for (const Table &table : tablesOf(run, results))
        card += markdownOf(table);
    if (const QString compared = comparedOf(results); !compared.isEmpty())
        card += QLatin1Char('\n') + plainMarkdown(compared) + QLatin1Char('\n');
    card += usageSection(run.summary.folder);
    card += QStringLiteral("\n## Job\n\n    ") +
            jobText(run.summary).replace(QLatin1Char('\n'), QStringLiteral("\n    ")) +
            QStringLiteral(
                "\n\n## Limits\n\nThe figures hold for data like those above. Nothing is known of other data; "
                "a certainty that the network gives is no promise.\n\n*To be filled in: what it must not be used for, "
                "and whom its errors may harm.*\n\n## Use\n\n*To be filled in: what it is for.*\n\n"
                "## Licence\n\n*To be filled in: that of the network, and that of the data.*\n");
    return card.toUtf8();
}

}  // namespace hearth
