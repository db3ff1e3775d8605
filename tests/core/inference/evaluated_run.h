// What an evaluation leaves in a run's folder: four pictures of two classes, of which two are mistaken.
#pragma once

#include "core/protocol/evaluation_details.h"
#include "tests/core/inference/trained_run.h"

namespace hearth {

/// Makes these the data of a run's job: a name or a path.
inline void setData(const TrainedRun &run, const QString &data) {
    run.write(QStringLiteral("job.json"), {{QStringLiteral("format"), QStringLiteral("hearth-job/1")},
                                           {QStringLiteral("model"), QStringLiteral("m.json")},
                                           {QStringLiteral("fit"), QStringLiteral("stretch")},
                                           {QStringLiteral("data"), data}});
}

/// TrainedRun's classes are cat, dog and fish; there is no fish among the samples.
inline EvaluationDetails mistakenCats(const QString &split = QStringLiteral("test")) {
    EvaluationDetails first, details;
    first.round = 20;
    details.round = 40;
    first.samples = details.samples = 4;
    details.split = split;
    details.classes = {{0, {1, 2, 2}}, {1, {1, 2, 2}}};
    first.add({2, 0.9, 1, 0, 0.7, true});
    details.add({0, 0.1, 0, 0, 0.95});
    details.add({1, 2.5, 0, 1, 0.92, true});
    details.add({2, 0.5, 1, 1, 0.6});
    details.add({3, 3.5, 1, 0, 0.97, true});
    details.follow(first.watched);
    return details;
}

}  // namespace hearth
