#include "core/history/run_scan.h"

#include <algorithm>
#include <cmath>

#include "core/history/index_database.h"

namespace hearth {
namespace {

// A round's event of 64 devices is 30 kB: what is so much longer is not kept, for all that is kept is shown.
constexpr qsizetype longestKept = 1 << 20;

/// The least of both; NaN counts as nothing.
double lower(double a, double b) {
    return std::isnan(a) || b < a ? b : a;
}
double higher(double a, double b) {
    return std::isnan(a) || b > a ? b : a;
}

Result<void> done(const Result<QSqlQuery> &query) {
    return query ? Result<void>() : tl::unexpected(query.error());
}

}  // namespace

Result<void> RunScan::take(const QByteArray &line) {
    const auto event = RunEvent::fromLine(line);
    if (!event) {
        ++m_record.summary.badLines;
        return {};
    }
    RunSummary &summary = m_record.summary;
    if (event->seq <= summary.lastSeq)
        return {};
    summary.lastSeq = event->seq;
    summary.seconds = std::max(summary.seconds, event->t);
    if (const auto *round = std::get_if<event::Round>(&event->body))
        return take(*round, *event);
    if (const auto *evaluation = std::get_if<event::Evaluation>(&event->body))
        return take(*evaluation, event->t);
    return matters(event->body) ? keep(*event, line) : Result<void>();
}

bool RunScan::matters(const RunEventBody &body) {
    RunSummary &summary = m_record.summary;
    if (const auto *run = std::get_if<event::Run>(&body)) {
        take(*run);
    } else if (const auto *state = std::get_if<event::State>(&body)) {
        summary.state = state->state;
    } else if (const auto *device = std::get_if<event::Device>(&body)) {
        take(*device);
    } else if (const auto *recovered = std::get_if<event::Recovered>(&body)) {
        ++summary.recoveries;
        summary.replayedRounds += recovered->replayedRounds;
        summary.movedBytes += recovered->movedBytes;
    } else if (const auto *finished = std::get_if<event::Finished>(&body)) {
        if (finished->samplesPerS > 0)
            m_record.toldSamplesPerSecond = finished->samplesPerS;
    } else if (std::holds_alternative<event::Plan>(body)) {
        ++summary.plans;
    } else if (std::holds_alternative<event::Lost>(body)) {
        ++summary.losses;
    } else if (std::holds_alternative<event::Warning>(body)) {
        ++summary.warnings;
    } else if (std::holds_alternative<event::Failure>(body)) {
        ++summary.errors;
    } else {
        return std::holds_alternative<event::Suspect>(body) || std::holds_alternative<event::Joined>(body) ||
               std::holds_alternative<event::Left>(body);
    }
    return true;
}

void RunScan::take(const event::Run &run) {
    RunSummary &summary = m_record.summary;
    summary.started = run.started;
    // Read loosely: the job of a later version may hold what this one does not know.
    const auto text = [&run](const char *key) { return run.job.value(QLatin1String(key)).toString(); };
    summary.model = text("model");
    summary.data = text("data");
    summary.batch = run.job.value(QLatin1String("batch")).toInt();
    summary.wantedRounds = run.job.value(QLatin1String("rounds")).toInteger();
    summary.wantedEpochs = run.job.value(QLatin1String("epochs")).toInteger();
    const QJsonObject optimizer = run.job.value(QLatin1String("optimizer")).toObject();
    summary.optimizer = optimizer.value(QLatin1String("kind")).toString();
    summary.learningRate = optimizer.value(QLatin1String("learning_rate")).toDouble(RunSummary::unknown);
}

void RunScan::take(const event::Device &device) {
    if (device.id.isEmpty() || m_record.deviceIds.contains(device.id))
        return;
    m_record.deviceIds << device.id;
    const QString name = device.name.isEmpty() ? device.id.left(8) : device.name;
    m_record.summary.devices << QString(name).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

Result<void> RunScan::take(const event::Round &round, const RunEvent &event) {
    const auto undone = m_chunks.dropFrom(round.round);
    if (!undone)
        return tl::unexpected(undone.error());
    if (*undone) {
        m_undone = true;
        auto deleted = m_database.run(QStringLiteral("DELETE FROM evaluation WHERE run=? AND round>=?"),
                                      {m_record.key, round.round});
        if (!deleted)
            return tl::unexpected(deleted.error());
    }
    RunSummary &summary = m_record.summary;
    if (summary.rounds == 0)
        summary.firstLoss = round.loss;
    summary.rounds = round.round;
    summary.loss = round.loss;
    summary.lowestLoss = lower(summary.lowestLoss, round.loss);
    if (round.samplesPerS > 0) {
        m_record.secondsPerSample += 1 / round.samplesPerS;
        ++m_record.timedRounds;
    }
    return m_chunks.append({event.seq, round.round, round.term, event.t, round.loss, round.roundS,
                            round.predictedRoundS, round.samplesPerS});
}

Result<void> RunScan::take(const event::Evaluation &evaluation, double t) {
    RunSummary &summary = m_record.summary;
    summary.accuracy = evaluation.accuracy;
    summary.bestAccuracy = higher(summary.bestAccuracy, evaluation.accuracy);
    return done(
        m_database.run(QStringLiteral("INSERT OR REPLACE INTO evaluation(run,round,t,accuracy,loss) VALUES(?,?,?,?,?)"),
                       {m_record.key, evaluation.round, t, evaluation.accuracy,
                        std::isfinite(evaluation.loss) ? QVariant(evaluation.loss) : QVariant()}));
}

Result<void> RunScan::keep(const RunEvent &event, const QByteArray &line) {
    if (line.size() > longestKept) {
        ++m_record.summary.badLines;
        return {};
    }
    const QString insert = QStringLiteral("INSERT OR IGNORE INTO event(run,seq,t,kind,line) VALUES(?,?,?,?,?)");
    // Sentences speak of the round that was done last.
    if (const RoundRow *row = m_chunks.last()) {
        const event::Round round{row->round,
                                 static_cast<quint32>(row->term),
                                 static_cast<quint64>(row->round),
                                 row->loss,
                                 row->roundS,
                                 row->predictedRoundS,
                                 row->samplesPerS,
                                 {},
                                 {}};
        auto kept = m_database.run(insert, {m_record.key, static_cast<qint64>(row->seq), row->t, eventKind(round),
                                            eventLine(row->seq, row->t, round)});
        if (!kept)
            return tl::unexpected(kept.error());
    }
    return done(
        m_database.run(insert, {m_record.key, static_cast<qint64>(event.seq), event.t, eventKind(event.body), line}));
}

/// Rounds were taken back: sums and extremes follow from those that are left.
Result<void> RunScan::countAgain() {
    RunSummary &summary = m_record.summary;
    summary.rounds = 0;
    summary.loss = summary.firstLoss = summary.lowestLoss = RunSummary::unknown;
    m_record.secondsPerSample = 0;
    m_record.timedRounds = 0;
    auto counted = RoundChunks::forEach(m_database, m_record.key, [&](const RoundRow &row) {
        if (summary.rounds == 0)
            summary.firstLoss = row.loss;
        summary.rounds = row.round;
        summary.loss = row.loss;
        summary.lowestLoss = lower(summary.lowestLoss, row.loss);
        if (row.samplesPerS > 0) {
            m_record.secondsPerSample += 1 / row.samplesPerS;
            ++m_record.timedRounds;
        }
        return true;
    });
    if (!counted)
        return counted;
    auto query =
        m_database.run(QStringLiteral("SELECT accuracy FROM evaluation WHERE run=? ORDER BY round"), {m_record.key});
    if (!query)
        return tl::unexpected(query.error());
    summary.accuracy = summary.bestAccuracy = RunSummary::unknown;
    while (query->next()) {
        summary.accuracy = query->value(0).toDouble();
        summary.bestAccuracy = higher(summary.bestAccuracy, summary.accuracy);
    }
    return {};
}

Result<void> RunScan::finish() {
    auto flushed = m_chunks.flush();
    if (flushed && m_undone)
        flushed = countAgain();
    RunSummary &summary = m_record.summary;
    if (std::isfinite(m_record.toldSamplesPerSecond))
        summary.samplesPerSecond = m_record.toldSamplesPerSecond;
    else if (m_record.timedRounds > 0)
        summary.samplesPerSecond = static_cast<double>(m_record.timedRounds) / m_record.secondsPerSample;
    else
        summary.samplesPerSecond = RunSummary::unknown;
    return flushed;
}

}  // namespace hearth
