#include "core/plan/named_devices.h"

#include <algorithm>

#include "core/base/json_reader.h"

namespace hearth {
namespace {

tl::unexpected<Error> misnamed(const Sentence &cause, const Sentence &advice) {
    return fail(QStringLiteral("plan.misfit"), sentence("The given plan does not fit this run."), cause, advice);
}

Result<QString> idNamed(const QString &word, const std::vector<NamedDevice> &devices) {
    QStringList names;
    QStringList found;
    for (const NamedDevice &device : devices) {
        names << device.name;
        if (device.id == word)
            found = {device.id};
        else if (device.name == word && !found.contains(word))
            found << device.id;
    }
    if (found.isEmpty())
        return misnamed(sentence("It names the device \"%1\", which takes no part.").arg(word.left(80)),
                        didYouMean(word, names));
    if (found.size() > 1)
        return misnamed(sentence("It names \"%1\", as %2 devices are called.").arg(word.left(80)).arg(found.size()),
                        sentence("Name the device by its id."));
    return found.first();
}

/// Calls `change` for the shares of each stage, which are sorted then.
template <class Change>
void changeStages(Plan &plan, Change change) {
    const auto changeAll = [&change](std::vector<PlanStage> &stages) {
        for (PlanStage &stage : stages) {
            for (Share &share : stage.shares)
                change(share.device);
            stage.sortShares();
        }
    };
    changeAll(plan.stages);
    for (Plan::Pipeline &pipeline : plan.pipelines)
        changeAll(pipeline.stages);
}

}  // namespace

Result<Plan> withIds(Plan plan, const std::vector<NamedDevice> &devices) {
    std::optional<Error> refusal;
    changeStages(plan, [&](QString &device) {
        const auto id = idNamed(device, devices);
        if (id)
            device = *id;
        else if (!refusal)
            refusal = id.error();
    });
    if (refusal)
        return tl::unexpected(*std::move(refusal));
    plan.prediction.reset();
    return plan;
}

Plan withNames(Plan plan, const std::vector<NamedDevice> &devices) {
    QMap<QString, QString> names;  // by id
    for (const NamedDevice &device : devices) {
        const auto isCalledSo = [&device](const NamedDevice &other) {
            return other.name == device.name || other.id == device.name;
        };
        if (!device.name.isEmpty() && std::ranges::count_if(devices, isCalledSo) == 1)
            names[device.id] = device.name;
    }
    const auto rename = [&names](QString &device) { device = names.value(device, device); };
    const auto renameKeys = [&rename](QMap<QString, qint64> &bytes) {
        QMap<QString, qint64> renamed;
        for (auto it = bytes.cbegin(); it != bytes.cend(); ++it) {
            QStringList ends = it.key().split(QLatin1Char('>'));  // of a pair "a>b", or one device
            for (QString &end : ends)
                rename(end);
            renamed[ends.join(QLatin1Char('>'))] = it.value();
        }
        bytes = renamed;
    };
    changeStages(plan, rename);
    if (plan.prediction) {
        renameKeys(plan.prediction->memoryBytes);
        renameKeys(plan.prediction->roundBytes);
        for (Violation &violation : plan.prediction->violations)
            rename(violation.device);
        rename(plan.prediction->limit.device);
    }
    return plan;
}

}  // namespace hearth
