#include "core/run/whole_job.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/number_text.h"
#include "core/home/typical_power.h"
#include "core/plan/problem.h"

namespace hearth {
namespace {

// Rounds whose times were all measured lasted up to a fifth longer than predicted where devices share no processors
// (two fifths where they do), and a machine that others use changes its speed by a fifth from one minute to the next
// (the manual: Measured, Rounds).
constexpr double measuredRoundError = 0.2;

// What an evaluation takes for a sample, as a part of what training takes. Backward computes about twice what forward
// does: a third is left, and a quarter where stages compute activations again. All of it where neither computing nor
// gradients make up the round.
constexpr Estimated evaluationTime{0.25, 1.0 / 3, 1};
// Activations cross cuts and gradients do not: half. Nothing where only gradients are summed, all where inputs are
// most.
constexpr Estimated evaluationTraffic{0, 0.5, 1};

constexpr double mostCountedBytes = 9e18;

QStringList devicesOf(const Plan &plan) {
    QStringList devices;
    for (const PlanStage *stage : plan.allStages()) {
        for (const Share &share : stage->shares)
            devices << share.device;
    }
    devices.removeDuplicates();
    return devices;
}

/// Nothing known of it where nobody has told of the device.
DeviceInfo deviceIn(const JobDevices &devices, const QString &id) {
    const auto found = std::ranges::find(devices.known, id, &DeviceInfo::id);
    return found == devices.known.end() ? DeviceInfo() : *found;
}

struct JobPower {
    Estimated watts = {};
    bool areCardsMeasured = false;
};

JobPower powerOf(const QStringList &ids, const JobDevices &devices) {
    JobPower all;
    bool isHereCounted = false;
    for (const QString &id : ids) {
        const DeviceInfo device = deviceIn(devices, id);
        // The agents of a demo home are one machine.
        if (device.agentPid > 0 && std::exchange(isHereCounted, true))
            continue;
        const bool isMeasured = devices.cardWatts.contains(id) && addsCardPower(device);
        all.watts =
            all.watts + typicalWatts(device, isMeasured ? std::optional(devices.cardWatts.value(id)) : std::nullopt);
        all.areCardsMeasured = all.areCardsMeasured || isMeasured;
    }
    return all;
}

Estimated roundSecondsOf(const Prediction &judged) {
    const double simulated = judged.roundSeconds, played = judged.playedRoundSeconds.value_or(simulated);
    const double factor = 1 + roundError(judged.relativeError.value_or(0));
    return {std::min(simulated, played) / factor, simulated, std::max(simulated, played) * factor};
}

WholeJob::Memory fullestOf(const Prediction &judged, const JobDevices &devices) {
    WholeJob::Memory fullest;
    double part = -1;
    for (auto each = judged.memoryBytes.cbegin(); each != judged.memoryBytes.cend(); ++each) {
        const qint64 limit = devices.memoryBytes.value(each.key());
        const double own = limit > 0 ? static_cast<double>(each.value()) / static_cast<double>(limit) : 0;
        if (own > part || (own == part && each.value() > fullest.bytes)) {
            part = own;
            fullest = {each.key(), each.value(), limit};
        }
    }
    return fullest;
}

QJsonObject boundsToJson(const Estimated &number) {
    return {{QStringLiteral("least"), number.least},
            {QStringLiteral("likely"), number.likely},
            {QStringLiteral("most"), number.most}};
}

/// Bounds that read alike are none.
template <class Write>
Sentence aboutText(const Estimated &number, Write write) {
    const Sentence least = write(number.least), likely = write(number.likely), most = write(number.most);
    if (least == most)
        return sentence("about %1").arg(likely);
    return sentence("about %1, between %2 and %3").arg(likely, least, most);
}

Sentence timeLine(const WholeJob &job) {
    const Sentence time =
        aboutText(job.seconds, [](double seconds) { return Sentence::quantity(aboutSecondsText(seconds)); });
    if (job.length.evaluations == 0 || job.length.evaluationSamples > 0)
        return time;
    return sentence("%1, without evaluations").arg(time);
}

Sentence sentLine(const WholeJob &job) {
    if (job.sentBytes.most <= 0)
        return sentence("nothing");
    return aboutText(job.sentBytes,
                     [](double bytes) { return memoryText(static_cast<qint64>(std::min(bytes, mostCountedBytes))); });
}

Sentence energyLine(const WholeJob &job) {
    const Sentence energy = aboutText(job.joules, [](double joules) { return Sentence::quantity(energyText(joules)); });
    return job.areCardsMeasured
               ? sentence("%1: by what graphics cards took and the usual power of the rest").arg(energy)
               : sentence("%1: by the usual power of such devices, not measured").arg(energy);
}

Sentence memoryLine(const WholeJob::Memory &fullest, const QString &name) {
    if (fullest.device.isEmpty())
        return {};
    if (fullest.limitBytes <= 0)
        return sentence("%1 takes most: %2").arg(name, memoryText(fullest.bytes));
    return sentence("%1 is the fullest: %2 of %3").arg(name, memoryText(fullest.bytes), memoryText(fullest.limitBytes));
}

}  // namespace

void JobDevices::setMemory(const PlanningProblem &problem) {
    memoryBytes.clear();
    for (const PlanningProblem::Device &device : problem.devices)
        memoryBytes[device.id] = device.memoryBytes;
}

JobLength JobLength::of(const Job &job, const CountedSamples &samples) {
    JobLength length;
    length.isMost = job.patience > 0;
    if (job.epochs && samples.training <= 0)
        return length;
    length.rounds = job.totalRounds(samples.training);
    length.evaluationSamples = samples.evaluation;
    if (job.evaluateEvery > 0)
        length.evaluations = (length.rounds + job.evaluateEvery - 1) / job.evaluateEvery;
    return length;
}

double roundError(double relativeError) {
    // They come about apart from each other.
    return std::hypot(measuredRoundError, relativeError);
}

WholeJob WholeJob::of(const JobLength &length, const Plan &plan, const JobDevices &devices) {
    WholeJob job;
    job.length = length;
    if (!plan.prediction)
        return job;
    job.fullest = fullestOf(*plan.prediction, devices);
    if (!length.isKnown() || plan.batch <= 0)
        return job;
    const auto rounds = static_cast<double>(length.rounds);
    const double evaluated = static_cast<double>(length.evaluations) * static_cast<double>(length.evaluationSamples);
    const double asRounds = evaluated / plan.batch;
    job.seconds = roundSecondsOf(*plan.prediction) * (exactly(rounds) + evaluationTime * asRounds);
    job.sentBytes = (exactly(rounds) + evaluationTraffic * asRounds) * plan.prediction->sentBytes();
    const JobPower power = powerOf(devicesOf(plan), devices);
    job.joules = job.seconds * power.watts;
    job.areCardsMeasured = power.areCardsMeasured;
    return job;
}

QJsonObject WholeJob::toJson() const {
    QJsonObject object{{QStringLiteral("rounds"), length.isKnown() ? QJsonValue(length.rounds) : QJsonValue()},
                       {QStringLiteral("may_end_early"), length.isMost}};
    if (length.isKnown()) {
        object[QStringLiteral("evaluations")] = length.evaluations;
        object[QStringLiteral("time_s")] = boundsToJson(seconds);
        object[QStringLiteral("sent_bytes")] = boundsToJson(sentBytes);
        object[QStringLiteral("energy_j")] = boundsToJson(joules);
    }
    if (!fullest.device.isEmpty()) {
        QJsonObject memory{{QStringLiteral("device"), fullest.device}, {QStringLiteral("bytes"), fullest.bytes}};
        if (fullest.limitBytes > 0)
            memory[QStringLiteral("limit_bytes")] = fullest.limitBytes;
        object[QStringLiteral("memory")] = memory;
    }
    return object;
}

Sentence lengthText(const JobLength &length) {
    if (!length.isKnown())
        return sentence("how long is not known: it counts passes over data whose samples nobody has counted");
    const Sentence rounds = countText(length.rounds), evaluations = countText(length.evaluations);
    return length.isMost ? sentence("rounds: %1 at most; evaluations: %2 at most").arg(rounds, evaluations)
                         : sentence("rounds: %1; evaluations: %2").arg(rounds, evaluations);
}

std::array<WholeJobLine, 4> linesOf(const WholeJob &job, const QString &nameOfFullest) {
    const bool isKnown = job.length.isKnown();
    return {{{"time", sentence("Time"), isKnown ? timeLine(job) : Sentence()},
             {"sent", sentence("Sent"), isKnown ? sentLine(job) : Sentence()},
             {"energy", sentence("Energy"), isKnown ? energyLine(job) : Sentence()},
             {"memory", sentence("Memory"), memoryLine(job.fullest, nameOfFullest)}}};
}

}  // namespace hearth
