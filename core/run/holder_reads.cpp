#include "core/run/holder_reads.h"

#include <cstring>

namespace hearth {

Result<void> HolderReads::read(const HolderCall &call, std::span<std::byte> out) {
    std::unique_lock lock(m_mutex);
    if (!m_send)
        return tl::unexpected(m_away);
    Read read{out, 0, false, {}};
    const quint64 request = ++m_last;
    m_reads[request] = &read;
    m_send(request, call);
    m_settled.wait(lock, [&read] { return read.result.has_value(); });
    m_reads.erase(request);
    return *read.result;
}

void HolderReads::connected(Send send) {
    const std::lock_guard lock(m_mutex);
    if (!m_isFinal)
        m_send = std::move(send);
}

void HolderReads::away(const Error &reason) {
    const std::lock_guard lock(m_mutex);
    if (!m_isFinal)
        failAll(reason);
}

void HolderReads::final(const Error &reason) {
    const std::lock_guard lock(m_mutex);
    if (m_isFinal)
        return;
    failAll(reason);
    m_isFinal = true;
}

void HolderReads::failAll(const Error &reason) {
    m_send = nullptr;
    m_away = reason;
    for (const auto &[request, read] : m_reads) {
        if (!read->result)
            read->result = tl::unexpected(reason);
    }
    m_settled.notify_all();
}

bool HolderReads::take(quint64 request, std::span<const std::byte> bytes) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_reads.find(request);
    if (found == m_reads.end() || found->second->result)
        return true;
    Read &read = *found->second;
    if (bytes.size() > read.out.size() - read.filled)
        return false;
    std::memcpy(read.out.data() + read.filled, bytes.data(), bytes.size());
    read.filled += bytes.size();
    settle(read);
    return true;
}

void HolderReads::end(quint64 request, const Result<void> &end) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_reads.find(request);
    if (found == m_reads.end() || found->second->result)
        return;
    Read &read = *found->second;
    read.hasEnded = true;
    if (!end)
        read.result = tl::unexpected(end.error());
    settle(read);
    if (!end)
        m_settled.notify_all();
}

void HolderReads::settle(Read &read) {
    if (!read.hasEnded || read.result || read.filled < read.out.size())
        return;
    read.result = Result<void>();
    m_settled.notify_all();
}

}  // namespace hearth
