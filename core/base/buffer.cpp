#include "core/base/buffer.h"

#include <atomic>

#include "core/base/buffer_bytes.h"
#include "core/base/no_memory.h"

namespace hearth {
namespace {

std::atomic<qint64> held{0};

}  // namespace

qint64 heldBufferBytes() {
    return held.load(std::memory_order_relaxed);
}

std::shared_ptr<Buffer> Buffer::allocate(qsizetype bytes) {
    auto *memory = static_cast<std::byte *>(
        ::operator new (static_cast<std::size_t>(bytes > 0 ? bytes : 1), std::align_val_t{alignment}, std::nothrow));
    if (!memory)
        throw NoMemory(bytes);
    held.fetch_add(bytes, std::memory_order_relaxed);
    return std::shared_ptr<Buffer>(new Buffer(memory, bytes));
}

Buffer::~Buffer() {
    held.fetch_sub(m_size, std::memory_order_relaxed);
    ::operator delete (m_data, std::align_val_t{alignment});
}

}  // namespace hearth
