// Messages that come and go without moving what is under the pointer.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace hearth {

/// Lies over the lower edge of a widget, as high as what is shown in it. GUI thread; a sibling of `over`, whose parent
/// owns both.
class FloatStack : public QWidget {
  public:
    explicit FloatStack(QWidget *over);
    /// Below those that are there; takes the panel over.
    void add(QWidget *panel);

  protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void place();

    QWidget *m_over;
    QVBoxLayout *m_panels;
};

}  // namespace hearth
