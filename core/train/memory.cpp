#include "core/train/memory.h"

#include <unistd.h>

#include <QFile>
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/base/buffer_bytes.h"
#include "core/base/heap.h"
#include "core/base/number_text.h"
#include "core/train/process_memory.h"
#include "core/train/torch_api.h"

namespace hearth {
namespace {

std::atomic<qint64> heldBytes{0};
std::atomic<qint64> peakBytes{0};
std::atomic<qint64> limitBytes{0};
std::atomic<qint64> runtime{0};
std::atomic<qint64> neededBytes{0};     // when the last tensor was refused
std::atomic<qint64> availableBytes{0};  // likewise
std::atomic<qint64> lastRequested{0};   // by it
std::atomic<qint64> lastRuntime{0};     // of that memory

constexpr std::size_t alignment = 64;

/// Lies directly before the aligned block that the tensor sees.
struct BlockHeader {
    void *raw;
    std::size_t bytes;
};
static_assert(sizeof(BlockHeader) <= alignment);

void release(void *data) {
    if (!data)
        return;
    BlockHeader header;
    std::memcpy(&header, static_cast<char *>(data) - sizeof header, sizeof header);
    heldBytes.fetch_sub(static_cast<qint64>(header.bytes), std::memory_order_acq_rel);  // see publishTensorUse()
    std::free(header.raw);
}

void *take(std::size_t bytes) {
    if (bytes == 0)
        return nullptr;
    const auto wanted = static_cast<qint64>(bytes);
    const qint64 limit = limitBytes.load(std::memory_order_relaxed);
    const qint64 now = heldBytes.fetch_add(wanted, std::memory_order_relaxed) + wanted;
    // A plain malloc with room to align by hand: freed blocks fit the next request of the same size exactly, which
    // aligned_alloc of older C libraries does not manage.
    const qint64 all = now + heldBufferBytes();
    const bool tooMuch = limit > 0 && all > limit;
    void *raw = tooMuch || wanted < 0 ? nullptr : std::malloc(bytes + 2 * alignment);
    if (!raw) {
        heldBytes.fetch_sub(wanted, std::memory_order_relaxed);
        throw noteRefusal(wanted, all - wanted, tooMuch ? limit : 0, runtimeBytes());
    }
    qint64 peak = peakBytes.load(std::memory_order_relaxed);
    while (now > peak && !peakBytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
    const auto address =
        (reinterpret_cast<std::uintptr_t>(raw) + sizeof(BlockHeader) + alignment - 1) & ~(alignment - 1);
    auto *data = reinterpret_cast<char *>(address);
    const BlockHeader header{raw, bytes};
    std::memcpy(data - sizeof header, &header, sizeof header);
    return data;
}

struct CountingAllocator final : c10::Allocator {
    c10::DataPtr allocate(std::size_t bytes) HEARTH_ALLOCATOR_CONST override {
        void *data = take(bytes);
        return {data, data, &release, c10::Device(c10::DeviceType::CPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
#if HEARTH_ALLOCATOR_HAS_COPY_DATA
    void copy_data(void *to, const void *from, std::size_t bytes) const override {
        std::memcpy(to, from, bytes);
    }
#endif
};

/// What the heap holds beyond its blocks where the system gives huge pages unasked: of pages that blocks fill in part.
/// 5 MB usually, and more on a busy machine; without huge pages nothing.
qint64 partlyUsedPages() {
    constexpr qint64 pages = 4, hugePage = 2 << 20;
    QFile file(QStringLiteral("/sys/kernel/mm/transparent_hugepage/enabled"));
    return file.open(QIODevice::ReadOnly) && file.readAll().contains("[always]") ? pages * hugePage : 0;
}

/// A line of /proc/self/status.
qint64 statusBytes(const char *name) {
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (line.startsWith(name))
            return line.mid(qsizetype(std::strlen(name))).simplified().split(' ').front().toLongLong() * 1024;
    }
    return 0;
}

}  // namespace

void installTensorMemory() {
    static const bool once = [] {
        keepFreedMemory();
        // Lives as long as the process: tensors may be freed by destructors of static objects.
        static auto *allocator = new CountingAllocator;
        c10::SetCPUAllocator(allocator, 1);
        return true;
    }();
    Q_UNUSED(once)
}

TensorMemory tensorMemory() {
    return {heldBytes.load(std::memory_order_relaxed), peakBytes.load(std::memory_order_relaxed),
            limitBytes.load(std::memory_order_relaxed)};
}

void publishTensorUse() {
    heldBytes.fetch_add(0, std::memory_order_release);
}

void resetTensorPeak() {
    peakBytes.store(heldBytes.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void setTensorMemoryLimit(qint64 bytes) {
    limitBytes.store(bytes, std::memory_order_relaxed);
}

Result<void> checkRoom(ComputeDevice &device, qint64 bytes) {
    const TensorMemory memory = device.memory();
    const qint64 limit = memory.limit, held = memory.held + (device.isHost() ? heldBufferBytes() : 0);
    if (limit <= 0 || held + bytes <= limit)
        return {};
    Error error = noteRefusal(bytes, held, limit, device.runtimeBytes()).error();
    error.cause = sentence("Its layers take %1 bytes before the first sample, and %2 bytes are free.")
                      .arg(countText(bytes), countText(std::max<qint64>(0, limit - held)));
    return tl::unexpected(std::move(error));
}

void limitMemory(ComputeDevice &device, qint64 bytes) {
    device.setMemoryLimit(std::max<qint64>(1, (bytes > 0 ? bytes : device.physicalBytes()) - device.runtimeBytes()));
}

qint64 physicalBytes() {
    return static_cast<qint64>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

MemoryRefused::MemoryRefused(qint64 requestedBytes, qint64 held, qint64 limit)
    : m_requested(requestedBytes),
      m_held(held),
      m_limit(limit),
      m_text("tensor of " + std::to_string(requestedBytes) + " bytes refused, " + std::to_string(held) + " held") {}

Error MemoryRefused::error() const {
    const Sentence cause =
        m_limit > 0 ? sentence("A tensor of %1 bytes was needed while %2 bytes were held; the limit is %3 bytes.")
                          .arg(countText(m_requested), countText(m_held), countText(m_limit))
                    : sentence("A tensor of %1 bytes was needed while %2 bytes were held; the system gave no more.")
                          .arg(countText(m_requested), countText(m_held));
    return {QStringLiteral("worker.out-of-memory"), sentence("The worker ran out of memory."), cause,
            sentence("Use smaller micro-batches, more devices, or give this device more memory.")};
}

std::optional<MemoryShortage> lastMemoryShortage() {
    const qint64 needed = neededBytes.load(std::memory_order_relaxed);
    if (needed <= 0)
        return std::nullopt;
    const qint64 libraries = lastRuntime.load(std::memory_order_relaxed);
    return MemoryShortage{needed + libraries, availableBytes.load(std::memory_order_relaxed) + libraries};
}

MemoryRefused noteRefusal(qint64 requestedBytes, qint64 held, qint64 limit, qint64 runtimeOfIt) {
    neededBytes.store(requestedBytes + held, std::memory_order_relaxed);
    availableBytes.store(limit > 0 ? limit : held, std::memory_order_relaxed);
    lastRequested.store(requestedBytes, std::memory_order_relaxed);
    lastRuntime.store(runtimeOfIt, std::memory_order_relaxed);
    return {requestedBytes, held, limit};
}

Error lastRefusal() {
    const qint64 requested = lastRequested.load(std::memory_order_relaxed);
    return MemoryRefused(requested, neededBytes.load(std::memory_order_relaxed) - requested,
                         availableBytes.load(std::memory_order_relaxed))
        .error();
}

void measureRuntimeBytes() {
    static const qint64 partlyUsed = partlyUsedPages();
    const qint64 now = residentBytes() + partlyUsed - heldBytes.load() - heldBufferBytes();
    runtime.store(std::max(runtime.load(), now), std::memory_order_relaxed);
}

qint64 runtimeBytes() {
    return runtime.load(std::memory_order_relaxed);
}

qint64 residentBytes() {
    return statusBytes("VmRSS:");
}

qint64 residentPeakBytes() {
    return statusBytes("VmHWM:");
}

void resetResidentPeak() {
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly))
        file.write("5");
}

}  // namespace hearth
