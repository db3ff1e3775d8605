// What a connection begins with, as it trickles in. The first two bytes are the listener's limit, the rest the stream.
#include <QByteArrayView>
#include <cstdint>
#include <cstdlib>

#include "core/wire/first_bytes.h"

namespace {

void require(bool condition) {
    if (!condition)
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using hearth::FirstBytes;
    if (size < 2)
        return 0;
    const qsizetype limit = data[0] << 8 | data[1];
    const QByteArrayView stream(data + 2, static_cast<qsizetype>(size) - 2);
    FirstBytes before;
    for (qsizetype count = 0; count <= stream.size(); ++count) {
        const FirstBytes now = hearth::judgeFirstBytes(stream.first(count), limit);
        switch (before.kind) {
            case FirstBytes::Kind::Incomplete:
                // A connection is looked at again only when what was asked for has come: it must not be late then.
                require(now.kind != FirstBytes::Kind::Hello || count >= before.needed);
                break;
            case FirstBytes::Kind::Hello:
                require(now.kind == FirstBytes::Kind::Hello && now.needed == before.needed);
                break;
            case FirstBytes::Kind::Foreign:
                require(now.kind == FirstBytes::Kind::Foreign);
                break;
        }
        if (now.kind == FirstBytes::Kind::Incomplete)
            require(now.needed > count && now.needed >= before.needed);
        if (now.kind == FirstBytes::Kind::Hello)
            require(now.needed <= count && now.needed <= limit);
        before = now;
    }
    return 0;
}
