// A Hugging Face folder, as somebody may have downloaded it.
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonDocument>

#include "core/model/import/hugging_face.h"
#include "core/model/init.h"
#include "core/model/safetensors.h"

namespace hearth {

/// Of a small BERT that came without its classifier, and with a tensor that is nobody's. Gives the path back.
inline QString writeModelFolder(const QString &path) {
    const QByteArray config = R"({"model_type": "bert", "architectures": ["BertForSequenceClassification"],
        "hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 20,
        "vocab_size": 37, "max_position_embeddings": 16})";
    QFile file(path + QStringLiteral("/config.json"));
    if (!QDir().mkpath(path) || !file.open(QIODevice::WriteOnly) || file.write(config) < 0)
        qFatal("cannot write %s", qPrintable(file.fileName()));
    const auto model = modelFromConfig(QJsonDocument::fromJson(config).object(), QStringLiteral("bert"), {}, path);
    std::vector<NamedTensor> tensors = initialise(*model, 1, DType::Float32);
    std::erase_if(tensors,
                  [](const NamedTensor &tensor) { return tensor.spec.name.startsWith(QLatin1String("classifier")); });
    tensors.push_back(tensors.front());
    tensors.back().spec.name = QStringLiteral("nobodys.weight");
    if (!writeSafetensors(path + QStringLiteral("/model.safetensors"), tensors))
        qFatal("cannot write the weights of %s", qPrintable(path));
    return path;
}

}  // namespace hearth
