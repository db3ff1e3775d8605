#include "core/history/run_scan.h"

#include <QJsonDocument>
#include <algorithm>
#include <cmath>

#include "core/data/data_registry.h"
#include "core/history/index_database.h"
#include "core/run/files/event_file.h"

namespace hearth {
namespace {

// A round's event of 64 devices is 30 kB: what is so much longer is not kept, for all that is kept is shown.
constexpr qsizetype longestKept = 1 << 20;
// The list of runs is in memory whole: no home is so large, and nobody reads longer names.
constexpr qsizetype mostDevices = 1024;
constexpr qsizetype longestText = 200;
constexpr qsizetype longestJob = 16 << 10;

/// As much as the list keeps: line ends are what parts its texts.
QString listed(const QString &text) {
    return text.left(longestText).replace(QLatin1Char('\n'), QLatin1Char(' '));
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
    if (const auto *evaluation = std::get_if<event::Evaluation>(&event->body)) {
        auto taken = take(*evaluation, event->t);
        // Its figures have columns of their own; what a network wrote is in the event alone.
        return taken && !evaluation->continued.empty() ? keep(*event, line) : taken;
    }
    return matters(event->body) ? keep(*event, line) : Result<void>();
}

bool RunScan::matters(const RunEventBody &body) {
    RunSummary &summary = m_record.summary;
    if (const auto *run = std::get_if<event::Run>(&body)) {
        take(*run);
    } else if (const auto *state = std::get_if<event::State>(&body)) {
        summary.state = listed(state->state);
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
               std::holds_alternative<event::Left>(body) || std::holds_alternative<event::Codec>(body) ||
               std::holds_alternative<event::CodecCheck>(body) || std::holds_alternative<event::Best>(body);
    }
    return true;
}

void RunScan::take(const event::Run &run) {
    RunSummary &summary = m_record.summary;
    summary.started = listed(run.started);
    // Read loosely: the job of a later version may hold what this one does not know.
    const auto text = [](const QJsonObject &json, const char *key) {
        return listed(json.value(QLatin1String(key)).toString());
    };
    if (QJsonDocument(run.job).toJson(QJsonDocument::Compact).size() <= longestJob)
        summary.job = run.job;
    summary.only = listed(run.only);
    summary.model = text(run.job, "model");
    summary.data = listed(shownDatasets(dataOfJob(run.job)));
    summary.batch = run.job.value(QLatin1String("batch")).toInt();
    summary.wantedRounds = run.job.value(QLatin1String("rounds")).toInteger();
    summary.wantedEpochs = run.job.value(QLatin1String("epochs")).toInteger();
    const QJsonObject optimizer = run.job.value(QLatin1String("optimizer")).toObject();
    summary.optimizer = text(optimizer, "kind");
    summary.learningRate = optimizer.value(QLatin1String("learning_rate")).toDouble(RunSummary::unknown);
}

void RunScan::take(const event::Device &device) {
    const QString id = listed(device.id);
    if (id.isEmpty() || m_deviceIds.size() >= mostDevices || m_deviceIds.contains(id))
        return;
    m_deviceIds << id;
    m_record.deviceIds << id;
    m_record.deviceNames << (device.name.isEmpty() ? id.left(8) : listed(device.name));
}

Result<void> RunScan::take(const event::Round &round, const RunEvent &event) {
    RunSummary &summary = m_record.summary;
    for (auto device = round.devices.keyBegin(); device != round.devices.keyEnd(); ++device) {
        if (m_deviceIds.contains(*device) && !m_workedIds.contains(*device)) {
            m_workedIds << *device;
            m_record.workedIds << *device;
        }
    }
    // Rounds that are done again took theirs as well.
    for (const auto &device : round.devices) {
        if (device.card.watts)
            summary.joules = (std::isfinite(summary.joules) ? summary.joules : 0) + *device.card.watts * round.roundS;
    }
    const auto undone = m_chunks.dropFrom(round.round);
    if (!undone)
        return tl::unexpected(undone.error());
    if (*undone) {
        auto deleted = m_database.run(QStringLiteral("DELETE FROM evaluation WHERE run=? AND round>=?"),
                                      {m_record.key, round.round});
        if (!deleted)
            return tl::unexpected(deleted.error());
    }
    return m_chunks.append({event.seq, round.round, round.term, event.t, round.loss, round.roundS,
                            round.predictedRoundS, round.samplesPerS});
}

Result<void> RunScan::take(const event::Evaluation &evaluation, double t) {
    return done(m_database.run(
        QStringLiteral("INSERT OR REPLACE INTO evaluation(run,round,t,accuracy,loss) VALUES(?,?,?,?,?)"),
        {m_record.key, evaluation.round, t, storedReal(evaluation.accuracy), storedReal(evaluation.loss)}));
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

/// What all rounds and evaluations that count say together.
Result<void> RunScan::count() {
    RunSummary &summary = m_record.summary;
    // Who rested all the time did nothing for it.
    summary.devices.clear();
    for (qsizetype i = 0; i < std::min(m_record.deviceIds.size(), m_record.deviceNames.size()); ++i) {
        if (m_workedIds.isEmpty() || m_workedIds.contains(m_record.deviceIds.at(i)))
            summary.devices << m_record.deviceNames.at(i);
    }
    const RoundRow *last = m_chunks.last();
    const RoundFigures figures = m_chunks.figures();
    summary.rounds = last != nullptr ? last->round : 0;
    summary.loss = last != nullptr ? last->loss : RunSummary::unknown;
    summary.firstLoss = figures.firstLoss;
    summary.lowestLoss = figures.lowestLoss;
    if (std::isfinite(m_record.toldSamplesPerSecond))
        summary.samplesPerSecond = m_record.toldSamplesPerSecond;
    else if (figures.timedRounds > 0)
        summary.samplesPerSecond = static_cast<double>(figures.timedRounds) / figures.secondsPerSample;
    else
        summary.samplesPerSecond = RunSummary::unknown;
    auto query = m_database.run(
        QStringLiteral("SELECT (SELECT accuracy FROM evaluation WHERE run=? ORDER BY round DESC LIMIT 1), "
                       "(SELECT max(accuracy) FROM evaluation WHERE run=?)"),
        {m_record.key, m_record.key});
    if (!query)
        return tl::unexpected(query.error());
    if (query->next()) {
        summary.accuracy = realOf(query->value(0));
        summary.bestAccuracy = realOf(query->value(1));
    }
    return {};
}

Result<void> RunScan::finish() {
    return m_chunks.flush().and_then([this] { return count(); });
}

}  // namespace hearth
