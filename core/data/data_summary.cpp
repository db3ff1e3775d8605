#include "core/data/data_summary.h"

#include <QJsonArray>
#include <climits>
#include <limits>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

constexpr qint64 mostOfSummary = std::numeric_limits<qint64>::max() / 2;

}  // namespace

DataSummary DataSummary::of(const Dataset &data) {
    DataSummary summary;
    summary.kind = data.kind();
    for (const Split split : allSplits)
        summary.counts[static_cast<std::size_t>(split)] = data.count(split);
    summary.classes = data.classes();
    summary.labelNames = data.labelNames();
    summary.columns = data.columns();
    summary.label = data.preparation().value(QLatin1String("label")).toString();
    for (const DataPart &part : data.parts())
        summary.inputs[part.name] = part.slot.shape;
    summary.leftOut = data.countBroken(BrokenFile::Fate::LeftOut);
    summary.doubtful = data.countBroken(BrokenFile::Fate::Doubtful);
    summary.bytes = data.fileBytes();
    return summary;
}

QJsonObject DataSummary::toJson() const {
    QJsonObject shapes;
    for (const auto &[name, shape] : inputs) {
        QJsonArray dimensions;
        for (const qint64 dimension : shape)
            dimensions << dimension;
        shapes[name] = dimensions;
    }
    return {{QStringLiteral("kind"), kind},
            {QStringLiteral("train"), count(Split::Train)},
            {QStringLiteral("validation"), count(Split::Validation)},
            {QStringLiteral("test"), count(Split::Test)},
            {QStringLiteral("classes"), classes},
            {QStringLiteral("names"), QJsonArray::fromStringList(labelNames)},
            {QStringLiteral("columns"), QJsonArray::fromStringList(columns)},
            {QStringLiteral("label"), label},
            {QStringLiteral("inputs"), shapes},
            {QStringLiteral("left_out"), leftOut},
            {QStringLiteral("doubtful"), doubtful},
            {QStringLiteral("bytes"), bytes}};
}

DataSummary DataSummary::read(JsonReader &reader) {
    DataSummary summary;
    summary.kind = reader.string("kind");
    summary.counts = {reader.integer("train", 0, mostOfSummary), reader.integer("validation", 0, mostOfSummary),
                      reader.integer("test", 0, mostOfSummary)};
    summary.classes = static_cast<int>(reader.integer("classes", 0, INT_MAX));
    for (const QJsonValue name : reader.array("names"))
        summary.labelNames << name.toString();
    for (const QJsonValue column : reader.array("columns"))
        summary.columns << column.toString();
    summary.label = reader.string("label");
    const QJsonObject inputs = reader.object("inputs");
    for (auto input = inputs.begin(); input != inputs.end(); ++input) {
        std::vector<qint64> &shape = summary.inputs[input.key()];
        for (const QJsonValue dimension : input->toArray())
            shape.push_back(dimension.toInteger());
    }
    summary.leftOut = reader.integer("left_out", 0, mostOfSummary);
    summary.doubtful = reader.integer("doubtful", 0, mostOfSummary, 0);
    summary.bytes = reader.integer("bytes", 0, mostOfSummary);
    return summary;
}

}  // namespace hearth
