// `hearth data`: the data sets of this computer, by name.
#include <QFileInfo>
#include <QJsonArray>
#include <QLocale>
#include <chrono>
#include <mutex>

#include "app/cli/command.h"
#include "app/cli/table.h"
#include "core/base/number_text.h"
#include "core/base/sentence.h"
#include "core/base/terminal.h"
#include "core/data/data_registry.h"
#include "core/data/dataset.h"
#include "core/data/picture_cache.h"
#include "core/model/shapes.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

using Loaded = Result<std::shared_ptr<const Dataset>>;

/// Of broken files, as many as a terminal has room for; --json has them all.
constexpr qint64 namedFiles = 20;
constexpr qsizetype mostNames = 20;

QString count(qint64 number) {
    return countText(number, sentenceLocale());
}

/// As many as a terminal has room for.
QString someOf(const QStringList &names) {
    const QString some = names.mid(0, mostNames).join(QStringLiteral(", "));
    return names.size() > mostNames ? some + QStringLiteral(", …") : some;
}

QString kindText(const Dataset &data) {
    if (data.kind() == QLatin1String("pictures"))
        return QStringLiteral("pictures in files");
    if (data.kind() == QLatin1String("images"))
        return QStringLiteral("pictures in IDX files");
    if (data.kind() == QLatin1String("cifar"))
        return QStringLiteral("CIFAR");
    if (data.kind() == QLatin1String("table"))
        return QStringLiteral("a table");
    if (data.kind() == QLatin1String("text"))
        return data.columns().isEmpty() ? QStringLiteral("plain text") : QStringLiteral("texts with labels");
    return QStringLiteral("NumPy arrays");
}

/// "broken" counts what was left out, "doubtful" what is used but may be meant otherwise.
QJsonObject toJson(const QString &name, const DataSummary &summary) {
    QJsonObject inputs;
    for (const auto &[input, shape] : summary.inputs)
        inputs[input] = shapeJson(shape);
    QJsonObject facts{{QStringLiteral("name"), name},
                      {QStringLiteral("kind"), summary.kind},
                      {QStringLiteral("train"), summary.count(Split::Train)},
                      {QStringLiteral("validation"), summary.count(Split::Validation)},
                      {QStringLiteral("test"), summary.count(Split::Test)},
                      {QStringLiteral("classes"), QJsonArray::fromStringList(summary.labelNames)},
                      {QStringLiteral("inputs"), inputs},
                      {QStringLiteral("broken"), summary.leftOut},
                      {QStringLiteral("doubtful"), summary.doubtful},
                      {QStringLiteral("bytes"), summary.bytes}};
    if (!summary.columns.isEmpty()) {
        facts[QStringLiteral("columns")] = QJsonArray::fromStringList(summary.columns);
        facts[QStringLiteral("label")] = summary.label;
    }
    return facts;
}

/// "broken" and "doubtful" name it.
QJsonObject toJson(const QString &name, const Dataset &data) {
    QJsonArray broken, doubtful;
    for (const BrokenFile &file : data.broken()) {
        (file.fate == BrokenFile::Fate::LeftOut ? broken : doubtful)
            << QJsonObject{{QStringLiteral("file"), file.file}, {QStringLiteral("cause"), file.cause.english()}};
    }
    QJsonObject object = toJson(name, DataSummary::of(data));
    object[QStringLiteral("broken")] = broken;
    object[QStringLiteral("doubtful")] = doubtful;
    return object;
}

/// Nothing where none is so.
void printBroken(const Dataset &data, BrokenFile::Fate fate, const QString &title) {
    const qint64 all = data.countBroken(fate);
    if (all == 0)
        return;
    printLine(title);
    qint64 named = 0;
    for (const BrokenFile &file : data.broken()) {
        if (file.fate == fate && ++named <= namedFiles)
            printLine(QStringLiteral("  %1: %2").arg(file.file, file.cause.english()));
    }
    if (all > namedFiles)
        printLine(QStringLiteral("  and %1 more; --json names them all").arg(all - namedFiles));
}

void printFacts(const QString &name, const Dataset &data) {
    printLine(QStringLiteral("%1: %2, %3")
                  .arg(name, kindText(data), bytesText(static_cast<double>(data.fileBytes()), sentenceLocale())));
    const qint64 validation = data.count(Split::Validation);
    printLine(QStringLiteral("  %1 to train, %2%3 to test")
                  .arg(count(data.count(Split::Train)),
                       validation > 0 ? QStringLiteral("%1 to validate, ").arg(count(validation)) : QString(),
                       count(data.count(Split::Test))));
    if (!data.columns().isEmpty()) {
        printLine(QStringLiteral("  columns: %1").arg(someOf(data.columns())));
        printLine(QStringLiteral("  %1 is learnt, as %2")
                      .arg(DataSummary::of(data).label,
                           data.classes() > 0 ? QStringLiteral("classes") : QStringLiteral("a quantity")));
    }
    if (data.kind() == QLatin1String("table")) {
        const qint64 numbers = data.sample().elements();
        printLine(Sentence::filled(
            QStringLiteral("  %1 {1|number|numbers} a row: a model such as mlp:features=%2,classes=%3"),
            {count(numbers), QString::number(numbers), QString::number(std::max(1, data.classes()))}));
    }
    if (data.kind() == QLatin1String("text") && data.columns().isEmpty())
        printLine(QStringLiteral("  a language model learns to continue them; folders are no classes"));
    if (const QStringList &classes = data.labelNames(); !classes.isEmpty())
        printLine(Sentence::filled(
            QStringLiteral("  %1 {1|class: %2; a job learns from it only together with other data|classes: %2}"),
            {QString::number(classes.size()), someOf(classes)}));
    printBroken(data, BrokenFile::Fate::LeftOut,
                data.columns().isEmpty() ? Sentence::filled(QStringLiteral("%1 {1|file is|files are} left out:"),
                                                            {count(data.countBroken(BrokenFile::Fate::LeftOut))})
                                         : QStringLiteral("Left out are:"));
    printBroken(data, BrokenFile::Fate::Doubtful, QStringLiteral("Used, but doubtful:"));
}

int print(const CommandArguments &line, const QString &name, const Loaded &data) {
    if (!data) {
        const bool isWrongUsage = data.error().code == QLatin1String("data.bad-name");
        return isWrongUsage ? line.wrongUsage(data.error()) : printError(data.error());
    }
    if (line.isSet(QStringLiteral("json")))
        printJson(toJson(name, **data));
    else
        printFacts(name, **data);
    return Done;
}

/// Now and then a line on a terminal, from any thread.
CheckProgress progress() {
    const auto mutex = std::make_shared<std::mutex>();
    const auto told = std::make_shared<std::chrono::steady_clock::time_point>(std::chrono::steady_clock::now());
    return [mutex, told](qint64 done, qint64 total) {
        constexpr std::chrono::seconds pause{2};
        const std::lock_guard lock(*mutex);
        if (const auto now = std::chrono::steady_clock::now(); done > 0 && now - *told >= pause) {
            *told = now;
            printNote(Sentence::filled(total == 0 ? QStringLiteral("%1 {1|file or row|files or rows} found")
                                                  : QStringLiteral("%1 of %2 {2|file|files} looked at"),
                                       {count(done), count(total)}));
        }
        return true;
    };
}

/// From its description, where that has one: nothing is read then but that.
Result<DataSummary> summarised(const QString &name) {
    if (!builtinDatasets().contains(name)) {
        const auto known = summaryOf(name);
        if (!known)
            return tl::unexpected(known.error());
        if (*known)
            return **known;
    }
    return loadDataset(name, progress()).map([](const auto &data) { return DataSummary::of(*data); });
}

int list(const CommandArguments &line) {
    QJsonArray all;
    QList<QStringList> rows{{QStringLiteral("name"), QStringLiteral("kind"), QStringLiteral("train"),
                             QStringLiteral("validation"), QStringLiteral("test"), QStringLiteral("classes"),
                             QStringLiteral("left out"), QStringLiteral("doubtful")}};
    for (const QString &name : registeredDatasets() + builtinDatasets()) {
        const auto summary = summarised(name);
        if (!summary) {
            // One that is not there hides no other.
            all << QJsonObject{{QStringLiteral("name"), name}, {QStringLiteral("error"), summary.error().toString()}};
            rows << QStringList{name, summary.error().toString(), {}, {}, {}, {}, {}, {}};
            continue;
        }
        all << toJson(name, *summary);
        rows << QStringList{name,
                            summary->kind,
                            count(summary->count(Split::Train)),
                            count(summary->count(Split::Validation)),
                            count(summary->count(Split::Test)),
                            count(summary->classes),
                            count(summary->leftOut),
                            count(summary->doubtful)};
    }
    if (line.isSet(QStringLiteral("json")))
        printJson({{QStringLiteral("data"), all}});
    else
        printTable(rows, 2);
    return Done;
}

int remove(const CommandArguments &line, const QString &name) {
    if (const auto removed = unregisterDataset(name); !removed)
        return printError(removed.error());
    if (line.isSet(QStringLiteral("json")))
        printJson({{QStringLiteral("removed"), name}});
    else
        printLine(QStringLiteral("%1 is no name for data any more. The data are where they were.").arg(name));
    return Done;
}

/// Of pictures, decoded.
int tellCache(const CommandArguments &line) {
    const QString folder = PictureCache::usualFolder();
    const bool clears = line.isSet(QStringLiteral("clear"));
    const auto [pictures, bytes] = clears ? PictureCache::clear(folder) : PictureCache::usage(folder);
    if (line.isSet(QStringLiteral("json"))) {
        printJson({{QStringLiteral("folder"), folder},
                   {QStringLiteral("pictures"), pictures},
                   {QStringLiteral("bytes"), bytes},
                   {QStringLiteral("cleared"), clears}});
    } else {
        printLine(Sentence::filled(clears ? QStringLiteral("%1 decoded {1|picture was|pictures were} removed: %2 in %3")
                                          : QStringLiteral("%1 decoded {1|picture is|pictures are} kept: %2 in %3"),
                                   {count(pictures), formatBytes(bytes), folder}));
    }
    return Done;
}

int wrongWords(const CommandArguments &line) {
    return line.wrongUsage({QStringLiteral("usage.wrong"),
                            sentence("Say what to do with which data."),
                            {},
                            sentence("For instance: hearth data add pets /home/me/pets, hearth data list, "
                                     "hearth data show pets, hearth data check pets, hearth data remove pets, "
                                     "hearth data add iris iris.csv --label species")});
}

int runData(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("data"));
    line.positional(QStringLiteral("WHAT"), QStringLiteral("add, list, show, check, remove or cache"));
    line.positional(QStringLiteral("NAME"), QStringLiteral("of the data set; show and check take a path, too"), false);
    line.positional(QStringLiteral("PATH"), QStringLiteral("for add: where the data are; nothing is copied"), false);
    line.value(QStringLiteral("label"), QStringLiteral("COLUMN"),
               QStringLiteral("for add: the column of a table that is learnt; the last one, unless this is said"));
    line.value(QStringLiteral("task"), QStringLiteral("TASK"),
               QStringLiteral("for add: classification or regression, where the labels leave it open"));
    line.value(QStringLiteral("text"), QStringLiteral("COLUMN"),
               QStringLiteral("for add: the column of the texts; of pairs two, with a comma between"));
    line.value(
        QStringLiteral("tokenizer"), QStringLiteral("PATH"),
        QStringLiteral("for add, of texts: the folder of a network or its tokenizer; bytes, unless this is said"));
    line.flag(QStringLiteral("clear"), QStringLiteral("for cache: remove the decoded pictures"));
    line.flag(QStringLiteral("json"), QStringLiteral("print JSON"));
    if (const auto status = line.parse(arguments))
        return *status;
    const QString what = line.word(0), name = line.word(1), path = line.word(2);
    const QStringList known{QStringLiteral("add"),   QStringLiteral("list"),   QStringLiteral("show"),
                            QStringLiteral("check"), QStringLiteral("remove"), QStringLiteral("cache")};
    const bool isAlone = what == QLatin1String("list") || what == QLatin1String("cache");
    const int words = what == QLatin1String("add") ? 3 : isAlone ? 1 : 2;
    if (!known.contains(what) || line.wordCount() != words ||
        (line.isSet(QStringLiteral("clear")) && what != QLatin1String("cache")))
        return wrongWords(line);
    const auto texts = line.list(QStringLiteral("text"));
    if (!texts)
        return line.wrongUsage(texts.error());
    const DataChoice choice{line.get(QStringLiteral("label")), line.get(QStringLiteral("task")), *texts,
                            line.get(QStringLiteral("tokenizer"))};
    if (what != QLatin1String("add") && choice != DataChoice())
        return wrongWords(line);
    if (what == QLatin1String("cache"))
        return tellCache(line);
    if (what == QLatin1String("list"))
        return list(line);
    if (what == QLatin1String("remove"))
        return remove(line, name);
    if (const QStringList tasks{QString(), QStringLiteral("classification"), QStringLiteral("regression")};
        !tasks.contains(choice.task)) {
        return line.wrongUsage({QStringLiteral("usage.wrong"),
                                sentence("\"%1\" is not a task.").arg(choice.task),
                                {},
                                sentence("Say --task classification or --task regression.")});
    }
    if (what == QLatin1String("add"))
        return print(line, name, registerDataset(name, path, false, progress(), choice));
    if (what == QLatin1String("check") && registeredDatasets().contains(name))
        return print(line, name, checkDataset(name, progress()));
    const Loaded data = loadDataset(name, progress());
    return print(line, data ? (*data)->name() : name, data);
}

const CommandRegistration dataRegistration(
    {QStringLiteral("data"),
     QStringLiteral(
         "add NAME PATH [--label COLUMN] [--task TASK] [--text COLUMN] [--tokenizer PATH] | list | show NAME | check NAME | remove NAME | cache [--clear] "
         "[--json]"),
     QStringLiteral("pictures and other data of this computer, by name"), runData});

}  // namespace
}  // namespace hearth
