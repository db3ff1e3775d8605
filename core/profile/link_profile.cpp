#include "core/profile/link_profile.h"

#include <QJsonArray>

#include "core/base/json_reader.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr double mostRate = ProfileLimits::bytesPerSecond;
constexpr double mostLatency = ProfileLimits::latencySeconds;

QString duplexName(Duplex duplex) {
    return duplex == Duplex::Full ? QStringLiteral("full") : QStringLiteral("half");
}

Duplex readDuplex(JsonReader &reader) {
    const QString word =
        reader.choice("duplex", {QStringLiteral("full"), QStringLiteral("half")}, QStringLiteral("full"));
    return word == QLatin1String("half") ? Duplex::Half : Duplex::Full;
}

std::optional<double> readRate(JsonReader &reader, const char *key) {
    const bool given = reader.has(key);
    const double rate = reader.number(key, 0, mostRate, 0);
    return given ? std::optional<double>(rate) : std::nullopt;
}

LinkProfile::Link readLink(JsonReader &reader) {
    LinkProfile::Link link;
    link.bytesPerSecond = reader.number("bytes_per_s", 0, mostRate);
    link.latencySeconds = reader.number("latency_s", 0, mostLatency, 0);
    link.duplex = readDuplex(reader);
    return link;
}

LinkProfile::Nic readNic(JsonReader &reader) {
    LinkProfile::Nic nic;
    nic.id = reader.string("id");
    nic.upBytesPerSecond = readRate(reader, "up_bytes_per_s");
    nic.downBytesPerSecond = readRate(reader, "down_bytes_per_s");
    if (reader.has("duplex"))
        nic.duplex = readDuplex(reader);
    else
        reader.ignore("duplex");
    nic.medium = reader.string("medium", QString());
    return nic;
}

LinkProfile::Medium readMedium(JsonReader &reader) {
    LinkProfile::Medium medium;
    medium.id = reader.string("id");
    medium.bytesPerSecond = reader.number("bytes_per_s", 0, mostRate);
    return medium;
}

LinkProfile::Pair readPair(JsonReader &reader) {
    LinkProfile::Pair pair;
    pair.from = reader.string("from");
    pair.to = reader.string("to");
    pair.bytesPerSecond = reader.number("bytes_per_s", 0, mostRate);
    if (reader.has("latency_s"))
        pair.latencySeconds = reader.number("latency_s", 0, mostLatency);
    else
        reader.ignore("latency_s");
    return pair;
}

/// Reads every element of a list of objects with `read`; the first error ends it.
template <class T>
Result<std::vector<T>> readList(const QJsonArray &array, const QString &source, const QString &path,
                                T (*read)(JsonReader &)) {
    std::vector<T> result;
    for (qsizetype i = 0; i < array.size(); ++i) {
        const QString place = jsonPointer(path, i);
        JsonReader reader(array[i], source, place);
        result.push_back(read(reader));
        if (auto ok = reader.finish(); !ok)
            return tl::unexpected(ok.error());
    }
    return result;
}

}  // namespace

QJsonObject LinkProfile::toJson() const {
    QJsonObject object;
    if (fallback) {
        object[QStringLiteral("default")] = QJsonObject{{QStringLiteral("bytes_per_s"), fallback->bytesPerSecond},
                                                        {QStringLiteral("latency_s"), fallback->latencySeconds},
                                                        {QStringLiteral("duplex"), duplexName(fallback->duplex)}};
    }
    QJsonArray cards;
    for (const Nic &nic : nics) {
        QJsonObject row{{QStringLiteral("id"), nic.id}};
        if (nic.upBytesPerSecond)
            row[QStringLiteral("up_bytes_per_s")] = *nic.upBytesPerSecond;
        if (nic.downBytesPerSecond)
            row[QStringLiteral("down_bytes_per_s")] = *nic.downBytesPerSecond;
        if (nic.duplex)
            row[QStringLiteral("duplex")] = duplexName(*nic.duplex);
        if (!nic.medium.isEmpty())
            row[QStringLiteral("medium")] = nic.medium;
        cards.append(row);
    }
    QJsonArray shared;
    for (const Medium &medium : media)
        shared.append(
            QJsonObject{{QStringLiteral("id"), medium.id}, {QStringLiteral("bytes_per_s"), medium.bytesPerSecond}});
    QJsonArray directed;
    for (const Pair &pair : pairs) {
        QJsonObject row{{QStringLiteral("from"), pair.from},
                        {QStringLiteral("to"), pair.to},
                        {QStringLiteral("bytes_per_s"), pair.bytesPerSecond}};
        if (pair.latencySeconds)
            row[QStringLiteral("latency_s")] = *pair.latencySeconds;
        directed.append(row);
    }
    if (!cards.isEmpty())
        object[QStringLiteral("nics")] = cards;
    if (!shared.isEmpty())
        object[QStringLiteral("media")] = shared;
    if (!directed.isEmpty())
        object[QStringLiteral("pairs")] = directed;
    return object;
}

Result<LinkProfile> LinkProfile::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    LinkProfile links;
    const QJsonObject fallback = reader.object("default", false);
    const QJsonArray cards = reader.array("nics", false);
    const QJsonArray shared = reader.array("media", false);
    const QJsonArray directed = reader.array("pairs", false);
    const bool hasFallback = reader.has("default");
    constexpr qsizetype most = ProfileLimits::devices;
    if (cards.size() > most || shared.size() > most || directed.size() > most * most)
        reader.reject(QString(), sentence("A list is longer than any home needs."));
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    if (hasFallback) {
        JsonReader inner(fallback, source, jsonPointer(path, QStringLiteral("default")));
        links.fallback = readLink(inner);
        if (auto ok = inner.finish(); !ok)
            return tl::unexpected(ok.error());
    }
    auto nicList = readList<Nic>(cards, source, jsonPointer(path, QStringLiteral("nics")), readNic);
    if (!nicList)
        return tl::unexpected(nicList.error());
    auto mediumList = readList<Medium>(shared, source, jsonPointer(path, QStringLiteral("media")), readMedium);
    if (!mediumList)
        return tl::unexpected(mediumList.error());
    auto pairList = readList<Pair>(directed, source, jsonPointer(path, QStringLiteral("pairs")), readPair);
    if (!pairList)
        return tl::unexpected(pairList.error());
    links.nics = std::move(*nicList);
    links.media = std::move(*mediumList);
    links.pairs = std::move(*pairList);
    return links;
}

}  // namespace hearth
