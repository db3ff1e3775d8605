#include "core/protocol/round_report.h"

#include <QCborArray>
#include <algorithm>
#include <optional>

#include "core/base/cbor.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

struct Field {
    const char *key;
    double RoundReport::*value;
};

constexpr Field secondsFields[] = {{"compute_s", &RoundReport::computeSeconds},
                                   {"wait_forward_s", &RoundReport::waitForwardSeconds},
                                   {"wait_backward_s", &RoundReport::waitBackwardSeconds},
                                   {"wait_allreduce_s", &RoundReport::waitAllReduceSeconds},
                                   {"send_s", &RoundReport::sendSeconds},
                                   {"allreduce_s", &RoundReport::allReduceSeconds},
                                   {"optimizer_s", &RoundReport::optimizerSeconds}};

/// Peers of one worker: more than this is not a home.
constexpr qsizetype mostPeers = 1024;

/// More than a plan has layers for.
constexpr qsizetype mostStages = 1024;

/// The squares must make sense; a loss may be NaN.
std::optional<CutCheck> readCheck(const QCborArray &numbers) {
    constexpr qsizetype count = 7, squares = 5;
    if (numbers.size() != count || !numbers.at(0).isInteger() || numbers.at(0).toInteger() > mostStages)
        return std::nullopt;
    for (qsizetype i = 0; i < count; ++i) {
        const QCborValue value = numbers.at(i);
        const bool isNumber = value.isDouble() || value.isInteger();
        if (!isNumber || (i < squares && !(value.toDouble() >= 0)))
            return std::nullopt;
    }
    const auto number = [&numbers](qsizetype i) { return numbers.at(i).toDouble(); };
    return CutCheck{static_cast<int>(numbers.at(0).toInteger()),
                    {number(1), number(2)},
                    {number(3), number(4)},
                    number(5),
                    number(6)};
}

/// Cuts of a device, by way and codec: more than any plan has.
constexpr qsizetype mostPackings = 4096;

std::optional<CutPacking> readPacking(const QCborArray &numbers) {
    constexpr qsizetype count = 5;
    constexpr qint64 mosts[count] = {mostStages, static_cast<qint64>(CutWay::Active), 255, ProfileLimits::bytes,
                                     ProfileLimits::bytes};
    if (numbers.size() != count)
        return std::nullopt;
    for (qsizetype i = 0; i < count; ++i) {
        const QCborValue value = numbers.at(i);
        if (!value.isInteger() || value.toInteger() < 0 || value.toInteger() > mosts[i])
            return std::nullopt;
    }
    const Codec *codec = codecByNumber(static_cast<std::uint8_t>(numbers.at(2).toInteger()));
    if (!codec)
        return std::nullopt;
    return CutPacking{static_cast<int>(numbers.at(0).toInteger()), static_cast<CutWay>(numbers.at(1).toInteger()),
                      codec, numbers.at(3).toInteger(), numbers.at(4).toInteger()};
}

/// Adds what an array tells, row by row; true where there is none at all.
template <class Row>
bool readRows(const QCborValue &told, qsizetype most, std::optional<Row> (*read)(const QCborArray &),
              std::vector<Row> &rows) {
    const QCborArray array = told.toArray();
    if ((!told.isUndefined() && !told.isArray()) || array.size() > most)
        return false;
    for (const auto &each : array) {
        const auto row = read(each.toArray());
        if (!row)
            return false;
        rows.push_back(*row);
    }
    return true;
}

tl::unexpected<Error> malformed(const QString &key) {
    return fail(QStringLiteral("report.invalid"), sentence("A round report is not valid."),
                sentence("The field \"%1\" is missing or has no valid value.").arg(key));
}

}  // namespace

void addPacking(std::vector<CutPacking> &all, const CutPacking &more) {
    const auto same = std::ranges::find_if(all, [&more](const CutPacking &each) {
        return each.cut == more.cut && each.way == more.way && each.codec == more.codec;
    });
    if (same == all.end()) {
        all.push_back(more);
        return;
    }
    same->encoded += more.encoded;
    same->packed += more.packed;
}

QCborMap RoundReport::toCbor() const {
    QCborMap map{{QStringLiteral("round"), static_cast<qint64>(round)},
                 {QStringLiteral("term"), static_cast<qint64>(term)},
                 {QStringLiteral("version"), static_cast<qint64>(version)},
                 {QStringLiteral("kept"), kept},
                 {QStringLiteral("loss"), loss},
                 {QStringLiteral("memory_bytes"), memoryBytes}};
    for (const Field &field : secondsFields)
        map.insert(QLatin1String(field.key), this->*field.value);
    QCborMap peers;
    for (auto it = sent.constBegin(); it != sent.constEnd(); ++it)
        peers.insert(it.key(), it.value());
    map.insert(QStringLiteral("sent"), peers);
    if (savedBytes > 0)
        map.insert(QStringLiteral("saved_bytes"), savedBytes);
    if (gradientNorm)
        map.insert(QStringLiteral("gradient_norm"), *gradientNorm);
    if (!card.isEmpty())
        map.insert(QStringLiteral("card"), QCborMap::fromJsonObject(card.toJson()));
    if (!checks.empty()) {
        QCborArray rows;
        for (const CutCheck &own : checks)
            rows.append(QCborArray{own.stage, own.forward.error, own.forward.power, own.backward.error,
                                   own.backward.power, own.codedLoss, own.rawLoss});
        map.insert(QStringLiteral("checks"), rows);
    }
    if (!packing.empty()) {
        QCborArray rows;
        for (const CutPacking &own : packing)
            rows.append(
                QCborArray{own.cut, static_cast<int>(own.way), int{own.codec->number}, own.encoded, own.packed});
        map.insert(QStringLiteral("packing"), rows);
    }
    return map;
}

Result<RoundReport> RoundReport::fromCbor(const QCborMap &map) {
    RoundReport report;
    const auto whole = [&map](QLatin1String key, qint64 most) -> std::optional<qint64> {
        const QCborValue value = map.value(key);
        if (!value.isInteger() || value.toInteger() < 0 || value.toInteger() > most)
            return std::nullopt;
        return value.toInteger();
    };
    const auto round = whole(QLatin1String("round"), 0xffffffffLL);
    const auto term = whole(QLatin1String("term"), 0xffffffffLL);
    const auto version = whole(QLatin1String("version"), qint64{1} << 53);
    const auto memory = whole(QLatin1String("memory_bytes"), ProfileLimits::bytes);
    if (!round || !term || !version || !memory)
        return malformed(!round     ? QStringLiteral("round")
                         : !term    ? QStringLiteral("term")
                         : !version ? QStringLiteral("version")
                                    : QStringLiteral("memory_bytes"));
    report.round = static_cast<quint32>(*round);
    report.term = static_cast<quint32>(*term);
    report.version = static_cast<quint64>(*version);
    report.memoryBytes = *memory;
    report.kept = map.value(QLatin1String("kept")).toBool();
    const QCborValue loss = map.value(QLatin1String("loss"));
    if (!loss.isDouble() && !loss.isInteger())
        return malformed(QStringLiteral("loss"));
    report.loss = loss.toDouble();
    for (const Field &field : secondsFields) {
        const QCborValue value = map.value(QLatin1String(field.key));
        const double seconds = value.toDouble(-1);
        if ((!value.isDouble() && !value.isInteger()) || !(seconds >= 0 && seconds <= ProfileLimits::seconds))
            return malformed(QLatin1String(field.key));
        report.*field.value = seconds;
    }
    const QCborValue sent = map.value(QLatin1String("sent"));
    if (!sent.isMap() || sent.toMap().size() > mostPeers)
        return malformed(QStringLiteral("sent"));
    const QCborMap peers = sent.toMap();
    for (auto it = peers.constBegin(); it != peers.constEnd(); ++it) {
        const qint64 bytes = integerOf(it.value(), -1);
        if (!it.key().isString() || bytes < 0 || bytes > ProfileLimits::bytes)
            return malformed(QStringLiteral("sent"));
        report.sent.insert(it.key().toString(), bytes);
    }
    if (map.contains(QLatin1String("saved_bytes"))) {
        const auto saved = whole(QLatin1String("saved_bytes"), ProfileLimits::bytes);
        if (!saved)
            return malformed(QStringLiteral("saved_bytes"));
        report.savedBytes = *saved;
    }
    if (const QCborValue norm = map.value(QLatin1String("gradient_norm")); !norm.isUndefined()) {
        if (!norm.isDouble() || norm.toDouble() < 0)
            return malformed(QStringLiteral("gradient_norm"));
        report.gradientNorm = norm.toDouble();
    }
    report.card = CardLoad::fromJson(map.value(QLatin1String("card")).toMap().toJsonObject());
    if (!readRows(map.value(QLatin1String("checks")), mostStages, readCheck, report.checks))
        return malformed(QStringLiteral("checks"));
    if (!readRows(map.value(QLatin1String("packing")), mostPackings, readPacking, report.packing))
        return malformed(QStringLiteral("packing"));
    return report;
}

}  // namespace hearth
