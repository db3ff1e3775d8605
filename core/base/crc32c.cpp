#include "core/base/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace hearth {
namespace {

constexpr quint32 polynomial = 0x82f63b78;  // reflected

/// tables[k][b]: the effect of byte b followed by k zero bytes, so that eight bytes are folded in at once.
constexpr auto makeTables() {
    std::array<std::array<quint32, 256>, 8> tables{};
    for (quint32 byte = 0; byte < 256; ++byte) {
        quint32 crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) ? polynomial : 0);
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const quint32 previous = tables[k - 1][byte];
            tables[k][byte] = (previous >> 8) ^ tables[0][previous & 0xff];
        }
    }
    return tables;
}
constexpr auto tables = makeTables();

quint64 loadLittleEndian(const std::byte *from) {
    quint64 value = 0;
    for (int i = 7; i >= 0; --i)
        value = (value << 8) | static_cast<quint64>(from[i]);
    return value;
}

using Update = quint32 (*)(quint32 state, const std::byte *data, std::size_t size);

quint32 updateByTable(quint32 state, const std::byte *data, std::size_t size) {
    for (; size >= 8; data += 8, size -= 8) {
        const quint64 block = loadLittleEndian(data) ^ state;
        state = 0;
        for (std::size_t i = 0; i < 8; ++i)
            state ^= tables[7 - i][(block >> (8 * i)) & 0xff];
    }
    for (; size > 0; ++data, --size)
        state = (state >> 8) ^ tables[0][(state ^ static_cast<quint32>(*data)) & 0xff];
    return state;
}

#if defined(__x86_64__)

/// Multiplies the checksum by x^(8 * laneBytes) modulo the polynomial: what laneBytes zero bytes after it would do.
constexpr std::size_t laneBytes = 1024;

constexpr quint32 throughZeros(quint32 crc, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        crc = (crc >> 8) ^ tables[0][crc & 0xff];
    return crc;
}

auto makeShift() {
    std::array<std::array<quint32, 256>, 4> shift{};
    for (quint32 position = 0; position < 4; ++position) {
        for (quint32 byte = 0; byte < 256; ++byte)
            shift[position][byte] = throughZeros(byte << (8 * position), laneBytes);
    }
    return shift;
}

__attribute__((target("sse4.2"))) quint32 updateBySse42(quint32 state, const std::byte *data, std::size_t size) {
    static const auto shift = makeShift();
    const auto load = [](const std::byte *from) {
        quint64 value;
        std::memcpy(&value, from, sizeof value);
        return value;
    };
    const auto shifted = [](quint64 crc) {
        return shift[0][crc & 0xff] ^ shift[1][(crc >> 8) & 0xff] ^ shift[2][(crc >> 16) & 0xff] ^
               shift[3][(crc >> 24) & 0xff];
    };
    // The instruction takes three cycles but one can start in each: three lanes side by side keep the unit busy.
    for (; size >= 3 * laneBytes; data += 3 * laneBytes, size -= 3 * laneBytes) {
        quint64 a = state;
        quint64 b = 0;
        quint64 c = 0;
        for (std::size_t i = 0; i < laneBytes; i += 8) {
            a = _mm_crc32_u64(a, load(data + i));
            b = _mm_crc32_u64(b, load(data + laneBytes + i));
            c = _mm_crc32_u64(c, load(data + 2 * laneBytes + i));
        }
        state = shifted(shifted(a) ^ b) ^ static_cast<quint32>(c);
    }
    quint64 wide = state;
    for (; size >= 8; data += 8, size -= 8)
        wide = _mm_crc32_u64(wide, load(data));
    state = static_cast<quint32>(wide);
    for (; size > 0; ++data, --size)
        state = _mm_crc32_u8(state, static_cast<unsigned char>(*data));
    return state;
}

Update fastest() {
    return __builtin_cpu_supports("sse4.2") ? updateBySse42 : updateByTable;
}

#elif defined(__aarch64__) && defined(__linux__)

quint32 updateByArmCrc(quint32 state, const std::byte *data, std::size_t size) {
    for (; size >= 8; data += 8, size -= 8) {
        quint64 block;
        std::memcpy(&block, data, sizeof block);
        __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(state) : "r"(block));
    }
    return updateByTable(state, data, size);
}

Update fastest() {
    return (getauxval(AT_HWCAP) & HWCAP_CRC32) ? updateByArmCrc : updateByTable;
}

#else

Update fastest() {
    return updateByTable;
}

#endif

}  // namespace

quint32 crc32c(std::span<const std::byte> bytes, quint32 before) {
    static const Update update = fastest();
    return ~update(~before, bytes.data(), bytes.size());
}

quint32 crc32cByTable(std::span<const std::byte> bytes, quint32 before) {
    return ~updateByTable(~before, bytes.data(), bytes.size());
}

}  // namespace hearth
