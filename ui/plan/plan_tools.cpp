#include "ui/plan/plan_tools.h"

#include <QHBoxLayout>
#include <QJsonDocument>
#include <QKeySequence>
#include <QPushButton>
#include <QShortcut>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/plan/edit/finish.h"
#include "core/plan/named_devices.h"
#include "ui/base/questions.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"

namespace hearth {

namespace {
// A plan is small; what is larger is another file.
constexpr qint64 largestPlan = 16 << 20;
}  // namespace

PlanTools::PlanTools(PlanDraft &draft, Questions &questions, QWidget *parent)
    : QWidget(parent),
      m_draft(draft),
      m_questions(questions),
      m_undo(makeButton(QStringLiteral("planUndo"), tr("Undo"), "")),
      m_redo(makeButton(QStringLiteral("planRedo"), tr("Redo"), "")),
      m_finish(makeButton(QStringLiteral("planFinish"), tr("Plan the rest"), "")),
      m_automatic(makeButton(QStringLiteral("planAutomatic"), tr("Automatic plan"), "")),
      m_open(makeButton(QStringLiteral("planOpen"), tr("Open …"), "")),
      m_save(makeButton(QStringLiteral("planSave"), tr("Save …"), "")),
      m_search(m_finish, QStringLiteral("finish")) {
    setObjectName(QStringLiteral("planTools"));
    setThemedIcon(m_undo, QStringLiteral("undo"), &Theme::text);
    setThemedIcon(m_redo, QStringLiteral("redo"), &Theme::text);
    setThemedIcon(m_open, QStringLiteral("open"), &Theme::text);
    setThemedIcon(m_save, QStringLiteral("save"), &Theme::text);
    m_finish->setToolTip(tr("The planner finds the best plan around what you have locked"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    for (QPushButton *button : {m_undo, m_redo, m_finish, m_automatic})
        layout->addWidget(button);
    layout->addWidget(m_search.makeWords(tr("Searching …")), 1);
    layout->addWidget(m_open);
    layout->addWidget(m_save);
    connect(m_undo, &QPushButton::clicked, draft.history(), &QUndoStack::undo);
    connect(m_redo, &QPushButton::clicked, draft.history(), &QUndoStack::redo);
    connect(&m_search, &SearchButton::wanted, this, &PlanTools::finishRest);
    connect(m_automatic, &QPushButton::clicked, this,
            [this] { m_draft.replace(tr("Back to the automatic plan"), m_draft.automatic()); });
    connect(m_open, &QPushButton::clicked, this, &PlanTools::open);
    connect(m_save, &QPushButton::clicked, this, &PlanTools::save);
    const auto bind = [this](const char *keys, QPushButton *button) {
        auto *shortcut = new QShortcut(QKeySequence(QLatin1String(keys)), this);
        shortcut->setContext(Qt::WindowShortcut);
        connect(shortcut, &QShortcut::activated, button, [this, button] {
            if (isVisible())
                button->click();
        });
    };
    bind("Ctrl+Z", m_undo);
    bind("Ctrl+Shift+Z", m_redo);
    bind("Ctrl+Y", m_redo);
    connect(draft.history(), &QUndoStack::indexChanged, this, &PlanTools::refresh);
    refresh();
}

void PlanTools::refresh() {
    const bool editable = m_draft.isEditable();
    const QUndoStack *history = m_draft.history();
    m_undo->setEnabled(editable && history->canUndo());
    m_redo->setEnabled(editable && history->canRedo());
    m_undo->setToolTip(history->canUndo() ? tr("Undo: %1").arg(history->undoText()) : tr("Nothing was changed"));
    m_redo->setToolTip(history->canRedo() ? tr("Redo: %1").arg(history->redoText()) : tr("Nothing was undone"));
    m_finish->setEnabled(editable);
    m_automatic->setEnabled(editable && m_draft.isChanged());
    m_automatic->setToolTip(tr("Back to the plan that the run has"));
    m_open->setEnabled(editable);
    m_save->setEnabled(!m_draft.plan().stages.empty());
}

void PlanTools::finishRest() {
    if (!m_draft.isEditable())
        return;
    static constexpr double longestSeconds = 5;
    const auto search = [plan = m_draft.committed(), locks = m_draft.locks()](
                            const PlanningProblem &problem, const BackgroundPlan::Cancelled &cancelled) {
        const CostModel model(problem);
        PlannerOptions options;
        options.abandoned = cancelled;
        options.secondsLimit = longestSeconds;
        return finishTheRest(model, plan, locks, options).map([](const Edited &edited) { return edited.plan; });
    };
    m_search.start(m_draft.problem(), search, [this](const Result<Plan> &found) {
        if (found)
            m_draft.replace(tr("Plan the rest"), *found);
        else
            m_draft.refuse(found.error());
    });
}

void PlanTools::open() {
    const QString path = m_questions.askOpenFile(this, tr("Open a plan"), tr("Plans (*.json)"));
    if (path.isEmpty())
        return;
    const Result<QJsonObject> file = readJsonFile(path, largestPlan);
    const Result<Plan> read = file ? Plan::fromJson(*file, path) : Result<Plan>(tl::unexpected(file.error()));
    const Result<Plan> plan = read ? withIds(*read, m_draft.namedDevices()) : read;
    if (plan)
        m_draft.replace(tr("Open a plan"), *plan);
    else
        m_draft.refuse(plan.error());
}

void PlanTools::save() {
    const QString path = m_questions.askSaveFile(this, tr("Save the plan"), tr("Plans (*.json)"));
    if (path.isEmpty())
        return;
    Plan plan = withNames(m_draft.committed(), m_draft.namedDevices());
    if (plan.prediction)
        plan.prediction->schedule.clear();
    if (const auto saved = saveFile(path, QJsonDocument(plan.toJson()).toJson()); !saved)
        m_draft.refuse(saved.error());
}

}  // namespace hearth
