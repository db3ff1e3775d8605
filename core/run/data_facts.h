// What a device tells of data that it holds, without a sample of them.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <array>
#include <vector>

#include "core/data/dataset.h"
#include "core/model/training_spec.h"

namespace hearth {

/// JSON "hearth-data-facts/1". Plain value, any thread.
///   {"format":"hearth-data-facts/1","name":"photos","kind":"pictures","counts":[800,0,200],
///    "parts":[{"name":"picture","dtype":"U8","shape":[3,64,64],"range":[0,255]}],
///    "label":{"dtype":"I64","shape":[]},"classes":2,"label_names":["cat","dog"],"columns":[],"preparation":{},
///    "input":{…},"own_sizes":false,"decoded":true,"bytes":123456}
struct DataFacts {
    QString name, kind;                             // as Dataset's, on the device that holds them
    std::array<qint64, allSplits.size()> counts{};  // of samples, in the order of allSplits
    std::vector<DataPart> parts;                    // as the job's network takes them
    Slot label;
    int classes = 0;
    QStringList labelNames;  // empty, or one per class
    QStringList columns;
    QJsonObject preparation;  // as preparationToTell() tells it
    InputTransform input;     // of inputFor()
    bool ownSizes = false;
    bool isDecoded = false;
    qint64 bytes = 0;  // of the files

    /// What a peer may say; more is an error.
    struct Limits {
        static constexpr qint64 samples = qint64{1} << 26;  // of a split: their order is in memory
        static constexpr int classes = 1'000'000;
        static constexpr qint64 slotBytes = qint64{1} << 30;  // of one sample
        static constexpr qsizetype parts = 16, dimensions = 8, columns = 1 << 16, nameLetters = 200,
                                   wordLetters = 1000;        // of a class or a column
        static constexpr qsizetype textBytes = 12 << 20;      // of all of it: a control message takes it
        static constexpr qint64 fileBytes = qint64{1} << 53;  // as JSON carries them exactly; sums of many sets fit
    };

    bool operator==(const DataFacts &) const = default;
    /// Errors: those of preparationToTell(); "data.too-many": more than a control message takes. Blocks.
    static Result<DataFacts> of(const Dataset &data, const InputTransform &input);
    /// Strict. `source` is what errors call it.
    static Result<DataFacts> fromJson(const QJsonObject &object, const QString &source);
    QJsonObject toJson() const;
    QByteArray toText() const;
    static Result<DataFacts> fromText(const QByteArray &text, const QString &source);

    qint64 count(Split split) const { return counts[static_cast<std::size_t>(split)]; }
};

}  // namespace hearth
