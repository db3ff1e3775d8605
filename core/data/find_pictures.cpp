// Looks for pictures, tries each, and says which sets they belong to.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QImage>
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "core/base/files.h"
#include "core/data/csv.h"
#include "core/data/picture_file.h"
#include "core/data/picture_files.h"
#include "core/data/split_files.h"
#include "core/data/watched_file.h"

namespace hearth {
namespace {

/// What a picture is decoded to when it is tried.
constexpr double triedScale = 1.0 / 8;
constexpr int mostFindingThreads = 16;

struct Candidate {
    QString file;
    QString className;
    Split split = Split::Train;
};

/// What was found before any file is opened.
struct Found {
    QString folder;
    std::vector<Candidate> candidates;
    std::vector<BrokenFile> broken;
    bool isDivided = false;
};

tl::unexpected<Error> noPictures(const QString &path, const Sentence &cause, const Sentence &advice) {
    return fail(QStringLiteral("data.no-pictures"), sentence("%1 is no data set of pictures.").arg(path), cause,
                advice);
}

tl::unexpected<Error> noPictures(const QString &path, const Sentence &cause) {
    return noPictures(
        path, cause,
        sentence("Make a folder of pictures for each class, or a CSV file with the columns file and label."));
}

tl::unexpected<Error> tooMany(const QString &path) {
    return fail(QStringLiteral("data.too-many"), sentence("%1 is too large for one data set.").arg(path),
                sentence("It has more than %1 files or %2 classes.")
                    .arg(PictureFiles::Limits::files)
                    .arg(PictureFiles::Limits::classes),
                sentence("Name a folder with less in it."));
}

tl::unexpected<Error> unreadableFolder(const QString &path) {
    return fail(QStringLiteral("data.unreadable"), sentence("The folder %1 cannot be read.").arg(path),
                QFileInfo::exists(path) ? sentence("It is not yours to read.") : sentence("It does not exist."),
                sentence("Check its name and its permissions."));
}

QStringList foldersIn(const QString &path) {
    return QDir(path).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Unsorted);
}

/// The files of a class's folder and the folders in it, at most so many.
Result<void> addClass(Found &found, const QString &relative, const QString &className, Split split, qint64 most,
                      const CheckProgress &progress) {
    const qint64 end = static_cast<qint64>(found.candidates.size()) + most;
    std::vector<QString> folders{relative};
    while (!folders.empty()) {
        if (auto on = mayGoOn(progress, static_cast<qint64>(found.candidates.size())); !on)
            return on;
        const QString inside = std::exchange(folders.back(), {});
        folders.pop_back();
        const QDir folder(found.folder + QLatin1Char('/') + inside);
        if (!folder.isReadable()) {
            found.broken.push_back({inside, sentence("The folder is not yours to read.")});
            continue;
        }
        QDirIterator entries(folder.path(), QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot | QDir::System);
        while (entries.hasNext()) {
            entries.next();
            const QFileInfo entry = entries.fileInfo();
            const QString name = inside + QLatin1Char('/') + entries.fileName();
            if (entry.isDir()) {
                if (entry.isSymLink())
                    found.broken.push_back({name, sentence("A link to a folder is not followed: it may lead back.")});
                else
                    folders.push_back(name);
                continue;
            }
            if (static_cast<qint64>(found.candidates.size()) >= end)
                return {};
            if (static_cast<qint64>(found.candidates.size()) >= PictureFiles::Limits::files)
                return tooMany(found.folder);
            found.candidates.push_back({name, className, split});
            if (auto on = mayGoOn(progress, static_cast<qint64>(found.candidates.size())); !on)
                return on;
        }
    }
    return {};
}

Result<Found> findInFolder(const QString &path, qint64 mostOfClass, const CheckProgress &progress) {
    Found found;
    found.folder = path;
    if (!QDir(path).exists() || !QDir(path).isReadable())
        return unreadableFolder(path);
    const QStringList folders = foldersIn(path);
    std::vector<std::pair<Split, QString>> divisions;
    for (const QString &folder : folders) {
        if (const auto split = splitOf(folder))
            divisions.emplace_back(*split, folder);
    }
    found.isDivided = std::ranges::any_of(divisions, [&](const auto &division) {
        return division.first == Split::Train && !foldersIn(path + QLatin1Char('/') + division.second).isEmpty();
    });
    if (!found.isDivided) {
        divisions.clear();
        divisions.emplace_back(Split::Train, QString());
    }
    std::set<QString> classes;
    for (const auto &[split, folder] : divisions) {
        const QString inside = folder.isEmpty() ? QString() : folder + QLatin1Char('/');
        const QString absolute = path + QLatin1Char('/') + folder;
        if (!QDir(absolute).isReadable())
            return unreadableFolder(absolute);
        for (const QString &name : foldersIn(absolute)) {
            classes.insert(name);
            if (static_cast<qint64>(classes.size()) > PictureFiles::Limits::classes)
                return tooMany(path);
            if (auto added = addClass(found, inside + name, name, split, mostOfClass, progress); !added)
                return tl::unexpected(added.error());
        }
        for (const QString &stray : QDir(absolute).entryList(QDir::Files, QDir::Unsorted))
            found.broken.push_back({inside + stray, sentence("It lies in the folder of no class.")});
    }
    if (classes.empty())
        return noPictures(path, sentence("It has no folders, one for each class."));
    return found;
}

const QStringList &fileWords() {
    static const QStringList words{QStringLiteral("file"), QStringLiteral("filename"), QStringLiteral("file_name"),
                                   QStringLiteral("path"), QStringLiteral("image"),    QStringLiteral("picture")};
    return words;
}

const QStringList &labelWords() {
    static const QStringList words{QStringLiteral("label"), QStringLiteral("class"), QStringLiteral("category")};
    return words;
}

Result<void> addTable(Found &found, const QString &path, Split split, const CheckProgress &progress) {
    WatchedFile file(path, progress);
    if (auto opened = openPlainFile(file); !opened)
        return tl::unexpected(opened.error());
    CsvReader reader(file, separatorOf(file.peek(1 << 16).split('\n').front()), path);
    qsizetype fileColumn = 0, labelColumn = 1;
    const QString folder = QFileInfo(path).absolutePath();
    const QString images = QDir(folder + QStringLiteral("/images")).exists() ? QStringLiteral("images/") : QString();
    for (bool first = true;; first = false) {
        const auto record = reader.next();
        if (file.isGivenUp())
            return lookGivenUp();
        if (auto on = mayGoOn(progress, static_cast<qint64>(found.candidates.size())); !on)
            return on;
        if (!record)
            return tl::unexpected(record.error());
        if (!*record)
            return {};
        const QStringList &fields = **record;
        if (first && columnOf(fields, fileWords()) >= 0 && columnOf(fields, labelWords()) >= 0) {
            fileColumn = columnOf(fields, fileWords());
            labelColumn = columnOf(fields, labelWords());
            continue;
        }
        const QString named = fields.value(fileColumn), label = fields.value(labelColumn);
        if (named.isEmpty() || label.isEmpty()) {
            found.broken.push_back(
                {QFileInfo(path).fileName(), sentence("Line %1 has no file or no label.").arg(reader.line())});
            continue;
        }
        const QString inside = QDir::cleanPath(named);
        if (QDir::isAbsolutePath(inside) || inside == QLatin1String("..") || inside.startsWith(QLatin1String("../"))) {
            found.broken.push_back({named, sentence("It lies outside the folder of the table.")});
            continue;
        }
        const bool isBeside = images.isEmpty() || QFileInfo::exists(folder + QLatin1Char('/') + inside);
        found.candidates.push_back({isBeside ? inside : images + inside, label, split});
        if (static_cast<qint64>(found.candidates.size()) > PictureFiles::Limits::files)
            return tooMany(path);
    }
}

Result<Found> findInTables(const QString &path, const CheckProgress &progress) {
    Found found;
    const QFileInfo info(path);
    found.folder = info.isDir() ? path : info.absolutePath();
    if (!info.isDir())
        return addTable(found, path, Split::Train, progress).transform([&] { return std::move(found); });
    for (const Split split : allSplits) {
        const QString table = tableIn(path, split);
        if (table.isEmpty())
            continue;
        found.isDivided = found.isDivided || split != Split::Train;
        if (auto added = addTable(found, table, split, progress); !added)
            return tl::unexpected(added.error());
    }
    return found;
}

/// What trying a file gave.
struct Tried {
    std::optional<Sentence> broken;
    quint64 hash = 0;
    qint64 bytes = 0;
};

Tried tryPicture(const QString &path) {
    Tried tried;
    const auto read = readPictureBytes(path);
    if (!read) {
        tried.broken = read.error().cause;
        return tried;
    }
    tried.bytes = read->bytes.size();
    tried.hash = contentHash(read->bytes);
    if (const auto picture = decodePicture(read->bytes, [](const QSize &) { return triedScale; }); !picture)
        tried.broken = picture.error();
    return tried;
}

/// False: somebody gave up.
bool tryAll(const Found &found, std::vector<Tried> &tried, const CheckProgress &progress) {
    tried.resize(found.candidates.size());
    std::atomic<std::size_t> next = 0, done = 0;
    std::atomic<bool> goesOn = true;
    const auto work = [&] {
        for (std::size_t i = next++; i < tried.size() && goesOn; i = next++) {
            tried[i] = tryPicture(found.folder + QLatin1Char('/') + found.candidates[i].file);
            if (progress && !progress(static_cast<qint64>(++done), static_cast<qint64>(tried.size())))
                goesOn = false;
        }
    };
    const auto threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, mostFindingThreads);
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i)
        others.emplace_back(work);
    work();
    for (std::thread &other : others)
        other.join();
    return goesOn;
}

void divide(PictureFiles &files, std::vector<quint64> hashes) {
    auto &train = files.splits[static_cast<std::size_t>(Split::Train)];
    auto &test = files.splits[static_cast<std::size_t>(Split::Test)];
    std::vector<bool> isLearnt(static_cast<std::size_t>(files.classes.size()), false);
    for (std::size_t i = 0; i < train.size(); ++i) {
        if (!isForTest(hashes[i]))
            isLearnt[static_cast<std::size_t>(train[i].label)] = true;
    }
    std::vector<PictureEntry> kept;
    for (std::size_t i = 0; i < train.size(); ++i) {
        // A class of which nothing would be learnt keeps its pictures.
        const bool moves = isForTest(hashes[i]) && isLearnt[static_cast<std::size_t>(train[i].label)];
        (moves ? test : kept).push_back(std::move(train[i]));
    }
    train = std::move(kept);
}

/// -1: of none of these classes.
std::vector<int> labelsOf(const std::vector<Candidate> &candidates, const QStringList &classes) {
    std::map<QString, int> numbers;
    for (int i = 0; i < classes.size(); ++i)
        numbers[classes[i]] = i;
    std::vector<int> labels;
    for (const Candidate &candidate : candidates) {
        const auto known = numbers.find(candidate.className);
        labels.push_back(known == numbers.end() ? -1 : known->second);
    }
    return labels;
}

QStringList foldersOf(const QString &file) {
    QStringList folders = file.split(QLatin1Char('/'));
    folders.removeLast();
    return folders;
}

/// The innermost folder that all these files are in, where folders in it divide them; else empty.
QString folderOfFolders(const QStringList &files) {
    QStringList common = foldersOf(files.front());
    for (const QString &file : files) {
        const QStringList folders = foldersOf(file);
        const auto shared = std::mismatch(common.cbegin(), common.cend(), folders.cbegin(), folders.cend()).first;
        common.erase(shared, common.cend());
    }
    const QString folder = common.join(QLatin1Char('/'));
    const auto isDeeper = [&common](const QString &file) { return file.count(QLatin1Char('/')) > common.size(); };
    return std::ranges::all_of(files, isDeeper) ? folder : QString();
}

/// An archive that was unpacked into a folder of its own name gives one around the other, which looks like one class.
/// That class alone may be meant: others of the job may lie on other devices.
Result<void> mustBeNoFolderOfFolders(const QString &path, const Found &found, const std::vector<std::size_t> &used) {
    if (!QFileInfo(path).isDir() || !tableIn(path, Split::Train).isEmpty())
        return {};
    QStringList files;
    for (const std::size_t i : used)
        files << found.candidates[i].file;
    const QString inner = folderOfFolders(files);
    if (inner.isEmpty())
        return {};
    return noPictures(path,
                      sentence("All its pictures are in one class, \"%1\", and there is nothing to tell apart.")
                          .arg(found.candidates[used.front()].className),
                      sentence("If the folders in %1 are the classes, choose that folder instead.")
                          .arg(path + QLatin1Char('/') + inner));
}

Result<PictureFiles> sorted(const QString &path, Found found, const std::vector<Tried> &tried) {
    PictureFiles files;
    files.folder = found.folder;
    files.broken = std::move(found.broken);
    std::vector<std::size_t> order;
    std::set<QString> classes;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        if (tried[i].broken) {
            files.broken.push_back({found.candidates[i].file, *tried[i].broken});
            continue;
        }
        order.push_back(i);
        classes.insert(found.candidates[i].className);
        files.bytes += tried[i].bytes;
    }
    if (order.empty()) {
        return noPictures(
            path,
            files.broken.empty()
                ? sentence("There are no files in it.")
                : sentence("{1|Its only file cannot be used, which is|None of its %1 files can be used; the first is} "
                           "%2: %3")
                      .arg(files.broken.size())
                      .arg(files.broken.front().file, files.broken.front().cause));
    }
    if (static_cast<qint64>(classes.size()) > PictureFiles::Limits::classes)
        return tooMany(path);
    if (classes.size() == 1) {
        if (auto meant = mustBeNoFolderOfFolders(path, found, order); !meant)
            return tl::unexpected(meant.error());
    }
    files.classes = classesOf(classes);
    const std::vector<int> labels = labelsOf(found.candidates, files.classes);
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return labels[a] != labels[b] ? labels[a] < labels[b] : found.candidates[a].file < found.candidates[b].file;
    });
    std::vector<quint64> hashes;
    for (const std::size_t i : order) {
        files.splits[static_cast<std::size_t>(found.candidates[i].split)].push_back(
            {found.candidates[i].file, labels[i]});
        hashes.push_back(tried[i].hash);
    }
    auto &test = files.splits[static_cast<std::size_t>(Split::Test)];
    const auto &validation = files.splits[static_cast<std::size_t>(Split::Validation)];
    if (files.splits.front().empty())
        return noPictures(path, sentence("None of the pictures to train with can be used."));
    if (test.empty() && !validation.empty())
        test = validation;
    else if (test.empty())
        divide(files, std::move(hashes));
    if (test.empty()) {
        return noPictures(path, sentence("It has %1 {1|picture|pictures}, too few to set some apart for a test.")
                                    .arg(static_cast<qint64>(files.splits.front().size())));
    }
    return files;
}

Result<Found> findAt(const QString &path, qint64 mostOfClass, const CheckProgress &progress) {
    const bool inTables = !QFileInfo(path).isDir() || !tableIn(path, Split::Train).isEmpty();
    return inTables ? findInTables(path, progress) : findInFolder(path, mostOfClass, progress);
}

}  // namespace

Result<PictureFiles> listPictures(const QString &given, qint64 mostOfClass, const CheckProgress &progress) {
    const QString path = QDir::cleanPath(QFileInfo(given).absoluteFilePath());
    auto found = findAt(path, mostOfClass, progress);
    if (!found)
        return tl::unexpected(found.error());
    PictureFiles files;
    files.folder = found->folder;
    std::set<QString> classes;
    for (const Candidate &candidate : found->candidates)
        classes.insert(candidate.className);
    files.classes = classesOf(classes);
    const std::vector<int> labels = labelsOf(found->candidates, files.classes);
    for (std::size_t i = 0; i < labels.size(); ++i)
        files.splits.front().push_back({std::move(found->candidates[i].file), labels[i]});
    return files;
}

Result<PictureFiles> findPictures(const QString &given, const CheckProgress &progress) {
    const QString path = QDir::cleanPath(QFileInfo(given).absoluteFilePath());
    auto found = findAt(path, 2 * PictureFiles::Limits::files, progress);
    if (!found)
        return tl::unexpected(found.error());
    std::vector<Tried> tried;
    if (!tryAll(*found, tried, progress))
        return lookGivenUp();
    return sorted(path, std::move(*found), tried);
}

bool holdsPictures(const QString &path, const CheckProgress &progress) {
    const QFileInfo info(path);
    if (info.isDir())
        return true;
    const QString suffix = info.suffix().toLower();
    if (suffix != QLatin1String("csv") && suffix != QLatin1String("tsv"))
        return false;
    WatchedFile file(path, progress);
    if (!openPlainFile(file))
        return false;
    const QByteArray beginning = file.peek(1 << 16);
    CsvReader reader(file, separatorOf(beginning.split('\n').front()), path);
    const auto first = reader.next();
    if (!first || !*first)
        return false;
    if (columnOf(**first, fileWords()) >= 0 && columnOf(**first, labelWords()) >= 0)
        return true;
    const QString folder = info.absolutePath() + QLatin1Char('/');
    return QFileInfo(folder + (*first)->value(0)).isFile() && !(*first)->value(1).isEmpty();
}

}  // namespace hearth
