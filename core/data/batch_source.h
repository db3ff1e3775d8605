// Micro-batches in the order of a run, read ahead of need in a thread of their own.
#pragma once

#include <QObject>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "core/base/buffer.h"
#include "core/base/error.h"
#include "core/data/dataset.h"
#include "core/data/mixing.h"
#include "core/data/sampler.h"
#include "core/data/thread_team.h"

namespace hearth {

/// Which samples make which round: a pure function of the round, so that any can be asked for again. Plain value.
struct BatchOrder {
    Split split = Split::Train;
    Sampler sampler;
    int batch = 0;       // samples of a round
    int microBatch = 0;  // samples of a piece of it
    qint64 end = 0;      // positions of the sampler from here on are left out; 0: rounds never end
    /// How many of these labels the loss counts. Called in the source's thread.
    std::function<qint64(std::span<const std::byte> labels)> count;
    Mixing mixing = {};  // of pictures with one class each

    /// Of what Batch::labels are.
    Slot labelOf(const Dataset &data) const { return mixing.isNone() ? data.label() : mixedLabel(); }
    /// Every sample of the split once, in file order; each micro-batch is a round of its own.
    static BatchOrder once(const Dataset &data, Split split, int microBatch,
                           std::function<qint64(std::span<const std::byte> labels)> count);
};

/// One micro-batch; shorter than others only at the end of an order. Bytes as Dataset::parts() and
/// BatchOrder::labelOf() say, one sample after the other. Plain value.
struct Batch {
    qint64 round = 0;
    int microBatch = 0;  // of the round
    int samples = 0;
    qint64 counted = 0;           // by the loss, in the whole round
    std::vector<Payload> inputs;  // by part
    Payload labels;
};

/// Reads from the first micro-batch of a round on, as far ahead as aheadBytes allow, in several threads where samples
/// are decoded. Lives in the thread that made it; its destructor ends the reading thread, which is waited for no longer
/// than a few samples take.
class BatchSource : public QObject {
    Q_OBJECT
  public:
    /// The queue holds less than this, or one micro-batch: reading bridges what a disk or a decoder takes now and then,
    /// and little is in vain when the order changes.
    static constexpr qint64 aheadBytes = 8 << 20;
    /// How long a file that cannot be read is left alone.
    static constexpr std::chrono::milliseconds tryAgain{1000};

    BatchSource(std::shared_ptr<const Dataset> data, BatchOrder order, qint64 firstRound, QObject *parent = nullptr);
    ~BatchSource() override;

    /// The next one; nothing while it is being read, and after the last. The data set's error comes once, in the place
    /// of what could not be read, and nothing comes after it; but "data.unreadable" is tried again until it can be, and
    /// "data.gone" once.
    Result<std::optional<Batch>> take();

  Q_SIGNALS:
    /// After a take() that gave nothing: another one will give something.
    void ready();
    /// What is next cannot be read, and is tried again ...
    void waiting(const hearth::Error &error);
    /// ... and now it was.
    void found();

  private:
    void run(qint64 firstRound);
    /// False: no further round, for whatever reason.
    bool readRound(qint64 round);
    /// Labels of the round's own samples; of these and the next one where they are mixed.
    Result<Payload> readRoundLabels(qint64 start, std::span<const qint64> indices, qint64 &counted);
    /// `position` is that of the first in the order.
    Result<void> readInputs(std::size_t part, qint64 position, std::span<const qint64> indices,
                            std::span<std::byte> to);
    Result<void> readPiece(std::size_t part, qint64 epoch, std::span<const qint64> indices,
                           std::span<std::byte> to) const;
    /// Until it works, fails for good, or this is about to end.
    Result<void> readPatiently(const std::function<Result<void>()> &read);
    /// Waits for room; false when this is about to end.
    bool push(Result<Batch> batch);
    bool isStopping() const;

    const std::shared_ptr<const Dataset> m_data;
    BatchOrder m_order;
    mutable std::mutex m_mutex;
    std::condition_variable m_room;
    std::deque<Result<Batch>> m_queue;
    qint64 m_queuedBytes = 0;
    bool m_awaited = false;  // take() gave nothing
    bool m_stop = false;
    ThreadTeam m_readers;
    std::thread m_thread;  // last: it uses the others
};

}  // namespace hearth
