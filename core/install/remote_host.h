// What an installation needs of the computer at the other end: a seam for tests.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <chrono>
#include <functional>

#include "core/base/error.h"
#include "core/install/secret.h"

namespace hearth {

/// `words` reach the program as they are. Plain value.
struct RemoteCommand {
    RemoteCommand(QStringList words_) : words(std::move(words_)) {}  // NOLINT(google-explicit-constructor)
    QStringList words;
    /// Of a program that may ask for a password before it begins: `prompt` is what it asks with on its standard error,
    /// `begun` what stands there once it reads its input. The password is sent after the first prompt and never
    /// without one; asked again it gets the end of the input. Neither word is in what it said.
    const Secret *password = nullptr;  // null: it asks for none
    QByteArray prompt, begun;
};

struct RemoteOutput {
    int status = -1;  // of the program; 128 + n where a signal ended it
    QByteArray output;
    QByteArray errors;
};

/// One thread; calls block. An error means that the command could not be run, or that nobody knows how it ended; a
/// program that ran and failed is a status.
class RemoteHost {
  public:
    static constexpr qsizetype maximumOutput = 4 << 20;  // of one command
    static constexpr std::chrono::seconds usualDeadline{60};

    virtual ~RemoteHost() = default;

    /// `input` is its standard input.
    virtual Result<RemoteOutput> run(const RemoteCommand &command, const QByteArray &input = {},
                                     std::chrono::milliseconds deadline = usualDeadline) = 0;
    /// The same with a local file as the input; `progress` gets the bytes done so far.
    virtual Result<RemoteOutput> upload(const QString &localPath, const RemoteCommand &command,
                                        const std::function<void(qint64)> &progress) = 0;
};

/// Output that stands in a message to a person: the last lines that say something, without control characters.
Sentence endOfOutput(const RemoteOutput &output);

/// For programs that have to succeed. One that failed is `otherwise`, whose cause are its last words.
Result<void> succeeded(const Result<RemoteOutput> &done, Error otherwise);

}  // namespace hearth
