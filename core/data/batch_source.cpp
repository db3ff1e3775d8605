#include "core/data/batch_source.h"

#include <QThread>
#include <algorithm>
#include <utility>

#include "core/base/post_to.h"

namespace hearth {
namespace {

/// Read without a look at whether anybody still wants them: a few where they are decoded.
constexpr std::size_t pieceSamples = 16, decodedPieceSamples = 2;
/// What more would not be faster on the computers of a home.
constexpr int mostReaders = 8;

int readersFor(const Dataset &data) {
    if (data.isElsewhere())
        return mostReaders;
    return data.isDecoded() ? std::clamp(QThread::idealThreadCount(), 1, mostReaders) : 1;
}

qint64 bytesOf(const Result<Batch> &batch) {
    qint64 bytes = 0;
    if (batch) {
        bytes = batch->labels.size;
        for (const Payload &part : batch->inputs)
            bytes += part.size;
    }
    return bytes;
}

Payload partOf(const std::shared_ptr<Buffer> &buffer, qint64 first, qint64 bytes) {
    return {buffer->data() + first, bytes, buffer};
}

}  // namespace

BatchOrder BatchOrder::once(const Dataset &data, Split split, int microBatch,
                            std::function<qint64(std::span<const std::byte> labels)> count) {
    const qint64 samples = data.count(split);
    return {split, Sampler(0, samples, false), microBatch, microBatch, samples, std::move(count)};
}

BatchSource::BatchSource(std::shared_ptr<const Dataset> data, BatchOrder order, qint64 firstRound, QObject *parent)
    : QObject(parent),
      m_data(std::move(data)),
      m_order(std::move(order)),
      m_readers(readersFor(*m_data)),
      m_thread([this, firstRound] { run(firstRound); }) {}

BatchSource::~BatchSource() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_room.notify_one();
    m_thread.join();
}

Result<std::optional<Batch>> BatchSource::take() {
    Result<Batch> next;
    {
        const std::lock_guard lock(m_mutex);
        m_awaited = m_queue.empty();
        if (m_awaited)
            return std::nullopt;
        next = std::move(m_queue.front());
        m_queue.pop_front();
        m_queuedBytes -= bytesOf(next);
    }
    m_room.notify_one();
    return next.map([](Batch &batch) { return std::optional(std::move(batch)); });
}

void BatchSource::run(qint64 firstRound) {
    for (qint64 round = firstRound; readRound(round); ++round)
        ;
}

bool BatchSource::readRound(qint64 round) {
    const qint64 start = (round - 1) * m_order.batch;
    std::vector<qint64> indices = m_order.sampler.indicesOfRound(round, m_order.batch);
    if (m_order.end > 0) {
        const qint64 left = std::max<qint64>(0, m_order.end - start);
        indices.resize(std::min(indices.size(), static_cast<std::size_t>(left)));
    }
    if (indices.empty())
        return false;
    const std::size_t own = indices.size(), mixedWith = m_order.mixing.isNone() ? 0 : 1;
    if (mixedWith > 0)
        indices.push_back(m_order.sampler.sampleAt(start + static_cast<qint64>(own)));
    Batch batch;
    batch.round = round;
    const auto labels = readRoundLabels(start, indices, batch.counted);
    if (!labels) {
        push(tl::unexpected(labels.error()));
        return false;
    }
    const qint64 labelBytes = m_order.labelOf(*m_data).bytes();
    std::size_t first = 0;
    for (; first < own; first += static_cast<std::size_t>(batch.samples), ++batch.microBatch) {
        const std::size_t count = std::min(static_cast<std::size_t>(m_order.microBatch), own - first);
        batch.samples = static_cast<int>(count);
        batch.inputs.clear();
        for (std::size_t part = 0; part < m_data->parts().size(); ++part) {
            const Slot &slot = m_data->parts()[part].slot;
            const auto chosen = std::span(indices).subspan(first, count + mixedWith);
            const auto inputs = Buffer::allocate(static_cast<qint64>(chosen.size()) * slot.bytes());
            const auto position = start + static_cast<qint64>(first);
            if (const auto read = readPatiently([&] { return readInputs(part, position, chosen, inputs->bytes()); });
                !read) {
                push(tl::unexpected(read.error()));
                return false;
            }
            if (mixedWith > 0)
                mixSamples(m_order.mixing, m_order.sampler, position, chosen, slot.shape, inputs->bytes());
            batch.inputs.push_back(partOf(inputs, 0, batch.samples * slot.bytes()));
        }
        batch.labels = {labels->data + static_cast<qint64>(first) * labelBytes, batch.samples * labelBytes,
                        labels->owner};
        if (!push(batch))
            return false;
    }
    return true;
}

Result<Payload> BatchSource::readRoundLabels(qint64 start, std::span<const qint64> indices, qint64 &counted) {
    const qint64 each = m_data->label().bytes(), all = static_cast<qint64>(indices.size());
    const auto labels = Buffer::allocate(all * each);
    if (const auto read = readPatiently([&] { return m_data->readLabels(m_order.split, indices, labels->bytes()); });
        !read)
        return tl::unexpected(read.error());
    if (m_order.mixing.isNone()) {
        counted = m_order.count(labels->bytes());
        return Payload::of(labels);
    }
    counted = m_order.count(labels->bytes().first(static_cast<std::size_t>((all - 1) * each)));
    const auto mixed = Buffer::allocate((all - 1) * mixedLabel().bytes());
    mixLabels(m_order.mixing, m_order.sampler, start, indices, m_data->sample().shape, labels->bytes(), mixed->bytes());
    return Payload::of(mixed);
}

Result<void> BatchSource::readInputs(std::size_t part, qint64 position, std::span<const qint64> indices,
                                     std::span<std::byte> to) {
    const auto each = static_cast<std::size_t>(m_data->parts()[part].slot.bytes());
    const std::size_t most = m_data->isDecoded() ? decodedPieceSamples : pieceSamples;
    std::mutex mutex;
    std::size_t next = 0;
    Result<void> result;
    // Which thread reads what is nobody's concern: each piece has its place.
    const auto work = [&] {
        for (;;) {
            std::size_t first = 0, count = 0;
            {
                const std::lock_guard lock(mutex);
                if (next == indices.size() || !result)
                    return;
                first = next;
                const qint64 left = m_order.sampler.leftOfEpoch(position + static_cast<qint64>(first));
                count = std::min({most, indices.size() - first, static_cast<std::size_t>(left)});
                next += count;
            }
            if (isStopping())
                return;
            auto read = readPiece(part, m_order.sampler.epochAt(position + static_cast<qint64>(first)),
                                  indices.subspan(first, count), to.subspan(first * each, count * each));
            const std::lock_guard lock(mutex);
            if (!read && result)
                result = std::move(read);
        }
    };
    m_readers.runInAll(work);
    return result;
}

Result<void> BatchSource::readPiece(std::size_t part, qint64 epoch, std::span<const qint64> indices,
                                    std::span<std::byte> to) const {
    return m_order.split == Split::Train ? m_data->readEpoch(epoch, part, indices, to)
                                         : m_data->readSamples(m_order.split, part, indices, to);
}

Result<void> BatchSource::readPatiently(const std::function<Result<void>()> &read) {
    bool waits = false, wasGone = false;
    for (;;) {
        auto done = read();
        const bool isAway = !done && done.error().code == QLatin1String("data.unreadable");
        // A file that is written anew in its place is empty for a moment.
        const bool seemsGone = !done && done.error().code == QLatin1String("data.gone") && !wasGone;
        if (!isAway && !seemsGone) {
            if (waits)
                postTo(this, [this] { Q_EMIT found(); });
            return done;
        }
        if (isAway && !std::exchange(waits, true))
            postTo(this, [this, error = done.error()] { Q_EMIT waiting(error); });
        wasGone = seemsGone;
        std::unique_lock lock(m_mutex);
        if (m_room.wait_for(lock, tryAgain, [this] { return m_stop; }))
            return done;
    }
}

bool BatchSource::push(Result<Batch> batch) {
    std::unique_lock lock(m_mutex);
    m_room.wait(lock, [this] { return m_stop || m_queue.empty() || m_queuedBytes < aheadBytes; });
    if (m_stop)
        return false;
    m_queuedBytes += bytesOf(batch);
    m_queue.push_back(std::move(batch));
    if (std::exchange(m_awaited, false))
        postTo(this, [this] { Q_EMIT ready(); });
    return true;
}

bool BatchSource::isStopping() const {
    const std::lock_guard lock(m_mutex);
    return m_stop;
}

}  // namespace hearth
