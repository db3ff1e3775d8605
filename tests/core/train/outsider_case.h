// A network that plain PyTorch computed in float64, against what Hearth computes of it. Header for tests alone.
#pragma once

#include <QString>
#include <algorithm>
#include <map>

#include "core/model/imported_model.h"
#include "core/model/safetensors.h"
#include "core/train/compute_device.h"
#include "core/train/stage_module.h"

namespace hearth {

/// The file that an outsider wrote: in.*, out, factors (the gradient of the loss for out), grad.*.
struct OutsiderCase {
    std::map<QString, at::Tensor> tensors;

    static Result<OutsiderCase> read(const QString &path) {
        const auto read = readSafetensors(path);
        if (!read)
            return tl::unexpected(read.error());
        OutsiderCase outsider;
        for (const NamedTensor &tensor : *read) {
            const std::vector<std::int64_t> sizes(tensor.spec.shape.begin(), tensor.spec.shape.end());
            const auto type = tensor.dtype == DType::Int64 ? at::kLong : at::kDouble;
            outsider.tensors[tensor.spec.name] = at::from_blob(tensor.data->data(), sizes, type).clone();
        }
        return outsider;
    }

    /// Relative, L2. What is nothing but rounding beside `scale` counts as if it were a thousandth of that.
    static double difference(const at::Tensor &ours, const at::Tensor &theirs, double scale = 0) {
        const double norm = std::max({theirs.norm().item<double>(), 1e-3 * scale, 1e-30});
        return (ours - theirs.reshape(ours.sizes())).norm().item<double>() / norm;
    }

    /// What differs by more than `tolerance`, and by how much: of the output, and of the gradients of all trainable
    /// tensors, where it has some. Empty: nothing.
    QString differenceOf(const ImportedModel &imported, double tolerance) const {
        const Model &model = imported.model;
        const int layers = static_cast<int>(model.layers.size());
        StageModule module(model, 0, layers, Precision::Float64, *processor());
        const auto forAllTensors = [&](const auto &action) {
            for (int l = 0; l < layers; ++l) {
                const auto &specs = model.layers[static_cast<std::size_t>(l)].shape.tensors;
                for (std::size_t t = 0; t < specs.size(); ++t)
                    action(l, static_cast<int>(t), specs[t]);
            }
        };
        QString wrong;
        forAllTensors([&](int l, int t, const TensorSpec &spec) {
            const auto tensor = imported.weights->read(spec.name);
            if (!tensor || !module.load(l, t, tensor->data->bytes()))
                wrong = QStringLiteral("%1 did not come").arg(spec.name);
        });
        if (!wrong.isEmpty())
            return wrong;
        Tensors inputs;
        for (const ModelInput &input : model.inputs) {
            const auto found = tensors.find(QStringLiteral("in.") + input.name);
            inputs.push_back(found == tensors.end() ? at::zeros_like(inputs.front()) : found->second);
        }
        module.zeroGradients();
        const Tensors out = module.forward(inputs, {});
        const auto check = [&](const QString &name, double off) {
            if (!(off < tolerance) && wrong.isEmpty())
                wrong = QStringLiteral("%1: %2").arg(name).arg(off);
        };
        check(QStringLiteral("the output"), difference(out[0].detach(), tensors.at(QStringLiteral("out"))));
        module.backward(out, {tensors.at(QStringLiteral("factors"))}, StageModule::WeightGradients::Now);
        double largest = 0;
        for (const auto &[name, tensor] : tensors) {
            if (name.startsWith(QStringLiteral("grad.")))
                largest = std::max(largest, tensor.norm().item<double>());
        }
        forAllTensors([&](int l, int t, const TensorSpec &spec) {
            if (largest > 0 && spec.isTrainable() && !spec.tiedTo)
                check(spec.name,
                      difference(module.gradientOf(l, t), tensors.at(QStringLiteral("grad.") + spec.name), largest));
        });
        return wrong;
    }
};

}  // namespace hearth
