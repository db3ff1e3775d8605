#include "core/plan/words.h"

#include <QLocale>

#include "core/plan/problem.h"

namespace hearth {

QString bytesText(double bytes) {
    return QLocale(QLocale::English).formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat);
}

QString layerText(const PlanningProblem &problem, int layer) {
    const QString &name = problem.layers[static_cast<std::size_t>(layer)].name;
    return name.isEmpty() ? QStringLiteral("layer %1").arg(layer) : name;
}

}  // namespace hearth
