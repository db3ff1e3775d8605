#include "core/data/idx_files.h"

#include <QFileInfo>

#include "core/data/idx.h"
#include "core/data/memory_pictures.h"
#include "core/data/watched_file.h"

namespace hearth {
namespace {

Result<IdxArray> readFile(const QString &path, const IdxDescription &description, const CheckProgress &progress) {
    WatchedFile file(path, progress);
    if (!file.exists()) {
        const Sentence advice =
            description.package.isEmpty()
                ? sentence("Correct the path in the description of the data set.")
                : sentence("It comes with the package %1: run \"sudo apt install %1\".").arg(description.package);
        return fail(QStringLiteral("data.missing"), sentence("The data set \"%1\" is not here.").arg(description.name),
                    sentence("The file %1 does not exist.").arg(path), advice);
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(QStringLiteral("data.unreadable"), sentence("The file %1 could not be read.").arg(path),
                    file.errorString() + QLatin1Char('.'), sentence("Check its permissions."));
    }
    auto array = readIdx(file, path);
    if (file.isGivenUp())
        return lookGivenUp();
    return array;
}

tl::unexpected<Error> wrongIdxFiles(const QString &path, const Sentence &cause) {
    return fail(QStringLiteral("data.malformed"), sentence("%1 does not fit its data set.").arg(path), cause,
                sentence("Check which files belong together."));
}

struct Loaded {
    std::vector<qint64> sampleShape;
    QByteArray images, labels;
};

Result<Loaded> loadHalf(const IdxFiles &files, const IdxDescription &description, const CheckProgress &progress) {
    auto images = readFile(files.images, description, progress);
    if (!images)
        return tl::unexpected(images.error());
    auto labels = readFile(files.labels, description, progress);
    if (!labels)
        return tl::unexpected(labels.error());
    const auto rank = images->shape.size();
    if (rank < 3)
        return wrongIdxFiles(
            files.images, sentence("Images have 3 dimensions (count, height, width) or 4, these have %1.").arg(rank));
    if (labels->shape.size() != 1)
        return wrongIdxFiles(files.labels,
                             sentence("Labels have 1 dimension, these have %1.").arg(labels->shape.size()));
    if (images->shape[0] != labels->shape[0]) {
        return wrongIdxFiles(files.labels,
                             sentence("There {1|is|are} %1 {1|label|labels} for the %2 {2|image|images} of %3.")
                                 .arg(labels->shape[0])
                                 .arg(images->shape[0])
                                 .arg(files.images));
    }
    for (qsizetype i = 0; i < labels->bytes.size(); ++i) {
        const int label = static_cast<unsigned char>(labels->bytes[i]);
        if (label >= description.labelNames.size()) {
            return wrongIdxFiles(files.labels,
                                 sentence("Label %1 is %2, but there {3|is|are} %3 {3|class|classes} (from 0).")
                                     .arg(i)
                                     .arg(label)
                                     .arg(description.labelNames.size()));
        }
    }
    Loaded loaded;
    loaded.sampleShape.assign(images->shape.begin() + 1, images->shape.end());
    if (rank == 3)
        loaded.sampleShape.insert(loaded.sampleShape.begin(), 1);
    loaded.images = std::move(images->bytes);
    loaded.labels = std::move(labels->bytes);
    return loaded;
}

}  // namespace

Result<std::shared_ptr<const Dataset>> loadIdx(const IdxDescription &description, const CheckProgress &progress) {
    MemoryPictures::Parts parts;
    std::vector<qint64> shape;
    qint64 bytes = 0;
    for (const Split split : {Split::Train, Split::Test}) {
        const IdxFiles &files = split == Split::Train ? description.train : description.test;
        auto loaded = loadHalf(files, description, progress);
        if (!loaded)
            return tl::unexpected(loaded.error());
        if (split == Split::Test && loaded->sampleShape != shape)
            return wrongIdxFiles(
                files.images, sentence("Its images have another size than those of %1.").arg(description.train.images));
        shape = loaded->sampleShape;
        parts[static_cast<std::size_t>(split)] = {std::move(loaded->images), std::move(loaded->labels)};
        bytes += QFileInfo(files.images).size() + QFileInfo(files.labels).size();
    }
    return std::make_shared<MemoryPictures>(description.name, QStringLiteral("images"), description.labelNames, shape,
                                            std::move(parts), bytes);
}

}  // namespace hearth
