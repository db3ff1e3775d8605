#include "ui/job/data_glance.h"

#include <algorithm>
#include <set>

#include "core/data/data_registry.h"
#include "core/data/dataset.h"
#include "core/data/picture_files.h"
#include "core/run/job_data.h"
#include "core/run/job_fit.h"

namespace hearth {
namespace {

constexpr std::size_t mostSamples = 30;
// Enough to meet each class thrice without reading the whole set.
constexpr qint64 looked = 400;
constexpr qint64 mostGlancedRows = 8;

/// {channels, height, width} of bytes as a picture: grey, or the first three channels as colours.
QImage pictureOf(std::span<const std::byte> bytes, qint64 channels, qint64 height, qint64 width) {
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
    const auto at = [&](qint64 channel, qint64 y, qint64 x) {
        return std::to_integer<int>(bytes[static_cast<std::size_t>((channel * height + y) * width + x)]);
    };
    const bool coloured = channels >= 3;
    for (qint64 y = 0; y < height; ++y) {
        for (qint64 x = 0; x < width; ++x) {
            const int first = at(0, y, x);
            image.setPixel(static_cast<int>(x), static_cast<int>(y),
                           coloured ? qRgb(first, at(1, y, x), at(2, y, x)) : qRgb(first, first, first));
        }
    }
    // Sharp on dense screens, too.
    constexpr int most = 3 * sampleSide;
    return image.width() > most || image.height() > most
               ? image.scaled(most, most, Qt::KeepAspectRatio, Qt::SmoothTransformation)
               : image;
}

/// As the network sees them, if they fit it at all.
std::shared_ptr<const Dataset> asSeen(const Job &job, const Model *model, std::shared_ptr<const Dataset> data) {
    if (model == nullptr || model->inputs.size() != 1 || !data->arePictures() ||
        !(isResized(job, data->hasOwnSizes()) || !job.augment.isNone()))
        return data;
    const auto input = inputFor(job, *model, DataShape::of(*data));
    if (!input)
        return data;
    return dataFor(job, *model, *input, data).value_or(data);
}

/// Samples as the first epoch of the job has them.
class FirstEpoch {
  public:
    FirstEpoch(const Job &job, const Dataset &set, bool isAsSeen)
        : m_set(set), m_mixing(isAsSeen ? job.augment.mixing(job.seed) : Mixing()) {
        if (m_mixing.isNone())
            return;
        const qint64 samples = set.count(Split::Train);
        m_sampler.emplace(job.seed, samples, job.shuffle);
        m_positions.resize(static_cast<std::size_t>(samples));
        for (qint64 position = 0; position < samples; ++position)
            m_positions[static_cast<std::size_t>(m_sampler->sampleAt(position))] = position;
    }
    Result<void> read(qint64 index, std::span<std::byte> out) {
        return m_sampler ? readMixed(m_set, m_mixing, *m_sampler, m_positions[static_cast<std::size_t>(index)], out)
                         : m_set.readEpoch(0, 0, std::span(&index, 1), out);
    }

  private:
    const Dataset &m_set;
    const Mixing m_mixing;
    std::optional<Sampler> m_sampler;
    std::vector<qint64> m_positions;  // by sample
};

}  // namespace

Result<DataGlance> glanceAt(const Job &job, const Model *model, const std::shared_ptr<const Dataset> &data,
                            const CheckProgress &progress) {
    const auto view = asSeen(job, model, data);
    const Dataset &set = *view;
    DataGlance glance;
    glance.data = data;
    glance.name = set.name();
    glance.training = data->count(Split::Train);
    glance.test = data->count(Split::Test);
    if (model != nullptr && job.dataSources().size() == 1)
        glance.counted = countedIn(job, *model, data);
    glance.classes = set.labelNames();
    // Whether they fit is a matter of what they are.
    glance.shape = DataShape::of(*data);
    glance.leftOut = set.countBroken(BrokenFile::Fate::LeftOut);
    glance.gone = set.gone().count;
    const Shape &shape = set.sample().shape;
    glance.pictures = glance.shape.arePictures() && glance.shape.label.shape.empty();
    for (qint64 i = 0; i < std::min(mostGlancedRows, glance.training) && !set.columns().isEmpty(); ++i) {
        if (auto on = mayGoOn(progress, 0); !on)
            return tl::unexpected(on.error());
        const auto fields = set.readFields(Split::Train, i * glance.training / mostGlancedRows);
        if (!fields)
            return tl::unexpected(fields.error());
        glance.rows << *fields;
    }
    glance.columns = set.columns();
    if (!glance.pictures)
        return glance;

    const qint64 seen = set.count(Split::Train), count = std::min(looked, seen);
    std::vector<qint64> indices(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < indices.size(); ++i)
        indices[i] = static_cast<qint64>(i) * seen / count;  // files of a class lie together
    std::vector<qint64> labels(indices.size());
    if (const auto read = set.readLabels(Split::Train, indices, std::as_writable_bytes(std::span(labels))); !read)
        return tl::unexpected(read.error());
    // In turns, one of each class: a sheet of the first thirty could show twenty shoes.
    std::vector<std::size_t> chosen;
    std::vector<bool> taken(indices.size(), false);
    for (bool found = true; found && chosen.size() < mostSamples;) {
        found = false;
        std::set<qint64> met;
        for (std::size_t i = 0; i < labels.size() && chosen.size() < mostSamples; ++i) {
            if (taken[i] || labels[i] < 0 || !met.insert(labels[i]).second)
                continue;
            taken[i] = true;
            found = true;
            chosen.push_back(i);
        }
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(set.sample().bytes()));
    FirstEpoch epoch(job, set, &set != data.get());
    for (const std::size_t i : chosen) {
        if (auto on = mayGoOn(progress, 0); !on)
            return tl::unexpected(on.error());
        if (const auto read = epoch.read(indices[i], bytes); !read)
            return tl::unexpected(read.error());
        glance.samples.push_back(pictureOf(bytes, shape[0], shape[1], shape[2]));
        glance.labels << set.labelNames().value(static_cast<int>(labels[i]));
    }
    return glance;
}

std::optional<DataGlance> firstGlance(const QString &nameOrPath, const CheckProgress &progress) {
    const auto path = pathOfDataset(nameOrPath);
    if (builtinDatasets().contains(nameOrPath) || !path || kindOfData(*path, progress) != QLatin1String("pictures"))
        return std::nullopt;
    const auto glance =
        listPictures(*path, static_cast<qint64>(mostSamples), progress).and_then([&progress](PictureFiles files) {
            return glanceAt({}, nullptr, picturesOf({}, std::move(files)), progress);
        });
    if (!glance)
        return std::nullopt;
    DataGlance first;
    first.samples = glance->samples;
    first.labels = glance->labels;
    return first;
}

}  // namespace hearth
