// Decodes the first stage's samples ahead of need, in a thread of its own. No LibTorch: plain memory.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "core/base/buffer.h"
#include "core/train/input_decoder.h"

namespace hearth {

/// By input of the network.
using Parts = std::vector<std::shared_ptr<Buffer>>;
/// Samples as they travel, InputDecoder::encoded().
struct EncodedSamples {
    Parts parts;
    qint64 samples = 0;
};
Parts decoded(const InputDecoders &decoders, const EncodedSamples &encoded);

/// Decodes what is put in, in order, which is also the order in which it is taken; a few pieces ahead of that, since
/// values need many times the room of bytes. put(), take() and the destructor belong to one thread.
class DecodingThread {
  public:
    static constexpr std::size_t piecesAhead = 3;
    using Key = std::pair<quint32, int>;  // round, micro-batch
    /// `ready` is called in the decoding thread after each piece of work. `decoders` outlive this.
    DecodingThread(const InputDecoders &decoders, std::function<void()> ready);
    ~DecodingThread();
    DecodingThread(const DecodingThread &) = delete;
    DecodingThread &operator=(const DecodingThread &) = delete;

    void put(Key key, EncodedSamples encoded);
    bool has(Key key) const;
    /// Of one that has() says is there.
    Parts take(Key key);

  private:
    void run();

    const InputDecoders &m_decoders;
    const std::function<void()> m_ready;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stop = false;
    std::deque<std::pair<Key, EncodedSamples>> m_waiting;
    std::map<Key, Parts> m_decoded;
    std::thread m_thread;  // last: it uses the others
};

}  // namespace hearth
