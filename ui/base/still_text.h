// One line of small text that changes often: unlike a label it asks nobody to lay anything out again.
#pragma once

#include <QWidget>

namespace hearth {

/// As wide as the widest text so far: nothing jumps when numbers grow or shrink. The accessible name is the text.
class StillText : public QWidget {
    Q_OBJECT
  public:
    explicit StillText(QWidget *parent = nullptr);
    void setText(const QString &text);
    void setAlignment(Qt::Alignment alignment) { m_alignment = alignment; }
    const QString &text() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    QString m_text;
    Qt::Alignment m_alignment = Qt::AlignLeft | Qt::AlignVCenter;
    int m_width = 0;
};

}  // namespace hearth
