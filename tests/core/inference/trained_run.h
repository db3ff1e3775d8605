// A run's folder as a finished run leaves it: a small network for pictures, its weights, its job.
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

/// One linear layer over pictures of 8×8 in colours: three classes.
class TrainedRun {
  public:
    static constexpr qint64 side = 8;

    explicit TrainedRun(const QString &folder) : m_folder(folder), m_model(readModel()) {
        QDir().mkpath(folder);
        write(QStringLiteral("model.json"), m_model.toJson());
        write(QStringLiteral("job.json"),
              QJsonDocument::fromJson(R"({"format":"hearth-job/1","model":"m.json","data":"pets","fit":"stretch"})")
                  .object());
        RunData data{Precision::Float64, QStringLiteral("cross-entropy"), {}, {}, {}};
        data.samples = {{DType::UInt8, {3, side, side}, false}};
        data.classes = {QStringLiteral("cat"), QStringLiteral("dog"), QStringLiteral("fish")};
        write(RunData::fileName(), data.toJson());
        m_weights = initialise(m_model, 5, DType::Float64);
        if (const auto saved = writeSafetensors(folder + QStringLiteral("/weights.safetensors"), m_weights); !saved)
            qFatal("%s", qPrintable(saved.error().toString()));
    }

    const QString &folder() const { return m_folder; }
    void remove(const QString &name) const { QFile::remove(m_folder + QLatin1Char('/') + name); }
    /// The values of a tensor of the one layer: its weight {3, 192} or its bias {3}.
    const double *values(std::size_t tensor) const {
        return reinterpret_cast<const double *>(m_weights[tensor].data->data());
    }

  private:
    static Model readModel() {
        const auto json =
            QJsonDocument::fromJson(R"({"format":"hearth-model/1","name":"pets","input":[3,8,8],"classes":3,
            "layers":[{"name":"head","kind":"sequence","ops":[{"kind":"flatten"},{"kind":"linear","features":3}]}]})");
        auto model = Model::fromJson(json.object(), QStringLiteral("model.json"));
        if (!model)
            qFatal("%s", qPrintable(model.error().toString()));
        return *std::move(model);
    }
    void write(const QString &name, const QJsonObject &object) const {
        QFile file(m_folder + QLatin1Char('/') + name);
        if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(object).toJson()) < 0)
            qFatal("cannot write %s", qPrintable(file.fileName()));
    }

    QString m_folder;
    Model m_model;
    std::vector<NamedTensor> m_weights;
};

}  // namespace hearth
