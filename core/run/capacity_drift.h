// How fast devices are now, against what they were measured at (FTPipeHD's C_i, followed round by round).
#pragma once

#include <QMap>
#include <QStringList>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/problem.h"
#include "core/run/run_event.h"

namespace hearth {

/// By which a device takes longer than it did in its first rounds: 1 as then, 10 ten times as long.
using CapacityFactors = QMap<QString, double>;

/// Compares the seconds that each device computes in a round with what its profile says for its layers and shares.
///
/// A profile may be wrong by a constant, so ratios count relative to what they were in the first rounds of the device
/// (its calibration), which outlives plans and terms: who is slow under a new plan is slow. Nobody's calibration lies
/// further than a factor of 2 from the middle of all: a device that is slower than that has drifted before its first
/// round. The factor is an exponentially weighted mean (a quarter for the newest round) that jumps when two rounds in a
/// row say the same. Who computes for less than half of a round is never taken to be faster than its profile, or than
/// in its first rounds where it was faster: a burst says nothing of what it could do for long, and plans that trust it
/// break their promise. Rounds without a measurement, and devices that the plan does not use, change nothing. Short
/// rounds count together as one of half a second: what a processor does for others in between is no news of its speed.
///
/// One thread at a time.
class CapacityDrift {
  public:
    /// From now on rounds follow this plan. `measured`: as profiled, never corrected() itself. The first round under it
    /// warms up and does not count. The plan is valid for the problem.
    void planned(const PlanningProblem &measured, const Plan &plan);
    void take(const QMap<QString, event::RoundDevice> &round);

    /// Its profile was measured anew. A device at rest keeps the last that was known of it until then, or until it is
    /// forgiven.
    void forget(const QString &device) { m_devices.remove(device); }
    /// A round took so long. True: a device that was slow when it lost its layers has rested for long enough, and is
    /// taken to be as fast as in its first rounds: nobody measures it, and it is worth a try. A try that fails takes
    /// some rounds that are as slow as the device was: a twentieth of its rest at most, and that is ten minutes at
    /// least, and twice as long each time.
    bool forgive(double roundSeconds);

    /// Against its calibration; 1 for devices that nothing is known of.
    double factor(const QString &device) const;
    /// Likewise, by its newest rounds alone.
    double newest(const QString &device) const;
    /// Against its profile. A device that nothing is known of is taken to be as wrong as the middle of all
    /// calibrations; 1 before there are any.
    double ratio(const QString &device) const;
    /// The part of that which its profile is wrong by, as its first rounds say; 1 before these are known.
    double calibration(const QString &device) const;
    CapacityFactors factors() const;

    /// The first rounds of all devices of the plan have been compared with what was expected of them.
    bool isCalibrated() const;
    /// By what corrected() says, the profiles of the plan's devices are wrong by different factors: a plan that was
    /// made by them gives some devices more than their part.
    bool isUneven() const;

    /// Some device left what was acknowledged: beyond 1.25 or 0.8 of it for 3 rounds in a row, or beyond 3 or 1/3 for
    /// 2; until it has been back within 1.1 for 3.
    bool drifted() const { return !driftedDevices().isEmpty(); }
    QStringList driftedDevices() const;
    /// The plans from now on know these factors (whether a better one was found or not): they are the new normal.
    void acknowledge(const CapacityFactors &factors);

    /// The problem with the times of each device as they are now: scaled by its ratio, so that the plan in force is
    /// predicted to take what it does take. Ratios within a tenth of 1 are left out, since no measurement is that good.
    PlanningProblem corrected(PlanningProblem measured) const;

  private:
    struct Device {
        /// Its first rounds say what its profile is wrong by.
        bool isCalibrated() const;
        /// By these alone, whatever others say; there is one at least.
        double ownCalibration() const;

        std::vector<double> calibration;  // ratios of its first rounds
        double mean = 0;                  // of ratios; 0: none yet
        int surprises = 0;                // rounds in a row far above (> 0) or below the mean
        double last = 0;                  // the newest ratio
        double acknowledged = 1;
        int beyond = 0;     // rounds in a row above (> 0) or below what was acknowledged
        int farBeyond = 0;  // likewise
        int within = 0;     // rounds in a row near it
        bool drifted = false;
        double rested = 0, leastRest = 600;  // seconds of rounds without it, and before it is forgiven
    };
    struct Look {
        double compute = 0, whole = 0;  // seconds of all its rounds
        int rounds = 0;
    };
    /// Null where it is not calibrated.
    const Device *calibratedDevice(const QString &device) const;
    void follow(Device &device, double ratio);
    void judge(Device &device) const;
    double middleCalibration() const;
    double calibrationOf(const Device &device) const;
    /// The ratio, or 1 where it is as good as that.
    double correctionOf(const QString &device) const;
    double calibrated(const QString &device, double Device::*value) const;

    QMap<QString, double> m_expected;  // seconds of a round under the plan
    QMap<QString, Look> m_look;        // short rounds that do not fill one yet
    QMap<QString, Device> m_devices;
    bool m_warmingUp = false;
};

}  // namespace hearth
