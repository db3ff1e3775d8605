// What an installation needs of the computer at the other end: a seam for tests.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <chrono>
#include <functional>

#include "core/base/error.h"

namespace hearth {

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

    /// `words` reach the program as they are; `input` is its standard input.
    virtual Result<RemoteOutput> run(const QStringList &words, const QByteArray &input = {},
                                     std::chrono::milliseconds deadline = usualDeadline) = 0;
    /// Writes a new file with mode 0600; `progress` gets the bytes done so far.
    virtual Result<void> upload(const QString &localPath, const QString &remotePath,
                                const std::function<void(qint64)> &progress) = 0;
};

/// Output that stands in a message to a person: the last lines that say something, without control characters.
QString lastWords(const RemoteOutput &output);

/// For programs that have to succeed. One that failed is `otherwise`, whose cause are its last words.
Result<void> succeeded(const Result<RemoteOutput> &done, Error otherwise);

}  // namespace hearth
