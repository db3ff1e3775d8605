#include "ui/home/link_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <utility>

#include "ui/words/format.h"

namespace hearth {

namespace {
struct LinkWords {
    Q_DECLARE_TR_FUNCTIONS(LinkWords)
};
}  // namespace

QString linkFigures(const HomeMeasurements &measured, const LinkProfile::Pair &link) {
    const QString figures = LinkWords::tr("%1, %2 delay")
                                .arg(formatRate(link.bytesPerSecond), formatSeconds(link.latencySeconds.value_or(0)));
    return measured.isHalfDuplex(link.from, link.to) ? LinkWords::tr("%1, half duplex").arg(figures) : figures;
}

QString linkText(const HomeMeasurements &measured, const DeviceInfo &one, const DeviceInfo &other) {
    QStringList lines;
    for (const auto &[from, to] : {std::pair(&one, &other), std::pair(&other, &one)}) {
        if (const LinkProfile::Pair *link = measured.link(from->id, to->id))
            lines << LinkWords::tr("%1 to %2: %3").arg(from->name, to->name, linkFigures(measured, *link));
    }
    if (measured.sharesAirWith(one.id).contains(other.id))
        lines << LinkWords::tr("%1 shares the air with %2").arg(one.name, other.name);
    return lines.join(QLatin1Char('\n'));
}

QString airText(const HomeMeasurements &measured, const QString &device, const std::vector<DeviceInfo> &all) {
    const QStringList others = measured.sharesAirWith(device);
    QStringList names;
    for (const DeviceInfo &each : all) {
        if (others.contains(each.id))
            names << each.name;
    }
    return names.isEmpty() ? QString() : LinkWords::tr("Shares the air with %1").arg(names.join(QStringLiteral(", ")));
}

}  // namespace hearth
