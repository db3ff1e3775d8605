// One member of a group that sums the same values by the built-in AllReduce, as they are and rounded, and over Gloo.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/train/fabric_backend.h"
#include "core/train/group_sum.h"
#include "core/wire/channel.h"
#include "core/wire/identity.h"
#include "core/wire/tls_listener.h"

namespace hearth {

/// Lives in one thread, whose event loop it runs while it waits; others only call learn().
class Member {
  public:
    struct Address {
        Fingerprint fingerprint;
        quint16 port = 0;
    };

    /// `publish` brings an entry to learn() of all others, from any thread.
    using Publish = std::function<void(const Rendezvous::Entry &)>;
    Member(int self, int members, qint64 elements, Publish publish);

    /// Listens on loopback for the members with lower numbers.
    Address listen();
    /// Dials the members with higher numbers and waits for all channels; at least one failed where it returns false.
    bool connectLinks(const std::vector<Address> &addresses);
    /// Joins the process group.
    Result<void> connectGloo();
    void learn(const Rendezvous::Entry &entry) { (void)m_rendezvous->learn(entry); }

    /// Small integers, so that every order of summing gives the same bits.
    void fill();
    /// `off`: by that part of the largest sum at most.
    bool isSummed(float off) const;
    /// What is owed goes along with the next sum by a codec.
    void sumBuiltIn(const Codec &codec);
    /// As the executor does it: on a copy, and with everybody's word that it succeeded.
    Result<void> sumOverGloo();

  private:
    void adopt(Channel *channel);
    void receive(int from, const TensorFrame &frame);
    void waitUntil(const std::function<bool()> &condition) const;
    Channel &channelTo(int member) { return *m_channels.at(member); }

    Publish m_publish;
    int m_self, m_members;
    SumLayout m_layout;  // of the sum under way
    std::vector<float> m_values, m_copy, m_owed;
    Identity m_identity;
    std::vector<Address> m_addresses;
    std::unique_ptr<TlsListener> m_listener;
    std::map<int, std::unique_ptr<Channel>> m_channels;
    std::vector<Channel *> m_unknown;  // came before the addresses were known
    std::unique_ptr<GroupSum> m_sum;
    int m_outcomes = 0;
    std::shared_ptr<Rendezvous> m_rendezvous;
    std::unique_ptr<FabricBackend> m_gloo;
};

}  // namespace hearth
