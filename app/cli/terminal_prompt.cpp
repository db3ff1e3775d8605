#include "app/cli/terminal_prompt.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>
#include <cstring>

#include "core/base/terminal.h"

namespace hearth {

TerminalPrompt::TerminalPrompt(QObject *parent) : QObject(parent) {
    m_terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (m_terminal < 0)
        return;
    m_notifier = std::make_unique<QSocketNotifier>(m_terminal, QSocketNotifier::Read);
    m_notifier->setEnabled(false);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &TerminalPrompt::read);
}

TerminalPrompt::~TerminalPrompt() {
    restore();
    m_notifier.reset();
    if (m_terminal >= 0)
        ::close(m_terminal);
}

void TerminalPrompt::restore() {
    if (!m_before)
        return;
    ::tcsetattr(m_terminal, TCSAFLUSH, m_before.get());
    m_before.reset();
    // The line end was not shown either.
    [[maybe_unused]] const auto written = ::write(m_terminal, "\n", 1);
}

void TerminalPrompt::ask(const QString &question, Echo echo) {
    const QByteArray text = terminalText(question).toUtf8() + ' ';
    [[maybe_unused]] const auto written = ::write(m_terminal, text.constData(), static_cast<size_t>(text.size()));
    termios now{};
    if (echo == Echo::Hidden && ::tcgetattr(m_terminal, &now) == 0) {
        m_before = std::make_unique<termios>(now);
        now.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        // What was typed before the question is no answer to it.
        ::tcsetattr(m_terminal, TCSAFLUSH, &now);
    }
    m_notifier->setEnabled(true);
}

void TerminalPrompt::read() {
    char line[4096];  // the longest that a terminal gives at once
    const auto got = ::read(m_terminal, line, sizeof line);
    m_notifier->setEnabled(false);
    restore();
    qsizetype size = std::max<qsizetype>(0, got);
    while (size > 0 && (line[size - 1] == '\n' || line[size - 1] == '\r'))
        --size;
    QByteArray answer(line, size);
    ::explicit_bzero(line, sizeof line);
    Q_EMIT answered(answer);
}

}  // namespace hearth
