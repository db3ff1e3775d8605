// Pictures that a network never saw.
#pragma once

#include <functional>
#include <memory>

#include "core/data/fitted_pictures.h"
#include "core/inference/sample_source.h"

namespace hearth {

/// The pictures that these paths are or, as folders, hold at any depth, by name. Whatever else was named stays, so that
/// its error is told. Those that were found so far, once `cancelled` says so. Any thread; blocks.
QStringList picturesAt(const QStringList &paths, const std::function<bool()> &cancelled = {});
/// Of such files.
std::unique_ptr<SampleSource> pictureSource(const QStringList &files, const PictureInput &input);

}  // namespace hearth
