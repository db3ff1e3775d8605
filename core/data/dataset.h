// Labelled samples, as the device that holds them serves them. No tensors here: bytes, shapes, labels.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/slot.h"
#include "core/data/check_progress.h"

class QImage;
class QSize;

namespace hearth {

enum class Split : quint8 { Train, Validation, Test };
inline constexpr std::array allSplits{Split::Train, Split::Validation, Split::Test};

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

/// A file, a row or a column of a data set in which something is wrong. Plain value.
struct BrokenFile {
    enum class Fate : quint8 {
        LeftOut,
        Doubtful,  // used, perhaps otherwise than it was meant
    };
    QString file;  // relative to the folder of the data set, or as Row::where, or the name of a column
    Sentence cause;
    Fate fate = Fate::LeftOut;

    bool operator==(const BrokenFile &) const = default;
};

/// Samples that only hold their places (withoutGone()). Plain value.
struct GoneFiles {
    qint64 count = 0;
    QString first;  // its path; empty where it is on another device
};

/// Of a picture of this size, how much of its width and height suffices: 1 is all of it, 0.5 a half of each. Asked for
/// each that can be read, perhaps twice.
using ScaleChoice = std::function<double(const QSize &upright)>;

/// Immutable once loaded: any thread may read.
class Dataset {
  public:
    virtual ~Dataset() = default;
    const QString &name() const { return m_name; }
    /// "images" (IDX), "arrays", "pictures", …: as "kind" of a "hearth-data/1" file.
    const QString &kind() const { return m_kind; }
    /// What is left out or doubtful, each with the reason.
    const std::vector<BrokenFile> &broken() const { return m_broken; }
    /// How many of these are so.
    qint64 countBroken(BrokenFile::Fate fate) const;
    const GoneFiles &gone() const { return m_gone; }
    /// Of its files.
    qint64 fileBytes() const { return m_fileBytes; }
    /// Of every sample of all splits: what a network sees of it, at least one, ...
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

    /// Of rows and texts what became of them, as a "hearth-data/1" file says it: for what comes later (preparation.h).
    const QJsonObject &preparation() const { return m_preparation; }
    /// What a person reads of a sample: names of the columns of rows; empty where samples are none.
    const QStringList &columns() const { return m_columns; }
    /// The fields of one, as many as columns(). Errors name the file.
    virtual Result<QStringList> readFields(Split split, qint64 index) const;

    /// Pictures that have sizes of their own: parts() say a usual one, and fitPictures() makes any other of them.
    virtual bool hasOwnSizes() const { return false; }
    /// Reading takes the processor rather than the disk: several threads are faster.
    virtual bool isDecoded() const { return false; }

    /// Reading waits for another device: more at once is faster, whatever the processor.
    virtual bool isElsewhere() const { return false; }

    /// What was read of rows and texts is not what their files hold by now. Blocks: looks at the files.
    virtual bool hasChanged() const { return false; }

    /// The file of one sample, where each has its own: its path; else empty.
    virtual QString fileOf(Split split, qint64 index) const;

    virtual qint64 count(Split split) const = 0;
    /// Of one of the parts, samples one after the other; `out` has indices.size() times the part's bytes. Indices are
    /// from 0 to count(split)-1 (the caller's duty). May block; errors name the file.
    virtual Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                                     std::span<std::byte> out) const = 0;
    /// Likewise, of label().bytes() each.
    virtual Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const = 0;
    /// Of the training split, as this epoch sees them: where they are augmented, differently in each. A pure function
    /// of data, epoch and index. Otherwise what readSamples() says.
    virtual Result<void> readEpoch(qint64 epoch, std::size_t part, std::span<const qint64> indices,
                                   std::span<std::byte> out) const;
    /// One sample of a set whose only part is bytes {1 or 3, h, w}, in colours (Format_RGB888) and upright; of a file
    /// perhaps smaller than it is, as `scale` allows.
    virtual Result<QImage> readPicture(Split split, qint64 index, const ScaleChoice &scale) const;
    bool arePictures() const;

  protected:
    QString m_name;
    QString m_kind;
    std::vector<BrokenFile> m_broken;
    GoneFiles m_gone;
    qint64 m_fileBytes = 0;
    std::vector<DataPart> m_parts;
    Slot m_label;
    int m_classes = 0;
    QStringList m_labelNames;
    QStringList m_columns;
    QJsonObject m_preparation;
};

/// As Format_RGB888, of bytes {1 or 3, h, w}.
QImage pictureOf(const std::vector<qint64> &shape, std::span<const std::byte> bytes);

/// Names that loadDataset knows without a file, sorted.
QStringList builtinDatasets();

/// Where the files of a built-in data set lie.
QString datasetFolder(const QString &builtinName);

/// A built-in name ("fashion-mnist": Debian's package dataset-fashion-mnist, in /usr/share/datasets), a registered one
/// (data_registry.h), or a path. That of a folder, or a table that names pictures, makes a set of them
/// (picture_files.h), all of which are tried; that of another file is a "hearth-data/1" file. It lists pictures, or
/// names IDX files of one's own:
///   {"format":"hearth-data/1","name":"mine","classes":["a","b"],
///    "train":{"images":"x-idx3-ubyte.gz","labels":"y-idx1-ubyte.gz"},"test":{…}}
/// with paths relative to it. Images are IDX of uint8 with 3 (n,h,w) or 4 (n,c,h,w) dimensions, gzip or plain, all of
/// which is read into memory (fashion-mnist: 55 MB). Or it names NumPy files (npy.h), for each input of a network and
/// the labels {n} or {n, tokens}, where -100 counts for nothing, or of float32 {n} or {n, …}, where NaN does; "classes"
/// may be left out:
///   {"format":"hearth-data/1","name":"mine","kind":"arrays",
///    "train":{"inputs":{"tokens":"x.npy","mask":"m.npy"},"labels":"y.npy"},"test":{…}}
/// Errors: unknown name (lists what there is), missing (names package
/// and command), cut short, wrong magic, counts that differ, labels out of range; "data.given-up". Any thread; blocks.
Result<std::shared_ptr<const Dataset>> loadDataset(const QString &nameOrPath, const CheckProgress &progress = {});
/// The same data with only these parts, in this order.
std::shared_ptr<const Dataset> withParts(std::shared_ptr<const Dataset> data, std::vector<std::size_t> parts);
/// The same data with a validation set: its own, or about this share of the training samples, which `seed` chooses.
/// Error "job.validation": there are too few.
Result<std::shared_ptr<const Dataset>> withValidation(std::shared_ptr<const Dataset> data, double share, quint64 seed);
/// Nothing is at `path`, though its folder is there and holds other things; or the file is empty. What lies on a disk
/// that is away is not gone.
bool isGone(const QString &path);
/// The same data, in which a sample whose file is gone (isGone()) is black, with a label that no loss counts. All
/// others keep their numbers, so that the order of a run and what is set apart for validation are the same whatever is
/// gone. Errors: "data.gone": nothing is left to train or to test with; "data.given-up". Blocks: looks for each file.
Result<std::shared_ptr<const Dataset>> withoutGone(std::shared_ptr<const Dataset> data,
                                                   const CheckProgress &progress = {});
/// "fashion-mnist" from another folder than the package's.
Result<std::shared_ptr<const Dataset>> loadFashionMnist(const QString &folder);

}  // namespace hearth
