// Sends over a stage's cuts, beside its computing. No LibTorch: plain memory. Internal to core/train.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <vector>

#include "core/train/cut_writer.h"
#include "core/train/task_thread.h"

namespace hearth {

/// Writes and sends pieces in the order in which they come. What is there and written as it is goes at once where
/// nothing waits; all else is written in a thread of its own, a few pieces behind at most. A piece's memory must not
/// change any more. Belongs to one thread.
class CutSender {
  public:
    static constexpr std::size_t usualWaiting = 2;  // each keeps the tensor that it came from
    /// Also from the thread of its own.
    using Send = std::function<void(const QString &device, const TensorHeader &header, Payload payload)>;
    /// `failed` is called in there once something is wrong, which the next call here throws.
    CutSender(CutWriter::LinkRate linkRate, Send send, std::function<void()> failed,
              std::size_t mostWaiting = usualWaiting)
        : m_writer(std::move(linkRate)),
          m_send(std::move(send)),
          m_tellFailure(std::move(failed)),
          m_thread(mostWaiting) {}

    void put(CutPiece piece);
    /// Throws what failed, if anything did.
    void check();

    struct Frame {
        QString device;
        TensorHeader header;
        qint64 bytes = 0;
        qint64 at = 0;                      // of the steady clock, nanoseconds
        CodecLoss loss{};                   // where it is measured
        qint64 encoded = 0;                 // CutWriter's, as is ...
        std::optional<qint64> packed = {};  // ... this
    };
    struct Sent {
        std::vector<Frame> frames;
        qint64 savedBytes = 0;
    };
    /// All that was put in since the last call; waits until it is sent.
    Sent take();

  private:
    void send(const CutPiece &piece);

    CutWriter m_writer;
    const Send m_send;
    const std::function<void()> m_tellFailure;
    Sent m_sent;
    std::exception_ptr m_failure;
    std::atomic<bool> m_hasFailed{false};
    TaskThread m_thread;  // last: it uses the others
};

}  // namespace hearth
