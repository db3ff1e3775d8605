// One device in the plan: its share, its memory, and what can be done with it.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPoint>
#include <optional>

#include "ui/base/theme.h"

class QPushButton;
class QSlider;
class QMenu;

namespace hearth {

class Meter;
class PlanDraft;
class StillText;

/// "chip-<name>", with "share-<name>" (the slider), "lock-<name>" and "more-<name>" (the menu that says all a mouse can
/// do). With the keyboard: Alt+Left and Alt+Right move it to the neighboring stage, Delete to rest, L locks it.
class DeviceChip : public QFrame {
    Q_OBJECT
  public:
    DeviceChip(PlanDraft &draft, const QString &device, QWidget *parent = nullptr);
    const QString &device() const { return m_device; }
    /// False where the device is called otherwise since this was made, or has become editable: make it anew then.
    bool isUpToDate() const;
    /// Shows the draft's plan anew. `stage` is where it lies, -1 at rest, and `samples` its share there.
    void refresh(int stage, int samples);

  Q_SIGNALS:
    /// The mouse is somewhere else with it, in this widget's coordinates; then it is let go, or the drag is given up.
    void dragged(const QPoint &at);
    void dropped(const QPoint &at);
    void dragCancelled();

  protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    /// What of the draft is seen on a chip.
    struct Shown {
        int stage = -1;
        int samples = 0, microBatch = 0;
        bool shared = false;
        qint64 needed = 0, limit = 0;
        bool locked = false, shareLocked = false;
        ThemeKind theme = ThemeKind::Light;
        bool operator==(const Shown &) const = default;
    };
    Shown shownOf(int stage, int samples) const;
    void buildButtons(const QString &name);
    void buildShare(const QString &name);
    void fillMenu();
    void moveTo(std::optional<int> stage);
    void takeSlider(int samples);
    void toggleLock();
    void toggleShareLock();

    PlanDraft &m_draft;
    QString m_device;
    QString m_name;
    bool m_editable;
    std::optional<Shown> m_shown;
    int m_stage = -1;
    std::optional<QPoint> m_pressed;
    bool m_dragging = false;
    bool m_refreshing = false;
    StillText *m_share, *m_memory;
    QPushButton *m_lock, *m_more;
    QMenu *m_menu = nullptr;
    QSlider *m_slider;
    Meter *m_memoryBar;
};

}  // namespace hearth
