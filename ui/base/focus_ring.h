// The focus of widgets that paint themselves and do not ask the style.
#pragma once

#include <QWidget>

namespace hearth {

/// A ring around its parent while that has the focus; it takes no events. GUI thread.
class FocusRing : public QWidget {
  public:
    explicit FocusRing(QWidget *around);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace hearth
