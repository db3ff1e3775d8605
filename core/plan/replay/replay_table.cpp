#include "core/plan/replay/replay_table.h"

#include "core/base/priority.h"

namespace hearth {

ReplayAnswers answersToSingleLosses(const CostModel &model, const Plan &plan, const ReplayRequest &request,
                                    const QString &planner,
                                    const std::function<void(const QString &, const Result<Replay> &)> &each) {
    QStringList devices;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares)
            devices << share.device;
    }
    for (const QString &device : model.problem().deviceIds()) {
        if (!devices.contains(device))
            devices << device;
    }
    ReplayAnswers answers;
    ReplayRequest own = request;
    for (const QString &device : devices) {
        own.lost = {device};
        const auto answer = recover(model, plan, own, planner);
        if (request.planning.cancelled && request.planning.cancelled())
            break;
        answers.insert(device, answer);
        if (each)
            each(device, answer);
    }
    return answers;
}

ReplayTable::ReplayTable(QString planner) : m_planner(std::move(planner)), m_thread([this] { work(); }) {}

ReplayTable::~ReplayTable() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void ReplayTable::update(PlanningProblem problem, Plan plan, ReplayRequest request) {
    {
        const std::lock_guard lock(m_mutex);
        m_answers.clear();
        m_next = std::make_unique<Task>(Task{std::move(problem), std::move(plan), std::move(request), ++m_newest});
    }
    m_changed.notify_all();
}

std::optional<Result<Replay>> ReplayTable::answer(const QString &device) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_answers.constFind(device);
    if (found == m_answers.constEnd())
        return std::nullopt;
    return *found;
}

bool ReplayTable::complete() const {
    const std::lock_guard lock(m_mutex);
    return m_finished == m_newest;
}

void ReplayTable::waitUntilComplete() const {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_finished == m_newest; });
}

bool ReplayTable::outdated(quint64 number) const {
    const std::lock_guard lock(m_mutex);
    return m_ending || number != m_newest;
}

void ReplayTable::work() {
    lowerThreadPriority(backgroundNice);
    for (;;) {
        std::unique_ptr<Task> task;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_ending || m_next; });
            if (m_ending)
                return;
            task = std::move(m_next);
        }
        compute(*task);
        {
            const std::lock_guard lock(m_mutex);
            m_finished = task->number;
        }
        m_changed.notify_all();
    }
}

void ReplayTable::compute(const Task &task) {
    const CostModel model(task.problem);
    ReplayRequest request = task.request;
    request.planning.cancelled = [this, &task] { return outdated(task.number); };
    answersToSingleLosses(model, task.plan, request, m_planner,
                          [this, &task](const QString &device, const Result<Replay> &answer) {
                              const std::lock_guard lock(m_mutex);
                              if (task.number == m_newest)
                                  m_answers.insert(device, answer);
                          });
}

}  // namespace hearth
