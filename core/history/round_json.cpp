#include "core/history/round_json.h"

#include <QIODevice>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

namespace hearth {

void RoundJson::begin(const RunRecord &record) {
    m_run = record.summary.id;
    m_started = startedSeconds(record.summary);
}

bool RoundJson::write(const RoundLine &line) {
    QJsonObject object{{QStringLiteral("_step"), line.round},
                       {QStringLiteral("_runtime"), line.t},
                       {QStringLiteral("_timestamp"), m_started + line.t},
                       {QStringLiteral("run"), m_run}};
    const auto add = [&object](const char *name, double value) {
        if (std::isfinite(value))
            object[QLatin1String(name)] = value;
    };
    if (line.row != nullptr) {
        add("loss", line.row->loss);
        add("round_s", line.row->roundS);
        add("predicted_round_s", line.row->predictedRoundS);
        add("samples_per_s", line.row->samplesPerS);
    }
    if (line.evaluation != nullptr) {
        add("accuracy", line.evaluation->accuracy);
        add("evaluation_loss", line.evaluation->loss);
    }
    const QByteArray text = QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    return m_file.write(text) == text.size();
}

}  // namespace hearth
