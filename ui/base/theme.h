// Colours, fonts and the style sheet of the window, light and dark.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

class QWidget;

namespace hearth {

enum class ThemeKind { Light, Dark };
/// What the user wants; System follows the desktop's palette, also when it changes while the window is open.
enum class ThemeChoice { System, Light, Dark };

/// One set of colours. Every text colour has a contrast of at least 4.5:1 on the surfaces it is used on; the theme's
/// test computes them. Plain value.
struct Theme {
    ThemeKind kind = ThemeKind::Light;
    QColor window, rail, surface, raised, border, controlBorder, hover, selected, scroll;
    QColor text, secondary, disabled, disabledFill;
    QColor accent, accentHover, onAccent, accentText, focus;
    QColor good, slow, bad, badSurface, info;
    QColor gridLine;

    static const Theme &of(ThemeKind kind);
    /// Fill and text of the band of stage `index`; eight distinct fills, then they repeat.
    QColor stageFill(int index) const;
    QColor onStage() const;
    /// Of one curve among many: so many distinct ones, each at least 3:1 on `surface`, then they repeat.
    static constexpr int lineColours = 12;
    QColor line(int index) const;
    QPalette palette() const;
};

/// The three text sizes of the window, all derived from the system's font.
QFont bodyFont();
QFont smallFont();
QFont titleFont();

/// Holds the choice and applies it. GUI thread; one per application, reached with `instance()`, because graphics items,
/// plots and icons need the current colours without a chain of parameters. Labels and tips show plain text, always.
class ThemeManager : public QObject {
    Q_OBJECT
  public:
    static ThemeManager &instance();

    const Theme &theme() const { return Theme::of(m_kind); }
    ThemeKind kind() const { return m_kind; }
    ThemeChoice choice() const { return m_choice; }
    void setChoice(ThemeChoice choice);
    /// Styles a top-level window now and after every change.
    void attach(QWidget *window);

  Q_SIGNALS:
    void changed();

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    ThemeManager();
    void refresh();
    void style(QWidget *window) const;

    ThemeChoice m_choice = ThemeChoice::System;
    ThemeKind m_kind = ThemeKind::Light;
    QString m_sheet;
};

}  // namespace hearth
