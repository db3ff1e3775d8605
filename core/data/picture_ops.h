// The changes of pictures that augmentation draws from.
#pragma once

#include <QtGlobal>

class QImage;

namespace hearth {

/// Those of RandAugment (Cubuk et al., 2020, arXiv:1909.13719, section 3).
enum class PictureOp : quint8 {
    Identity,
    ShearX,
    ShearY,
    TranslateX,
    TranslateY,
    Rotate,
    Brightness,
    Colour,
    Contrast,
    Sharpness,
    Posterize,
    Solarize,
    AutoContrast,
    Equalize,
};
inline constexpr int pictureOps = static_cast<int>(PictureOp::Equalize) + 1;

/// One of them as it was drawn. Plain value.
struct DrawnOp {
    PictureOp op = PictureOp::Identity;
    bool turned = false;  // the other way: to the left, against the clock, paler; where the change has two ways

    bool operator==(const DrawnOp &) const = default;
};

/// How strong changes may be: as torchvision's RandAugment with 31 steps, 9 of which are usual.
inline constexpr int mostMagnitude = 30, usualMagnitude = 9;

/// Changes `picture` (Format_RGB888); what comes in from outside is black. All in whole numbers: the same bytes on
/// every processor. Any thread.
void apply(const DrawnOp &drawn, int magnitude, QImage &picture);

/// Its brightness, contrast and saturation times these.
void changeBrightness(QImage &picture, double factor);
void changeContrast(QImage &picture, double factor);
void changeSaturation(QImage &picture, double factor);

}  // namespace hearth
