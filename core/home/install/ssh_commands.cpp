// What a connection does once it is open: running programs and copying files.
#include <fcntl.h>
#include <sys/stat.h>
#include <QDeadlineTimer>
#include <QFile>

#include "core/home/install/shell_words.h"
#include "core/home/install/ssh_private.h"

namespace hearth {
namespace {

constexpr int pollMilliseconds = 50;
constexpr uint32_t pieceBytes = 32 << 10;  // what every SFTP server takes at once

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

Result<RemoteOutput> SshHost::run(const QStringList &words, const QByteArray &input,
                                  std::chrono::milliseconds deadline) {
    const auto command = shellCommand(words);
    if (!command)
        return tl::unexpected(command.error());
    const QString doing = QStringLiteral("while %1 ran").arg(words.value(0));
    const ChannelHandle channel(ssh_channel_new(d->session.get()));
    if (!channel || ssh_channel_open_session(channel.get()) != SSH_OK ||
        ssh_channel_request_exec(channel.get(), command->constData()) != SSH_OK)
        return tl::unexpected(d->lost(doing));
    qsizetype written = 0;
    while (written < input.size()) {
        const auto size = static_cast<uint32_t>(std::min<qsizetype>(input.size() - written, pieceBytes));
        const int done = ssh_channel_write(channel.get(), input.constData() + written, size);
        if (done == SSH_ERROR)
            break;  // it does not read any more; how it ended says why
        written += done;
    }
    ssh_channel_send_eof(channel.get());

    RemoteOutput result;
    const QDeadlineTimer timer(deadline);
    while (ssh_channel_is_eof(channel.get()) == 0) {
        if (!isConnected())
            return tl::unexpected(d->lost(doing));
        if (d->isCancelled())
            return tl::unexpected(cancelledError());
        if (timer.hasExpired()) {
            return fail(QStringLiteral("install.too-slow"),
                        QStringLiteral("A step on %1 took too long.").arg(d->target.host),
                        QStringLiteral("%1 did not end within %2 s.")
                            .arg(words.value(0))
                            .arg(std::chrono::duration_cast<std::chrono::seconds>(deadline).count()),
                        QStringLiteral("Look at the device, then try again."));
        }
        if (!take(channel.get(), false, pollMilliseconds, result.output) ||
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
    const SftpHandle sftp(sftp_new(d->session.get()));
    if (!sftp || sftp_init(sftp.get()) != SSH_OK) {
        return fail(QStringLiteral("ssh.no-sftp"), QStringLiteral("Files cannot be copied to %1.").arg(d->target.host),
                    QStringLiteral("Its SSH server has no SFTP."),
                    QStringLiteral("Install openssh-sftp-server there, and see \"Subsystem sftp\" in sshd_config."));
    }
    SftpFileHandle target(
        sftp_open(sftp.get(), remotePath.toUtf8().constData(), O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR));
    const auto notWritten = [&] {
        return fail(QStringLiteral("install.not-copied"),
                    QStringLiteral("The package could not be copied to %1.").arg(d->target.host), d->lastError(),
                    QStringLiteral("Free some space there, in /tmp."));
    };
    if (!target)
        return isConnected() ? notWritten() : tl::unexpected(d->lost(QStringLiteral("while the package was copied")));
    qint64 done = 0;
    QByteArray piece;
    while (!(piece = file.read(pieceBytes)).isEmpty()) {
        if (d->isCancelled())
            return tl::unexpected(cancelledError());
        if (sftp_write(target.get(), piece.constData(), static_cast<size_t>(piece.size())) != piece.size())
            return isConnected() ? notWritten()
                                 : tl::unexpected(d->lost(QStringLiteral("while the package was copied")));
        done += piece.size();
        progress(done);
    }
    if (sftp_close(target.release()) != SSH_OK)
        return notWritten();
    return {};
}

}  // namespace hearth
