#include "core/data/picture_memory.h"

#include <utility>

#include "core/data/picture_file.h"

namespace hearth {

ByteBudget &pictureFileMemory() {
    static ByteBudget budget(PictureLimits::fileBytes);
    return budget;
}

ByteBudget &pictureMemory() {
    static ByteBudget budget(PictureLimits::decodedBytes);
    return budget;
}

QImage holding(const QImage &picture, ByteBudget::Lease memory) {
    using Held = std::pair<QImage, ByteBudget::Lease>;
    auto *held = new Held(picture, std::move(memory));
    const QImage &kept = held->first;
    return {kept.constBits(),
            kept.width(),
            kept.height(),
            kept.bytesPerLine(),
            kept.format(),
            [](void *given) { delete static_cast<Held *>(given); },
            held};
}

}  // namespace hearth
