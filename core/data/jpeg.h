// Internal to core/data: JPEG by libjpeg-turbo, decoded no larger than needed.
#pragma once

#include <QImage>

#include "core/data/dataset.h"

namespace hearth {

bool isJpeg(const QByteArray &bytes);
/// How many eighths of the width and height are decoded where this much suffices: 1, 2, 4 or 8.
unsigned jpegPart(double wanted);
/// In colours (Format_RGB888), but a null picture where the colours are of four inks (CMYK): another reader knows them.
/// Upright, as its EXIF data say. A half, a fourth or an eighth of the size is decoded directly, with memory for the
/// result and some rows; files that send a picture in passes are refused where they would take more than
/// `mostPassBytes`. What ends early or is damaged is an error, though much of it could be shown. Error: the cause
/// alone. Any thread.
tl::expected<QImage, Sentence> decodeJpeg(const QByteArray &bytes, const ScaleChoice &scale);

}  // namespace hearth
