// Between the threads that want samples of another device and the one that has its connection.
#pragma once

#include <QCborMap>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "core/base/error.h"

namespace hearth {

/// What is asked of the holder: the call's name and its arguments without a request's number. Plain value.
struct HolderCall {
    QString op;
    QCborMap args;
};

/// Any thread may read() and is blocked until the answer is there, or the holder away; the connection's thread calls
/// all else. While nobody is connected, a read fails at once with the reason.
class HolderReads {
  public:
    using Send = std::function<void(quint64 request, const HolderCall &call)>;

    explicit HolderReads(Error away) : m_away(std::move(away)) {}

    /// Fills `out`. Errors: why the holder is away ("data.unreadable"), or will not be used any more; its own.
    Result<void> read(const HolderCall &call, std::span<std::byte> out);

    /// From now on reads are given to `send`, which posts them to the connection's thread, in that of the reader.
    void connected(Send send);
    /// What is read now and until connected() fails so; after final() nothing else counts.
    void away(const Error &reason);
    void final(const Error &reason);
    /// The next bytes of a request. Nobody may want them any more; false: it is more than was asked for.
    bool take(quint64 request, std::span<const std::byte> bytes);
    /// Nothing of it comes after that but bytes which its end has overtaken.
    void end(quint64 request, const Result<void> &end);

  private:
    struct Read {
        std::span<std::byte> out;
        std::size_t filled = 0;
        bool hasEnded = false;
        std::optional<Result<void>> result;
    };
    void failAll(const Error &reason);
    void settle(Read &read);

    std::mutex m_mutex;
    std::condition_variable m_settled;
    std::map<quint64, Read *> m_reads;  // on their threads' stacks, until they are settled
    quint64 m_last = 0;
    Send m_send;  // empty: nobody is connected
    Error m_away;
    bool m_isFinal = false;
};

}  // namespace hearth
