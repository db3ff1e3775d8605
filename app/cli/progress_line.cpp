#include "app/cli/progress_line.h"

#include <unistd.h>
#include <cstdio>

namespace hearth {

ProgressLine::ProgressLine() : m_terminal(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const QString &text) {
    if (!m_terminal || (text.isEmpty() && !m_open))
        return;
    std::fprintf(stderr, "\r\033[K%s", qUtf8Printable(text));
    std::fflush(stderr);
    m_open = !text.isEmpty();
}

}  // namespace hearth
