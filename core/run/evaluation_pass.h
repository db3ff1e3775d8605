// One forward-only pass of the test set through the pipeline.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <vector>

#include "core/protocol/evaluation_details.h"
#include "core/run/data_feed.h"
#include "core/run/deadlines.h"
#include "core/run/quiet_step.h"

namespace hearth {

/// Between rounds only: version `version` is complete everywhere and the next round is held back. One use.
class EvaluationPass : public QuietStep {
    Q_OBJECT
  public:
    EvaluationPass(const std::shared_ptr<const Dataset> &data, const BatchOrder &order, FeedLayout layout,
                   quint64 version, const RunDeadlines &deadlines, QObject *parent = nullptr);
    void start(const std::vector<WorkerSession *> &workers);

    qint64 samples() const { return m_samples; }
    /// Once finished: of all samples, and what the loss counts in them.
    const EvaluationTally &tally() const { return m_tally; }
    qint64 counted() const { return m_counted; }
    /// But for its split.
    const EvaluationDetails &details() const { return m_details; }

  Q_SIGNALS:
    /// Samples that are judged.
    void progressed(qint64 done);
    void finished();
    /// BatchSource's.
    void waiting(const hearth::Error &error);
    void found();

  private:
    void tooQuiet() override;
    /// Micro-batches under way: enough that no stage waits, few enough that no stage drowns.
    static constexpr std::size_t ahead = 16;
    /// What no worker has reported yet of a micro-batch that was sent: its first sample and the end of it, ...
    struct Awaited {
        qint64 first = 0, end = 0;
        qint64 samples = 0, counted = 0;  // ... and how many are open
    };
    void schedule();
    void step();
    /// Something has moved.
    void noteProgress();
    void take(const WorkerSession &worker, const EvaluationPart &part);
    /// Whether a worker could say this of an awaited micro-batch.
    static bool isSound(const EvaluationPart &part, const Awaited &awaited);

    std::shared_ptr<const Dataset> m_data;
    int m_microBatch;
    FeedLayout m_layout;
    quint64 m_version;
    RunDeadlines m_deadlines;
    const qint64 m_samples;
    std::size_t m_open = 0;  // workers that have not answered yet
    std::map<qint64, Awaited> m_awaited;
    qint64 m_done = 0;  // samples that were reported
    qint64 m_counted = 0;
    EvaluationTally m_tally;
    EvaluationDetails m_details;
    bool m_scheduled = false;
    bool m_isWaiting = false;  // for the data
    BatchSource m_source;
};

}  // namespace hearth
