#include "core/wire/byte_planes.h"

#include <zstd.h>

#include <QtEndian>
#include <cstring>

// The lengths of the packed planes, 32 bits each, the planes, and the bytes behind the last whole number. A plane that
// does not get shorter is there as it is, with its own length.
namespace hearth {
namespace {

constexpr int planesLevel = 1;  // higher ones are slower and gain nothing on weights

struct Free {
    void operator()(ZSTD_CCtx *context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx *context) const { ZSTD_freeDCtx(context); }
};

/// What is read from and written to by turns; of a single plane the bytes themselves.
std::shared_ptr<Buffer> roomForPlane(std::size_t planes, std::size_t length) {
    return Buffer::allocate(planes > 1 ? static_cast<qsizetype>(length) : 0);
}

}  // namespace

std::shared_ptr<Buffer> packPlanes(std::span<const std::byte> raw, std::size_t planes) {
    Q_ASSERT(planes >= 1 && planes <= mostPlanes);
    const std::size_t length = raw.size() / planes, lengthsBytes = planes * sizeof(quint32);
    if (length == 0 || raw.size() > mostPlaneBytes)
        return nullptr;
    // Kept by the thread: its megabyte of new memory takes longer than a chunk's compression.
    thread_local const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    const std::shared_ptr<Buffer> room = roomForPlane(planes, length);
    const std::shared_ptr<Buffer> packed =
        Buffer::allocate(static_cast<qsizetype>(lengthsBytes) + static_cast<qsizetype>(raw.size()));
    std::size_t at = lengthsBytes;
    for (std::size_t p = 0; p < planes; ++p) {
        const std::byte *plane = planes > 1 ? room->data() : raw.data();
        for (std::size_t i = 0; planes > 1 && i < length; ++i)
            room->data()[i] = raw[planes * i + p];
        std::size_t written = ZSTD_compressCCtx(context.get(), packed->data() + at, length, plane, length, planesLevel);
        if (ZSTD_isError(written) || written >= length) {  // also where it needs more room than the plane itself
            std::memcpy(packed->data() + at, plane, length);
            written = length;
        }
        qToLittleEndian(static_cast<quint32>(written), packed->data() + p * sizeof(quint32));
        at += written;
    }
    const std::size_t tail = raw.size() % planes;
    if (at + tail >= raw.size())
        return nullptr;
    std::memcpy(packed->data() + at, raw.data() + raw.size() - tail, tail);
    std::shared_ptr<Buffer> exact = Buffer::allocate(static_cast<qsizetype>(at) + static_cast<qsizetype>(tail));
    std::memcpy(exact->data(), packed->data(), at + tail);
    return exact;
}

bool unpackPlanes(std::span<const std::byte> packed, std::span<std::byte> raw, std::size_t planes) {
    Q_ASSERT(planes >= 1 && planes <= mostPlanes);
    const std::size_t length = raw.size() / planes, tail = raw.size() % planes, lengthsBytes = planes * sizeof(quint32);
    if (length == 0 || raw.size() > mostPlaneBytes || packed.size() < lengthsBytes)
        return false;
    thread_local const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    const std::shared_ptr<Buffer> room = roomForPlane(planes, length);
    std::size_t at = lengthsBytes;
    for (std::size_t p = 0; p < planes; ++p) {
        const std::size_t written = qFromLittleEndian<quint32>(packed.data() + p * sizeof(quint32));
        if (written > length || written > packed.size() - at)
            return false;
        std::byte *plane = planes > 1 ? room->data() : raw.data();
        // Never beyond the plane, whatever the frame says of itself.
        if (written == length)
            std::memcpy(plane, packed.data() + at, length);
        else if (ZSTD_decompressDCtx(context.get(), plane, length, packed.data() + at, written) != length)
            return false;
        for (std::size_t i = 0; planes > 1 && i < length; ++i)
            raw[planes * i + p] = plane[i];
        at += written;
    }
    if (packed.size() - at != tail)
        return false;
    std::memcpy(raw.data() + raw.size() - tail, packed.data() + at, tail);
    return true;
}

}  // namespace hearth
