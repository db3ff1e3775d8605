// A run's folder as a finished run leaves it: a small network, its weights, its job.
#pragma once

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <vector>

#include "core/model/init.h"
#include "core/model/model.h"
#include "core/model/safetensors.h"
#include "core/protocol/run_data.h"

namespace hearth {

class TrainedRun {
  public:
    static constexpr qint64 side = 8;

    /// One linear layer over pictures of 8×8 in colours: three classes.
    explicit TrainedRun(const QString &folder)
        : TrainedRun(folder,
                     R"({"format":"hearth-model/1","name":"pets","input":[3,8,8],"classes":3,
            "layers":[{"name":"head","kind":"sequence","ops":[{"kind":"flatten"},{"kind":"linear","features":3}]}]})",
                     R"({"format":"hearth-job/1","model":"m.json","data":"pets","fit":"stretch"})",
                     {Precision::Float64,
                      QStringLiteral("cross-entropy"),
                      {},
                      {{DType::UInt8, {3, side, side}, false}},
                      {QStringLiteral("cat"), QStringLiteral("dog"), QStringLiteral("fish")}}) {}

    TrainedRun(const QString &folder, const QByteArray &model, const QByteArray &job, const RunData &data)
        : m_folder(folder), m_model(readModel(model)) {
        QDir().mkpath(folder);
        write(QStringLiteral("model.json"), m_model.toJson());
        write(QStringLiteral("job.json"), QJsonDocument::fromJson(job).object());
        write(RunData::fileName(), data.toJson());
        m_weights = initialise(m_model, 5, DType::Float64);
        if (const auto saved = writeSafetensors(folder + QStringLiteral("/weights.safetensors"), m_weights); !saved)
            qFatal("%s", qPrintable(saved.error().toString()));
    }

    const QString &folder() const { return m_folder; }
    /// Other ones, as of its best evaluation.
    void saveBest() const {
        const auto saved =
            writeSafetensors(m_folder + QStringLiteral("/best.safetensors"), initialise(m_model, 6, DType::Float64));
        if (!saved)
            qFatal("%s", qPrintable(saved.error().toString()));
    }
    /// A file of weights ("best") says that it was saved after this round.
    void setRound(const char *weights, qint64 round) const {
        const QString file = QStringLiteral("%1/%2.safetensors").arg(m_folder, QLatin1String(weights));
        const auto tensors = readSafetensors(file);
        if (!tensors || !writeSafetensors(file, *tensors, {{QStringLiteral("round"), QString::number(round)}}))
            qFatal("cannot write %s", qPrintable(file));
    }
    void write(const QString &name, const QJsonObject &object) const {
        QFile file(m_folder + QLatin1Char('/') + name);
        if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(object).toJson()) < 0)
            qFatal("cannot write %s", qPrintable(file.fileName()));
    }
    void remove(const QString &name) const { QFile::remove(m_folder + QLatin1Char('/') + name); }
    /// The values of a tensor, in the order of the model's: of pictures the weight {3, 192} and the bias {3}.
    const double *values(std::size_t tensor) const {
        return reinterpret_cast<const double *>(m_weights[tensor].data->data());
    }
    const double *valuesOf(const char *name) const {
        for (const NamedTensor &tensor : m_weights) {
            if (tensor.spec.name == QLatin1String(name))
                return reinterpret_cast<const double *>(tensor.data->data());
        }
        qFatal("no tensor %s", name);
    }

  private:
    static Model readModel(const QByteArray &description) {
        auto model = Model::fromJson(QJsonDocument::fromJson(description).object(), QStringLiteral("model.json"));
        if (!model)
            qFatal("%s", qPrintable(model.error().toString()));
        return *std::move(model);
    }

    QString m_folder;
    Model m_model;
    std::vector<NamedTensor> m_weights;
};

}  // namespace hearth
