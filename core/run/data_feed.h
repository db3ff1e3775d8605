// Serves samples to the first stage and labels to the last, ahead of need.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <vector>

#include "core/data/batch_source.h"
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
    int lastStage = 0;
    std::vector<FeedTarget> inputs, labels;
    /// Told of every tensor that a worker's channel was given, where somebody wants to know.
    std::function<void(const WorkerSession &worker, const TensorHeader &header, qint64 bytes)> observer{};

    static FeedLayout of(const Deployment &deployment, const std::vector<WorkerSession *> &workers);
    void send(const FeedTarget &target, const TensorHeader &header, Payload payload) const;
    /// Some target has as much queued as it should: go on at its windowOpened().
    bool isFull() const;
    /// Calls `resume` whenever a target can take more; until `context` ends.
    void whenOpened(QObject *context, const std::function<void()> &resume) const;
};

/// Sends one micro-batch: to every target its interval, clipped to what exists. `header` has kind, round, version,
/// micro-batch and the labels' slot; the rest is filled in. `parts` and `label` are the data set's.
void sendInputs(const FeedLayout &layout, const Batch &batch, const std::vector<DataPart> &parts, TensorHeader header);
void sendLabels(const FeedLayout &layout, const Batch &batch, const Slot &label, TensorHeader header);

/// The training rounds. Sends one micro-batch per turn of the event loop, waits while a channel is full, and never for
/// the data. Lives in the coordinator's thread.
class DataFeed : public QObject {
    Q_OBJECT
  public:
    /// `firstRound` is the first one that is not applied yet.
    DataFeed(const std::shared_ptr<const Dataset> &data, const BatchOrder &order, FeedLayout layout, qint64 firstRound,
             QObject *parent = nullptr);
    /// Feeds rounds up to this one, in time; a round that has begun is always completed.
    void setLimit(qint64 round);
    qint64 limit() const { return m_limit; }
    /// The last round of which anything was sent; 0 before the first.
    qint64 begun() const { return m_begun; }
    /// Of that round all is sent.
    bool isRoundSent() const { return m_sent >= m_batch; }
    /// What is next cannot be read, and is tried again.
    bool isWaiting() const { return m_isWaiting; }

  Q_SIGNALS:
    void roundBegun(qint64 round);
    /// Whether what is next could be sent, and is still being read.
    void starved(bool now);
    /// The data cannot be read; nothing is sent any more.
    void failed(const hearth::Error &error);
    /// BatchSource's.
    void waiting(const hearth::Error &error);
    void found();

  private:
    /// A round is under way, or another one may begin.
    bool isDue() const;
    void schedule();
    void step();

    std::shared_ptr<const Dataset> m_data;
    Slot m_label;
    FeedLayout m_layout;
    int m_batch;
    qint64 m_begun;
    int m_sent;  // samples of that round
    qint64 m_limit;
    BatchSource m_source;
    bool m_scheduled = false;
    bool m_isWaiting = false;
};

}  // namespace hearth
