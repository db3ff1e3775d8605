// Internal to core/data: how bright a pixel in colours is.
#pragma once

#include <QtGlobal>

namespace hearth {

/// As ITU-R BT.601 says, in whole numbers; `pixel` is red, green, blue.
inline int greyOf(const uchar *pixel) {
    return (pixel[0] * 19595 + pixel[1] * 38470 + pixel[2] * 7471 + (1 << 15)) >> 16;
}

}  // namespace hearth
