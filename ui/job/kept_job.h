// A job that is being written, as it is kept from one start to the next.
#pragma once

#include <QJsonObject>

#include "core/run/job.h"

namespace hearth {

/// JSON: {"job":{…},"numbers":{"batch":96,"learning_rate":"nonsense"}}. Plain value, any thread.
struct KeptJob {
    Job choices;          // any of them can be, but they may contradict each other
    QJsonObject numbers;  // by JobNumber::key; a text where it is not as the language of the window writes numbers

    QJsonObject toJson() const;
    /// `source` is the file name that errors tell.
    static Result<KeptJob> fromJson(const QJsonObject &json, const QString &source);
};

}  // namespace hearth
