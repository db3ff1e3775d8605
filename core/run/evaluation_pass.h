// One forward-only pass of samples through the pipeline.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <vector>

#include "core/model/asked_outputs.h"
#include "core/protocol/evaluation_details.h"
#include "core/protocol/evaluation_order.h"
#include "core/run/data_feed.h"
#include "core/run/deadlines.h"
#include "core/run/quiet_step.h"

namespace hearth {

/// Between rounds only: version `version` is complete everywhere and the next round is held back. One use.
class EvaluationPass : public QuietStep {
    Q_OBJECT
  public:
    /// Tells what the answers are worth; or, where they are asked for, the answers: then no labels are sent. `classes`
    /// as LossFacts::classesOf() tells them: what a worker says of others is an error.
    EvaluationPass(const std::shared_ptr<const Dataset> &data, const BatchOrder &order, FeedLayout layout,
                   quint64 version, const RunDeadlines &deadlines, qint64 classes,
                   const std::optional<AskedOutputs> &asked = {}, QObject *parent = nullptr);
    void start(const std::vector<WorkerSession *> &workers);

    qint64 samples() const { return m_order.samples; }
    /// Once finished: of all samples, and what the loss counts in them.
    const EvaluationTally &tally() const { return m_tally; }
    qint64 counted() const { return m_counted; }
    /// But for its split.
    const EvaluationDetails &details() const { return m_details; }
    /// Where they are asked for, of one sample after the other.
    const std::vector<double> &outputs() const { return m_outputs; }

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
    bool isSound(const EvaluationPart &part, const Awaited &awaited) const;
    bool isTallySound(const EvaluationTally &tally, qint64 counted) const;
    bool isJudgedSound(const JudgedSample &one, const Awaited &awaited) const;
    bool areOutputsSound(const EvaluationPart &part, const Awaited &awaited) const;

    std::shared_ptr<const Dataset> m_data;
    const EvaluationOrder m_order;
    FeedLayout m_layout;
    RunDeadlines m_deadlines;
    const qint64 m_classes;
    std::size_t m_open = 0;  // workers that have not answered yet
    std::map<qint64, Awaited> m_awaited;
    qint64 m_done = 0;  // samples that were reported
    qint64 m_counted = 0;
    EvaluationTally m_tally;
    EvaluationDetails m_details;
    const qint64 m_outputsEach;
    std::vector<double> m_outputs;
    bool m_scheduled = false;
    bool m_isWaiting = false;  // for the data
    BatchSource m_source;
};

}  // namespace hearth
