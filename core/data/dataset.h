// Labelled samples, as the device that holds them serves them. No tensors here: bytes, shapes, labels.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/slot.h"

namespace hearth {

enum class Split : quint8 { Train, Test };

/// Whole numbers from the least to the largest, both included.
struct WholeRange {
    qint64 least = 0, most = 0;

    bool operator==(const WholeRange &) const = default;
};

/// One of the things that a network sees of a sample: pixels, token ids, a mask. Plain value.
struct DataPart {
    QString name;
    Slot slot;                             // as it travels, before the job's input transform
    std::optional<WholeRange> range = {};  // of its numbers, where they are ids or a mask

    bool operator==(const DataPart &) const = default;
};

/// Immutable once loaded: any thread may read.
class Dataset {
  public:
    virtual ~Dataset() = default;
    const QString &name() const { return m_name; }
    /// Of every sample of both splits: what a network sees of it, at least one, ...
    const std::vector<DataPart> &parts() const { return m_parts; }
    /// (the first, which is all that there is of pictures, and the bytes of all)
    const Slot &sample() const { return m_parts.front().slot; }
    qint64 sampleBytes() const;
    /// ... and what it should answer.
    const Slot &label() const { return m_label; }
    /// Labels are below this number; 0: they are real numbers.
    int classes() const { return m_classes; }
    /// One name per class, in label order; empty: they have none.
    const QStringList &labelNames() const { return m_labelNames; }

    virtual qint64 count(Split split) const = 0;
    /// Of one of the parts, samples one after the other; `out` has indices.size() times the part's bytes. Indices are
    /// from 0 to count(split)-1 (the caller's duty). May block; errors name the file.
    virtual Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                                     std::span<std::byte> out) const = 0;
    /// Likewise, of label().bytes() each.
    virtual Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const = 0;

  protected:
    QString m_name;
    std::vector<DataPart> m_parts;
    Slot m_label;
    int m_classes = 0;
    QStringList m_labelNames;
};

/// Names that loadDataset knows without a file, sorted.
QStringList builtinDatasets();

/// Where the files of a built-in data set lie.
QString datasetFolder(const QString &builtinName);

/// A built-in name ("fashion-mnist": Debian's package dataset-fashion-mnist, in /usr/share/datasets), or the path of a
/// "hearth-data/1" file that names IDX files of one's own:
///   {"format":"hearth-data/1","name":"mine","classes":["a","b"],
///    "train":{"images":"x-idx3-ubyte.gz","labels":"y-idx1-ubyte.gz"},"test":{…}}
/// with paths relative to it. Images are IDX of uint8 with 3 (n,h,w) or 4 (n,c,h,w) dimensions, gzip or plain, all of
/// which is read into memory (fashion-mnist: 55 MB). Or it names NumPy files (npy.h), for each input of a network and
/// the labels {n} or {n, tokens}, where -100 counts for nothing, or of float32 {n} or {n, …}, where NaN does; "classes"
/// may be left out:
///   {"format":"hearth-data/1","name":"mine","kind":"arrays",
///    "train":{"inputs":{"tokens":"x.npy","mask":"m.npy"},"labels":"y.npy"},"test":{…}}
/// Errors: unknown name (lists what there is), missing (names package
/// and command), cut short, wrong magic, counts that differ, labels out of range. Any thread; blocks.
Result<std::shared_ptr<const Dataset>> loadDataset(const QString &nameOrPath);
/// The same data with only these parts, in this order.
std::shared_ptr<const Dataset> withParts(std::shared_ptr<const Dataset> data, std::vector<std::size_t> parts);
/// "fashion-mnist" from another folder than the package's.
Result<std::shared_ptr<const Dataset>> loadFashionMnist(const QString &folder);

}  // namespace hearth
