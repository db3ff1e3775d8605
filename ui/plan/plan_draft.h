// A plan as a person edits it: the plan, its numbers, what is locked, and every step back.
#pragma once

#include <QMap>
#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>

#include "core/plan/edit/edit.h"
#include "core/plan/named_devices.h"

namespace hearth {

/// GUI thread. Begins as the automatic plan of a run and is judged by what the run measured. Each change is estimated
/// at once by the closed form; the simulator's numbers follow one frame later.
class PlanDraft : public QObject {
    Q_OBJECT
  public:
    using Edit = std::function<Result<Edited>(const PlanEditor &editor, const Plan &plan)>;

    explicit PlanDraft(QObject *parent = nullptr);
    ~PlanDraft() override;

    void clear();
    /// Begins anew, without history; locks bind what the plan has of them. Not editable where the plan has no stages or
    /// is not valid for the problem.
    void begin(std::optional<PlanningProblem> problem, const Plan &automatic, const PlanLocks &locks = {});
    /// What people call the devices: for errors, which name them by id.
    void setNames(const QMap<QString, QString> &names) { m_names = names; }
    QString nameOf(const QString &device) const;
    /// Of the problem, or where there is none of the plan.
    std::vector<NamedDevice> namedDevices() const;
    /// A text that names devices by their ids, by their names.
    QString withNames(QString text) const;

    bool isEditable() const { return m_model != nullptr; }
    /// Only while editable.
    const PlanningProblem &problem() const { return *m_problem; }

    /// What is to be shown: the plan, or the preview of a change to it. With its prediction.
    const Plan &plan() const { return m_shown; }
    /// The plan without a preview: what was decided.
    const Plan &committed() const { return m_plan; }
    const Plan &automatic() const { return m_automatic; }
    bool isPreview() const { return m_preview; }
    /// False for the one frame in which only the closed form is known.
    bool isSimulated() const { return m_simulated; }
    /// Another plan than the automatic one.
    bool isChanged() const;
    const PlanLocks &locks() const { return m_locks; }
    QUndoStack *history() { return &m_history; }
    /// The simulated round of the shown plan with another codec behind a stage. Nothing where it cannot be judged.
    std::optional<double> roundSecondsWith(int stage, const CutCodec &codec) const;
    /// Likewise the bytes of a round that cross the cut there.
    qint64 bytesAcross(int stage, const CutCodec &codec) const;
    /// Devices of the problem that the shown plan does not use.
    QStringList resting() const;

    /// Shows what an edit of the plan would give. Where it is impossible the plan is shown as it is, and the refusal
    /// told.
    bool preview(const Edit &edit);
    void cancelPreview();
    /// Makes it a step of the history; `text` names it ("Move a border").
    bool commit(const QString &text, const Edit &edit);
    void setLocks(const QString &text, const PlanLocks &locks);
    /// Another plan altogether: opened, found by a planner, or the automatic one. Refused where it is not valid.
    bool replace(const QString &text, const Plan &plan);
    /// Something that was tried from outside is not possible: told as the draft's own refusals are.
    void refuse(const Error &refusal);
    /// Why the last preview or change was not possible; empty after one that was.
    const QString &refusal() const { return m_refusal; }
    /// What the edit that led to the shown plan adapted besides ("Stage 2 holds 3 micro-batches instead of 4.").
    const QStringList &notes() const { return m_preview ? m_previewNotes : m_notes; }

  Q_SIGNALS:
    /// Another plan, another preview, other locks, newer numbers, or a refusal.
    void changed();

  private:
    class Step;
    void show(const Plan &plan, const std::optional<Prediction> &estimate);
    void simulate();
    void judge();
    void set(const Plan &plan, const PlanLocks &locks, const QStringList &notes);

    std::unique_ptr<PlanningProblem> m_problem;
    std::unique_ptr<CostModel> m_model;
    Plan m_automatic, m_plan, m_shown;
    PlanLocks m_locks;
    QMap<QString, QString> m_names;
    QUndoStack m_history;
    QTimer m_frame;
    QString m_refusal;
    QStringList m_notes, m_previewNotes;
    bool m_preview = false;
    bool m_simulated = false;
};

}  // namespace hearth
