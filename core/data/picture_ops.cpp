#include "core/data/picture_ops.h"

#include <QImage>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/data/grey.h"

namespace hearth {
namespace {

constexpr int channels = 3;
constexpr int factorBits = 12;
constexpr int levels = 256;

using Levels = std::array<uchar, levels>;

int wholeFactor(double factor) {
    return static_cast<int>(std::lround(factor * (1 << factorBits)));
}

uchar mixed(int value, int other, int factor) {
    return static_cast<uchar>(std::clamp(
        (value * factor + other * ((1 << factorBits) - factor) + (1 << (factorBits - 1))) >> factorBits, 0, 255));
}

template <class Change>
void eachPixel(QImage &picture, Change change) {
    for (int y = 0; y < picture.height(); ++y) {
        uchar *at = picture.scanLine(y);
        for (int x = 0; x < picture.width(); ++x, at += channels)
            change(at);
    }
}

template <class NewLevel>
void mapLevels(QImage &picture, NewLevel newLevel) {
    Levels map{};
    for (int level = 0; level < levels; ++level)
        map[static_cast<std::size_t>(level)] = static_cast<uchar>(newLevel(level));
    eachPixel(picture, [&](uchar *pixel) {
        for (int c = 0; c < channels; ++c)
            pixel[c] = map[pixel[c]];
    });
}

/// One for each channel, of how many pixels have which level.
void mapLevelsByCounts(QImage &picture, Levels (*mapOf)(const std::array<qint64, levels> &counts)) {
    std::array<std::array<qint64, levels>, channels> counts{};
    eachPixel(picture, [&](const uchar *pixel) {
        for (std::size_t c = 0; c < channels; ++c)
            ++counts[c][pixel[c]];
    });
    std::array<Levels, channels> maps{};
    std::ranges::transform(counts, maps.begin(), mapOf);
    eachPixel(picture, [&](uchar *pixel) {
        for (std::size_t c = 0; c < channels; ++c)
            pixel[c] = maps[c][pixel[c]];
    });
}

Levels identity() {
    Levels map{};
    for (std::size_t level = 0; level < levels; ++level)
        map[level] = static_cast<uchar>(level);
    return map;
}

/// From black to white, whatever the darkest and the brightest are.
Levels stretched(const std::array<qint64, levels> &counts) {
    int least = 0, most = levels - 1;
    while (least < most && counts[static_cast<std::size_t>(least)] == 0)
        ++least;
    while (most > least && counts[static_cast<std::size_t>(most)] == 0)
        --most;
    Levels map = identity();
    for (int level = 0; least < most && level < levels; ++level) {
        map[static_cast<std::size_t>(level)] =
            static_cast<uchar>(std::clamp((level - least) * (levels - 1) / (most - least), 0, levels - 1));
    }
    return map;
}

/// As many pixels at each level as at any other, as far as that goes.
Levels equalized(const std::array<qint64, levels> &counts) {
    qint64 all = 0, ofBrightest = 0;
    for (const qint64 count : counts) {
        all += count;
        ofBrightest = count > 0 ? count : ofBrightest;
    }
    const qint64 step = (all - ofBrightest) / (levels - 1);
    if (step == 0)
        return identity();
    Levels map{};
    qint64 below = step / 2;
    for (std::size_t level = 0; level < levels; ++level) {
        map[level] = static_cast<uchar>(std::min<qint64>(below / step, levels - 1));
        below += counts[level];
    }
    return map;
}

/// Where each new pixel lies in the old picture, in parts of 2^16 of half a pixel, for their middles are at halves:
/// x' = xx·x + xy·y + x0, y' = yx·x + yy·y + y0.
struct Affine {
    static constexpr int bits = 16;
    qint64 xx = 1 << bits, xy = 0, x0 = 0;
    qint64 yx = 0, yy = 1 << bits, y0 = 0;

    static qint64 part(double value) { return std::llround(value * (1 << bits)); }
    /// Moved so that this point, in halves of pixels, stays where it is.
    Affine around(int x, int y) const {
        Affine moved = *this;
        moved.x0 = ((1 << bits) - xx) * x - xy * y;
        moved.y0 = ((1 << bits) - yy) * y - yx * x;
        return moved;
    }
};

/// Each pixel is the old one that lies there.
void transform(QImage &picture, const Affine &affine) {
    QImage result(picture.size(), QImage::Format_RGB888);
    for (int y = 0; y < result.height(); ++y) {
        uchar *to = result.scanLine(y);
        for (int x = 0; x < result.width(); ++x, to += channels) {
            const int middleX = 2 * x + 1, middleY = 2 * y + 1;
            const qint64 fromX = (affine.xx * middleX + affine.xy * middleY + affine.x0) >> (Affine::bits + 1);
            const qint64 fromY = (affine.yx * middleX + affine.yy * middleY + affine.y0) >> (Affine::bits + 1);
            const bool inside = fromX >= 0 && fromX < picture.width() && fromY >= 0 && fromY < picture.height();
            const uchar *from = inside ? picture.constScanLine(static_cast<int>(fromY)) + fromX * channels : nullptr;
            for (int c = 0; c < channels; ++c)
                to[c] = from ? from[c] : uchar{0};
        }
    }
    picture = std::move(result);
}

void shear(QImage &picture, double slope, bool alongX) {
    Affine affine;
    (alongX ? affine.xy : affine.yx) = Affine::part(slope);
    transform(picture, affine);
}

void translate(QImage &picture, int pixels, bool alongX) {
    Affine affine;
    (alongX ? affine.x0 : affine.y0) = -qint64{2} * pixels * (1 << Affine::bits);
    transform(picture, affine);
}

/// Against the clock. Series of Taylor rather than the library's functions, whose last bits differ between processors.
void rotate(QImage &picture, double degrees) {
    const double angle = degrees * 3.14159265358979323846 / 180;
    double sine = 0, cosine = 0, term = 1;
    for (int power = 0; power < 16; ++power) {
        const double sign = power % 4 < 2 ? 1 : -1;
        (power % 2 == 0 ? cosine : sine) += sign * term;
        term *= angle / (power + 1);
    }
    Affine affine;
    affine.xx = affine.yy = Affine::part(cosine);
    affine.xy = -Affine::part(sine);
    affine.yx = Affine::part(sine);
    transform(picture, affine.around(picture.width(), picture.height()));
}

/// Mixed with a smooth one, whose border stays as it is.
void sharpen(QImage &picture, double factor) {
    constexpr int middle = 5, all = 13;
    const QImage before = picture.copy();
    const int whole = wholeFactor(factor);
    for (int y = 1; y + 1 < picture.height(); ++y) {
        uchar *to = picture.scanLine(y) + channels;
        const uchar *above = before.constScanLine(y - 1), *here = before.constScanLine(y),
                    *below = before.constScanLine(y + 1);
        for (int at = channels; at < (picture.width() - 1) * channels; ++at, ++to) {
            int sum = (middle - 1) * here[at];
            for (const int x : {at - channels, at, at + channels})
                sum += above[x] + here[x] + below[x];
            *to = mixed(here[at], (sum + all / 2) / all, whole);
        }
    }
}

/// Of `most` at the largest magnitude.
double share(double most, int magnitude) {
    return most * magnitude / mostMagnitude;
}

}  // namespace

void changeBrightness(QImage &picture, double factor) {
    const int whole = wholeFactor(factor);
    mapLevels(picture, [whole](int level) { return mixed(level, 0, whole); });
}

void changeContrast(QImage &picture, double factor) {
    const qint64 pixels = qint64{picture.width()} * picture.height();
    qint64 sum = 0;
    eachPixel(picture, [&](const uchar *pixel) { sum += greyOf(pixel); });
    const auto mean = static_cast<int>((sum + pixels / 2) / std::max<qint64>(pixels, 1));
    const int whole = wholeFactor(factor);
    mapLevels(picture, [whole, mean](int level) { return mixed(level, mean, whole); });
}

void changeSaturation(QImage &picture, double factor) {
    const int whole = wholeFactor(factor);
    eachPixel(picture, [whole](uchar *pixel) {
        const int grey = greyOf(pixel);
        for (int c = 0; c < channels; ++c)
            pixel[c] = mixed(pixel[c], grey, whole);
    });
}

void apply(const DrawnOp &drawn, int magnitude, QImage &picture) {
    constexpr double mostSlope = 0.3, mostShift = 150.0 / 331, mostDegrees = 30, mostChange = 0.9;
    const double way = drawn.turned ? -1 : 1;
    const double changed = 1 + way * share(mostChange, magnitude);
    switch (drawn.op) {
        case PictureOp::Identity:
            return;
        case PictureOp::ShearX:
        case PictureOp::ShearY:
            return shear(picture, way * share(mostSlope, magnitude), drawn.op == PictureOp::ShearX);
        case PictureOp::TranslateX:
            return translate(picture, static_cast<int>(way * share(mostShift * picture.width(), magnitude)), true);
        case PictureOp::TranslateY:
            return translate(picture, static_cast<int>(way * share(mostShift * picture.height(), magnitude)), false);
        case PictureOp::Rotate:
            return rotate(picture, way * share(mostDegrees, magnitude));
        case PictureOp::Brightness:
            return changeBrightness(picture, changed);
        case PictureOp::Colour:
            return changeSaturation(picture, changed);
        case PictureOp::Contrast:
            return changeContrast(picture, changed);
        case PictureOp::Sharpness:
            return sharpen(picture, changed);
        case PictureOp::Posterize: {
            const int dropped = (4 * magnitude + mostMagnitude / 2) / mostMagnitude;  // bits of eight, four at most
            return mapLevels(picture, [dropped](int level) { return level >> dropped << dropped; });
        }
        case PictureOp::Solarize: {
            const int threshold = (levels - 1) * (mostMagnitude - magnitude);
            return mapLevels(picture, [threshold](int level) {
                return level * mostMagnitude >= threshold ? levels - 1 - level : level;
            });
        }
        case PictureOp::AutoContrast:
            return mapLevelsByCounts(picture, stretched);
        case PictureOp::Equalize:
            return mapLevelsByCounts(picture, equalized);
    }
}

}  // namespace hearth
