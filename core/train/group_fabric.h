// Runs a fabric's blocking calls off the compute thread, each under a deadline.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/train/fabric_backend.h"

namespace hearth {

/// One member's end of a trusted fabric. All calls from one thread (the compute thread), none of them waits; `wake` is
/// called from another thread whenever there is something new to take. A backend that does not come back in time counts
/// as failed and is left to its thread. Once something has failed, everything after it fails.
class GroupFabric {
  public:
    GroupFabric(std::unique_ptr<FabricBackend> backend, FabricPlace place, std::function<void()> wake);
    /// No `wake` afterwards. Waits shortly for the backend to end, and leaves one that hangs behind.
    ~GroupFabric();
    GroupFabric(const GroupFabric &) = delete;
    GroupFabric &operator=(const GroupFabric &) = delete;

    Rendezvous &rendezvous();
    /// Sums `values`, which `owner` keeps alive for as long as the backend may touch them, as soon as the group is
    /// connected. One at a time.
    void sum(std::byte *values, qint64 elements, DType dtype, std::shared_ptr<void> owner);
    /// The end of the last sum(), once.
    std::optional<Result<void>> takeOutcome();
    /// Ends the backend as soon as it comes back, so that the other members' calls fail, too. No outcome follows.
    void abandon();

  private:
    struct State;
    std::shared_ptr<State> m_state;
};

}  // namespace hearth
