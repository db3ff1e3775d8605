#include "core/run/capacity_drift.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/base/median.h"
#include "core/plan/cost_model.h"

namespace hearth {
namespace {

constexpr double weight = 0.25;  // of the newest round
constexpr double surprise = 1.5;

constexpr std::size_t leastCalibration = 3, mostCalibration = 16;
constexpr double calibrationBand = 1.35;  // a ratio further from the others tells of drift, not of the profile
constexpr double widestCalibration = 2;   // from the middle of all devices
constexpr double beyond = 1.25, farBeyond = 3, near = 1.1;
constexpr int roundsBeyond = 3, roundsFarBeyond = 2, roundsNear = 3;
constexpr double mostFactor = 1000;
constexpr double sustained = 0.5;     // of a round
constexpr double shortestLook = 0.5;  // seconds
constexpr double triedRounds = 6;     // until a plan is judged, and another one follows
constexpr double mostTried = 0.05;    // of the rest before it

/// 1: larger than `limit`; -1: smaller than its inverse; 0: between.
int side(double ratio, double limit) {
    return ratio > limit ? 1 : ratio < 1 / limit ? -1 : 0;
}

double whole(const event::RoundDevice &round) {
    return round.computeS + round.waitForwardS + round.waitBackwardS + round.waitAllreduceS + round.sendS +
           round.allreduceS + round.optimizerS;
}

double bounded(double factor) {
    return std::clamp(factor, 1 / mostFactor, mostFactor);
}

/// Counts rounds in a row on one side: positive above, negative below.
int counted(int before, int side) {
    if (side == 0)
        return 0;
    return (before > 0) == (side > 0) ? before + side : side;
}

}  // namespace

void CapacityDrift::planned(const PlanningProblem &measured, const Plan &plan) {
    m_expected.clear();
    m_look.clear();
    m_warmingUp = true;
    const CostModel model(measured);
    for (const PlanStage *stage : plan.allStages()) {
        for (const Share &share : stage->shares) {
            const int device = model.indexOf(share.device);
            if (device < 0)
                continue;
            const LayerSeconds once = model.stageSeconds(device, stage->firstLayer, stage->lastLayer, share.samples);
            const double forwards = stage->recompute ? 2 : 1;
            m_expected[share.device] += plan.microBatches() * (forwards * once.forward + once.backward);
        }
    }
}

void CapacityDrift::take(const QMap<QString, event::RoundDevice> &round) {
    if (std::exchange(m_warmingUp, false))
        return;
    bool isFull = false;
    for (auto measured = round.constBegin(); measured != round.constEnd(); ++measured) {
        const double seconds = whole(*measured);
        if (!std::isfinite(measured->computeS) || measured->computeS <= 0 || !std::isfinite(seconds))
            continue;
        Look &look = m_look[measured.key()];
        look.compute += measured->computeS;
        look.whole += seconds;
        ++look.rounds;
        isFull |= look.whole >= shortestLook;
    }
    if (!isFull)
        return;
    const auto looks = std::exchange(m_look, {});
    for (auto look = looks.constBegin(); look != looks.constEnd(); ++look) {
        const double expected = look->rounds * m_expected.value(look.key());
        if (expected <= 0)
            continue;
        const double ratio = look->compute / expected;
        Device &device = m_devices[look.key()];
        // Who rests for most of a round computes the little it has faster than it could for long: by a raised clock, or
        // a quota that it does not use up.
        const bool isBurst = look->compute < sustained * look->whole;
        // Below 1 a calibration comes from rounds that it computed in for long.
        const double least = device.isCalibrated() ? std::min(device.ownCalibration(), 1.0) : 1.0;
        follow(device, isBurst ? std::max(ratio, least) : ratio);
    }
    // Calibrations depend on one another, so all are known before any is judged.
    for (auto look = looks.constBegin(); look != looks.constEnd(); ++look) {
        if (const auto device = m_devices.find(look.key()); device != m_devices.end())
            judge(*device);
    }
}

void CapacityDrift::follow(Device &device, double ratio) {
    const double previous = std::exchange(device.last, ratio);
    device.surprises = device.mean > 0 ? counted(device.surprises, side(ratio / device.mean, surprise)) : 0;
    if (std::abs(device.surprises) >= 2) {
        device.mean = (previous + ratio) / 2;
        device.surprises = 0;
    } else {
        device.mean = device.mean > 0 ? (1 - weight) * device.mean + weight * ratio : ratio;
    }
    if (!device.isCalibrated() ||
        (device.calibration.size() < mostCalibration && side(ratio / device.ownCalibration(), calibrationBand) == 0))
        device.calibration.push_back(ratio);
}

bool CapacityDrift::Device::isCalibrated() const {
    return calibration.size() >= leastCalibration;
}

double CapacityDrift::Device::ownCalibration() const {
    return lowerMedianOf(calibration);
}

const CapacityDrift::Device *CapacityDrift::calibratedDevice(const QString &device) const {
    const auto found = m_devices.constFind(device);
    return found != m_devices.constEnd() && found->isCalibrated() ? &found.value() : nullptr;
}

/// 0: there is none.
double CapacityDrift::middleCalibration() const {
    std::vector<double> all;
    for (const Device &device : m_devices) {
        if (device.isCalibrated())
            all.push_back(device.ownCalibration());
    }
    return all.empty() ? 0 : lowerMedianOf(std::move(all));
}

double CapacityDrift::calibrationOf(const Device &device) const {
    const double middle = middleCalibration();
    return std::clamp(device.ownCalibration(), middle / widestCalibration, middle * widestCalibration);
}

void CapacityDrift::judge(Device &device) const {
    if (!device.isCalibrated())
        return;
    const double normal = calibrationOf(device) * device.acknowledged;
    const double mean = device.mean / normal, last = device.last / normal;
    // One odd round moves the mean, and a mean that trails is no news: both must say it. Two rounds far beyond have
    // moved it already.
    device.beyond = counted(device.beyond, side(mean, beyond) == side(last, beyond) ? side(mean, beyond) : 0);
    device.farBeyond = counted(device.farBeyond, side(last, farBeyond));
    device.within = side(mean, near) == 0 ? device.within + 1 : 0;
    if (std::abs(device.beyond) >= roundsBeyond || std::abs(device.farBeyond) >= roundsFarBeyond)
        device.drifted = true;
    else if (device.within >= roundsNear)
        device.drifted = false;
}

bool CapacityDrift::forgive(double roundSeconds) {
    bool isAny = false;
    for (auto device = m_devices.begin(); device != m_devices.end(); ++device) {
        device->rested = m_expected.contains(device.key()) ? 0 : device->rested + roundSeconds;
        if (device->rested < device->leastRest)
            continue;
        const double slower = factor(device.key());
        const double least = std::max(device->leastRest, slower * roundSeconds * triedRounds / mostTried);
        if (slower <= beyond || device->rested < least)
            continue;
        device->mean = device->last = calibrationOf(*device);
        device->surprises = 0;
        device->rested = 0;
        device->leastRest *= 2;
        isAny = true;
    }
    return isAny;
}

double CapacityDrift::factor(const QString &device) const {
    return calibrated(device, &Device::mean);
}

double CapacityDrift::newest(const QString &device) const {
    return calibrated(device, &Device::last);
}

double CapacityDrift::calibrated(const QString &device, double Device::*value) const {
    const Device *known = calibratedDevice(device);
    return known ? bounded(known->*value / calibrationOf(*known)) : 1;
}

double CapacityDrift::ratio(const QString &device) const {
    const Device *known = calibratedDevice(device);
    const double ratio = known ? known->mean : middleCalibration();
    return ratio > 0 ? bounded(ratio) : 1;
}

double CapacityDrift::calibration(const QString &device) const {
    const Device *known = calibratedDevice(device);
    return known ? calibrationOf(*known) : 1;
}

CapacityFactors CapacityDrift::factors() const {
    CapacityFactors all;
    for (auto device = m_devices.constBegin(); device != m_devices.constEnd(); ++device)
        all[device.key()] = factor(device.key());
    return all;
}

bool CapacityDrift::isCalibrated() const {
    return std::all_of(m_expected.keyBegin(), m_expected.keyEnd(),
                       [this](const QString &device) { return calibratedDevice(device) != nullptr; });
}

bool CapacityDrift::isUneven() const {
    double least = mostFactor, most = 0;
    for (auto device = m_expected.keyBegin(); device != m_expected.keyEnd(); ++device) {
        const double scale = correctionOf(*device);
        least = std::min(least, scale);
        most = std::max(most, scale);
    }
    return most > near * least;
}

double CapacityDrift::correctionOf(const QString &device) const {
    const double scale = ratio(device);
    return side(scale, near) == 0 ? 1 : scale;
}

QStringList CapacityDrift::driftedDevices() const {
    QStringList devices;
    for (auto device = m_devices.constBegin(); device != m_devices.constEnd(); ++device) {
        if (device->drifted)
            devices << device.key();
    }
    return devices;
}

void CapacityDrift::acknowledge(const CapacityFactors &factors) {
    for (auto known = factors.constBegin(); known != factors.constEnd(); ++known) {
        Device &device = m_devices[known.key()];
        if (*known > 0 && std::isfinite(*known))
            device.acknowledged = *known;
        device.beyond = device.farBeyond = device.within = 0;
        device.drifted = false;
    }
}

PlanningProblem CapacityDrift::corrected(PlanningProblem measured) const {
    for (std::size_t d = 0; d < measured.devices.size() && d < measured.times.size(); ++d)
        measured.times[d].scale(correctionOf(measured.devices[d].id));
    return measured;
}

}  // namespace hearth
