#include "core/data/arrays_dataset.h"

#include <QFileInfo>
#include <algorithm>
#include <cstring>

namespace hearth {
namespace {

constexpr qint64 pieceNumbers = 1 << 16;

bool isWhole(DType type) {
    return type == DType::Int64 || type == DType::Int32 || type == DType::UInt8;
}

template <class T>
void widen(const std::byte *from, std::size_t count, qint64 *to) {
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, from + i * sizeof value, sizeof value);
        to[i] = value;
    }
}

/// `from` has `count` whole numbers of `type`.
void widen(DType type, const std::byte *from, std::size_t count, qint64 *to) {
    if (type == DType::Int64)
        widen<qint64>(from, count, to);
    else if (type == DType::Int32)
        widen<qint32>(from, count, to);
    else
        widen<quint8>(from, count, to);
}

tl::unexpected<Error> wrongArrays(const QString &path, const Sentence &cause) {
    return fail(QStringLiteral("data.malformed"), sentence("%1 does not fit its data set.").arg(path), cause,
                sentence("Check which files belong together."));
}

std::optional<WholeRange> joined(const std::optional<WholeRange> &a, const std::optional<WholeRange> &b) {
    if (!a || !b)
        return a ? a : b;
    return WholeRange{std::min(a->least, b->least), std::max(a->most, b->most)};
}

}  // namespace

Result<std::shared_ptr<const NpyArray>> NpyArray::open(const QString &path) {
    auto array = std::make_shared<NpyArray>(path);
    if (!QFileInfo::exists(path)) {
        return fail(QStringLiteral("data.missing"), sentence("The data set is not whole."),
                    sentence("The file %1 does not exist.").arg(path),
                    sentence("Correct the path in the description of the data set."));
    }
    if (auto opened = array->m_file.open(); !opened)
        return tl::unexpected(opened.error());
    const qint64 size = array->m_file.size();
    QByteArray begin(std::min<qint64>(NpyLimits::headerBytes, size), Qt::Uninitialized);
    if (auto read = array->m_file.read(0, bytesOf(begin)); !read)
        return tl::unexpected(read.error());
    auto header = readNpyHeader(begin, size, path);
    if (!header)
        return tl::unexpected(header.error());
    if (header->bytes == 0)
        return wrongArrays(path, sentence("It has no samples, or nothing in them."));
    array->m_header = std::move(*header);
    return array;
}

Result<std::shared_ptr<const NpyArray>> NpyArray::inMemory(QByteArray content, const QString &source) {
    auto header = readNpyHeader(content.left(NpyLimits::headerBytes), content.size(), source);
    if (!header)
        return tl::unexpected(header.error());
    auto array = std::make_shared<NpyArray>(source);
    array->m_content = std::move(content);
    array->m_header = std::move(*header);
    if (array->m_header.bytes == 0)
        return wrongArrays(source, sentence("It has no samples, or nothing in them."));
    return array;
}

Result<void> NpyArray::readAt(qint64 position, std::span<std::byte> out) const {
    if (m_content.isEmpty())
        return m_file.read(m_header.offset + position, out);
    std::memcpy(out.data(), m_content.constData() + m_header.offset + position, out.size());
    return {};
}

Result<void> NpyArray::read(std::span<const qint64> indices, std::span<std::byte> out) const {
    const auto each = static_cast<std::size_t>(slot().bytes());
    Q_ASSERT(out.size() == indices.size() * each);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (auto done = readAt(indices[i] * static_cast<qint64>(each), out.subspan(i * each, each)); !done)
            return done;
    }
    return {};
}

Result<std::optional<WholeRange>> NpyArray::range(std::optional<qint64> ignored, const CheckProgress &progress) const {
    const qint64 size = byteSize(m_header.type), numbers = m_header.bytes / size;
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(numbers, pieceNumbers) * size));
    std::vector<qint64> values(static_cast<std::size_t>(std::min(numbers, pieceNumbers)));
    std::optional<WholeRange> found;
    for (qint64 first = 0; first < numbers; first += pieceNumbers) {
        if (auto on = mayGoOn(progress, 0); !on)
            return tl::unexpected(on.error());
        const auto count = static_cast<std::size_t>(std::min(pieceNumbers, numbers - first));
        if (auto done = readAt(first * size, std::span(bytes).first(count * static_cast<std::size_t>(size))); !done)
            return tl::unexpected(done.error());
        widen(m_header.type, bytes.data(), count, values.data());
        for (std::size_t i = 0; i < count; ++i) {
            if (values[i] != ignored)
                found = joined(found, WholeRange{values[i], values[i]});
        }
    }
    return found;
}

Result<ArraysDataset::Half> ArraysDataset::openHalf(const ArrayFiles &files) {
    Half half;
    auto labels = NpyArray::open(files.labels);
    if (!labels)
        return tl::unexpected(labels.error());
    half.labels = std::move(*labels);
    half.fileBytes = half.labels->fileBytes();
    for (const auto &[name, path] : files.inputs) {
        auto part = NpyArray::open(path);
        if (!part)
            return tl::unexpected(part.error());
        half.fileBytes += (*part)->fileBytes();
        half.parts.push_back(std::move(*part));
    }
    return half;
}

Result<void> ArraysDataset::addHalf(Half half, Split split, const CheckProgress &progress) {
    const Half &train = m_halves[0];
    for (std::size_t i = 0; i < half.parts.size(); ++i) {
        const NpyArray &array = *half.parts[i];
        if (array.samples() != half.labels->samples()) {
            return wrongArrays(array.path(), sentence("It has %1 {1|sample|samples}, and %2 has %3 {3|label|labels}.")
                                                 .arg(array.samples())
                                                 .arg(half.labels->path())
                                                 .arg(half.labels->samples()));
        }
        if (split == Split::Test && array.slot() != m_parts[i].slot) {
            return wrongArrays(
                array.path(),
                sentence("Its samples have another shape or type than those of %1.").arg(train.parts[i]->path()));
        }
        m_parts[i].slot = array.slot();
        if (array.header().type == DType::UInt8 || !isWhole(array.header().type))
            continue;
        const auto range = array.range({}, progress);
        if (!range)
            return tl::unexpected(range.error());
        m_parts[i].range = joined(m_parts[i].range, *range);
    }
    const bool areClasses = isWhole(half.labels->header().type);
    const Slot label{areClasses ? DType::Int64 : DType::Float32, half.labels->slot().shape, false};
    if (split == Split::Test && label != m_label)
        return wrongArrays(
            half.labels->path(),
            sentence("Its labels have another shape or type than those of %1.").arg(train.labels->path()));
    m_label = label;
    if (!areClasses) {
        m_halves[static_cast<std::size_t>(split)] = std::move(half);
        return {};
    }
    const auto range = half.labels->range(ignoredLabel, progress);
    if (!range)
        return tl::unexpected(range.error());
    if (*range && (*range)->least < 0) {
        return wrongArrays(half.labels->path(),
                           sentence("There is a label %1; classes count from 0, and %2 is ignored.")
                               .arg((*range)->least)
                               .arg(ignoredLabel));
    }
    const qint64 most = *range ? (*range)->most : 0;
    if (!m_labelNames.isEmpty() && most >= m_labelNames.size()) {
        return wrongArrays(half.labels->path(),
                           sentence("There is a label %1, but there {2|is|are} %2 {2|class|classes} (from 0).")
                               .arg(most)
                               .arg(m_labelNames.size()));
    }
    if (most >= INT_MAX)
        return wrongArrays(half.labels->path(), sentence("There is a label %1.").arg(most));
    m_classes = m_labelNames.isEmpty() ? std::max(m_classes, static_cast<int>(most) + 1)
                                       : static_cast<int>(m_labelNames.size());
    m_halves[static_cast<std::size_t>(split)] = std::move(half);
    return {};
}

Result<std::shared_ptr<const Dataset>> ArraysDataset::load(const ArraysDescription &description,
                                                           const CheckProgress &progress) {
    auto train = openHalf(description.train);
    if (!train)
        return tl::unexpected(train.error());
    auto test = openHalf(description.test);
    if (!test)
        return tl::unexpected(test.error());
    QStringList parts;
    for (const auto &[name, path] : description.train.inputs)
        parts << name;
    return of(description.name, description.labelNames, parts, std::move(*train), std::move(*test), progress);
}

Result<std::shared_ptr<const Dataset>> ArraysDataset::of(const QString &name, const QStringList &classes,
                                                         const QStringList &parts, Half train, Half test,
                                                         const CheckProgress &progress) {
    auto dataset = std::make_shared<ArraysDataset>();
    dataset->m_name = name;
    dataset->m_kind = QStringLiteral("arrays");
    dataset->m_labelNames = classes;
    dataset->m_fileBytes = train.fileBytes + test.fileBytes;
    for (const QString &part : parts)
        dataset->m_parts.push_back({part, {}, {}});
    if (auto added = dataset->addHalf(std::move(train), Split::Train, progress); !added)
        return tl::unexpected(added.error());
    if (auto added = dataset->addHalf(std::move(test), Split::Test, progress); !added)
        return tl::unexpected(added.error());
    return dataset;
}

Result<void> ArraysDataset::readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                                        std::span<std::byte> out) const {
    return half(split).parts[part]->read(indices, out);
}

Result<void> ArraysDataset::readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const {
    const NpyArray &labels = *half(split).labels;
    if (labels.header().type == m_label.dtype)
        return labels.read(indices, out);
    const auto numbers = indices.size() * static_cast<std::size_t>(labels.slot().elements());
    std::vector<std::byte> bytes(numbers * static_cast<std::size_t>(byteSize(labels.header().type)));
    if (auto read = labels.read(indices, bytes); !read)
        return read;
    std::vector<qint64> values(numbers);
    widen(labels.header().type, bytes.data(), numbers, values.data());
    std::memcpy(out.data(), values.data(), out.size());
    return {};
}

}  // namespace hearth
