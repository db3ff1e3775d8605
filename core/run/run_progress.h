// How far a run had come, as its events tell it.
#pragma once

#include <QString>

#include "core/run/best_evaluation.h"

namespace hearth {

/// Plain value, any thread.
struct RunProgress {
    qint64 trainingSamples = 0, evaluationSamples = 0;  // when it began; 0: they were not counted
    qint64 rounds = 0;
    quint32 term = 0;
    qint64 evaluated = -1;  // the last round that was
    qint64 keptRound = -1;  // of the best weights on the disk
    QString state;          // as it was told last
    bool isPaused = false;
    BestEvaluation best;

    /// Nothing has happened where there is no such file. `best`: of the run, without any evaluation.
    static RunProgress read(const QString &eventsFile, BestEvaluation best);

  private:
    void take(const event::Run &run);
    void take(const event::Evaluation &evaluation);
    void take(const event::State &told);
};

}  // namespace hearth
