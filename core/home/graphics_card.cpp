#include "core/home/graphics_card.h"

#include <algorithm>

#include "core/base/cbor.h"
#include "core/base/one_line.h"

namespace hearth {
namespace {

const QLatin1String nameKey("name"), memoryKey("memory_bytes"), driverKey("driver"), causeKey("cause"),
    troubleKey("trouble"), computesKey("computes"), wattsLimitKey("watts_limit");

constexpr qsizetype mostCardText = 120;
constexpr double mostCardWatts = 10'000;

QString text(const QCborMap &map, QLatin1String key) {
    return oneLine(map[key].toString(), mostCardText);
}

}  // namespace

QCborMap GraphicsCard::toCbor() const {
    QCborMap map{{computesKey, computes()}, {nameKey, name}, {memoryKey, memoryBytes}};
    if (!driver.isEmpty())
        map[driverKey] = driver;
    if (!cause.isEmpty())
        insertSentence(map, causeKey, cause);
    if (!trouble.isEmpty())
        insertSentence(map, troubleKey, trouble);
    if (wattsLimit)
        map[wattsLimitKey] = *wattsLimit;
    return map;
}

GraphicsCard GraphicsCard::fromCbor(const QCborMap &map) {
    GraphicsCard card;
    card.name = text(map, nameKey);
    card.memoryBytes = std::max<qint64>(0, integerOf(map[memoryKey]));
    card.driver = text(map, driverKey);
    card.cause = sentenceAt(map, causeKey);
    card.trouble = sentenceAt(map, troubleKey);
    if (const double watts = map[wattsLimitKey].toDouble(); watts > 0 && watts <= mostCardWatts)
        card.wattsLimit = watts;
    return card;
}

Sentence computesOn(const GraphicsCard &card) {
    if (!card.computes())
        return Sentence::joined({sentence("Computes on the processor."), card.cause});
    // As it is sold: whole ones of a large card.
    const double gibibytes = static_cast<double>(card.memoryBytes) / (1 << 30);
    const auto memory =
        Sentence::quantity(QStringLiteral("%1 GiB").arg(QString::number(gibibytes, 'f', gibibytes < 8 ? 1 : 0)));
    return Sentence::joined({card.driver.isEmpty()
                                 ? sentence("Computes on %1, %2.").arg(card.name, memory)
                                 : sentence("Computes on %1, %2; driver %3.").arg(card.name, memory, card.driver),
                             card.trouble});
}

}  // namespace hearth
