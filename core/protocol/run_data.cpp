#include "core/protocol/run_data.h"

#include <QFileInfo>
#include <QJsonArray>

#include "core/base/json_reader.h"
#include "core/model/model.h"

namespace hearth {
namespace {

constexpr auto runDataFormat = "hearth-run-samples/1";
constexpr qsizetype mostClasses = 1'000'000, mostDimensions = 8;

Slot readSlot(const QJsonValue &value, JsonReader &whole, qsizetype index) {
    JsonReader reader(value, whole.source(), jsonPointer(QStringLiteral("/samples"), index));
    Slot slot;
    const QString name = reader.string("dtype");
    if (const auto type = dtypeFromSafetensors(name))
        slot.dtype = *type;
    else
        reader.reject(QStringLiteral("dtype"), sentence("\"%1\" is no type of numbers.").arg(name.left(40)));
    const QJsonArray shape = reader.array("shape");
    for (const QJsonValue each : shape) {
        const double dimension = each.toDouble(0);
        if (!(dimension >= 1 && dimension <= double{1 << 30}) || shape.size() > mostDimensions) {
            reader.reject(QStringLiteral("shape"), sentence("It is no shape of a sample."));
            break;
        }
        slot.shape.push_back(static_cast<qint64>(dimension));
    }
    if (auto done = reader.finish(); !done)
        whole.rejectAt(jsonPointer(QStringLiteral("/samples"), index), done.error().cause);
    return slot;
}

}  // namespace

Result<RunData> RunData::load(const QString &runFolder) {
    const QString path = runFolder + QLatin1Char('/') + fileName();
    if (!QFileInfo::exists(path)) {
        return fail(QStringLiteral("run.no-data"), sentence("The run does not say how its network takes data."),
                    sentence("%1 is missing: an older version of Hearth trained it.").arg(path),
                    sentence("Train it again to try it; \"hearth export\" writes it for other programs."));
    }
    return readJsonFile(path).and_then([&](const QJsonObject &object) { return fromJson(object, path); });
}

Result<RunData> RunData::fromJson(const QJsonObject &object, const QString &source) {
    JsonReader reader(object, source);
    RunData data;
    reader.choice("format", {QLatin1String(runDataFormat)});
    data.precision = precisionFromName(reader.choice("precision", precisionNames())).value_or(Precision::Float32);
    data.loss = reader.string("loss");
    const QJsonObject input = reader.object("input");
    const QJsonArray samples = reader.array("samples"), classes = reader.array("classes");
    if (samples.isEmpty() || samples.size() > ModelLimits::inputs)
        reader.reject(QStringLiteral("samples"), sentence("They are not the inputs of a network."));
    if (classes.size() > mostClasses)
        reader.reject(QStringLiteral("classes"), sentence("There are more than %1.").arg(mostClasses));
    for (qsizetype i = 0; i < samples.size() && reader.ok(); ++i)
        data.samples.push_back(readSlot(samples[i], reader, i));
    for (qsizetype i = 0; i < classes.size() && reader.ok(); ++i)
        data.classes << classes[i].toString();
    if (auto done = reader.finish(); !done)
        return tl::unexpected(done.error());
    return InputTransform::fromJson(input, source, QStringLiteral("/input")).map([&](InputTransform transform) {
        data.input = std::move(transform);
        return data;
    });
}

QJsonObject RunData::toJson() const {
    QJsonArray slots;
    for (const Slot &slot : samples) {
        slots.append(QJsonObject{{QStringLiteral("dtype"), safetensorsName(slot.dtype)},
                                 {QStringLiteral("shape"), shapeJson(slot.shape)}});
    }
    return {{QStringLiteral("format"), QLatin1String(runDataFormat)},
            {QStringLiteral("precision"), precisionName(precision)},
            {QStringLiteral("loss"), loss},
            {QStringLiteral("input"), input.toJson()},
            {QStringLiteral("samples"), slots},
            {QStringLiteral("classes"), QJsonArray::fromStringList(classes)}};
}

std::vector<DType> RunData::sampleTypes() const {
    std::vector<DType> types;
    for (const Slot &slot : samples)
        types.push_back(slot.dtype);
    return types;
}

}  // namespace hearth
