// `hearth label`: what people write on runs: a name, a note, tags, a star.
#include <QFileInfo>
#include <QJsonArray>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "core/history/run_label.h"

namespace hearth {
namespace {

/// Nothing given: an empty change, and the labels are told.
Result<LabelChange> changeOf(const CommandArguments &line) {
    LabelChange change;
    for (const auto &[option, part] : {std::pair{"name", &change.name}, std::pair{"note", &change.note}}) {
        if (line.isSet(QLatin1String(option)))
            *part = line.get(QLatin1String(option));
    }
    change.tags = tagsIn(line.get(QStringLiteral("tag")));
    change.untags = tagsIn(line.get(QStringLiteral("untag")));
    const bool star = line.isSet(QStringLiteral("star")), unstar = line.isSet(QStringLiteral("unstar"));
    if (star && unstar)
        return fail(QStringLiteral("usage.wrong"), sentence("--star and --unstar do not go together."));
    if (star || unstar)
        change.starred = star;
    return change;
}

void print(const QString &run, const RunLabel &label) {
    printLine(label.name.isEmpty() ? run : QStringLiteral("%1: %2").arg(run, label.name));
    QStringList facts = label.tags;
    if (label.starred)
        facts.prepend(QStringLiteral("★"));
    if (!facts.isEmpty())
        printLine(QStringLiteral("  ") + facts.join(QStringLiteral("  ")));
    for (const QString &text : label.note.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        printLine(QStringLiteral("  ") + text);
}

int runLabel(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("label"));
    line.positional(QStringLiteral("RUN…"), QStringLiteral("one or more, as \"hearth runs\" lists them"));
    line.textValue(QStringLiteral("name"), QStringLiteral("NAME"),
                   QStringLiteral("what the run is called; \"\" for none"));
    line.textValue(QStringLiteral("note"), QStringLiteral("TEXT"), QStringLiteral("what there is to say of it"));
    line.value(QStringLiteral("tag"), QStringLiteral("a,b"), QStringLiteral("add these tags"));
    line.value(QStringLiteral("untag"), QStringLiteral("a,b"), QStringLiteral("take these tags away"));
    line.flag(QStringLiteral("star"), QStringLiteral("mark the run with a star"));
    line.flag(QStringLiteral("unstar"), QStringLiteral("take the star away"));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto change = changeOf(line);
    if (!change)
        return line.wrongUsage(change.error());
    if (change->name && !change->name->isEmpty() && line.wordCount() > 1) {
        return line.wrongUsage({QStringLiteral("usage.wrong"),
                                sentence("A name is for one run."),
                                {},
                                sentence("Give several runs the same tag: --tag NAME.")});
    }
    QStringList folders;
    for (const QString &word : line.wordsFrom(0)) {
        const auto folder = folderOfRun(stateDirOf(line), word);
        if (!folder)
            return printError(folder.error());
        folders << *folder;
    }
    QJsonArray told;
    for (const QString &folder : std::as_const(folders)) {
        const auto label = change->applyTo(folder).and_then([&] { return RunLabel::load(folder); });
        if (!label)
            return printError(label.error());
        const QString run = QFileInfo(folder).fileName();
        QJsonObject one = label->toJson();
        one[QStringLiteral("run")] = run;
        told << one;
        if (!line.isSet(QStringLiteral("json")))
            print(run, *label);
    }
    if (line.isSet(QStringLiteral("json")))
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-labels/1")}, {QStringLiteral("labels"), told}});
    return Done;
}

const CommandRegistration labelRegistration(
    {QStringLiteral("label"),
     QStringLiteral("RUN… [--name NAME] [--note TEXT] [--tag a,b] [--untag a,b] [--star | --unstar]"),
     QStringLiteral("name, describe, tag or star runs"), runLabel});

}  // namespace
}  // namespace hearth
