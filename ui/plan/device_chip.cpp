#include "ui/plan/device_chip.h"

#include <QApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>

#include "ui/base/meter.h"
#include "ui/base/still_text.h"
#include "ui/base/widgets.h"
#include "ui/plan/plan_draft.h"
#include "ui/plan/plan_edits.h"
#include "ui/words/format.h"

namespace hearth {

DeviceChip::DeviceChip(PlanDraft &draft, const QString &device, QWidget *parent)
    : QFrame(parent),
      m_draft(draft),
      m_device(device),
      m_name(draft.nameOf(device)),
      m_editable(draft.isEditable()),
      m_share(new StillText(this)),
      m_memory(new StillText(this)),
      m_lock(nullptr),
      m_more(nullptr),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_memoryBar(new Meter(this)) {
    setObjectName(QStringLiteral("chip-") + m_name);
    setAccessibleName(tr("Device %1").arg(m_name));
    setProperty("role", QStringLiteral("chip"));
    setFocusPolicy(m_editable ? Qt::StrongFocus : Qt::NoFocus);
    if (m_editable)
        setCursor(Qt::OpenHandCursor);
    buildButtons(m_name);
    buildShare(m_name);
    m_memoryBar->setBarHeight(grid / 2);
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(grid, grid / 2, grid / 2, grid);
    layout->setHorizontalSpacing(grid / 2);
    layout->setVerticalSpacing(2);
    layout->addWidget(makeLabel(m_name, "strong", this), 0, 0);
    layout->addWidget(m_lock, 0, 1);
    layout->addWidget(m_more, 0, 2);
    layout->addWidget(m_share, 1, 0, 1, 3);
    layout->addWidget(m_slider, 2, 0, 1, 3);
    layout->addWidget(m_memory, 3, 0, 1, 3);
    layout->addWidget(m_memoryBar, 4, 0, 1, 3);
    layout->setColumnStretch(0, 1);
}

bool DeviceChip::isUpToDate() const {
    return m_name == m_draft.nameOf(m_device) && m_editable == m_draft.isEditable();
}

void DeviceChip::buildButtons(const QString &name) {
    m_lock = makeButton(QStringLiteral("lock-") + name, {}, "tool", this);
    m_lock->setCheckable(true);
    m_lock->setAccessibleName(tr("Lock %1 in its place").arg(name));
    m_lock->setToolTip(tr("Lock it in its place"));
    connect(m_lock, &QPushButton::clicked, this, &DeviceChip::toggleLock);
    m_more = makeButton(QStringLiteral("more-") + name, {}, "tool", this);
    m_more->setAccessibleName(tr("What to do with %1").arg(name));
    setThemedIcon(m_more, QStringLiteral("more"), &Theme::secondary);
    connect(m_more, &QPushButton::clicked, this, [this] {
        fillMenu();
        m_menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
    });
    // To show what has no place yet would lay it out twice.
    if (!m_editable) {
        m_lock->hide();
        m_more->hide();
    }
}

void DeviceChip::buildShare(const QString &name) {
    m_slider->setObjectName(QStringLiteral("share-") + name);
    m_slider->setAccessibleName(tr("Samples of each micro-batch for %1").arg(name));
    m_slider->setPageStep(1);
    m_slider->installEventFilter(this);
    connect(m_slider, &QSlider::valueChanged, this, &DeviceChip::takeSlider);
    connect(m_slider, &QSlider::sliderReleased, this, [this] {
        const int samples = m_slider->value();
        m_draft.cancelPreview();
        m_draft.commit(tr("Change the share of %1").arg(m_draft.nameOf(m_device)),
                       [this, samples](const PlanEditor &editor, const Plan &plan) {
                           return setSamples(editor, plan, m_device, samples);
                       });
    });
}

void DeviceChip::takeSlider(int samples) {
    if (m_refreshing)
        return;
    const auto edit = [this, samples](const PlanEditor &editor, const Plan &plan) {
        return setSamples(editor, plan, m_device, samples);
    };
    if (m_slider->isSliderDown())
        m_draft.preview(edit);
    else if (!m_draft.commit(tr("Change the share of %1").arg(m_draft.nameOf(m_device)), edit))
        refresh(m_stage, samplesIn(m_draft.plan(), m_device));
}

DeviceChip::Shown DeviceChip::shownOf(int stage, int samples) const {
    const Plan &plan = m_draft.plan();
    Shown found;
    found.stage = stage;
    found.samples = samples;
    found.microBatch = plan.microBatch;
    found.shared = stage >= 0 && plan.stages[static_cast<std::size_t>(stage)].shares.size() > 1;
    found.needed = plan.prediction ? plan.prediction->memoryBytes.value(m_device) : 0;
    const int index = m_draft.isEditable() ? m_draft.problem().indexOf(m_device) : -1;
    found.limit = index < 0 ? 0 : m_draft.problem().devices[static_cast<std::size_t>(index)].memoryBytes;
    found.locked = m_draft.locks().devices.contains(m_device);
    found.shareLocked = m_draft.locks().shares.contains(m_device);
    found.theme = ThemeManager::instance().kind();
    return found;
}

void DeviceChip::refresh(int stage, int samples) {
    m_stage = stage;
    const Shown now = shownOf(stage, samples);
    // A home has many, and a movement of a border changes few of them; but a hand may have left the slider elsewhere.
    const bool sliderFits = m_slider->isSliderDown() || m_slider->value() == samples;
    if (m_shown == now && sliderFits)
        return;
    m_shown = now;
    m_share->setText(stage < 0 ? tr("Rests")
                               : tr("%1 of %n sample(s)", nullptr, now.microBatch).arg(formatCount(samples)));
    m_slider->setVisible(now.shared && m_draft.isEditable());
    m_refreshing = true;
    m_slider->setRange(0, now.microBatch);
    // While it is dragged the hand decides where it stands.
    if (!m_slider->isSliderDown())
        m_slider->setValue(samples);
    m_refreshing = false;
    m_slider->setEnabled(!now.shareLocked);
    m_lock->setChecked(now.locked);
    setThemedIcon(m_lock, now.locked ? QStringLiteral("lock") : QStringLiteral("unlock"),
                  now.locked ? &Theme::accentText : &Theme::secondary);
    m_memory->setVisible(now.needed > 0);
    m_memoryBar->setVisible(now.needed > 0);
    m_memory->setText(now.limit > 0 ? tr("Memory: %1 of %2").arg(formatBytes(now.needed), formatBytes(now.limit))
                                    : tr("Memory: %1").arg(formatBytes(now.needed)));
    const Theme &theme = ThemeManager::instance().theme();
    const bool tooMuch = now.limit > 0 && now.needed > now.limit;
    m_memoryBar->setParts({{static_cast<double>(now.needed), tooMuch ? theme.bad : theme.info}},
                          static_cast<double>(std::max(now.limit, now.needed)));
}

/// Made when it is wanted: a home has many chips, and opens the menu of few.
void DeviceChip::fillMenu() {
    if (m_menu == nullptr) {
        m_menu = new QMenu(this);
        m_menu->setObjectName(QStringLiteral("menu-") + m_name);
    }
    m_menu->clear();
    const auto &stages = m_draft.plan().stages;
    const auto count = static_cast<int>(stages.size());
    for (int stage = 0; stage < count; ++stage) {
        if (stage != m_stage)
            m_menu->addAction(tr("Move to stage %1").arg(stage + 1), this, [this, stage] { moveTo(stage); });
    }
    for (int place = 0; place <= count; ++place) {
        const QString text = place == 0 ? tr("New first stage") : tr("New stage after stage %1").arg(place);
        m_menu->addAction(text, this, [this, place] {
            m_draft.commit(tr("New stage for %1").arg(m_draft.nameOf(m_device)),
                           [this, place](const PlanEditor &editor, const Plan &plan) {
                               return editor.insertStage(plan, m_device, place);
                           });
        });
    }
    if (m_stage < 0)
        return;
    m_menu->addAction(tr("Let it rest"), this, [this] { moveTo(std::nullopt); });
    m_menu->addSeparator();
    QAction *place = m_menu->addAction(tr("Lock in its place"), this, &DeviceChip::toggleLock);
    QAction *share = m_menu->addAction(tr("Lock its share"), this, &DeviceChip::toggleShareLock);
    place->setCheckable(true);
    share->setCheckable(true);
    place->setChecked(m_draft.locks().devices.contains(m_device));
    share->setChecked(m_draft.locks().shares.contains(m_device));
}

void DeviceChip::moveTo(std::optional<int> stage) {
    m_draft.commit(
        tr("Move %1").arg(m_draft.nameOf(m_device)),
        [this, stage](const PlanEditor &editor, const Plan &plan) { return editor.moveDevice(plan, m_device, stage); });
}

void DeviceChip::toggleLock() {
    PlanLocks locks = m_draft.locks();
    const bool was = locks.devices.remove(m_device);
    if (!was)
        locks.devices.insert(m_device);
    m_draft.setLocks((was ? tr("Unlock %1") : tr("Lock %1")).arg(m_draft.nameOf(m_device)), locks);
}

void DeviceChip::toggleShareLock() {
    PlanLocks locks = m_draft.locks();
    const bool was = locks.shares.remove(m_device);
    if (!was)
        locks.shares.insert(m_device);
    const QString text = was ? tr("Unlock the share of %1") : tr("Lock the share of %1");
    m_draft.setLocks(text.arg(m_draft.nameOf(m_device)), locks);
}

void DeviceChip::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && m_draft.isEditable())
        m_pressed = event->pos();
}

void DeviceChip::mouseMoveEvent(QMouseEvent *event) {
    if (!m_pressed)
        return;
    if (!m_dragging && (event->pos() - *m_pressed).manhattanLength() < QApplication::startDragDistance())
        return;
    m_dragging = true;
    setCursor(Qt::ClosedHandCursor);
    Q_EMIT dragged(event->pos());
}

void DeviceChip::mouseReleaseEvent(QMouseEvent *event) {
    m_pressed.reset();
    if (!m_dragging)
        return;
    m_dragging = false;
    setCursor(Qt::OpenHandCursor);
    // The board may lay itself out anew and this chip with it: nothing may follow.
    Q_EMIT dropped(event->pos());
}

/// Whoever turns the wheel over the slider scrolls the page, and does not want another plan.
bool DeviceChip::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_slider || event->type() != QEvent::Wheel)
        return QFrame::eventFilter(watched, event);
    event->ignore();
    return true;
}

void DeviceChip::keyPressEvent(QKeyEvent *event) {
    const int stages = static_cast<int>(m_draft.plan().stages.size());
    if (event->key() == Qt::Key_Escape && m_dragging) {
        m_dragging = false;
        m_pressed.reset();
        setCursor(Qt::OpenHandCursor);
        Q_EMIT dragCancelled();
    } else if (event->key() == Qt::Key_Left && event->modifiers() == Qt::AltModifier && m_stage != 0) {
        moveTo(m_stage < 0 ? stages - 1 : m_stage - 1);
    } else if (event->key() == Qt::Key_Right && event->modifiers() == Qt::AltModifier && m_stage + 1 < stages) {
        moveTo(m_stage + 1);
    } else if (event->key() == Qt::Key_Delete && m_stage >= 0) {
        moveTo(std::nullopt);
    } else if (event->key() == Qt::Key_L && event->modifiers() == Qt::NoModifier) {
        toggleLock();
    } else {
        QFrame::keyPressEvent(event);
    }
}

}  // namespace hearth
