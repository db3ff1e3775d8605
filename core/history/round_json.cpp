#include "core/history/round_json.h"

#include <QIODevice>
#include <QJsonDocument>
#include <QJsonObject>

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
    for (const RoundFigure &figure : figuresOf(line))
        object[QLatin1String(figure.name)] = figure.value;
    const QByteArray text = QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    return m_file.write(text) == text.size();
}

}  // namespace hearth
