// A question in the terminal that leaves the event loop running.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>
#include <QString>
#include <memory>

struct termios;

namespace hearth {

/// Asks on the controlling terminal, whatever standard input and output are. Main thread. The terminal is as it was
/// when this is gone.
class TerminalPrompt : public QObject {
    Q_OBJECT
  public:
    enum class Echo { Shown, Hidden };

    explicit TerminalPrompt(QObject *parent = nullptr);
    ~TerminalPrompt() override;

    /// There may be none, as in a service.
    bool hasTerminal() const { return m_terminal >= 0; }
    /// `answered` follows, unless this dies before. One question at a time.
    void ask(const QString &question, Echo echo);

  Q_SIGNALS:
    /// Without the line end; bytes as typed. The receiver moves them on and keeps no copy.
    void answered(QByteArray &line);

  private:
    void read();
    void restore();

    int m_terminal = -1;
    std::unique_ptr<termios> m_before;  // while nothing is shown
    std::unique_ptr<QSocketNotifier> m_notifier;
};

}  // namespace hearth
