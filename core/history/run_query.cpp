#include "core/history/run_query.h"

#include <QHash>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "core/history/job_values.h"

namespace hearth {
namespace {

using Figure = double (*)(const RunSummary &);

const QHash<QString, Figure> &figures() {
    static const QHash<QString, Figure> all{
        {QStringLiteral("accuracy"), [](const RunSummary &run) { return run.accuracy; }},
        {QStringLiteral("best_accuracy"), [](const RunSummary &run) { return run.bestAccuracy; }},
        {QStringLiteral("loss"), [](const RunSummary &run) { return run.loss; }},
        {QStringLiteral("rounds"), [](const RunSummary &run) { return static_cast<double>(run.rounds); }},
        {QStringLiteral("seconds"), [](const RunSummary &run) { return run.seconds; }},
        {QStringLiteral("speed"), [](const RunSummary &run) { return run.samplesPerSecond; }},
    };
    return all;
}

bool compare(double a, const QString &sign, double b) {
    if (!std::isfinite(a))
        return sign == QLatin1String("!=");
    const bool equal = std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
    if (sign == QLatin1String("="))
        return equal;
    if (sign == QLatin1String("!="))
        return !equal;
    if (sign.size() == 2 && equal)
        return true;
    return sign.startsWith(QLatin1Char('<')) ? a < b && !equal : a > b && !equal;
}

bool compareTexts(const QString &a, const QString &sign, const QString &b) {
    const int order = a.compare(b, Qt::CaseInsensitive);
    if (sign == QLatin1String("="))
        return order == 0;
    if (sign == QLatin1String("!="))
        return order != 0;
    if (a.isEmpty() || (sign.size() == 2 && order == 0))
        return !a.isEmpty();
    return sign.startsWith(QLatin1Char('<')) ? order < 0 : order > 0;
}

}  // namespace

RunQuery::RunQuery(const QString &text) {
    static const QRegularExpression condition(QStringLiteral("\\A([A-Za-z_][\\w.]*)(<=|>=|!=|=|<|>)(.+)\\z"));
    for (const QString &word : text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto match = condition.match(word);
        if (!match.hasMatch()) {
            m_words << word;
            continue;
        }
        const QString key = match.captured(1).toLower(), path = pathNamed(key, jobPaths());
        m_conditions.push_back(
            {figures().contains(key) || path.isEmpty() ? key : path, match.captured(2), match.captured(3)});
    }
}

bool RunQuery::holdsFor(const RunSummary &run) const {
    return std::ranges::all_of(m_conditions, [&run](const Condition &condition) { return condition.holdsFor(run); });
}

bool RunQuery::Condition::holdsFor(const RunSummary &run) const {
    bool isNumber = false;
    double number = value.toDouble(&isNumber);
    if (const auto figure = figures().constFind(key); figure != figures().constEnd()) {
        if (key.endsWith(QLatin1String("accuracy")) && number > 1)
            number /= 100;
        return isNumber && compare((*figure)(run), sign, number);
    }
    if (key == QLatin1String("tag"))
        return run.label.tags.contains(value, Qt::CaseInsensitive) != (sign == QLatin1String("!="));
    if (key == QLatin1String("name"))
        return compareTexts(run.label.name, sign, value);
    const QJsonValue told = valueAt(run.job, key);
    if (told.isUndefined())
        return sign == QLatin1String("!=");
    return told.isDouble() && isNumber ? compare(told.toDouble(), sign, number)
                                       : compareTexts(valueText(told), sign, value);
}

}  // namespace hearth
