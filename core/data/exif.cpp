#include "core/data/exif.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hearth {
namespace {

constexpr std::array<unsigned char, 6> signature{'E', 'x', 'i', 'f', 0, 0};
constexpr std::size_t entryBytes = 12;
constexpr unsigned orientationTag = 0x0112, shortType = 3;

/// A TIFF file in memory; what lies outside reads as 0.
class Tiff {
  public:
    explicit Tiff(std::span<const std::byte> bytes) : m_bytes(bytes), m_bigEndian(at(0) == 'M') {}

    bool isOne() const { return at(0) == at(1) && (at(0) == 'M' || at(0) == 'I') && two(2) == 42; }
    unsigned two(std::size_t place) const {
        const unsigned first = at(place), second = at(place + 1);
        return m_bigEndian ? first << 8 | second : second << 8 | first;
    }
    std::uint32_t four(std::size_t place) const {
        const std::uint32_t first = two(place), second = two(place + 2);
        return m_bigEndian ? first << 16 | second : second << 16 | first;
    }
    std::size_t size() const { return m_bytes.size(); }

  private:
    unsigned at(std::size_t place) const {
        return place < m_bytes.size() ? std::to_integer<unsigned>(m_bytes[place]) : 0;
    }

    std::span<const std::byte> m_bytes;
    bool m_bigEndian;
};

}  // namespace

int exifOrientation(std::span<const std::byte> segment) {
    const auto same = [](std::byte a, unsigned char b) { return std::to_integer<unsigned char>(a) == b; };
    if (segment.size() < signature.size() || !std::equal(signature.begin(), signature.end(), segment.begin(),
                                                         [&](unsigned char a, std::byte b) { return same(b, a); }))
        return 1;
    const Tiff tiff(segment.subspan(signature.size()));
    if (!tiff.isOne())
        return 1;
    const std::size_t directory = tiff.four(4);
    const unsigned entries = tiff.two(directory);
    for (unsigned i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + i * entryBytes;
        if (entry + entryBytes > tiff.size())
            return 1;
        if (tiff.two(entry) != orientationTag)
            continue;
        const unsigned orientation = tiff.two(entry + 8);
        return tiff.two(entry + 2) == shortType && orientation >= 1 && orientation <= 8 ? static_cast<int>(orientation)
                                                                                        : 1;
    }
    return 1;
}

}  // namespace hearth
