// One device in the picture of the home.
#pragma once

#include <QFont>
#include <QGraphicsObject>
#include <QPixmap>
#include <optional>
#include <vector>

#include "core/home/device_info.h"
#include "ui/home/device_look.h"

namespace hearth {

class Measurements;

/// What a card shows besides the device itself; filled from the run.
struct DeviceActivity {
    std::vector<int> stages;  // from 0
    double speed = 0;         // FLOP/s in the run; 0 where not measured
    std::optional<std::pair<int, int>> measuring;
    DeviceFate fate{};
    QStringList measured{};  // the same speed in words, the longest first: the first that fits is shown

    bool operator==(const DeviceActivity &) const = default;
};

/// With `measurements` the speed is what was measured for the home, not what the run reached.
DeviceActivity activityOf(const DeviceInfo &device, const RunModel &run, const Measurements *measurements = nullptr);

/// "Stage 2"; "Stages 1 and 3"; "None".
QString stagesText(const std::vector<int> &stages);

/// The stage of a device as a chip: the one it computes, or had when it was lost.
struct StageChip {
    QString text;
    QColor fill, colour;
};
std::optional<StageChip> stageChip(const DeviceActivity &activity);

/// Can be dragged, and stays in the picture; texts and colours are made when something changes, painting only draws
/// them.
class DeviceCard : public QGraphicsObject {
    Q_OBJECT
  public:
    static constexpr qreal width = 232;
    static constexpr qreal height = 128;

    DeviceCard(const DeviceInfo &device, const DeviceActivity &activity);

    void show(const DeviceInfo &device, const DeviceActivity &activity);
    void retheme();
    const DeviceInfo &device() const { return m_device; }
    /// Where the middle of a card may lie, so that all of it is in the picture.
    static QRectF roomIn(const QRectF &picture);

    QRectF boundingRect() const override;
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *option, QWidget *widget) override;

  Q_SIGNALS:
    void moved();
    /// By a person.
    void dragged();

  protected:
    QVariant itemChange(GraphicsItemChange change, const QVariant &value) override;
    void mousePressEvent(QGraphicsSceneMouseEvent *event) override;
    void mouseMoveEvent(QGraphicsSceneMouseEvent *event) override;

  private:
    void layOut();
    struct Line {
        QPointF baseline;
        QString text;
        QFont font;
        QColor colour;
    };

    DeviceInfo m_device;
    DeviceActivity m_activity;
    bool m_isDragged = false;
    std::vector<Line> m_lines;
    QString m_kindIcon, m_stateIcon;
    QColor m_kindColour, m_stateColour;
    QPointF m_stateIconAt;
    QRectF m_chip;
    QColor m_chipColour;
    qreal m_progress = -1;
};

}  // namespace hearth
