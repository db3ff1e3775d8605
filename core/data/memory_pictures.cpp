#include "core/data/memory_pictures.h"

#include <cstring>

namespace hearth {

MemoryPictures::MemoryPictures(const QString &name, const QString &kind, const QStringList &classes,
                               const std::vector<qint64> &shape, Parts parts, qint64 fileBytes)
    : m_splits(std::move(parts)) {
    m_name = name;
    m_kind = kind;
    m_fileBytes = fileBytes;
    m_label = {DType::Int64, {}, false};
    m_labelNames = classes;
    m_classes = static_cast<int>(classes.size());
    m_parts = {{QStringLiteral("picture"), {DType::UInt8, shape, false}, {}}};
}

qint64 MemoryPictures::count(Split split) const {
    return of(split).labels.size();
}

Result<void> MemoryPictures::readSamples(Split split, std::size_t, std::span<const qint64> indices,
                                         std::span<std::byte> out) const {
    const qint64 bytes = sample().bytes();
    Q_ASSERT(static_cast<qint64>(out.size()) == static_cast<qint64>(indices.size()) * bytes);
    const char *pictures = of(split).pictures.constData();
    std::byte *to = out.data();
    for (const qint64 index : indices) {
        Q_ASSERT(index >= 0 && index < count(split));
        std::memcpy(to, pictures + index * bytes, static_cast<std::size_t>(bytes));
        to += bytes;
    }
    return {};
}

Result<void> MemoryPictures::readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const {
    Q_ASSERT(out.size() == indices.size() * sizeof(qint64));
    const QByteArray &labels = of(split).labels;
    std::byte *to = out.data();
    for (const qint64 index : indices) {
        const qint64 label = static_cast<unsigned char>(labels.at(index));
        std::memcpy(to, &label, sizeof label);
        to += sizeof label;
    }
    return {};
}

}  // namespace hearth
