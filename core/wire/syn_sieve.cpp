#include "core/wire/syn_sieve.h"

#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <QtEndian>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/sentence.h"
#include "core/base/system_reason.h"

namespace hearth {
namespace {

constexpr quint32 pass = std::numeric_limits<quint32>::max();
constexpr quint32 drop = 0;
// The filter sees the packet from its TCP header on; the IP header before it is at an offset of its own.
constexpr quint32 tcpFlags = 13;
constexpr quint32 synAndAck = 0x12;
constexpr quint32 syn = 0x02;
constexpr auto network = static_cast<quint32>(SKF_NET_OFF);
constexpr quint32 sourceV4 = network + 12;
constexpr quint32 sourceV6 = network + 8;
constexpr auto randomNumber = static_cast<quint32>(SKF_AD_OFF + SKF_AD_RANDOM);

class Program {
  public:
    void load(quint32 from) { add(BPF_LD | BPF_W | BPF_ABS, from); }
    void loadByte(quint32 from) { add(BPF_LD | BPF_B | BPF_ABS, from); }
    void store(quint32 cell) { add(BPF_ST, cell); }
    void recall(quint32 cell) { add(BPF_LD | BPF_W | BPF_MEM, cell); }
    void mask(quint32 bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
    void shiftRight(quint32 bits) { add(BPF_ALU | BPF_RSH | BPF_K, bits); }
    void end(quint32 verdict) { add(BPF_RET | BPF_K, verdict); }
    void skipUnlessEqual(quint32 value, quint8 skipped) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped); }
    void skipIfAtLeast(quint32 value, quint8 skipped) { add(BPF_JMP | BPF_JGE | BPF_K, value, skipped, 0); }
    /// A jump that may be far: where to is said later.
    std::size_t jump() {
        add(BPF_JMP | BPF_JA, 0);
        return m_code.size() - 1;
    }
    void land(std::size_t jump) { m_code[jump].k = static_cast<quint32>(m_code.size() - jump - 1); }
    const std::vector<sock_filter> &code() const { return m_code; }

  private:
    void add(int code, quint32 k, quint8 ifTrue = 0, quint8 ifFalse = 0) {
        m_code.push_back({static_cast<quint16>(code), ifTrue, ifFalse, k});
    }
    std::vector<sock_filter> m_code;
};

void judgeV4(Program &program, const QList<QHostAddress> &addresses, quint32 verdict) {
    for (const QHostAddress &address : addresses) {
        if (address.protocol() != QAbstractSocket::IPv4Protocol)
            continue;
        program.skipUnlessEqual(address.toIPv4Address(), 1);
        program.end(verdict);
    }
}

void judgeV6(Program &program, const QList<QHostAddress> &addresses, quint32 verdict) {
    for (const QHostAddress &address : addresses) {
        if (address.protocol() != QAbstractSocket::IPv6Protocol)
            continue;
        const Q_IPV6ADDR bytes = address.toIPv6Address();
        for (quint32 word = 0; word < 4; ++word) {
            program.recall(word);
            program.skipUnlessEqual(qFromBigEndian<quint32>(&bytes.c[4 * word]), static_cast<quint8>(7 - 2 * word));
        }
        program.end(verdict);
    }
}

void drawLots(Program &program, double share) {
    if (share < 1) {
        program.load(randomNumber);
        program.skipIfAtLeast(static_cast<quint32>(std::ldexp(std::max(share, 0.0), 32)), 1);
        program.end(pass);
        program.end(drop);
    }
    program.end(pass);
}

}  // namespace

Result<void> sieveConnections(qintptr listener, const QList<QHostAddress> &passed, const QList<QHostAddress> &shutOut,
                              double share) {
    Program program;
    program.loadByte(tcpFlags);
    program.mask(synAndAck);
    program.skipUnlessEqual(syn, 1);
    const std::size_t asks = program.jump();
    program.end(pass);
    program.land(asks);
    program.loadByte(network);
    program.shiftRight(4);
    program.skipUnlessEqual(4, 1);
    const std::size_t isV4 = program.jump();

    // Loaded once: in the kernel each load from a packet is several instructions, and it takes only so much memory.
    for (quint32 word = 0; word < 4; ++word) {
        program.load(sourceV6 + 4 * word);
        program.store(word);
    }
    judgeV6(program, shutOut, drop);
    judgeV6(program, passed + QList<QHostAddress>{QHostAddress(QHostAddress::LocalHostIPv6)}, pass);
    drawLots(program, share);

    program.land(isV4);
    program.load(sourceV4);
    judgeV4(program, shutOut, drop);
    judgeV4(program, passed, pass);
    program.shiftRight(24);
    program.skipUnlessEqual(IN_LOOPBACKNET, 1);
    program.end(pass);
    drawLots(program, share);

    const std::vector<sock_filter> &code = program.code();
    const sock_fprog filter{static_cast<unsigned short>(code.size()), const_cast<sock_filter *>(code.data())};
    if (::setsockopt(static_cast<int>(listener), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0) {
        return fail(QStringLiteral("wire.no-sieve"),
                    sentence("The kernel cannot be told which connections to leave unanswered."), systemReason(errno));
    }
    return {};
}

void removeSieve(qintptr socket) {
    const int unused = 0;
    ::setsockopt(static_cast<int>(socket), SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}

}  // namespace hearth
