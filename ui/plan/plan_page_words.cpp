// What the Plan page says of a plan below its tools.
#include <QLabel>
#include <QLocale>
#include <cmath>

#include "core/plan/replay/layer_moves.h"
#include "core/plan/replay/survivors.h"
#include "ui/base/run_controller.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_page.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

void PlanPage::refreshMessage() {
    const bool refused = !m_draft.refusal().isEmpty();
    const QString misfit = misfitText();
    QString text;
    if (refused)
        text = m_draft.refusal();
    else if (!misfit.isEmpty())
        text = misfit;
    else if (!m_draft.isEditable())
        text = tr("This plan can be viewed, not changed: the measurements of its run are missing.");
    else if (m_draft.isPreview() || wantedPlan())
        text = QStringList{gainText(), m_draft.notes().join(QLatin1Char(' '))}.join(QLatin1Char(' ')).trimmed();
    else
        text = m_draft.plan().stageCount() > 1
                   ? tr("Drag the border between two stages, or a device to another stage: the numbers follow.")
                   : tr("Drag a device to the edge of its stage for a new one, or out to rest: the numbers follow.");
    if (!refused && misfit.isEmpty()) {
        const bool proposal = m_draft.isPreview() || wantedPlan();
        text = QStringList{otherJobText(), text, proposal ? QString() : proofText(), playedText(), localStepsText()}
                   .join(QLatin1Char(' '))
                   .simplified();
    }
    setRole(m_message, refused || !misfit.isEmpty() ? "wrong" : "secondary");
    m_message->setText(text);
}

QString PlanPage::otherJobText() const {
    if (!m_job || m_run.isLive() || isOf(*m_job))
        return {};
    return wantedPlan() ? tr("This plan was made for another job than that of the Job page.")
                        : tr("This plan is not for the job of the Job page; a run of that one gets a plan of its own.");
}

/// Why the plan that is shown could not run; empty where it can, or nobody has judged it.
QString PlanPage::misfitText() const {
    const std::optional<Prediction> &judged = m_draft.plan().prediction;
    if (!judged || judged->fits)
        return {};
    QStringList misfits;
    for (const Violation &one : judged->violations)
        misfits << tr("%1 needs %2 and has %3")
                       .arg(m_run.devices().name(one.device), formatBytes(one.neededBytes),
                            formatBytes(one.availableBytes));
    return misfits.isEmpty() ? tr("This plan does not fit into the memory of its devices.")
                             : tr("This plan does not fit into the memory of its devices: %1.")
                                   .arg(misfits.join(QStringLiteral("; ")));
}

/// What its planner knows of others than the plan in force; empty where nobody looked for a better one.
QString PlanPage::proofText() const {
    const std::optional<Prediction> &judged = m_run.plan()->prediction;
    if (judged && judged->provedOptimal)
        return isAsProved() ? tr("Proven optimal among the plans that the planner knows.")
                            : tr("Proven optimal for the home as it was; it has changed since.");
    return judged && m_run.plan()->planner == QLatin1String("hearth") ? tr("Not proven optimal.") : QString();
}

/// A proof belongs to the problem that it was made for: not to one with another device, or with other speeds.
bool PlanPage::isAsProved() const {
    constexpr double same = 1e-3;
    if (m_run.joinedSincePlan())
        return false;
    const std::optional<Prediction> &then = m_run.plan()->prediction, &now = m_draft.automatic().prediction;
    return !m_draft.isEditable() || !then || !now ||
           std::abs(now->roundSeconds - then->roundSeconds) <= same * then->roundSeconds;
}

/// Where devices that act for themselves would play the round otherwise than the simulator.
QString PlanPage::playedText() const {
    const std::optional<Prediction> &judged = m_draft.plan().prediction;
    const std::optional<double> longer = judged ? judged->playedLonger() : std::nullopt;
    if (!longer)
        return {};
    const QString round = formatSeconds(*judged->playedRoundSeconds), percent = formatPercent(std::abs(*longer));
    if (*longer > 0)
        return tr("Expect up to %1 a round (%2 more): links carry transfers of several stages at once.")
            .arg(round, percent);
    return tr("It may take only %1 a round (%2 less): devices of a stage need not wait for each other.")
        .arg(round, percent);
}

/// Another way of training, where the plan in force brings next to nothing.
QString PlanPage::localStepsText() const {
    const std::optional<Plan> &own = m_run.plan();
    const std::optional<LocalStepsGain> gain =
        own && own->prediction ? own->prediction->localStepsGain : std::optional<LocalStepsGain>();
    if (!gain)
        return {};
    return tr("Averaging weights only every %1 batches would train %2 times as fast: \"local_steps\" in the job's file. "
              "It changes the mathematics: each device trains by its own samples in between.")
        .arg(formatCount(gain->every), QLocale().toString(gain->factor, 'f', 1));
}

QString PlanPage::gainText() const {
    const Plan &plan = m_draft.plan();
    const Plan &before = m_draft.automatic();
    if (!plan.prediction || !before.prediction || before.prediction->roundSeconds <= 0)
        return {};
    const double now = plan.prediction->roundSeconds, then = before.prediction->roundSeconds;
    const QString percent = formatPercent(std::abs(then - now) / then);
    const QStringList rounds = formatSeconds({now, then});
    QString text;
    if (rounds[0] == rounds[1])
        text = tr("A round would take %1, as before.").arg(rounds[0]);
    else if (now < then)
        text = tr("A round would take %1 instead of %2: %3 less.").arg(rounds[0], rounds[1], percent);
    else
        text = tr("A round would take %1 instead of %2: %3 more.").arg(rounds[0], rounds[1], percent);
    if (!m_run.isLive() || m_draft.isPreview())
        return text;
    const CostModel model(m_draft.problem());
    const auto moves = movesBetween(model, before, plan, {}, defaultCopies(model, before));
    // Another way to cut or to share moves nothing where each device keeps its layers.
    if (const qint64 bytes = moves ? movedBytes(*moves) : 0; bytes > 0) {
        text += QLatin1Char(' ') + tr("The change would move %1 of weights and states in about %2.")
                                       .arg(formatBytes(bytes), formatSeconds(moveSeconds(model, *moves)));
    }
    if (!m_controller.canChangePlan())
        text += QLatin1Char(' ') + tr("The run under way keeps its plan; the next one can take yours.");
    return text;
}

}  // namespace hearth
