#include "core/plan/explain.h"

#include <QLocale>

#include "core/plan/evaluate.h"
#include "core/plan/side_by_side.h"

namespace hearth {
namespace {

/// The same times, but one device is faster.
class FasterDevice final : public CostSource {
  public:
    FasterDevice(const CostModel &model, int device, double factor)
        : m_model(model), m_device(device), m_factor(factor) {}
    LayerSeconds seconds(int device, int layer, int samples) const override {
        LayerSeconds own = m_model.stageSeconds(device, layer, layer + 1, samples);
        if (device == m_device) {
            own.forward /= m_factor;
            own.backward /= m_factor;
        }
        return own;
    }

  private:
    const CostModel &m_model;
    int m_device;
    double m_factor;
};

PlanningProblem withFasterLinks(PlanningProblem problem, double factor) {
    if (problem.links.fallback)
        problem.links.fallback->bytesPerSecond *= factor;
    for (auto &pair : problem.links.pairs)
        pair.bytesPerSecond *= factor;
    for (auto &medium : problem.links.media)
        medium.bytesPerSecond *= factor;
    for (auto &nic : problem.links.nics) {
        if (nic.upBytesPerSecond)
            *nic.upBytesPerSecond *= factor;
        if (nic.downBytesPerSecond)
            *nic.downBytesPerSecond *= factor;
    }
    return problem;
}

QString percent(double part) {
    return QLocale(QLocale::English).toString(100 * part, 'f', 0) + QStringLiteral(" %");
}

QString stageText(const Plan &plan, int stage) {
    const PlanStage &own = *plan.allStages()[static_cast<std::size_t>(stage)];
    QStringList names;
    for (const Share &share : own.shares)
        names << share.device;
    return QStringLiteral("stage %1 (layers %2 to %3 on %4)")
        .arg(stage + 1)
        .arg(own.firstLayer)
        .arg(own.lastLayer - 1)
        .arg(names.join(QStringLiteral(", ")));
}

}  // namespace

QStringList explain(const CostModel &model, const Plan &plan) {
    const Prediction &prediction = *plan.prediction;
    const std::vector<Plan> pipelines = plan.sideBySide();
    const int step = prediction.dominantStep;
    double busy = 0, allReduce = synchronizationOf(model, pipelines).seconds;
    int firstStep = 0;  // of the pipeline in hand
    for (const Plan &pipeline : pipelines) {
        const PlanSteps steps = stepsOf(model, pipeline);
        const int own = step - firstStep;
        if (own >= 0 && own < static_cast<int>(steps.times.size()))
            busy = pipeline.microBatches() * steps.times[static_cast<std::size_t>(own)].occupied;
        for (const StepTimes &each : steps.times)
            allReduce = std::max(allReduce, each.allReduce);
        firstStep += 2 * static_cast<int>(pipeline.stages.size());
    }
    QStringList lines;
    lines << (step % 2 == 0
                  ? QStringLiteral("Computing in %1 limits the round: it is busy %2 of the time.")
                        .arg(stageText(plan, step / 2), percent(busy / prediction.roundSeconds))
                  : QStringLiteral("The transfers after %1 limit the round: they are under way %2 of the time.")
                        .arg(stageText(plan, step / 2), percent(busy / prediction.roundSeconds)));
    if (allReduce > 0)
        lines << QStringLiteral("The longest AllReduce takes %1 of the round.")
                     .arg(percent(allReduce / prediction.roundSeconds));
    QString fullest;
    double most = -1;
    for (auto it = prediction.memoryBytes.constBegin(); it != prediction.memoryBytes.constEnd(); ++it) {
        const auto device = static_cast<std::size_t>(model.problem().indexOf(it.key()));
        const double part = static_cast<double>(it.value()) /
                            std::max<double>(1, static_cast<double>(model.problem().devices[device].memoryBytes));
        if (part > most) {
            most = part;
            fullest = it.key();
        }
    }
    lines << QStringLiteral("Memory is fullest on %1: %2 of what it may use.").arg(fullest, percent(most));

    struct Help {
        QString what;
        double gain;
    };
    std::vector<Help> helps;
    const auto consider = [&](const QString &what, const Result<Prediction> &changed) {
        if (changed && changed->roundSeconds > 0)
            helps.push_back({what, prediction.roundSeconds / changed->roundSeconds - 1});
    };
    if (plan.deviceCount() > 1) {
        const PlanningProblem faster = withFasterLinks(model.problem(), 10);
        consider(QStringLiteral("Links ten times as fast"),
                 evaluate(CostModel(faster, FasterDevice(model, -1, 1)), plan));
    }
    for (const PlanStage *stage : plan.allStages()) {
        for (const Share &share : stage->shares) {
            const int device = model.problem().indexOf(share.device);
            consider(QStringLiteral("%1 at twice its speed").arg(share.device),
                     evaluate(CostModel(model.problem(), FasterDevice(model, device, 2)), plan));
        }
    }
    std::stable_sort(helps.begin(), helps.end(), [](const Help &a, const Help &b) { return a.gain > b.gain; });
    for (std::size_t i = 0; i < helps.size() && i < 3 && helps[i].gain >= 0.005; ++i)
        lines << QStringLiteral("%1 would give +%2.").arg(helps[i].what, percent(helps[i].gain));
    return lines;
}

}  // namespace hearth
