#include "core/train/input_decoder.h"

#include <algorithm>
#include <cstring>

namespace hearth {
namespace {

struct Image {
    qint64 channels, height, width;
    explicit Image(const Shape &shape) : channels(shape[0]), height(shape[1]), width(shape[2]) {}
    qint64 values() const { return channels * height * width; }
};

/// One sample.
template <class T>
void decodeOne(const quint8 *__restrict from, const Image &in, T *__restrict to, const Image &out,
               const InputTransform &transform, bool channelsLast) {
    const T scale = static_cast<T>(transform.scale);
    const qint64 step = channelsLast ? out.channels : 1;
    for (qint64 c = 0; c < out.channels; ++c) {
        const quint8 *plane = from + c % in.channels * in.height * in.width;
        T *target = channelsLast ? to + c : to + c * out.height * out.width;
        for (qint64 y = 0; y < in.height; ++y) {
            T *row = target + ((y + transform.pad[0]) * out.width + transform.pad[1]) * step;
            for (qint64 x = 0; x < in.width; ++x)
                row[x * step] = static_cast<T>(plane[y * in.width + x]) * scale;
        }
    }
}

template <class T>
void decodeAs(const EncodedSamples &encoded, const InputTransform &transform, bool channelsLast, std::byte *target) {
    const Image in(encoded.sample), out(transform.outputShape(encoded.sample));
    auto *to = reinterpret_cast<T *>(target);
    if (transform.pad[0] > 0 || transform.pad[1] > 0)
        std::fill_n(to, encoded.samples * out.values(), T(0));
    const auto *from = reinterpret_cast<const quint8 *>(encoded.bytes->data());
    for (qint64 n = 0; n < encoded.samples; ++n)
        decodeOne(from + n * in.values(), in, to + n * out.values(), out, transform, channelsLast);
}

}  // namespace

void decodeSamples(const EncodedSamples &encoded, const InputTransform &transform, DType dtype, std::byte *target) {
    if (dtype == DType::Float64)
        decodeAs<double>(encoded, transform, false, target);
    else
        decodeAs<float>(encoded, transform, true, target);
}

InputDecoder::InputDecoder(const InputTransform &transform, DType dtype, std::function<void()> ready)
    : m_transform(transform), m_dtype(dtype), m_ready(std::move(ready)), m_thread([this] { run(); }) {}

InputDecoder::~InputDecoder() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void InputDecoder::put(Key key, EncodedSamples encoded) {
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.emplace_back(key, std::move(encoded));
    }
    m_wake.notify_one();
}

bool InputDecoder::has(Key key) const {
    const std::lock_guard lock(m_mutex);
    return m_decoded.contains(key);
}

std::shared_ptr<Buffer> InputDecoder::take(Key key) {
    std::shared_ptr<Buffer> decoded;
    {
        const std::lock_guard lock(m_mutex);
        decoded = std::move(m_decoded.extract(key).mapped());
    }
    m_wake.notify_one();
    return decoded;
}

void InputDecoder::run() {
    for (;;) {
        std::pair<Key, EncodedSamples> next;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_stop || (!m_waiting.empty() && m_decoded.size() < piecesAhead); });
            if (m_stop)
                return;
            next = std::move(m_waiting.front());
            m_waiting.pop_front();
        }
        const EncodedSamples &encoded = next.second;
        const Shape shape = m_transform.outputShape(encoded.sample);
        auto decoded = Buffer::allocate(encoded.samples * elementCount(shape) * byteSize(m_dtype));
        decodeSamples(encoded, m_transform, m_dtype, decoded->data());
        {
            const std::lock_guard lock(m_mutex);
            m_decoded.emplace(next.first, std::move(decoded));
        }
        m_ready();
    }
}

}  // namespace hearth
