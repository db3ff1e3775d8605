// Weights on disk: the safetensors format, read and written without any other library.
#pragma once

#include <QByteArray>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"

namespace hearth {

struct SafetensorsLimits {
    static constexpr qint64 headerBytes = 100'000'000;  // what the reference implementation allows
    static constexpr qint64 tensors = 1 << 20;
    static constexpr int rank = 8;
};

/// Reads a whole file into one aligned Buffer per tensor, sorted by name. Everything is checked before memory is taken:
/// header length within limit and file, known dtypes, dimensions that multiply without overflow, offsets that cover the
/// data exactly once without holes, no name twice. spec.role and spec.init are not known to the format. Any thread.
Result<std::vector<NamedTensor>> readSafetensors(const QString &path);
/// The same from memory; `source` is what errors name.
Result<std::vector<NamedTensor>> parseSafetensors(std::span<const std::byte> content, const QString &source);

/// What its writer said of it, without reading the tensors. Any thread.
Result<std::map<QString, QString>> readSafetensorsMetadata(const QString &path);

/// Gives the data of a tensor that has none, when it is written: weights may be more than the memory holds.
using MakeData = std::function<Result<std::shared_ptr<Buffer>>(const NamedTensor &)>;

/// Writes sorted by name, atomically (see saveFile). Tensors start at multiples of 8 bytes. `metadata` becomes
/// "__metadata__". Names must differ. `between` follows every piece of a few megabytes at most.
Result<void> writeSafetensors(const QString &path, std::vector<NamedTensor> tensors,
                              const std::map<QString, QString> &metadata = {}, const BetweenPieces &between = {},
                              const MakeData &make = {});

/// 64 lowercase hex digits: SHA-256 of the tensors' bytes in order of name (code points), parameters and buffers.
QByteArray weightsSha256(const std::vector<NamedTensor> &tensors);

/// Orders the tensors of a weights file as the model wants them: one list per layer, in the order of shape.tensors,
/// with the model's specs. Other floating-point numbers are converted to `dtype` (widening is exact).
/// Errors: a tensor missing, one too many (both with the nearest name), a wrong shape, a dtype that is not a float.
Result<std::vector<std::vector<NamedTensor>>> weightsForModel(const Model &model, std::vector<NamedTensor> tensors,
                                                              DType dtype, const QString &source);

/// Float16, BFloat16, Float32 and Float64: what weights may be stored as.
bool isFloatingPoint(DType type);
/// A floating-point tensor's values as Float32 or Float64; its own buffer where it has them already.
std::shared_ptr<Buffer> valuesAs(const NamedTensor &tensor, DType dtype);

}  // namespace hearth
