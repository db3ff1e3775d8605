// A person at the window, played: finds things by their names, clicks, types, waits, and keeps pictures of the screen.
#pragma once

#include <QDir>
#include <QElapsedTimer>
#include <QImage>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

namespace hearth {

/// Whatever does not come within five minutes, or is not there, ends the program with a message. GUI thread.
class Walk {
  public:
    /// Pictures are kept in memory until save(), so that writing them takes none of the time that is measured.
    Walk(QWidget &window, const QString &folder) : m_window(window), m_folder(folder) {}

    template <class T>
    T *find(const char *name) const {
        auto *found = m_window.findChild<T *>(QLatin1String(name));
        if (found == nullptr)
            qFatal("There is no %s.", name);
        return found;
    }
    bool isShown(const char *name) const;
    void click(const char *button) const;
    void type(const char *line, const QString &text) const;
    /// By its place in the list.
    void pick(const char *box, int index) const;
    void wait(const char *what, const std::function<bool()> &until) const;
    /// Of the whole screen, as the X server has it.
    void shoot(const char *name);
    /// Writes all pictures: "1-where.png", "2-…".
    qsizetype save() const;

  private:
    QWidget &m_window;
    QString m_folder;
    std::vector<std::pair<QString, QImage>> m_pictures;
};

}  // namespace hearth
