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

QString linkFigures(const LinkProfile::Pair &link) {
    return LinkWords::tr("%1, %2 delay")
        .arg(formatRate(link.bytesPerSecond), formatSeconds(link.latencySeconds.value_or(0)));
}

QString linkText(const HomeMeasurements &measured, const DeviceInfo &one, const DeviceInfo &other) {
    QStringList lines;
    for (const auto &[from, to] : {std::pair(&one, &other), std::pair(&other, &one)}) {
        if (const LinkProfile::Pair *link = measured.link(from->id, to->id))
            lines << LinkWords::tr("%1 to %2: %3").arg(from->name, to->name, linkFigures(*link));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace hearth
