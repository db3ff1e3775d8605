// CRC-32C (Castagnoli), as iSCSI and SSE4.2 have it: the checksum of tensor frames and of TensorBoard files.
#pragma once

#include <QtGlobal>
#include <cstddef>
#include <span>

namespace hearth {

/// The checksum of `bytes` appended to what gave `before` (0 for nothing). Any thread.
quint32 crc32c(std::span<const std::byte> bytes, quint32 before = 0);
/// The same without special instructions; for machines that lack them and for tests.
quint32 crc32cByTable(std::span<const std::byte> bytes, quint32 before = 0);

}  // namespace hearth
