#include "core/history/weights_export.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <variant>
#include <vector>

#include "core/history/network_use.h"
#include "core/model/import/hugging_face.h"
#include "core/model/import/onnx.h"
#include "core/model/import/onnx_export.h"
#include "core/model/import/open_model.h"
#include "core/model/import/peft.h"
#include "core/model/merge_adapters.h"
#include "core/model/model_name.h"
#include "core/model/safetensors.h"
#include "core/protocol/run_data.h"
#include "core/run/files/event_file.h"
#include "core/run/run_event.h"

namespace hearth {
namespace {

/// As the run trained it, or as its description elsewhere has it.
Result<Model> modelOf(const WeightsSource &source) {
    if (source.runFolder.isEmpty())
        return openModel(source.from).transform([](ImportedModel opened) { return std::move(opened.model); });
    return Model::load(source.runFolder + QStringLiteral("/model.json"));
}

std::vector<NamedTensor> withoutConstants(std::vector<NamedTensor> weights) {
    std::erase_if(weights, [](const NamedTensor &tensor) { return isOnnxConstant(tensor.spec.name); });
    return weights;
}

/// A file of weights does not say how they are used, nor does a run of an older version. Where what a run says of it is
/// damaged, the weights are of use all the same.
std::map<QString, QString> metadataOf(const WeightsSource &source) {
    if (source.runFolder.isEmpty())
        return {};
    const auto use = NetworkUse::load(source.runFolder);
    return use ? use->metadata() : std::map<QString, QString>();
}

/// With `merge` of the network alone. What exportOnnx() returns.
Result<QString> writeOnnx(const WeightsSource &source, std::vector<NamedTensor> weights, bool merge,
                          const QString &path) {
    auto model = modelOf(source);
    if (model && merge)
        model = withoutLora(*model);
    if (!model)
        return tl::unexpected(model.error());
    const DType dtype = !weights.empty() && weights.front().dtype == DType::Float64 ? DType::Float64 : DType::Float32;
    auto layers = weightsForModel(*model, std::move(weights), dtype, source.weightsPath);
    if (!layers)
        return tl::unexpected(layers.error());
    std::vector<NamedTensor> all;
    for (std::vector<NamedTensor> &layer : *layers)
        std::move(layer.begin(), layer.end(), std::back_inserter(all));
    return exportOnnx(*model, all, path, metadataOf(source));
}

/// A file of weights does not say it, nor does a run of an older version.
Result<TrainedOn> trainedOn(const WeightsSource &source) {
    if (source.runFolder.isEmpty())
        return TrainedOn();
    const auto data = RunData::load(source.runFolder);
    if (!data)
        return data.error().code == QLatin1String("run.no-data") ? Result<TrainedOn>() : tl::unexpected(data.error());
    TrainedOn on{data->classes, {}};
    const Slot &sample = data->samples.front();
    if (sample.dtype == DType::UInt8 && sample.shape.size() == 3)
        on.input = data->input;
    return on;
}

/// A Hugging Face folder, or what PEFT reads beside one.
Result<void> writeFolder(const WeightsSource &source, WeightsForm form, const std::vector<NamedTensor> &weights,
                         const QString &path) {
    const ModelName from = ModelName::split(source.from);
    const auto options = HeadOptions::fromJson(from.options, source.from);
    if (!options)
        return tl::unexpected(options.error());
    if (form == WeightsForm::HuggingFace) {
        return trainedOn(source).and_then(
            [&](const TrainedOn &on) { return exportHuggingFace(from.base, *options, weights, path, on); });
    }
    const auto model = modelOf(source);
    return model ? exportPeft(from.base, *options, *model, weights, path) : tl::unexpected(model.error());
}

bool haveSome(const std::vector<NamedTensor> &weights, bool (*is)(const QString &)) {
    return std::ranges::any_of(weights, [is](const NamedTensor &tensor) { return is(tensor.spec.name); });
}

/// Adapters that a form has no place for. Bottlenecks are ops of an ONNX file as any others.
Result<void> checkPlace(const std::vector<NamedTensor> &weights, WeightsForm form, bool merge) {
    const bool folder = form == WeightsForm::HuggingFace, onnx = form == WeightsForm::Onnx;
    if (folder && haveSome(weights, isBottleneckTensor)) {
        return fail(QStringLiteral("adapters.no-place"), sentence("A Hugging Face folder has no place for adapters."),
                    sentence("These weights have bottlenecks, which cannot be merged."),
                    sentence("An ONNX file has them as a part of the network: --onnx FILE."));
    }
    if ((folder || onnx) && !merge && haveSome(weights, isLoraTensor)) {
        return fail(QStringLiteral("adapters.no-place"), sentence("These weights have LoRA beside the network's own."),
                    folder ? sentence("A Hugging Face folder has no place for it.")
                           : sentence("An ONNX file has the network alone."),
                    sentence("Add --merge, which makes it a part of them, or write it for PEFT: --peft FOLDER."));
    }
    return {};
}

}  // namespace

QString originOfRun(const QString &runFolder) {
    const auto first = RunEvent::fromLine(EventReader(eventsPath(runFolder), 1).next(1).value(0));
    const auto *run = first ? std::get_if<event::Run>(&first->body) : nullptr;
    return run != nullptr ? run->origin : QString();
}

Result<void> exportWeights(const WeightsSource &source, WeightsForm form, LoraUse lora, const QString &path,
                           QString *beside) {
    auto weights = readSafetensors(source.weightsPath);
    if (!weights)
        return tl::unexpected(weights.error());
    const bool merge = lora == LoraUse::Merged || (lora == LoraUse::MergedIfAny && haveSome(*weights, isLoraTensor));
    if (auto fits = checkPlace(*weights, form, merge); !fits)
        return fits;
    if (merge && form != WeightsForm::Peft) {
        weights =
            modelOf(source).and_then([&](const Model &model) { return mergedWeights(model, std::move(*weights)); });
        if (!weights)
            return tl::unexpected(weights.error());
    }
    if (form == WeightsForm::Onnx) {
        return writeOnnx(source, std::move(*weights), merge, path).map([beside](const QString &file) {
            if (beside)
                *beside = file;
        });
    }
    if (form == WeightsForm::Safetensors)
        return writeSafetensors(path, withoutConstants(std::move(*weights)), metadataOf(source));
    return writeFolder(source, form, *weights, path);
}

}  // namespace hearth
