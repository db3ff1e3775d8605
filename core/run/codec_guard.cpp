#include "core/run/codec_guard.h"

#include <QCborArray>
#include <algorithm>
#include <memory>

#include "core/plan/cut_levels.h"
#include "core/plan/evaluate.h"
#include "core/run/plan_run.h"

namespace hearth {

CodecGuard::CodecGuard(const RunContext &run, PlanInForce &current, Replanner &replanner, QObject *parent)
    : QObject(parent), m_run(run), m_current(current), m_replanner(replanner) {}

void CodecGuard::fill(Deployment &deployment) const {
    const std::vector<CutCodec> codecs = m_raises.codecsAt(m_current.plan(), deployment.firstRound);
    for (std::size_t cut = 0; cut < codecs.size(); ++cut)
        deployment.stages[cut].codec = codecs[cut];
    deployment.codecChanges = m_raises.changesAfter(m_current.plan(), deployment.firstRound);
}

std::map<qint64, double> CodecGuard::predicted(qint64 first) const {
    const Plan &plan = m_current.plan();
    std::map<qint64, double> seconds{{first, plan.prediction ? plan.prediction->roundSeconds : 0}};
    std::vector<CodecChange> changes = m_raises.changesAfter(plan, first);
    changes.insert(changes.begin(), {static_cast<quint32>(first), m_raises.codecsAt(plan, first)});
    // Of exact cuts nobody knows more than the plan did, but for how their values pack.
    if ((!isLossy(plan) && !m_replanner.knowsPacking()) || !m_replanner.problem())
        return seconds;
    const PlanningProblem problem = m_replanner.asPlanned();
    for (const CodecChange &change : changes) {
        Plan used = plan;
        for (std::size_t cut = 0; cut < change.cuts.size(); ++cut)
            used.stages[cut].codec = change.cuts[cut];
        if (const auto prediction = evaluate(problem, used))
            seconds[change.round] = prediction->roundSeconds;
    }
    return seconds;
}

void CodecGuard::take(event::CodecCheck check, qint64 begun) {
    const std::vector<CutCodec> codecs = m_raises.codecsAt(m_current.plan(), check.round);
    for (event::CodecCheck::Cut &cut : check.cuts) {
        const CutCodec &codec = codecs.at(static_cast<std::size_t>(cut.cut));
        cut.forward = QString::fromLatin1(codec.forward->name);
        cut.backward = QString::fromLatin1(codec.backward->name);
    }
    if (!m_run.log.record(check))
        return;
    const std::vector<event::Codec> raised = m_raises.take(check, m_current.plan(), begun + 1);
    if (raised.empty())
        return;
    if (auto saved = m_current.save(); !saved) {
        Q_EMIT failed(saved.error());
        return;
    }
    for (const event::Codec &each : raised) {
        if (!m_run.log.record(each))
            return;
    }
    m_begun = begun;
    tellWorkers();
    tellReplanner(begun + 1);
    Q_EMIT changed();
}

void CodecGuard::tellWorkers() {
    const Deployment &deployment = m_current.deployment();
    const auto workers = m_run.membership.membersOf(deployment);
    const QCborMap args{
        {QStringLiteral("term"), static_cast<qint64>(m_current.term())},
        {QStringLiteral("changes"),
         QCborArray::fromJsonArray(toJson(m_raises.changesAfter(m_current.plan(), deployment.firstRound)))}};
    m_isTelling.reset(new QObject);
    auto open = std::make_shared<std::size_t>(workers.size());
    for (WorkerSession *worker : workers) {
        worker->call(QStringLiteral("codecs"), args, m_run.deadlines.halt, m_isTelling.get(),
                     [this, open](const Result<QCborMap> &reply) {
                         if (reply && --*open > 0)
                             return;
                         m_isTelling.reset();
                         if (reply)
                             Q_EMIT told();
                         else
                             Q_EMIT failed(reply.error());
                     });
    }
}

void CodecGuard::tellReplanner(qint64 round) {
    if (m_replanner.setLevelLimits(m_raises.limitsAt(round)))
        m_replanner.consider(QStringLiteral("codec"));
}

void CodecGuard::roundDone(qint64 round) {
    const Plan &plan = m_current.plan();
    if (m_raises.codecsAt(plan, round + 1) != m_raises.codecsAt(plan, round))
        m_replanner.codecsChange();
    // A plan that is looked for now must keep to what was raised for a round that is still to come, too.
    tellReplanner(std::max(round, m_begun) + 1);
}

}  // namespace hearth
