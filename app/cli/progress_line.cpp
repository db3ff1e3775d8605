#include "app/cli/progress_line.h"

#include <unistd.h>

#include "core/base/terminal.h"

namespace hearth {

ProgressLine::ProgressLine() : m_terminal(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const QString &text) {
    if (!m_terminal || (text.isEmpty() && !m_open))
        return;
    writeOver(stderr, text);
    m_open = !text.isEmpty();
}

}  // namespace hearth
