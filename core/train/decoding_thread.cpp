#include "core/train/decoding_thread.h"

namespace hearth {

Parts decoded(const InputDecoders &decoders, const EncodedSamples &encoded) {
    Parts values;
    for (std::size_t i = 0; i < decoders.size(); ++i) {
        values.push_back(Buffer::allocate(encoded.samples * decoders[i]->decoded().bytes()));
        decoders[i]->decode(encoded.parts[i]->data(), encoded.samples, values.back()->data());
    }
    return values;
}

DecodingThread::DecodingThread(const InputDecoders &decoders, std::function<void()> ready)
    : m_decoders(decoders), m_ready(std::move(ready)), m_thread([this] { run(); }) {}

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

Parts DecodingThread::take(Key key) {
    Parts values;
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
        auto values = decoded(m_decoders, next.second);
        {
            const std::lock_guard lock(m_mutex);
            m_decoded.emplace(next.first, std::move(values));
        }
        m_ready();
    }
}

}  // namespace hearth
