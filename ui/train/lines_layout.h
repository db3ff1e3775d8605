// Widgets in as many lines as it takes.
#pragma once

#include <QLayout>
#include <QList>
#include <QWidget>

namespace hearth {

/// One after the other, in the next line what finds no room. Without margins; spacing() lies between the lines, none at
/// first. Owns its items. GUI thread.
class LinesLayout : public QLayout {
  public:
    explicit LinesLayout(QWidget *parent);
    ~LinesLayout() override;
    LinesLayout(const LinesLayout &) = delete;
    LinesLayout &operator=(const LinesLayout &) = delete;

    void addItem(QLayoutItem *item) override { m_items.append(item); }
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem *itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
    QSize sizeHint() const override { return {minimumSize().width(), place({0, 0, QWIDGETSIZE_MAX, 0}, false)}; }
    QSize minimumSize() const override;
    void setGeometry(const QRect &room) override;

  private:
    /// Returns the height of all lines.
    int place(const QRect &room, bool moves) const;

    QList<QLayoutItem *> m_items;
};

}  // namespace hearth
