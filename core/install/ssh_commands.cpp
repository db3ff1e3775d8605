// What a connection does once it is open: running programs and copying files.
#include <QDeadlineTimer>
#include <QFile>

#include "core/base/sentence.h"
#include "core/install/shell_words.h"
#include "core/install/ssh_private.h"

namespace hearth {
namespace {

constexpr int pollMilliseconds = 50;
constexpr int windowPollMilliseconds = 5;  // while the other end makes room
constexpr qsizetype pieceBytes = 32 << 10;
constexpr std::chrono::seconds stallDeadline{60};  // of a copy: a slow card, not a dead one

/// What is there now; false where there is too much of it.
bool take(ssh_channel channel, bool errors, int timeout, QByteArray &to) {
    char piece[16 << 10];
    const int got = ssh_channel_read_timeout(channel, piece, sizeof piece, errors ? 1 : 0, timeout);
    if (got > 0)
        to.append(piece, got);
    return to.size() <= RemoteHost::maximumOutput;
}

/// Whose turn it is while a program may ask for a password.
class PasswordTurn {
  public:
    enum Turn { Wait, Password, Input, End };
    explicit PasswordTurn(const RemoteCommand &command) : m_command(command), m_turn(command.password ? Wait : Input) {}

    /// Password once, at the first prompt; then Wait, until it has begun or asks again.
    Turn next(const QByteArray &errors) {
        if (m_turn == Input || m_turn == End)
            return m_turn;
        if (errors.contains(m_command.begun))
            return m_turn = Input;
        const qsizetype prompts = errors.count(m_command.prompt);
        if (prompts > m_answered)
            return m_answered++ == 0 ? Password : m_turn = End;
        return Wait;
    }
    void clean(QByteArray &errors) const {
        if (m_command.password)
            errors.replace(m_command.prompt, QByteArray()).replace(m_command.begun, QByteArray());
    }

  private:
    const RemoteCommand &m_command;
    Turn m_turn;
    qsizetype m_answered = 0;
};

Error tooMuch() {
    return {QStringLiteral("install.too-much-output"), sentence("A program on the device printed too much."), {}, {}};
}

}  // namespace

Sentence endOfOutput(const RemoteOutput &output) {
    constexpr qsizetype maximumWords = 400;
    const QByteArray &from = output.errors.trimmed().isEmpty() ? output.output : output.errors;
    QString text = QString::fromUtf8(from.trimmed().right(maximumWords));
    text.replace(QLatin1Char('\n'), QLatin1Char(' ')).removeIf([](QChar c) { return !c.isPrint(); });
    return text.isEmpty() ? sentence("It said nothing.") : sentence("It said: %1").arg(text.simplified());
}

Result<void> succeeded(const Result<RemoteOutput> &done, Error otherwise) {
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    otherwise.cause = endOfOutput(*done);
    return tl::unexpected(std::move(otherwise));
}

Result<RemoteOutput> SshHost::run(const RemoteCommand &command, const QByteArray &input,
                                  std::chrono::milliseconds deadline) {
    qsizetype at = 0;
    const QDeadlineTimer timer(deadline);
    return exchange(
        command,
        [&](qsizetype most) {
            const QByteArray piece = input.mid(at, most);
            at += piece.size();
            return piece;
        },
        [&] { return timer.hasExpired(); });
}

Result<RemoteOutput> SshHost::exchange(const RemoteCommand &asked, const std::function<QByteArray(qsizetype)> &more,
                                       const std::function<bool()> &isTooLate) {
    const QStringList &words = asked.words;
    const auto command = shellCommand(words);
    if (!command)
        return tl::unexpected(command.error());
    const QString doing = QStringLiteral("while %1 ran").arg(words.value(0));
    const ChannelHandle channel(ssh_channel_new(d->session.get()));
    if (!channel || ssh_channel_open_session(channel.get()) != SSH_OK ||
        ssh_channel_request_exec(channel.get(), command->constData()) != SSH_OK)
        return tl::unexpected(d->lost(doing));
    RemoteOutput result;
    PasswordTurn turn(asked);
    bool isWriting = true;
    while (ssh_channel_is_eof(channel.get()) == 0) {
        if (!isConnected())
            return tl::unexpected(d->lost(doing));
        if (d->isCancelled())
            return tl::unexpected(cancelledError());
        if (isTooLate()) {
            return fail(QStringLiteral("install.too-slow"), sentence("A step on %1 took too long.").arg(d->target.host),
                        sentence("%1 did not end in time.").arg(words.value(0)),
                        sentence("Look at the device, then try again."));
        }
        // Never more than the other end takes now: a write that waits could not be cancelled.
        const auto window = static_cast<qsizetype>(ssh_channel_window_size(channel.get()));
        bool hasWritten = false;
        const auto now = turn.next(result.errors);
        if (now == PasswordTurn::Password) {
            ssh_channel_write(channel.get(), asked.password->data(), static_cast<uint32_t>(asked.password->size()));
            ssh_channel_write(channel.get(), "\n", 1);
        } else if (isWriting && window > 0 && now != PasswordTurn::Wait) {
            const QByteArray piece = now == PasswordTurn::End ? QByteArray() : more(std::min(window, pieceBytes));
            hasWritten = !piece.isEmpty();
            // It may read no more; how it ended says why.
            const bool isTaken = hasWritten && ssh_channel_write(channel.get(), piece.constData(),
                                                                 static_cast<uint32_t>(piece.size())) == piece.size();
            if (!isTaken) {
                isWriting = false;
                ssh_channel_send_eof(channel.get());
            }
        }
        if (!take(channel.get(), false,
                  hasWritten  ? 0
                  : isWriting ? windowPollMilliseconds
                              : pollMilliseconds,
                  result.output) ||
            !take(channel.get(), true, 0, result.errors))
            return tl::unexpected(tooMuch());
    }
    for (const bool errors : {false, true}) {
        QByteArray &to = errors ? result.errors : result.output;
        for (qsizetype before = -1; before != to.size();) {
            before = to.size();
            if (!take(channel.get(), errors, 0, to))
                return tl::unexpected(tooMuch());
        }
    }
    turn.clean(result.errors);
    result.status = ssh_channel_get_exit_status(channel.get());
    ssh_channel_close(channel.get());
    return result;
}

Result<RemoteOutput> SshHost::upload(const QString &localPath, const RemoteCommand &command,
                                     const std::function<void(qint64)> &progress) {
    QFile file(localPath);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(QStringLiteral("install.no-package"), sentence("%1 cannot be read.").arg(localPath),
                    file.errorString() + QLatin1Char('.'), sentence("Check the file."));
    }
    QDeadlineTimer stalled(stallDeadline);
    // Through a program rather than SFTP, whose calls wait without an end for a device that has gone.
    auto done = exchange(
        command,
        [&](qsizetype most) {
            const QByteArray piece = file.read(most);
            stalled.setRemainingTime(stallDeadline);
            progress(file.pos());
            return piece;
        },
        [&] { return stalled.hasExpired(); });
    if (done && file.error() != QFileDevice::NoError) {
        return fail(QStringLiteral("install.no-package"), sentence("%1 cannot be read.").arg(localPath),
                    file.errorString() + QLatin1Char('.'), sentence("Check the file."));
    }
    return done;
}

}  // namespace hearth
