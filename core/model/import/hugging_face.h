// A network in the folder that Hugging Face's libraries save it in, and back.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <optional>

#include "core/model/families/text_head.h"
#include "core/model/imported_model.h"
#include "core/model/training_spec.h"

namespace hearth {

/// What is chosen of a network that its configuration leaves open, or other than it says. Nothing: as it says.
struct HeadOptions {
    std::optional<TextHead> head;
    std::optional<qint64> sequence;  // tokens of a sample; else 128, or as many as the network has positions for
    std::optional<qint64> answer;    // tokens of the answer, sequence to sequence; else `sequence`
    std::optional<qint64> classes;   // else those that the configuration names
    std::optional<double> dropout;   // everywhere
    bool segments = false;           // BERT: "segments" is an input; else all tokens are of kind 0

    /// Of ModelName::options: "head", "sequence", "answer", "classes", "dropout", "segments".
    static Result<HeadOptions> fromJson(const QJsonObject &options, const QString &source);
};

struct HuggingFaceLimits {
    static constexpr qint64 configBytes = 4 << 20;
    static constexpr qint64 indexBytes = 32 << 20;
    static constexpr int shards = 1024;
    static constexpr int blocks = 1024;
};

/// The folder has a config.json.
bool isHuggingFaceFolder(const QString &path);

/// config.json and model.safetensors, or model.safetensors.index.json and the files that it names; nothing else is
/// opened and nothing is fetched. BERT, DistilBERT, GPT-2, Llama, Qwen2, T5, ViT. Tensors are called as the network's
/// class calls them ("bert.encoder.layer.0.…") also where the files leave out the first part; they are read when they
/// are asked for. Notes say what is new, of another shape, or unused. Errors: an unknown model_type, what a
/// configuration asks for that Hearth does not compute, files missing or outside the folder, no weights that match.
Result<ImportedModel> importHuggingFace(const QString &folder, const HeadOptions &options = {});

/// A network from config.json alone; `source` is what errors name. importHuggingFace() is this and the weights.
Result<Model> modelFromConfig(const QJsonObject &config, const QString &name, const HeadOptions &options,
                              const QString &source);

/// What a network was trained on, as far as it is known. Plain value.
struct TrainedOn {
    QStringList classes;                  // their names, by number
    std::optional<InputTransform> input;  // how pictures became numbers
};

/// Writes the folder that `from` was imported from once more, with these weights, to `to`, which is made and must be
/// empty: config.json with the head as trained, the tokenizer's files, model.safetensors with the names and shapes that
/// the tensors came with. `weights` are all tensors of the model, by its names. Classes are called as in `on`, and a
/// preprocessor_config.json of the folder makes numbers of pictures as that says. After an error nothing is left of it.
Result<void> exportHuggingFace(const QString &from, const HeadOptions &options, const std::vector<NamedTensor> &weights,
                               const QString &to, const TrainedOn &on = {});

}  // namespace hearth
