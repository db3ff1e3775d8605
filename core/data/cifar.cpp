#include "core/data/cifar.h"

#include <QDir>
#include <QFileInfo>
#include <map>

#include "core/base/files.h"
#include "core/base/foreign_file.h"
#include "core/data/archive.h"
#include "core/data/memory_pictures.h"
#include "core/data/watched_file.h"

namespace hearth {
namespace {

constexpr qint64 side = 32, cifarChannels = 3;
constexpr qsizetype pictureBytes = cifarChannels * side * side;
/// Of one file: CIFAR-100's largest has 154 MB.
constexpr qint64 mostFileBytes = qint64{512} << 20;
/// Files of other names before the first one of CIFAR: its archives have few files in all.
constexpr int mostOthers = 100;

/// Their content by the last part of their names.
using Files = std::map<QString, QByteArray>;

bool isWanted(const QString &name) {
    return name.endsWith(QLatin1String(".bin")) || name == QLatin1String("batches.meta.txt") ||
           name == QLatin1String("fine_label_names.txt");
}

/// The folder itself, or the one in it that the archive brings.
QString folderOf(const QString &path) {
    for (const char *inside : {"", "/cifar-10-batches-bin", "/cifar-100-binary"}) {
        QString folder = path + QLatin1String(inside);
        if (QFileInfo(folder + QStringLiteral("/test_batch.bin")).isFile() ||
            QFileInfo(folder + QStringLiteral("/fine_label_names.txt")).isFile())
            return folder;
    }
    return {};
}

Result<void> add(Files &files, const QString &name, Result<QByteArray> content) {
    if (!content)
        return tl::unexpected(content.error());
    if (content->size() > mostFileBytes) {
        return fail(QStringLiteral("data.malformed"), sentence("%1 is no part of CIFAR.").arg(name),
                    sentence("It has more than %1 bytes.").arg(mostFileBytes));
    }
    files[name] = std::move(*content);
    return {};
}

Result<Files> readFiles(const QString &path, const CheckProgress &progress) {
    Files files;
    if (!QFileInfo(path).isDir()) {
        int others = 0;
        const auto take = [&](ArchivedFile &inside) -> Result<void> {
            const QString name = inside.name().section(QLatin1Char('/'), -1);
            if (isWanted(name))
                return add(files, name, inside.read(mostFileBytes + 1));
            return files.empty() && ++others > mostOthers ? refuseForeign(path) : Result<void>();
        };
        if (auto read = readArchive(path, take, progress); !read)
            return tl::unexpected(read.error());
        // Other archives have such names as well.
        if (auto known = files.empty() ? refuseForeign(path) : Result<void>(); !known)
            return tl::unexpected(known.error());
        return files;
    }
    const QDir folder(folderOf(path));
    for (const QString &name : folder.entryList(QDir::Files, QDir::Name)) {
        if (!isWanted(name))
            continue;
        WatchedFile file(folder.filePath(name), progress);
        if (auto opened = openPlainFile(file); !opened)
            return tl::unexpected(opened.error());
        if (auto added = add(files, name, file.read(mostFileBytes + 1)); !added)
            return tl::unexpected(added.error());
        if (file.isGivenUp())
            return lookGivenUp();
    }
    return files;
}

QStringList linesOf(const QByteArray &text) {
    QStringList lines;
    for (const QString &line : QString::fromUtf8(text).split(QLatin1Char('\n'))) {
        if (!line.trimmed().isEmpty())
            lines << line.trimmed();
    }
    return lines;
}

/// Nobody named them, or not all.
QStringList namesOf(QStringList names, int count) {
    if (names.size() == count)
        return names;
    names.clear();
    for (int i = 0; i < count; ++i)
        names << QString::number(i);
    return names;
}

}  // namespace

bool isCifar(const QString &path) {
    const QFileInfo info(path);
    if (info.isDir())
        return !folderOf(path).isEmpty();
    const QString name = info.fileName().toLower();
    return name.endsWith(QLatin1String(".tar.gz")) || name.endsWith(QLatin1String(".tgz")) ||
           name.endsWith(QLatin1String(".tar"));
}

Result<void> readCifarRecords(const QByteArray &content, int labels, int classCount, const QString &source,
                              QByteArray &pictures, QByteArray &classes) {
    const qsizetype record = labels + pictureBytes;
    if (content.isEmpty() || content.size() % record != 0) {
        return fail(QStringLiteral("data.malformed"), sentence("%1 is cut short, or no part of CIFAR.").arg(source),
                    sentence("It has %1 bytes, which is no multiple of %2.").arg(content.size()).arg(record),
                    sentence("Download or copy it again."));
    }
    for (qsizetype at = 0; at < content.size(); at += record) {
        const int label = static_cast<unsigned char>(content[at + labels - 1]);
        if (label >= classCount) {
            return fail(QStringLiteral("data.malformed"), sentence("%1 is damaged, or no part of CIFAR.").arg(source),
                        sentence("Picture %1 is of class %2; there are %3 (from 0).")
                            .arg(at / record)
                            .arg(label)
                            .arg(classCount),
                        sentence("Download or copy it again."));
        }
        classes += static_cast<char>(label);
        pictures.append(content.constData() + at + labels, pictureBytes);
    }
    return {};
}

Result<std::shared_ptr<const Dataset>> loadCifar(const QString &name, const QString &path,
                                                 const CheckProgress &progress) {
    auto files = readFiles(path, progress);
    if (!files)
        return tl::unexpected(files.error());
    const bool ten = files->contains(QStringLiteral("test_batch.bin"));
    const int labels = ten ? 1 : 2, count = ten ? 10 : 100;
    MemoryPictures::Parts parts;
    qint64 bytes = 0;
    for (const auto &[file, content] : *files) {
        const bool isTest = file.startsWith(QLatin1String("test"));
        if (!file.endsWith(QLatin1String(".bin")) ||
            (!isTest && file != QLatin1String("train.bin") && !file.startsWith(QLatin1String("data_batch"))))
            continue;
        auto &part = parts[static_cast<std::size_t>(isTest ? Split::Test : Split::Train)];
        if (auto read = readCifarRecords(content, labels, count, file, part.pictures, part.labels); !read)
            return tl::unexpected(read.error());
        bytes += content.size();
    }
    for (const Split split : {Split::Train, Split::Test}) {
        if (parts[static_cast<std::size_t>(split)].labels.isEmpty()) {
            return fail(QStringLiteral("data.missing"), sentence("%1 is not all of CIFAR.").arg(path),
                        split == Split::Train ? sentence("It has no data_batch_1.bin … and no train.bin.")
                                              : sentence("It has no test_batch.bin and no test.bin."),
                        sentence("The archives are called cifar-10-binary.tar.gz and cifar-100-binary.tar.gz."));
        }
    }
    const QString lines = ten ? QStringLiteral("batches.meta.txt") : QStringLiteral("fine_label_names.txt");
    const auto names = files->find(lines);
    const QStringList classes = namesOf(names == files->end() ? QStringList() : linesOf(names->second), count);
    return std::make_shared<MemoryPictures>(name, QStringLiteral("cifar"), classes,
                                            std::vector<qint64>{cifarChannels, side, side}, std::move(parts), bytes);
}

}  // namespace hearth
