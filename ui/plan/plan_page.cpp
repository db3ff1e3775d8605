#include "ui/plan/plan_page.h"

#include <QScrollArea>
#include <utility>

#include "core/plan/replay/survivors.h"
#include "core/run/files/state_words.h"
#include "core/run/job_facts.h"
#include "core/run/plan_refusal.h"
#include "ui/base/focus_ring.h"
#include "ui/base/home_source.h"
#include "ui/base/questions.h"
#include "ui/base/rail.h"
#include "ui/base/run_controller.h"
#include "ui/base/widgets.h"
#include "ui/plan/layer_strip.h"
#include "ui/plan/plan_board.h"
#include "ui/plan/plan_compare.h"
#include "ui/plan/plan_cuts.h"
#include "ui/plan/plan_figures.h"
#include "ui/plan/plan_tools.h"
#include "ui/plan/plan_traffic.h"
#include "ui/plan/plan_what_if.h"
#include "ui/plan/round_chart.h"
#include "ui/run/event_sentences.h"
#include "ui/run/run_model.h"
#include "ui/run/whole_job_lines.h"
#include "ui/words/format.h"
#include "ui/words/planner_words.h"

namespace hearth {

PlanPage::PlanPage(const HomeSource &home, const RunModel &run, RunController &controller, Questions &questions,
                   QWidget *parent)
    : Page(QStringLiteral("planPage"), tr("Plan"), parent),
      m_home(home),
      m_run(run),
      m_controller(controller),
      m_start(makePrimary(QStringLiteral("planStart"), tr("Start training"))),
      m_make(makeButton(QStringLiteral("planMake"), tr("Make a plan"), "")),
      m_figures(new PlanFigures(m_draft)),
      m_wholeCard(new QFrame),
      m_wholeJob(new WholeJobLines(QStringLiteral("planJob"))),
      m_strip(new LayerStrip),
      m_tools(new PlanTools(m_draft, questions)),
      m_message(makeLabel({}, "secondary")),
      m_board(new PlanBoard(m_draft)),
      m_chart(new RoundChart(m_draft)),
      m_cuts(new PlanCuts(m_draft, run)),
      m_traffic(new PlanTraffic(m_draft)),
      m_whatIf(new PlanWhatIf(m_draft)),
      m_compare(new PlanCompare(m_draft)) {
    connect(m_start, &QPushButton::clicked, this, &PlanPage::primaryClicked);
    setContent(buildBody());
    addAction(m_make);
    m_makeFirst = setEmptyState(QStringLiteral("plan"), {}, {}, tr("Make a plan"), -1);
    for (QPushButton *make : {m_make, m_makeFirst})
        connect(make, &QPushButton::clicked, this, &PlanPage::planWanted);
    connectStrip();
    connect(&m_draft, &PlanDraft::changed, this, &PlanPage::refresh);
    connect(&run, &RunModel::planChanged, this, &PlanPage::begin);
    connect(&run, &RunModel::planChanged, this, &PlanPage::askForProblem);
    connect(&run, &RunModel::cleared, this, [this] {
        m_onItsWay = false;
        m_problem.reset();
        m_compare->forget();
        begin();
    });
    connect(&run, &RunModel::stateChanged, this, &PlanPage::refreshStart);
    connect(&run, &RunModel::stateChanged, this, &PlanPage::beginWhereDevicesChanged);
    connect(&run, &RunModel::devicesChanged, this, &PlanPage::beginWhereDevicesChanged);
    connect(&home, &HomeSource::devicesChanged, this, &PlanPage::beginWhereDevicesChanged);
    connect(&controller, &RunController::problemFound, this, &PlanPage::takeProblem);
    connect(&controller, &RunController::event, this, &PlanPage::takeEvent);
    connect(&controller, &RunController::failed, this, &PlanPage::endWait);
    connect(&controller, &RunController::runEnded, this, &PlanPage::endWait);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &PlanPage::refresh);
    begin();
}

QWidget *PlanPage::buildBody() {
    auto *stripCard = new QFrame;
    stripCard->setProperty("role", QStringLiteral("card"));
    auto *stripLayout = new QVBoxLayout(stripCard);
    stripLayout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, grid);
    stripLayout->addWidget(m_strip);
    m_wholeCard->setObjectName(QStringLiteral("planWholeJob"));
    m_wholeCard->setProperty("role", QStringLiteral("card"));
    auto *wholeLayout = new QVBoxLayout(m_wholeCard);
    wholeLayout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    wholeLayout->addWidget(m_wholeJob);
    m_message->setObjectName(QStringLiteral("planMessage"));
    m_message->setWordWrap(true);
    // Room for a sentence is kept, so that nothing jumps when one comes.
    m_message->setMinimumHeight(2 * m_message->fontMetrics().height());
    m_message->setAlignment(Qt::AlignLeft | Qt::AlignTop);

    auto *body = new QWidget;
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid * 3 / 2);
    layout->addWidget(m_figures);
    layout->addWidget(m_wholeCard);
    layout->addWidget(stripCard);
    layout->addWidget(m_tools);
    layout->addWidget(m_message);
    layout->addWidget(m_board);
    layout->addWidget(m_chart);
    layout->addWidget(m_cuts);
    layout->addWidget(m_traffic);
    layout->addWidget(m_whatIf);
    layout->addWidget(m_compare);
    layout->addStretch(1);
    auto *scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("planScroll"));
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::TabFocus);
    new FocusRing(scroll);
    scroll->setWidget(body);
    return scroll;
}

void PlanPage::connectStrip() {
    const auto edit = [](int stage, int layer) {
        return [stage, layer](const PlanEditor &editor, const Plan &plan) {
            return editor.moveBorder(plan, stage, layer);
        };
    };
    connect(m_strip, &LayerStrip::borderDragged, this,
            [this, edit](int stage, int layer) { m_strip->setRefused(!m_draft.preview(edit(stage, layer))); });
    connect(m_strip, &LayerStrip::borderDropped, this, [this, edit](int stage, int layer) {
        m_strip->setRefused(!m_draft.commit(tr("Move the border behind stage %1").arg(stage + 1), edit(stage, layer)));
    });
    connect(m_strip, &LayerStrip::dragCancelled, &m_draft, &PlanDraft::cancelPreview);
    connect(m_strip, &LayerStrip::lockToggled, this, [this](int layer) {
        PlanLocks locks = m_draft.locks();
        const bool was = locks.borders.remove(layer);
        if (!was)
            locks.borders.insert(layer);
        m_draft.setLocks(was ? tr("Unlock a border") : tr("Lock a border"), locks);
    });
}

void PlanPage::askForProblem() {
    if (!m_run.runId().isEmpty())
        m_controller.findProblem(m_run.runId());
}

void PlanPage::takeProblem(const QString &run, const PlanningProblem &problem) {
    if (run != m_run.runId() || m_problem == problem)
        return;
    m_problem = problem;
    m_compare->forget();
    begin();
}

/// Lost or left, or not ready for another run. Whom the plan in force uses counts as there: without them it could not
/// be judged, and its run is about to make another one.
QSet<QString> PlanPage::missing() const {
    QSet<QString> gone;
    if (!m_problem)
        return gone;
    for (const DeviceInfo &device : m_home.devices()) {
        if (!takesWork(device.state))
            gone.insert(device.id);
    }
    QSet<QString> away;
    for (const PlanningProblem::Device &device : m_problem->devices) {
        const Health health = m_run.isLive() ? m_run.devices().fate(device.id).health : Health::Well;
        const bool lost = gone.contains(device.id) || health == Health::Lost || health == Health::Left;
        if (lost && device.id != m_problem->dataDevice && !m_run.devices().stageOf(device.id))
            away.insert(device.id);
    }
    return away;
}

void PlanPage::beginWhereDevicesChanged() {
    if (!m_outdated && m_problem && m_run.plan() && missing() != m_missing) {
        begin();
        return;
    }
    refreshWholeJob();
    if (isVisible() && m_run.plan())
        refreshMessage();  // a proof may have been for another home
}

/// Another plan is in force, or it became known what it is judged by. Changes are taken along where they still fit.
void PlanPage::begin() {
    m_tools->cancelSearch();
    m_cuts->cancelSearch();
    m_whatIf->forget();
    // A run changes its plan with every loss, and to judge and draw one of 64 devices keeps the window for tens of
    // milliseconds. What nobody sees, and nobody changed, waits until it is looked at.
    m_outdated = !isVisible() && m_run.plan() && !isChanged() && !m_takenOver;
    if (m_outdated) {
        refreshStart();
        refreshWholeJob();
        return;
    }
    showEmpty(!m_run.plan() || !m_run.model());
    if (!m_run.plan() || !m_run.model()) {
        m_draft.clear();
        refreshStart();
        return;
    }
    QMap<QString, QString> names;
    for (const DeviceInfo &device : m_home.devices())
        names[device.id] = device.name;
    for (const PlanStage *stage : m_run.plan()->allStages()) {
        for (const Share &share : stage->shares)
            names[share.device] = m_run.devices().name(share.device);
    }
    m_draft.setNames(names);
    std::optional<Plan> mine = isChanged() ? std::optional(m_draft.committed()) : std::nullopt;
    if (m_problem && m_takenOver) {
        const auto [run, plan] = *std::exchange(m_takenOver, std::nullopt);
        if (run == m_run.runId())
            mine = plan;
    }
    const PlanLocks locks = m_draft.locks();
    const DType type = m_run.job() ? dtypeOf(m_run.job()->precision) : DType::Float32;
    m_strip->setModel(*m_run.model(), type, m_problem ? meanLayerSeconds(*m_problem) : std::vector<double>());
    m_board->setModel(*m_run.model(), type);
    const QSet<QString> away = missing();
    if (std::exchange(m_missing, away) != away)
        m_compare->forget();
    m_draft.begin(m_problem ? std::optional(problemWithout(*m_problem, away)) : std::nullopt, *m_run.plan(), locks);
    if (mine && m_draft.isEditable() && !mine->isSame(*m_run.plan()))
        m_draft.replace(tr("Your changes"), *mine);
    refreshStart();
}

void PlanPage::setWhyNotStart(const QString &why) {
    m_whyNotStart = why;
    refreshStart();
}

bool PlanPage::isChanged() const {
    return m_draft.isEditable() && m_draft.isChanged();
}

std::optional<Plan> PlanPage::wantedPlan() const {
    if (!isChanged())
        return std::nullopt;
    Plan plan = m_draft.committed();
    if (plan.prediction)
        plan.prediction->schedule.clear();
    return plan;
}

bool PlanPage::isOf(const Job &job) const {
    return m_run.job() && haveSamePlans(*m_run.job(), job);
}

std::optional<Plan> PlanPage::wantedPlanFor(const Job &job) const {
    return isOf(job) ? wantedPlan() : std::nullopt;
}

void PlanPage::setJob(const Job &job, const CountedSamples &counted) {
    m_job = job;
    m_counted = counted;
    refresh();
}

void PlanPage::primaryClicked() {
    const std::optional<Plan> wanted = wantedPlan();
    if (!m_run.isLive() || !wanted || !m_controller.canChangePlan()) {
        Q_EMIT startWanted();
        return;
    }
    m_onItsWay = true;
    refreshStart();
    m_controller.changePlan(*wanted);
}

/// What ends the wait for the plan that was asked for: it is in force, it is refused, or a loss or a leave came
/// between, which forgets what was asked before it. Other plans were under way already.
void PlanPage::takeEvent(const RunEvent &event) {
    if (!m_onItsWay)
        return;
    const auto *plan = std::get_if<event::Plan>(&event.body);
    const auto *warning = std::get_if<event::Warning>(&event.body);
    const auto *state = std::get_if<event::State>(&event.body);
    if (warning != nullptr && isPlanRefused(*warning)) {
        m_draft.refuse({QStringLiteral("plan.refused"), warning->what, warning->cause, warning->advice});
        endWait();
    } else if (plan != nullptr &&
               QStringList{QStringLiteral("user"), QStringLiteral("replay"), QStringLiteral("leave")}.contains(
                   plan->reason)) {
        endWait();
    } else if (state != nullptr && (isFinalState(state->state) || state->state == QLatin1String("recovering"))) {
        endWait();
    }
}

void PlanPage::endWait() {
    m_onItsWay = false;
    refreshStart();
}

void PlanPage::refreshStart() {
    refreshEmpty();
    refreshMake();
    const bool live = m_run.isTraining();
    const bool changed = wantedPlan().has_value();
    const std::optional<Prediction> &judged = m_draft.committed().prediction;
    const bool fits = !judged || judged->fits;
    const bool applies = live && changed && m_controller.canChangePlan();
    if (m_onItsWay) {
        m_start->setText(tr("Takes effect at the next round"));
    } else if (applies) {
        m_start->setText(tr("Apply at the next round"));
    } else if (live) {
        m_start->setText(tr("Watch training"));
    } else {
        m_start->setText(changed ? tr("Train with this plan") : tr("Start training"));
    }
    const bool takesPlan = applies || (!live && changed);
    m_start->setEnabled(!m_onItsWay && (live || m_whyNotStart.isEmpty()) && (fits || !takesPlan) &&
                        !(applies && m_draft.isPreview()));
    if (m_onItsWay)
        m_start->setToolTip(tr("Your plan takes effect after the current round."));
    else if (takesPlan && !fits)
        m_start->setToolTip(tr("This plan does not fit into the memory of its devices."));
    else
        m_start->setToolTip(m_start->isEnabled() ? QString() : m_whyNotStart);
    refreshSubtitle();
}

/// In the middle of the page while there is no plan, else at its top.
void PlanPage::refreshMake() {
    m_make->setVisible(m_run.plan().has_value() && !m_run.isLive());
    m_makeFirst->setVisible(!m_run.isLive());
    QString whyNot = m_whyNotStart;
    if (whyNot.isEmpty() && wantedPlan())
        whyNot = tr("It would take the place of your changes: save them, or go back to the automatic plan, first.");
    for (QPushButton *make : {m_make, m_makeFirst}) {
        make->setEnabled(!m_run.isLive() && whyNot.isEmpty());
        make->setToolTip(whyNot.isEmpty() ? tr("For the job of the Job page; what is not known yet is measured first")
                                          : whyNot);
    }
}

void PlanPage::refreshEmpty() {
    if (m_run.isLive())
        setEmptyText(tr("The plan is on its way"),
                     tr("Hearth measures the devices, and works out who computes which layers. "
                        "The plan appears here as soon as it is made."));
    else
        setEmptyText(
            tr("No plan yet"),
            tr("Hearth measures the devices and works out who computes which layers. You can look at the plan, "
               "and change it, before anything is trained."));
}

void PlanPage::refreshSubtitle() {
    if (!m_run.plan() || !m_run.model()) {
        setSubtitle(tr("Who computes which layers"));
        return;
    }
    const Plan &plan = m_draft.plan();
    const QString onDevices = tr("on %n device(s)", nullptr, static_cast<int>(plan.deviceCount()));
    const QString inStages = tr("%n stage(s)", nullptr, static_cast<int>(plan.stageCount()));
    if (wantedPlan()) {
        setSubtitle(tr("%1 in %2 %3, changed by you").arg(m_run.model()->name, inStages, onDevices));
        return;
    }
    const event::Plan &since = m_run.planEvent();
    const QString because = planReasonText(since.reason);
    const QString what =
        tr("%1 in %2 %3, by the planner “%4”").arg(m_run.model()->name, inStages, onDevices, plannerText(plan.planner));
    setSubtitle(because.isEmpty() ? what
                                  : tr("%1; in force from round %2, %3").arg(what, formatCount(since.round), because));
}

void PlanPage::showEvent(QShowEvent *event) {
    Page::showEvent(event);
    if (m_outdated)
        begin();
    else
        refresh();
}

void PlanPage::refresh() {
    refreshWholeJob();
    if (!m_run.plan() || !m_run.model())
        return;
    refreshStart();
    if (!isVisible())
        return;
    m_strip->setPlan(m_draft.plan());
    m_strip->setEditable(m_draft.isEditable());
    m_strip->setLockedBorders(m_draft.locks().borders);
    m_figures->refresh();
    m_tools->refresh();
    m_board->refresh();
    m_chart->refresh();
    m_cuts->refresh();
    m_traffic->refresh();
    m_whatIf->refresh();
    m_compare->refresh();
    refreshMessage();
}

}  // namespace hearth
