// Asks and waits.
#pragma once

#include <QSignalSpy>

#include "core/inference/run_inference.h"
#include "tests/core/base/patience.h"

namespace hearth {

inline std::vector<Answer> answersOf(RunInference &inference, std::shared_ptr<SampleSource> source) {
    std::vector<Answer> answers;
    QObject context;
    QObject::connect(&inference, &RunInference::answered, &context,
                     [&answers](const Answer &answer) { answers.push_back(answer); });
    QSignalSpy finished(&inference, &RunInference::finished);
    inference.ask(std::move(source));
    if (finished.isEmpty() && !finished.wait(patience))
        qFatal("it did not finish");
    return answers;
}

}  // namespace hearth
