#include "core/train/decoding_thread.h"

namespace hearth {

std::shared_ptr<Buffer> decoded(const InputDecoder &decoder, const EncodedSamples &encoded) {
    auto values = Buffer::allocate(encoded.samples * decoder.decoded().bytes());
    decoder.decode(encoded.bytes->data(), encoded.samples, values->data());
    return values;
}

DecodingThread::DecodingThread(const InputDecoder &decoder, std::function<void()> ready)
    : m_decoder(decoder), m_ready(std::move(ready)), m_thread([this] { run(); }) {}

DecodingThread::~DecodingThread() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void DecodingThread::put(Key key, EncodedSamples encoded) {
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.emplace_back(key, std::move(encoded));
    }
    m_wake.notify_one();
}

bool DecodingThread::has(Key key) const {
    const std::lock_guard lock(m_mutex);
    return m_decoded.contains(key);
}

std::shared_ptr<Buffer> DecodingThread::take(Key key) {
    std::shared_ptr<Buffer> values;
    {
        const std::lock_guard lock(m_mutex);
        values = std::move(m_decoded.extract(key).mapped());
    }
    m_wake.notify_one();
    return values;
}

void DecodingThread::run() {
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
        auto values = decoded(m_decoder, next.second);
        {
            const std::lock_guard lock(m_mutex);
            m_decoded.emplace(next.first, std::move(values));
        }
        m_ready();
    }
}

}  // namespace hearth
