// How the network of a run is used where there is no Hearth: what becomes of samples, and what its answers mean.
#pragma once

#include <map>
#include <memory>

#include "core/data/fitted_pictures.h"
#include "core/model/loss_facts.h"
#include "core/protocol/run_data.h"

namespace hearth {

class Preparation;

/// What the run's folder says. Plain value; any thread.
struct NetworkUse {
    enum class Takes : quint8 { Pictures, Rows, Texts, Prompts, Arrays };

    RunData data;
    LossFacts::Answers answers = LossFacts::Answers::Numbers;
    Takes takes = Takes::Arrays;
    PictureFit fit = PictureFit::Crop;                    // of pictures
    std::shared_ptr<const Preparation> preparation = {};  // of rows, texts and prompts

    /// Errors: those of RunData, of JSON and of the tokenizer. Blocks.
    static Result<NetworkUse> load(const QString &runFolder);

    bool hasQuantity() const;  // the answer is one, standardised
    /// The mean that is taken off each channel of the network's input; all 0 where none is, ...
    std::vector<double> means() const;
    /// ... and what it is divided by then; all 1.
    std::vector<double> deviations() const;
    /// What files of weights carry. Texts of JSON: "hearth.classes": names by output; of pictures "hearth.input": that
    /// of a job with "size" ([height, width]) and "channels" of a picture before it, "fit", and a mean and a deviation
    /// for each channel of the input; of rows "hearth.columns" (TableFacts); of an answer that is a quantity
    /// "hearth.quantity": its column, mean and deviation; of texts and prompts "hearth.tokenizer": "file" ("bytes":
    /// none), "length" of a sample, "words", "padding" and "end" (-1: none), of a vocab.txt "lowercase", "texts", and
    /// the "frame" around one text or two: a "token" or the number of a "text" each, with its "segment".
    std::map<QString, QString> metadata() const;
};

}  // namespace hearth
