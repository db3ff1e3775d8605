#include "ui/job/sample_sheet.h"

#include <QFileInfo>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <set>
#include <utility>

#include "core/base/background_task.h"
#include "core/base/one_line.h"
#include "core/base/post_to.h"
#include "core/data/data_registry.h"
#include "core/data/dataset.h"
#include "core/data/picture_files.h"
#include "core/run/job_data.h"
#include "core/run/job_fit.h"
#include "ui/base/widgets.h"
#include "ui/job/part_of_job.h"
#include "ui/job/sample_words.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr int side = 5 * grid;
constexpr int gap = grid / 2;
constexpr std::size_t mostSamples = 30;
// Enough to meet each class thrice without reading the whole set.
constexpr qint64 looked = 400;
constexpr qint64 mostRows = 8;
constexpr qsizetype mostLetters = 200;
constexpr qsizetype mostClasses = 20;  // that are named

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
    constexpr int most = 3 * side;
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
    glance.leftOut = set.broken().size();
    glance.gone = set.gone().count;
    const Shape &shape = set.sample().shape;
    glance.pictures = glance.shape.arePictures() && glance.shape.label.shape.empty();
    for (qint64 i = 0; i < std::min(mostRows, glance.training) && !set.columns().isEmpty(); ++i) {
        if (auto on = mayGoOn(progress, 0); !on)
            return tl::unexpected(on.error());
        const auto fields = set.readFields(Split::Train, i * glance.training / mostRows);
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

/// Of several sets the first that is here.
QString shownOf(const Job &job) {
    const auto sources = job.dataSources();
    const auto here = std::ranges::find_if(sources, &DataSource::isHere);
    return here != sources.end() ? here->name : job.dataText();
}

/// Samples of a folder that is no data set yet: trying all its pictures takes a while. Nothing where it is another kind
/// of data, or one of the samples cannot be read.
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

}  // namespace

SampleSheet::SampleSheet(QWidget *parent) : QWidget(parent) {
    setObjectName(QStringLiteral("sampleSheet"));
    setAccessibleName(tr("Samples of the data"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

SampleSheet::~SampleSheet() = default;

SampleSheet::Wanted SampleSheet::Wanted::of(const Job &job, const Model *model) {
    Wanted wanted;
    wanted.job = partOf(job, &Job::data, &Job::input, &Job::fit, &Job::augment, &Job::validation);
    // Nothing else is random.
    if (job.validation > 0 || !job.augment.isNone())
        wanted.job.seed = job.seed;
    if (model != nullptr)
        wanted.inputs = model->inputs;
    return wanted;
}

void SampleSheet::load(const Job &job, const Model *model) {
    Wanted wanted = Wanted::of(job, model);
    if (wanted != m_wanted) {
        if (model != nullptr)
            wanted.model = std::make_shared<Model>(*model);
        m_wanted = std::move(wanted);
    }
    loadWanted();
}

CountedSamples SampleSheet::countedFor(const Job &job, const Model *model) const {
    return Wanted::of(job, model) == m_shown ? m_counted : CountedSamples();
}

void SampleSheet::loadWanted() {
    const QString name = shownOf(m_wanted.job);
    if (m_loading && m_loading->isRunning()) {
        // Another way to see the same set needs what is being read.
        if (name != shownOf(m_shown.job))
            m_loading->giveUp();
        return;
    }
    const auto [readName, read] = std::exchange(m_read, {});
    const bool isRead = read && readName == name;
    const bool isNew = m_wanted != m_shown || !m_isKnown || isRead;
    if (!std::exchange(m_looksAgain, false) && !isNew)
        return;
    if (isRead)
        m_data = read;
    else if (name != shownOf(m_shown.job) || !m_isKnown)
        m_data.reset();
    m_shown = m_wanted;
    m_isKnown = true;
    if (isNew)
        beginReading();
    m_loading = std::make_unique<BackgroundTask>();
    m_loading->start<DataGlance>(
        this,
        [this, asked = Look{m_shown, m_data, isRead ? std::nullopt : std::optional(m_times), isNew},
         cancelled = m_loading->cancelled()] {
            return look(asked, [&cancelled](qint64, qint64) { return !*cancelled; });
        },
        [this](const DataGlance &glance) {
            if (glance.data) {
                // A list of files or rows takes little room; pixels would stay in memory.
                const bool isList = glance.data->hasOwnSizes() || !glance.data->columns().isEmpty();
                m_data = isList ? glance.data : nullptr;
                if (m_wanted == m_shown)
                    take(glance);
            }
            goOn();
        },
        [this](const Error &error) {
            m_data.reset();
            if (*m_loading->cancelled()) {
                // It may be wanted after all by now.
                m_isKnown = false;
            } else if (m_wanted == m_shown) {
                m_wrong = true;
                take({});
                Q_EMIT told(errorText(error), true);
            }
            goOn();
        });
}

Result<DataGlance> SampleSheet::look(const Look &asked, const CheckProgress &progress) {
    const Wanted &shown = asked.wanted;
    const QString name = shownOf(shown.job);
    const FileTimes times = timesOf(name);
    const bool isSame = times == asked.times.value_or(times) && !(asked.known && asked.known->hasChanged());
    if (isSame && !asked.isNew)
        return DataGlance();
    postTo(this, [this, times, isNew = asked.isNew] {
        m_times = times;
        if (!isNew)
            beginReading();
    });
    if (isSame && asked.known)
        return glanceAt(shown.job, shown.model.get(), asked.known, progress);
    if (const auto first = firstGlance(name, progress)) {
        postTo(this, [this, shown, first = *first] {
            if (m_wanted == shown)
                take(first);
        });
    }
    return loadDataset(name, progress)
        .and_then([&progress](const std::shared_ptr<const Dataset> &loaded) { return withoutGone(loaded, progress); })
        .and_then([&](const std::shared_ptr<const Dataset> &loaded) {
            return glanceAt(shown.job, shown.model.get(), loaded, progress);
        });
}

void SampleSheet::beginReading() {
    m_wrong = false;
    m_shape.reset();
    m_counted = {};
    Q_EMIT told(tr("Reading the data …"), false);
}

void SampleSheet::goOn() {
    QMetaObject::invokeMethod(
        this, [this] { loadWanted(); }, Qt::QueuedConnection);
}

void SampleSheet::lookAgain() {
    // What is not known is read anyway.
    if (!m_isKnown)
        return;
    m_looksAgain = true;
    loadWanted();
}

SampleSheet::FileTimes SampleSheet::timesOf(const QString &nameOrPath) {
    const QFileInfo file(builtinDatasets().contains(nameOrPath) ? datasetFolder(nameOrPath)
                                                                : pathOfDataset(nameOrPath).value_or(nameOrPath));
    return {file.lastModified(), QFileInfo(file.path()).lastModified()};
}

void SampleSheet::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    // What was wrong may lie where no time tells of it.
    if (m_wrong)
        m_isKnown = false;
    lookAgain();
}

void SampleSheet::take(const DataGlance &glance) {
    m_pictures = glance.samples;
    m_labels = glance.labels;
    m_rows = glance.rows;
    if (!m_rows.isEmpty())
        m_rows.prepend(glance.columns);
    setAccessibleDescription(m_rows.isEmpty() ? picturesInWords(m_labels) : rowsInWords(m_rows));
    updateGeometry();
    update();
    m_counted = glance.counted;
    m_shape.reset();
    if (glance.training > 0)
        m_shape = glance.shape;
    if (glance.training > 0)
        Q_EMIT told(factsOf(glance), false);
}

QString SampleSheet::factsOf(const DataGlance &glance) {
    const QString training = formatCount(glance.training), test = formatCount(glance.test);
    QStringList classes = glance.classes;
    if (classes.size() > mostClasses)
        classes = classes.first(mostClasses) << QStringLiteral("…");
    const QString named = oneLine(classes.join(QStringLiteral(", ")), mostLetters);
    if (!glance.columns.isEmpty() && glance.classes.isEmpty())
        return tr("%1 rows to train, %2 to test, with a quantity to learn").arg(training, test);
    if (!glance.columns.isEmpty()) {
        return tr("%1 rows to train, %2 to test, in %n class(es): %3", nullptr, static_cast<int>(glance.classes.size()))
            .arg(training, test, named);
    }
    if (!glance.pictures) {
        QStringList parts;
        for (const DataPart &part : glance.shape.parts)
            parts << part.name;
        return tr("%1 samples to train, %2 to test, of %3").arg(training, test, parts.join(QStringLiteral(", ")));
    }
    const QString size =
        glance.shape.ownSizes
            ? tr("of any size")
            : tr("%1×%2 pixels").arg(formatCount(glance.shape.sample[2]), formatCount(glance.shape.sample[1]));
    QStringList facts{tr("%1 pictures to train, %2 to test, %3, in %n class(es): %4", nullptr,
                         static_cast<int>(glance.classes.size()))
                          .arg(training, test, size, named)};
    if (glance.leftOut > 0 || glance.gone > 0)
        facts.front() += QLatin1Char('.');
    if (glance.leftOut > 0)
        facts << tr("%n file(s) are left out. “Check again” names them (“Your data …” → “Check or remove …”).", nullptr,
                    static_cast<int>(glance.leftOut));
    if (glance.gone > 0)
        facts << tr(
            "%n file(s) are gone. “Check again” removes them from the list (“Your data …” → “Check or remove "
            "…”).",
            nullptr, static_cast<int>(glance.gone));
    return facts.join(QLatin1Char(' '));
}

int SampleSheet::columns(int width) const {
    return std::max(1, (width + gap) / (side + gap));
}

QSize SampleSheet::sizeHint() const {
    constexpr int usual = 10;
    return {usual * (side + gap) - gap, heightForWidth(usual * (side + gap) - gap)};
}

int SampleSheet::heightForWidth(int width) const {
    if (!m_rows.isEmpty())
        return static_cast<int>(m_rows.size()) * fontMetrics().lineSpacing();
    const int count = static_cast<int>(m_pictures.size());
    const int rows = (std::max(count, 1) + columns(width) - 1) / columns(width);
    return rows * (side + gap) - gap;
}

void SampleSheet::paintRows(QPainter &painter) {
    const int cell = width() / static_cast<int>(shownFields(m_rows.front()).size());
    const int line = fontMetrics().lineSpacing();
    for (qsizetype row = 0; row < m_rows.size(); ++row) {
        painter.setPen(palette().color(row == 0 ? QPalette::PlaceholderText : QPalette::Text));
        const QStringList fields = shownFields(m_rows[row]);
        for (qsizetype i = 0; i < fields.size(); ++i) {
            const QRect place(static_cast<int>(i) * cell, static_cast<int>(row) * line, cell - gap, line);
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                             fontMetrics().elidedText(fields[i], Qt::ElideRight, place.width()));
        }
    }
}

void SampleSheet::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    if (!m_rows.isEmpty()) {
        paintRows(painter);
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const int perRow = columns(width());
    for (std::size_t i = 0; i < m_pictures.size(); ++i) {
        const int at = static_cast<int>(i);
        QRect cell((at % perRow) * (side + gap), (at / perRow) * (side + gap), side, side);
        const QPoint centre = cell.center();
        cell.setSize(m_pictures[i].size().scaled(cell.size(), Qt::KeepAspectRatio));
        cell.moveCenter(centre);
        painter.drawImage(cell, m_pictures[i]);
    }
}

bool SampleSheet::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int at = help->pos().y() / (side + gap) * columns(width()) + help->pos().x() / (side + gap);
        if (at >= 0 && at < m_labels.size())
            QToolTip::showText(help->globalPos(), m_labels[at], this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace hearth
