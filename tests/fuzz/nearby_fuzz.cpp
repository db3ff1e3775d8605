// What anybody in the network can announce: services come and go as the input says, and the book stays sound.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/discovery/computer_book.h"
#include "core/discovery/nearby_book.h"

namespace {

/// Reads the input as it is needed; zeros after its end.
class Script {
  public:
    Script(const std::uint8_t *data, std::size_t size) : m_data(data), m_left(size) {}
    bool atEnd() const { return m_left == 0; }
    std::uint8_t byte() {
        if (m_left == 0)
            return 0;
        --m_left;
        return *m_data++;
    }
    QByteArray bytes() {
        const std::size_t length = byte();
        const std::size_t here = std::min(length, m_left);
        const QByteArray result(reinterpret_cast<const char *>(m_data), static_cast<qsizetype>(here));
        m_data += here;
        m_left -= here;
        return result;
    }

  private:
    const std::uint8_t *m_data;
    std::size_t m_left;
};

QHostAddress addressOf(Script &script, bool isIpv6) {
    Q_IPV6ADDR v6{};
    quint32 v4 = 0;
    for (int i = 0; i < (isIpv6 ? 16 : 4); ++i) {
        const std::uint8_t byte = script.byte();
        v6[i] = byte;
        v4 = v4 << 8 | byte;
    }
    return isIpv6 ? QHostAddress(v6) : QHostAddress(v4);
}

void require(bool condition) {
    if (!condition)
        std::abort();
}

void check(const hearth::NearbyBook &book, const std::vector<hearth::FoundComputer> &computers) {
    const hearth::Nearby nearby{book.devices(), {}, {}, computers};
    for (const hearth::FoundComputer &computer : computers) {
        require(computer.name.size() <= 64 && computer.host.size() <= 64);
        require(!computer.addresses.isEmpty() && computer.addresses.size() <= 8);
        for (const char32_t c : computer.name.toUcs4())
            require(QChar::isPrint(c));
    }
    require(nearby.devices.size() <= hearth::Nearby::maximumStrangers + 1);
    for (const hearth::NearbyDevice &device : nearby.devices) {
        require(hearth::isAnnouncedPrefix(device.prefix));
        require(device.name.size() <= 64 && device.addresses.size() <= 8 && device.hosts.size() <= 4);
        require(!device.addresses.isEmpty() && !device.hosts.isEmpty());
        for (const char32_t c : device.name.toUcs4())
            require(QChar::isPrint(c));
        device.toJson();
    }
    require(hearth::Nearby::fromCbor(nearby.toCbor()) == nearby);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const QList<hearth::Subnet> subnets{{QHostAddress(QStringLiteral("203.0.113.1")), 24}};
    Script script(data, std::min<std::size_t>(size, 65536));
    hearth::NearbyBook book(QStringLiteral("00000000000000ff"));
    book.setTrusted({{QStringLiteral("0000000000000001"), QStringLiteral("kitchen")}});
    hearth::ComputerBook computers;
    while (!script.atEnd()) {
        const std::uint8_t kind = script.byte();
        hearth::ServiceSeen service;
        service.key = {kind >> 4, (kind & 1) != 0, script.bytes()};
        if ((kind & 0xe) == 2) {
            book.lose(service.key);
            computers.lose(service.key);
        } else if ((kind & 0xe) == 4) {
            book.clear();
            computers.clear();
        } else {
            service.isLocal = (kind & 8) != 0;
            service.host = script.bytes();
            service.address = addressOf(script, service.key.isIpv6);
            service.port = static_cast<quint16>(script.byte() << 8 | script.byte());
            for (std::uint8_t strings = script.byte() % 40; strings > 0 && !script.atEnd(); --strings)
                service.txt << script.bytes();
            hearth::isAtHome(service.address, subnets);
            book.see(service, 1000);
            service.key.type = hearth::computerServices()[kind % 3];
            computers.see(service);
        }
    }
    check(book, computers.computers(subnets, {}));
    return 0;
}
