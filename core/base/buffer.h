// Aligned, reference-counted bytes that pass between sockets and tensors without a copy.
#pragma once

#include <QtGlobal>
#include <cstddef>
#include <memory>
#include <span>

namespace hearth {

/// Uninitialised memory, 64-byte aligned (what oneDNN and AVX-512 loads want). Movable by pointer only; the owner is
/// whoever holds the shared_ptr. Any thread may read; writing needs the only reference.
class Buffer {
  public:
    static constexpr std::size_t alignment = 64;
    static std::shared_ptr<Buffer> allocate(qsizetype bytes);
    ~Buffer();
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;

    std::byte *data() { return m_data; }
    const std::byte *data() const { return m_data; }
    qsizetype size() const { return m_size; }
    std::span<std::byte> bytes() { return {m_data, static_cast<std::size_t>(m_size)}; }
    std::span<const std::byte> bytes() const { return {m_data, static_cast<std::size_t>(m_size)}; }

  private:
    Buffer(std::byte *data, qsizetype size) : m_data(data), m_size(size) {}
    std::byte *m_data;
    qsizetype m_size;
};

/// Bytes to send, kept alive by `owner` until they are written (a Buffer, a torch::Tensor in a shared_ptr, a mapping).
struct Payload {
    const std::byte *data = nullptr;
    qsizetype size = 0;
    std::shared_ptr<const void> owner;

    static Payload of(std::shared_ptr<const Buffer> buffer) {
        const std::byte *bytes = buffer->data();
        const qsizetype count = buffer->size();
        return {bytes, count, std::move(buffer)};
    }
};

}  // namespace hearth
