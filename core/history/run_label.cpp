#include "core/history/run_label.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/base/sentence.h"

namespace hearth {
namespace {

constexpr qsizetype longestName = 200, longestNote = 10000, longestTag = 60, mostTags = 50;
constexpr qint64 largestFile = 256 << 10;
// They join letters of some scripts, and people in pictures.
constexpr char32_t joiner = 0x200d, nonJoiner = 0x200c;

QString formatName() {
    return QStringLiteral("hearth-label/1");
}

QString pathIn(const QString &runFolder) {
    return runFolder + QStringLiteral("/label.json");
}

/// Characters that show themselves and change nothing around them: no line ends, no marks of direction.
bool isPlain(const QString &text, bool lines) {
    const auto codes = text.toUcs4();
    return std::ranges::all_of(codes, [lines](uint code) {
        return QChar::isPrint(code) || code == joiner || code == nonJoiner || (lines && (code == '\n' || code == '\t'));
    });
}

tl::unexpected<Error> bad(const Sentence &what, const Sentence &advice) {
    return fail(QStringLiteral("label.bad"), what, QString(), advice);
}

Result<void> check(const RunLabel &label) {
    if (label.name.size() > longestName || !isPlain(label.name, false)) {
        return bad(sentence("\"%1\" cannot be a run's name.").arg(label.name.left(80)),
                   sentence("Take one line of at most %1 printable characters.").arg(longestName));
    }
    if (label.note.size() > longestNote || !isPlain(label.note, true)) {
        return bad(sentence("This cannot be a run's note."),
                   sentence("Take at most %1 printable characters.").arg(longestNote));
    }
    for (const QString &tag : label.tags) {
        const bool parted = tag.contains(QLatin1Char(',')) ||
                            std::ranges::any_of(tag, [](QChar character) { return character.isSpace(); });
        if (tag.isEmpty() || tag.size() > longestTag || parted || !isPlain(tag, false)) {
            return bad(sentence("\"%1\" cannot be a tag.").arg(tag.left(80)),
                       sentence("Take one word of at most %1 printable characters, without commas.").arg(longestTag));
        }
    }
    if (label.tags.size() > mostTags) {
        return bad(sentence("A run cannot have %1 tags.").arg(label.tags.size()),
                   sentence("Take at most %1.").arg(mostTags));
    }
    return {};
}

QString withoutEnds(QString text) {
    return text.replace(QStringLiteral("\r\n"), QStringLiteral("\n")).trimmed();
}

}  // namespace

Result<RunLabel> RunLabel::fromJson(const QJsonObject &json, const QString &source) {
    JsonReader reader(json, source);
    reader.choice("format", {formatName()});
    LabelChange all;
    all.name = reader.string("name", QString());
    all.note = reader.string("note", QString());
    all.starred = reader.boolean("starred", false);
    const QJsonArray tags = reader.array("tags", false);
    for (qsizetype i = 0; i < tags.size(); ++i) {
        if (!tags[i].isString())
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("tags")), i), sentence("It is not a text."));
        all.tags << tags[i].toString();
    }
    return reader.finish().and_then([&] { return all.appliedTo({}); });
}

QJsonObject RunLabel::toJson() const {
    return {{QStringLiteral("format"), formatName()},
            {QStringLiteral("name"), name},
            {QStringLiteral("note"), note},
            {QStringLiteral("tags"), QJsonArray::fromStringList(tags)},
            {QStringLiteral("starred"), starred}};
}

Result<RunLabel> RunLabel::load(const QString &runFolder) {
    const QString path = pathIn(runFolder);
    if (!QFileInfo::exists(path))
        return RunLabel();
    return readJsonFile(path, largestFile).and_then([&](const QJsonObject &json) { return fromJson(json, path); });
}

Result<void> RunLabel::save(const QString &runFolder) const {
    auto saved = saveFile(pathIn(runFolder), QJsonDocument(toJson()).toJson());
    if (saved || saved.error().code == QLatin1String("file.unsynced"))
        return {};
    return fail(QStringLiteral("label.unsaved"),
                sentence("The label of the run in %1 could not be saved.").arg(runFolder), saved.error().cause,
                sentence("Check that the folder is there and may be written."));
}

Result<RunLabel> LabelChange::appliedTo(RunLabel label) const {
    if (name)
        label.name = name->trimmed();
    if (note)
        label.note = withoutEnds(*note);
    label.starred = starred.value_or(label.starred);
    label.tags << tags;
    label.tags.sort();
    label.tags.removeDuplicates();
    label.tags.removeIf([this](const QString &tag) { return untags.contains(tag); });
    return check(label).transform([&] { return std::move(label); });
}

Result<void> LabelChange::applyTo(const QString &runFolder) const {
    const auto before = RunLabel::load(runFolder);
    if (!before)
        return tl::unexpected(before.error());
    const auto after = appliedTo(*before);
    if (!after)
        return tl::unexpected(after.error());
    return *after == *before ? Result<void>() : after->save(runFolder);
}

QStringList tagsIn(const QString &text) {
    static const QRegularExpression parts(QStringLiteral("[,\\s]+"));
    return text.split(parts, Qt::SkipEmptyParts);
}

LabelChange tagsTyped(const QStringList &before, const QString &text) {
    LabelChange change;
    change.untags = before;
    const QStringList typed = tagsIn(text);
    change.untags.removeIf([&typed](const QString &tag) { return typed.contains(tag); });
    change.tags = typed;
    change.tags.removeIf([&before](const QString &tag) { return before.contains(tag); });
    return change;
}

}  // namespace hearth
