// What a connection does once it is open: running programs and copying files.
#include <QDeadlineTimer>
#include <QFile>

#include "core/home/install/shell_words.h"
#include "core/home/install/ssh_private.h"

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

Error tooMuch() {
    return {
        QStringLiteral("install.too-much-output"), QStringLiteral("A program on the device printed too much."), {}, {}};
}

}  // namespace

QString lastWords(const RemoteOutput &output) {
    constexpr qsizetype maximumWords = 400;
    const QByteArray &from = output.errors.trimmed().isEmpty() ? output.output : output.errors;
    QString text = QString::fromUtf8(from.trimmed().right(maximumWords));
    text.replace(QLatin1Char('\n'), QLatin1Char(' ')).removeIf([](QChar c) { return !c.isPrint(); });
    return text.isEmpty() ? QStringLiteral("It said nothing.") : QStringLiteral("It said: %1").arg(text.simplified());
}

Result<void> succeeded(const Result<RemoteOutput> &done, Error otherwise) {
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0)
        return {};
    otherwise.cause = lastWords(*done);
    return tl::unexpected(std::move(otherwise));
}

Result<RemoteOutput> SshHost::run(const QStringList &words, const QByteArray &input,
                                  std::chrono::milliseconds deadline) {
    qsizetype at = 0;
    const QDeadlineTimer timer(deadline);
    return exchange(
        words,
        [&](qsizetype most) {
            const QByteArray piece = input.mid(at, most);
            at += piece.size();
            return piece;
        },
        [&] { return timer.hasExpired(); });
}

Result<RemoteOutput> SshHost::exchange(const QStringList &words, const std::function<QByteArray(qsizetype)> &more,
                                       const std::function<bool()> &isTooLate) {
    const auto command = shellCommand(words);
    if (!command)
        return tl::unexpected(command.error());
    const QString doing = QStringLiteral("while %1 ran").arg(words.value(0));
    const ChannelHandle channel(ssh_channel_new(d->session.get()));
    if (!channel || ssh_channel_open_session(channel.get()) != SSH_OK ||
        ssh_channel_request_exec(channel.get(), command->constData()) != SSH_OK)
        return tl::unexpected(d->lost(doing));
    RemoteOutput result;
    bool isWriting = true;
    while (ssh_channel_is_eof(channel.get()) == 0) {
        if (!isConnected())
            return tl::unexpected(d->lost(doing));
        if (d->isCancelled())
            return tl::unexpected(cancelledError());
        if (isTooLate()) {
            return fail(QStringLiteral("install.too-slow"),
                        QStringLiteral("A step on %1 took too long.").arg(d->target.host),
                        QStringLiteral("%1 did not end in time.").arg(words.value(0)),
                        QStringLiteral("Look at the device, then try again."));
        }
        // Never more than the other end takes now: a write that waits could not be cancelled.
        const auto window = static_cast<qsizetype>(ssh_channel_window_size(channel.get()));
        bool hasWritten = false;
        if (isWriting && window > 0) {
            const QByteArray piece = more(std::min(window, pieceBytes));
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
    result.status = ssh_channel_get_exit_status(channel.get());
    ssh_channel_close(channel.get());
    return result;
}

Result<void> SshHost::upload(const QString &localPath, const QString &remotePath,
                             const std::function<void(qint64)> &progress) {
    QFile file(localPath);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(QStringLiteral("install.no-package"), QStringLiteral("%1 cannot be read.").arg(localPath),
                    file.errorString() + QLatin1Char('.'), QStringLiteral("Check the file."));
    }
    QDeadlineTimer stalled(stallDeadline);
    // Through a program rather than SFTP, whose calls wait without an end for a device that has gone.
    const auto done = exchange(
        {QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("set -C; umask 077; cat >\"$1\""),
         QStringLiteral("sh"), remotePath},
        [&](qsizetype most) {
            const QByteArray piece = file.read(most);
            stalled.setRemainingTime(stallDeadline);
            progress(file.pos());
            return piece;
        },
        [&] { return stalled.hasExpired(); });
    if (!done)
        return tl::unexpected(done.error());
    if (done->status == 0 && file.error() == QFileDevice::NoError)
        return {};
    return fail(QStringLiteral("install.not-copied"),
                QStringLiteral("The package could not be copied to %1.").arg(d->target.host), lastWords(*done),
                QStringLiteral("Free some space there, in /tmp."));
}

}  // namespace hearth
