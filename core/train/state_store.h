// The states of layers that a worker keeps: its own snapshots, and copies of other workers' layers.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/base/buffer.h"
#include "core/plan/held_states.h"
#include "core/protocol/term_origins.h"

namespace hearth {

/// Whole states only, by layer and version. Forgets nothing of its own accord: the owner says when. Lives on the
/// compute thread; states may be read anywhere as long as somebody holds them.
class StateStore {
  public:
    using State = std::shared_ptr<const Buffer>;

    /// Takes the place of what was there. `term`: of the deployment by which it is a state of that version.
    void put(int layer, quint64 version, State state, quint32 term) {
        m_layers[layer][version] = {std::move(state), term};
    }
    /// Null where there is none.
    State find(int layer, quint64 version) const;
    bool holdsAll(int firstLayer, int lastLayer, quint64 version) const;

    /// `version` is complete in the home: older ones go, and it stays, where it is here, until a newer one is
    /// committed.
    void commit(quint64 version);
    quint64 committed() const { return m_committed; }
    /// Of these layers, the newest `versions` stay, the committed one, and those `pinned`.
    void keepNewest(int firstLayer, int lastLayer, int versions, const std::set<quint64> &pinned = {});
    /// Training goes on from `version`: what was computed after it will be computed again, perhaps with other rounding.
    void forgetAfter(quint64 version);
    /// What does not count any more.
    void forgetBy(const TermOrigins &origins);
    void clear();

    /// By version, newest first, then by layer.
    std::vector<HeldState> held() const;
    qint64 bytes() const;

  private:
    struct Entry {
        State state;
        quint32 term = 0;
    };
    std::map<int, std::map<quint64, Entry>> m_layers;
    quint64 m_committed = 0;
};

}  // namespace hearth
