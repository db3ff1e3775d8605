#include "core/data/fitted_pictures.h"

#include <QRect>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/data/dataset_view.h"
#include "core/data/grey.h"
#include "core/data/resample.h"

namespace hearth {
namespace {

constexpr int channels = 3;

/// Where the picture's part goes.
struct Placement {
    QRectF source;  // of the upright picture, in pixels
    QRect target;   // of the input
};

Placement place(PictureFit fit, const QSizeF &picture, const QSize &input) {
    const double ratio = static_cast<double>(input.width()) / input.height();
    const QRectF all(QPointF(0, 0), picture);
    if (fit == PictureFit::Stretch)
        return {all, QRect(QPoint(0, 0), input)};
    const bool isWide = picture.width() > picture.height() * ratio;
    if (fit == PictureFit::Crop) {
        const QSizeF part = isWide ? QSizeF(picture.height() * ratio, picture.height())
                                   : QSizeF(picture.width(), picture.width() / ratio);
        return {QRectF(QPointF((picture.width() - part.width()) / 2, (picture.height() - part.height()) / 2), part),
                QRect(QPoint(0, 0), input)};
    }
    QSize size = input;
    if (isWide)
        size.setHeight(std::clamp(qRound(input.width() * picture.height() / picture.width()), 1, input.height()));
    else
        size.setWidth(std::clamp(qRound(input.height() * picture.width() / picture.height()), 1, input.width()));
    return {all, QRect(QPoint((input.width() - size.width()) / 2, (input.height() - size.height()) / 2), size)};
}

/// A random part is one of the whole picture, not of its middle.
Placement place(const PictureInput &input, const QSizeF &picture, const QSize &size) {
    return place(input.augmentation.crop < 1 ? PictureFit::Stretch : input.fit, picture, size);
}

QRectF partOf(const QRectF &whole, const QRectF &share) {
    return {whole.left() + share.left() * whole.width(), whole.top() + share.top() * whole.height(),
            share.width() * whole.width(), share.height() * whole.height()};
}

/// Factors of 1 change nothing.
void vary(QImage &picture, const Variation &variation, int magnitude) {
    if (variation.brightness != 1)
        changeBrightness(picture, variation.brightness);
    if (variation.contrast != 1)
        changeContrast(picture, variation.contrast);
    if (variation.saturation != 1)
        changeSaturation(picture, variation.saturation);
    for (const DrawnOp &drawn : variation.ops)
        apply(drawn, magnitude, picture);
}

/// `picture` at `corner` of an input {channels, height, width} that is black elsewhere.
void write(const QImage &picture, const QPoint &corner, bool flip, const std::vector<qint64> &shape, std::byte *out) {
    const qint64 height = shape[1], width = shape[2];
    auto *to = reinterpret_cast<uchar *>(out);
    const int firstX = std::max(0, -corner.x()), endX = std::min(picture.width(), static_cast<int>(width) - corner.x());
    const int firstY = std::max(0, -corner.y()),
              endY = std::min(picture.height(), static_cast<int>(height) - corner.y());
    if (corner != QPoint(0, 0) || picture.width() < width || picture.height() < height)
        std::memset(to, 0, static_cast<std::size_t>(shape[0] * height * width));
    for (int y = firstY; y < endY; ++y) {
        const uchar *row = picture.constScanLine(y);
        for (qint64 c = 0; c < shape[0]; ++c) {
            uchar *line = to + (c * height + y + corner.y()) * width + corner.x();
            for (int x = firstX; x < endX; ++x) {
                const uchar *pixel = row + static_cast<qsizetype>(flip ? picture.width() - 1 - x : x) * channels;
                line[x] = shape[0] == 1 ? static_cast<uchar>(greyOf(pixel)) : pixel[c];
            }
        }
    }
}

class FittedPictures : public DatasetView {
  public:
    FittedPictures(std::shared_ptr<const Dataset> data, PictureInput input)
        : DatasetView(std::move(data)), m_input(std::move(input)) {
        m_parts.front().slot.shape = m_input.shape;
    }
    bool hasOwnSizes() const override { return false; }
    bool isDecoded() const override { return true; }
    Result<void> readSamples(Split split, std::size_t, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return readAll(split, {}, indices, out);
    }
    Result<void> readEpoch(qint64 epoch, std::size_t, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        return readAll(Split::Train, epoch, indices, out);
    }

  private:
    Result<void> readAll(Split split, std::optional<qint64> epoch, std::span<const qint64> indices,
                         std::span<std::byte> out) const {
        const auto each = static_cast<std::size_t>(sample().bytes());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (auto read = readOne(split, epoch, indices[i], out.data() + i * each); !read)
                return read;
        }
        return {};
    }

    Result<void> readOne(Split split, std::optional<qint64> epoch, qint64 index, std::byte *out) const {
        const QSize size(static_cast<int>(m_input.shape[2]), static_cast<int>(m_input.shape[1]));
        const bool varies = epoch && !m_input.augmentation.isNone();
        Placement placement;
        Variation variation;
        QSize upright;
        // What is used should not be smaller than the input, where it need not be.
        const auto choose = [&](const QSize &full) {
            upright = full;
            placement = varies ? place(m_input, full, size) : place(m_input.fit, full, size);
            if (varies) {
                variation =
                    Variation::of(m_input.augmentation, m_input.seed, *epoch, index, placement.source.size(), size);
                placement.source = partOf(placement.source, variation.crop);
            }
            return std::max(placement.target.width() / placement.source.width(),
                            placement.target.height() / placement.source.height());
        };
        const auto picture = shown().readPicture(split, index, choose);
        if (!picture)
            return tl::unexpected(picture.error());
        const QSizeF scale(static_cast<double>(picture->width()) / upright.width(),
                           static_cast<double>(picture->height()) / upright.height());
        const QRectF source(placement.source.left() * scale.width(), placement.source.top() * scale.height(),
                            placement.source.width() * scale.width(), placement.source.height() * scale.height());
        const bool same = placement.target.size() == picture->size() && source == QRectF(picture->rect());
        QImage result = same ? *picture : resampled(*picture, source, placement.target.size());
        if (varies)
            vary(result, variation, m_input.augmentation.magnitude);
        write(result, placement.target.topLeft() + variation.shift, variation.flip, m_input.shape, out);
        return {};
    }

    const PictureInput m_input;
};

}  // namespace

const QStringList &pictureFitNames() {
    static const QStringList names{QStringLiteral("crop"), QStringLiteral("whole"), QStringLiteral("stretch")};
    return names;
}

std::shared_ptr<const Dataset> fitPictures(std::shared_ptr<const Dataset> data, const PictureInput &input) {
    return std::make_shared<FittedPictures>(std::move(data), input);
}

}  // namespace hearth
