// Internal to core/data: which way up a camera was held.
#pragma once

#include <cstddef>
#include <span>

namespace hearth {

/// How the stored picture becomes the upright one, as Exif 2.3 counts (tag 0x0112): 1 as it is, 2 mirrored left to
/// right, 3 turned by 180°, 4 mirrored top to bottom, 5 to 8 the same with rows and columns swapped. `segment` is what
/// the APP1 segment of a JPEG holds. 1 where it says nothing, or nonsense. Reads nothing else.
int exifOrientation(std::span<const std::byte> segment);

}  // namespace hearth
