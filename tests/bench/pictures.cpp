// How many pictures of 224×224 a core makes of JPEGs of 500×375, as a data device does, against Qt's reader on the same
// files: decoded in full, scaled smoothly, its middle cut out. The JPEGs are cut from large pictures: those of Debian's
// package gnome-backgrounds, or the files that are named. Processor seconds of one thread, medians of interleaved
// repeats; files are in memory (tmpfs or page cache). Then photographs of 12 megapixels, with and without what was
// decoded on the disk. Usage: pictures [PICTURE …]
#include <QDir>
#include <QDirIterator>
#include <QImageReader>
#include <QTemporaryDir>
#include <cstdio>
#include <functional>

#include "core/base/median.h"
#include "core/base/thread_time.h"
#include "core/data/fitted_pictures.h"
#include "core/data/picture_cache.h"
#include "core/data/picture_files.h"

using namespace hearth;

namespace {

constexpr int width = 500, height = 375, side = 224;
constexpr int pictures = 96, repeats = 9;
constexpr double target = 350;

double threadSeconds() {
    return std::chrono::duration<double>(threadTime()).count();
}

QStringList sources(int count, char **words) {
    QStringList files;
    for (int i = 1; i < count; ++i)
        files << QString::fromLocal8Bit(words[i]);
    QDirIterator found(QStringLiteral("/usr/share/backgrounds"),
                       {QStringLiteral("*.jpg"), QStringLiteral("*.png"), QStringLiteral("*.webp")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (count == 1 && found.hasNext())
        files << found.next();
    files.sort();
    return files;
}

/// Photos as people have them: parts of larger ones, a half of their size.
int makeJpegs(const QStringList &files, const QString &folder) {
    QImageReader::setAllocationLimit(0);
    int made = 0;
    for (int turn = 0; made < pictures && turn < pictures; ++turn) {
        for (const QString &file : files) {
            const QImage large(file);
            const QRect part((turn * 211) % 800, (turn * 97) % 400, 2 * width, 2 * height);
            if (made == pictures || !large.rect().contains(part))
                continue;
            large.copy(part)
                .scaled(width, height, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                .convertToFormat(QImage::Format_RGB32)
                .save(QStringLiteral("%1/%2.jpg").arg(folder).arg(made++), "jpg", 90);
        }
    }
    return made;
}

void readByQt(const QString &file, std::vector<std::byte> &out) {
    QImageReader reader(file);
    reader.setAutoTransform(true);
    const QImage scaled = reader.read().scaled(side, side, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    const QImage cut = scaled.copy((scaled.width() - side) / 2, (scaled.height() - side) / 2, side, side)
                           .convertToFormat(QImage::Format_RGB888);
    for (std::size_t c = 0; c < 3; ++c) {
        for (int y = 0; y < side; ++y) {
            const uchar *row = cut.constScanLine(y);
            for (int x = 0; x < side; ++x)
                out[(c * side + static_cast<std::size_t>(y)) * side + static_cast<std::size_t>(x)] =
                    static_cast<std::byte>(row[static_cast<std::size_t>(x) * 3 + c]);
        }
    }
}

/// The middle of photographs of 4000×3000, each read again and again.
void comparePhotographs(const QStringList &files) {
    constexpr int photographs = 8;
    const QTemporaryDir folder, cache;
    PictureFiles listed;
    listed.folder = folder.path();
    listed.classes = {QStringLiteral("a")};
    for (int i = 0; i < photographs; ++i) {
        const QString name = QStringLiteral("%1.jpg").arg(i);
        QImage(files[i % files.size()])
            .scaled(4000, 3000, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation)
            .copy(0, 0, 4000, 3000)
            .convertToFormat(QImage::Format_RGB32)
            .save(folder.filePath(name), "jpg", 90);
        listed.splits[0].push_back({name, 0});
    }
    const auto set = fitPictures(picturesOf(QStringLiteral("photographs"), listed), {{3, side, side}});
    std::vector<std::byte> out(static_cast<std::size_t>(set->sampleBytes()));
    const auto seconds = [&] {
        const double before = threadSeconds();
        for (qint64 i = 0; i < photographs; ++i) {
            if (const auto read = set->readEpoch(0, 0, std::span(&i, 1), out); !read)
                std::fprintf(stderr, "%s\n", qPrintable(read.error().toString()));
        }
        return threadSeconds() - before;
    };
    std::vector<double> decoded, kept;
    double first = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        PictureCache::use({});
        decoded.push_back(seconds());
        auto opened = PictureCache::open(cache.path(), qint64{1} << 30);
        if (!opened)
            return;
        PictureCache::use(std::move(*opened));
        (repeat == 0 ? first : kept.emplace_back()) = seconds();
    }
    PictureCache::use({});
    const double each = 1000.0 / photographs;
    std::printf(
        "photographs of 4000x3000: decoded %.1f ms each; kept on the disk %.1f ms, %.1f x faster; "
        "the first time %.1f ms; %.0f kB each\n",
        each * medianOf(decoded), each * medianOf(kept), medianOf(decoded) / medianOf(kept), each * first,
        1e-3 * static_cast<double>(PictureCache::usage(cache.path()).bytes) / photographs);
}

}  // namespace

int main(int count, char **words) {
    QTemporaryDir folder;
    const int made = makeJpegs(sources(count, words), folder.path());
    if (made < pictures) {
        std::fprintf(stderr, "There are not enough pictures of 1000x750: sudo apt install gnome-backgrounds\n");
        return 1;
    }
    PictureFiles files;
    files.folder = folder.path();
    files.classes = {QStringLiteral("a")};
    for (int i = 0; i < made; ++i)
        files.splits[0].push_back({QStringLiteral("%1.jpg").arg(i), 0});
    const auto data = picturesOf(QStringLiteral("bench"), files);
    const std::vector<qint64> shape{3, side, side};
    const auto plain = fitPictures(data, {shape});
    const auto varied =
        fitPictures(data, {shape, PictureFit::Crop, {.crop = 0.25, .shift = 0, .flip = true, .colour = 0.4}});
    std::vector<std::byte> out(static_cast<std::size_t>(plain->sampleBytes()));
    qint64 epoch = 0;
    const auto readAll = [&](const Dataset &set) {
        for (qint64 i = 0; i < made; ++i) {
            if (const auto read = set.readEpoch(epoch, 0, std::span(&i, 1), out); !read)
                std::fprintf(stderr, "%s\n", qPrintable(read.error().toString()));
        }
        ++epoch;
    };
    const std::vector<std::pair<const char *, std::function<void()>>> ways{
        {"Hearth, the middle", [&] { readAll(*plain); }},
        {"Hearth, random crop, flip and colour", [&] { readAll(*varied); }},
        {"Qt's reader, the middle", [&] {
             for (int i = 0; i < made; ++i)
                 readByQt(QStringLiteral("%1/%2.jpg").arg(folder.path()).arg(i), out);
         }}};
    std::vector<std::vector<double>> seconds(ways.size());
    for (int repeat = 0; repeat < repeats; ++repeat) {
        for (std::size_t way = 0; way < ways.size(); ++way) {
            const double before = threadSeconds();
            ways[way].second();
            seconds[way].push_back(threadSeconds() - before);
        }
    }
    const double byQt = made / medianOf(seconds.back());
    std::printf("%d JPEGs of %dx%d, processor time of one thread, medians of %d\n", made, width, height, repeats);
    for (std::size_t way = 0; way < ways.size(); ++way) {
        const double rate = made / medianOf(seconds[way]);
        std::printf("%-38s %7.0f pictures/s  %5.2f x Qt's reader  %5.2f x the target of %.0f\n", ways[way].first, rate,
                    rate / byQt, rate / target, target);
    }
    comparePhotographs(sources(count, words));
    return 0;
}
