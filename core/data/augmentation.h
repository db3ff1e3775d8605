// How training pictures are varied: a value with the JSON form of a job's "augment".
#pragma once

#include <QJsonObject>
#include <QRectF>
#include <QSize>
#include <vector>

#include "core/base/error.h"
#include "core/base/generator.h"
#include "core/data/mixing.h"
#include "core/data/picture_ops.h"

namespace hearth {

/// Nothing by default. JSON: {"crop":0.25,"shift":4,"flip":true,"colour":0.4,"random_ops":2,"magnitude":9,
/// "mixup":0.2,"cutmix":1}. Plain value, any thread.
struct Augmentation {
    /// A random part of at least this share of the area, of a ratio between 3:4 and 4:3 of the input's, is stretched to
    /// the input (Szegedy et al., 2015, section 6). 1: the whole.
    double crop = 1;
    int shift = 0;      // moved by up to so many pixels each way, what comes in is black (He et al., 2016, section 4.2)
    bool flip = false;  // left to right, every second
    double colour = 0;  // brightness, contrast and saturation by factors from 1-colour to 1+colour, in this order
    int randomOps = 0;  // so many changes, each drawn from those of RandAugment, one after the other, all ...
    int magnitude = usualMagnitude;  // ... of this strength
    double mixup = 0, cutmix = 0;    // two pictures become one: alphas of Mixing

    bool operator==(const Augmentation &) const = default;
    /// How strong changes would be is nothing without changes.
    bool isNone() const;
    /// For networks that take pictures of so many pixels a side. Whether they may be mirrored depends on what they
    /// show.
    enum class Strength : quint8 { None, Light, Usual, Strong };
    static Augmentation usual(Strength strength, qint64 side);
    bool mixes() const { return !mixing(0).isNone(); }
    Mixing mixing(quint64 seed) const { return {mixup, cutmix, seed}; }
    static Result<Augmentation> fromJson(const QJsonObject &object, const QString &source, const QString &path);
    QJsonObject toJson() const;

    struct Limits {
        static constexpr double leastCrop = 0.01;
        static constexpr int shift = 256;
        static constexpr double colour = 1;
        static constexpr int randomOps = 8;
    };
};

/// What became of one sample in one epoch. Plain value.
struct Variation {
    QRectF crop{0, 0, 1, 1};  // of the part that is used, as a share of its width and height
    QPoint shift{0, 0};
    bool flip = false;
    double brightness = 1, contrast = 1, saturation = 1;
    std::vector<DrawnOp> ops = {};

    /// A pure function: words of Generator(seed).child(4).child(epoch).child(sample). `part` is what there is to crop
    /// from, in pixels, and `input` what the network takes.
    static Variation of(const Augmentation &augmentation, quint64 seed, qint64 epoch, qint64 sample, const QSizeF &part,
                        const QSize &input);
};

}  // namespace hearth
