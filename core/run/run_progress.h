// How far a run had come, as its events tell it.
#pragma once

#include <QSet>
#include <QString>

#include "core/run/best_evaluation.h"

namespace hearth {

/// Plain value, any thread.
struct RunProgress {
    qint64 trainingSamples = 0, evaluationSamples = 0;  // when it began; 0: they were not counted
    qint64 rounds = 0;
    quint32 term = 0;
    qint64 evaluated = -1;  // the last round that was, of those that count
    QString state;          // as it was told last
    bool isPaused = false;
    QSet<QString> joined;  // since the run began or was resumed, and in no plan since
    BestEvaluation best;
    std::optional<BestEvaluation::Scores> kept;  // of the best weights on the disk

    /// Nothing has happened where there is no such file. `total`: rounds of the job's run.
    static RunProgress read(const QString &eventsFile, const Job &job, qint64 total);

  private:
    void take(const event::Run &run);
    void take(const event::Evaluation &evaluation);
    void take(const event::Plan &plan, const Job &job);
    /// Rounds behind this one are done again with other weights.
    void goBackTo(qint64 round);
    void take(const event::State &told);
};

}  // namespace hearth
