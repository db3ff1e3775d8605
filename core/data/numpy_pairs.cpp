#include "core/data/numpy_pairs.h"

#include <QFileInfo>
#include <algorithm>
#include <map>

#include "core/data/archive.h"
#include "core/data/arrays_dataset.h"
#include "core/data/memory_pictures.h"

namespace hearth {
namespace {

constexpr qint64 mostPairBytes = qint64{8} << 30;
constexpr int mostByteClasses = 256;

using Arrays = std::map<QString, std::shared_ptr<const NpyArray>>;

const QStringList &names() {
    static const QStringList all{QStringLiteral("x_train"), QStringLiteral("y_train"), QStringLiteral("x_test"),
                                 QStringLiteral("y_test")};
    return all;
}

tl::unexpected<Error> wrongPairs(const QString &path, const Sentence &cause) {
    return fail(QStringLiteral("data.malformed"), sentence("%1 makes no data set.").arg(path), cause,
                sentence("It should have the arrays x_train, y_train, x_test and y_test."));
}

Result<std::shared_ptr<const NpyArray>> readArray(ArchivedFile &file, qint64 room, const QString &source) {
    auto content = file.read(NpyLimits::headerBytes);
    if (!content)
        return tl::unexpected(content.error());
    // The header says how much there is; nothing beyond is read, and what is missing is found afterwards.
    const auto told = readNpyBeginning(*content, source);
    if (!told)
        return tl::unexpected(told.error());
    const qint64 whole = told->offset + told->bytes;
    if (whole > room)
        return wrongPairs(
            source, sentence("It has %1 bytes, more than is held in memory. Unpack it into a folder.").arg(whole));
    if (content->size() < whole) {
        const auto rest = file.read(whole - content->size());
        if (!rest)
            return tl::unexpected(rest.error());
        *content += *rest;
    }
    return NpyArray::inMemory(std::move(*content), source);
}

Result<Arrays> readArrays(const QString &path, const CheckProgress &progress) {
    Arrays arrays;
    if (QFileInfo(path).isDir()) {
        for (const QString &name : names()) {
            auto array = NpyArray::open(path + QLatin1Char('/') + name + QStringLiteral(".npy"));
            if (!array)
                return tl::unexpected(array.error());
            arrays[name] = std::move(*array);
        }
        return arrays;
    }
    qint64 room = mostPairBytes;
    const auto take = [&](ArchivedFile &file) -> Result<void> {
        const QString name = QString(file.name()).remove(QStringLiteral(".npy"));
        if (!names().contains(name))
            return {};
        auto array = readArray(file, room, path + QLatin1Char(':') + name);
        if (!array)
            return tl::unexpected(array.error());
        room -= (*array)->fileBytes();
        arrays[name] = std::move(*array);
        return {};
    };
    if (auto read = readArchive(path, take, progress); !read)
        return tl::unexpected(read.error());
    for (const QString &name : names()) {
        if (!arrays.contains(name))
            return wrongPairs(path, sentence("It has no array %1.").arg(name));
    }
    return arrays;
}

/// How pictures lie in an array; nothing: they are none.
struct Layout {
    std::vector<qint64> shape;  // {c, h, w}
    bool channelsLast = false;
};

std::optional<Layout> layoutOf(const NpyHeader &header) {
    const auto isColour = [](qint64 channels) { return channels == 1 || channels == 3; };
    const std::vector<qint64> &shape = header.shape;
    if (header.type != DType::UInt8)
        return std::nullopt;
    if (shape.size() == 3)
        return Layout{{1, shape[1], shape[2]}};
    if (shape.size() != 4)
        return std::nullopt;
    // Where both could be: colours are likelier than a row of pixels that is three wide.
    if (isColour(shape[3]) && shape[1] != 3)
        return Layout{{shape[3], shape[1], shape[2]}, true};
    return isColour(shape[1]) ? std::optional(Layout{{shape[1], shape[2], shape[3]}}) : std::nullopt;
}

Result<QByteArray> picturesIn(const NpyArray &array, const Layout &layout, const CheckProgress &progress) {
    if (array.header().bytes > mostPairBytes)
        return wrongPairs(array.path(),
                          sentence("It has %1 bytes, more than is held in memory.").arg(array.header().bytes));
    QByteArray bytes(array.header().bytes, Qt::Uninitialized);
    const std::span<std::byte> all = bytesOf(bytes);
    const auto each = static_cast<std::size_t>(array.slot().bytes());
    for (qint64 n = 0; n < array.samples(); ++n) {
        if (auto on = mayGoOn(progress, 0); !on)
            return tl::unexpected(on.error());
        if (auto read = array.read(std::span(&n, 1), all.subspan(static_cast<std::size_t>(n) * each, each)); !read)
            return tl::unexpected(read.error());
    }
    if (!layout.channelsLast)
        return bytes;
    const qint64 channels = layout.shape[0], pixels = layout.shape[1] * layout.shape[2];
    QByteArray turned(bytes.size(), Qt::Uninitialized);
    for (qint64 n = 0; n < array.samples(); ++n) {
        if (auto on = mayGoOn(progress, 0); !on)
            return tl::unexpected(on.error());
        const char *from = bytes.constData() + n * channels * pixels;
        char *to = turned.data() + n * channels * pixels;
        for (qint64 c = 0; c < channels; ++c) {
            for (qint64 i = 0; i < pixels; ++i)
                to[c * pixels + i] = from[i * channels + c];
        }
    }
    return turned;
}

/// A byte each; nothing where they are no class numbers that go into one.
Result<std::optional<QByteArray>> classesIn(const NpyArray &array, const CheckProgress &progress) {
    const std::vector<qint64> &shape = array.header().shape;
    if (array.header().type == DType::Float32 || (shape.size() > 1 && array.slot().elements() != 1))
        return std::nullopt;
    const auto range = array.range({}, progress);
    if (!range)
        return tl::unexpected(range.error());
    if (!*range || (*range)->least < 0 || (*range)->most >= mostByteClasses)
        return std::nullopt;
    const qint64 each = byteSize(array.header().type);
    QByteArray classes(array.samples(), '\0'), value(each, '\0');
    for (qint64 i = 0; i < array.samples(); ++i) {
        if (auto on = mayGoOn(progress, 0); !on)
            return tl::unexpected(on.error());
        if (auto read = array.read(std::span(&i, 1),
                                   std::as_writable_bytes(std::span(value.data(), static_cast<std::size_t>(each))));
            !read)
            return tl::unexpected(read.error());
        classes[i] = value[0];  // little-endian and below 256
    }
    return classes;
}

Result<std::shared_ptr<const Dataset>> picturesOfArrays(const QString &name, const QString &path, const Arrays &arrays,
                                                        const Layout &layout, const CheckProgress &progress) {
    MemoryPictures::Parts parts;
    int most = 0;
    qint64 bytes = 0;
    for (const Split split : {Split::Train, Split::Test}) {
        const QString suffix = split == Split::Train ? QStringLiteral("_train") : QStringLiteral("_test");
        const NpyArray &x = *arrays.at(QLatin1Char('x') + suffix), &y = *arrays.at(QLatin1Char('y') + suffix);
        if (x.samples() != y.samples()) {
            return wrongPairs(
                path,
                sentence("It has %1 {1|picture|pictures} and %2 {2|label|labels}.").arg(x.samples()).arg(y.samples()));
        }
        const auto own = layoutOf(x.header());
        if (!own || own->shape != layout.shape || own->channelsLast != layout.channelsLast)
            return wrongPairs(path, sentence("x_train and x_test have other shapes or types."));
        auto pictures = picturesIn(x, layout, progress);
        if (!pictures)
            return tl::unexpected(pictures.error());
        auto classes = classesIn(y, progress);
        if (!classes)
            return tl::unexpected(classes.error());
        if (!*classes)
            return wrongPairs(path, sentence("The labels of pictures must be one whole number each, from 0 to 255."));
        for (const char label : std::as_const(**classes))
            most = std::max(most, static_cast<int>(static_cast<unsigned char>(label)));
        bytes += x.fileBytes() + y.fileBytes();
        parts[static_cast<std::size_t>(split)] = {std::move(*pictures), std::move(**classes)};
    }
    QStringList classes;
    for (int i = 0; i <= most; ++i)
        classes << QString::number(i);
    return std::make_shared<MemoryPictures>(name, QStringLiteral("arrays"), classes, layout.shape, std::move(parts),
                                            bytes);
}

}  // namespace

bool isNumpyPair(const QString &path) {
    const QFileInfo info(path);
    return info.isDir() ? QFileInfo(path + QStringLiteral("/x_train.npy")).isFile()
                        : info.suffix().toLower() == QLatin1String("npz");
}

Result<std::shared_ptr<const Dataset>> loadNumpyPair(const QString &name, const QString &path,
                                                     const CheckProgress &progress) {
    auto arrays = readArrays(path, progress);
    if (!arrays)
        return tl::unexpected(arrays.error());
    if (const auto layout = layoutOf((*arrays)[QStringLiteral("x_train")]->header()))
        return picturesOfArrays(name, path, *arrays, *layout, progress);
    const auto half = [&](const QString &suffix) {
        return ArraysDataset::Half{
            {(*arrays)[QLatin1Char('x') + suffix]},
            (*arrays)[QLatin1Char('y') + suffix],
            (*arrays)[QLatin1Char('x') + suffix]->fileBytes() + (*arrays)[QLatin1Char('y') + suffix]->fileBytes()};
    };
    return ArraysDataset::of(name, {}, {QStringLiteral("x")}, half(QStringLiteral("_train")),
                             half(QStringLiteral("_test")), progress);
}

}  // namespace hearth
