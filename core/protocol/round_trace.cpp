#include "core/protocol/round_trace.h"

#include <QCborArray>
#include <array>
#include <functional>
#include <limits>

namespace hearth {
namespace {

/// Peers of one worker, and more than a home has.
constexpr qsizetype mostTracedPeers = 1024;
constexpr qint64 mostNanoseconds = qint64{1} << 61;  // a sum of two is still a number

tl::unexpected<Error> malformedTrace(const QString &key) {
    return fail(QStringLiteral("trace.invalid"), sentence("The trace of a round is not valid."),
                sentence("The field \"%1\" is missing or has no valid value.").arg(key));
}

/// Rows of a fixed number of integers, each within its limits.
struct Column {
    qint64 least, most;
};

template <std::size_t N>
bool readRows(const QCborValue &value, const std::array<Column, N> &columns,
              const std::function<void(const std::array<qint64, N> &)> &take) {
    if (!value.isArray())
        return false;
    const QCborArray array = value.toArray();
    if (array.size() % qsizetype(N) != 0 || array.size() / qsizetype(N) > RoundTrace::mostEntries)
        return false;
    std::array<qint64, N> row{};
    std::size_t column = 0;
    for (const QCborValue &each : array) {
        if (!each.isInteger() || each.toInteger() < columns[column].least || each.toInteger() > columns[column].most)
            return false;
        row[column] = each.toInteger();
        if (++column == N) {
            take(row);
            column = 0;
        }
    }
    return true;
}

QCborMap framesToCbor(const QMap<QString, std::vector<TraceFrame>> &frames) {
    QCborMap map;
    for (auto it = frames.cbegin(); it != frames.cend(); ++it) {
        QCborArray rows;
        for (const TraceFrame &frame : it.value()) {
            for (const qint64 value : {static_cast<qint64>(frame.cargo), static_cast<qint64>(frame.microBatch),
                                       static_cast<qint64>(frame.slot), static_cast<qint64>(frame.firstSample),
                                       frame.at, frame.bytes, static_cast<qint64>(frame.stage)})
                rows.append(value);
        }
        map.insert(it.key(), rows);
    }
    return map;
}

bool framesFromCbor(const QCborValue &value, QMap<QString, std::vector<TraceFrame>> &frames) {
    if (!value.isMap() || value.toMap().size() > mostTracedPeers)
        return false;
    constexpr qint64 mostIndex = std::numeric_limits<int>::max();
    const std::array<Column, 7> columns{{{qint64(Cargo::Activation), qint64(Cargo::AllReduce)},
                                         {0, mostIndex},
                                         {0, mostIndex},
                                         {0, mostIndex},
                                         {0, mostNanoseconds},
                                         {0, mostNanoseconds},
                                         {0, mostIndex}}};
    const QCborMap map = value.toMap();
    for (auto it = map.constBegin(); it != map.constEnd(); ++it) {
        if (!it.key().isString())
            return false;
        std::vector<TraceFrame> &list = frames[it.key().toString()];
        const bool read = readRows<7>(it.value(), columns, [&list](const std::array<qint64, 7> &row) {
            list.push_back({static_cast<Cargo>(row[0]), static_cast<int>(row[1]), static_cast<int>(row[2]),
                            static_cast<int>(row[3]), row[4], row[5], static_cast<int>(row[6])});
        });
        if (!read)
            return false;
    }
    return true;
}

}  // namespace

QString activityName(Activity activity) {
    constexpr std::array<const char *, activityCount> names{
        "forward", "backward",  "weight gradients", "wait forward", "wait backward",
        "send",    "allreduce", "optimizer",        "evaluation",   "wait allreduce"};
    return QLatin1String(names[static_cast<std::size_t>(activity)]);
}

bool isWait(Activity activity) {
    return activity == Activity::WaitForward || activity == Activity::WaitBackward ||
           activity == Activity::WaitAllReduce;
}

QString cargoName(Cargo cargo) {
    constexpr std::array<const char *, 5> names{"activation", "gradient", "input", "label", "allreduce"};
    return QLatin1String(names[static_cast<std::size_t>(cargo) - 1]);
}

QCborMap RoundTrace::toCbor() const {
    QCborArray rows;
    for (const TraceSpan &span : spans) {
        rows.append(static_cast<qint64>(span.activity));
        rows.append(span.microBatch);
        rows.append(span.start);
        rows.append(span.end - span.start);
        rows.append(span.stage);
    }
    return {{QStringLiteral("round"), static_cast<qint64>(round)},
            {QStringLiteral("term"), static_cast<qint64>(term)},
            {QStringLiteral("cut"), cut},
            {QStringLiteral("spans"), rows},
            {QStringLiteral("sent"), framesToCbor(sent)},
            {QStringLiteral("received"), framesToCbor(received)}};
}

Result<RoundTrace> RoundTrace::fromCbor(const QCborMap &map) {
    RoundTrace trace;
    for (const auto &[key, field] : {std::pair{"round", &RoundTrace::round}, std::pair{"term", &RoundTrace::term}}) {
        const QCborValue value = map.value(QLatin1String(key));
        if (!value.isInteger() || value.toInteger() < 0 || value.toInteger() > 0xffffffffLL)
            return malformedTrace(QLatin1String(key));
        trace.*field = static_cast<quint32>(value.toInteger());
    }
    const QCborValue cut = map.value(QLatin1String("cut"));
    if (!cut.isBool())
        return malformedTrace(QStringLiteral("cut"));
    trace.cut = cut.toBool();
    constexpr qint64 mostIndex = std::numeric_limits<int>::max();
    const std::array<Column, 5> columns{
        {{0, activityCount - 1}, {-1, mostIndex}, {0, mostNanoseconds}, {0, mostNanoseconds}, {-1, mostIndex}}};
    const bool read =
        readRows<5>(map.value(QLatin1String("spans")), columns, [&trace](const std::array<qint64, 5> &row) {
            trace.spans.push_back({static_cast<Activity>(row[0]), static_cast<int>(row[1]), row[2], row[2] + row[3],
                                   static_cast<int>(row[4])});
        });
    if (!read)
        return malformedTrace(QStringLiteral("spans"));
    if (!framesFromCbor(map.value(QLatin1String("sent")), trace.sent))
        return malformedTrace(QStringLiteral("sent"));
    if (!framesFromCbor(map.value(QLatin1String("received")), trace.received))
        return malformedTrace(QStringLiteral("received"));
    return trace;
}

}  // namespace hearth
