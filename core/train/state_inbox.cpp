#include "core/train/state_inbox.h"

#include <algorithm>
#include <numeric>

namespace hearth {
void StateInbox::beginTerm(quint32 term) {
    if (term <= m_term)
        return;
    m_term = term;
    m_assemblies.clear();
    m_whole.clear();
    std::erase_if(m_waiting, [&](const Waiting &waiting) { return waiting.frame.header.term < term; });
    m_waitingBytes = 0;
    for (const Waiting &waiting : m_waiting)
        m_waitingBytes += waiting.frame.payload->size();
}

Result<void> StateInbox::expect(Expected expected) {
    beginTerm(expected.term);
    m_expected = std::move(expected);
    // A plan that comes again under its term goes on with what its senders had begun; the rest is of no use.
    std::erase_if(m_assemblies, [this](const auto &each) {
        return each.second.version() != m_expected.version || !m_expected.moves.contains(each.first);
    });
    m_whole.clear();
    m_waitingBytes = 0;
    for (const Waiting &waiting : std::exchange(m_waiting, {})) {
        if (auto added = add(waiting.from, waiting.frame); !added)
            return added;
    }
    return {};
}

Result<void> StateInbox::add(const QString &from, const TensorFrame &frame) {
    if (frame.header.term < m_term)
        return {};
    if (frame.header.term == m_expected.term)
        return isExpected(from, frame.header) ? assemble(from, frame) : Result<void>();
    if (m_waitingBytes + frame.payload->size() > mostWaiting(from))
        return badState(sentence("%1 bytes came, and no plan that they belong to.").arg(m_waitingBytes));
    m_waitingBytes += frame.payload->size();
    m_waiting.push_back({from, frame});
    return {};
}

qint64 StateInbox::mostWaiting(const QString &from) const {
    if (from.isEmpty())
        return mostWaitingBytes;
    const auto &states = m_expected.stateBytes;
    return std::min(mostWaitingBytes, std::accumulate(states.begin(), states.end(), qint64{0}));
}

bool StateInbox::isExpected(const QString &from, const TensorHeader &header) const {
    const Place place{from, header.stage};
    const auto whole = m_whole.find(place);
    if (whole != m_whole.end() && header.version <= whole->second)
        return false;
    if (header.version == m_expected.version)
        return m_expected.moves.contains(place);
    return header.version > m_expected.version &&
           std::any_of(m_expected.copies.begin(), m_expected.copies.end(), [&](const Deployment::Backup &copy) {
               return copy.from == from && header.stage >= copy.firstLayer && header.stage < copy.lastLayer;
           });
}

Result<void> StateInbox::assemble(const QString &from, const TensorFrame &frame) {
    const TensorHeader &header = frame.header;
    const Place place{from, header.stage};
    if (header.stage >= m_expected.stateBytes.size())
        return badState(sentence("Layer %1 of a model of %2.").arg(header.stage).arg(m_expected.stateBytes.size()));
    auto known = m_assemblies.find(place);
    if (known != m_assemblies.end() && known->second.version() < header.version) {
        m_assemblies.erase(known);  // its sender goes on with a newer one
        known = m_assemblies.end();
    }
    if (known == m_assemblies.end()) {
        auto memory = m_pool->take(m_expected.stateBytes[header.stage]);
        known = m_assemblies.try_emplace(place, header.stage, header.version, std::move(memory)).first;
    }
    StateAssembly &assembly = known->second;
    if (header.version < assembly.version() || assembly.has(header.firstSample))
        return {};  // sent again after a plan that did not come about
    if (auto added = assembly.add(frame); !added)
        return added;
    if (!assembly.complete())
        return {};
    m_whole[place] = header.version;
    const std::shared_ptr<const Buffer> state = assembly.state();
    m_assemblies.erase(known);
    m_arrived(from, header.stage, header.version, state);
    return {};
}

}  // namespace hearth
