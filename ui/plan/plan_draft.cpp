#include "ui/plan/plan_draft.h"

#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "ui/words/core_words.h"

namespace hearth {

namespace {
using namespace std::chrono_literals;
constexpr auto frameInterval = 16ms;
/// Computations and transfers of a round that are played within a quarter of a frame.
constexpr qint64 playedAtOnce = 16'000;
}  // namespace

/// One step of the history: the plan with its notes and the locks, before and after.
class PlanDraft::Step : public QUndoCommand {
  public:
    Step(PlanDraft &draft, const QString &text, Plan plan, PlanLocks locks, QStringList notes)
        : QUndoCommand(text),
          m_draft(draft),
          m_planBefore(draft.m_plan),
          m_planAfter(std::move(plan)),
          m_locksBefore(draft.m_locks),
          m_locksAfter(std::move(locks)),
          m_notesBefore(draft.m_notes),
          m_notesAfter(std::move(notes)) {}
    void undo() override { m_draft.set(m_planBefore, m_locksBefore, m_notesBefore); }
    void redo() override { m_draft.set(m_planAfter, m_locksAfter, m_notesAfter); }

  private:
    PlanDraft &m_draft;
    Plan m_planBefore, m_planAfter;
    PlanLocks m_locksBefore, m_locksAfter;
    QStringList m_notesBefore, m_notesAfter;
};

PlanDraft::PlanDraft(QObject *parent) : QObject(parent) {
    m_frame.setSingleShot(true);
    m_frame.setInterval(frameInterval);
    connect(&m_frame, &QTimer::timeout, this, &PlanDraft::simulate);
}

PlanDraft::~PlanDraft() = default;

void PlanDraft::clear() {
    begin(std::nullopt, {});
}

void PlanDraft::begin(std::optional<PlanningProblem> problem, const Plan &automatic, const PlanLocks &locks) {
    m_frame.stop();
    m_history.clear();
    m_locks = locks;
    m_notes.clear();
    m_refusal.clear();
    m_preview = false;
    m_model.reset();
    m_problem.reset();
    m_automatic = automatic;
    m_plan = automatic;
    if (problem) {
        // Files of measurements do not name the model; plans made from them shall.
        problem->modelName = automatic.modelName;
        problem->modelSha256 = automatic.modelSha256;
    }
    if (problem && !automatic.stages.empty() && automatic.validateFor(*problem)) {
        m_problem = std::make_unique<PlanningProblem>(*std::move(problem));
        m_model = std::make_unique<CostModel>(*m_problem);
    }
    m_shown = m_plan;
    judge();
    m_automatic.prediction = m_plan.prediction;
    Q_EMIT changed();
}

QString PlanDraft::nameOf(const QString &device) const {
    constexpr qsizetype recognisable = 8;
    return m_names.value(device, device.left(recognisable));
}

std::vector<NamedDevice> PlanDraft::namedDevices() const {
    const QStringList ids = m_problem ? m_problem->deviceIds() : QStringList(m_names.keys());
    std::vector<NamedDevice> devices;
    for (const QString &id : ids)
        devices.push_back({id, m_names.value(id)});
    return devices;
}

QString PlanDraft::withNames(QString text) const {
    for (auto it = m_names.cbegin(); it != m_names.cend(); ++it)
        text.replace(it.key(), it.value());
    return text;
}

bool PlanDraft::isChanged() const {
    return !m_plan.isSame(m_automatic);
}

std::optional<double> PlanDraft::roundSecondsWith(int stage, const CutCodec &codec) const {
    if (!m_model)
        return std::nullopt;
    Plan other = m_shown;
    other.prediction.reset();
    other.stages[static_cast<std::size_t>(stage)].codec = codec;
    const auto judged = evaluate(*m_model, other);
    return judged ? std::optional(judged->roundSeconds) : std::nullopt;
}

qint64 PlanDraft::bytesAcross(int stage, const CutCodec &codec) const {
    return m_model ? static_cast<qint64>(std::llround(hearth::bytesAcross(*m_model, m_shown, stage, codec))) : 0;
}

QStringList PlanDraft::resting() const {
    QStringList list;
    if (!m_problem)
        return list;
    std::set<QString> used;
    for (const PlanStage &stage : m_shown.stages) {
        for (const Share &share : stage.shares)
            used.insert(share.device);
    }
    for (const PlanningProblem::Device &device : m_problem->devices) {
        if (!used.contains(device.id))
            list << device.id;
    }
    return list;
}

void PlanDraft::show(const Plan &plan, const std::optional<Prediction> &estimate) {
    m_shown = plan;
    m_shown.prediction = estimate;
    m_simulated = !m_model;
    if (m_model)
        m_frame.start();
    Q_EMIT changed();
}

void PlanDraft::simulate() {
    judge();
    Q_EMIT changed();
}

void PlanDraft::judge() {
    m_frame.stop();
    m_simulated = true;
    if (!m_model)
        return;
    // What cannot be judged was refused before it was shown.
    if (auto judged =
            evaluate(*m_model, m_shown, {.withSchedule = true, .simulated = true, .playTasks = playedAtOnce})) {
        // The picture of a round is large, and plans are copied with each step: only the shown one has it.
        std::vector<ScheduledTask> picture = std::exchange(judged->schedule, {});
        if (!m_preview)
            m_plan.prediction = *judged;
        m_shown.prediction = *std::move(judged);
        m_shown.prediction->schedule = std::move(picture);
    }
}

void PlanDraft::set(const Plan &plan, const PlanLocks &locks, const QStringList &notes) {
    m_preview = false;
    m_refusal.clear();
    m_plan = plan;
    m_locks = locks;
    m_notes = notes;
    show(plan, plan.prediction);
}

void PlanDraft::refuse(const Error &refusal) {
    m_refusal = withNames(errorText(refusal));
    if (m_preview) {
        m_preview = false;
        show(m_plan, m_plan.prediction);
    } else {
        Q_EMIT changed();
    }
}

bool PlanDraft::preview(const Edit &edit) {
    if (!m_model)
        return false;
    auto edited = edit(PlanEditor(*m_model, m_locks), m_plan);
    if (!edited) {
        refuse(edited.error());
        return false;
    }
    m_refusal.clear();
    m_preview = true;
    m_previewNotes.clear();
    for (const LoweredLimit &lower : edited->lowered) {
        m_previewNotes << tr("Memory lets stage %1 hold %n micro-batch(es) in flight instead of %2.", nullptr,
                             lower.inFlight)
                              .arg(lower.stage + 1)
                              .arg(lower.wanted);
    }
    show(edited->plan, edited->estimate);
    return true;
}

void PlanDraft::cancelPreview() {
    const bool told = !m_refusal.isEmpty();
    m_refusal.clear();
    if (!m_preview) {
        if (told)
            Q_EMIT changed();
        return;
    }
    m_preview = false;
    show(m_plan, m_plan.prediction);
}

bool PlanDraft::commit(const QString &text, const Edit &edit) {
    if (!preview(edit))
        return false;
    Plan after = m_shown;
    m_preview = false;
    if (after.isSame(m_plan)) {
        show(m_plan, m_plan.prediction);
        return true;
    }
    m_history.push(new Step(*this, text, std::move(after), m_locks, m_previewNotes));
    return true;
}

void PlanDraft::setLocks(const QString &text, const PlanLocks &locks) {
    if (m_model && locks != m_locks)
        m_history.push(new Step(*this, text, m_plan, locks, m_notes));
}

bool PlanDraft::replace(const QString &text, const Plan &plan) {
    return commit(text, [this, &plan](const PlanEditor &, const Plan &) -> Result<Edited> {
        if (plan.stages.empty()) {
            return fail(QStringLiteral("plan.pipelines"), tr("This plan has several pipelines side by side."),
                        tr("A run has one."), tr("Take another plan."));
        }
        auto judged = evaluate(*m_model, plan, {.withSchedule = false, .simulated = false});
        if (!judged)
            return tl::unexpected(judged.error());
        return Edited{plan, *std::move(judged), {}};
    });
}

}  // namespace hearth
