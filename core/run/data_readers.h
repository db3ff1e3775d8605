// Threads that read samples for another device, beside the event loop.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/buffer.h"
#include "core/data/dataset.h"

namespace hearth {

/// What another device asks for. Plain value.
struct ReadOrder {
    quint64 request = 0;
    Split split = Split::Train;
    std::optional<qint64> epoch;      // the training split as this epoch sees it
    std::optional<std::size_t> part;  // nothing: the labels
    std::vector<qint64> indices;      // from 0 to the split's count
};

/// Reads orders in their order, several at a time where samples are decoded, and tells of their bytes piece by piece:
/// one sample, or as many as pieceBytes hold. No more than aheadBytes, or one piece of each thread, wait to be taken.
/// Made and destroyed in one thread, whose event loop the calls below come through.
class DataReaders {
  public:
    static constexpr qint64 pieceBytes = 1 << 20;
    static constexpr qint64 aheadBytes = 8 << 20;

    struct Calls {
        std::function<void(quint64 request, const Payload &piece)> piece;  // taken() follows, at once or later
        std::function<void(quint64 request, const Result<void> &end)> ended;
    };
    /// Nothing is called any more once `context` or this is gone.
    DataReaders(std::shared_ptr<const Dataset> data, QObject *context, Calls calls);
    /// Waits for no more than the piece that each thread reads.
    ~DataReaders();
    DataReaders(const DataReaders &) = delete;
    DataReaders &operator=(const DataReaders &) = delete;

    const Dataset &data() const { return *m_data; }
    void add(ReadOrder order);
    void taken(qint64 bytes);

  private:
    void serve();
    /// False: this is about to end.
    bool waitForRoom();
    Result<void> read(const ReadOrder &order, std::span<const qint64> indices, std::span<std::byte> to) const;
    Result<void> readAll(const ReadOrder &order);
    void tell(std::function<void()> call);

    const std::shared_ptr<const Dataset> m_data;
    QObject *m_context;
    const std::shared_ptr<const Calls> m_calls;
    const std::shared_ptr<std::atomic<bool>> m_gone = std::make_shared<std::atomic<bool>>(false);
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<ReadOrder> m_orders;
    qint64 m_untaken = 0;
    bool m_stop = false;
    std::vector<std::thread> m_threads;
};

}  // namespace hearth
