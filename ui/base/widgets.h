// Small pieces that every page is made of.
#pragma once

#include <QAbstractButton>
#include <QBoxLayout>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <functional>

#include "core/base/error.h"
#include "ui/base/theme.h"

class QAction;
class QMenu;
class QScrollArea;

namespace hearth {

/// The grid: all margins and gaps are multiples of this.
constexpr int grid = 8;

using ThemeColour = QColor Theme::*;

/// Gives a button one of Hearth's icons in a colour of the theme, now and after theme changes.
void setThemedIcon(QAbstractButton *button, const QString &name, ThemeColour colour, ThemeColour checked = nullptr);

/// A label in one of the roles of the style sheet: "title", "figure", "strong", "secondary", "small", "mono".
QLabel *makeLabel(const QString &text, const char *role, QWidget *parent = nullptr);
/// Gives a widget another role, and the looks of it.
void setRole(QWidget *widget, const char *role);
/// A button in one of the roles: "primary", "link", "segment", or plain with an empty role.
QPushButton *makeButton(const QString &objectName, const QString &text, const char *role, QWidget *parent = nullptr);
/// Scrolls `body` up and down, with the background of what it lies on. Where it takes the focus, for the keys that
/// scroll, a ring shows that; else the body needs something that takes it.
QScrollArea *makeScroll(const QString &objectName, QWidget *body, Qt::FocusPolicy focus);
/// An entry at the end of a menu.
QAction *addNamed(QMenu &menu, const char *objectName, const QString &text);

/// Takes the focus from the field of this widget's window that has it: what was typed there counts. Buttons do so, as a
/// click on one leaves the focus where it is.
void finishTyping(const QWidget *widget);

/// Shows one line and as much of it as fits; the whole is in the tool tip and the accessible name.
class ElidedLabel : public QLabel {
    Q_OBJECT
  public:
    explicit ElidedLabel(QWidget *parent = nullptr);
    void setFullText(const QString &text);
    const QString &fullText() const { return m_full; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

  private:
    void elide();
    QString m_full;
};

/// An icon in the theme's colour; follows the theme.
class IconLabel : public QLabel {
    Q_OBJECT
  public:
    IconLabel(const QString &name, ThemeColour colour, int size, QWidget *parent = nullptr);
    void setIcon(const QString &name, ThemeColour colour);

  private:
    void refresh();
    QString m_name;
    ThemeColour m_colour;
    int m_size;
};

/// A caption over a large number that changes: "Samples per second / 1,234".
class Figure : public QFrame {
    Q_OBJECT
  public:
    enum class Holds {
        Number,
        Names,  // as much of them as fits; the whole is in the tool tip and the accessible name
    };
    Figure(const QString &objectName, const QString &caption, Holds holds = Holds::Number, QWidget *parent = nullptr);
    void setValue(const QString &value, const QString &note = {});
    /// In a low window: the value is smaller, and the note beside it, as much of it as fits.
    void setCompact(bool compact);
    QString value() const;
    QString note() const;

  private:
    QLabel *m_value;
    ElidedLabel *m_note;
    QBoxLayout *m_lines;  // both
};

/// What happened, why, what to do, with "Copy details" and "Close". Hidden until an error is shown.
class ErrorPanel : public QWidget {
    Q_OBJECT
  public:
    enum class In {
        Window,
        Dialog,  // whose own margins it has, and whose own "Close"
    };
    explicit ErrorPanel(In where, QWidget *parent = nullptr);
    void showError(const Error &error);
    /// What "Copy details" puts on the clipboard.
    QString details() const;

  private:
    Error m_error;
    QLabel *m_what;
    QLabel *m_why;
};

}  // namespace hearth
