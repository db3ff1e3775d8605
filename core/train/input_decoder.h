// From the bytes of a data set to the first stage's input, ahead of need, in a thread of its own. No LibTorch: plain
// memory.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/base/buffer.h"
#include "core/base/dtype.h"
#include "core/base/error.h"
#include "core/model/shapes.h"
#include "core/model/training_spec.h"

namespace hearth {

/// Samples as they travel: uint8 {n, c, h, w}.
struct EncodedSamples {
    std::shared_ptr<Buffer> bytes;
    qint64 samples = 0;
    Shape sample;  // {c, h, w}
};

/// What the transform makes of them: scaled, padded with zeros, channels repeated. Float32 comes channels last
/// ({n, h, w, c} in memory), Float64 in the order of its dims; `target` holds samples × transform.outputShape(sample)
/// values. Any thread.
void decodeSamples(const EncodedSamples &encoded, const InputTransform &transform, DType dtype, std::byte *target);

/// Decodes what is put in, in order, which is also the order in which it is taken; a few pieces ahead of that, since
/// values need many times the room of bytes. put(), take() and the destructor belong to one thread.
class InputDecoder {
  public:
    static constexpr std::size_t piecesAhead = 3;
    using Key = std::pair<quint32, int>;  // round, micro-batch
    /// `ready` is called in the decoder's thread after each piece of work.
    InputDecoder(const InputTransform &transform, DType dtype, std::function<void()> ready);
    ~InputDecoder();
    InputDecoder(const InputDecoder &) = delete;
    InputDecoder &operator=(const InputDecoder &) = delete;

    void put(Key key, EncodedSamples encoded);
    bool has(Key key) const;
    /// Of one that has() says is there.
    std::shared_ptr<Buffer> take(Key key);

  private:
    void run();

    const InputTransform m_transform;
    const DType m_dtype;
    const std::function<void()> m_ready;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stop = false;
    std::deque<std::pair<Key, EncodedSamples>> m_waiting;
    std::map<Key, std::shared_ptr<Buffer>> m_decoded;
    std::thread m_thread;  // last: it uses the others
};

}  // namespace hearth
