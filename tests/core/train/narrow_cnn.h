// The network of most tests of training.
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <stdexcept>

#include "core/model/model.h"

namespace hearth {

/// fashion-cnn with a quarter of its channels and features: layers of the same kinds, a tenth of the time.
inline const Model &narrowCnn() {
    static const auto model = Model::fromJson(
        QJsonDocument::fromJson(
            R"({"format": "hearth-model/1", "name": "narrow-cnn", "input": [1, 32, 32], "classes": 10, "layers": [
      {"name": "conv1", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 4, "kernel": 3, "padding": 1}, {"kind": "relu"}, {"kind": "max-pool", "kernel": 2}]},
      {"name": "conv2", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 8, "kernel": 3, "padding": 1}, {"kind": "relu"}, {"kind": "max-pool", "kernel": 2}]},
      {"name": "conv3", "kind": "sequence", "ops": [
        {"kind": "convolution", "channels": 16, "kernel": 3, "padding": 1}, {"kind": "relu"}, {"kind": "max-pool", "kernel": 2}]},
      {"name": "hidden", "kind": "sequence", "ops": [{"kind": "flatten"}, {"kind": "linear", "features": 112}, {"kind": "relu"}]},
      {"name": "classifier", "kind": "linear", "features": 10}]})")
            .object(),
        QStringLiteral("the test"));
    return model ? *model : throw std::runtime_error(qPrintable(model.error().toString()));
}

}  // namespace hearth
