// A trained run, as somebody may ask it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/data/fitted_pictures.h"
#include "core/inference/sample_source.h"
#include "core/model/loss_facts.h"
#include "core/protocol/run_data.h"
#include "core/run/files/run_folder.h"

namespace hearth {

class Preparation;

/// What the run's folder says. Plain value; any thread.
struct AskedRun {
    enum class Takes : quint8 { Pictures, Rows, Texts, Prompts };

    QString folder, weights;      // weights: the file
    std::optional<qint64> round;  // after which they were saved, where they say it
    RunData data;
    LossFacts::Answers answers = LossFacts::Answers::Numbers;
    qint64 outputs = 1;  // numbers that the network gives for a sample
    Takes takes = Takes::Pictures;
    PictureInput pictures{};                         // of pictures
    std::shared_ptr<const Preparation> preparation;  // of all else
    std::vector<std::size_t> parts;                  // of rows and texts, which part each input of the network takes

    /// Errors: "run.no-data", those of savedWeights(), "run.no-preparation", "job.input": the network does not fit what
    /// is kept of its data; those of JSON and of the tokenizer. Blocks.
    static Result<AskedRun> open(const QString &folder, RunWeights which = RunWeights::Last);

    /// One of the answer's values is right: classes, or yes and no of a single output. Else each value is an answer of
    /// its own: numbers, or several outputs that are yes or no.
    bool isChoice() const;
    /// Of a value of an answer: the name of its class or of the quantity, or its number from 0 on.
    QString outputName(std::size_t output) const;
    /// From what the last layer gives of one sample to what a person is told (Answer::values).
    std::vector<double> toAnswer(std::span<const double> given) const;

    /// Samples of files (pictures also of folders). Errors: those of RowReader; "predict.nothing": there are none;
    /// "predict.prompts": the network continues texts. Blocks; a folder is not looked through to its end once
    /// `cancelled` says so.
    Result<std::shared_ptr<SampleSource>> files(const QStringList &paths,
                                                const std::function<bool()> &cancelled = {}) const;
    /// What a person types of a row or a text: the fields in the order of columns().
    std::shared_ptr<SampleSource> typed(const QStringList &fields) const;
    /// What a row or a text is made of; empty for others.
    QStringList columns() const;
};

}  // namespace hearth
