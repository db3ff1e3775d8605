#include "ui/plan/plan_figures.h"

#include <QEvent>
#include <QGridLayout>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

// Figures of a row, where all are in one and where they are not.
constexpr int figuresOfOneRow = 5, figuresOfTwoRows = 3;

bool isComputing(ScheduledTask::Kind kind) {
    return kind == ScheduledTask::Kind::Forward || kind == ScheduledTask::Kind::Backward ||
           kind == ScheduledTask::Kind::Weights;
}

/// The part of a round in which its devices do not compute, of the time of all that take part. Nothing where no round
/// was drawn.
std::optional<double> waitingPart(const Plan &plan) {
    if (!plan.prediction || plan.prediction->schedule.empty() || plan.prediction->roundSeconds <= 0)
        return std::nullopt;
    double busy = 0;
    for (const ScheduledTask &task : plan.prediction->schedule)
        busy += isComputing(task.kind) ? task.endSeconds - task.startSeconds : 0;
    const double all = static_cast<double>(plan.deviceCount()) * plan.prediction->roundSeconds;
    return std::clamp(1 - busy / all, 0.0, 1.0);
}

QString devicesOf(const PlanDraft &draft, const PlanStage &stage) {
    QStringList names;
    for (const Share &share : stage.shares)
        names << draft.nameOf(share.device);
    return QLocale().createSeparatedList(names);
}

qint64 stagesOf(const Plan &plan, const QString &device) {
    return static_cast<qint64>(std::ranges::count_if(plan.stages, [&device](const PlanStage &stage) {
        return std::ranges::find(stage.shares, device, &Share::device) != stage.shares.end();
    }));
}

int narrowestOf(const Figure *figure) {
    return std::max(figure->minimumSizeHint().width(), figure->minimumWidth());
}

}  // namespace

PlanFigures::PlanFigures(const PlanDraft &draft, QWidget *parent)
    : QWidget(parent),
      m_draft(draft),
      m_round(new Figure(QStringLiteral("planRoundTime"), tr("Predicted round"))),
      m_speed(new Figure(QStringLiteral("planSpeed"), tr("Predicted speed"))),
      m_waiting(new Figure(QStringLiteral("planWaiting"), tr("Waiting"))),
      m_cut(new Figure(QStringLiteral("planCut"), tr("One round"))),
      m_limit(new Figure(QStringLiteral("planLimit"), tr("Bottleneck"), Figure::Holds::Names)),
      m_all{m_round, m_speed, m_waiting, m_cut, m_limit},
      m_grid(new QGridLayout(this)),
      m_perRow(figuresOfOneRow) {
    m_limit->setMinimumWidth(20 * grid);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(grid);
    fillRows();
}

void PlanFigures::refresh() {
    const Plan &plan = m_draft.plan();
    m_cut->setValue(tr("%1 × %2").arg(formatCount(plan.microBatches()), formatCount(plan.microBatch)),
                    tr("micro-batches × size"));
    showWaiting(plan);
    if (!plan.prediction) {
        for (Figure *figure : {m_round, m_speed, m_limit})
            figure->setValue(QStringLiteral("–"));
        return;
    }
    const std::optional<double> error = plan.prediction->relativeError;
    m_round->setValue(formatSeconds(plan.prediction->roundSeconds),
                      error ? tr("± %1 %: not all measured").arg(formatCount(std::lround(100 * *error)))
                            : tr("estimate: %1").arg(formatSeconds(plan.prediction->modelRoundSeconds)));
    m_speed->setValue(formatNumber(plan.prediction->samplesPerSecond), tr("samples/s"));
    showLimit(plan);
}

void PlanFigures::showWaiting(const Plan &plan) {
    if (const std::optional<double> part = waitingPart(plan))
        m_waiting->setValue(formatPercent(*part), tr("of the devices’ time"));
    else if (!plan.prediction || m_draft.isSimulated())
        m_waiting->setValue(QStringLiteral("–"));
    // Else only the closed form is known yet: the last figure stays for this frame, as the picture of the round does.
}

void PlanFigures::showLimit(const Plan &plan) {
    const RoundLimit &limit = plan.prediction->limit;
    switch (limit.kind) {
        case RoundLimit::Kind::Feed:
            m_limit->setValue(m_draft.nameOf(limit.device), tr("serves inputs and labels"));
            return;
        case RoundLimit::Kind::Card:
            m_limit->setValue(m_draft.nameOf(limit.device), tr("its network card"));
            return;
        case RoundLimit::Kind::Device:
            m_limit->setValue(m_draft.nameOf(limit.device),
                              tr("computes %1 stages").arg(formatCount(stagesOf(plan, limit.device))));
            return;
        case RoundLimit::Kind::Step:
            showStep(plan);
            return;
    }
}

void PlanFigures::showStep(const Plan &plan) {
    const std::vector<const PlanStage *> stages = plan.allStages();
    const int step = plan.prediction->dominantStep, stage = step / 2;
    const auto index = static_cast<std::size_t>(stage);
    if (step < 0 || index >= stages.size()) {
        m_limit->setValue(QStringLiteral("–"));
        return;
    }
    const PlanStage &own = *stages[index];
    if (step % 2 == 0 || index + 1 == stages.size()) {
        m_limit->setValue(devicesOf(m_draft, own),
                          (own.shares.size() == 1 ? tr("computes stage %1") : tr("compute stage %1")).arg(stage + 1));
        return;
    }
    const PlanStage &next = *stages[index + 1];
    const bool isOneLink = own.shares.size() == 1 && next.shares.size() == 1;
    m_limit->setValue(tr("%1 – %2").arg(devicesOf(m_draft, own), devicesOf(m_draft, next)),
                      (isOneLink ? tr("the link between stages %1 and %2") : tr("the links between stages %1 and %2"))
                          .arg(stage + 1)
                          .arg(stage + 2));
}

void PlanFigures::fillRows() {
    const auto count = static_cast<int>(m_all.size());
    for (int place = 0; place < count; ++place) {
        const int row = place / m_perRow, column = place % m_perRow;
        // The last one takes what is left of its row.
        const int columns = place + 1 == count ? m_perRow - column : 1;
        m_grid->removeWidget(m_all[static_cast<std::size_t>(place)]);
        m_grid->addWidget(m_all[static_cast<std::size_t>(place)], row, column, 1, columns);
    }
    for (int column = 0; column < count; ++column)
        m_grid->setColumnStretch(column, column < m_perRow ? 1 : 0);
}

/// Follows from the room that there is, from the language and from the font.
void PlanFigures::fitRows() {
    int needed = -m_grid->spacing();
    for (const Figure *figure : m_all)
        needed += narrowestOf(figure) + m_grid->spacing();
    const int perRow = needed <= width() ? figuresOfOneRow : figuresOfTwoRows;
    if (perRow != std::exchange(m_perRow, perRow))
        fillRows();
}

QSize PlanFigures::minimumSizeHint() const {
    int widest = 0;
    for (const Figure *figure : m_all)
        widest = std::max(widest, narrowestOf(figure));
    const int gaps = (figuresOfTwoRows - 1) * m_grid->spacing();
    return {figuresOfTwoRows * widest + gaps, m_grid->totalMinimumSize().height()};
}

bool PlanFigures::event(QEvent *event) {
    const bool taken = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
        fitRows();
    return taken;
}

}  // namespace hearth
