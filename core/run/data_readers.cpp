#include "core/run/data_readers.h"

#include <QThread>
#include <algorithm>

#include "core/base/post_to.h"

namespace hearth {
namespace {

/// What more would not be faster on the computers of a home, and what their samples may take together.
constexpr int mostThreads = 8;
constexpr qint64 mostReadBytes = qint64{256} << 20;

int threadsFor(const Dataset &data) {
    if (!data.isDecoded())
        return 1;
    const qint64 fitting = mostReadBytes / std::max<qint64>(1, data.sampleBytes());
    const int most = static_cast<int>(std::clamp<qint64>(fitting, 1, mostThreads));
    return std::clamp(QThread::idealThreadCount(), 1, most);
}

}  // namespace

DataReaders::DataReaders(std::shared_ptr<const Dataset> data, QObject *context, Calls calls)
    : m_data(std::move(data)), m_context(context), m_calls(std::make_shared<const Calls>(std::move(calls))) {
    for (int i = threadsFor(*m_data); i > 0; --i)
        m_threads.emplace_back([this] { serve(); });
}

DataReaders::~DataReaders() {
    *m_gone = true;
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    for (std::thread &thread : m_threads)
        thread.join();
}

void DataReaders::add(ReadOrder order) {
    {
        const std::lock_guard lock(m_mutex);
        m_orders.push_back(std::move(order));
    }
    m_changed.notify_one();
}

void DataReaders::taken(qint64 bytes) {
    {
        const std::lock_guard lock(m_mutex);
        m_untaken -= bytes;
    }
    m_changed.notify_all();
}

void DataReaders::serve() {
    for (;;) {
        ReadOrder order;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_stop || !m_orders.empty(); });
            if (m_stop)
                return;
            order = std::move(m_orders.front());
            m_orders.pop_front();
        }
        const auto end = readAll(order);
        tell([calls = m_calls, request = order.request, end] { calls->ended(request, end); });
    }
}

bool DataReaders::waitForRoom() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_stop || m_untaken < aheadBytes; });
    return !m_stop;
}

Result<void> DataReaders::readAll(const ReadOrder &order) {
    const qint64 each = order.part ? m_data->parts()[*order.part].slot.bytes() : m_data->label().bytes();
    const auto most = static_cast<std::size_t>(std::max<qint64>(1, pieceBytes / each));
    for (std::size_t first = 0; first < order.indices.size() && waitForRoom(); first += most) {
        const auto indices = std::span(order.indices).subspan(first, std::min(most, order.indices.size() - first));
        const auto buffer = Buffer::allocate(static_cast<qsizetype>(indices.size()) * each);
        if (auto done = read(order, indices, buffer->bytes()); !done)
            return done;
        {
            const std::lock_guard lock(m_mutex);
            m_untaken += buffer->size();
        }
        tell([calls = m_calls, request = order.request, buffer] { calls->piece(request, Payload::of(buffer)); });
    }
    return {};
}

Result<void> DataReaders::read(const ReadOrder &order, std::span<const qint64> indices, std::span<std::byte> to) const {
    if (!order.part)
        return m_data->readLabels(order.split, indices, to);
    return order.epoch ? m_data->readEpoch(*order.epoch, *order.part, indices, to)
                       : m_data->readSamples(order.split, *order.part, indices, to);
}

void DataReaders::tell(std::function<void()> call) {
    postTo(m_context, [gone = m_gone, call = std::move(call)] {
        if (!*gone)
            call();
    });
}

}  // namespace hearth
