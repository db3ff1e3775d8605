#include "core/model/model_name.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>

namespace hearth {

ModelName ModelName::split(const QString &nameOrPath) {
    ModelName name = written(nameOrPath);
    if (!name.options.isEmpty() && QFileInfo::exists(nameOrPath))
        return {nameOrPath, {}};
    return name;
}

ModelName ModelName::written(const QString &nameOrPath) {
    static const QRegularExpression form(
        QStringLiteral("\\A(.+):([a-z_][a-z0-9_]*=[^,=:/]+(?:,[a-z_][a-z0-9_]*=[^,=:/]+)*)\\z"));
    const QRegularExpressionMatch match = form.match(nameOrPath);
    if (!match.hasMatch())
        return {nameOrPath, {}};
    ModelName name{match.captured(1), {}};
    for (const QString &option : match.captured(2).split(QLatin1Char(','))) {
        const QString key = option.section(QLatin1Char('='), 0, 0), value = option.section(QLatin1Char('='), 1);
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        name.options[key] = isNumber ? QJsonValue(number) : QJsonValue(value);
    }
    return name;
}

QString ModelName::text() const {
    QStringList list;
    for (auto it = options.constBegin(); it != options.constEnd(); ++it)
        list << it.key() + QLatin1Char('=') + it->toVariant().toString();
    return list.isEmpty() ? base : base + QLatin1Char(':') + list.join(QLatin1Char(','));
}

}  // namespace hearth
