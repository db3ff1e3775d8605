// The jobs of a sweep: which values of a job are tried, all combinations of them or some drawn at random.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/history/job_values.h"
#include "core/run/job.h"

namespace hearth {

/// One value of a job that a sweep changes. Plain value, any thread.
struct SweepAxis {
    QString path;                     // in the job: "optimizer.learning_rate"
    std::vector<QJsonValue> choices;  // empty: a range
    double low = 0, high = 0;         // of a range, both included
    bool logarithmic = false;         // drawn evenly in the logarithm
    bool whole = false;               // whole numbers

    /// "batch=32,64", "optimizer.learning_rate=1e-4..1e-1:log", "freeze=[],[\"conv1\"]": values are JSON, or plain
    /// words. `job` is the job that is changed: its keys, and those that jobs have anyway, may be named by their last
    /// parts. Errors "sweep.bad-set" name the text.
    static Result<SweepAxis> fromText(const QString &text, const QJsonObject &job);
};

/// What is tried, at most mostTrials of them.
struct SweepSpace {
    static constexpr qint64 mostTrials = 1000;

    QJsonObject job;  // hearth-job/1 as a person wrote it
    std::vector<SweepAxis> axes;
    std::optional<int> random;  // how many combinations are drawn; absent: all of them, the last axis fastest
    quint64 seed = 1;

    /// The values of each trial by path, in the order in which they run; none twice. Each makes a job that can be read.
    /// Errors: "sweep.too-many" with the count, "sweep.bad-set" for ranges without a number of draws, and what is wrong
    /// with the first job that is no job.
    Result<std::vector<JobValues>> trials() const;
};

/// `job` with these values. Another kind of optimizer keeps the learning rate alone, epochs take the place of rounds.
Result<Job> jobWith(const QJsonObject &job, const JobValues &values);

/// "learning_rate=0.01 batch=64": as short as it is clear to people.
QString trialText(const JobValues &values);

}  // namespace hearth
