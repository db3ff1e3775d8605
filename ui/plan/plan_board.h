// The stages of a plan side by side, with their devices as chips that can be moved between them.
#pragma once

#include <QFrame>
#include <QMap>
#include <optional>
#include <vector>

#include "core/model/model.h"
#include "ui/words/slots.h"

class QGridLayout;
class QLabel;
class QVBoxLayout;
class QVariantAnimation;

namespace hearth {

class DeviceChip;
class PlanDraft;
struct Plan;

/// Columns "planStage1", … and "planRest". Dropping a chip on a column moves it there; near its left or right edge a
/// new stage is made there. While it is dragged the numbers follow; an impossible drop slides back.
class PlanBoard : public QWidget {
    Q_OBJECT
  public:
    explicit PlanBoard(PlanDraft &draft, QWidget *parent = nullptr);
    void setModel(const Model &model, DType type);
    void refresh();
    /// Of one column, if it must be.
    QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

  private:
    struct Target {
        enum class Kind { Stage, NewStage, Rest } kind = Kind::Rest;
        int index = 0;
        bool operator==(const Target &) const = default;
    };
    struct Column {
        QFrame *frame;
        QLabel *what;
        QVBoxLayout *chips;
        bool rests;
    };
    /// A device, and which of its stages this is.
    using Seat = std::pair<QString, int>;
    using Structure = std::vector<QList<Seat>>;  // of each stage; last: devices at rest

    Structure structureOf(const Plan &plan) const;
    void rebuild(const Structure &structure);
    Column makeColumn(int stage);
    static void remove(QWidget *widget);
    void removeStaleChips();
    std::vector<Column> placeColumns(std::size_t stages);
    void fillRows();
    void fitRows();
    int widestColumn() const;
    void placeChips();
    void placeChip(const Column &column, int at, const Seat &seat);
    DeviceChip *makeChip(const QString &device, QWidget *parent);
    QString describe(int stage) const;
    void drag(DeviceChip *chip, const QPoint &at);
    void drop(DeviceChip *chip, const QPoint &at);
    void slideBack(DeviceChip *chip);
    void endDrag();
    std::optional<Target> targetAt(const QPoint &at) const;
    QRect insertionLine(int place) const;

    PlanDraft &m_draft;
    std::optional<Model> m_model;
    std::vector<std::vector<NamedSlot>> m_slots;  // by cut, before the first layer first
    Structure m_structure;
    QGridLayout *m_grid;
    int m_perRow = 1;
    std::vector<Column> m_columns;
    QMap<Seat, DeviceChip *> m_chips;
    QLabel *m_ghost;  // what is dragged, under the mouse
    QVariantAnimation *m_back;
    std::optional<Target> m_target;
};

}  // namespace hearth
