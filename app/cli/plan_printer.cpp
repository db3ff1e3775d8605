#include "app/cli/plan_printer.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/cli/command.h"
#include "app/cli/table.h"
#include "core/base/number_text.h"
#include "core/base/sentence.h"

namespace hearth {
namespace {

using Names = QMap<QString, QString>;

QString size(qint64 bytes) {
    return memoryText(bytes, QLocale());
}

QString fixed(double number, int digits) {
    return QString::number(number, 'f', digits);
}

QString short4(double number) {
    return QString::number(number, 'g', 4);
}

/// How the cut behind a stage is written; nothing where its tensors cross as they are.
QString codecText(const CutCodec &codec) {
    if (codec == CutCodec())
        return {};
    const QString forward = QString::fromLatin1(codec.forward->name), back = QString::fromLatin1(codec.backward->name);
    return QStringLiteral("  sent as ") +
           (forward == back ? forward : QStringLiteral("%1, gradients as %2").arg(forward, back));
}

void printStages(const std::vector<PlanStage> &stages, const Prediction &prediction, const Names &names,
                 const QString &indent) {
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const PlanStage &stage = stages[s];
        QStringList shares;
        for (const Share &share : stage.shares)
            shares << Sentence::filled(QStringLiteral("%1 (%2 {2|sample|samples}, %3)"),
                                       {names.value(share.device, share.device), QString::number(share.samples),
                                        size(prediction.memoryBytes.value(share.device))});
        const QString late = s < prediction.delays.size()
                                 ? Sentence::filled(QStringLiteral("  weights %1 {1|update|updates} old"),
                                                    {QString::number(prediction.delays[s])})
                                 : QString();
        printLine(
            QStringLiteral("%1stage %2  layers %3 to %4  in flight %5%6  %7")
                .arg(indent)
                .arg(s + 1)
                .arg(stage.firstLayer)
                .arg(stage.lastLayer - 1)
                .arg(stage.inFlight)
                .arg((stage.recompute ? QStringLiteral("  recomputed") : QString()) + late + codecText(stage.codec))
                .arg(shares.join(QStringLiteral(", "))));
    }
}

QString violationText(const Violation &violation, const Names &names) {
    return QStringLiteral("%1 needs %2 (%3 bytes) and has %4 (%5 bytes)")
        .arg(names.value(violation.device, violation.device), size(violation.neededBytes))
        .arg(countText(violation.neededBytes))
        .arg(size(violation.availableBytes))
        .arg(countText(violation.availableBytes));
}

QStringList comparisonRow(const Plan &plan, double best) {
    const Prediction &prediction = *plan.prediction;
    qint64 peak = 0;
    for (const qint64 bytes : prediction.memoryBytes)
        peak = std::max(peak, bytes);
    return {plan.planner,
            fixed(prediction.samplesPerSecond, 1),
            short4(prediction.roundSeconds),
            best > 0 ? fixed(prediction.roundSeconds / best, 2) : QStringLiteral("–"),
            QString::number(plan.stageCount()),
            QString::number(plan.deviceCount()),
            QString::number(plan.microBatch),
            size(peak),
            fixed(prediction.sentBytes() / 1e6, 1),
            prediction.planningSeconds ? fixed(*prediction.planningSeconds, 3) : QStringLiteral("–"),
            prediction.fits ? QStringLiteral("yes") : QStringLiteral("no"),
            prediction.provedOptimal ? QStringLiteral("yes") : QStringLiteral("no")};
}

/// Why a round played device by device lasts longer than simulated, or shorter.
QString playedText(double longer) {
    const QString percent = fixed(100 * std::abs(longer), 0);
    if (longer > 0)
        return QStringLiteral("Expect rounds up to %1 % longer: links carry transfers of several stages at once.")
            .arg(percent);
    return QStringLiteral("Rounds may be %1 % shorter: devices of a stage need not wait for each other.").arg(percent);
}

}  // namespace

void printPlan(const Plan &plan, const Names &names) {
    const Prediction &prediction = *plan.prediction;
    const QString planner = plan.planner.isEmpty() ? QStringLiteral("unknown") : plan.planner;
    const QString shape =
        plan.pipelines.empty()
            ? Sentence::filled(QStringLiteral("%1 {1|stage|stages}"), {QString::number(plan.stages.size())})
            : Sentence::filled(QStringLiteral("%1 {1|pipeline|pipelines side by side}"),
                               {QString::number(plan.pipelines.size())});
    printLine(Sentence::filled(
        QStringLiteral("Planner %1: %2, %3 {3|micro-batch|micro-batches} of %4 {4|sample|samples}, %5."),
        {planner, shape, QString::number(plan.microBatches()), QString::number(plan.microBatch),
         plan.schedule.name()}));
    printStages(plan.stages, prediction, names, QStringLiteral("  "));
    for (std::size_t i = 0; i < plan.pipelines.size(); ++i) {
        printLine(Sentence::filled(
            QStringLiteral("  pipeline %1: %2 of the mini-batch's %3 {3|sample|samples}"),
            {QString::number(i + 1), QString::number(plan.pipelines[i].samples), QString::number(plan.batch)}));
        printStages(plan.pipelines[i].stages, prediction, names, QStringLiteral("    "));
    }
    const QStringList rounds = secondsTexts(
        {prediction.roundSeconds, prediction.modelRoundSeconds, prediction.playedRoundSeconds.value_or(0)});
    const QString played =
        prediction.playedRoundSeconds ? QStringLiteral("; played device by device %1").arg(rounds[2]) : QString();
    printLine(QStringLiteral("Predicted: %1 per round, %2 samples/s (estimate %3%4).")
                  .arg(rounds[0], figuresText(prediction.samplesPerSecond), rounds[1], played));
    if (prediction.relativeError) {
        printLine(QStringLiteral("Not all times were measured: a round may well differ by %1 %. The first rounds put "
                                 "that right; \"hearth profile --all\" measures all of them.")
                      .arg(qRound(100 * *prediction.relativeError)));
    }
    if (const auto longer = prediction.playedLonger())
        printLine(playedText(*longer));
    if (prediction.provedOptimal)
        printLine(QStringLiteral("Proved optimal."));
    else if (prediction.gap)
        printLine(QStringLiteral("Not proved optimal: no plan is more than %1 % shorter.")
                      .arg(fixed(100 * *prediction.gap, 1)));
    if (prediction.codecGain) {
        printLine(QStringLiteral("Compressing cuts would make a round %1 times faster: --codec auto, or \"codec\": "
                                 "\"auto\" in the job (rounds numbers to 8 bits, or 16).")
                      .arg(fixed(*prediction.codecGain, 1)));
    }
    if (const auto &gain = prediction.localStepsGain) {
        printLine(QStringLiteral("Averaging weights only every %1 batches would train %2 times as fast: --local-steps "
                                 "%1, or \"local_steps\" in the job. It changes the mathematics: each device trains "
                                 "by its own samples in between (measured on Fashion-MNIST: as accurate within a "
                                 "point).")
                      .arg(gain->every)
                      .arg(fixed(gain->factor, 1)));
    }
    for (const Violation &violation : prediction.violations)
        printLine(QStringLiteral("Does not fit: %1.").arg(violationText(violation, names)));
}

void printSchedule(const Plan &plan) {
    for (const ScheduledTask &task : plan.prediction->schedule) {
        if (task.kind == ScheduledTask::Kind::Update)
            continue;
        printLine(QStringLiteral("  %1 %2 s  %3 %4  stage %5  micro-batch %6")
                      .arg(task.startSeconds, 10, 'f', 4)
                      .arg(task.endSeconds, 10, 'f', 4)
                      .arg(task.lane.leftJustified(16), taskKindName(task.kind).leftJustified(9))
                      .arg(task.stage + 1)
                      .arg(task.microBatch + 1));
    }
}

void printWholeJob(const WholeJob &job, const Names &names) {
    printLine(QStringLiteral("Whole job (%1):").arg(lengthText(job.length).english()));
    const QString fullest = job.fullest.device;
    for (const WholeJobLine &line : linesOf(job, names.value(fullest, fullest))) {
        if (!line.text.isEmpty())
            printLine(QStringLiteral("  %1: %2").arg(line.caption.english(), line.text.english()));
    }
}

void printComparison(const std::vector<Plan> &plans, const std::vector<FailedPlanner> &failed) {
    double best = 0;
    for (const Plan &plan : plans) {
        const Prediction &prediction = *plan.prediction;
        if (prediction.fits && (best <= 0 || prediction.roundSeconds < best))
            best = prediction.roundSeconds;
    }
    QList<QStringList> rows{QStringLiteral("planner|samples/s|round s|x best|stages|devices|micro-batch|peak memory|"
                                           "MB per round|planning s|fits|proved")
                                .split(QLatin1Char('|'))};
    for (const Plan &plan : plans)
        rows << comparisonRow(plan, best);
    printTable(rows, 1);
    for (const Plan &plan : plans) {
        QStringList texts;
        for (const Violation &violation : plan.prediction->violations)
            texts << violationText(violation, {});
        if (!texts.isEmpty())
            printLine(QStringLiteral("%1 does not fit: %2.").arg(plan.planner, texts.join(QStringLiteral("; "))));
    }
    for (const FailedPlanner &each : failed)
        printLine(QStringLiteral("%1 has no plan: %2").arg(each.name, each.error.toString()));
}

void printSchedules(const std::vector<ScheduleRow> &rows, const QString &planner) {
    const auto changed = [](const ScheduleRow &row) {
        switch (row.changes) {
            case ScheduleRow::Changes::Nothing:
                return QStringLiteral("nothing");
            case ScheduleRow::Changes::Staleness:
                return Sentence::filled(QStringLiteral("gradients are %1 {1|update|updates} old"),
                                        {QString::number(row.amount)});
            case ScheduleRow::Changes::Averaging:
                return QStringLiteral("weights are averaged every %1 batches").arg(row.amount);
        }
        return QString();
    };
    printLine(QString());
    printLine(QStringLiteral("The stages of %1 by each schedule, and other ways to train:").arg(planner));
    QList<QStringList> table{
        QStringLiteral("schedule|batch s|x best|peak memory|fits|changes").split(QLatin1Char('|'))};
    for (const ScheduleRow &row : rows) {
        table << QStringList{row.name,
                             short4(row.batchSeconds),
                             fixed(row.batchSeconds / rows.front().batchSeconds, 2),
                             size(row.peakBytes),
                             row.plan.prediction->fits ? QStringLiteral("yes") : QStringLiteral("no"),
                             changed(row)};
    }
    printTable(table, 1);
}

}  // namespace hearth
