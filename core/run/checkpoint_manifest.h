// What a checkpoint on disk says about itself (manifest.json, hearth-checkpoint/1).
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <vector>

#include "core/base/error.h"
#include "core/model/training_spec.h"

namespace hearth {

/// Plain value, any thread.
/// {"format":"hearth-checkpoint/1","run":"…","version":100,"round":100,"term":3,"job":{hearth-job/1},
///  "model_sha256":"…","precision":"float32","optimizer_buffers":1,"files":[{"name":"weights.safetensors","bytes":1,"sha256":"…"}]}
struct CheckpointManifest {
    struct File {
        QString name;
        qint64 bytes = 0;
        QByteArray sha256;  // 64 lowercase hex digits
        bool operator==(const File &) const = default;
    };
    /// Parameters and buffers, named as the model names them.
    static QString weightsFile() { return QStringLiteral("weights.safetensors"); }
    /// "<tensor>/optimizer.<n>" for what each buffer has of each trainable tensor; only where the optimizer has any.
    static QString optimizerFile() { return QStringLiteral("optimizer.safetensors"); }
    static QString fileName() { return QStringLiteral("manifest.json"); }

    QString run;
    quint64 version = 0;  // rounds applied
    qint64 round = 0;     // the last one that is in it
    quint32 term = 0;     // whose deployment computed it (TermOrigins)
    QJsonObject job;
    QByteArray modelSha256;
    Precision precision = Precision::Float32;
    int optimizerBuffers = 0;
    std::vector<File> files;  // weights, then optimizer

    bool operator==(const CheckpointManifest &) const = default;
    qint64 bytes() const;  // of all files
    QJsonObject toJson() const;
    /// Strict: unknown keys, files that are missing, doubled or have other names are errors that name `source`.
    static Result<CheckpointManifest> fromJson(const QJsonObject &object, const QString &source);
};

}  // namespace hearth
