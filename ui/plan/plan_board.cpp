#include "ui/plan/plan_board.h"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>
#include <QSet>
#include <QTimer>
#include <QVariantAnimation>
#include <algorithm>
#include <chrono>
#include <utility>

#include "ui/base/widgets.h"
#include "ui/plan/device_chip.h"
#include "ui/plan/plan_draft.h"
#include "ui/plan/plan_edits.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

using namespace std::chrono_literals;
constexpr auto slideTime = 150ms;
constexpr int mostPerRow = 4;
// Near a column's edge a new stage is meant.
constexpr int edge = 3 * grid;
constexpr int chipsAtOnce = 16;

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

PlanBoard::PlanBoard(PlanDraft &draft, QWidget *parent)
    : QWidget(parent),
      m_draft(draft),
      m_grid(new QGridLayout(this)),
      m_ghost(new QLabel(this)),
      m_back(new QVariantAnimation(this)) {
    setObjectName(QStringLiteral("planBoard"));
    // The frame around a target has room.
    m_grid->setContentsMargins(0, 3, 0, 3);
    m_grid->setSpacing(2 * grid);
    m_ghost->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_ghost->hide();
    m_back->setDuration(static_cast<int>(slideTime.count()));
    connect(m_back, &QVariantAnimation::valueChanged, this,
            [this](const QVariant &value) { m_ghost->move(value.toPoint()); });
    connect(m_back, &QVariantAnimation::finished, m_ghost, &QWidget::hide);
}

void PlanBoard::setModel(const Model &model, DType type) {
    m_model = model;
    m_slots = namedSlots(model, type);
    // Devices may be called otherwise now, or have become editable; those that look as they did keep their chips.
    m_structure.clear();
}

PlanBoard::Structure PlanBoard::structureOf(const Plan &plan) const {
    Structure structure;
    QMap<QString, int> stages;  // of each device, so far
    for (const PlanStage &stage : plan.stages) {
        QList<Seat> seats;
        for (const Share &share : stage.shares)
            seats << Seat(share.device, stages[share.device]++);
        std::ranges::sort(seats, {}, [this](const Seat &seat) { return m_draft.nameOf(seat.first); });
        structure.push_back(seats);
    }
    QList<Seat> &rest = structure.emplace_back();
    for (const QString &device : m_draft.resting())
        rest << Seat(device, 0);
    return structure;
}

void PlanBoard::refresh() {
    if (!m_model)
        return;
    const Plan &plan = m_draft.plan();
    const Structure structure = structureOf(plan);
    if (structure != m_structure) {
        // A preview says what would be: chips go to their places when it is.
        if (m_draft.isPreview() && !m_structure.empty())
            return;
        rebuild(structure);
    }
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        m_columns[stage].what->setText(describe(static_cast<int>(stage)));
        for (const Seat &seat : structure[stage]) {
            const auto share = std::ranges::find(plan.stages[stage].shares, seat.first, &Share::device);
            if (DeviceChip *chip = m_chips.value(seat))
                chip->refresh(static_cast<int>(stage), share->samples);
        }
    }
    for (const Seat &seat : structure.back()) {
        if (DeviceChip *chip = m_chips.value(seat))
            chip->refresh(-1, 0);
    }
}

/// Columns and chips are kept where they can be: to make those of 64 devices takes longer than a frame.
void PlanBoard::rebuild(const Structure &structure) {
    m_structure = structure;
    endDrag();
    // Before anything is hidden: the focus would go to whoever is next.
    const QWidget *focus = window()->focusWidget();
    const QString focused = focus != nullptr && isAncestorOf(focus) ? focus->objectName() : QString();
    removeStaleChips();
    const std::vector<Column> leftOver = placeColumns(structure.size() - 1);
    placeChips();
    for (const Column &column : leftOver)
        remove(column.frame);
    // At once: between the old places and the new ones nothing is seen.
    for (const Column &column : m_columns)
        column.frame->show();
    m_grid->activate();
    m_ghost->raise();
    auto *again = focused.isEmpty() ? nullptr : findChild<QWidget *>(focused);
    if (again != nullptr && again != window()->focusWidget())
        again->setFocus();
}

/// It may be the one whose event this is.
void PlanBoard::remove(QWidget *widget) {
    widget->hide();
    widget->setParent(nullptr);
    widget->deleteLater();
}

void PlanBoard::removeStaleChips() {
    QSet<Seat> wanted;
    for (const QList<Seat> &seats : m_structure)
        wanted.unite(QSet<Seat>(seats.begin(), seats.end()));
    for (auto it = m_chips.begin(); it != m_chips.end();) {
        if (wanted.contains(it.key()) && it.value()->isUpToDate()) {
            ++it;
            continue;
        }
        remove(it.value());
        it = m_chips.erase(it);
    }
}

/// The columns of so many stages, and of the devices at rest; those that are left over may still hold chips.
std::vector<PlanBoard::Column> PlanBoard::placeColumns(std::size_t stages) {
    std::vector<Column> before = std::exchange(m_columns, {});
    std::optional<Column> rest;
    if (!before.empty() && before.back().rests) {
        rest = before.back();
        before.pop_back();
    }
    const std::size_t kept = std::min(stages, before.size());
    for (std::size_t stage = 0; stage < stages; ++stage)
        m_columns.push_back(stage < kept ? before[stage] : makeColumn(static_cast<int>(stage)));
    before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(kept));
    if (m_draft.isEditable())
        m_columns.push_back(rest ? *rest : makeColumn(-1));
    else if (rest)
        before.push_back(*rest);
    fillRows();
    return before;
}

void PlanBoard::fillRows() {
    const auto count = static_cast<int>(m_columns.size());
    for (int place = 0; place < count; ++place) {
        QFrame *frame = m_columns[static_cast<std::size_t>(place)].frame;
        m_grid->removeWidget(frame);
        m_grid->addWidget(frame, place / m_perRow, place % m_perRow);
    }
    for (int column = 0; column < mostPerRow; ++column)
        m_grid->setColumnStretch(column, column < std::min(count, m_perRow) ? 1 : 0);
}

/// How many stages stand side by side follows from the room that there is and from the language.
void PlanBoard::fitRows() {
    const int gap = m_grid->spacing();
    const int perRow = std::clamp((width() + gap) / (widestColumn() + gap), 1, mostPerRow);
    if (perRow != std::exchange(m_perRow, perRow))
        fillRows();
}

int PlanBoard::widestColumn() const {
    int widest = 0;
    for (const Column &column : m_columns)
        widest = std::max(widest, column.frame->minimumSizeHint().width());
    return widest;
}

QSize PlanBoard::minimumSizeHint() const {
    return {widestColumn(), m_grid->totalMinimumSize().height()};
}

bool PlanBoard::event(QEvent *event) {
    const bool taken = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
        fitRows();
    return taken;
}

PlanBoard::Column PlanBoard::makeColumn(int stage) {
    const bool rests = stage < 0;
    auto *frame = new QFrame;
    frame->setObjectName(rests ? QStringLiteral("planRest") : QStringLiteral("planStage%1").arg(stage + 1));
    frame->setProperty("role", rests ? QStringLiteral("rest") : QStringLiteral("card"));
    frame->setAccessibleName(rests ? tr("Devices at rest") : tr("Stage %1").arg(stage + 1));
    auto *layout = new QVBoxLayout(frame);
    layout->setContentsMargins(grid * 3 / 2, grid * 3 / 2, grid * 3 / 2, grid * 3 / 2);
    layout->setSpacing(grid);
    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    if (!rests)
        head->addWidget(new StageDot(stage));
    head->addWidget(makeLabel(rests ? tr("At rest") : tr("Stage %1").arg(stage + 1), "strong"), 1);
    layout->addLayout(head);
    auto *what =
        makeLabel(rests ? tr("Drag a device here to leave it out, or from here to a stage.") : QString(), "small");
    what->setWordWrap(true);
    layout->addWidget(what);
    auto *chips = new QVBoxLayout;
    chips->setSpacing(grid);
    layout->addLayout(chips);
    layout->addStretch(1);
    return {frame, what, chips, rests};
}

/// Some that are new at a time: to make those of a large home at once keeps the window for too long.
void PlanBoard::placeChips() {
    int made = 0;
    bool isComplete = true;
    for (std::size_t place = 0; place < m_columns.size(); ++place) {
        for (int i = 0; i < m_structure[place].size(); ++i) {
            const Seat &seat = m_structure[place][i];
            if (m_chips.contains(seat) || made++ < chipsAtOnce)
                placeChip(m_columns[place], std::min(i, m_columns[place].chips->count()), seat);
            else
                isComplete = false;
        }
    }
    if (isComplete)
        return;
    QTimer::singleShot(0, this, [this, structure = m_structure] {
        if (structure != m_structure)
            return;
        placeChips();
        refresh();
    });
}

void PlanBoard::placeChip(const Column &column, int at, const Seat &seat) {
    DeviceChip *&chip = m_chips[seat];
    if (chip == nullptr)
        chip = makeChip(seat.first, column.frame);
    const QLayoutItem *there = column.chips->itemAt(at);
    if (there != nullptr && there->widget() == chip)
        return;
    column.chips->insertWidget(at, chip);
    // In a column that is new it comes to light with all others.
    if (column.frame->isVisible())
        chip->show();
}

DeviceChip *PlanBoard::makeChip(const QString &device, QWidget *parent) {
    auto *chip = new DeviceChip(m_draft, device, parent);
    connect(chip, &DeviceChip::dragged, this, [this, chip](const QPoint &at) { drag(chip, chip->mapTo(this, at)); });
    connect(chip, &DeviceChip::dropped, this, [this, chip](const QPoint &at) { drop(chip, chip->mapTo(this, at)); });
    connect(chip, &DeviceChip::dragCancelled, this, [this, chip] {
        m_draft.cancelPreview();
        slideBack(chip);
    });
    return chip;
}

QString PlanBoard::describe(int stage) const {
    const PlanStage &what = m_draft.plan().stages[static_cast<std::size_t>(stage)];
    const auto &layers = m_model->layers;
    const auto last = std::clamp<std::size_t>(static_cast<std::size_t>(what.lastLayer), 1, layers.size());
    const QString first = layers[std::min(static_cast<std::size_t>(what.firstLayer), last - 1)].name;
    QString text = first == layers[last - 1].name
                       ? tr("Layer %1").arg(breakable(first))
                       : tr("Layers %1 to %2").arg(breakable(first), breakable(layers[last - 1].name));
    text += QLatin1Char('\n') + tr("At most %n micro-batch(es) in flight", nullptr, what.inFlight);
    if (const auto &prediction = m_draft.plan().prediction;
        prediction && static_cast<std::size_t>(stage) < prediction->delays.size())
        text += QLatin1Char('\n') +
                tr("Weights are %n update(s) old", nullptr, prediction->delays[static_cast<std::size_t>(stage)]);
    if (last < layers.size()) {
        const std::vector<NamedSlot> &slots = m_slots[last];
        text +=
            QLatin1Char('\n') + tr("Passes on %1 (%2 per sample)").arg(formatSlots(slots), formatBytes(bytesOf(slots)));
    }
    if (what.recompute)
        text += QLatin1Char('\n') + tr("Computes activations again to save memory");
    return text;
}

std::optional<PlanBoard::Target> PlanBoard::targetAt(const QPoint &at) const {
    const int stages = static_cast<int>(m_structure.size()) - 1;
    const int reach = edge + m_grid->spacing() / 2;
    for (int i = 0; i < static_cast<int>(m_columns.size()); ++i) {
        const QRect place = m_columns[static_cast<std::size_t>(i)].frame->geometry();
        const QRect wide = place.adjusted(-m_grid->spacing() / 2, 0, m_grid->spacing() / 2, 0);
        if (!wide.contains(at))
            continue;
        if (i == stages)
            return at.x() < place.left() ? Target{Target::Kind::NewStage, stages} : Target{Target::Kind::Rest, 0};
        if (at.x() < wide.left() + reach)
            return Target{Target::Kind::NewStage, i};
        if (at.x() > wide.right() - reach)
            return Target{Target::Kind::NewStage, i + 1};
        return Target{Target::Kind::Stage, i};
    }
    return std::nullopt;
}

void PlanBoard::drag(DeviceChip *chip, const QPoint &at) {
    if (m_ghost->isHidden()) {
        m_back->stop();
        m_ghost->setPixmap(chip->grab());
        m_ghost->adjustSize();
        m_ghost->show();
        chip->setFocus();
    }
    m_ghost->move(at + QPoint(grid, grid));
    const std::optional<Target> target = targetAt(at);
    if (target == m_target)
        return;
    m_target = target;
    update();
    const QString device = chip->device();
    if (!target) {
        m_draft.cancelPreview();
        return;
    }
    m_draft.preview([device, target](const PlanEditor &editor, const Plan &plan) {
        if (target->kind == Target::Kind::NewStage)
            return editor.insertStage(plan, device, target->index);
        const std::optional<int> stage =
            target->kind == Target::Kind::Rest ? std::nullopt : std::optional(target->index);
        return editor.moveDevice(plan, device, stage);
    });
}

void PlanBoard::drop(DeviceChip *chip, const QPoint &at) {
    drag(chip, at);
    const QString device = chip->device();
    const std::optional<Target> target = m_target;
    const bool possible = target && m_draft.refusal().isEmpty();
    if (!possible) {
        slideBack(chip);
        return;
    }
    endDrag();
    const QString name = m_draft.nameOf(device);
    const QString text =
        target->kind == Target::Kind::NewStage ? tr("New stage for %1").arg(name) : tr("Move %1").arg(name);
    m_draft.commit(text, [device, target](const PlanEditor &editor, const Plan &plan) {
        if (target->kind == Target::Kind::NewStage)
            return editor.insertStage(plan, device, target->index);
        const std::optional<int> stage =
            target->kind == Target::Kind::Rest ? std::nullopt : std::optional(target->index);
        return editor.moveDevice(plan, device, stage);
    });
}

void PlanBoard::slideBack(DeviceChip *chip) {
    m_target.reset();
    update();
    m_back->setStartValue(m_ghost->pos());
    m_back->setEndValue(chip->mapTo(this, QPoint(0, 0)));
    m_back->start();
}

void PlanBoard::endDrag() {
    m_target.reset();
    m_ghost->hide();
    update();
}

QRect PlanBoard::insertionLine(int place) const {
    const auto index = static_cast<std::size_t>(place);
    const int gap = m_grid->spacing();
    if (index < m_columns.size()) {
        const QRect column = m_columns[index].frame->geometry();
        const int left = place % m_perRow == 0 ? column.left() : column.left() - gap / 2;
        return {left - 2, column.top(), 4, column.height()};
    }
    const QRect column = m_columns.back().frame->geometry();
    return {column.right() - 1, column.top(), 4, column.height()};
}

void PlanBoard::paintEvent(QPaintEvent *) {
    if (!m_target)
        return;
    const Theme &theme = ThemeManager::instance().theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor colour = m_draft.refusal().isEmpty() ? theme.accent : theme.bad;
    if (m_target->kind == Target::Kind::NewStage) {
        painter.fillRect(insertionLine(m_target->index), colour);
        return;
    }
    const std::size_t index =
        m_target->kind == Target::Kind::Rest ? m_columns.size() - 1 : static_cast<std::size_t>(m_target->index);
    painter.setPen(QPen(colour, 3));
    painter.drawRoundedRect(m_columns[index].frame->geometry().adjusted(-2, -2, 2, 2), grid, grid);
}

}  // namespace hearth
