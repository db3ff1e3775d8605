// Serves samples to the first stage and labels to the last, ahead of need.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/sampler.h"
#include "core/protocol/deployment.h"
#include "core/run/worker_session.h"

namespace hearth {

/// A member of the first or last stage and its interval of every micro-batch.
struct FeedTarget {
    QPointer<WorkerSession> worker;
    int firstSample = 0;
    int samples = 0;
};
/// The members of one stage of a deployment.
std::vector<FeedTarget> feedTargets(const Deployment &deployment, std::size_t stage,
                                    const std::vector<WorkerSession *> &workers);

/// Where micro-batches go. Plain value.
struct FeedLayout {
    quint32 term = 1;
    int batch = 0, microBatch = 0;
    int lastStage = 0;
    std::vector<FeedTarget> inputs, labels;
    /// Told of every tensor that a worker's channel was given, where somebody wants to know.
    std::function<void(const WorkerSession &worker, const TensorHeader &header, qint64 bytes)> observer{};

    static FeedLayout of(const Deployment &deployment, const std::vector<WorkerSession *> &workers);
    void send(const FeedTarget &target, const TensorHeader &header, const std::shared_ptr<Buffer> &payload) const;
    /// Some target has as much queued as it should: go on at its windowOpened().
    bool isFull() const;
    /// Calls `resume` whenever a target can take more; until `context` ends.
    void whenOpened(QObject *context, const std::function<void()> &resume) const;
};

/// Sends one micro-batch: to every target its interval of `indices`, clipped to what exists. `header` has kind, round,
/// version and micro-batch; the rest is filled in. Samples are uint8 {n,c,h,w}, labels int64 {n}.
void sendInputs(const FeedLayout &layout, const Dataset &data, Split split, std::span<const qint64> indices,
                TensorHeader header);
void sendLabels(const FeedLayout &layout, const Dataset &data, Split split, std::span<const qint64> indices,
                TensorHeader header);

/// The training rounds: batches are a pure function of (seed, round). Copies one micro-batch per turn of the event loop
/// and waits while a channel is full. Lives in the coordinator's thread.
class DataFeed : public QObject {
    Q_OBJECT
  public:
    /// `firstRound` is the first one that is not applied yet.
    DataFeed(std::shared_ptr<const Dataset> data, Sampler sampler, FeedLayout layout, qint64 firstRound,
             QObject *parent = nullptr);
    /// Feeds rounds up to this one, in time; a round that has begun is always completed.
    void setLimit(qint64 round);
    qint64 limit() const { return m_limit; }
    /// The last round of which anything was sent; 0 before the first.
    qint64 begun() const { return m_microBatch > 0 ? m_round : m_round - 1; }

  Q_SIGNALS:
    void roundBegun(qint64 round);

  private:
    void schedule();
    void step();

    std::shared_ptr<const Dataset> m_data;
    Sampler m_sampler;
    FeedLayout m_layout;
    qint64 m_round;        // the one under way, or the next
    int m_microBatch = 0;  // the next of it
    qint64 m_limit;
    std::vector<qint64> m_indices;
    bool m_scheduled = false;
};

}  // namespace hearth
