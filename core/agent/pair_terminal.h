// One end of a pairing in a terminal: `hearth pair` and `hearth-agent pair`.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "core/agent/agent_client.h"
#include "core/base/error.h"
#include "core/pairing/pairing_status.h"

class QSocketNotifier;

namespace hearth {

struct PairTerminalOptions {
    /// Whom to dial; without one the next device that wants to pair is taken.
    QStringList addresses;
    QString prefix;     // of the device found nearby that has them; empty: the person gave the address
    bool json = false;  // every state as one line on standard output
    /// What the digits have to be; they are confirmed where they are exactly that, and else denied. "-": a line of
    /// standard input says it once the digits are there. Nothing: a person is asked, who needs a terminal.
    std::optional<QString> expectedCode;
    std::chrono::seconds wait{300};  // for a device that wants to pair
    /// How this device forgets one, but for its name: said where one that was set up anew is refused.
    QString forgetCommand;
};

/// Pairs once. Main thread; `client` is connected and outlives it. Words for people go to standard error.
class PairTerminal : public QObject {
    Q_OBJECT
  public:
    using Done = std::function<void(Result<PairingStatus>)>;

    PairTerminal(AgentClient &client, PairTerminalOptions options, QObject *parent = nullptr);
    ~PairTerminal() override;

    /// "pairing.no-terminal" where a person would have to be asked and cannot be.
    static Result<void> check(const PairTerminalOptions &options);
    /// `done` is called once: paired, or why not.
    void start(Done done);
    /// Ctrl-C: cancels at both ends.
    void interrupt();

  private:
    void follow(const PairingStatus &status);
    void tellRefused(const PairingStatus &stranger);
    void show(const PairingStatus &status);
    void ask(const PairingStatus &status);
    void readInput();
    void answer(const QString &line);
    void confirm(bool match);
    void countDown();
    void finish(Result<PairingStatus> result);
    void say(const QString &text);
    void endCounting();

    AgentClient &m_client;
    PairTerminalOptions m_options;
    Done m_done;
    PairingStatus m_status;
    bool m_begun = false;
    QString m_refused;          // the key of the device of which was told last
    QString m_askedCode;        // the digits that the person was shown; empty before
    bool m_isCounting = false;  // the line of the countdown stands at the cursor
    int m_secondsLeft = 0;
    QTimer m_second;
    QTimer m_patience;
    std::unique_ptr<QSocketNotifier> m_input;
    QByteArray m_line;
};

/// Six digits, five lines high.
QString largeDigits(const QString &code);

}  // namespace hearth
