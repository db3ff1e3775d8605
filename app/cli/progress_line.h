// How far a long command has come.
#pragma once

#include <QString>

namespace hearth {

/// One line on a terminal's standard error that is written over and gone at the end; nothing elsewhere.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine() { show({}); }
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;
    void show(const QString &text);

  private:
    bool m_terminal = false;
    bool m_open = false;
};

}  // namespace hearth
