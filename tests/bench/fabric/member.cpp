#include "tests/bench/fabric/member.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QThread>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/wire/tls_dial.h"

namespace hearth {
namespace {

const QHostAddress loopback(QHostAddress::LocalHost);
constexpr quint16 outcomeSlot = 3;

float valueOf(int member, qint64 element) {
    return static_cast<float>(member + 1) * static_cast<float>(element % 7);
}

}  // namespace

Member::Member(int self, int members, qint64 elements, Publish publish)
    : m_publish(std::move(publish)),
      m_self(self),
      m_members(members),
      m_values(static_cast<std::size_t>(elements)),
      m_copy(m_values.size()),
      m_owed(m_values.size()),
      m_rendezvous(std::make_shared<Rendezvous>([this] {
          for (const Rendezvous::Entry &entry : m_rendezvous->takePublished())
              m_publish(entry);
      })) {}

void Member::waitUntil(const std::function<bool()> &condition) const {
    QEventLoop loop;
    while (!condition())
        loop.processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
}

Member::Address Member::listen() {
    m_identity = *Identity::generate(QStringLiteral("member"));
    m_listener = std::make_unique<TlsListener>(m_identity, [](const Fingerprint &) { return true; });
    QObject::connect(m_listener.get(), &TlsListener::channelReady, m_listener.get(), [this](Channel *channel) {
        m_unknown.push_back(channel);
        if (!m_addresses.empty())
            adopt(channel);
    });
    return {m_identity.fingerprint(), *m_listener->listen(loopback, 0, 0)};
}

void Member::adopt(Channel *channel) {
    std::erase(m_unknown, channel);
    const auto who = std::ranges::find(m_addresses, channel->peer(), &Address::fingerprint);
    const int from = static_cast<int>(who - m_addresses.begin());
    m_channels[from].reset(channel);
    QObject::connect(channel, &Channel::tensorReceived, channel,
                     [this, from](const TensorFrame &frame) { receive(from, frame); });
}

bool Member::connectLinks(const std::vector<Address> &addresses) {
    m_addresses = addresses;
    for (Channel *channel : std::vector<Channel *>(m_unknown))
        adopt(channel);
    bool failed = false;
    for (int other = m_self + 1; other < m_members; ++other) {
        const Address &address = addresses[static_cast<std::size_t>(other)];
        dialTls(m_identity, loopback.toString(), address.port, address.fingerprint, defaultDialDeadline,
                m_listener.get(), [&](Result<std::unique_ptr<Channel>> channel) {
                    failed |= !channel;
                    if (channel)
                        adopt(channel->release());
                });
    }
    waitUntil([&] { return failed || static_cast<int>(m_channels.size()) == m_members - 1; });
    return !failed;
}

Result<void> Member::connectGloo() {
    auto backend = makeFabricBackend(QStringLiteral("gloo"));
    if (!backend)
        return tl::unexpected(backend.error());
    m_gloo = std::move(*backend);
    FabricPlace place;
    place.self = m_self;
    place.members = m_members;
    place.address = loopback.toString();
    return m_gloo->connect(place, m_rendezvous);
}

void Member::fill() {
    for (std::size_t i = 0; i < m_values.size(); ++i)
        m_values[i] = valueOf(m_self, static_cast<qint64>(i));
}

bool Member::isSummed(float off) const {
    const float most = off * 6 * static_cast<float>(m_members * (m_members + 1)) / 2;
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        float expected = 0;
        for (int member = 0; member < m_members; ++member)
            expected += valueOf(member, static_cast<qint64>(i));
        if (!(std::abs(m_values[i] - expected) <= most))
            return false;
    }
    return true;
}

void Member::receive(int from, const TensorFrame &frame) {
    if (frame.header.slot == outcomeSlot) {
        ++m_outcomes;
        return;
    }
    const auto taken =
        m_sum->deliver(from, static_cast<int>(frame.header.microBatch), static_cast<GroupSum::Phase>(frame.header.slot),
                       frame.payload, *codecByNumber(frame.header.codec));
    if (!taken)
        qFatal("%s", qPrintable(taken.error().toString()));
}

void Member::sumBuiltIn(const Codec &codec) {
    const bool isRounded = &codec != &noCodec();
    m_layout = SumLayout::make(static_cast<qint64>(m_values.size()), m_members, DType::Float32, codec);
    m_sum = std::make_unique<GroupSum>(m_layout, m_self, DType::Float32,
                                       [this](int to, int piece, GroupSum::Phase phase, const Encoded &values) {
                                           TensorHeader header;
                                           header.kind = TensorKind::AllReduce;
                                           header.dims = {1, static_cast<quint32>(m_layout.count(piece))};
                                           header.codec = values.codec->number;
                                           header.microBatch = static_cast<quint32>(piece);
                                           header.slot = static_cast<quint16>(phase);
                                           channelTo(to).sendTensor(header, values.payload);
                                       });
    m_sum->start(reinterpret_cast<std::byte *>(m_values.data()),
                 {isRounded ? reinterpret_cast<std::byte *>(m_owed.data()) : nullptr, !isRounded});
    m_sum->ready(0, m_layout.elements);
    waitUntil([this] {
        return m_sum->done() &&
               std::ranges::all_of(m_channels, [](const auto &entry) { return entry.second->queuedBytes() == 0; });
    });
    m_sum.reset();
}

Result<void> Member::sumOverGloo() {
    const std::size_t bytes = m_values.size() * sizeof(float);
    std::memcpy(m_copy.data(), m_values.data(), bytes);
    auto summed = m_gloo->allReduce(reinterpret_cast<std::byte *>(m_copy.data()), static_cast<qint64>(m_values.size()),
                                    DType::Float32);
    if (!summed)
        return summed;
    const std::shared_ptr<Buffer> word = Buffer::allocate(1);
    word->data()[0] = std::byte{1};
    for (const auto &entry : m_channels) {
        TensorHeader header;
        header.kind = TensorKind::AllReduce;
        header.dtype = DType::UInt8;
        header.dims = {1};
        header.slot = outcomeSlot;
        entry.second->sendTensor(header, Payload::of(word));
    }
    waitUntil([this] {
        return m_outcomes >= m_members - 1 &&
               std::ranges::all_of(m_channels, [](const auto &entry) { return entry.second->queuedBytes() == 0; });
    });
    m_outcomes -= m_members - 1;
    std::memcpy(m_values.data(), m_copy.data(), bytes);
    return {};
}

}  // namespace hearth
