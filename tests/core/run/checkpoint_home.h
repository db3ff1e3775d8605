// Runs with small states, and folders looked at by hand.
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <algorithm>
#include <cstring>
#include <random>

#include "core/model/layer_state.h"
#include "core/run/checkpoint_store.h"

namespace hearth::test {

/// Two layers with parameters, one of them with running statistics, and one without any state.
inline Model smallModel() {
    const QByteArray text =
        R"({"format": "hearth-model/1", "name": "small", "input": [1, 8, 8], "classes": 3, "layers": [
        {"name": "conv", "kind": "sequence", "ops": [
            {"kind": "convolution", "channels": 4, "kernel": 3, "padding": 1}, {"kind": "batch-norm"}, {"kind": "relu"}]},
        {"name": "pool", "kind": "sequence", "ops": [{"kind": "global-average-pool"}, {"kind": "flatten"}]},
        {"name": "head", "kind": "sequence", "ops": [{"kind": "linear", "features": 3}]}]})";
    auto model = Model::fromJson(QJsonDocument::fromJson(text).object(), QStringLiteral("small"));
    if (!model)
        qFatal("%s", qPrintable(model.error().toString()));
    return *model;
}

inline CheckpointStore::Subject subjectOf(Precision precision = Precision::Float32, int buffers = 1) {
    return {QStringLiteral("run-1"), {{QStringLiteral("batch"), 16}}, smallModel(), precision, {buffers}};
}

/// Any bits: those of no number too must come back.
inline LayerStates statesOf(const CheckpointStore::Subject &subject, quint32 seed) {
    std::mt19937 random(seed);
    LayerStates states;
    for (const Layer &layer : subject.model.layers) {
        const auto layout = LayerStateLayout::of(layer, dtypeOf(subject.precision), subject.optimizer);
        auto state = Buffer::allocate(layout.bytes);
        for (std::byte &byte : state->bytes())
            byte = static_cast<std::byte>(random());
        states.push_back(std::move(state));
    }
    return states;
}

inline bool sameStates(const LayerStates &a, const LayerStates &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &x, const auto &y) {
        return x->size() == y->size() && std::memcmp(x->data(), y->data(), static_cast<std::size_t>(x->size())) == 0;
    });
}

inline QStringList everythingIn(const QString &folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

inline QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void put(const QString &path, const QByteArray &content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(content) != content.size())
        qFatal("%s", qPrintable(file.errorString()));
}

}  // namespace hearth::test
