#include "core/base/buffer.h"

#include "core/base/no_memory.h"

namespace hearth {

std::shared_ptr<Buffer> Buffer::allocate(qsizetype bytes) {
    auto *memory = static_cast<std::byte *>(
        ::operator new (static_cast<std::size_t>(bytes > 0 ? bytes : 1), std::align_val_t{alignment}, std::nothrow));
    if (!memory)
        throw NoMemory(bytes);
    return std::shared_ptr<Buffer>(new Buffer(memory, bytes));
}

Buffer::~Buffer() {
    ::operator delete (m_data, std::align_val_t{alignment});
}

}  // namespace hearth
