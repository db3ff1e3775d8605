// Internal to core/data: what all threads together hold of files and pictures, however large a single one is.
#pragma once

#include <QImage>

#include "core/data/byte_budget.h"

namespace hearth {

/// Of files that are read and not decoded yet: the largest one, or many small ones.
ByteBudget &pictureFileMemory();
/// Of pictures that are decoded, and of what decoding takes. Taken after that of the file, by nobody who holds another
/// picture.
ByteBudget &pictureMemory();
/// `picture`, which holds `memory` as long as it or a copy of it is used.
QImage holding(const QImage &picture, ByteBudget::Lease memory);

}  // namespace hearth
