#include "core/model/import/peft.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "core/base/files.h"
#include "core/model/import/hugging_face_folder.h"
#include "core/model/import/new_folder.h"
#include "core/model/merge_adapters.h"
#include "core/model/safetensors.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

/// Of Hugging Face's classes: "bert.pooler.dense".
QString moduleOf(const QString &tensor) {
    return tensor.left(tensor.lastIndexOf('.'_L1));
}

/// What PEFT's own classes for such networks train with the adapters.
const QStringList &classifiers() {
    static const QStringList names{u"classifier"_s, u"score"_s};
    return names;
}

QJsonValue taskOf(const QString &architecture) {
    constexpr std::pair<const char *, const char *> tasks[] = {{"ForSequenceClassification", "SEQ_CLS"},
                                                               {"ForTokenClassification", "TOKEN_CLS"},
                                                               {"ForCausalLM", "CAUSAL_LM"},
                                                               {"LMHeadModel", "CAUSAL_LM"},
                                                               {"ForConditionalGeneration", "SEQ_2_SEQ_LM"}};
    for (const auto &[ending, task] : tasks) {
        if (architecture.endsWith(QLatin1String(ending)))
            return QLatin1String(task);
    }
    return {};
}

/// The tensors of a network's modules, adapters aside.
class Modules {
  public:
    explicit Modules(const Model &model) {
        QHash<QString, int> owners;
        for (const Layer &layer : model.layers) {
            std::size_t next = 0;
            for (const Op &op : layer.ops) {
                for (int i = 0; i < op.tensors; ++i) {
                    const TensorSpec &spec = layer.shape.tensors[next++];
                    if (isLoraTensor(spec.name))
                        continue;
                    const bool foreign = moduleOf(spec.name) != op.name && op.tensorNames.values().contains(spec.name);
                    if (++owners[spec.name] > 1 || foreign) {
                        m_shared << moduleOf(spec.name);
                        // Of what an op takes from elsewhere it is the module, too.
                        m_shared << op.name;
                    }
                    if (owners[spec.name] == 1)
                        m_tensors[moduleOf(spec.name)].push_back(spec);
                }
            }
        }
    }

    const std::map<QString, std::vector<TensorSpec>> &all() const { return m_tensors; }
    /// It is one whole module of PyTorch's and nobody else has a part of it.
    bool isWhole(const QString &module) const {
        const auto after = m_tensors.upper_bound(module + '.'_L1);
        return !m_shared.contains(module) && (after == m_tensors.end() || !after->first.startsWith(module + '.'_L1));
    }

  private:
    std::map<QString, std::vector<TensorSpec>> m_tensors;
    QSet<QString> m_shared;
};

/// Modules that are saved whole.
QStringList savedModules(const Modules &modules, const detail::HuggingFaceFolder &folder) {
    QStringList saved;
    for (const auto &[module, tensors] : modules.all()) {
        const bool own = std::ranges::any_of(tensors, [&](const TensorSpec &spec) {
            return spec.isTrainable() || !folder.match.nameInFile.contains(spec.name);
        });
        if (own || classifiers().contains(module))
            saved << module;
    }
    // PEFT compares ends of names, not parts: "classifier" is also the end of "pre_classifier".
    for (const auto &[module, tensors] : modules.all()) {
        const auto isEnd = [&module = module](const QString &other) { return module.endsWith(other); };
        if (!saved.contains(module) && std::ranges::any_of(QStringList(saved), isEnd))
            saved << module;
    }
    return saved;
}

QJsonObject configOf(const std::vector<LoraPlace> &places, const QStringList &saved,
                     const detail::HuggingFaceFolder &folder) {
    QJsonArray targets;
    bool transposed = false;
    for (const LoraPlace &place : places) {
        targets.append(place.op->name);
        transposed = transposed || place.op->has("transposed");
    }
    const LoraPlace &first = places.front();
    // As it was chosen, unless the quotient would be another number.
    const double product = first.factor * first.rank(), whole = std::round(product);
    return {{u"peft_type"_s, u"LORA"_s},
            {u"task_type"_s, taskOf(folder.configured.architecture)},
            {u"base_model_name_or_path"_s, folder.place.absolutePath()},
            {u"r"_s, first.rank()},
            {u"lora_alpha"_s, whole / first.rank() == first.factor ? whole : product},
            {u"lora_dropout"_s, first.dropout},
            {u"target_modules"_s, targets},
            {u"modules_to_save"_s, saved.isEmpty() ? QJsonValue() : QJsonArray::fromStringList(saved)},
            {u"bias"_s, u"none"_s},
            {u"fan_in_fan_out"_s, transposed},
            {u"init_lora_weights"_s, true},
            {u"inference_mode"_s, true}};
}

Result<std::vector<LoraPlace>> placesOf(const Model &model, const std::vector<NamedTensor> &weights) {
    const Sentence what = sentence("The adapters of \"%1\" cannot be written for PEFT.").arg(model.name);
    if (std::ranges::any_of(weights, [](const NamedTensor &tensor) { return isBottleneckTensor(tensor.spec.name); })) {
        return fail(u"adapters.not-linear"_s, what, sentence("They are bottlenecks, and PEFT knows LoRA."),
                    sentence("An ONNX file has them as a part of the network: --onnx FILE."));
    }
    auto places = loraOf(model);
    if (!places) {
        return fail(
            places.error().code, what, sentence("It has no LoRA, or its description does not say so."),
            sentence("Name a run that trained with \"adapters\"; a whole network goes to --hugging-face FOLDER."));
    }
    return places;
}

}  // namespace

Result<void> exportPeft(const QString &from, const HeadOptions &options, const Model &model,
                        const std::vector<NamedTensor> &weights, const QString &to) {
    const auto places = placesOf(model, weights);
    if (!places)
        return tl::unexpected(places.error());
    const auto folder = detail::openHuggingFace(from, options);
    if (!folder)
        return tl::unexpected(folder.error());
    std::map<QString, NamedTensor> given;
    std::vector<NamedTensor> base, written;
    for (const NamedTensor &tensor : weights) {
        given[tensor.spec.name] = tensor;
        if (!isLoraTensor(tensor.spec.name))
            base.push_back(tensor);
    }
    // That they are this network's, and those of the network with adapters.
    const DType dtype = weights.empty() ? DType::Float32 : weights.front().dtype;
    if (const auto layers = weightsForModel(folder->model, base, dtype, from); !layers)
        return tl::unexpected(layers.error());
    if (const auto layers = weightsForModel(model, weights, dtype, from); !layers)
        return tl::unexpected(layers.error());

    const auto write = [&](const TensorSpec &spec) {
        NamedTensor tensor = given.at(spec.name);
        if (const auto found = folder->match.nameInFile.find(spec.name); found != folder->match.nameInFile.end())
            tensor.spec.shape = folder->files->find(found->second)->shape;
        tensor.spec.name = u"base_model.model."_s + spec.name;
        written.push_back(std::move(tensor));
    };
    const Modules modules(model);
    const QStringList saved = savedModules(modules, *folder);
    for (const LoraPlace &place : *places) {
        for (const Op *op : {place.a, place.b})
            write(given.at(weightNameOf(*op)).spec);
    }
    for (const QString &module : saved) {
        const bool adapted =
            std::ranges::any_of(*places, [&](const LoraPlace &place) { return place.op->name == module; });
        if (adapted || !modules.isWhole(module)) {
            return fail(
                u"peft.module"_s, sentence("The adapters of \"%1\" cannot be written for PEFT.").arg(model.name),
                adapted ? sentence("\"%1\" was trained itself and has an adapter, too.").arg(module)
                        : sentence("\"%1\" was trained or is new, and shares tensors with other modules.").arg(module),
                sentence("Write the whole network: --hugging-face FOLDER --merge."));
        }
        for (const TensorSpec &spec : modules.all().at(module))
            write(spec);
    }
    const auto target = detail::NewFolder::make(to);
    if (!target)
        return tl::unexpected(target.error());
    auto done =
        writeSafetensors((*target)->add(u"adapter_model.safetensors"_s), std::move(written), {{u"format"_s, u"pt"_s}});
    if (!done)
        return done;
    const QByteArray text = QJsonDocument(configOf(*places, saved, *folder)).toJson();
    done = saveFile((*target)->add(u"adapter_config.json"_s), text);
    if (done)
        (*target)->keep();
    return done;
}

}  // namespace hearth
