// What a whole job takes under a plan, told before it is started: time, traffic, energy and memory.
#pragma once

#include <QJsonObject>
#include <QMap>
#include <array>
#include <vector>

#include "core/base/estimated.h"
#include "core/base/sentence.h"
#include "core/home/device_info.h"
#include "core/plan/plan.h"
#include "core/run/job.h"

namespace hearth {

/// Of the data of a job; 0: nobody has counted them. Plain value, any thread.
struct CountedSamples {
    qint64 training = 0;
    qint64 evaluation = 0;  // that one evaluation judges
};

/// How long a job is. Plain value, any thread.
struct JobLength {
    qint64 rounds = 0;             // 0: nobody knows, for it counts passes over data that nobody has counted
    bool isMost = false;           // it may end early ("patience")
    qint64 evaluations = 0;        // on its way and at its end
    qint64 evaluationSamples = 0;  // of each; 0: not counted

    static JobLength of(const Job &job, const CountedSamples &samples);
    bool isKnown() const { return rounds > 0; }
};

/// How far off a round may well be, as a part of what was predicted: with the error that its times are known to have
/// (Prediction::relativeError; 0: all were measured), and with what no measurement of layers foresees.
double roundError(double relativeError);

/// What is known of the devices that a plan uses. Plain value, any thread; bytes and watts.
struct JobDevices {
    std::vector<DeviceInfo> known;
    QMap<QString, qint64> memoryBytes = {};  // that training may use, by device; of others nobody knows it
    QMap<QString, double> cardWatts = {};    // that graphics cards took in rounds of this run

    /// As the problem of the run has it: what `known` says is for workers of the device's owner, and those of others
    /// may get less.
    void setMemory(const PlanningProblem &problem);
};

/// Plain value, any thread. Not in it: measuring before the first round, copies for recovery, and losses.
struct WholeJob {
    struct Memory {
        QString device;
        qint64 bytes = 0;
        qint64 limitBytes = 0;  // 0: not known
    };

    JobLength length;
    Estimated seconds, sentBytes, joules;  // all 0 where the length is not known
    bool areCardsMeasured = false;         // a part of `joules` rests on what graphics cards took
    Memory fullest;                        // the device that comes closest to its limit

    /// Of a plan without its prediction the length alone. Any thread.
    static WholeJob of(const JobLength &length, const Plan &plan, const JobDevices &devices);
    /// "whole_job" of `hearth plan --job JOB --json`.
    QJsonObject toJson() const;
};

/// "rounds: 500; evaluations: 6"
Sentence lengthText(const JobLength &length);

/// What window and terminal say of a job.
struct WholeJobLine {
    const char *name;  // "time", "sent", "energy", "memory"
    Sentence caption;
    Sentence text;  // empty: not known
};
std::array<WholeJobLine, 4> linesOf(const WholeJob &job, const QString &nameOfFullest);

}  // namespace hearth
