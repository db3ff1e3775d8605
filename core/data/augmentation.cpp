#include "core/data/augmentation.h"

#include <algorithm>
#include <cmath>

#include "core/base/json_reader.h"
#include "core/data/draws.h"

namespace hearth {
namespace {

constexpr quint64 augmentationStream = 4;
/// Tries for a part that lies within the picture, as torchvision has them.
constexpr quint64 cropTries = 10;
constexpr double mostStretched = 4.0 / 3;

/// Only +, -, *, / and square roots: the same bits on every processor.
QRectF cropOf(double least, Draws draws, const QSizeF &part, const QSize &input) {
    if (least >= 1)
        return {0, 0, 1, 1};
    const double usual = static_cast<double>(input.width()) / input.height();
    for (quint64 i = 0; i < cropTries; ++i) {
        const double area = part.width() * part.height() * draws.between(least, 1);
        const double stretch = draws.between(1, mostStretched);
        const double ratio = usual * (draws.share() < 0.5 ? stretch : 1 / stretch);
        const double width = std::sqrt(area * ratio), height = std::sqrt(area / ratio);
        const double left = draws.share(), top = draws.share();
        if (width > part.width() || height > part.height())
            continue;
        const QSizeF share(width / part.width(), height / part.height());
        return {left * (1 - share.width()), top * (1 - share.height()), share.width(), share.height()};
    }
    return {0, 0, 1, 1};
}

}  // namespace

bool Augmentation::isNone() const {
    Augmentation none;
    none.magnitude = magnitude;
    return *this == none;
}

Augmentation Augmentation::usual(Strength strength, qint64 side) {
    constexpr qint64 smallSide = 64;  // as of CIFAR-10; larger ones are trained as ImageNet's
    Augmentation usual;
    if (strength == Strength::None)
        return usual;
    if (side <= smallSide)
        usual.shift = static_cast<int>(side / (strength == Strength::Light ? 16 : 8));
    else
        usual.crop = strength == Strength::Light ? 0.64 : 0.25;
    if (strength != Strength::Light)
        usual.colour = side <= smallSide ? 0.2 : 0.4;
    if (strength == Strength::Strong) {
        usual.randomOps = 2;
        usual.mixup = 0.2;
        usual.cutmix = 1;
    }
    return usual;
}

Result<Augmentation> Augmentation::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    Augmentation augmentation;
    augmentation.crop = reader.number("crop", Limits::leastCrop, 1, augmentation.crop);
    augmentation.shift = static_cast<int>(reader.integer("shift", 0, Limits::shift, augmentation.shift));
    augmentation.flip = reader.boolean("flip", augmentation.flip);
    augmentation.colour = reader.number("colour", 0, Limits::colour, augmentation.colour);
    augmentation.randomOps = static_cast<int>(reader.integer("random_ops", 0, Limits::randomOps, 0));
    augmentation.magnitude = static_cast<int>(reader.integer("magnitude", 0, mostMagnitude, usualMagnitude));
    for (const auto &[name, alpha] : {std::pair("mixup", &augmentation.mixup), {"cutmix", &augmentation.cutmix}}) {
        if (reader.number(name, 0, Mixing::Limits::mostAlpha, 0) > 0)
            *alpha = reader.number(name, Mixing::Limits::leastAlpha, Mixing::Limits::mostAlpha);
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return augmentation;
}

QJsonObject Augmentation::toJson() const {
    return {{QStringLiteral("crop"), crop},
            {QStringLiteral("shift"), shift},
            {QStringLiteral("flip"), flip},
            {QStringLiteral("colour"), colour},
            {QStringLiteral("random_ops"), randomOps},
            {QStringLiteral("magnitude"), magnitude},
            {QStringLiteral("mixup"), mixup},
            {QStringLiteral("cutmix"), cutmix}};
}

Variation Variation::of(const Augmentation &augmentation, quint64 seed, qint64 epoch, qint64 sample, const QSizeF &part,
                        const QSize &input) {
    const Generator stream = Generator(seed)
                                 .child(augmentationStream)
                                 .child(static_cast<quint64>(epoch))
                                 .child(static_cast<quint64>(sample));
    Variation variation;
    variation.crop = cropOf(augmentation.crop, Draws(stream.child(0)), part, input);
    Draws draws(stream.child(1));
    const int shift = augmentation.shift;
    variation.shift.setX(draws.whole(-shift, shift));
    variation.shift.setY(draws.whole(-shift, shift));
    variation.flip = draws.share() < 0.5 && augmentation.flip;
    for (double *factor : {&variation.brightness, &variation.contrast, &variation.saturation})
        *factor = draws.between(1 - augmentation.colour, 1 + augmentation.colour);
    Draws ops(stream.child(2));
    for (int i = 0; i < augmentation.randomOps; ++i) {
        const auto op = static_cast<PictureOp>(ops.whole(0, pictureOps - 1));
        variation.ops.push_back({op, ops.share() < 0.5});
    }
    return variation;
}

}  // namespace hearth
