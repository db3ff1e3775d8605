#include "core/plan/explain/schedule_comparison.h"

#include <algorithm>

#include "core/plan/asynchronous_round.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain/local_steps_gain.h"
#include "core/plan/planners/interleaved.h"
#include "core/plan/search/placement_judge.h"

namespace hearth {
namespace {

QString changeName(ScheduleRow::Changes changes) {
    switch (changes) {
        case ScheduleRow::Changes::Nothing:
            return QStringLiteral("nothing");
        case ScheduleRow::Changes::Staleness:
            return QStringLiteral("staleness");
        case ScheduleRow::Changes::Averaging:
            return QStringLiteral("averaging");
    }
    return {};
}

/// Nothing where the plan cannot be judged.
std::optional<ScheduleRow> rowOf(const CostModel &model, const QString &name, Plan plan) {
    auto prediction = evaluate(model, plan);
    if (!prediction)
        return std::nullopt;
    ScheduleRow row{name, std::move(plan), prediction->roundSeconds};
    for (const qint64 bytes : prediction->memoryBytes)
        row.peakBytes = std::max(row.peakBytes, bytes);
    row.plan.prediction = std::move(*prediction);
    return row;
}

class Comparison {
  public:
    Comparison(const CostModel &model, const Plan &plan, const PlannerOptions &options)
        : m_model(model), m_plan(plan), m_options(options) {
        m_problem.asynchronous.reset();
    }

    std::vector<ScheduleRow> all(int every) {
        const CostModel synchronous(m_problem, m_model.costs());
        if (m_plan.stages.size() < 2 || m_plan.isInterleaved())
            add(rowOf(synchronous, m_plan.isInterleaved() ? interleaved : m_plan.schedule.name(), m_plan));
        else
            addSchedules(synchronous);
        addInterleaved(synchronous);
        addAsynchronous();
        addLocalSteps(every);
        std::ranges::stable_sort(m_rows, [](const ScheduleRow &a, const ScheduleRow &b) {
            const bool first = a.plan.prediction->fits, second = b.plan.prediction->fits;
            return first != second ? first : a.batchSeconds < b.batchSeconds;
        });
        return std::move(m_rows);
    }

  private:
    static inline const QString interleaved = QStringLiteral("interleaved");

    void add(std::optional<ScheduleRow> row) {
        if (row)
            m_rows.push_back(std::move(*row));
    }

    void addSchedules(const CostModel &model) {
        PlacementJudge judge(model, true);
        for (const QString &name : Schedule::names()) {
            Placement placement = placementOf(m_problem, m_plan);
            if (name == m_plan.schedule.name() && !m_model.problem().asynchronous) {
                add(rowOf(model, name, m_plan));
                continue;
            }
            placement.schedule = *Schedule::byName(name);
            judge.judgeSchedule(placement);
            add(rowOf(model, name, planOf(m_problem, m_plan.planner, placement)));
        }
    }

    void addInterleaved(const CostModel &model) {
        auto plan = m_plan.isInterleaved() ? std::nullopt : interleavedPlan(model, m_plan, m_options);
        if (plan)
            add(rowOf(model, interleaved, *std::move(plan)));
    }

    void addAsynchronous() {
        if (m_plan.stages.size() < 2 || m_plan.isInterleaved())
            return;
        PlanningProblem problem = m_problem;
        problem.asynchronous = m_model.problem().asynchronous.value_or(Asynchrony());
        const CostModel model(problem, m_model.costs());
        auto plan = withAsynchronousLimits(model, m_plan);
        auto row = plan ? rowOf(model, QStringLiteral("asynchronous"), std::move(*plan)) : std::nullopt;
        if (!row)
            return;
        row->changes = ScheduleRow::Changes::Staleness;
        row->amount = std::ranges::max(row->plan.prediction->delays);
        add(std::move(row));
    }

    void addLocalSteps(int every) {
        const auto problem = withLocalSteps(m_problem, every);
        if (!problem || m_problem.devices.size() < 2)
            return;
        const CostModel model(*problem, m_model.costs());
        const auto plan = makePlan(defaultPlanner(), *problem, m_model.costs(), m_options);
        if (!plan || plan->deviceCount() < 2)
            return;
        auto row = rowOf(model, QStringLiteral("local-steps"), *plan);
        if (!row)
            return;
        row->batchSeconds /= every;
        row->changes = ScheduleRow::Changes::Averaging;
        row->amount = every;
        add(std::move(row));
    }

    const CostModel &m_model;
    const Plan &m_plan;
    const PlannerOptions &m_options;
    PlanningProblem m_problem = m_model.problem();
    std::vector<ScheduleRow> m_rows;
};

}  // namespace

std::vector<ScheduleRow> compareSchedules(const CostModel &model, const Plan &plan, const PlannerOptions &options,
                                          int every) {
    if (!plan.pipelines.empty() || plan.stages.empty() || model.problem().localSteps.any())
        return {};
    return Comparison(model, plan, options).all(every);
}

QJsonObject ScheduleRow::toJson() const {
    return {{QStringLiteral("schedule"), name},        {QStringLiteral("batch_s"), batchSeconds},
            {QStringLiteral("peak_bytes"), peakBytes}, {QStringLiteral("changes"), changeName(changes)},
            {QStringLiteral("amount"), amount},        {QStringLiteral("plan"), plan.toJson()}};
}

QJsonArray schedulesToJson(const std::vector<ScheduleRow> &rows) {
    QJsonArray array;
    for (const ScheduleRow &row : rows)
        array.append(row.toJson());
    return array;
}

}  // namespace hearth
