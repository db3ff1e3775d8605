// Avahi's event loop on Qt's.
#pragma once

#include <avahi-common/watch.h>

namespace hearth {

/// The watches and timeouts of one client. All of it lives in the thread that made it, which runs a Qt event loop; the
/// client must be freed first.
class AvahiQtPoll {
  public:
    AvahiQtPoll();
    AvahiQtPoll(const AvahiQtPoll &) = delete;
    AvahiQtPoll &operator=(const AvahiQtPoll &) = delete;

    const AvahiPoll *api() const { return &m_api; }

  private:
    AvahiPoll m_api{};
};

}  // namespace hearth
