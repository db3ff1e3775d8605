// What a connection begins with, before any TLS object exists for it.
#pragma once

#include <QByteArrayView>
#include <QtGlobal>

namespace hearth {

struct FirstBytes {
    enum class Kind {
        Incomplete,  // so far it may become one; look again once there are `needed` bytes
        Hello,       // a whole ClientHello in one record, of `needed` bytes
        Foreign,     // no ClientHello, or none that this listener would read to its end
    };
    Kind kind = Kind::Incomplete;
    qsizetype needed = 0;
};

/// Judges the frame of a ClientHello (RFC 8446, sections 4 and 5.1), not what is in it: a handshake record of version
/// 3.x, whose one message fills it and, with its headers, is at most `limit` bytes long. TLS would let it come in
/// several records; a hello that fits into the limit has no reason to. Nothing is allocated. Any thread.
FirstBytes judgeFirstBytes(QByteArrayView bytes, qsizetype limit);

}  // namespace hearth
