// Gives memory back some time after what a process needs has changed.
#pragma once

#include <QTimer>
#include <chrono>

namespace hearth {

/// Lives in a thread with an event loop.
class HeapTidy : public QTimer {
  public:
    /// By then the first rounds under a new plan have taken what they need, and nobody waits for them any more.
    static constexpr std::chrono::milliseconds delay{3000};

    explicit HeapTidy(std::chrono::milliseconds after = delay);
    /// Once, after that delay; nothing where that is due already.
    void soon();
};

}  // namespace hearth
