// What a run gets right and wrong, and the samples that show it.
#pragma once

#include <QImage>
#include <QStringList>
#include <memory>
#include <optional>

#include "core/data/dataset.h"
#include "core/model/loss_facts.h"
#include "core/protocol/evaluation_details.h"
#include "core/protocol/run_data.h"

namespace hearth {

/// What there is to see of a sample. Plain value.
struct SeenSample {
    QImage picture;      // null where samples are none
    QStringList fields;  // of rows and texts: as many as EvaluatedSamples::columns()
    QString file;        // its path, where it is one
};

/// The data of a run's job, where this computer has them. Any thread may read; blocks.
class EvaluatedSamples {
  public:
    /// Of a run's folder. Errors: what is wrong with the job, the network or the data; "run.other-data": the set has
    /// other samples than when it was evaluated.
    static Result<std::shared_ptr<const EvaluatedSamples>> open(const QString &runFolder,
                                                                const EvaluationDetails &details);

    const QStringList &columns() const { return m_data->columns(); }
    QString fileOf(qint64 sample) const { return m_data->fileOf(m_split, sample); }
    /// `sample` as in JudgedSample. A picture is at most `side` pixels wide and high. Errors name the file.
    Result<SeenSample> read(qint64 sample, int side) const;

  private:
    EvaluatedSamples(std::shared_ptr<const Dataset> data, Split split) : m_data(std::move(data)), m_split(split) {}

    const std::shared_ptr<const Dataset> m_data;
    const Split m_split;
};

/// Of the last evaluation of a run. Plain value; any thread.
struct RunResults {
    EvaluationDetails details;  // labels and answers that are quantities of rows: in the unit of their table
    QStringList classes;        // names by number; empty: they have none
    LossFacts::Answers answers = LossFacts::Answers::Classes;
    std::shared_ptr<const EvaluatedSamples> samples = {};  // null: they cannot be shown, and ...
    std::optional<Error> unseen = {};                      // ... why

    /// Of a run's folder. Errors: those of EvaluationDetails, RunData and, of quantities, Preparation.
    static Result<RunResults> withoutSamples(const QString &runFolder);
    /// Blocks, as all of the data may be read.
    static Result<RunResults> load(const QString &runFolder);
    /// In English where classes are yes and no, else its own name, or its number.
    QString className(int number) const;
};

}  // namespace hearth
