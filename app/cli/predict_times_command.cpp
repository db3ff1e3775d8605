// `hearth predict-times MODEL`: what the devices of this home take for a network, also those that never measured it.
#include <QJsonArray>
#include <QMap>

#include "app/cli/agent_session.h"
#include "app/cli/command.h"
#include "app/cli/run_folder.h"
#include "app/cli/table.h"
#include "core/home/announcement.h"
#include "core/model/catalogue.h"
#include "core/model/import/open_model.h"
#include "core/model/training_spec.h"
#include "core/predict/home_prediction.h"
#include "core/profile/profile_limits.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

QJsonObject toJson(const DevicePrediction &device, const QString &name, const Model &model) {
    const TimeTable &times = device.times;
    QJsonArray layers;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        layers.append(QJsonObject{{QStringLiteral("name"), model.layers[l].name},
                                  {QStringLiteral("forward_s"), times.forward[l].front()},
                                  {QStringLiteral("backward_s"), times.backward[l].front()},
                                  {QStringLiteral("relative_error"), device.times.error[l].front()}});
    }
    QJsonObject object{{QStringLiteral("device"), device.device},
                       {QStringLiteral("name"), name},
                       {QStringLiteral("compute_device"), device.computeDevice},
                       {QStringLiteral("threads"), device.threads},
                       {QStringLiteral("measured"), device.source == DevicePrediction::Source::Measured},
                       {QStringLiteral("seconds"), device.times.seconds(0)},
                       {QStringLiteral("relative_error"), device.times.relativeError(0)},
                       {QStringLiteral("layers"), layers}};
    if (!device.references.isEmpty())
        object[QStringLiteral("references")] = QJsonArray::fromStringList(device.references);
    return object;
}

QString howText(const DevicePrediction &device, const QMap<QString, QString> &names) {
    switch (device.source) {
        case DevicePrediction::Source::Measured:
            return QStringLiteral("measured");
        case DevicePrediction::Source::Brief:
            return QStringLiteral("measured in brief");
        case DevicePrediction::Source::Reference: {
            QStringList others;
            for (const QString &id : device.references)
                others << names[id];
            return QStringLiteral("predicted from %1").arg(others.join(QStringLiteral(", ")));
        }
        case DevicePrediction::Source::OtherNetworks:
            break;
    }
    return QStringLiteral("predicted from other networks");
}

int runPredictTimes(const QStringList &arguments) {
    CommandArguments line(QStringLiteral("predict-times"));
    line.positional(
        QStringLiteral("MODEL"),
        QStringLiteral("a built-in model (%1), a hearth-model/1 file, an ONNX file, or a Hugging Face folder")
            .arg(builtinModels().join(QStringLiteral(", "))));
    line.value(QStringLiteral("batch"), QStringLiteral("N"), QStringLiteral("for so many samples at once (16)"));
    line.value(QStringLiteral("precision"), QStringLiteral("P"), precisionNames().join(QStringLiteral(", ")));
    declareAgentOptions(line);
    if (const auto status = line.parse(arguments))
        return *status;
    const auto batch = line.integer(QStringLiteral("batch"), 1, ProfileLimits::batch, 16);
    if (!batch)
        return line.wrongUsage(batch.error());
    const QString precision = line.get(QStringLiteral("precision"), QStringLiteral("float32"));
    if (!precisionFromName(precision)) {
        return line.wrongUsage({QStringLiteral("usage.wrong"),
                                sentence("--precision takes %1.").arg(precisionNames().join(QStringLiteral(", "))),
                                sentence("\"%1\" is none of them.").arg(precision.left(60)),
                                {}});
    }
    const auto opened = openModel(line.word(0));
    if (!opened)
        return printError(opened.error());
    const Model &model = opened->model;
    if (const auto open = mustBeOpenTo(stateDirOf(line), QStringLiteral("profiles")); !open)
        return printError(open.error());
    const ProfileStore store(stateDirOf(line) + QStringLiteral("/profiles"));
    const std::vector<StoredProfile> profiles = store.profiles();
    const auto devices =
        predictHome(model, precision, {static_cast<int>(*batch)}, profiles,
                    homeKnowledge(stateDirOf(line) + QStringLiteral("/profiles"), precision, profiles, builtinModelOf));
    QMap<QString, QString> names;
    for (const DevicePrediction &each : devices) {
        const auto known = store.loadDevice(each.device);
        names[each.device] =
            known && !known->name.isEmpty() ? known->name : each.device.left(Announcement::prefixDigits);
    }
    if (line.isSet(QStringLiteral("json"))) {
        QJsonArray rows;
        for (const DevicePrediction &each : devices)
            rows.append(toJson(each, names[each.device], model));
        printJson({{QStringLiteral("format"), QStringLiteral("hearth-predicted-times/1")},
                   {QStringLiteral("model"), model.name},
                   {QStringLiteral("sha256"), QString::fromLatin1(model.sha256())},
                   {QStringLiteral("precision"), precision},
                   {QStringLiteral("batch"), *batch},
                   {QStringLiteral("devices"), rows}});
        return Done;
    }
    if (devices.empty()) {
        return printError({QStringLiteral("predict.nothing"),
                           sentence("No device of this home has measured a network."),
                           {},
                           sentence("Measure one with \"hearth profile\" first.")});
    }
    QList<QStringList> rows{{QStringLiteral("device"), QStringLiteral("how"), QStringLiteral("threads"),
                             QStringLiteral("pass of %1").arg(*batch), QStringLiteral("±")}};
    for (const DevicePrediction &each : devices) {
        rows.append({names[each.device], howText(each, names), QString::number(each.threads),
                     formatSeconds(each.times.seconds(0)),
                     each.source == DevicePrediction::Source::Measured
                         ? QString()
                         : QStringLiteral("%1 %").arg(qRound(100 * each.times.relativeError(0)))});
    }
    printTable(rows, 2);
    return Done;
}

const CommandRegistration predictTimesRegistration(
    {QStringLiteral("predict-times"), QStringLiteral("MODEL [--batch N]"),
     QStringLiteral("what devices take for a network, measured or predicted"), runPredictTimes});

}  // namespace
}  // namespace hearth
