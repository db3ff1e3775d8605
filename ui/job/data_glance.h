// What a look into a data set finds: how large it is, and some of its samples.
#pragma once

#include <QImage>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/data/check_progress.h"
#include "core/run/data_fit.h"
#include "core/run/whole_job.h"
#include "ui/base/widgets.h"

namespace hearth {

/// Of a sample as it is shown.
constexpr int sampleSide = 5 * grid;

/// One data set that was looked into. Plain value.
struct DataGlance {
    std::shared_ptr<const Dataset> data{};  // as it was loaded; null: not yet
    QString name;
    qint64 training = 0, test = 0;
    CountedSamples counted;  // by a run of the job; of several sets nobody counts them here
    qint64 leftOut = 0;      // files
    qint64 gone = 0;         // files that are listed
    QStringList classes;
    DataShape shape;
    bool pictures = false;        // only then there are samples
    std::vector<QImage> samples;  // each class in its turn
    QStringList labels;           // of the samples
    QStringList columns;          // of rows, and ...
    QList<QStringList> rows;      // ... a few of them
};

/// Of a set of the job, as `model` would see it where the job makes something else of pictures. Null: nobody knows yet.
/// Errors: those of reading; "data.given-up". Any thread; blocks.
Result<DataGlance> glanceAt(const Job &job, const Model *model, const std::shared_ptr<const Dataset> &data,
                            const CheckProgress &progress);
/// Samples of a folder that is no data set yet: trying all its pictures takes a while. Nothing where it is another kind
/// of data, or one of the samples cannot be read. Any thread; blocks.
std::optional<DataGlance> firstGlance(const QString &nameOrPath, const CheckProgress &progress);

}  // namespace hearth
