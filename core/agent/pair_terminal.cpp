#include "core/agent/pair_terminal.h"

#include <termios.h>
#include <unistd.h>
#include <QJsonDocument>
#include <QSocketNotifier>
#include <array>
#include <utility>

#include "core/agent/programs.h"
#include "core/base/terminal.h"

namespace hearth {
namespace {

// A line that answers a question is short.
constexpr qsizetype longestLine = 256;

QString grouped(const QString &fingerprint) {
    QStringList groups;
    for (qsizetype i = 0; i < fingerprint.size(); i += 4)
        groups << fingerprint.mid(i, 4);
    return groups.join(QLatin1Char(' '));
}

QString inTwo(const QString &code) {
    return code.left(3) + QLatin1Char(' ') + code.mid(3);
}

}  // namespace

QString largeDigits(const QString &code) {
    // Three columns of five rows each, a bit per cell, the top left one highest.
    constexpr std::array<int, 10> shapes{0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9,
                                         0x79cf, 0x79ef, 0x7249, 0x7bef, 0x7bcf};
    QStringList rows;
    for (int row = 0; row < 5; ++row) {
        QString text;
        for (qsizetype i = 0; i < code.size(); ++i) {
            const int digit = code[i].digitValue();
            const int shape = digit < 0 ? 0 : shapes[static_cast<std::size_t>(digit)];
            for (int column = 0; column < 3; ++column)
                text += (shape >> (14 - 3 * row - column)) & 1 ? QLatin1String("##") : QLatin1String("  ");
            text += i == 2 ? QLatin1String("      ") : QLatin1String("  ");
        }
        while (text.endsWith(QLatin1Char(' ')))
            text.chop(1);
        rows << QStringLiteral("    ") + text;
    }
    return rows.join(QLatin1Char('\n'));
}

PairTerminal::PairTerminal(AgentClient &client, PairTerminalOptions options, QObject *parent)
    : QObject(parent), m_client(client), m_options(std::move(options)) {
    m_second.setInterval(std::chrono::seconds(1));
    connect(&m_second, &QTimer::timeout, this, &PairTerminal::countDown);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        finish(fail(QStringLiteral("pairing.nobody"), sentence("No device wanted to pair."),
                    sentence("This end waited for %1 s.").arg(m_options.wait.count()),
                    sentence("Start again, and pair from the other device meanwhile.")));
    });
}

PairTerminal::~PairTerminal() = default;

Result<void> PairTerminal::check(const PairTerminalOptions &options) {
    if (options.expectedCode || ::isatty(STDIN_FILENO) != 0)
        return {};
    return fail(QStringLiteral("pairing.no-terminal"),
                sentence("A person has to compare the digits, and there is no terminal to ask in."),
                sentence("Standard input is none."),
                sentence("Run it in a terminal, or give the digits of the other device with --yes-code."));
}

void PairTerminal::endCounting() {
    if (std::exchange(m_isCounting, false))
        writeLine(stderr, {});
}

void PairTerminal::say(const QString &text) {
    endCounting();
    writeLine(stderr, text);
}

void PairTerminal::start(Done done) {
    m_done = std::move(done);
    connect(&m_client, &AgentClient::pairingChanged, this, &PairTerminal::follow);
    connect(&m_client, &AgentClient::pairingRefused, this, &PairTerminal::tellRefused);
    connect(&m_client, &AgentClient::closed, this, [this](const Error &reason) { finish(tl::unexpected(reason)); });
    if (m_options.addresses.isEmpty()) {
        say(QStringLiteral("Waiting for a device that wants to pair. Ctrl-C ends it."));
        m_patience.start(m_options.wait);
        m_client.subscribe();
        return;
    }
    m_client.startPairing(m_options.addresses, m_options.prefix, this, [this](const Result<PairingStatus> &result) {
        if (!result) {
            finish(tl::unexpected(result.error()));
            return;
        }
        m_begun = true;
        m_client.subscribe();
    });
}

void PairTerminal::interrupt() {
    const auto end = [this] {
        finish(fail(QStringLiteral("pairing.cancelled"), sentence("The pairing was cancelled.")));
    };
    if (!m_begun)
        end();
    else
        m_client.cancelPairing(this, [end](const auto &) { end(); });  // the other device is told, too
}

void PairTerminal::follow(const PairingStatus &status) {
    if (!m_begun) {
        // What was before does not count here.
        if (status.phase != PairingPhase::WantsToPair)
            return;
        m_begun = true;
        m_patience.stop();
        say(QStringLiteral("%1 at %2 wants to pair.").arg(status.name, status.address));
        m_client.acceptPairing(status.fingerprint, this, [this](const Result<PairingStatus> &result) {
            if (!result)
                finish(tl::unexpected(result.error()));
        });
    }
    show(status);
}

/// This end goes on waiting: the device may come again once the former one is forgotten.
void PairTerminal::tellRefused(const PairingStatus &stranger) {
    if (m_begun || !stranger.error || std::exchange(m_refused, stranger.fingerprint) == stranger.fingerprint)
        return;
    say(QStringLiteral("A device at %1 was refused: %2").arg(stranger.address, stranger.error->what.english()));
    say(QStringLiteral("If it is the same computer, set up anew, let this device forget the former one:"));
    // What follows two dashes is no option, whatever it looks like.
    const QString dashes = stranger.name.startsWith(QLatin1Char('-')) ? QStringLiteral("-- ") : QString();
    say(QStringLiteral("    %1 %2%3").arg(m_options.forgetCommand, dashes, shellWord(stranger.name)));
    say(QStringLiteral("Then pair from there again. Still waiting …"));
}

void PairTerminal::show(const PairingStatus &status) {
    const bool isNew = status.phase != m_status.phase || status.code != m_status.code;
    m_status = status;
    m_secondsLeft = status.secondsLeft;
    if (!isNew)
        return;
    if (m_options.json) {
        writeJson(stdout, QJsonDocument(status.toJson()).toJson(QJsonDocument::Compact));
    }
    switch (status.phase) {
        case PairingPhase::Connecting:
            if (!status.incoming)
                say(QStringLiteral("Connecting to %1 …").arg(status.address));
            break;
        case PairingPhase::Asking:
            say(QStringLiteral("%1 is asked. Accept there: in its window, or with \"hearth-agent pair\".")
                    .arg(status.name));
            m_second.start();
            break;
        case PairingPhase::Compare:
            ask(status);
            break;
        case PairingPhase::WaitingForOther:
            say(QStringLiteral("Confirmed here. Waiting for %1 …").arg(status.name));
            break;
        case PairingPhase::Paired:
            finish(status);
            break;
        case PairingPhase::Failed:
            finish(tl::unexpected(status.error.value_or(
                Error{QStringLiteral("pairing.failed"), sentence("The devices were not paired."), {}, {}})));
            break;
        case PairingPhase::None:
            finish(fail(QStringLiteral("pairing.gone"), sentence("The other device has given up."), {},
                        sentence("Start again.")));
            break;
        case PairingPhase::WantsToPair:
            break;
    }
}

void PairTerminal::ask(const PairingStatus &status) {
    if (!m_askedCode.isEmpty())
        return;
    m_askedCode = status.code;
    endCounting();
    writeOwnLines(stderr, QStringLiteral("\n%1\n\n    %2\n").arg(largeDigits(status.code), inTwo(status.code)));
    say(QStringLiteral("The device calls itself %1. Its fingerprint is").arg(status.name));
    say(grouped(status.fingerprint));
    say(QStringLiteral("Paired devices compute for each other and see what is trained on."));
    if (m_options.expectedCode && *m_options.expectedCode != QLatin1String("-")) {
        answer(*m_options.expectedCode);
        return;
    }
    // A key that was pressed before the question is no answer to it.
    if (!m_options.expectedCode && ::isatty(STDIN_FILENO) != 0)
        ::tcflush(STDIN_FILENO, TCIFLUSH);
    if (!m_options.expectedCode)
        say(QStringLiteral("Does the other device show the same digits? [y/N]"));
    m_input = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
    connect(m_input.get(), &QSocketNotifier::activated, this, &PairTerminal::readInput);
    m_second.start();
}

void PairTerminal::readInput() {
    std::array<char, longestLine> bytes;
    const auto count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count > 0)
        m_line.append(bytes.data(), static_cast<qsizetype>(count));
    const qsizetype end = m_line.indexOf('\n');
    if (end < 0 && count > 0 && m_line.size() < longestLine)
        return;
    m_input->setEnabled(false);
    // The end of the input without an answer is none.
    answer(QString::fromUtf8(end < 0 ? m_line.left(longestLine) : m_line.left(end)).trimmed());
}

void PairTerminal::answer(const QString &line) {
    QString given = line;
    if (m_options.expectedCode) {
        given.remove(QLatin1Char(' '));
        confirm(given == m_askedCode);
    } else {
        confirm(given.compare(QLatin1String("y"), Qt::CaseInsensitive) == 0 ||
                given.compare(QLatin1String("yes"), Qt::CaseInsensitive) == 0);
    }
}

void PairTerminal::confirm(bool match) {
    m_client.confirmPairing(match, m_askedCode, this, [this](const Result<PairingStatus> &result) {
        if (!result)
            finish(tl::unexpected(result.error()));
    });
}

void PairTerminal::countDown() {
    m_secondsLeft = std::max(0, m_secondsLeft - 1);
    if (::isatty(STDERR_FILENO) == 0)
        return;
    writeOver(stderr, QStringLiteral("%1 s left ").arg(m_secondsLeft, 2));
    m_isCounting = true;
}

void PairTerminal::finish(Result<PairingStatus> result) {
    m_second.stop();
    m_patience.stop();
    m_client.disconnect(this);
    if (m_input)
        m_input->setEnabled(false);
    endCounting();
    if (m_done)
        std::exchange(m_done, nullptr)(std::move(result));
}

}  // namespace hearth
