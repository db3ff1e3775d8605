// Labelled samples, as the device that holds them serves them. No tensors here: bytes, shapes, labels.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/slot.h"

namespace hearth {

enum class Split : quint8 { Train, Test };

/// Immutable once loaded: any thread may read.
class Dataset {
  public:
    virtual ~Dataset() = default;
    const QString &name() const { return m_name; }
    /// Of every sample of both splits: what a network sees of it, before the job's input transform, ...
    const Slot &sample() const { return m_sample; }
    /// ... and what it should answer.
    const Slot &label() const { return m_label; }
    int classes() const { return static_cast<int>(m_labelNames.size()); }
    /// One name per class, in label order.
    const QStringList &labelNames() const { return m_labelNames; }

    virtual qint64 count(Split split) const = 0;
    /// Samples one after the other; `out` has indices.size() * sample().bytes() bytes. Indices are from 0 to
    /// count(split)-1 (the caller's duty). May block; errors name the file.
    virtual Result<void> readSamples(Split split, std::span<const qint64> indices, std::span<std::byte> out) const = 0;
    /// Likewise, of label().bytes() each.
    virtual Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const = 0;

  protected:
    QString m_name;
    Slot m_sample;
    Slot m_label;
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
/// with paths relative to it. Images are IDX of uint8 with 3 (n,h,w) or 4 (n,c,h,w) dimensions, gzip or plain. Reads
/// everything into memory (fashion-mnist: 55 MB). Errors: unknown name (lists what there is), missing (names package
/// and command), cut short, wrong magic, counts that differ, labels out of range. Any thread; blocks.
Result<std::shared_ptr<const Dataset>> loadDataset(const QString &nameOrPath);
/// "fashion-mnist" from another folder than the package's.
Result<std::shared_ptr<const Dataset>> loadFashionMnist(const QString &folder);

}  // namespace hearth
