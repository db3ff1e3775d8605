// Internal to core/data: a data set made of NumPy arrays, which stay on the disk.
#pragma once

#include <array>
#include <map>

#include "core/data/check_progress.h"
#include "core/data/data_file.h"
#include "core/data/dataset.h"
#include "core/data/npy.h"

namespace hearth {

struct ArrayFiles {
    std::map<QString, QString> inputs;  // by name of the part
    QString labels;
};

struct ArraysDescription {
    QString name;
    QStringList labelNames;  // may be empty
    ArrayFiles train;
    ArrayFiles test;
};

/// An open .npy file, whose first dimension counts samples. Any thread, also several at once.
class NpyArray {
  public:
    explicit NpyArray(const QString &path) : m_file(path) {}
    static Result<std::shared_ptr<const NpyArray>> open(const QString &path);
    /// The content of such a file.
    static Result<std::shared_ptr<const NpyArray>> inMemory(QByteArray content, const QString &source);

    const NpyHeader &header() const { return m_header; }
    qint64 samples() const { return m_header.shape.front(); }
    Slot slot() const { return {m_header.type, {m_header.shape.begin() + 1, m_header.shape.end()}, false}; }
    const QString &path() const { return m_file.path(); }
    qint64 fileBytes() const { return m_header.offset + m_header.bytes; }
    /// Samples one after the other. Errors: those of DataFile.
    Result<void> read(std::span<const qint64> indices, std::span<std::byte> out) const;
    /// The least and the largest of whole numbers, but for `ignored`; nothing where there is none.
    Result<std::optional<WholeRange>> range(std::optional<qint64> ignored, const CheckProgress &progress) const;

  private:
    Result<void> readAt(qint64 position, std::span<std::byte> out) const;

    DataFile m_file;
    QByteArray m_content;  // in place of the file
    NpyHeader m_header;
};

/// Parts are the arrays of `inputs`, in order of name; whole labels become int64. Ids and labels are looked through
/// once, so that a number that no network can take is an error before a run starts.
class ArraysDataset : public Dataset {
  public:
    static Result<std::shared_ptr<const Dataset>> load(const ArraysDescription &description,
                                                       const CheckProgress &progress = {});
    struct Half {
        std::vector<std::shared_ptr<const NpyArray>> parts;
        std::shared_ptr<const NpyArray> labels;
        qint64 fileBytes = 0;
    };
    /// `parts` are the names of those of both halves.
    static Result<std::shared_ptr<const Dataset>> of(const QString &name, const QStringList &classes,
                                                     const QStringList &parts, Half train, Half test,
                                                     const CheckProgress &progress);

    qint64 count(Split split) const override { return half(split).labels ? half(split).labels->samples() : 0; }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override;
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override;

  private:
    static Result<Half> openHalf(const ArrayFiles &files);
    const Half &half(Split split) const { return m_halves[static_cast<std::size_t>(split)]; }
    Result<void> addHalf(Half half, Split split, const CheckProgress &progress);

    std::array<Half, allSplits.size()> m_halves;
};

}  // namespace hearth
