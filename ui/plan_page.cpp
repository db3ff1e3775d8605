#include "ui/plan_page.h"

#include <QGridLayout>
#include <QPainter>
#include <QScrollArea>
#include <algorithm>
#include <set>

#include "ui/format.h"
#include "ui/home_source.h"
#include "ui/layer_strip.h"
#include "ui/meter.h"
#include "ui/rail.h"
#include "ui/run_model.h"
#include "ui/widgets.h"

namespace hearth {

namespace {

constexpr int stageColumns = 3;

void clearLayout(QLayout *layout) {
    while (QLayoutItem *item = layout->takeAt(0)) {
        if (item->widget() != nullptr)
            item->widget()->deleteLater();
        delete item;
    }
}

/// Paints the edge of a stage's card in the stage's colour.
class StageDot : public QWidget {
  public:
    explicit StageDot(int stage) : m_stage(stage) { setFixedSize(grid * 3 / 2, grid * 3 / 2); }

  protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ThemeManager::instance().theme().stageFill(m_stage));
        painter.drawRoundedRect(rect(), 3, 3);
    }

  private:
    int m_stage;
};

}  // namespace

PlanPage::PlanPage(const HomeSource &home, const RunModel &run, QWidget *parent)
    : Page(QStringLiteral("planPage"), tr("Plan"), parent),
      m_home(home),
      m_run(run),
      m_start(makePrimary(QStringLiteral("planStart"), tr("Start training"))),
      m_round(new Figure(QStringLiteral("planRoundTime"), tr("Predicted time for one round"))),
      m_speed(new Figure(QStringLiteral("planSpeed"), tr("Predicted samples per second"))),
      m_cut(new Figure(QStringLiteral("planCut"), tr("One round"))),
      m_limit(new Figure(QStringLiteral("planLimit"), tr("What limits this plan"))),
      m_strip(new LayerStrip),
      m_cards(new QGridLayout) {
    connect(m_start, &QPushButton::clicked, this, &PlanPage::startWanted);

    auto *figures = new QHBoxLayout;
    figures->setSpacing(2 * grid);
    for (Figure *figure : {m_round, m_speed, m_cut, m_limit})
        figures->addWidget(figure);
    auto *stripCard = new QFrame;
    stripCard->setProperty("role", QStringLiteral("card"));
    auto *stripLayout = new QVBoxLayout(stripCard);
    stripLayout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, grid);
    stripLayout->addWidget(m_strip);

    auto *body = new QWidget;
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * grid);
    layout->addLayout(figures);
    layout->addWidget(stripCard);
    m_cards->setSpacing(2 * grid);
    layout->addLayout(m_cards);
    layout->addStretch(1);
    auto *scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("planScroll"));
    scroll->setWidgetResizable(true);
    scroll->setWidget(body);
    setContent(scroll);
    setEmptyState(QStringLiteral("plan"), tr("No plan yet"),
                  tr("Start a run first: Hearth measures the devices and works out who computes which layers. "
                     "The plan then appears here."),
                  tr("Go to Train"), TrainPlace);

    connect(&run, &RunModel::planChanged, this, &PlanPage::refresh);
    connect(&run, &RunModel::cleared, this, &PlanPage::refresh);
    connect(&run, &RunModel::cleared, this, &PlanPage::refreshStart);
    connect(&run, &RunModel::stateChanged, this, &PlanPage::refreshStart);
    connect(&home, &HomeSource::devicesChanged, this, &PlanPage::refresh);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &PlanPage::refresh);
    refresh();
}

void PlanPage::setStartPossible(bool possible, const QString &reason) {
    m_startPossible = possible;
    m_startReason = reason;
    refreshStart();
}

void PlanPage::refreshStart() {
    m_start->setText(m_run.isLive() ? tr("Watch training") : tr("Start training"));
    m_start->setEnabled(m_run.isLive() || m_startPossible);
    m_start->setToolTip(m_start->isEnabled() ? QString() : m_startReason);
}

void PlanPage::refresh() {
    clearLayout(m_cards);
    showEmpty(!m_run.plan() || !m_run.model());
    if (!m_run.plan() || !m_run.model()) {
        setSubtitle(tr("Who computes which layers"));
        return;
    }
    const Plan &plan = *m_run.plan();
    std::set<QString> devices;
    for (const PlanStage &stage : plan.stages) {
        for (const Share &share : stage.shares)
            devices.insert(share.device);
    }
    const QString onDevices = tr("on %n device(s)", nullptr, static_cast<int>(devices.size()));
    const QString inStages = tr("%n stage(s)", nullptr, static_cast<int>(plan.stages.size()));
    setSubtitle(tr("%1 in %2 %3, by the planner “%4”").arg(m_run.model()->name, inStages, onDevices, plan.planner));
    showFigures(plan);
    m_strip->setPlan(*m_run.model(), plan);
    int place = 0;
    for (int stage = 0; stage < static_cast<int>(plan.stages.size()); ++stage, ++place)
        m_cards->addWidget(makeStage(plan, stage), place / stageColumns, place % stageColumns, Qt::AlignTop);
    if (plan.prediction && !plan.prediction->roundBytes.isEmpty()) {
        m_cards->addWidget(makeTraffic(plan), place / stageColumns, place % stageColumns, Qt::AlignTop);
        ++place;
    }
    for (int column = 0; column < std::min(place, stageColumns); ++column)
        m_cards->setColumnStretch(column, 1);
}

void PlanPage::showFigures(const Plan &plan) {
    m_cut->setValue(tr("%1 × %2").arg(formatCount(plan.microBatches()), formatCount(plan.microBatch)),
                    tr("micro-batches × samples"));
    if (!plan.prediction) {
        return;
    }
    m_round->setValue(formatSeconds(plan.prediction->roundSeconds),
                      tr("closed form: %1").arg(formatSeconds(plan.prediction->modelRoundSeconds)));
    m_speed->setValue(formatNumber(plan.prediction->samplesPerSecond), tr("samples/s"));
    const int step = plan.prediction->dominantStep;
    m_limit->setValue(stepName(plan, step), step % 2 == 0 ? tr("its computing") : tr("its transfers"));
}

QString PlanPage::stepName(const Plan &plan, int step) const {
    const int stage = step / 2;
    if (step % 2 != 0 && stage + 1 < static_cast<int>(plan.stages.size())) {
        return tr("Stage %1 → %2").arg(stage + 1).arg(stage + 2);
    }
    return tr("Stage %1").arg(stage + 1);
}

QWidget *PlanPage::makeStage(const Plan &plan, int index) const {
    const PlanStage &stage = plan.stages[static_cast<std::size_t>(index)];
    auto *card = new QFrame;
    card->setObjectName(QStringLiteral("planStage%1").arg(index + 1));
    card->setProperty("role", QStringLiteral("card"));
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    layout->setSpacing(grid);

    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    head->addWidget(new StageDot(index));
    head->addWidget(makeLabel(tr("Stage %1").arg(index + 1), "strong"), 1);
    layout->addLayout(head);
    const auto &layers = m_run.model()->layers;
    const auto last = std::min(static_cast<std::size_t>(stage.lastLayer), layers.size());
    const QString first = layers[std::min(static_cast<std::size_t>(stage.firstLayer), last - 1)].name;
    QString what = first == layers[last - 1].name ? tr("Layer %1").arg(first)
                                                  : tr("Layers %1 to %2").arg(first, layers[last - 1].name);
    what += QLatin1Char('\n') + tr("At most %n micro-batch(es) in flight", nullptr, stage.inFlight);
    if (stage.recompute) {
        what += QLatin1Char('\n') + tr("Computes activations again to save memory");
    }
    auto *whatLabel = makeLabel(what, "small");
    whatLabel->setWordWrap(true);
    layout->addWidget(whatLabel);
    for (std::size_t share = 0; share < stage.shares.size(); ++share)
        layout->addWidget(makeDevice(plan, stage, index, share));
    return card;
}

QWidget *PlanPage::makeDevice(const Plan &plan, const PlanStage &stage, int stageIndex, std::size_t share) const {
    const Theme &theme = ThemeManager::instance().theme();
    const QString &id = stage.shares[share].device;
    const int samples = stage.shares[share].samples;
    auto *row = new QWidget;
    auto *layout = new QGridLayout(row);
    layout->setContentsMargins(0, grid, 0, 0);
    layout->setHorizontalSpacing(grid);
    layout->setVerticalSpacing(4);
    layout->addWidget(makeLabel(m_run.deviceName(id), "strong"), 0, 0);
    auto *shareText = makeLabel(tr("%1 of %n sample(s)", nullptr, stage.samples()).arg(formatCount(samples)), "small");
    layout->addWidget(shareText, 0, 1, Qt::AlignRight);
    auto *shareBar = new Meter;
    shareBar->setParts({{static_cast<double>(samples), theme.stageFill(stageIndex)}}, stage.samples());
    layout->addWidget(shareBar, 1, 0, 1, 2);

    const qint64 needed = plan.prediction ? plan.prediction->memoryBytes.value(id) : 0;
    qint64 limit = 0;
    for (const DeviceInfo &device : m_home.devices()) {
        limit = device.id == id ? device.memoryBytes : limit;
    }
    if (needed > 0) {
        const QString text =
            limit > 0 ? tr("%1 of %2").arg(formatBytes(needed), formatBytes(limit)) : formatBytes(needed);
        layout->addWidget(makeLabel(tr("Memory"), "small"), 2, 0);
        layout->addWidget(makeLabel(text, "small"), 2, 1, Qt::AlignRight);
        auto *memory = new Meter;
        memory->setBarHeight(4);
        memory->setParts({{static_cast<double>(needed), limit > 0 && needed > limit ? theme.bad : theme.info}},
                         static_cast<double>(std::max(limit, needed)));
        layout->addWidget(memory, 3, 0, 1, 2);
    }
    layout->setColumnStretch(0, 1);
    return row;
}

QWidget *PlanPage::makeTraffic(const Plan &plan) const {
    auto *card = new QFrame;
    card->setObjectName(QStringLiteral("planTraffic"));
    card->setProperty("role", QStringLiteral("card"));
    auto *layout = new QGridLayout(card);
    layout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    layout->setHorizontalSpacing(grid);
    layout->setVerticalSpacing(4);
    layout->addWidget(makeLabel(tr("Sent per round"), "strong"), 0, 0, 1, 2);
    QMap<QString, qint64> byName;
    const QMap<QString, qint64> &bytes = plan.prediction->roundBytes;
    for (auto it = bytes.cbegin(); it != bytes.cend(); ++it) {
        const qsizetype arrow = it.key().indexOf(QLatin1Char('>'));
        byName[tr("%1 → %2").arg(m_run.deviceName(it.key().left(arrow)), m_run.deviceName(it.key().mid(arrow + 1)))] +=
            it.value();
    }
    int row = 1;
    for (auto it = byName.cbegin(); it != byName.cend(); ++it, ++row) {
        layout->addWidget(makeLabel(it.key(), "small"), row, 0);
        layout->addWidget(makeLabel(formatBytes(it.value()), "small"), row, 1, Qt::AlignRight);
    }
    layout->setColumnStretch(0, 1);
    return card;
}

}  // namespace hearth
