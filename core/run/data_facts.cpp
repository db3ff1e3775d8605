#include "core/run/data_facts.h"

#include <QJsonArray>
#include <QJsonDocument>

#include "core/base/json_reader.h"
#include "core/data/told_preparation.h"

namespace hearth {
namespace {

constexpr QLatin1String factsFormat("hearth-data-facts/1");
using Limits = DataFacts::Limits;

QJsonObject slotToJson(const Slot &slot) {
    return {{QStringLiteral("dtype"), safetensorsName(slot.dtype)}, {QStringLiteral("shape"), shapeJson(slot.shape)}};
}

QJsonObject partToJson(const DataPart &part) {
    QJsonObject object = slotToJson(part.slot);
    object[QStringLiteral("name")] = part.name;
    if (part.range)
        object[QStringLiteral("range")] = QJsonArray{part.range->least, part.range->most};
    return object;
}

/// Of a reader whose object has the keys of a slot. The product is checked on the way: it may be beyond all numbers.
Slot readSlot(JsonReader &reader) {
    Slot slot;
    const QString name = reader.string("dtype");
    const auto type = dtypeFromSafetensors(name);
    if (type)
        slot.dtype = *type;
    else
        reader.reject(QStringLiteral("dtype"), sentence("\"%1\" is no type of numbers.").arg(name.left(40)));
    const QJsonArray shape = reader.array("shape");
    qint64 bytes = byteSize(slot.dtype);
    bool isShape = shape.size() <= Limits::dimensions;
    for (qsizetype i = 0; i < shape.size() && isShape; ++i) {
        const qint64 dimension = shape[i].toInteger(0);
        isShape = dimension >= 1 && dimension <= Limits::slotBytes / bytes;
        if (isShape) {
            slot.shape.push_back(dimension);
            bytes *= dimension;
        }
    }
    if (!isShape) {
        reader.reject(QStringLiteral("shape"), sentence("It is no shape of a sample."),
                      sentence("A sample has at most %1 bytes.").arg(Limits::slotBytes));
    }
    return slot;
}

std::optional<WholeRange> readRange(JsonReader &reader) {
    const QJsonArray range = reader.array("range", false);
    if (range.isEmpty())
        return std::nullopt;
    const WholeRange read{range[0].toInteger(1), range.at(range.size() - 1).toInteger(0)};
    if (range.size() != 2 || !range[0].isDouble() || !range[1].isDouble() || read.least > read.most)
        reader.reject(QStringLiteral("range"), sentence("It must be two numbers, the least and the largest."));
    return read;
}

/// Names of people, as many as allowed and none too long.
QStringList readNames(JsonReader &reader, const char *key, qsizetype most) {
    QStringList names;
    const QJsonArray list = reader.array(key);
    if (list.size() > most)
        reader.reject(QLatin1String(key), sentence("There are more than %1.").arg(most));
    for (qsizetype i = 0; i < list.size() && reader.ok(); ++i) {
        names << list[i].toString();
        if (!list[i].isString() || names.last().size() > Limits::wordLetters)
            reader.reject(QLatin1String(key), sentence("It must be a list of names."));
    }
    return names;
}

QString readName(JsonReader &reader, const char *key) {
    QString name = reader.string(key);
    if (name.size() > Limits::nameLetters)
        reader.reject(QLatin1String(key), sentence("It has more than %1 letters.").arg(Limits::nameLetters));
    return name;
}

/// Errors inside of an object that lies in another one.
void takeUp(JsonReader &whole, const QString &pointer, JsonReader &part) {
    if (auto done = part.finish(); !done)
        whole.rejectAt(pointer, done.error().cause, done.error().advice);
}

void readParts(JsonReader &reader, DataFacts &facts) {
    const QJsonArray parts = reader.array("parts");
    if (parts.isEmpty() || parts.size() > Limits::parts)
        reader.reject(QStringLiteral("parts"), sentence("There are %1.").arg(parts.size()));
    for (qsizetype i = 0; i < parts.size() && reader.ok(); ++i) {
        const QString pointer = jsonPointer(reader.pathOf(QStringLiteral("parts")), i);
        JsonReader part(parts[i], reader.source(), pointer);
        const QString name = readName(part, "name");
        const Slot slot = readSlot(part);
        const auto range = readRange(part);
        takeUp(reader, pointer, part);
        facts.parts.push_back({name, slot, range});
    }
}

/// What is computed with, or looked for on the disk.
void readPreparation(JsonReader &reader, DataFacts &facts) {
    facts.preparation = reader.object("preparation");
    if (namesFiles(facts.preparation))
        reader.reject(QStringLiteral("preparation"), sentence("It names a file, and only its own device has that."));
    const QJsonValue deviation = facts.preparation.value(QLatin1String("deviation"));
    if (!deviation.isUndefined() && !(deviation.toDouble() > 0))
        reader.reject(QStringLiteral("preparation"), sentence("Its deviation is not above 0."));
}

void readLabel(JsonReader &reader, DataFacts &facts) {
    const QString pointer = reader.pathOf(QStringLiteral("label"));
    JsonReader label(reader.object("label"), reader.source(), pointer);
    facts.label = readSlot(label);
    takeUp(reader, pointer, label);
    facts.classes = static_cast<int>(reader.integer("classes", 0, Limits::classes));
    facts.labelNames = readNames(reader, "label_names", Limits::classes);
    if (!facts.labelNames.isEmpty() && facts.labelNames.size() != facts.classes)
        reader.reject(QStringLiteral("label_names"), sentence("There is not one for each class."));
}

}  // namespace

Result<DataFacts> DataFacts::of(const Dataset &data, const InputTransform &input) {
    DataFacts facts;
    facts.name = data.name().left(Limits::nameLetters);
    facts.kind = data.kind();
    for (const Split split : allSplits)
        facts.counts[static_cast<std::size_t>(split)] = data.count(split);
    facts.parts = data.parts();
    facts.label = data.label();
    facts.classes = data.classes();
    facts.labelNames = data.labelNames();
    facts.columns = data.columns();
    auto preparation = preparationToTell(data);
    if (!preparation)
        return tl::unexpected(preparation.error());
    facts.preparation = std::move(*preparation);
    facts.input = input;
    facts.ownSizes = data.hasOwnSizes();
    facts.isDecoded = data.isDecoded();
    facts.bytes = data.fileBytes();
    if (std::ranges::any_of(facts.counts, [](qint64 count) { return count > Limits::samples; })) {
        return fail(QStringLiteral("data.too-many"),
                    sentence("The data %1 are too large to be used from another device.").arg(data.name()),
                    sentence("They have more than %1 samples.").arg(Limits::samples),
                    sentence("Use them on the device that holds them."));
    }
    const auto isTooLarge = [](const DataPart &part) { return part.slot.bytes() > Limits::slotBytes; };
    if (std::ranges::any_of(facts.parts, isTooLarge) || facts.label.bytes() > Limits::slotBytes) {
        return fail(QStringLiteral("data.too-many"),
                    sentence("The data %1 are too large to be used from another device.").arg(data.name()),
                    sentence("One sample has more than %1 bytes.").arg(Limits::slotBytes),
                    sentence("Choose a network for smaller samples."));
    }
    if (facts.toText().size() > Limits::textBytes) {
        return fail(QStringLiteral("data.too-many"),
                    sentence("The data %1 are too large to be used from another device.").arg(data.name()),
                    sentence("The names of their classes and columns take more than %1 bytes.").arg(Limits::textBytes),
                    sentence("Use them on the device that holds them."));
    }
    return facts;
}

Result<DataFacts> DataFacts::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    DataFacts facts;
    reader.choice("format", {factsFormat});
    facts.name = readName(reader, "name");
    facts.kind = readName(reader, "kind");
    const QJsonArray counts = reader.array("counts");
    for (std::size_t i = 0; i < facts.counts.size(); ++i)
        facts.counts[i] = counts.at(static_cast<qsizetype>(i)).toInteger(-1);
    if (counts.size() != static_cast<qsizetype>(facts.counts.size()) ||
        std::ranges::any_of(facts.counts, [](qint64 count) { return count < 0 || count > Limits::samples; }))
        reader.reject(QStringLiteral("counts"), sentence("They are no counts of samples."));
    if (reader.ok() && facts.count(Split::Train) == 0)
        reader.reject(QStringLiteral("counts"), sentence("There is no sample to learn from."));
    readParts(reader, facts);
    readLabel(reader, facts);
    facts.columns = readNames(reader, "columns", Limits::columns);
    readPreparation(reader, facts);
    const QJsonObject input = reader.object("input");
    facts.ownSizes = reader.boolean("own_sizes");
    facts.isDecoded = reader.boolean("decoded");
    facts.bytes = reader.integer("bytes", 0, Limits::fileBytes);
    if (auto done = reader.finish(); !done)
        return tl::unexpected(done.error());
    return InputTransform::fromJson(input, source, QStringLiteral("/input")).map([&](InputTransform transform) {
        facts.input = std::move(transform);
        return facts;
    });
}

QJsonObject DataFacts::toJson() const {
    QJsonArray countList, partList;
    for (const qint64 count : counts)
        countList.append(count);
    for (const DataPart &part : parts)
        partList.append(partToJson(part));
    return {{QStringLiteral("format"), factsFormat},
            {QStringLiteral("name"), name},
            {QStringLiteral("kind"), kind},
            {QStringLiteral("counts"), countList},
            {QStringLiteral("parts"), partList},
            {QStringLiteral("label"), slotToJson(label)},
            {QStringLiteral("classes"), classes},
            {QStringLiteral("label_names"), QJsonArray::fromStringList(labelNames)},
            {QStringLiteral("columns"), QJsonArray::fromStringList(columns)},
            {QStringLiteral("preparation"), preparation},
            {QStringLiteral("input"), input.toJson()},
            {QStringLiteral("own_sizes"), ownSizes},
            {QStringLiteral("decoded"), isDecoded},
            {QStringLiteral("bytes"), bytes}};
}

QByteArray DataFacts::toText() const {
    return QJsonDocument(toJson()).toJson(QJsonDocument::Compact);
}

Result<DataFacts> DataFacts::fromText(const QByteArray &text, const QString &source) {
    return parseJsonObject(text, source).and_then([&](const QJsonObject &object) { return fromJson(object, source); });
}

}  // namespace hearth
