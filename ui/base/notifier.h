// A word to somebody who is not looking at the window. A seam: tests note what would be said.
#pragma once

#include <QObject>
#include <QString>

class QMenu;

namespace hearth {

/// GUI thread.
class Notifier : public QObject {
    Q_OBJECT
  public:
    enum class Kind { News, Trouble };
    using QObject::QObject;

    /// Whether anybody would see or hear it here.
    virtual bool isAvailable() const = 0;
    virtual void notify(Kind kind, const QString &title, const QString &text) = 0;
    /// An icon beside the clock that says this; empty: no icon.
    virtual void setPresence(const QString &text) = 0;
    /// What the icon offers; null: nothing. Whoever gave a menu takes it back before it goes.
    virtual void setMenu(QMenu *menu) = 0;

  Q_SIGNALS:
    /// Somebody clicked what was said, or the icon.
    void windowWanted();
};

}  // namespace hearth
