// Pictures as a network takes them: of its size, and varied from epoch to epoch.
#pragma once

#include <QStringList>

#include "core/base/generator.h"
#include "core/data/augmentation.h"
#include "core/data/dataset.h"

namespace hearth {

/// How a picture of another shape becomes the input: its middle fills it; all of it, with a black border; all of it,
/// stretched.
enum class PictureFit : quint8 { Crop, Whole, Stretch };
/// In the order of PictureFit: "crop", "whole", "stretch".
const QStringList &pictureFitNames();

/// What pictures are made into. Plain value.
struct PictureInput {
    std::vector<qint64> shape;  // {1 or 3, height, width}; a picture in colours becomes grey as ITU-R BT.601 says
    PictureFit fit = PictureFit::Crop;
    Augmentation augmentation = {};  // of the training split
    quint64 seed = 1;                // of what is random in it
};

/// `data` are pictures (Dataset::arePictures()), and stay as they are in classes, counts and labels. Errors are those
/// of reading.
std::shared_ptr<const Dataset> fitPictures(std::shared_ptr<const Dataset> data, const PictureInput &input);

}  // namespace hearth
