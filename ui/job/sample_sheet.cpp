#include "ui/job/sample_sheet.h"

#include <QFileInfo>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <set>

#include "core/base/background_task.h"
#include "core/data/dataset.h"
#include "ui/base/widgets.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr int side = 5 * grid;
constexpr int gap = grid / 2;
constexpr std::size_t mostSamples = 30;
// Enough to meet each class thrice without reading the whole set.
constexpr qint64 looked = 400;

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

Result<DataGlance> glanceAt(const QString &name) {
    const auto data = loadDataset(name);
    if (!data)
        return tl::unexpected(data.error());
    const Dataset &set = **data;
    DataGlance glance;
    glance.name = set.name();
    glance.training = set.count(Split::Train);
    glance.test = set.count(Split::Test);
    glance.classes = set.labelNames();
    glance.shape = DataShape::of(set);
    const Shape &shape = glance.shape.sample;
    glance.pictures = set.parts().size() == 1 && set.sample().dtype == DType::UInt8 && shape.size() == 3 &&
                      glance.shape.label.shape.empty();
    if (!glance.pictures)
        return glance;

    const qint64 count = std::min(looked, glance.training);
    std::vector<qint64> indices(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < indices.size(); ++i)
        indices[i] = static_cast<qint64>(i);
    std::vector<qint64> labels(indices.size());
    if (const auto read = set.readLabels(Split::Train, indices, std::as_writable_bytes(std::span(labels))); !read)
        return tl::unexpected(read.error());
    // In turns, one of each class: a sheet of the first thirty could show twenty shoes.
    std::vector<std::size_t> chosen;
    std::vector<bool> taken(indices.size(), false);
    for (bool found = true; found && chosen.size() < mostSamples;) {
        found = false;
        std::set<qint64> seen;
        for (std::size_t i = 0; i < labels.size() && chosen.size() < mostSamples; ++i) {
            if (taken[i] || !seen.insert(labels[i]).second)
                continue;
            taken[i] = true;
            found = true;
            chosen.push_back(i);
        }
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(set.sample().bytes()));
    for (const std::size_t i : chosen) {
        const qint64 index = indices[i];
        if (const auto read = set.readSamples(Split::Train, 0, std::span(&index, 1), bytes); !read)
            return tl::unexpected(read.error());
        glance.samples.push_back(pictureOf(bytes, shape[0], shape[1], shape[2]));
        glance.labels << set.labelNames().value(static_cast<int>(labels[i]));
    }
    return glance;
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

void SampleSheet::load(const QString &nameOrPath) {
    m_wanted = nameOrPath;
    // A set that is being read cannot be given up, and waiting for it would hold up the window.
    if (m_loading && m_loading->isRunning())
        return;
    const FileTimes times = timesOf(nameOrPath);
    if (nameOrPath == m_name && times == m_times)
        return;
    m_name = nameOrPath;
    m_times = times;
    m_wrong = false;
    m_shape.reset();
    Q_EMIT told(tr("Reading the data …"), false);
    m_loading = std::make_unique<BackgroundTask>();
    m_loading->start<DataGlance>(
        this, [nameOrPath] { return glanceAt(nameOrPath); },
        [this](const DataGlance &glance) {
            if (!loadOther())
                take(glance);
        },
        [this](const Error &error) {
            if (loadOther())
                return;
            m_wrong = true;
            take({});
            Q_EMIT told(errorText(error), true);
        });
}

SampleSheet::FileTimes SampleSheet::timesOf(const QString &nameOrPath) {
    const QFileInfo file(builtinDatasets().contains(nameOrPath) ? datasetFolder(nameOrPath) : nameOrPath);
    return {file.lastModified(), QFileInfo(file.path()).lastModified()};
}

void SampleSheet::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    // What was wrong may lie where no time tells of it.
    if (m_wrong)
        m_name.clear();
}

bool SampleSheet::loadOther() {
    if (m_wanted == m_name)
        return false;
    QMetaObject::invokeMethod(
        this, [this] { load(m_wanted); }, Qt::QueuedConnection);
    return true;
}

void SampleSheet::take(const DataGlance &glance) {
    m_pictures = glance.samples;
    m_labels = glance.labels;
    QStringList kinds = m_labels;
    kinds.removeDuplicates();
    setAccessibleDescription(kinds.join(QStringLiteral(", ")));
    updateGeometry();
    update();
    m_shape.reset();
    if (glance.training > 0)
        m_shape = glance.shape;
    if (glance.training > 0 && !glance.pictures) {
        QStringList parts;
        for (const DataPart &part : glance.shape.parts)
            parts << part.name;
        Q_EMIT told(tr("%1 samples to train, %2 to test, of %3")
                        .arg(formatCount(glance.training), formatCount(glance.test), parts.join(QStringLiteral(", "))),
                    false);
    } else if (glance.training > 0) {
        Q_EMIT told(
            tr("%1 pictures to train, %2 to test, %3×%4 pixels, in %n class(es): %5", nullptr,
               static_cast<int>(glance.classes.size()))
                .arg(formatCount(glance.training), formatCount(glance.test), formatCount(glance.shape.sample[2]),
                     formatCount(glance.shape.sample[1]), glance.classes.join(QStringLiteral(", "))),
            false);
    }
}

int SampleSheet::columns(int width) const {
    return std::max(1, (width + gap) / (side + gap));
}

QSize SampleSheet::sizeHint() const {
    constexpr int usual = 10;
    return {usual * (side + gap) - gap, heightForWidth(usual * (side + gap) - gap)};
}

int SampleSheet::heightForWidth(int width) const {
    const int count = static_cast<int>(m_pictures.size());
    const int rows = (std::max(count, 1) + columns(width) - 1) / columns(width);
    return rows * (side + gap) - gap;
}

void SampleSheet::paintEvent(QPaintEvent *) {
    QPainter painter(this);
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
