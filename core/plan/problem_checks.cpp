#include "core/plan/problem_checks.h"

#include <QSet>

#include "core/base/json_reader.h"
#include "core/profile/complete_times.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

Result<void> checkNumbers(const PlanningProblem &problem, const QString &source) {
    if (problem.batch < 1 || problem.batch > ProfileLimits::batch)
        return invalidProblem(source, QStringLiteral("/batch"), sentence("It is %1.").arg(problem.batch));
    if (problem.microBatch && (*problem.microBatch < 1 || problem.batch % *problem.microBatch != 0)) {
        return invalidProblem(
            source, QStringLiteral("/micro_batch"),
            sentence("%1 does not divide the batch of %2.").arg(*problem.microBatch).arg(problem.batch),
            sentence("Give a divisor, or null to let the planner choose."));
    }
    if (!(problem.optimizerStateFactor >= 0 && problem.optimizerStateFactor <= 100))
        return invalidProblem(source, QStringLiteral("/optimizer_state_factor"), sentence("It must lie in 0 to 100."));
    for (const auto &[key, kept] :
         {std::pair("/kept_states", problem.keptStates), {"/kept_copies", problem.keptCopies}}) {
        if (kept < 0 || kept > mostKeptStates)
            return invalidProblem(source, QLatin1String(key), sentence("It must lie in 0 to %1.").arg(mostKeptStates));
    }
    if (problem.localSteps.any() && problem.asynchronous) {
        return invalidProblem(source, QStringLiteral("/local_steps"), sentence("It does not go with \"asynchronous\"."),
                              sentence("Leave one of the two out."));
    }
    if (auto ok = problem.localSteps.check(problem.batch, problem.microBatch, source); !ok)
        return ok;
    if (problem.layers.empty() || problem.layers.size() > static_cast<std::size_t>(ProfileLimits::layers))
        return invalidProblem(source, QStringLiteral("/layers"), sentence("There are none, or too many."));
    if (problem.devices.empty() || problem.devices.size() > static_cast<std::size_t>(ProfileLimits::devices))
        return invalidProblem(source, QStringLiteral("/devices"), sentence("There are none, or too many."));
    return {};
}

/// Tied tensors are parts of the layer's parameters, and of those of an earlier one.
Result<void> checkTied(const PlanningProblem &problem, const QString &source) {
    for (std::size_t l = 0; l < problem.layers.size(); ++l) {
        const LayerFacts &layer = problem.layers[l];
        qint64 all = 0, trainable = 0;
        for (std::size_t i = 0; i < layer.tied.size(); ++i) {
            const TiedBytes &tied = layer.tied[i];
            const QString where = jsonPointer(jsonPointer(QStringLiteral("/layers"), l) + QStringLiteral("/tied"), i);
            if (tied.layer < 0 || static_cast<std::size_t>(tied.layer) >= l || tied.bytes < 0)
                return invalidProblem(source, where, sentence("It is not tied to an earlier layer."));
            all += tied.bytes;
            trainable += tied.isTrainable ? tied.bytes : 0;
            const LayerFacts &first = problem.layers[static_cast<std::size_t>(tied.layer)];
            if (all > layer.parameterBytes || trainable > layer.trainableBytes || tied.bytes > first.parameterBytes)
                return invalidProblem(source, where, sentence("It has more bytes than the layers that share it."));
        }
    }
    return {};
}

Result<void> checkIds(const PlanningProblem &problem, const QString &source) {
    QSet<QString> seen;
    for (std::size_t i = 0; i < problem.devices.size(); ++i) {
        const auto &device = problem.devices[i];
        const QString place = jsonPointer(QStringLiteral("/devices"), i);
        if (device.id.isEmpty() || device.id.size() > ProfileLimits::idLength)
            return invalidProblem(source, place + QStringLiteral("/id"), sentence("It is empty or too long."));
        if (seen.contains(device.id))
            return invalidProblem(source, place + QStringLiteral("/id"),
                                  sentence("%1 is listed twice.").arg(device.id));
        if (device.memoryBytes < 0 || device.runtimeBytes < 0)
            return invalidProblem(source, place, sentence("Bytes must not be negative."));
        seen.insert(device.id);
    }
    if (!problem.dataDevice.isEmpty() && !seen.contains(problem.dataDevice)) {
        return invalidProblem(source, QStringLiteral("/data_device"),
                              sentence("There is no device \"%1\".").arg(problem.dataDevice),
                              didYouMean(problem.dataDevice, problem.deviceIds()));
    }
    return {};
}

Result<void> checkTimes(const PlanningProblem &problem, const QString &source) {
    if (problem.times.size() != problem.devices.size())
        return invalidProblem(source, QStringLiteral("/times"), sentence("Every device needs its times."));
    for (std::size_t i = 0; i < problem.times.size(); ++i) {
        const QString where = jsonPointer(QStringLiteral("/times"), problem.devices[i].id);
        if (auto ok = problem.times[i].validate(static_cast<qsizetype>(problem.layers.size()), source, where); !ok)
            return ok;
        if (!problem.times[i].isComplete())
            return invalidProblem(source, where, sentence("A layer was not measured."));
    }
    return {};
}

Result<void> checkLinks(const PlanningProblem &problem, const QString &source) {
    const QStringList ids = problem.deviceIds();
    const QSet<QString> known(ids.begin(), ids.end());
    const auto unknown = [&](const QString &where, const QString &id) {
        return invalidProblem(source, where, sentence("There is no device \"%1\".").arg(id), didYouMean(id, ids));
    };
    QSet<QString> media, nics;
    for (std::size_t i = 0; i < problem.links.media.size(); ++i) {
        const auto &medium = problem.links.media[i];
        if (medium.id.isEmpty() || media.contains(medium.id))
            return invalidProblem(source, jsonPointer(QStringLiteral("/links/media"), i) + QStringLiteral("/id"),
                                  sentence("It is empty or listed twice."));
        media.insert(medium.id);
    }
    for (std::size_t i = 0; i < problem.links.nics.size(); ++i) {
        const auto &nic = problem.links.nics[i];
        const QString where = jsonPointer(QStringLiteral("/links/nics"), i);
        if (!known.contains(nic.id))
            return unknown(where + QStringLiteral("/id"), nic.id);
        if (nics.contains(nic.id))
            return invalidProblem(source, where + QStringLiteral("/id"), sentence("%1 is listed twice.").arg(nic.id));
        if (!nic.medium.isEmpty() && !media.contains(nic.medium)) {
            return invalidProblem(source, where + QStringLiteral("/medium"),
                                  sentence("There is no medium \"%1\".").arg(nic.medium),
                                  didYouMean(nic.medium, media.values()));
        }
        nics.insert(nic.id);
    }
    QSet<std::pair<QString, QString>> pairs;
    for (std::size_t i = 0; i < problem.links.pairs.size(); ++i) {
        const auto &pair = problem.links.pairs[i];
        const QString where = jsonPointer(QStringLiteral("/links/pairs"), i);
        for (const QString &id : {pair.from, pair.to}) {
            if (!known.contains(id))
                return unknown(where, id);
        }
        if (pair.from == pair.to || pairs.contains({pair.from, pair.to})) {
            return invalidProblem(source, where,
                                  sentence("The pair %1>%2 is listed twice or is one device.").arg(pair.from, pair.to));
        }
        pairs.insert({pair.from, pair.to});
    }
    return {};
}

}  // namespace

tl::unexpected<Error> invalidProblem(const QString &source, const QString &where, const Sentence &cause,
                                     const Sentence &advice) {
    return fail(QStringLiteral("problem.invalid"), sentence("%1: \"%2\" is not valid.").arg(source, where), cause,
                advice);
}

Result<void> checkOutline(const PlanningProblem &problem, const QString &source) {
    if (auto ok = checkNumbers(problem, source); !ok)
        return ok;
    return checkIds(problem, source);
}

Result<void> fillTimes(PlanningProblem &problem, const QString &source) {
    for (std::size_t i = 0; i < problem.times.size(); ++i) {
        const QString where = jsonPointer(QStringLiteral("/times"), problem.devices[i].id);
        if (auto ok = problem.times[i].validate(static_cast<qsizetype>(problem.layers.size()), source, where); !ok)
            return ok;
    }
    if (const auto unknown = unknownTimes(problem.times)) {
        const QString where = jsonPointer(QStringLiteral("/times"), problem.devices[unknown->device].id);
        return invalidProblem(source, jsonPointer(where + QStringLiteral("/forward_s"), unknown->layer),
                              sentence("No device that could stand for this one measured the layer."),
                              sentence("Profile the device again."));
    }
    problem.times = completeTimes(std::move(problem.times));
    return {};
}

Result<void> PlanningProblem::validate(const QString &source) const {
    if (auto ok = checkOutline(*this, source); !ok)
        return ok;
    if (auto ok = checkTied(*this, source); !ok)
        return ok;
    if (auto ok = checkTimes(*this, source); !ok)
        return ok;
    return checkLinks(*this, source);
}

}  // namespace hearth
