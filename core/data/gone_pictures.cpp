// Pictures of a list whose files somebody has removed since it was made.
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "core/data/dataset_view.h"
#include "core/data/fitted_pictures.h"
#include "core/data/thread_team.h"

namespace hearth {
namespace {

/// A disk of the network takes a while to answer, and answers many at once.
constexpr int mostLookers = 16;

/// By split, in order.
using GoneSamples = std::array<std::vector<qint64>, allSplits.size()>;

class PresentPictures : public DatasetView {
  public:
    PresentPictures(std::shared_ptr<const Dataset> data, GoneSamples gone)
        : DatasetView(std::move(data)), m_samples(std::move(gone)) {
        std::set<QString> files;  // a validation set may be the test set, too
        for (const Split split : allSplits) {
            for (const qint64 index : of(split))
                files.insert(shown().fileOf(split, index));
        }
        m_gone = {static_cast<qint64>(files.size()), *files.begin()};
    }
    bool hasAny(Split split) const { return static_cast<qint64>(of(split).size()) < count(split); }

    /// Without a network: its middle, in the usual size.
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        const PictureInput usual{sample().shape};
        return fitPictures(std::shared_ptr<const Dataset>(std::shared_ptr<void>(), this), usual)
            ->readSamples(split, part, indices, out);
    }
    Result<void> readEpoch(qint64, std::size_t part, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        return readSamples(Split::Train, part, indices, out);
    }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        auto read = shown().readLabels(split, indices, out);
        for (std::size_t i = 0; i < indices.size() && read; ++i) {
            if (lacks(split, indices[i]))
                std::memcpy(out.data() + i * sizeof ignoredLabel, &ignoredLabel, sizeof ignoredLabel);
        }
        return read;
    }
    Result<QImage> readPicture(Split split, qint64 index, const ScaleChoice &scale) const override {
        if (!lacks(split, index))
            return shown().readPicture(split, index, scale);
        const std::vector<qint64> &shape = sample().shape;
        QImage black(static_cast<int>(shape[2]), static_cast<int>(shape[1]), QImage::Format_RGB888);
        black.fill(Qt::black);
        scale(black.size());
        return black;
    }

  private:
    const std::vector<qint64> &of(Split split) const { return m_samples[static_cast<std::size_t>(split)]; }
    bool lacks(Split split, qint64 index) const { return std::ranges::binary_search(of(split), index); }

    const GoneSamples m_samples;
};

/// Nothing: somebody gave up.
std::optional<GoneSamples> lookFor(const Dataset &data, const CheckProgress &progress) {
    GoneSamples gone;
    std::mutex mutex;
    std::atomic<bool> goesOn = true;
    ThreadTeam lookers(std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, mostLookers));
    for (const Split split : allSplits) {
        std::vector<qint64> &found = gone[static_cast<std::size_t>(split)];
        const qint64 count = data.count(split);
        std::atomic<qint64> next = 0;
        lookers.runInAll([&] {
            for (qint64 i = next++; i < count && goesOn; i = next++) {
                if (progress && !progress(i, 0))
                    goesOn = false;
                if (!isGone(data.fileOf(split, i)))
                    continue;
                const std::lock_guard lock(mutex);
                found.push_back(i);
            }
        });
        std::ranges::sort(found);
    }
    return goesOn ? std::optional(std::move(gone)) : std::nullopt;
}

}  // namespace

bool isGone(const QString &path) {
    struct stat status {};
    // Not through a link: what it leads to may lie on a disk that is away.
    if (::lstat(QFile::encodeName(path).constData(), &status) == 0)
        return S_ISREG(status.st_mode) && status.st_size == 0;
    if (errno != ENOENT)
        return false;
    // An empty folder may be where a disk belongs.
    const QDir folder(QFileInfo(path).path());
    return folder.exists() && !folder.isEmpty();
}

Result<std::shared_ptr<const Dataset>> withoutGone(std::shared_ptr<const Dataset> data, const CheckProgress &progress) {
    if (data->count(Split::Train) == 0 || data->fileOf(Split::Train, 0).isEmpty())
        return data;  // not a file for each sample
    auto gone = lookFor(*data, progress);
    if (!gone)
        return lookGivenUp();
    if (std::ranges::all_of(*gone, [](const auto &samples) { return samples.empty(); }))
        return data;
    const QString name = data->name();
    auto present = std::make_shared<const PresentPictures>(std::move(data), std::move(*gone));
    if (present->hasAny(Split::Train) && present->hasAny(Split::Test))
        return present;
    return fail(QStringLiteral("data.gone"), sentence("The data %1 are gone.").arg(name),
                (present->hasAny(Split::Train) ? sentence("None of the files to test with is left: %1 and others.")
                                               : sentence("None of the files to train with is left: %1 and others."))
                    .arg(present->gone().first),
                sentence("Bring them back, or have the data looked at again: \"Check again\" under \"Your data\", or "
                         "hearth data check."));
}

}  // namespace hearth
