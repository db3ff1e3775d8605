#include "ui/home/device_card.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QGraphicsScene>
#include <QGraphicsSceneMouseEvent>
#include <QLocale>
#include <QPainter>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/home/measurements.h"
#include "ui/words/format.h"

namespace hearth {

namespace {
constexpr qreal pad = 2 * grid;
constexpr qreal iconSide = 20;
constexpr qreal stateIconSide = 16;
constexpr qreal chipHeight = 3 * grid;
constexpr qreal pictureMargin = 6;
}  // namespace

std::optional<StageChip> stageChip(const DeviceActivity &activity) {
    const Theme &theme = ThemeManager::instance().theme();
    const bool away = activity.fate.health == Health::Lost || activity.fate.health == Health::Left;
    if (away && activity.fate.stage)
        return StageChip{DeviceCard::tr("Had stage %1").arg(*activity.fate.stage + 1), theme.disabledFill, theme.text};
    if (away || activity.stages.empty())
        return std::nullopt;
    return StageChip{stagesText(activity.stages), theme.stageFill(activity.stages.front()), theme.onStage()};
}

QString stagesText(const std::vector<int> &stages) {
    QStringList numbers;
    for (const int stage : stages)
        numbers << formatCount(stage + 1);
    if (numbers.isEmpty())
        return DeviceCard::tr("None");
    return numbers.size() == 1 ? DeviceCard::tr("Stage %1").arg(numbers.front())
                               : DeviceCard::tr("Stages %1").arg(QLocale().createSeparatedList(numbers));
}

DeviceActivity activityOf(const DeviceInfo &device, const RunModel &run, const Measurements *measurements) {
    // Speed and stage describe a run that is shown, also after it ended; a measurement, and who is lost, only while it
    // happens.
    DeviceActivity activity{
        run.devices().stagesOf(device.id), run.devices().measuredSpeed(device.id), std::nullopt, {}};
    if (run.isLive()) {
        activity.measuring = run.devices().profileProgress(device.id);
        activity.fate = run.devices().fate(device.id);
    }
    if (measurements != nullptr) {
        if (const auto progress = measurements->progressOf(device))
            activity.measuring = progress;
        for (const QString &text : {measurements->speedText(device.id), measurements->ratioText(device.id)}) {
            if (!text.isEmpty())
                activity.measured << text;
        }
    }
    return activity;
}

DeviceCard::DeviceCard(const DeviceInfo &device, const DeviceActivity &activity)
    : m_device(device), m_activity(activity) {
    setFlags(ItemIsMovable | ItemIsSelectable | ItemSendsGeometryChanges);
    setCursor(Qt::PointingHandCursor);
    setCacheMode(DeviceCoordinateCache);
    layOut();
}

void DeviceCard::show(const DeviceInfo &device, const DeviceActivity &activity) {
    if (device == m_device && activity == m_activity) {
        return;
    }
    m_device = device;
    m_activity = activity;
    layOut();
    update();
}

void DeviceCard::retheme() {
    layOut();
    update();
}

QRectF DeviceCard::roomIn(const QRectF &picture) {
    const qreal x = width / 2 + pictureMargin, y = height / 2 + pictureMargin;
    return picture.adjusted(x, y, -x, -y);
}

QRectF DeviceCard::boundingRect() const {
    return QRectF(-width / 2 - 2, -height / 2 - 2, width + 4, height + 4);
}

void DeviceCard::layOut() {
    const Theme &theme = ThemeManager::instance().theme();
    QFont strong = bodyFont();
    strong.setWeight(QFont::DemiBold);
    const QFont small = smallFont();
    const QFontMetricsF strongMetrics(strong), smallMetrics(small);
    const qreal left = -width / 2 + pad, right = width / 2 - pad, top = -height / 2 + pad;
    m_lines.clear();

    const DeviceLook look = m_activity.measuring ? measuringLook() : lookOf(m_device, m_activity.fate.health);
    const qreal wordWidth = smallMetrics.horizontalAdvance(look.word);
    const qreal rowBase = top + (iconSide + strongMetrics.capHeight()) / 2;
    m_lines.push_back({{right - wordWidth, rowBase}, look.word, small, theme.*look.colour});
    m_stateIcon = look.iconName;
    m_stateColour = theme.*look.colour;
    m_stateIconAt = {right - wordWidth - stateIconSide - 4, top + (iconSide - stateIconSide) / 2};
    m_kindIcon = kindIcon(m_device);
    m_kindColour = theme.secondary;

    const qreal nameLeft = left + iconSide + grid;
    const qreal nameWidth = m_stateIconAt.x() - grid - nameLeft;
    m_lines.push_back(
        {{nameLeft, rowBase}, strongMetrics.elidedText(m_device.name, Qt::ElideRight, nameWidth), strong, theme.text});

    const qreal step = smallMetrics.height() + 2;
    qreal y = top + iconSide + grid + smallMetrics.ascent();
    const QString where = m_device.self ? tr("This computer · %1").arg(m_device.address) : m_device.address;
    m_lines.push_back(
        {{left, y}, smallMetrics.elidedText(where, Qt::ElideRight, right - left), small, theme.secondary});
    y += step;
    const QString memory = formatBytes(m_device.memoryBytes);
    const bool onCard = m_device.card && m_device.card->computes();
    // There is room for one name, and its maker says least.
    QString cardName = onCard ? m_device.card->name : QString();
    cardName.remove(QStringLiteral("NVIDIA "));
    const QString resources = onCard ? QStringLiteral("%1 · %2").arg(cardName, memory)
                                     : tr("%n thread(s) · %1", nullptr, m_device.threads).arg(memory);
    m_lines.push_back(
        {{left, y}, smallMetrics.elidedText(resources, Qt::ElideRight, right - left), small, theme.secondary});

    // The last line: progress of a measurement, else the stage as a chip with the speed beside it.
    m_chip = {};
    m_progress = -1;
    const qreal chipTop = height / 2 - pad - chipHeight + 4;
    const qreal chipBase = chipTop + (chipHeight + smallMetrics.capHeight()) / 2;
    if (m_activity.measuring && m_activity.measuring->second > 0) {
        m_progress = static_cast<qreal>(m_activity.measuring->first) / m_activity.measuring->second;
        m_chip = QRectF(left, chipTop + chipHeight / 2 - 3, right - left, 6);
        return;
    }
    qreal speedLeft = left;
    const bool away = m_activity.fate.health == Health::Lost || m_activity.fate.health == Health::Left;
    if (const auto chip = stageChip(m_activity)) {
        m_chip = QRectF(left, chipTop, smallMetrics.horizontalAdvance(chip->text) + 2 * grid, chipHeight);
        m_chipColour = chip->fill;
        m_lines.push_back({{left + grid, chipBase}, chip->text, small, chip->colour});
        speedLeft = m_chip.right() + grid;
    }
    if (away)
        return;
    if (!m_activity.measured.isEmpty()) {
        const auto fitting = std::ranges::find_if(m_activity.measured, [&](const QString &text) {
            return smallMetrics.horizontalAdvance(text) <= right - speedLeft;
        });
        const QString text = fitting == m_activity.measured.end() ? m_activity.measured.last() : *fitting;
        m_lines.push_back({{speedLeft, chipBase},
                           smallMetrics.elidedText(text, Qt::ElideRight, right - speedLeft),
                           small,
                           theme.text});
    } else if (m_activity.speed > 0) {
        m_lines.push_back(
            {{speedLeft, chipBase}, tr("%1 GFLOP/s").arg(formatNumber(m_activity.speed / 1e9)), small, theme.text});
    }
}

void DeviceCard::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) {
    const Theme &theme = ThemeManager::instance().theme();
    const qreal ratio = painter->device()->devicePixelRatioF();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF frame(-width / 2, -height / 2, width, height);
    painter->setPen(isSelected() ? QPen(theme.accent, 2) : QPen(theme.border, 1));
    painter->setBrush(theme.surface);
    painter->drawRoundedRect(frame, grid, grid);

    const QPointF kindAt = frame.topLeft() + QPointF(pad, pad);
    painter->drawPixmap(kindAt, iconPixmap(m_kindIcon, m_kindColour, static_cast<int>(iconSide), ratio));
    painter->drawPixmap(m_stateIconAt, iconPixmap(m_stateIcon, m_stateColour, static_cast<int>(stateIconSide), ratio));

    painter->setPen(Qt::NoPen);
    if (m_progress >= 0) {
        painter->setBrush(theme.disabledFill);
        painter->drawRoundedRect(m_chip, 3, 3);
        QRectF done = m_chip;
        done.setWidth(m_chip.width() * m_progress);
        painter->setBrush(theme.info);
        painter->drawRoundedRect(done, 3, 3);
    } else if (!m_chip.isEmpty()) {
        painter->setBrush(m_chipColour);
        painter->drawRoundedRect(m_chip, chipHeight / 2, chipHeight / 2);
    }
    for (const Line &line : m_lines) {
        painter->setFont(line.font);
        painter->setPen(line.colour);
        painter->drawText(line.baseline, line.text);
    }
}

QVariant DeviceCard::itemChange(GraphicsItemChange change, const QVariant &value) {
    if (change == ItemPositionHasChanged) {
        Q_EMIT moved();
    }
    if (change == ItemPositionChange && scene() != nullptr) {
        const QRectF room = roomIn(scene()->sceneRect());
        const QPointF wanted = value.toPointF();
        return QPointF(std::max(room.left(), std::min(wanted.x(), room.right())),
                       std::max(room.top(), std::min(wanted.y(), room.bottom())));
    }
    return QGraphicsObject::itemChange(change, value);
}

void DeviceCard::mousePressEvent(QGraphicsSceneMouseEvent *event) {
    m_isDragged = false;
    QGraphicsObject::mousePressEvent(event);
}

void DeviceCard::mouseMoveEvent(QGraphicsSceneMouseEvent *event) {
    if (!(event->buttons() & Qt::LeftButton))
        return;
    // A hand that trembles while it clicks drags nothing.
    const QPoint way = event->screenPos() - event->buttonDownScreenPos(Qt::LeftButton);
    m_isDragged |= way.manhattanLength() >= QApplication::startDragDistance();
    if (!m_isDragged)
        return;
    QGraphicsObject::mouseMoveEvent(event);
    Q_EMIT dragged();
}

}  // namespace hearth
